//! Gaps: the stretches of a value's live range between its accesses.
//!
//! Where too many values are live, most are only waiting. A value may spend one gap in
//! memory and the next in a register, so guidance decides gap by gap. A gap begins
//! behind an access or a loop's boundary and ends before the next ones; it spans blocks
//! and may branch. A loop in which the value is accessed has gaps of its own: what is
//! in memory before the loop can be loaded on the way in, once, rather than inside. So has a
//! block with a call that runs less often than what is around it ([`calls`]): what has no
//! register that survives the call is in memory there, and in a register elsewhere.
//! What is live in a landing block is there where it is when control leaves for it, in the
//! middle of another block: the gap around that instruction goes on in the landing block.
//! Linear in the accesses and live blocks of the values asked for, times the depth of
//! loops and the logarithm of their number. Source: ptxas
//! document, spill guidance (next use) and reload placement; Cooper and Simpson, "Live
//! range splitting in a graph coloring register allocator" (1998), for splitting around
//! what is needless to keep.

mod calls;
mod connected;
mod leaving;
mod points;

use super::work::Work;
use crate::analysis::in_flight::{InFlight, is_in_flight, step};
use crate::analysis::liveness::{Liveness, Variable};
use crate::analysis::loops::LoopNest;
use crate::analysis::program_point::ProgramPoint;
use crate::function::asynchronous::{Asynchronous, Operation};
use crate::function::{
    Block, Function, Instruction, InstructionKind, OperandFlags, VirtualRegister,
};
use calls::calls_aside;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use leaving::leaving;
use petgraph::unionfind::UnionFind;
use std::collections::BTreeSet;

/// A gap of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap(u32);
entity_impl!(Gap, "gap");

/// An access to a value, in program order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessIndex(u32);
entity_impl!(AccessIndex, "access");

/// A part of a gap of a value, in program order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartIndex(u32);
entity_impl!(PartIndex, "part");

/// The gaps before and behind an access.
pub type Around = (Option<Gap>, Option<Gap>);

/// The gaps around an access, one only if it is the same on both sides.
pub fn each_around((before, behind): Around) -> impl Iterator<Item = Gap> {
    let both = [before, behind.filter(|_| before != behind)];
    both.into_iter().flatten()
}

/// One instruction that names a value; all terminators of a block count as the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Access {
    /// Which.
    pub instruction: Instruction,
    /// It needs the value.
    pub reads: bool,
    /// It makes a new one, which something reads.
    pub writes: bool,
    /// It is spill code of the value itself.
    pub code: Option<Code>,
    /// It could take place in memory.
    pub folds: bool,
    /// What goes on behind it has the value's register.
    pub leaves_in_flight: bool,
    /// A matrix multiplication reads the value, and a fence stands before it: no spill
    /// code may come between them.
    pub is_fenced: bool,
    /// Executions per execution of the function.
    pub frequency: f64,
}

impl Access {
    /// The points at which it needs the value, in order.
    pub fn points(&self) -> impl Iterator<Item = ProgramPoint> {
        let early = self.reads.then(|| ProgramPoint::early(self.instruction));
        let late = self.writes.then(|| ProgramPoint::late(self.instruction));
        early.into_iter().chain(late)
    }
}

/// Spill code that earlier rounds made for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Gets it from where it is spilled, or rematerialises it.
    Load,
    /// Stores it.
    Store,
}

/// The part of a gap that lies in one block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The block.
    pub block: Block,
    /// The access before it; none at the block's start.
    pub after: Option<AccessIndex>,
    /// The access behind it; none at the block's end.
    pub before: Option<AccessIndex>,
}

/// Where code for an edge between blocks can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InsertionPoint {
    /// At the start of its target, behind the labels.
    Start(Block),
    /// At the end of its origin, before the terminators and all that these read.
    End(Block),
}

/// An edge on which a value may change between memory and a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boundary {
    /// The gap that control comes from.
    pub from: Gap,
    /// The gap that it goes to.
    pub to: Gap,
    /// Where code can stand.
    pub place: InsertionPoint,
    /// Executions per execution of the function.
    pub frequency: f64,
}

/// The gaps of one value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaps {
    /// All accesses in program order.
    pub accesses: PrimaryMap<AccessIndex, Access>,
    /// The parts of gaps, in program order.
    pub parts: PrimaryMap<PartIndex, Part>,
    /// For each part its gap.
    pub gap_of: PrimaryMap<PartIndex, Gap>,
    /// For each gap whether the value has to stay in its register: it is in flight, or a
    /// fence has been passed and a multiplication is to come.
    pub held: PrimaryMap<Gap, bool>,
    /// For each access the gaps before and behind it.
    pub around: PrimaryMap<AccessIndex, Around>,
    /// Edges between different gaps.
    pub boundaries: Vec<Boundary>,
}

