//! Refinement: spills are taken back where a register turned out to be free all along.
//!
//! Values are spilled before it is known which registers the others get, and what is
//! spilled later makes room where something was spilled before. Once all have registers, a
//! reload is not needed if there is one in which nothing else is from the places where the
//! value last had a register to all that read what is reloaded. Then the pieces of the value
//! at both ends become one, in that register, and it is kept instead. A piece that is tied to
//! others (by a copy, a tuple, an operand) goes nowhere: the register is its own.
//!
//! Requires a complete colouring. Ensures another one that uses no register more, with fewer
//! reloads, if anything is found; what is stored for nobody then goes as well
//! ([`super::dead_stores`]). Time: that of [`super::holdings`]; for each reload the
//! instructions back to where the value had a register, and those at which the pieces are
//! live; where only a register that a piece has already can do, the blocks of these, times
//! what is live there. After [`WORK`] instructions it ends. Source: ptxas
//! document, refinement after a retry, of which it has the name; pieces that join are those
//! of Bernstein et al. 1989 and of Cooper and Simpson 1998 (live range splitting), undone.

use super::arrange::{arrange, layout};
use super::dead_stores::remove_dead_stores;
use super::early::{single_loads, used};
use super::holdings::{Held, Holdings};
use super::taken::Taken;
use crate::analysis::live_range::LiveRanges;
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::assign::colouring::Colouring;
use crate::function::{Block, Function, Instruction, InstructionKind, Slot, VirtualRegister};
use crate::machine::{Machine, Register, UnitSet};
use crate::spill::work::Work;
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tracing::debug;

/// So many instructions are looked at for all reloads together.
const WORK: usize = 500_000;
/// More pieces than this are not joined at once.
const MOST_PIECES: usize = 8;

/// Takes spills back.
pub fn take_back(work: &mut Work, machine: &Machine, colouring: &mut Colouring) {
    let is_reload = |kind: InstructionKind| matches!(kind, InstructionKind::Reload(_));
    if work.state.slots.is_empty() {
        return;
    }
    let mut refinement = Refinement::new(work, machine, colouring);
    let mut reloads: Vec<(f64, Block, Instruction)> = Vec::new();
    for (block, data) in &work.function.blocks {
        let own = work.function.block_instructions(block);
        let own = own.filter(|&one| is_reload(work.function.instructions[one].kind));
        reloads.extend(own.map(|one| (data.frequency, block, one)));
    }
    // What runs most often first.
    reloads.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    let mut taken_back = BTreeSet::new();
    for (_, block, reload) in reloads {
        if refinement.try_one(block, reload, colouring).is_some() {
            taken_back.insert(reload);
        }
    }
    let names = refinement.names;
    debug!(reloads = taken_back.len(), "taken back");
    if !taken_back.is_empty() {
        let mut layout = layout(work);
        for instructions in layout.values_mut() {
            instructions.retain(|(one, _)| !taken_back.contains(one));
        }
        let name = |value: VirtualRegister| names[value].unwrap_or(value);
        arrange(work, &layout, name);
    }
    remove_dead_stores(work);
}

/// Pieces of a value, and where they are to hold it besides.
struct Join {
    slot: Slot,
    pieces: SmallVec<[VirtualRegister; 4]>,
    /// Instructions of blocks, each with all that is between them.
    between: Vec<(Block, Range<u32>)>,
}

/// What is known of the function, and what has been taken back so far.
struct Refinement<'a> {
    function: &'a Function,
    machine: &'a Machine,
    ranges: LiveRanges<'a>,
    /// What is taken where.
    taken: Taken<'a>,
    /// The same without the pieces that are looked at.
    without: Taken<'a>,
    used: UnitSet,
    block_of: SecondaryMap<Instruction, Block>,
    /// Values that can go to another register.
    is_loose: SecondaryMap<VirtualRegister, bool>,
    /// For each instruction the values that it names and that hold what a slot does behind it.
    holds: BTreeMap<Instruction, SmallVec<[(Slot, VirtualRegister); 2]>>,
    /// What joined pieces are called.
    names: SecondaryMap<VirtualRegister, Option<VirtualRegister>>,
    /// Where registers hold the value of a slot since, which the function does not tell.
    kept: BTreeMap<u32, SmallVec<[(Register, Slot); 2]>>,
    work: usize,
}

