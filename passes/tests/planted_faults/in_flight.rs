use crate::case::{Case, flagged, tied};
use crate::machines::{Gpu, gpu};
use passes::allocation::Position;
use passes::function::asynchronous::Asynchronous;
use passes::function::{Instruction, InstructionKind, Operand, OperandFlags, VirtualRegister};
use passes::verify::{Fault, Spot};

fn in_flight(operand: Operand) -> Operand {
    flagged(operand, OperandFlags::IN_FLIGHT)
}

/// Appends an instruction that does something with registers in flight.
fn push(case: &mut Case, does: Asynchronous, operands: &[Operand]) -> Instruction {
    let kind = InstructionKind::Plain;
    case.builder.push(kind, does.flags(), operands, None)
}

const NOTHING: Asynchronous = Asynchronous {
    fences: false,
    multiplies: false,
    loads: false,
    stores: false,
    commits: false,
    waits_multiply: None,
    waits_load: false,
    waits_store: false,
};

fn load(case: &mut Case, value: VirtualRegister) -> Instruction {
    let loads = true;
    push(
        case,
        Asynchronous { loads, ..NOTHING },
        &[in_flight(Operand::write(value))],
    )
}

fn wait_for_loads(case: &mut Case) -> Instruction {
    let waits_load = true;
    push(
        case,
        Asynchronous {
            waits_load,
            ..NOTHING
        },
        &[],
    )
}

fn wait_for_multiplications(case: &mut Case, left: u8) -> Instruction {
    let waits_multiply = Some(left);
    push(
        case,
        Asynchronous {
            waits_multiply,
            ..NOTHING
        },
        &[],
    )
}

fn fence(case: &mut Case) -> Instruction {
    let fences = true;
    push(case, Asynchronous { fences, ..NOTHING }, &[])
}

/// Adds a product to an accumulator, and closes the group.
fn multiply(
    case: &mut Case,
    accumulator: VirtualRegister,
    fragment: VirtualRegister,
) -> Instruction {
    let operands = [
        in_flight(Operand::write(accumulator)),
        Operand {
            flags: OperandFlags::IN_FLIGHT,
            ..tied(Operand::read(accumulator), 0)
        },
        in_flight(Operand::read(fragment)),
    ];
    let does = Asynchronous {
        multiplies: true,
        commits: true,
        ..NOTHING
    };
    push(case, does, &operands)
}

#[track_caller]
fn expect_in_flight(case: &Case, at: Instruction, at_spot: Spot, of: VirtualRegister, write: bool) {
    match case.reject() {
        Fault::InFlight {
            site,
            value,
            writes,
            ..
        } => assert_eq!((site, value, writes), (case.site(at, at_spot), of, write)),
        fault => panic!("another fault was found: {fault}"),
    }
}

/// A value loaded from tensor memory, and another one that may be anywhere.
fn loaded() -> (Gpu, Case, [Instruction; 4], [VirtualRegister; 2]) {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let [value, other] = [0, 1].map(|number| case.value(gpu.b32, gpu.r[number]));
    let start = load(&mut case, value);
    let between = case.plain(&[other], &[]);
    let wait = wait_for_loads(&mut case);
    let last = case.plain(&[], &[value]);
    case.accept();
    (gpu, case, [start, between, wait, last], [value, other])
}

#[test]
fn another_value_gets_a_register_in_flight() {
    let (gpu, mut case, [_, between, ..], [value, other]) = loaded();
    case.place(other, gpu.r[0]);
    expect_in_flight(&case, between, Spot::Operand(0), value, true);
}

#[test]
fn what_is_in_flight_is_stored_before_the_wait() {
    let (gpu, mut case, [_, between, wait, last], [value, _]) = loaded();
    let slot = case.slot(4);
    let again = case.create(value, gpu.b32, gpu.r[2]);
    case.store(wait, value, slot);
    case.reload(last, again, slot);
    case.rename(last, 0, again);
    case.accept();
    case.allocation.edits[0].at = Position::After(between);
    expect_in_flight(&case, between, Spot::After, value, false);
}

#[test]
fn a_register_is_reloaded_while_it_is_in_flight() {
    let (gpu, mut case, [_, between, wait, _], [value, other]) = loaded();
    let slot = case.slot(4);
    let again = case.create(other, gpu.b32, gpu.r[2]);
    case.store(between, other, slot);
    case.reload(wait, again, slot);
    case.accept();
    case.place(again, gpu.r[0]);
    expect_in_flight(&case, wait, Spot::Before, value, true);
}

#[test]
fn the_program_may_read_what_is_in_flight_on_its_own_account() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let value = case.value(gpu.b32, gpu.r[0]);
    let copy = case.value(gpu.b32, gpu.r[0]);
    load(&mut case, value);
    let copied = case.copy(Operand::write(copy), Operand::read(value));
    case.delete(copied);
    case.plain(&[], &[value]);
    case.plain(&[], &[copy]);
    wait_for_loads(&mut case);
    case.accept();
}