/// Finds the gaps of values.
pub struct GapFinder<'a> {
    function: &'a Function,
    work: &'a Work,
    nest: &'a LoopNest,
    block_of: Vec<Block>,
    accesses: SecondaryMap<VirtualRegister, PrimaryMap<AccessIndex, Access>>,
    /// Blocks with the value live at their start and at their end.
    live: SecondaryMap<VirtualRegister, Vec<(Block, bool, bool)>>,
    /// Values that must be in one place all the time.
    whole: SecondaryMap<VirtualRegister, bool>,
    in_flight: Option<InFlight>,
    /// For each block the instruction from which control leaves for a landing block, the first
    /// terminator for all; none if there is not just one.
    leaving: SecondaryMap<Block, Option<Instruction>>,
    /// Blocks with calls that run less often than what is around them.
    calls_aside: SecondaryMap<Block, bool>,
    /// The first part of the value at hand in each block at whose start it is live; none
    /// between values.
    first_part: SecondaryMap<Block, Option<PartIndex>>,
}

impl<'a> GapFinder<'a> {
    /// Collects the accesses and live blocks of some values.
    pub fn new(
        work: &'a Work,
        liveness: &Liveness,
        wanted: &SecondaryMap<VirtualRegister, bool>,
    ) -> Self {
        let function = &work.function;
        let mut finder = Self {
            function,
            work,
            nest: work.loops(),
            block_of: function.instruction_blocks(),
            accesses: SecondaryMap::with_capacity(wanted.capacity()),
            live: SecondaryMap::with_capacity(wanted.capacity()),
            whole: SecondaryMap::with_capacity(wanted.capacity()),
            in_flight: InFlight::new(function),
            leaving: leaving(function),
            calls_aside: calls_aside(function, work.loops()),
            first_part: SecondaryMap::with_capacity(function.blocks.len()),
        };
        for block in function.blocks.keys() {
            finder.find_accesses(block, wanted);
            finder.find_live(block, liveness, wanted);
        }
        finder
    }

    fn find_accesses(&mut self, block: Block, wanted: &SecondaryMap<VirtualRegister, bool>) {
        let in_memory = OperandFlags::FOLDABLE | OperandFlags::LOADABLE;
        let data = &self.function.blocks[block];
        let in_flight = self.in_flight.as_ref();
        let mut state = in_flight.map(|one| one.at_start(block)).unwrap_or_default();
        for number in data.instructions.clone() {
            let instruction = Instruction::from_u32(number.min(data.first_terminator));
            let does = in_flight.map(|_| {
                step(self.function, Instruction::from_u32(number), &mut state);
                Asynchronous::new(self.function.instructions[instruction].flags)
            });
            for operand in self
                .function
                .instruction_operands(Instruction::from_u32(number))
            {
                let Some(value) = operand.virtual_register().filter(|&value| wanted[value]) else {
                    continue;
                };
                let code = self.work.spill_code(instruction, value);
                let kind = self.function.instructions[instruction].kind;
                // What a copy made is stored from its source, right behind it: only there
                // both are known to be one value.
                let stores_copy = code.is_none() && matches!(kind, InstructionKind::Store(_));
                if !operand.is_definition() && !operand.reads_source() || stores_copy {
                    self.whole[value] = true;
                }
                let list = &mut self.accesses[value];
                let last = list.values().next_back();
                if last.is_none_or(|last| last.instruction != instruction) {
                    list.push(Access {
                        instruction,
                        reads: false,
                        writes: false,
                        code,
                        folds: operand.flags.intersects(in_memory)
                            && self.work.can_fold(instruction, value),
                        leaves_in_flight: is_in_flight(&state, value),
                        is_fenced: false,
                        frequency: data.frequency,
                    });
                }
                let Some(last) = list.values_mut().next_back() else {
                    continue;
                };
                let operation = does.as_ref().and_then(|does| does.operation(operand));
                last.is_fenced |= operation == Some(Operation::Multiply) && operand.reads();
                last.reads |= operand.reads();
                last.writes |=
                    operand.is_definition() && !operand.flags.contains(OperandFlags::DEAD);
            }
        }
    }

