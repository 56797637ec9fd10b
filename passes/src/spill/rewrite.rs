//! Spill code.
//!
//! In the plain form a store follows each definition and a reload stands right before each
//! instruction that reads the value: the instruction gets one new virtual register for it,
//! whatever number of operands that is; a copy needs none, the register at its other end
//! serves. A value in pieces (see [`super::pieces`]) gets one new register for each, and
//! code where they say. Registers that span one instruction only are never spilled again, so
//! spilling ends; of a piece that is, the code that loaded and stored it goes. A value whose
//! class cannot be stored, a predicate, goes into a register of another class, its spill
//! register. Terminators share one reload, before the first of them. A value that arrives in
//! a landing block straight from its definition is stored there as well. What can be
//! rematerialised (see [`crate::spill::rematerialisation`]) is computed where it would be
//! reloaded, and its definition goes. Linear in the function.

mod arriving;
mod in_pieces;
mod inflate;
mod moves;

pub use inflate::{Inflated, Named, inflate};
pub use moves::{Moved, move_values};

use super::fold::{can_fold, fold_flag};
use super::gaps::InsertionPoint;
use super::landing::{Arrival, leading_labels};
use super::pieces::{EdgeKind, Served, Store};
use super::provenance::Origin;
use super::state::ReloadSource;
use super::work::{Spilled, Work};
use crate::allocation::{Created, Position};
use crate::function::{
    Block, Function, FunctionBuilder, Instruction, InstructionFlags, InstructionKind, Operand,
    OperandFlags, OperandRegister, Tuple, VirtualRegister, VirtualRegisterData,
};
use crate::machine::{Class, Machine};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use tracing::trace;

/// Writes the code for what has just been spilled. Lists the pieces that cannot be spilled
/// again.
pub(super) fn rewrite(
    work: &mut Work,
    machine: &Machine,
    spilled: &[Spilled],
) -> Vec<VirtualRegister> {
    let mut last = Vec::new();
    let prepare = |rewriter: &mut Rewriter, old: &Function| {
        for spilled in spilled {
            if let Some(pieces) = &spilled.pieces {
                let made = rewriter.make_pieces(old, spilled.value, pieces);
                last.extend(made.into_iter().filter(|_| pieces.last));
            }
        }
    };
    rewritten(work, machine, prepare);
    last
}

/// Writes the function anew, with what is prepared.
fn rewritten(work: &mut Work, machine: &Machine, prepare: impl FnOnce(&mut Rewriter, &Function)) {
    let old = std::mem::take(&mut work.function);
    let mut rewriter = Rewriter {
        builder: FunctionBuilder::about_as_large(&old),
        work,
        machine,
        old_origins: PrimaryMap::new(),
        first_terminators: PrimaryMap::new(),
        arrivals: Vec::new(),
        in_pieces: SecondaryMap::with_capacity(old.virtual_registers.len()),
        goes_on: SecondaryMap::new(),
        arriving_pieces: BTreeMap::new(),
        on_edges: Vec::new(),
        folded: Folded::new(),
    };
    std::mem::swap(
        &mut rewriter.old_origins,
        &mut rewriter.work.provenance.instructions,
    );
    rewriter.builder.kernel(old.kernel);
    for data in old.virtual_registers.values() {
        rewriter.builder.add_virtual_register(data.clone());
    }
    prepare(&mut rewriter, &old);
    rewriter.on_edges.sort_unstable();
    rewriter.expect_arrivals(&old);
    for block in old.blocks.keys() {
        rewriter.block(&old, block);
    }
    for (block, data) in &old.blocks {
        for &successor in &data.successors {
            rewriter.builder.edge(block, successor);
        }
    }
    let mut function = rewriter.builder.finish();
    for (block, first) in rewriter.first_terminators {
        function.blocks[block].first_terminator = first;
    }
    work.function = function;
}

