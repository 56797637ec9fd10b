//! Mutations of edits and slots.

use super::{Mutator, is_fold, is_spill, pick, pick_edit, slot_of};
use crate::allocation::{Allocation, Edit, EditKind, Location, Position};
use crate::function::{Block, Instruction, Operand, OperandIndex};
use crate::spill::rematerialisation::repeatable;
use fastrand::Rng;
use std::ops::RangeInclusive;

/// The most instructions that a spill is moved within its block.
const FARTHEST: u64 = 8;

/// Positions in program order: twice the instruction, plus one after it.
fn order_of(at: Position) -> u64 {
    match at {
        Position::Before(instruction) => u64::from(instruction.as_u32()) * 2,
        Position::After(instruction) => u64::from(instruction.as_u32()) * 2 + 1,
    }
}

fn position(order: u64) -> Position {
    let instruction = Instruction::from_u32((order / 2) as u32);
    match order % 2 {
        0 => Position::Before(instruction),
        _ => Position::After(instruction),
    }
}

/// Inserts an edit at its position, somewhere among those that are there. Code
/// stays after renamings and deletions, whose order does not matter.
fn insert(random: &mut Rng, into: &mut Allocation, edit: Edit) {
    let order = order_of(edit.at);
    let first = into.edits.partition_point(|edit| order_of(edit.at) < order);
    let last = into
        .edits
        .partition_point(|edit| order_of(edit.at) <= order);
    into.edits.insert(random.usize(first..=last), edit);
}

pub(super) fn swap(random: &mut Rng, into: &mut Allocation) -> Option<String> {
    let same_place = |pair: &[Edit]| {
        let code = |edit: &Edit| {
            !matches!(
                edit.kind,
                EditKind::Rename { .. }
                    | EditKind::Fold { .. }
                    | EditKind::FoldLoad { .. }
                    | EditKind::DeleteCopy
                    | EditKind::DeleteDefinition
            )
        };
        pair[0].at == pair[1].at && code(&pair[0]) && code(&pair[1])
    };
    let pairs = into.edits.windows(2).enumerate();
    let pairs = pairs.filter(|(_, pair)| same_place(pair));
    let first = pick(random, pairs.map(|(number, _)| number))?;
    into.edits.swap(first, first + 1);
    let [second, first] = [into.edits[first], into.edits[first + 1]];
    Some(format!(
        "{:?} and {:?} at {:?}",
        first.kind, second.kind, first.at
    ))
}

pub(super) fn reverse(random: &mut Rng, into: &mut Allocation) -> Option<String> {
    let number = pick_edit(random, into, is_spill)?;
    let edit = &mut into.edits[number];
    let old = *edit;
    edit.kind = match old.kind {
        EditKind::Store { value, slot } => EditKind::Reload { value, slot },
        EditKind::Reload { value, slot } => EditKind::Store { value, slot },
        other => other,
    };
    Some(format!("{:?} at {:?} turned round", old.kind, old.at))
}

pub(super) fn change_slot(random: &mut Rng, into: &mut Allocation) -> Option<String> {
    let number = pick_edit(random, into, |kind| is_spill(kind) || is_fold(kind))?;
    let old = into.edits[number];
    let slot = slot_of(&mut into.edits[number].kind)?;
    let others = into.slots.keys().filter(|other| other != slot);
    *slot = pick(random, others)?;
    Some(format!("{:?} at {:?} uses {slot}", old.kind, old.at))
}

pub(super) fn share_slot(random: &mut Rng, into: &mut Allocation) -> Option<String> {
    let from = pick(random, into.slots.keys())?;
    let to = pick(random, into.slots.keys().filter(|&slot| slot != from))?;
    let data = into.slots[from];
    into.slots[to].size = into.slots[to].size.max(data.size);
    into.slots[to].alignment = into.slots[to].alignment.max(data.alignment);
    let slots = into
        .edits
        .iter_mut()
        .filter_map(|edit| slot_of(&mut edit.kind));
    for slot in slots.filter(|slot| **slot == from) {
        *slot = to;
    }
    Some(format!("{from} became {to}"))
}