    fn find_live(
        &mut self,
        block: Block,
        liveness: &Liveness,
        wanted: &SecondaryMap<VirtualRegister, bool>,
    ) {
        let is_wanted = |variable: Variable| variable.virtual_register().filter(|&v| wanted[v]);
        let data = &self.function.blocks[block];
        let mut from = data.predecessors.iter();
        let is_unknown = data.landing && from.any(|&from| self.leaving[from].is_none());
        for value in liveness.live_in(block).filter_map(is_wanted) {
            self.live[value].push((block, true, false));
            self.whole[value] |= is_unknown;
        }
        for value in liveness.live_out(block).filter_map(is_wanted) {
            match self.live[value].last_mut() {
                Some((last, _, live_out)) if *last == block => *live_out = true,
                _ => self.live[value].push((block, false, true)),
            }
        }
    }

    /// The gaps of a value; none if it must be in one place all the time.
    pub fn gaps(&mut self, value: VirtualRegister) -> Option<Gaps> {
        if self.whole[value] {
            return None;
        }
        let accesses = std::mem::take(&mut self.accesses[value]);
        let live = std::mem::take(&mut self.live[value]);
        let mut gaps = Gaps {
            parts: PrimaryMap::with_capacity(accesses.len() + live.len()),
            accesses,
            ..Gaps::default()
        };
        let ends = self.find_parts(&mut gaps, &live);
        let mut joined = UnionFind::<u32>::new(gaps.parts.len());
        let accessed = self.loops_with(&gaps.accesses);
        // The innermost loop around a block in which the value is accessed.
        let context = |block| self.nest.around(block).find(|one| accessed.contains(one));
        let is_same = |block, other| {
            let innermost = |block| self.nest.around(block).next();
            if innermost(block) == innermost(other) {
                return self.calls_aside[block] == self.calls_aside[other];
            }
            context(block) == context(other)
        };
        for &(block, (start, _)) in &ends {
            self.first_part[block] = start;
        }
        let mut edges = Vec::new();
        let mut arrives = false;
        for &(block, (_, end)) in &ends {
            let Some(end) = end else { continue };
            for &successor in &self.function.blocks[block].successors {
                let Some(start) = self.first_part[successor] else {
                    continue;
                };
                if self.function.blocks[successor].landing {
                    match self.part_at_leaving(&gaps, block) {
                        Some(left) => {
                            joined.union(left.as_u32(), start.as_u32());
                        }
                        None => arrives = true,
                    }
                    continue;
                }
                if is_same(block, successor) {
                    joined.union(end.as_u32(), start.as_u32());
                    continue;
                }
                let place = self.place(block, successor).filter(|&place| {
                    // Code at the end stands before the terminators, not behind what
                    // they do with the value.
                    let after = gaps.parts[end].after;
                    let last = after.map(|access| gaps.accesses[access].instruction);
                    let first_terminator = self.function.blocks[block].first_terminator;
                    place != InsertionPoint::End(block)
                        || last.is_none_or(|last| last.as_u32() < first_terminator)
                });
                match place {
                    Some(place) => edges.push((end, start, place)),
                    None => {
                        joined.union(end.as_u32(), start.as_u32());
                    }
                }
            }
        }
        for &(block, _) in &ends {
            self.first_part[block] = None;
        }
        if arrives {
            return None;
        }
        number_gaps(&mut gaps, &joined);
        self.find_held(&mut gaps, value);
        for (end, start, place) in edges {
            let gap = |part: PartIndex| gaps.gap_of[part];
            let (InsertionPoint::Start(at) | InsertionPoint::End(at)) = place;
            if gap(end) != gap(start) {
                gaps.boundaries.push(Boundary {
                    from: gap(end),
                    to: gap(start),
                    place,
                    frequency: self.function.blocks[at].frequency,
                });
            }
        }
        Some(gaps)
    }

    /// Finds the gaps in which the value has to stay where it is.
    fn find_held(&self, gaps: &mut Gaps, value: VirtualRegister) {
        let Some(in_flight) = &self.in_flight else {
            return;
        };
        for (part, &gap) in &gaps.gap_of {
            let part = gaps.parts[part];
            let access = |index: AccessIndex| &gaps.accesses[index];
            let begins_in_flight = match part.after {
                Some(index) => access(index).leaves_in_flight,
                None => is_in_flight(&in_flight.at_start(part.block), value),
            };
            let ends_fenced = match part.before {
                Some(index) => access(index).is_fenced,
                None => in_flight.is_wanted_at_end(part.block, value),
            };
            gaps.held[gap] |= begins_in_flight || ends_fenced;
        }
    }