impl<'a> Refinement<'a> {
    fn new(work: &'a Work, machine: &'a Machine, colouring: &Colouring) -> Self {
        let function = &work.function;
        let mut block_of = SecondaryMap::with_default(Block::from_u32(0));
        let mut holds: BTreeMap<Instruction, SmallVec<[_; 2]>> = BTreeMap::new();
        let holdings = Holdings::new(work, machine, colouring);
        for block in function.blocks.keys() {
            let mut add = |instruction: Instruction, held: &Held| {
                let operands = function.instruction_operands(instruction).iter();
                for value in operands.filter_map(|operand| operand.virtual_register()) {
                    for (slot, names) in held.slots() {
                        if names.contains(&value) {
                            holds.entry(instruction).or_default().push((slot, value));
                        }
                    }
                }
            };
            let mut last = None;
            let at_end = holdings.walk(block, |instruction, held| {
                block_of[instruction] = block;
                if let Some(last) = last.replace(instruction) {
                    add(last, held);
                }
            });
            if let Some(last) = last {
                add(last, &at_end);
            }
        }
        let single = single_loads(function);
        let mut is_loose = SecondaryMap::new();
        for value in function.virtual_registers.keys() {
            is_loose[value] = single[value].is_some();
        }
        Self {
            function,
            machine,
            ranges: LiveRanges::new(function, &Liveness::new(function, machine)),
            taken: Taken::new(function, machine),
            without: Taken::new(function, machine),
            used: used(function, machine, colouring),
            block_of,
            is_loose,
            holds,
            names: SecondaryMap::new(),
            kept: BTreeMap::new(),
            work: 0,
        }
    }

    /// Takes a reload back, if that can be done.
    fn try_one(
        &mut self,
        block: Block,
        reload: Instruction,
        colouring: &mut Colouring,
    ) -> Option<()> {
        let join = self.join(block, reload)?;
        let instructions = self.instructions(&join)?;
        let fixed = self.fixed(&join, colouring)?;
        let own = join.pieces.iter().map(|&one| colouring.register(one));
        let own: Option<SmallVec<[Register; 4]>> = own.collect();
        let own = own?;
        let other = match fixed {
            None => self.free_other(&join, &own, &instructions, colouring),
            Some(_) => None,
        };
        let register = match other {
            Some(register) => register,
            None => {
                for &piece in &join.pieces {
                    colouring.set(piece, None);
                }
                let found = self.free_own(&join, fixed, &own, &instructions, colouring);
                for (&piece, &register) in join.pieces.iter().zip(&own) {
                    colouring.set(piece, Some(register));
                }
                found?
            }
        };
        for &piece in &join.pieces {
            colouring.set(piece, Some(register));
        }
        for &number in &instructions {
            let block = self.block_of[Instruction::from_u32(number)];
            // Nothing but this says what is held between the pieces.
            self.taken.look_at(block, colouring);
            self.taken.take(block, number..number + 1, register);
        }
        self.accept(&join, register);
        Some(())
    }

    /// The register that pieces insist on, if some do; none if they cannot have one.
    fn fixed(&self, join: &Join, colouring: &Colouring) -> Option<Option<Register>> {
        let class = |piece: VirtualRegister| self.function.virtual_registers[piece].class;
        let same_class = |&piece: &VirtualRegister| class(piece) == class(join.pieces[0]);
        if !join.pieces.iter().all(same_class) {
            return None;
        }
        let mut fixed: Option<Register> = None;
        for &piece in join.pieces.iter().filter(|&&piece| !self.is_loose[piece]) {
            let register = colouring.register(piece)?;
            if fixed.is_some_and(|fixed| fixed != register) {
                return None;
            }
            fixed = Some(register);
        }
        Some(fixed)
    }

    /// What would have to become one: the value that is reloaded, and those that held it
    /// last on each path.
    fn join(&mut self, block: Block, reload: Instruction) -> Option<Join> {
        let function = self.function;
        let InstructionKind::Reload(slot) = function.instructions[reload].kind else {
            return None;
        };
        let operand = function.instruction_operands(reload).first()?;
        let mut join = Join {
            slot,
            pieces: SmallVec::from_iter([operand.virtual_register()?]),
            between: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(block, reload.as_u32())];
        while let Some((block, end)) = waiting.pop() {
            let data = &function.blocks[block];
            let start = data.instructions.start;
            let mut at = end;
            let mut is_held = false;
            while at > start && !is_held {
                at -= 1;
                self.work += 1;
                is_held = self.step(Instruction::from_u32(at), &mut join)?;
            }
            join.between.push((block, at + u32::from(is_held)..end));
            if is_held {
                continue;
            }
            let is_entered = data.landing || data.clobbers.is_some() || !data.live_in.is_empty();
            if is_entered || data.predecessors.is_empty() || self.work > WORK {
                return None;
            }
            for &from in &data.predecessors {
                if seen.insert(from) {
                    waiting.push((from, function.blocks[from].instructions.end));
                }
            }
        }
        Some(join)
    }

    /// Whether the value has a register behind an instruction, by which it is joined; none if
    /// it cannot be said where it is.
    fn step(&self, instruction: Instruction, join: &mut Join) -> Option<bool> {
        let holds = self.holds.get(&instruction).into_iter().flatten();
        let mut is_held = false;
        for &(_, value) in holds.filter(|&&(slot, _)| slot == join.slot) {
            is_held = true;
            if !join.pieces.contains(&value) {
                join.pieces.push(value);
            }
        }
        let operands = self.function.instruction_operands(instruction).iter();
        let mut slots = operands.filter_map(|operand| Some((operand.slot()?, operand)));
        let is_written = slots.any(|(slot, operand)| slot == join.slot && operand.is_definition());
        (!is_written && join.pieces.len() <= MOST_PIECES).then_some(is_held)
    }