/// An accumulator that is multiplied twice, with a wait that leaves some groups.
fn pipeline(left: u8) -> (Gpu, Case, Instruction, [VirtualRegister; 4]) {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let values = [0, 1, 2, 3].map(|number| case.value(gpu.b32, gpu.r[number]));
    let [sum, first, second, other] = values;
    case.plain(&[sum, first, second], &[]);
    fence(&mut case);
    multiply(&mut case, sum, first);
    multiply(&mut case, sum, second);
    wait_for_multiplications(&mut case, left);
    let between = case.plain(&[other], &[]);
    wait_for_multiplications(&mut case, 0);
    case.plain(&[], &[sum]);
    (gpu, case, between, values)
}

#[test]
fn a_fragment_keeps_its_register_until_its_group_is_waited_for() {
    let (gpu, mut case, between, [_, first, second, other]) = pipeline(1);
    case.accept();
    case.place(other, gpu.r[1]);
    case.accept();
    case.place(other, gpu.r[2]);
    expect_in_flight(&case, between, Spot::Operand(0), second, true);
    let (gpu, mut case, between, [.., other]) = pipeline(2);
    case.accept();
    case.place(other, gpu.r[1]);
    expect_in_flight(&case, between, Spot::Operand(0), first, true);
}

#[test]
fn one_path_without_a_wait_is_enough() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let [value, other, condition] = [0, 1, 2].map(|number| case.value(gpu.b32, gpu.r[number]));
    case.plain(&[condition], &[]);
    load(&mut case, value);
    case.terminator(&[condition]);
    let entry = passes::function::Block::from_u32(0);
    let waits = case.block(&[entry], &[]);
    wait_for_loads(&mut case);
    case.block(&[entry, waits], &[]);
    let after = case.plain(&[other], &[]);
    wait_for_loads(&mut case);
    case.plain(&[], &[value, other]);
    case.accept();
    case.place(other, gpu.r[0]);
    match case.reject() {
        Fault::InFlight { site, .. } => assert_eq!(site, case.site(after, Spot::Operand(0))),
        fault => panic!("another fault was found: {fault}"),
    }
}

#[test]
fn an_accumulator_is_reloaded_behind_the_fence() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let [sum, fragment] = [0, 1].map(|number| case.value(gpu.b32, gpu.r[number]));
    let define = case.plain(&[sum, fragment], &[]);
    let fence = fence(&mut case);
    let multiplied = multiply(&mut case, sum, fragment);
    wait_for_multiplications(&mut case, 0);
    case.plain(&[], &[sum]);
    let slot = case.slot(4);
    case.store(define, sum, slot);
    case.reload(fence, sum, slot);
    case.accept();
    case.allocation.edits[1].at = Position::Before(multiplied);
    match case.reject() {
        Fault::WrittenBehindFence { site, value, .. } => {
            assert_eq!(site, case.site(multiplied, Spot::Operand(0)));
            assert_eq!(value, sum);
        }
        fault => panic!("another fault was found: {fault}"),
    }
}

#[test]
fn an_accumulator_that_is_only_written_shares_its_register_with_nothing_behind_the_fence() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let [sum, other] = [0, 1].map(|number| case.value(gpu.b32, gpu.r[number]));
    fence(&mut case);
    case.plain(&[other], &[]);
    case.plain(&[], &[other]);
    let does = Asynchronous {
        multiplies: true,
        commits: true,
        ..NOTHING
    };
    let multiplied = push(&mut case, does, &[in_flight(Operand::write(sum))]);
    wait_for_multiplications(&mut case, 0);
    case.plain(&[], &[sum]);
    case.accept();
    case.place(other, gpu.r[0]);
    match case.reject() {
        Fault::WrittenBehindFence { site, .. } => {
            assert_eq!(site, case.site(multiplied, Spot::Operand(0)));
        }
        fault => panic!("another fault was found: {fault}"),
    }
}

#[test]
fn a_store_to_tensor_memory_lets_others_read_its_registers() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let [value, other] = [0, 1].map(|number| case.value(gpu.b32, gpu.r[number]));
    case.plain(&[value], &[]);
    let stores = true;
    let does = Asynchronous { stores, ..NOTHING };
    push(&mut case, does, &[in_flight(Operand::read(value))]);
    case.plain(&[], &[value]);
    let write = case.plain(&[other], &[]);
    let does = Asynchronous {
        waits_store: true,
        ..NOTHING
    };
    push(&mut case, does, &[]);
    case.accept();
    case.place(other, gpu.r[0]);
    expect_in_flight(&case, write, Spot::Operand(0), value, true);
}
