//! The part of the rewriter that gives values other registers where nothing is spilled.
//!
//! A moved value is one in pieces whose pieces are the value itself and another register, which
//! it is put into by an [`InstructionKind::Move`](crate::function::InstructionKind::Move).

use super::{Rewriter, rewritten};
use crate::function::{Function, Instruction, VirtualRegister, VirtualRegisterData};
use crate::machine::Machine;
use crate::spill::gaps::InsertionPoint;
use crate::spill::pieces::{EdgeKind, Served};
use crate::spill::work::Work;
use smallvec::SmallVec;

/// A value that has another register in some of its blocks.
pub struct Moved {
    /// Which.
    pub value: VirtualRegister,
    /// Its accesses there, ascending; the first of a block's terminators stands for all.
    pub accesses: Vec<Instruction>,
    /// Where it gets the other register, or, if that is said, comes back from it.
    pub places: Vec<(InsertionPoint, bool)>,
}

/// Gives values other registers where they say; none of these is spilled, and none of the
/// values either.
pub fn move_values(work: &mut Work, machine: &Machine, moved: &[Moved]) {
    let prepare = |rewriter: &mut Rewriter, old: &Function| {
        for one in moved {
            let data = VirtualRegisterData {
                hints: SmallVec::new(),
                ..old.virtual_registers[one.value].clone()
            };
            let other = rewriter.add(one.value, data);
            rewriter.work.provenance.part_from_whole(other);
            let served = |&instruction| (Served::in_register(instruction), other);
            rewriter.in_pieces[one.value] = one.accesses.iter().map(served).collect();
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
}