    /// The instructions at which the joined value would need its register; none if its pieces
    /// are in each other's way.
    fn instructions(&mut self, join: &Join) -> Option<BTreeSet<u32>> {
        let mut segments: Vec<_> = join
            .between
            .iter()
            .filter(|(_, range)| !range.is_empty())
            .map(|(_, range)| {
                let first = ProgramPoint::early(Instruction::from_u32(range.start));
                (first, ProgramPoint::early(Instruction::from_u32(range.end)))
            })
            .collect();
        // What is held behind an instruction may be read or written by it; what is reloaded
        // is written behind the last point between.
        for &piece in &join.pieces {
            let own = self.ranges.segments(piece).iter();
            segments.extend(own.map(|segment| (segment.start, segment.end)));
        }
        segments.sort_unstable();
        if segments.windows(2).any(|pair| pair[1].0 < pair[0].1) {
            return None;
        }
        let mut instructions = BTreeSet::new();
        for (start, end) in segments {
            let last = ProgramPoint::new(end.number().saturating_sub(1)).instruction();
            instructions.extend(start.instruction().as_u32()..=last.as_u32());
            if instructions.len() + self.work > WORK {
                return None;
            }
        }
        self.work += instructions.len();
        Some(instructions)
    }

    /// A register in use, but of none of the pieces, that is free at these instructions.
    fn free_other(
        &mut self,
        join: &Join,
        own: &[Register],
        instructions: &BTreeSet<u32>,
        colouring: &Colouring,
    ) -> Option<Register> {
        let class = self.function.virtual_registers[join.pieces[0]].class;
        let order = self.machine.classes[class].order.iter().copied();
        let is_other = |register: &Register| {
            let mut units = self.machine.units(*register).iter();
            units.all(|&unit| self.used.contains(unit))
                && !own.iter().any(|&own| self.machine.alias(own, *register))
        };
        let mut free: SmallVec<[Register; 32]> = order.filter(is_other).collect();
        for &number in instructions {
            let instruction = Instruction::from_u32(number);
            let block = self.block_of[instruction];
            self.taken.look_at(block, colouring);
            free.retain(|&mut register| {
                !self.taken.is_taken(block, number, register)
                    && self.is_preserved(instruction, register)
            });
            if free.is_empty() {
                return None;
            }
        }
        free.first().copied()
    }

    /// A register of one of the pieces, which are out of the colouring, that is free at these
    /// instructions.
    fn free_own(
        &mut self,
        join: &Join,
        fixed: Option<Register>,
        own: &[Register],
        instructions: &BTreeSet<u32>,
        colouring: &Colouring,
    ) -> Option<Register> {
        let mut free: SmallVec<[Register; 4]> = own.iter().copied().collect();
        free.retain(|&mut register| fixed.is_none_or(|fixed| fixed == register));
        self.without.forget();
        for &number in instructions {
            let instruction = Instruction::from_u32(number);
            let block = self.block_of[instruction];
            if self.without.look_at(block, colouring) {
                self.work += self.function.blocks[block].instructions.len();
            }
            free.retain(|&mut register| {
                let kept = self.kept.get(&number).into_iter().flatten();
                let mut others = kept.filter(|&&other| other != (register, join.slot));
                !self.without.is_taken(block, number, register)
                    && !others.any(|&(other, _)| self.machine.alias(other, register))
                    && self.is_preserved(instruction, register)
            });
            if free.is_empty() || self.work > WORK {
                return None;
            }
        }
        free.first().copied()
    }

    fn is_preserved(&self, instruction: Instruction, register: Register) -> bool {
        let mask = self.function.instructions[instruction].clobbers;
        mask.is_none_or(|mask| self.machine.preserves(mask, register))
    }

    /// The pieces are one, in this register.
    fn accept(&mut self, join: &Join, register: Register) {
        let known =
            |one: VirtualRegister, names: &SecondaryMap<_, Option<_>>| names[one].unwrap_or(one);
        let all: BTreeSet<_> = join
            .pieces
            .iter()
            .map(|&piece| known(piece, &self.names))
            .collect();
        let first = all.first().copied();
        for value in self.function.virtual_registers.keys() {
            if all.contains(&known(value, &self.names)) {
                self.names[value] = first;
            }
        }
        for &piece in &join.pieces {
            self.is_loose[piece] = false;
        }
        for number in join.between.iter().flat_map(|(_, range)| range.clone()) {
            self.kept
                .entry(number)
                .or_default()
                .push((register, join.slot));
        }
    }
}
