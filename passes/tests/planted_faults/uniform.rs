//! Uniform registers: what may be there, and who may name it.

use super::case::{Case, fixed};
use passes::allocation::{EditKind, Position};
use passes::function::{
    Block, Instruction, InstructionFlags, InstructionKind, Operand, VirtualRegister,
};
use passes::machine::{Class, Machine, Register, gpu};
use passes::verify::{Fault, Spot};

/// As %tid.
const DIVERGENT: InstructionFlags = InstructionFlags::DIVERGENT;
/// As an addition.
const ADD: InstructionFlags =
    InstructionFlags::UNIFORM_PATH.union(InstructionFlags::UNIFORM_SOURCE);
/// As a minimum, which only the threads compute.
const MINIMUM: InstructionFlags = InstructionFlags::UNIFORM_SOURCE;
/// As a load, whose address is not read there.
const LOAD: InstructionFlags = InstructionFlags::UNIFORM_LOAD;
/// As a branch.
const TERMINATOR: InstructionFlags = InstructionFlags::TERMINATOR;
/// As a store.
const STORE: InstructionFlags = InstructionFlags::empty();

fn register(machine: &Machine, class: Class, number: usize) -> Register {
    machine.classes[class].order[number]
}

/// A kernel with a parameter in UR0, a thread's index in R0 and their sum in R1.
struct Kernel {
    case: Case,
    parameter: VirtualRegister,
    index: VirtualRegister,
    sum: VirtualRegister,
    addition: Instruction,
}

impl Kernel {
    fn new() -> Self {
        let machine = gpu::machine(255);
        let mut case = Case::new(&machine);
        case.builder.kernel(true);
        let r = |number| register(&machine, gpu::SINGLE32, number);
        let parameter = case.value(gpu::SINGLE32, register(&machine, gpu::UNIFORM, 0));
        let index = case.value(gpu::SINGLE32, r(0));
        let sum = case.value(gpu::SINGLE32, r(1));
        push(&mut case, ADD, &[parameter], &[]);
        push(&mut case, DIVERGENT, &[index], &[]);
        let addition = push(&mut case, ADD, &[sum], &[index, parameter]);
        push(&mut case, STORE, &[], &[sum]);
        Self {
            case,
            parameter,
            index,
            sum,
            addition,
        }
    }

    fn uniform(&self, number: usize) -> Register {
        register(&self.case.machine, gpu::UNIFORM, number)
    }

    /// One more value, in a uniform register.
    fn shared(&mut self, number: usize) -> VirtualRegister {
        let location = self.uniform(number);
        self.case.value(gpu::SINGLE32, location)
    }

    fn push(
        &mut self,
        flags: InstructionFlags,
        writes: &[VirtualRegister],
        reads: &[VirtualRegister],
    ) -> Instruction {
        push(&mut self.case, flags, writes, reads)
    }

    #[track_caller]
    fn reject_value(&self, wanted: VirtualRegister) {
        match self.case.reject() {
            Fault::NotUniform { value, .. } => assert_eq!(value, wanted),
            fault => panic!("another fault was found: {fault}"),
        }
    }

    #[track_caller]
    fn reject_operand(&self, instruction: Instruction, number: u32, writing: bool) {
        match self.case.reject() {
            Fault::UniformOperand { site, written, .. } => {
                let spot = Spot::Operand(number);
                assert_eq!(site, self.case.site(instruction, spot));
                assert_eq!(written, writing);
            }
            fault => panic!("another fault was found: {fault}"),
        }
    }
}

fn push(
    case: &mut Case,
    flags: InstructionFlags,
    writes: &[VirtualRegister],
    reads: &[VirtualRegister],
) -> Instruction {
    let writes = writes.iter().map(|&value| Operand::write(value));
    let reads = reads.iter().map(|&value| Operand::read(value));
    let operands: Vec<_> = writes.chain(reads).collect();
    let kind = InstructionKind::Plain;
    case.builder.push(kind, flags, &operands, None)
}

