//! Values in flight are kept in their registers: as operands of the fences and waits that
//! they reach.
//!
//! A fragment that a multiplication reads is dead behind it, as far as the program says;
//! its register is not free before the wait. So the function is allocated with an operand
//! more at each fence and wait for each value that [`crate::analysis::in_flight`] finds to
//! be held there: then liveness, interference and what is computed of them need no rule
//! for it. An accumulator that is only written has its register from the fence on, as nothing
//! else may write that behind it: the fence defines it, and the multiplication reads it. A gap between accesses never begins or ends in the middle of what goes on,
//! which is what [`crate::spill::gaps`] needs to tell in which no spill code may stand.
//! These operands are implicit uses behind the instruction's own, so that numbers go back
//! to the caller's function by counting. Linear in operands and edits.

use crate::allocation::{Allocation, EditKind, Position};
use crate::analysis::in_flight::{InFlight, first_written};
use crate::function::{Access, Function, Instruction, Operand, OperandFlags, OperandIndex};
use cranelift_entity::PrimaryMap;
use std::collections::BTreeMap;

/// The function with these operands; none where nothing is in flight.
pub fn with_held_operands(function: &Function) -> Option<Function> {
    let held = added(function)?;
    let mut operands: PrimaryMap<OperandIndex, Operand> =
        PrimaryMap::with_capacity(function.operands.len());
    let mut extended = function.clone();
    for (instruction, data) in &mut extended.instructions {
        let begin = operands.len() as u32;
        for &operand in function.instruction_operands(instruction) {
            operands.push(operand);
        }
        for &operand in held.get(&instruction).into_iter().flatten() {
            operands.push(operand);
        }
        data.operands = begin..operands.len() as u32;
    }
    extended.operands = operands;
    Some(extended)
}

/// The operands that each instruction gets.
fn added(function: &Function) -> Option<BTreeMap<Instruction, Vec<Operand>>> {
    let flags = OperandFlags::IMPLICIT | OperandFlags::AWAITED;
    let mut added: BTreeMap<Instruction, Vec<Operand>> = BTreeMap::new();
    for (instruction, values) in InFlight::new(function)?.held(function) {
        let reads = values.into_iter().map(|value| Operand {
            flags,
            ..Operand::read(value)
        });
        added.entry(instruction).or_default().extend(reads);
    }
    for (fence, multiplication, number) in first_written(function) {
        let written = &function.instruction_operands(multiplication)[usize::from(number)];
        let reads = Operand {
            access: Access::Use,
            flags: flags | OperandFlags::IN_FLIGHT,
            tied_to: Some(number),
            ..*written
        };
        let begins = Operand { flags, ..*written };
        added.entry(fence).or_default().push(begins);
        added.entry(multiplication).or_default().push(reads);
    }
    Some(added)
}

/// Turns an allocation of the function with these operands into one of the caller's.
pub fn without_held_operands(
    function: &Function,
    extended: &Function,
    mut allocation: Allocation,
) -> Allocation {
    // For each edit, how many before it stay.
    let mut staying = Vec::with_capacity(allocation.edits.len() + 1);
    let mut edits = Vec::with_capacity(allocation.edits.len());
    for mut edit in std::mem::take(&mut allocation.edits) {
        staying.push(edits.len() as u32);
        let (Position::Before(instruction) | Position::After(instruction)) = edit.at;
        let stays = match &mut edit.kind {
            EditKind::Rename { operand, .. } | EditKind::Fold { operand, .. } => {
                let own = &function.instructions[instruction].operands;
                let first = extended.instructions[instruction].operands.start;
                let number = own.start + (operand.as_u32() - first);
                *operand = OperandIndex::from_u32(number);
                own.contains(&number)
            }
            _ => true,
        };
        if stays {
            edits.push(edit);
        }
    }
    staying.push(edits.len() as u32);
    allocation.edits = edits;
    for vector in &mut allocation.vectors {
        *vector = staying[vector.start as usize]..staying[vector.end as usize];
    }
    allocation
}
