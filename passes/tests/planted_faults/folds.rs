use crate::case::{Case, flagged, is_store, tied};
use crate::machines::cpu;
use passes::allocation::{Edit, EditKind, Position};
use passes::function::{Instruction, Operand, OperandFlags, OperandIndex, Slot, VirtualRegister};
use passes::verify::{Fault, Spot};

fn foldable(operand: Operand) -> Operand {
    flagged(operand, OperandFlags::FOLDABLE)
}

fn fold(case: &mut Case, instruction: Instruction, number: u32, slot: Slot) {
    let start = case.function().instructions[instruction].operands.start;
    let operand = OperandIndex::from_u32(start + number);
    let at = Position::Before(instruction);
    case.edit(at, EditKind::Fold { operand, slot });
}

fn is_fold(edit: &Edit) -> bool {
    matches!(edit.kind, EditKind::Fold { .. })
}

/// What a function with folded operands consists of.
struct Folded {
    case: Case,
    value: VirtualRegister,
    slot: Slot,
    /// Reads the value and writes it again, in memory.
    add: Instruction,
    /// Reads it there.
    last: Instruction,
}

/// A value is defined in a register, stored, changed in memory and read there.
fn folded() -> Folded {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (value, slot) = case.spilled(cpu.wide);
    let write = case.create(value, cpu.wide, cpu.whole[0]);
    let first = case.plain(&[value], &[]);
    let add = case.builder.plain(&[
        foldable(Operand::write(value)),
        foldable(tied(Operand::read(value), 0)),
    ]);
    let last = case.builder.plain(&[foldable(Operand::read(value))]);
    case.rename(first, 0, write);
    case.store(first, write, slot);
    fold(&mut case, add, 0, slot);
    fold(&mut case, add, 1, slot);
    fold(&mut case, last, 0, slot);
    case.accept();
    Folded {
        case,
        value,
        slot,
        add,
        last,
    }
}

#[test]
fn folded_before_it_is_stored() {
    let mut folded = folded();
    folded.case.drop_edits(is_store);
    let fault = folded.case.reject();
    assert_eq!(
        fault,
        Fault::WrongSlot {
            site: folded.case.site(folded.add, Spot::Operand(1)),
            value: folded.value,
            slot: folded.slot,
            holds: "nothing".to_owned(),
        }
    );
    assert_eq!(
        fault.to_string(),
        "operand 1 of instruction i1 (block b0) reads v0 from slot0, which holds nothing"
    );
}

/// What is changed in memory is not what the register still holds.
#[test]
fn changed_in_memory_only() {
    let mut folded = folded();
    let (value, last) = (folded.value, folded.last);
    let stale = folded.case.allocation.created[0].register;
    folded
        .case
        .drop_edits(|edit| edit.at == Position::Before(last));
    folded.case.rename(last, 0, stale);
    folded.case.reject_value(last, 0, value);
}

#[test]
fn folded_into_another_slot() {
    let mut folded = folded();
    let other = folded.case.slot(8);
    let Folded { value, last, .. } = folded;
    folded
        .case
        .drop_edits(|edit| edit.at == Position::Before(last));
    fold(&mut folded.case, last, 0, other);
    assert_eq!(
        folded.case.reject(),
        Fault::WrongSlot {
            site: folded.case.site(last, Spot::Operand(0)),
            value,
            slot: other,
            holds: "nothing".to_owned(),
        }
    );
}

#[test]
fn folded_into_a_slot_that_is_too_small() {
    let mut folded = folded();
    folded.case.allocation.slots[folded.slot].size = 4;
    folded.case.drop_edits(is_store);
    assert!(matches!(
        folded.case.reject(),
        Fault::SlotTooSmall { size: 8, .. }
    ));
}

#[test]
fn half_of_a_tie_folded() {
    let mut folded = folded();
    let register = folded.case.allocation.created[0].register;
    let at = Position::Before(folded.add);
    folded
        .case
        .drop_edits(|edit| edit.at == at && is_fold(edit));
    fold(&mut folded.case, folded.add, 0, folded.slot);
    folded.case.rename(folded.add, 1, register);
    // In program order again.
    let edits = &mut folded.case.allocation.edits;
    edits.sort_by_key(|edit| match edit.at {
        Position::Before(one) => 2 * one.as_u32(),
        Position::After(one) => 2 * one.as_u32() + 1,
    });
    let site = folded.case.site(folded.add, Spot::Operand(1));
    assert_eq!(folded.case.reject(), Fault::FoldedApart { site });
}

#[test]
fn two_values_folded_at_once() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let values = [(); 2].map(|()| case.spilled(cpu.wide));
    let registers = values.map(|(value, _)| case.create(value, cpu.wide, cpu.whole[0]));
    for ((value, slot), register) in values.into_iter().zip(registers) {
        let definition = case.plain(&[value], &[]);
        case.rename(definition, 0, register);
        case.store(definition, register, slot);
    }
    let reads = values.map(|(value, _)| foldable(Operand::read(value)));
    let both = case.builder.plain(&reads);
    case.reload(both, registers[0], values[0].1);
    case.rename(both, 0, registers[0]);
    fold(&mut case, both, 1, values[1].1);
    case.accept();

    case.drop_edits(|edit| edit.at == Position::Before(both));
    fold(&mut case, both, 0, values[0].1);
    fold(&mut case, both, 1, values[1].1);
    let site = case.site(both, Spot::Operand(1));
    assert_eq!(case.reject(), Fault::FoldedApart { site });
}

#[test]
fn folded_where_the_instruction_cannot() {
    let cpu = cpu();
    for copied in [false, true] {
        let mut case = Case::new(&cpu.machine);
        let (value, slot) = case.spilled(cpu.wide);
        let result = case.value(cpu.wide, cpu.whole[1]);
        let write = case.create(value, cpu.wide, cpu.whole[0]);
        let first = case.plain(&[value], &[]);
        let second = match copied {
            // Copies are loaded and stored instead.
            true => case.copy(Operand::write(result), foldable(Operand::read(value))),
            false => case.plain(&[result], &[value]),
        };
        case.rename(first, 0, write);
        case.store(first, write, slot);
        fold(&mut case, second, 1, slot);
        let site = case.site(second, Spot::Operand(1));
        assert_eq!(case.reject(), Fault::NotFoldable { site });
    }
}

#[test]
fn folded_at_another_instruction() {
    let mut folded = folded();
    let start = folded.case.function().instructions[folded.add]
        .operands
        .start;
    let operand = OperandIndex::from_u32(start);
    let (at, slot) = (Position::Before(folded.last), folded.slot);
    folded.case.edit(at, EditKind::Fold { operand, slot });
    let site = folded.case.site(folded.last, Spot::Before);
    assert_eq!(folded.case.reject(), Fault::NotFoldable { site });
}
