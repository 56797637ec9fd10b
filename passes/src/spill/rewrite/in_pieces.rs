//! The part of the rewriter that has to do with values in pieces.

use super::{Rewriter, StandIns};
use crate::allocation::Position;
use crate::function::{
    Function, Instruction, InstructionKind, Operand, VirtualRegister, VirtualRegisterData,
};
use crate::spill::gaps::{Code, InsertionPoint};
use crate::spill::pieces::{EdgeKind, Piece, Pieces, Served, Store};
use crate::spill::provenance::Origin;
use crate::spill::work::Accessed;
use cranelift_entity::PrimaryMap;

impl Rewriter<'_> {
    /// Adds the code of an edge, which stands before an instruction of the block, or at
    /// its end.
    pub(super) fn edge(&mut self, old: &Function, place: InsertionPoint, before: u32) {
        let (InsertionPoint::Start(block) | InsertionPoint::End(block)) = place;
        let first = self.on_edges.partition_point(|code| code.0 < place);
        for index in first..self.on_edges.len() {
            let (at, kind, value, piece) = self.on_edges[index];
            if at != place {
                break;
            }
            let at = self.position_in(old, block, before);
            match kind {
                EdgeKind::Reload => self.load(at, value, piece),
                EdgeKind::Move(from) => self.insert_move(at, piece, from),
                EdgeKind::Store => self.store_value(at, value, piece),
            }
        }
    }

    /// Makes the registers of a value's pieces.
    pub(super) fn make_pieces(
        &mut self,
        old: &Function,
        value: VirtualRegister,
        pieces: &Pieces,
    ) -> Vec<VirtualRegister> {
        let data = &old.virtual_registers[value];
        let minimal = pieces.minimal.values();
        let registers: PrimaryMap<Piece, VirtualRegister> = minimal
            .map(|minimal| {
                let register = self.add(
                    value,
                    VirtualRegisterData {
                        spillable: !minimal,
                        ..data.clone()
                    },
                );
                self.work.rematerialisations.add_piece(register, value);
                register
            })
            .collect();
        let register = |piece: Piece| registers[piece];
        let served = pieces.accesses.values();
        self.in_pieces[value] = served.map(|&one| (one, register(one.piece))).collect();
        for served in pieces.accesses.values() {
            if let Some(from) = served.from.map(register) {
                self.goes_on[from] = true;
                self.arriving_pieces
                    .insert((value, served.instruction), from);
            }
        }
        for code in &pieces.edges {
            let kind = match code.kind {
                EdgeKind::Store => EdgeKind::Store,
                EdgeKind::Move(from) => {
                    self.goes_on[register(from)] = true;
                    EdgeKind::Move(register(from))
                }
                EdgeKind::Reload => EdgeKind::Reload,
            };
            self.on_edges
                .push((code.place, kind, value, register(code.piece)));
        }
        registers.values().copied().collect()
    }

    /// Moves the value of a piece that ends at an access into the one that goes on there.
    pub(super) fn move_piece(
        &mut self,
        at: Position,
        value: VirtualRegister,
        access: Instruction,
        piece: VirtualRegister,
    ) {
        if let Some(&from) = self.arriving_pieces.get(&(value, access)) {
            self.insert_move(at, piece, from);
        }
    }

    fn insert_move(&mut self, at: Position, to: VirtualRegister, from: VirtualRegister) {
        let operands = [Operand::write(to), Operand::read(from)];
        self.insert(at, InstructionKind::Move, &operands);
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
        if !self.is_needless(old, instruction) {
            return self.is_for_needless(old, instruction);
        }
        if let Some(Accessed { value, .. }) = Accessed::new(old, instruction)
            && let Some((served, piece)) = self.served(value, instruction)
            && self.is_long(piece)
        {
            let (at, _) = self.positions(instruction);
            if served.reload {
                self.load(at, value, piece);
            }
            self.move_piece(at, value, instruction, piece);
        }
        true
    }

    /// Whether an instruction is spill code that nothing needs any more.
    fn is_needless(&self, old: &Function, instruction: Instruction) -> bool {
        let Some(Accessed { value, source, .. }) = Accessed::new(old, instruction) else {
            return false;
        };
        let own = self.work.state.source_of[value] == Some(source);
        let served = self.served(value, instruction);
        own && served.is_none_or(|(served, _)| served.needless)
    }

    /// Whether an instruction only gets a register ready for a step of a rematerialisation that
    /// nothing needs any more.
    fn is_for_needless(&self, old: &Function, instruction: Instruction) -> bool {
        let target = match Accessed::new(old, instruction) {
            Some(Accessed {
                value,
                code: Code::Load,
                ..
            }) if !old.virtual_registers[value].spillable => value,
            _ => return false,
        };
        let following = instruction.as_u32() + 1..old.instructions.len() as u32;
        let mut inserted = following
            .map(Instruction::from_u32)
            .take_while(|&one| matches!(self.old_origins[one], Origin::Inserted(_)));
        let reader = inserted.find(|&one| {
            let mut operands = old.instruction_operands(one).iter();
            operands.any(|one| one.reads() && one.virtual_register() == Some(target))
        });
        let is_step = |&one: &Instruction| {
            let kind = old.instructions[one].kind;
            matches!(kind, InstructionKind::Rematerialise(_))
        };
        reader
            .filter(is_step)
            .is_some_and(|one| self.is_needless(old, one) || self.is_for_needless(old, one))
    }

    /// The code for pieces that begin or are stored at an instruction which goes: what
    /// comes behind it needs them all the same.
    pub(super) fn serve_pieces(&mut self, old: &Function, instruction: Instruction) {
        let mut stand_ins = StandIns::new();
        self.store_before(old, instruction, instruction, &mut stand_ins);
        for operand in old.instruction_operands(instruction) {
            if let Some(value) = operand.virtual_register()
                && let Some((served, piece)) = self.served(value, instruction)
                && self.is_long(piece)
                && !stand_ins.contains(&(value, piece))
            {
                stand_ins.push((value, piece));
                let (at, _) = self.positions(instruction);
                if served.reload {
                    self.load(at, value, piece);
                }
                self.move_piece(at, value, instruction, piece);
            }
        }
    }

    /// Whether a piece is more than one access.
    pub(super) fn is_long(&self, piece: VirtualRegister) -> bool {
        self.builder.function().virtual_registers[piece].spillable
    }

    /// Whether a piece that begins with its value's definition serves more than that: where
    /// it only waits until the value is in memory, nothing needs what was defined. On a GPU
    /// ptxas leaves that out.
    pub(super) fn is_read(&self, value: VirtualRegister, piece: VirtualRegister) -> bool {
        let served = self.in_pieces[value].iter();
        let count = served.filter(|(_, one)| *one == piece).count();
        let is_for_ptxas = self.machine.limited_file().is_some();
        self.is_long(piece) && (is_for_ptxas || count > 1 || self.goes_on[piece])
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
