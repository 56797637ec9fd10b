//! The part of the rewriter that gives values other registers where nothing is spilled.
//!
//! A moved value is one in pieces whose pieces are the value itself and another register, which
//! it is put into by an [`InstructionKind::Move`](crate::function::InstructionKind::Move).

use super::{Rewriter, rewritten};
use crate::function::{Function, Instruction, OperandFlags, VirtualRegister, VirtualRegisterData};
use crate::machine::Machine;
use crate::spill::gaps::InsertionPoint;
use crate::spill::pieces::{EdgeKind, Served};
use crate::spill::rematerialisation::Rematerialisation;
use crate::spill::work::Work;
use cranelift_entity::EntitySet;
use smallvec::SmallVec;
use std::rc::Rc;

/// A value that has another register in some of its blocks.
pub struct Moved {
    /// Which.
    pub value: VirtualRegister,
    /// Its accesses there, ascending; the first of a block's terminators stands for all.
    pub accesses: Vec<Instruction>,
    /// Where it gets the other register, or, if that is said, comes back from it.
    pub places: Vec<(InsertionPoint, bool)>,
    /// How the other register is rematerialised, if it can be and the value cannot.
    pub constant: Option<Rc<Rematerialisation>>,
}

/// Gives values other registers where they say; none of these is spilled, and none of the
/// values either.
pub fn move_values<'a>(work: &mut Work, machine: &Machine, moved: impl Iterator<Item = &'a Moved>) {
    let mut constants = EntitySet::new();
    let prepare = |rewriter: &mut Rewriter, old: &Function| {
        for one in moved {
            let data = VirtualRegisterData {
                hints: SmallVec::new(),
                ..old.virtual_registers[one.value].clone()
            };
            let other = rewriter.add(one.value, data);
            rewriter.work.provenance.part_from_whole(other);
            if let Some(constant) = &one.constant {
                rewriter.work.rematerialisations.add(old, other, constant);
                constants.insert(other);
            }
            let served = |&instruction| (Served::in_register(instruction), other);
            let in_pieces = &mut rewriter.in_pieces[one.value];
            in_pieces.extend(one.accesses.iter().map(served));
            // There may be several registers for one value, each with its accesses.
            in_pieces.sort_unstable_by_key(|(served, _)| served.instruction);
            let places = one.places.iter();
            let kind = |back| {
                if back {
                    EdgeKind::Store
                } else {
                    EdgeKind::Reload
                }
            };
            let moves = places.map(|&(place, back)| (place, kind(back), one.value, other));
            rewriter.on_edges.extend(moves);
        }
    };
    rewritten(work, machine, prepare);
    if constants.is_empty() {
        return;
    }
    // What is read from memory instead has one definition in the caller's function.
    for operand in work.function.operands.values_mut() {
        if operand
            .virtual_register()
            .is_some_and(|one| constants.contains(one))
        {
            operand.flags.remove(OperandFlags::LOADABLE);
        }
    }
}
