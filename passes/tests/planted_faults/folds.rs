use crate::case::{Case, flagged, is_store, tied};
use crate::machines::cpu;
use passes::allocation::{Edit, EditKind, Location, Position};
use passes::function::{
    Instruction, InstructionFlags, InstructionKind, Operand, OperandFlags, OperandIndex, Slot,
    VirtualRegister,
};
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

/// Two spilled values, both read by one instruction with these flags: the first from a register,
/// the second in memory.
fn two_values(flags: InstructionFlags) -> (Case, Instruction, [Slot; 2]) {
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
    let both = case
        .builder
        .push(InstructionKind::Plain, flags, &reads, None);
    case.reload(both, registers[0], values[0].1);
    case.rename(both, 0, registers[0]);
    fold(&mut case, both, 1, values[1].1);
    case.accept();
    (case, both, values.map(|(_, slot)| slot))
}

#[test]
fn two_values_folded_at_once() {
    for flags in [InstructionFlags::empty(), InstructionFlags::RECORDS] {
        let (mut case, both, slots) = two_values(flags);
        case.drop_edits(|edit| edit.at == Position::Before(both));
        fold(&mut case, both, 0, slots[0]);
        fold(&mut case, both, 1, slots[1]);
        match flags.contains(InstructionFlags::RECORDS) {
            true => case.accept(),
            false => {
                let site = case.site(both, Spot::Operand(1));
                assert_eq!(case.reject(), Fault::FoldedApart { site });
            }
        }
    }
}

/// Whatever room there is, each value is in its own slot.
#[test]
fn recorded_in_the_slot_of_another() {
    let (mut case, both, slots) = two_values(InstructionFlags::RECORDS);
    case.drop_edits(|edit| edit.at == Position::Before(both));
    fold(&mut case, both, 0, slots[1]);
    fold(&mut case, both, 1, slots[1]);
    assert!(matches!(case.reject(), Fault::WrongSlot { .. }));
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

fn fold_load(case: &mut Case, instruction: Instruction, number: u32, from: Instruction) {
    let start = case.function().instructions[instruction].operands.start;
    let operand = OperandIndex::from_u32(start + number);
    let at = Position::Before(instruction);
    case.edit(at, EditKind::FoldLoad { operand, from });
}

/// What a function with operands that are loaded consists of.
struct Loaded {
    case: Case,
    values: [VirtualRegister; 2],
    loads: [Instruction; 2],
    /// Reads the first value twice, from memory, and writes another one.
    reader: Instruction,
}

/// Two values are loaded; an instruction reads the first of them from where it was.
fn loaded_with(flags: [OperandFlags; 2], is_tied: bool) -> Loaded {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let values = [0, 1].map(|number| case.value(cpu.wide, cpu.whole[number]));
    let result = case.value(cpu.wide, cpu.whole[2]);
    case.allocation.locations[values[0]] = Location::None;
    let loads = values.map(|value| {
        let (kind, flags) = (InstructionKind::Plain, InstructionFlags::REMATERIALISABLE);
        let operands = [Operand::write(value)];
        case.builder.push(kind, flags, &operands, None)
    });
    let reads = flags.map(|flags| flagged(Operand::read(values[0]), flags));
    let second = if is_tied { tied(reads[1], 0) } else { reads[1] };
    let reader = case
        .builder
        .plain(&[Operand::write(result), reads[0], second]);
    case.plain(&[], &[values[1], result]);
    case.edit(Position::Before(loads[0]), EditKind::DeleteDefinition);
    fold_load(&mut case, reader, 1, loads[0]);
    fold_load(&mut case, reader, 2, loads[0]);
    Loaded {
        case,
        values,
        loads,
        reader,
    }
}

fn loaded() -> Loaded {
    let loaded = loaded_with([OperandFlags::LOADABLE; 2], false);
    loaded.case.accept();
    loaded
}

impl Loaded {
    /// Loads something else instead.
    fn load(&mut self, other: Instruction) {
        for edit in &mut self.case.allocation.edits {
            if let EditKind::FoldLoad { from, .. } = &mut edit.kind {
                *from = other;
            }
        }
    }

    fn reject_load(&self, from: Instruction) {
        let site = self.case.site(self.reader, Spot::Operand(1));
        let value = self.values[0];
        let fault = self.case.reject();
        assert_eq!(fault, Fault::WrongLoad { site, value, from });
    }
}

#[test]
fn loaded_as_another_value_is() {
    let mut loaded = loaded();
    let other = loaded.loads[1];
    loaded.load(other);
    loaded.reject_load(other);
    assert_eq!(
        loaded.case.reject().to_string(),
        "operand 1 of instruction i2 (block b0) is to load v0 as i1 does, which is not its only \
         definition or reads something"
    );
}

#[test]
fn loaded_as_nothing_is() {
    for other in [2, 9].map(Instruction::from_u32) {
        let mut loaded = loaded();
        loaded.load(other);
        loaded.reject_load(other);
    }
}

#[test]
fn loaded_although_it_has_two_definitions() {
    let mut loaded = loaded();
    let value = loaded.values[0];
    let (kind, flags) = (InstructionKind::Plain, InstructionFlags::REMATERIALISABLE);
    let operands = [Operand::write(value)];
    loaded.case.builder.push(kind, flags, &operands, None);
    loaded.reject_load(loaded.loads[0]);
}

#[test]
fn loaded_where_the_instruction_cannot() {
    // What a slot could hold need not be anywhere else.
    let flags = [OperandFlags::FOLDABLE, OperandFlags::LOADABLE];
    let loaded = loaded_with(flags, false);
    let site = loaded.case.site(loaded.reader, Spot::Operand(1));
    assert_eq!(loaded.case.reject(), Fault::NotFoldable { site });
}

#[test]
fn loaded_where_a_register_is_written() {
    let loaded = loaded_with([OperandFlags::LOADABLE; 2], true);
    assert!(matches!(loaded.case.reject(), Fault::TiedApart { .. }));
}

#[test]
fn loaded_once_of_two_times() {
    let mut loaded = loaded();
    loaded.case.allocation.edits.pop();
    let cpu = cpu();
    loaded.case.place(loaded.values[0], cpu.whole[0]);
    let site = loaded.case.site(loaded.reader, Spot::Operand(2));
    assert_eq!(loaded.case.reject(), Fault::FoldedApart { site });
}

#[test]
fn loaded_and_in_a_slot_at_once() {
    let flags = OperandFlags::LOADABLE | OperandFlags::FOLDABLE;
    let mut loaded = loaded_with([flags; 2], false);
    let slot = loaded.case.slot(8);
    loaded.case.allocation.edits.pop();
    let reader = loaded.reader;
    fold(&mut loaded.case, reader, 2, slot);
    let site = loaded.case.site(reader, Spot::Operand(2));
    assert_eq!(loaded.case.reject(), Fault::FoldedApart { site });
}