pub(super) fn shrink_slot(random: &mut Rng, into: &mut Allocation) -> Option<String> {
    let slot = pick(random, into.slots.keys())?;
    let data = &mut into.slots[slot];
    match random.bool() {
        true => data.size /= 2,
        false => data.alignment /= 2,
    }
    Some(format!("{slot} is {data:?}"))
}

impl Mutator<'_> {
    pub(super) fn move_spill(
        &self,
        random: &mut Rng,
        into: &mut Allocation,
        far: bool,
    ) -> Option<String> {
        let number = pick_edit(random, into, is_spill)?;
        let old = into.edits.remove(number);
        let from = order_of(old.at);
        let mut blocks = self.function.blocks.keys();
        let own = blocks.find(|&block| self.places(block).contains(&from))?;
        let to = match far {
            true => {
                let others = self.function.blocks.keys().filter(|&other| other != own);
                let others = others.filter(|&other| !self.places(other).is_empty());
                let other = pick(random, others)?;
                random.u64(self.places(other))
            }
            false => {
                let (first, last) = self.places(own).into_inner();
                let (first, last) = (
                    first.max(from.saturating_sub(2 * FARTHEST)),
                    last.min(from + 2 * FARTHEST),
                );
                random.u64(first..=last)
            }
        };
        if to == from {
            return None;
        }
        let (at, kind) = (position(to), old.kind);
        insert(random, into, Edit { at, kind });
        Some(format!("{kind:?} from {:?} to {at:?}", old.at))
    }

    /// Where code may be inserted in a block, as positions in order.
    fn places(&self, block: Block) -> RangeInclusive<u64> {
        let data = &self.function.blocks[block];
        let first = u64::from(data.instructions.start) * 2;
        match data.instructions.is_empty() {
            // An empty range.
            true => first + 1..=first,
            false => {
                let end = u64::from(data.instructions.end) * 2 - 1;
                first..=end.min(u64::from(data.first_terminator) * 2)
            }
        }
    }

    pub(super) fn change_value(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let number = pick_edit(random, into, is_spill)?;
        let edit = &mut into.edits[number];
        let old = *edit;
        let (EditKind::Store { value, .. } | EditKind::Reload { value, .. }) = &mut edit.kind
        else {
            return None;
        };
        let other = self.other_of_class(random, *value)?;
        *value = other;
        Some(format!("{:?} at {:?} moves {other}", old.kind, old.at))
    }

    pub(super) fn rename(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let virtuals = self.function.operands.iter();
        let virtuals = virtuals.filter(|(_, operand)| operand.virtual_register().is_some());
        let operand = pick(random, virtuals.map(|(index, _)| index))?;
        let renames = |edit: &&mut Edit| match edit.kind {
            EditKind::Rename { operand: one, .. } => one == operand,
            _ => false,
        };
        if let Some(edit) = into.edits.iter_mut().find(renames)
            && let EditKind::Rename { to, .. } = &mut edit.kind
        {
            let old = *to;
            *to = self.other_of_class(random, old)?;
            return Some(format!("{operand} named {to} instead of {old}"));
        }
        let old = self.function.operands[operand].virtual_register()?;
        let to = self.other_of_class(random, old)?;
        let at = Position::Before(self.instruction_of(operand)?);
        let kind = EditKind::Rename { operand, to };
        insert(random, into, Edit { at, kind });
        Some(format!("{operand} named {to} instead of {old}"))
    }

    pub(super) fn fold(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let in_register = self.operands.iter();
        let in_register = in_register.filter(|(_, operand)| operand.virtual_register().is_some());
        let operand = pick(random, in_register.map(|(index, _)| index))?;
        let slot = pick(random, into.slots.keys())?;
        let at = Position::Before(self.instruction_of(operand)?);
        let kind = EditKind::Fold { operand, slot };
        insert(random, into, Edit { at, kind });
        Some(format!("{operand} accesses {slot}"))
    }

    /// Makes an operand read from memory what some instruction computes.
    pub(super) fn fold_load(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let read = self.function.operands.iter();
        let read = read.filter(|(_, operand)| {
            operand.virtual_register().is_some() && !operand.is_definition()
        });
        let operand = pick(random, read.map(|(index, _)| index))?;
        let computing = self.function.instructions.keys();
        let computing = computing.filter(|&one| repeatable(self.function, one).is_some());
        let from = pick(random, computing)?;
        let at = Position::Before(self.instruction_of(operand)?);
        let kind = EditKind::FoldLoad { operand, from };
        insert(random, into, Edit { at, kind });
        Some(format!("{operand} is what {from} loads"))
    }

    /// Makes an operand in memory read what another instruction loads.
    pub(super) fn change_load(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let is_loaded = |kind: &EditKind| matches!(kind, EditKind::FoldLoad { .. });
        let number = pick_edit(random, into, is_loaded)?;
        let EditKind::FoldLoad { operand, from } = &mut into.edits[number].kind else {
            return None;
        };
        let others = self.function.instructions.keys();
        let old = std::mem::replace(from, pick(random, others.filter(|other| other != from))?);
        Some(format!("{operand} is what {from} loads instead of {old}"))
    }

    fn instruction_of(&self, operand: OperandIndex) -> Option<Instruction> {
        let instructions = &self.function.instructions;
        let after = instructions
            .as_values_slice()
            .partition_point(|data| data.operands.end <= operand.as_u32());
        let instruction = Instruction::from_u32(after as u32);
        instructions.is_valid(instruction).then_some(instruction)
    }

    pub(super) fn change_rematerialisation(
        &self,
        random: &mut Rng,
        into: &mut Allocation,
    ) -> Option<String> {
        let is_computed = |kind: &EditKind| matches!(kind, EditKind::Rematerialise { .. });
        let number = pick_edit(random, into, is_computed)?;
        let EditKind::Rematerialise { from, .. } = &mut into.edits[number].kind else {
            return None;
        };
        let others = self.function.instructions.keys();
        let old = std::mem::replace(from, pick(random, others.filter(|other| other != from))?);
        Some(format!("{from} repeated instead of {old}"))
    }

    pub(super) fn change_source(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let reads = |kind: &EditKind| matches!(kind, EditKind::Rematerialise { sources, .. } if sources.iter().next().is_some());
        let number = pick_edit(random, into, reads)?;
        let EditKind::Rematerialise { from, sources, .. } = &mut into.edits[number].kind else {
            return None;
        };
        let from = *from;
        let source = pick(random, sources.iter_mut())?;
        let old = source.expand()?;
        *source = self.other_of_class(random, old)?.into();
        Some(format!("{from} reads another register than {old}"))
    }

    /// Deletes the definition of what is still read.
    pub(super) fn delete_definition(
        &self,
        random: &mut Rng,
        into: &mut Allocation,
    ) -> Option<String> {
        let in_register = |value| {
            matches!(
                into.locations[value],
                Location::Register(_) | Location::Slot(_)
            )
        };
        let definitions = self.function.instructions.keys();
        let definitions = definitions
            .filter(|&instruction| repeatable(self.function, instruction).is_some_and(in_register));
        let definition = pick(random, definitions)?;
        let (at, kind) = (Position::Before(definition), EditKind::DeleteDefinition);
        insert(random, into, Edit { at, kind });
        Some(format!("{definition} is deleted"))
    }

    /// Deletes a copy that does something. What it does matters if its ends are
    /// not in one register already.
    pub(super) fn delete_copy(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let deleted = |at: Position| {
            let mut edits = into.edits.iter();
            edits.any(|edit| edit.at == at && edit.kind == EditKind::DeleteCopy)
        };
        let copies = self.function.instructions.keys();
        let copies = copies.filter(|&instruction| {
            self.function
                .copy_operands(instruction)
                .is_some_and(|(_, from)| Operand::reads_source(from))
                && !deleted(Position::Before(instruction))
        });
        let copy = pick(random, copies)?;
        let (at, kind) = (Position::Before(copy), EditKind::DeleteCopy);
        insert(random, into, Edit { at, kind });
        Some(format!("deleted the copy {copy}"))
    }
}