#[test]
fn uniform_values_may_be_shared() {
    let mut kernel = Kernel::new();
    let double = kernel.shared(1);
    let parameter = kernel.parameter;
    kernel.push(ADD, &[double], &[parameter, parameter]);
    let location = register(&kernel.case.machine, gpu::SINGLE32, 2);
    let small = kernel.case.value(gpu::SINGLE32, location);
    kernel.push(MINIMUM, &[small], &[double, double]);
    kernel.case.accept();
}

#[test]
fn what_threads_differ_in_may_not() {
    let mut kernel = Kernel::new();
    let location = kernel.uniform(1);
    kernel.case.place(kernel.index, location);
    kernel.reject_value(kernel.index);
    let mut kernel = Kernel::new();
    let location = kernel.uniform(1);
    kernel.case.place(kernel.sum, location);
    kernel.reject_value(kernel.sum);
}

#[test]
fn what_is_loaded_from_one_address_may_be_shared() {
    let with = |flags, address: fn(&Kernel) -> VirtualRegister| {
        let mut kernel = Kernel::new();
        let loaded = kernel.shared(1);
        let address = address(&kernel);
        let own = register(&kernel.case.machine, gpu::SINGLE32, 3);
        let copy = kernel.case.value(gpu::SINGLE32, own);
        let copies = InstructionKind::Copy;
        let from = [Operand::write(copy), Operand::read(address)];
        kernel.case.builder.push(copies, ADD, &from, None);
        let load = kernel.push(flags, &[loaded], &[copy]);
        kernel.push(MINIMUM, &[copy], &[copy, loaded]);
        (kernel, load, loaded)
    };
    let (kernel, ..) = with(LOAD, |kernel| kernel.parameter);
    kernel.case.accept();
    let (kernel, load, _) = with(MINIMUM, |kernel| kernel.parameter);
    kernel.reject_operand(load, 0, true);
    let (kernel, _, loaded) = with(LOAD, |kernel| kernel.index);
    kernel.reject_value(loaded);
    // Only its result is moved.
    let mut kernel = Kernel::new();
    let loaded = kernel.shared(1);
    let load = kernel.push(LOAD, &[loaded], &[kernel.parameter]);
    kernel.reject_operand(load, 1, false);
}

#[test]
fn outside_kernels_nothing_is_shared() {
    let mut kernel = Kernel::new();
    kernel.case.builder.kernel(false);
    kernel.reject_value(kernel.parameter);
}

#[test]
fn what_only_some_threads_define_is_not_shared() {
    for divergent in [false, true] {
        let mut kernel = Kernel::new();
        let location = register(&kernel.case.machine, gpu::SINGLE32, 2);
        let small = kernel.case.value(gpu::SINGLE32, location);
        let inside = kernel.shared(1);
        kernel.push(MINIMUM, &[small], &[kernel.parameter]);
        let condition = if divergent { kernel.index } else { small };
        kernel.case.terminator(&[condition]);
        let entry = kernel.case.site(kernel.addition, Spot::Whole).block;
        let arm = kernel.case.block(&[entry], &[]);
        kernel.push(ADD, &[inside], &[]);
        kernel.case.block(&[entry, arm], &[]);
        kernel.push(STORE, &[], &[small]);
        match divergent {
            true => kernel.reject_value(inside),
            false => kernel.case.accept(),
        }
    }
}

/// A loop whose counter is in a uniform register; whether threads leave it one by one.
fn counting(one_by_one: bool) -> (Kernel, VirtualRegister) {
    let mut kernel = Kernel::new();
    let counter = kernel.shared(1);
    let step = kernel.shared(2);
    let location = register(&kernel.case.machine, gpu::SINGLE32, 2);
    let left = kernel.case.value(gpu::SINGLE32, location);
    kernel.push(ADD, &[counter], &[]);
    kernel.push(ADD, &[step], &[]);
    let entry = Block::from_u32(0);
    let around = kernel.case.block(&[entry], &[]);
    kernel.push(ADD, &[counter], &[counter, step]);
    kernel.push(MINIMUM, &[left], &[counter]);
    let condition = if one_by_one { kernel.index } else { left };
    kernel.case.terminator(&[condition]);
    kernel.case.builder.edge(around, around);
    kernel.case.block(&[around], &[]);
    kernel.push(STORE, &[], &[left]);
    (kernel, counter)
}

