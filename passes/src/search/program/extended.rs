//! The function with operands more than the caller's has, which keep registers taken:
//! liveness, interference and what is computed of them then need no rules of their own.
//!
//! The added operands stand behind an instruction's own, so that numbers go back to the
//! caller's function by counting. Linear in operands and edits.

use crate::allocation::{Allocation, EditKind, Position};
use crate::function::{Function, Instruction, Operand, OperandIndex};
use cranelift_entity::PrimaryMap;
use std::collections::BTreeMap;

/// The operands that instructions get.
pub type Added = BTreeMap<Instruction, Vec<Operand>>;

/// The function with these operands.
pub fn with_operands(function: &Function, added: &Added) -> Function {
    let mut operands: PrimaryMap<OperandIndex, Operand> =
        PrimaryMap::with_capacity(function.operands.len());
    let mut extended = function.clone();
    for (instruction, data) in &mut extended.instructions {
        let begin = operands.len() as u32;
        for &operand in function.instruction_operands(instruction) {
            operands.push(operand);
        }
        for &operand in added.get(&instruction).into_iter().flatten() {
            operands.push(operand);
        }
        data.operands = begin..operands.len() as u32;
    }
    extended.operands = operands;
    extended
}

/// Turns an allocation of the function with these operands into one of the caller's.
pub fn without_operands(
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
            EditKind::Rename { operand, .. }
            | EditKind::Fold { operand, .. }
            | EditKind::FoldLoad { operand, .. } => {
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
