//! The part of the rewriter that has to do with values in pieces.

use super::{Rewriter, StandIns};
use crate::function::{Function, Instruction, VirtualRegister, VirtualRegisterData};
use crate::spill::gaps::Place;
use crate::spill::pieces::{Pieces, Served, Store};
use crate::spill::work::Accessed;

impl Rewriter<'_> {
    /// Adds the code of an edge, which stands before an instruction of the block, or at
    /// its end.
    pub(super) fn edge(&mut self, old: &Function, place: Place, before: u32) {
        let (Place::Start(block) | Place::End(block)) = place;
        let first = self.on_edges.partition_point(|code| code.0 < place);
        for index in first..self.on_edges.len() {
            let (at, is_reload, value, piece) = self.on_edges[index];
            if at != place {
                break;
            }
            let at = self.position_in(old, block, before);
            match is_reload {
                true => self.load(at, value, piece),
                false => self.store_value(at, value, piece),
            }
        }
    }

    /// Makes the registers of a value's pieces.
    pub(super) fn make_pieces(&mut self, old: &Function, value: VirtualRegister, pieces: &Pieces) {
        let data = &old.virtual_registers[value];
        let minimal = pieces.minimal.iter();
        let registers: Vec<_> = minimal
            .map(|minimal| {
                let register = self.add(
                    value,
                    VirtualRegisterData {
                        spillable: !minimal,
                        ..data.clone()
                    },
                );
                self.work.recipes[register] = self.work.recipes[value];
                register
            })
            .collect();
        let register = |piece: u32| registers[piece as usize];
        let served = pieces.accesses.iter();
        self.in_pieces[value] = served.map(|&one| (one, register(one.piece))).collect();
        let edges = pieces.edges.iter();
        self.on_edges
            .extend(edges.map(|code| (code.place, code.reload, value, register(code.piece))));
    }

    /// How an access is served by the pieces of its value, if that is in some.
    pub(super) fn served(
        &self,
        value: VirtualRegister,
        instruction: Instruction,
    ) -> Option<(Served, VirtualRegister)> {
        let served = &self.in_pieces[value];
        let at = served.binary_search_by_key(&instruction, |(served, _)| served.instruction);
        Some(served[at.ok()?])
    }

    /// Leaves out spill code of what is spilled itself now, where memory and the
    /// registers at each access do without.
    pub(super) fn leave_out(&mut self, old: &Function, instruction: Instruction) -> bool {
        let Some(Accessed { value, source, .. }) = Accessed::new(old, instruction) else {
            return false;
        };
        if self.work.source_of[value] != Some(source) {
            return false;
        }
        let Some((served, piece)) = self.served(value, instruction) else {
            return true;
        };
        if served.needless && served.reload && self.is_long(piece) {
            let (at, _) = self.positions(instruction);
            self.load(at, value, piece);
        }
        served.needless
    }

    /// Whether a piece is more than one access.
    pub(super) fn is_long(&self, piece: VirtualRegister) -> bool {
        self.builder.function().virtual_registers[piece].spillable
    }

    /// Stores the pieces that are to be stored before the instruction.
    pub(super) fn store_before(
        &mut self,
        old: &Function,
        instruction: Instruction,
        place: Instruction,
        stand_ins: &mut StandIns,
    ) {
        for operand in old.instruction_operands(instruction) {
            let Some(value) = operand.virtual_register() else {
                continue;
            };
            let Some((served, piece)) = self.served(value, place) else {
                continue;
            };
            if stand_ins.contains(&(value, piece)) {
                continue;
            }
            if served.store == Some(Store::Before) {
                stand_ins.push((value, piece));
                let (at, _) = self.positions(place);
                self.store_value(at, value, piece);
            }
        }
    }
}
