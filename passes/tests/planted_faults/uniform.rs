//! Uniform registers: what may be there, and who may name it.

use super::case::Case;
use passes::allocation::{EditKind, Position};
use passes::function::{Instruction, InstructionFlags, InstructionKind, Operand, VirtualRegister};
use passes::machine::{Class, Machine, Register, gpu};
use passes::verify::{Fault, Spot};

/// As %tid.
const DIVERGENT: InstructionFlags = InstructionFlags::DIVERGENT;
/// As an addition.
const ADD: InstructionFlags =
    InstructionFlags::UNIFORM_PATH.union(InstructionFlags::UNIFORM_SOURCE);
/// As a minimum, which only the threads compute.
const MINIMUM: InstructionFlags = InstructionFlags::UNIFORM_SOURCE;
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
        let home = self.uniform(number);
        self.case.value(gpu::SINGLE32, home)
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
    let home = register(&kernel.case.machine, gpu::SINGLE32, 2);
    let small = kernel.case.value(gpu::SINGLE32, home);
    kernel.push(MINIMUM, &[small], &[double, double]);
    kernel.case.accept();
}

#[test]
fn what_threads_differ_in_may_not() {
    let mut kernel = Kernel::new();
    let home = kernel.uniform(1);
    kernel.case.place(kernel.index, home);
    kernel.reject_value(kernel.index);
    let mut kernel = Kernel::new();
    let home = kernel.uniform(1);
    kernel.case.place(kernel.sum, home);
    kernel.reject_value(kernel.sum);
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
        let home = register(&kernel.case.machine, gpu::SINGLE32, 2);
        let small = kernel.case.value(gpu::SINGLE32, home);
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
    let home = register(&kernel.case.machine, gpu::SINGLE32, 2);
    let outside = kernel.case.value(gpu::SINGLE32, home);
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
    let home = register(&kernel.case.machine, gpu::SINGLE32, 2);
    let result = kernel.case.value(gpu::SINGLE32, home);
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
        let home = kernel.uniform(2);
        kernel.case.value(class, home);
        let found = kernel.case.reject();
        assert!(matches!(found, Fault::OutsideClass { .. }), "{found}");
    }
    let mut kernel = Kernel::new();
    let home = kernel.uniform(2);
    kernel.case.create(kernel.parameter, gpu::SINGLE32, home);
    let found = kernel.case.reject();
    assert!(matches!(found, Fault::OutsideClass { .. }), "{found}");
}