#[test]
fn what_a_loop_counts_is_shared_only_if_it_is_left_together() {
    counting(false).0.case.accept();
    let (kernel, counter) = counting(true);
    kernel.reject_value(counter);
}

/// Some threads return early, the others go on and define a value; `busy` threads do
/// something before they return.
fn guarded(busy: bool) -> (Kernel, VirtualRegister) {
    let mut kernel = Kernel::new();
    let inside = kernel.shared(1);
    kernel.case.terminator(&[kernel.index]);
    let entry = Block::from_u32(0);
    let exit = kernel.case.block(&[entry], &[]);
    if busy {
        kernel.push(STORE, &[], &[kernel.index]);
    }
    kernel.case.terminator(&[]);
    let rest = kernel.case.block(&[entry], &[]);
    kernel.push(ADD, &[inside], &[]);
    kernel.push(ADD, &[kernel.sum], &[kernel.index, inside]);
    kernel.push(STORE, &[], &[kernel.sum]);
    kernel.case.builder.edge(rest, exit);
    (kernel, inside)
}

#[test]
fn threads_that_return_leave_the_others_together() {
    guarded(false).0.case.accept();
    let (kernel, inside) = guarded(true);
    kernel.reject_value(inside);
}

#[test]
fn what_comes_back_around_a_loop_may_differ() {
    for comes_back in [false, true] {
        let mut kernel = Kernel::new();
        let location = register(&kernel.case.machine, gpu::SINGLE32, 2);
        let flag = kernel.case.value(gpu::SINGLE32, location);
        let inside = kernel.shared(1);
        kernel.push(MINIMUM, &[flag], &[kernel.parameter]);
        // 1 is the header, 2 an arm, 3 the latch, which decides what 1 reads next.
        let header = kernel.case.block(&[Block::from_u32(0)], &[]);
        kernel.case.terminator(&[flag]);
        let arm = kernel.case.block(&[header], &[]);
        kernel.push(ADD, &[inside], &[]);
        let latch = kernel.case.block(&[header, arm], &[]);
        let read = if comes_back {
            kernel.index
        } else {
            kernel.parameter
        };
        kernel.push(MINIMUM, &[flag], &[read]);
        let more = register(&kernel.case.machine, gpu::SINGLE32, 3);
        let more = kernel.case.value(gpu::SINGLE32, more);
        kernel.push(MINIMUM, &[more], &[kernel.parameter]);
        kernel.case.terminator(&[more]);
        kernel.case.builder.edge(latch, header);
        kernel.case.block(&[latch], &[]);
        match comes_back {
            true => kernel.reject_value(inside),
            false => kernel.case.accept(),
        }
    }
}

#[test]
fn a_branch_that_says_nothing_of_its_condition_parts_the_threads() {
    for flags in [TERMINATOR, TERMINATOR | DIVERGENT] {
        let mut kernel = Kernel::new();
        let location = register(&kernel.case.machine, gpu::SINGLE32, 2);
        let small = kernel.case.value(gpu::SINGLE32, location);
        let inside = kernel.shared(1);
        kernel.push(MINIMUM, &[small], &[kernel.parameter]);
        let read: &[_] = match flags.contains(DIVERGENT) {
            true => &[small],
            false => &[],
        };
        kernel.push(flags, &[], read);
        let entry = Block::from_u32(0);
        let arm = kernel.case.block(&[entry], &[]);
        kernel.push(ADD, &[inside], &[]);
        kernel.case.block(&[entry, arm], &[]);
        kernel.push(STORE, &[], &[small]);
        kernel.reject_value(inside);
    }
}