type OnEdge = (
    InsertionPoint,
    EdgeKind<VirtualRegister>,
    VirtualRegister,
    VirtualRegister,
);

/// The stand-ins for spilled values, at one instruction.
type StandIns = SmallVec<[(VirtualRegister, VirtualRegister); 4]>;

/// What an instruction accesses in memory itself: values, and where they are.
type Folded = SmallVec<[(VirtualRegister, OperandRegister); 1]>;

struct Rewriter<'a> {
    builder: FunctionBuilder,
    work: &'a mut Work,
    machine: &'a Machine,
    old_origins: PrimaryMap<Instruction, Origin>,
    first_terminators: PrimaryMap<Block, u32>,
    /// Spilled values that arrive in landing blocks, with their stand-ins.
    arrivals: Vec<(Arrival, VirtualRegister)>,
    /// Values in pieces: how each access is served, and the pieces' registers.
    in_pieces: SecondaryMap<VirtualRegister, Vec<(Served, VirtualRegister)>>,
    /// Whether another piece gets the value from this one.
    goes_on: SecondaryMap<VirtualRegister, bool>,
    /// Pieces that get the value from another: the value, before which instruction, and from
    /// which.
    arriving_pieces: BTreeMap<(VirtualRegister, Instruction), VirtualRegister>,
    /// Code on edges: where, what, the value and its piece; sorted.
    on_edges: Vec<OnEdge>,
    /// What the current instruction accesses in memory itself, and what its operands name
    /// instead.
    folded: Folded,
}

