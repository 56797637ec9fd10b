//! Turns the work function into edits of the caller's function. Linear.

use super::names::Names;
use crate::allocation::{Edit, EditKind, Position};
use crate::assign::colouring::Colouring;
use crate::function::{Function, Instruction, InstructionKind, Operand};
use crate::machine::Machine;
use crate::spill::provenance::Origin;
use crate::spill::work::Work;
use crate::statistics::Statistics;

/// The edits in program order; counts them as it goes.
pub fn edits(
    function: &Function,
    machine: &Machine,
    work: &Work,
    colouring: &Colouring,
    names: &Names,
    statistics: &mut Statistics,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (instruction, &origin) in &work.provenance.instructions {
        match origin {
            Origin::Inserted(at) => {
                let moved = work.function.moved(instruction);
                if moved.is_some_and(|(to, from)| names.name(to) == names.name(from)) {
                    continue;
                }
                let kind = inserted(&work.function, instruction, names);
                statistics.stores += u32::from(matches!(kind, EditKind::Store { .. }));
                statistics.reloads += u32::from(matches!(kind, EditKind::Reload { .. }));
                statistics.remats += u32::from(matches!(kind, EditKind::Rematerialise { .. }));
                edits.push(Edit { at, kind });
            }
            Origin::Original(original) => {
                let at = Position::Before(original);
                let before = function.numbered_operands(original);
                let after = work.function.instruction_operands(instruction);
                if after.is_empty() && !function.instruction_operands(original).is_empty() {
                    let kind = EditKind::DeleteDefinition;
                    edits.push(Edit { at, kind });
                }
                for ((operand, before), after) in before.zip(after) {
                    if let Some(slot) = after.slot() {
                        statistics.folded += 1;
                        let kind = EditKind::Fold { operand, slot };
                        edits.push(Edit { at, kind });
                    }
                    if let Some(from) = after.load() {
                        statistics.folded += 1;
                        let kind = EditKind::FoldLoad { operand, from };
                        edits.push(Edit { at, kind });
                    }
                    let to = after.virtual_register().map(|value| names.name(value));
                    if let Some(to) = to
                        && Some(to) != before.virtual_register()
                    {
                        let kind = EditKind::Rename { operand, to };
                        edits.push(Edit { at, kind });
                    }
                }
                if let Some((to, from)) = work.function.copy_operands(instruction) {
                    if colouring.makes_identity(machine, to, from) {
                        statistics.coalesced += 1;
                        let kind = EditKind::DeleteCopy;
                        edits.push(Edit { at, kind });
                    } else {
                        statistics.copies_left += 1;
                    }
                }
            }
        }
    }
    edits
}

fn inserted(function: &Function, instruction: Instruction, names: &Names) -> EditKind {
    let mut operands = function
        .instruction_operands(instruction)
        .iter()
        .filter_map(Operand::virtual_register)
        .map(|value| names.name(value));
    let mut next = || operands.next().expect("spill code names virtual registers");
    match function.instructions[instruction].kind {
        InstructionKind::Store(slot) => EditKind::Store {
            value: next(),
            slot,
        },
        InstructionKind::Reload(slot) => EditKind::Reload {
            value: next(),
            slot,
        },
        InstructionKind::Rematerialise(from) => EditKind::Rematerialise {
            value: next(),
            from,
            sources: operands.collect(),
        },
        InstructionKind::Widen => EditKind::Widen {
            to: next(),
            from: next(),
        },
        InstructionKind::Narrow => EditKind::Narrow {
            to: next(),
            from: next(),
        },
        InstructionKind::Move => EditKind::Move {
            to: next(),
            from: next(),
        },
        InstructionKind::Plain | InstructionKind::Copy => {
            unreachable!("spill code is none of the caller's")
        }
    }
}