#[test]
fn nothing_is_known_of_physical_registers() {
    let mut kernel = Kernel::new();
    let copied = kernel.shared(1);
    let location = register(&kernel.case.machine, gpu::SINGLE32, 5);
    let operands = [Operand::write(copied), fixed(location)];
    let kind = InstructionKind::Plain;
    kernel.case.builder.push(kind, ADD, &operands, None);
    kernel.reject_value(copied);
}

#[test]
fn one_definition_of_several_that_differs_is_enough() {
    let mut kernel = Kernel::new();
    let twice = kernel.shared(1);
    kernel.push(ADD, &[twice], &[]);
    kernel.push(ADD | DIVERGENT, &[twice], &[]);
    kernel.reject_value(twice);
}

#[test]
fn results_come_from_the_uniform_path_alone() {
    let mut kernel = Kernel::new();
    let parameter = kernel.parameter;
    let result = kernel.shared(1);
    let minimum = kernel.push(MINIMUM, &[result], &[parameter]);
    kernel.reject_operand(minimum, 0, true);
    // An addition is executed there if all it reads is there.
    let mut kernel = Kernel::new();
    let parameter = kernel.parameter;
    let location = register(&kernel.case.machine, gpu::SINGLE32, 2);
    let outside = kernel.case.value(gpu::SINGLE32, location);
    let result = kernel.shared(1);
    kernel.push(MINIMUM, &[outside], &[parameter]);
    let addition = kernel.push(ADD, &[result], &[parameter, outside]);
    kernel.reject_operand(addition, 0, true);
}

#[test]
fn not_everything_reads_uniform_registers() {
    let mut kernel = Kernel::new();
    let parameter = kernel.parameter;
    let store = kernel.push(STORE, &[], &[parameter]);
    kernel.reject_operand(store, 0, false);
}

#[test]
fn nothing_reads_two_of_them_for_each_thread() {
    let mut kernel = Kernel::new();
    let parameter = kernel.parameter;
    let other = kernel.shared(1);
    kernel.push(ADD, &[other], &[]);
    let location = register(&kernel.case.machine, gpu::SINGLE32, 2);
    let result = kernel.case.value(gpu::SINGLE32, location);
    let minimum = kernel.push(MINIMUM, &[result], &[parameter, other]);
    match kernel.case.reject() {
        Fault::UniformSources { site, .. } => {
            assert_eq!(site, kernel.case.site(minimum, Spot::Operand(2)));
        }
        fault => panic!("another fault was found: {fault}"),
    }
}

#[test]
fn spill_code_moves_none_of_them() {
    let mut kernel = Kernel::new();
    let slot = kernel.case.slot(4);
    let (parameter, addition) = (kernel.parameter, kernel.addition);
    kernel.case.store(addition, parameter, slot);
    let found = kernel.case.reject();
    assert!(matches!(found, Fault::UniformSpilled { value, .. } if value == parameter));
    let mut kernel = Kernel::new();
    let slot = kernel.case.slot(4);
    let (at, value) = (Position::Before(kernel.addition), kernel.parameter);
    kernel.case.edit(at, EditKind::Reload { value, slot });
    let found = kernel.case.reject();
    assert!(matches!(found, Fault::UniformSpilled { value, .. } if value == kernel.parameter));
}

#[test]
fn other_classes_and_created_registers_stay_outside() {
    for class in [gpu::SINGLE16, gpu::PAIR, gpu::PREDICATE] {
        let mut kernel = Kernel::new();
        let location = kernel.uniform(2);
        kernel.case.value(class, location);
        let found = kernel.case.reject();
        assert!(matches!(found, Fault::OutsideClass { .. }), "{found}");
    }
    let mut kernel = Kernel::new();
    let location = kernel.uniform(2);
    kernel
        .case
        .create(kernel.parameter, gpu::SINGLE32, location);
    let found = kernel.case.reject();
    assert!(matches!(found, Fault::OutsideClass { .. }), "{found}");
}