impl Rewriter<'_> {
    fn block(&mut self, old: &Function, block: Block) {
        let data = &old.blocks[block];
        self.builder
            .start_block(data.frequency, data.loop_depth, &data.live_in);
        if data.landing {
            self.builder.landing();
        }
        self.builder.clobber_on_entry(data.clobbers);
        let labels_end = data.instructions.start + leading_labels(old, block);
        let mut stand_ins = StandIns::new();
        let mut copy = None;
        for number in data.instructions.start..data.first_terminator {
            if number == labels_end {
                self.start_of_block(old, block, labels_end);
            }
            let instruction = Instruction::from_u32(number);
            if self.leave_out(old, instruction) {
                continue;
            }
            if self.is_repeated(old, instruction) {
                self.serve_pieces(old, instruction);
                // Its place stays, for what stands around it.
                let (kind, flags) = (InstructionKind::Plain, InstructionFlags::empty());
                self.builder.push(kind, flags, &[], None);
                self.work
                    .provenance
                    .instructions
                    .push(self.old_origins[instruction]);
                continue;
            }
            // What is stored behind a copy is what the copy made, not the same again: only
            // there both of its values are known to be one.
            let origin = self.old_origins[instruction];
            if copy.is_none_or(|copy| origin != Origin::Inserted(Position::After(copy))) {
                stand_ins.clear();
                copy = match origin {
                    Origin::Original(one) => old.copy_operands(instruction).map(|_| one),
                    Origin::Inserted(_) => None,
                };
            }
            stand_ins.retain(|(value, _)| self.in_pieces[*value].is_empty());
            self.folded = self.fold(old, instruction);
            self.reload(old, instruction, instruction, &mut stand_ins);
            self.keep(old, instruction, &stand_ins);
            self.folded.clear();
            self.store(old, instruction, &stand_ins);
        }
        if labels_end == data.first_terminator {
            self.start_of_block(old, block, labels_end);
        }
        self.edge(old, InsertionPoint::End(block), data.first_terminator);
        let terminators = || {
            let range = data.first_terminator..data.instructions.end;
            range.map(Instruction::from_u32)
        };
        let mut stand_ins = StandIns::new();
        for instruction in terminators() {
            let first = Instruction::from_u32(data.first_terminator);
            self.reload(old, instruction, first, &mut stand_ins);
        }
        let first_terminator = self.builder.function().instructions.len() as u32;
        self.first_terminators.push(first_terminator);
        for instruction in terminators() {
            self.keep(old, instruction, &stand_ins);
        }
    }

    /// What happens at the start of a block, behind its labels.
    fn start_of_block(&mut self, old: &Function, block: Block, labels_end: u32) {
        self.store_arrivals(old, block, labels_end);
        self.edge(old, InsertionPoint::Start(block), labels_end);
    }

    /// Whether what the instruction computes is computed wherever it is read instead.
    fn is_repeated(&self, old: &Function, instruction: Instruction) -> bool {
        let Origin::Original(original) = self.old_origins[instruction] else {
            return false;
        };
        let operands = old.instruction_operands(instruction).first();
        let value = operands.and_then(Operand::virtual_register);
        value.is_some_and(|value| {
            let served = self.served(value, instruction);
            let needless = served.is_none_or(|(_, piece)| !self.is_read(value, piece));
            needless
                && self.work.state.source_of[value]
                    == Some(ReloadSource::Rematerialisation(original))
        })
    }

    /// The values that the instruction accesses in memory itself. If it has room for one, that
    /// is the first, as what is written comes first.
    fn fold(&self, old: &Function, instruction: Instruction) -> Folded {
        let flags = old.instructions[instruction].flags;
        let room = match flags.contains(InstructionFlags::RECORDS) {
            true => usize::MAX,
            false => 1,
        };
        let operands = old.instruction_operands(instruction).iter();
        let folded = operands.filter_map(|operand| {
            let (value, source) = self.spilled(operand)?;
            let (memory, is_rematerialised) = match source {
                ReloadSource::Slot(slot) => (OperandRegister::Slot(slot), false),
                ReloadSource::Rematerialisation(from) => {
                    let rematerialisation = self.work.rematerialisations.get(value);
                    if rematerialisation.is_none_or(|one| one.has_sources()) {
                        return None;
                    }
                    (OperandRegister::Loaded(from), true)
                }
                ReloadSource::Register(_) => return None,
            };
            let folds = self.is_alone(old, instruction, value)
                && can_fold(old, instruction, value, fold_flag(is_rematerialised));
            folds.then_some((value, memory))
        });
        folded.take(room).collect()
    }

    /// Whether a value is in memory on both sides of an access.
    fn is_alone(&self, old: &Function, instruction: Instruction, value: VirtualRegister) -> bool {
        let Some((served, piece)) = self.served(value, instruction) else {
            return true;
        };
        let operands = old.instruction_operands(instruction).iter();
        let own = operands.filter(|operand| operand.virtual_register() == Some(value));
        let reads = own.clone().any(Operand::reads);
        let store = own.clone().any(Operand::is_definition);
        !self.is_long(piece)
            && served.reload == reads
            && served.store == store.then_some(Store::Behind)
    }

    /// Makes stand-ins for what the instruction names, and loads, before
    /// `place`, those that it reads.
    fn reload(
        &mut self,
        old: &Function,
        instruction: Instruction,
        place: Instruction,
        stand_ins: &mut StandIns,
    ) {
        self.store_before(old, instruction, place, stand_ins);
        for operand in old.instruction_operands(instruction) {
            let Some(value) = operand.virtual_register() else {
                continue;
            };
            if self.work.state.source_of[value].is_none() && self.served(value, place).is_none() {
                continue;
            }
            let folded = self.folded.iter().any(|&(folded, _)| folded == value);
            if folded || stand_ins.iter().any(|(known, _)| *known == value) {
                continue;
            }
            let operands = old.instruction_operands(instruction).iter();
            let read = operands
                .filter(|other| other.virtual_register() == Some(value))
                .any(Operand::reads);
            let (stand_in, read) = match self.served(value, place) {
                Some((served, piece)) => (piece, served.reload),
                None => (self.stand_in(old, instruction, value), read),
            };
            stand_ins.push((value, stand_in));
            let (at, _) = self.positions(place);
            if read {
                self.load(at, value, stand_in);
            }
            self.move_piece(at, value, place, stand_in);
        }
    }

    /// The register that an instruction names instead of a value.
    fn stand_in(
        &mut self,
        old: &Function,
        instruction: Instruction,
        value: VirtualRegister,
    ) -> VirtualRegister {
        let arriving = self.arrivals.iter().find_map(|(arrival, stand_in)| {
            let wanted = (arrival.instruction, arrival.value) == (instruction, value);
            wanted.then_some(*stand_in)
        });
        let class = old.virtual_registers[value].class;
        arriving
            .or_else(|| self.other_end(old, instruction, value))
            .unwrap_or_else(|| self.create(value, class))
    }

    /// Gets a value out of memory, or computes it.
    fn load(&mut self, at: Position, value: VirtualRegister, into: VirtualRegister) {
        let write = Operand::write(into);
        match self.work.state.source_of[value] {
            Some(ReloadSource::Rematerialisation(_)) => self.compute(at, value, into),
            Some(ReloadSource::Slot(slot)) => {
                trace!(%value, %slot, "reload");
                self.insert(at, InstructionKind::Reload(slot), &[write])
            }
            Some(ReloadSource::Register(spill_register)) => {
                let operands = [write, Operand::read(spill_register)];
                self.insert(at, InstructionKind::Narrow, &operands);
            }
            None => self.insert(at, InstructionKind::Move, &[write, Operand::read(value)]),
        }
    }

    /// Computes a value by its rematerialisation.
    fn compute(&mut self, at: Position, value: VirtualRegister, into: VirtualRegister) {
        let Some(rematerialisation) = self.work.rematerialisations.get(value).cloned() else {
            return;
        };
        let mut results = StandIns::new();
        for step in &rematerialisation.steps {
            let to = match step.instruction == rematerialisation.definition() {
                true => into,
                false => self.create(step.value, step.class),
            };
            let result = |read: VirtualRegister| {
                let known = results.iter().find(|(value, _)| *value == read);
                known.map_or(read, |(_, result)| *result)
            };
            let reads = step.reads.iter().map(|&read| Operand::read(result(read)));
            let operands = [Operand::write(to)].into_iter().chain(reads);
            let operands: SmallVec<[Operand; 4]> = operands.collect();
            let kind = InstructionKind::Rematerialise(step.instruction);
            self.insert(at, kind, &operands);
            results.push((step.value, to));
        }
    }

    /// A spilled end of a copy is stored from, or loaded into, the other end's
    /// register; the copy is left within that register and goes.
    fn other_end(
        &self,
        old: &Function,
        instruction: Instruction,
        value: VirtualRegister,
    ) -> Option<VirtualRegister> {
        let ends = old.joinable_copy(instruction);
        let (to, from) = ends.or_else(|| old.moved(instruction))?;
        let other = if to == value { from } else { to };
        let class = &self.machine.classes[old.virtual_registers[value].class];
        let suits = self.work.state.is_in_place(other) && class.spill_through.is_none();
        suits.then_some(other)
    }

    /// Where code before and after an instruction of the old function stands in
    /// the caller's.
    fn positions(&self, instruction: Instruction) -> (Position, Position) {
        match self.old_origins[instruction] {
            Origin::Original(original) => (Position::Before(original), Position::After(original)),
            Origin::Inserted(at) => (at, at),
        }
    }

    /// Where code before an instruction of the block, or at its end, stands.
    fn position_in(&self, old: &Function, block: Block, before: u32) -> Position {
        match before > old.blocks[block].instructions.start {
            true => self.positions(Instruction::from_u32(before - 1)).1,
            false => self.positions(Instruction::from_u32(before)).0,
        }
    }

    /// Appends the instruction with its stand-ins.
    fn keep(&mut self, old: &Function, instruction: Instruction, stand_ins: &StandIns) {
        let data = &old.instructions[instruction];
        let rename = |operand: &Operand| {
            let stand_in = |value| {
                let known = stand_ins.iter().find(|(known, _)| *known == value);
                known.map_or(value, |(_, stand_in)| *stand_in)
            };
            let register = match operand.register {
                OperandRegister::Virtual(value) => {
                    let mut folded = self.folded.iter();
                    let memory = folded.find(|(folded, _)| *folded == value);
                    match memory {
                        Some(&(_, memory)) => memory,
                        None => OperandRegister::Virtual(stand_in(value)),
                    }
                }
                other => other,
            };
            Operand {
                register,
                ..*operand
            }
        };
        let operands: SmallVec<[Operand; 8]> = old
            .instruction_operands(instruction)
            .iter()
            .map(rename)
            .collect();
        let kept = self
            .builder
            .push(data.kind, data.flags, &operands, data.clobbers);
        for tuple in old.instruction_tuples(instruction) {
            self.builder.tuple(Tuple {
                instruction: kept,
                ..tuple.clone()
            });
        }
        let origin = self.old_origins[instruction];
        self.work.provenance.instructions.push(origin);
    }

    /// Stores the stand-ins that the instruction wrote.
    fn store(&mut self, old: &Function, instruction: Instruction, stand_ins: &StandIns) {
        for &(value, stand_in) in stand_ins {
            let operands = old.instruction_operands(instruction).iter();
            let written = operands
                .filter(|operand| operand.virtual_register() == Some(value))
                .any(|operand| {
                    operand.is_definition() && !operand.flags.contains(OperandFlags::DEAD)
                });
            let written = match self.served(value, instruction) {
                Some((served, _)) => served.store == Some(Store::Behind),
                None => written,
            };
            if written {
                let (_, at) = self.positions(instruction);
                self.store_value(at, value, stand_in);
            }
        }
    }

    /// Stores what stands in for the value into its slot or spill register, if it has one.
    fn store_value(&mut self, at: Position, value: VirtualRegister, stand_in: VirtualRegister) {
        let stored = Operand::read(stand_in);
        match self.work.state.source_of[value] {
            Some(ReloadSource::Slot(slot)) => {
                trace!(%value, %slot, "store");
                self.insert(at, InstructionKind::Store(slot), &[stored])
            }
            Some(ReloadSource::Register(spill_register)) => {
                let operands = [Operand::write(spill_register), stored];
                self.insert(at, InstructionKind::Widen, &operands);
            }
            Some(ReloadSource::Rematerialisation(_)) => {}
            None => self.insert(at, InstructionKind::Move, &[Operand::write(value), stored]),
        }
    }

    /// The value and where it comes from, if the operand names a spilled value.
    fn spilled(&self, operand: &Operand) -> Option<(VirtualRegister, ReloadSource)> {
        let value = operand.virtual_register()?;
        Some((value, self.work.state.source_of[value]?))
    }

    /// A register for one instruction.
    fn create(&mut self, origin: VirtualRegister, class: Class) -> VirtualRegister {
        let data = VirtualRegisterData {
            class,
            super_class: None,
            spillable: false,
            hints: SmallVec::new(),
        };
        self.add(origin, data)
    }

    /// A register for something of `origin`, or of what that is a piece of itself.
    fn add(&mut self, origin: VirtualRegister, data: VirtualRegisterData) -> VirtualRegister {
        let class = data.class;
        let register = self.builder.add_virtual_register(data);
        let created = Created {
            register,
            class,
            origin: self.work.provenance.origin(origin),
        };
        self.work.provenance.create(created, origin);
        register
    }

    fn insert(&mut self, at: Position, kind: InstructionKind, operands: &[Operand]) {
        self.builder
            .push(kind, InstructionFlags::empty(), operands, None);
        self.work.provenance.instructions.push(Origin::Inserted(at));
    }
}

#[cfg(test)]
mod moves_tests;
#[cfg(test)]
mod rematerialisation_tests;
#[cfg(test)]
mod tests;