    /// Lists the parts; tells for each block which lie at its ends.
    fn find_parts(&self, gaps: &mut Gaps, live: &[(Block, bool, bool)]) -> Vec<BlockEnds> {
        let mut ends: Vec<BlockEnds> = Vec::new();
        let mut live = live.iter().copied().peekable();
        let mut accesses = gaps.accesses.iter().peekable();
        loop {
            let accessed = accesses
                .peek()
                .map(|(_, access)| self.block_of(access.instruction));
            let Some(block) = accessed
                .into_iter()
                .chain(live.peek().map(|&(block, ..)| block))
                .min()
            else {
                return ends;
            };
            let (_, live_in, live_out) = live
                .next_if(|&(one, ..)| one == block)
                .unwrap_or((block, false, false));
            let end = self.function.blocks[block].instructions.end;
            let mut after = None;
            let mut is_live = live_in;
            let first_part = gaps.parts.next_key();
            while let Some((index, access)) =
                accesses.next_if(|(_, access)| access.instruction.as_u32() < end)
            {
                is_live &= after.is_none() || access.reads;
                if is_live {
                    let before = Some(index);
                    gaps.parts.push(Part {
                        block,
                        after,
                        before,
                    });
                }
                after = Some(index);
                is_live = true;
            }
            if live_out {
                let before = None;
                gaps.parts.push(Part {
                    block,
                    after,
                    before,
                });
            }
            let start = live_in.then_some(first_part);
            let end = gaps.parts.keys().next_back().filter(|_| live_out);
            ends.push((block, (start, end)));
        }
    }

    fn block_of(&self, instruction: Instruction) -> Block {
        self.block_of[instruction.as_u32() as usize]
    }

    /// The loops with an access.
    fn loops_with(&self, accesses: &PrimaryMap<AccessIndex, Access>) -> BTreeSet<u32> {
        let mut accessed = BTreeSet::new();
        for access in accesses.values() {
            for around in self.nest.around(self.block_of(access.instruction)) {
                if !accessed.insert(around) {
                    break;
                }
            }
        }
        accessed
    }

    /// Where code for an edge can stand, if anywhere.
    fn place(&self, from: Block, to: Block) -> Option<InsertionPoint> {
        let (origin, target) = (&self.function.blocks[from], &self.function.blocks[to]);
        // Control has left for a landing block before the end.
        let has_left = |leaving: Instruction| leaving.as_u32() < origin.first_terminator;
        let has_left = self.leaving[from].is_some_and(has_left);
        let successors = origin.successors.iter();
        let successors = successors.filter(|&&one| !has_left || !self.function.blocks[one].landing);
        if successors.count() == 1 && !origin.instructions.is_empty() {
            return Some(InsertionPoint::End(from));
        }
        let single = target.predecessors.len() == 1 && !target.instructions.is_empty();
        (single && !target.landing && target.clobbers.is_none())
            .then_some(InsertionPoint::Start(to))
    }
}

/// The first and the last part of a block, if they are at its ends.
type BlockEnds = (Block, (Option<PartIndex>, Option<PartIndex>));

fn number_gaps(gaps: &mut Gaps, joined: &UnionFind<u32>) {
    let mut gap_of_root: SecondaryMap<PartIndex, Option<Gap>> = SecondaryMap::new();
    gaps.around = gaps.accesses.keys().map(|_| (None, None)).collect();
    for (part, &Part { after, before, .. }) in &gaps.parts {
        let root = PartIndex::from_u32(joined.find(part.as_u32()));
        let gap = *gap_of_root[root].get_or_insert_with(|| gaps.held.push(false));
        gaps.gap_of.push(gap);
        if let Some(access) = after {
            gaps.around[access].1 = Some(gap);
        }
        if let Some(access) = before {
            gaps.around[access].0 = Some(gap);
        }
    }
}

impl Gaps {
    /// Number of gaps.
    pub fn count(&self) -> usize {
        self.held.len()
    }

    /// All gaps.
    pub fn keys(&self) -> impl Iterator<Item = Gap> + use<> {
        self.held.keys()
    }

    /// The same for each gap.
    pub fn each<T: Clone>(&self, value: T) -> PrimaryMap<Gap, T> {
        self.keys().map(|_| value.clone()).collect()
    }
}

#[cfg(test)]
pub(super) mod samples;
#[cfg(test)]
mod tests;
