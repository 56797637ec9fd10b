//! Moves before calls: a value that has to survive a call gets a register that does where the
//! first call is ahead.
//!
//! An argument that is needed behind a call on one way through a function, and not on the
//! others, would be in a register that survives calls from the entry on: the copy there is
//! executed always, and so are the save and the restore of the register. Here it stays where
//! it came until control is on its way to a call that it has to survive; from there on it has
//! another virtual register. Then LLVM's shrink wrapping finds the ways that need nothing
//! saved.
//!
//! Two regions are tried for the other register: all that can be come to from a call which the
//! value survives, so that it is never moved back; and as little as there can be, so that it is
//! moved back at the ends of blocks behind the calls. On the edges of a block the value is moved
//! on all or on none: what this asks for joins the region. Only values whose one definition
//! copies a physical register are moved, as that copy is what goes; and only where the moves
//! are executed less than it. Requires a CPU's function before anything is spilled. Ensures
//! that each access finds the value in the register that it names. Time: for each such value
//! its blocks and their edges, times the blocks where the region grows one by one; where these
//! values are live is found from their uses, as liveness of all would take longer than the rest.
//! Source: the region splitting of LLVM's greedy allocator, which finds the same moves; Chow,
//! "Minimizing register usage penalty at procedure calls" (1988), for why saves go where they
//! are needed.

use super::places::{Places, at_end, with_room};
use crate::function::{Block, Function, Instruction, VirtualRegister};
use crate::machine::{Class, ClobberMask, Machine};
use crate::spill::gaps::InsertionPoint;
use crate::spill::rewrite::Moved;
use cranelift_entity::SecondaryMap;
use tracing::trace;

/// What the moves may be executed at most, of the executions of the copy that goes.
const WORTH: f64 = 0.9;

/// Blocks that are looked at for all regions of a function, again each time that one grows.
const WORK: usize = 1_000_000;

/// A value that may be moved.
#[derive(Clone)]
struct Candidate {
    value: VirtualRegister,
    /// The copy that defines it, and its block.
    definition: (Block, Instruction),
    /// The instructions that read it, ascending, with their blocks.
    uses: Vec<(Block, Instruction)>,
    /// The blocks at whose start it is live.
    live_in: Vec<Block>,
}

/// The values of a function that are to be moved.
pub fn before_calls(function: &Function, machine: &Machine) -> Vec<Moved> {
    let calls = calls(function);
    if calls.values().all(Vec::is_empty) {
        return Vec::new();
    }
    let mut marks = SecondaryMap::with_capacity(function.blocks.len());
    let mut survivors = Survivors {
        machine,
        known: Vec::new(),
    };
    let mut moved = Vec::new();
    let mut work = WORK;
    for mut candidate in candidates(function) {
        candidate.find_live(function, &mut marks);
        // What a way from the entry does not define cannot be moved on it.
        let entry = function.blocks.keys().next();
        let is_defined = entry.is_none_or(|entry| marks[entry] == Mark::Dead);
        let crossing = candidate.crossing(function, &calls, &marks, &mut survivors);
        let (block, _) = candidate.definition;
        let mut least = function.blocks[block].frequency * WORTH;
        let mut best = None;
        for extent in [Extent::Closed, Extent::Least] {
            let region = Region::new(function, &crossing, block, extent, &mut marks, &mut work);
            let places = region.places(function, &marks).filter(|_| is_defined);
            if let Some(places) = places.filter(|one| one.executions < least) {
                least = places.executions;
                best = Some(Moved {
                    value: candidate.value,
                    accesses: candidate.accesses(function, &marks),
                    places: places.code,
                    constant: None,
                });
            }
            region.forget(&mut marks);
        }
        if let Some(one) = best {
            trace!(value = %one.value, places = ?one.places, "moved before calls");
            moved.push(one);
        }
        for block in candidate.live_in {
            marks[block] = Mark::Dead;
        }
    }
    moved
}

/// For each block its calls.
fn calls(function: &Function) -> SecondaryMap<Block, Vec<Instruction>> {
    let mut calls: SecondaryMap<Block, Vec<Instruction>> = SecondaryMap::new();
    for block in function.blocks.keys() {
        let found: Vec<_> = function.block_clobbers(block).collect();
        if !found.is_empty() {
            calls[block] = found;
        }
    }
    calls
}

/// The values whose one definition copies a physical register, and that other blocks read.
fn candidates(function: &Function) -> Vec<Candidate> {
    let mut number: SecondaryMap<VirtualRegister, Option<usize>> = SecondaryMap::new();
    let mut candidates = Vec::new();
    for (block, data) in &function.blocks {
        for instruction in function.block_instructions(block) {
            if let Some((to, from)) = function.copy_operands(instruction)
                && from.virtual_register().is_none()
                && to.sub_register.is_whole()
                && from.sub_register.is_whole()
                && let Some(value) = to.virtual_register()
                && function.virtual_registers[value].spillable
                && instruction.as_u32() < data.first_terminator
            {
                number[value] = Some(candidates.len());
                candidates.push(Candidate {
                    value,
                    definition: (block, instruction),
                    uses: Vec::new(),
                    live_in: Vec::new(),
                });
            }
        }
    }
    let mut is_single = vec![true; candidates.len()];
    for block in function.blocks.keys() {
        for instruction in function.block_instructions(block) {
            for operand in function.instruction_operands(instruction) {
                let Some(number) = operand.virtual_register().and_then(|one| number[one]) else {
                    continue;
                };
                let candidate = &mut candidates[number];
                if operand.is_definition() {
                    is_single[number] &= candidate.definition.1 == instruction;
                } else {
                    candidate.uses.push((block, instruction));
                }
            }
        }
    }
    let mut is_single = is_single.into_iter();
    candidates.retain(|one| {
        let (block, _) = one.definition;
        is_single.next() == Some(true) && one.uses.iter().any(|used| used.0 != block)
    });
    candidates
}

impl Candidate {
    /// Finds and marks the blocks at whose start it is live.
    fn find_live(&mut self, function: &Function, marks: &mut SecondaryMap<Block, Mark>) {
        let mut waiting: Vec<Block> = self.uses.iter().map(|used| used.0).collect();
        waiting.dedup();
        while let Some(block) = waiting.pop() {
            if block != self.definition.0 && marks[block] == Mark::Dead {
                marks[block] = Mark::Live;
                self.live_in.push(block);
                waiting.extend(function.blocks[block].predecessors.iter());
            }
        }
    }

    /// The blocks with a call that it has to survive.
    fn crossing(
        &self,
        function: &Function,
        calls: &SecondaryMap<Block, Vec<Instruction>>,
        marks: &SecondaryMap<Block, Mark>,
        survivors: &mut Survivors,
    ) -> Vec<Block> {
        let class = function.virtual_registers[self.value].class;
        let (defined, definition) = self.definition;
        let blocks = self.live_in.iter().copied().chain([defined]);
        let crosses = |&block: &Block| {
            if calls[block].is_empty() {
                return false;
            }
            let data = &function.blocks[block];
            let mut successors = data.successors.iter();
            let is_live_out = successors.any(|&one| marks[one] == Mark::Live);
            let end = data.instructions.end;
            let before_end = self.uses.partition_point(|used| used.1.as_u32() < end);
            let last = self.uses[..before_end].last();
            let last = last.filter(|used| used.0 == block).map(|used| used.1);
            calls[block].iter().any(|&call| {
                let mask = function.instructions[call].clobbers;
                (is_live_out || last.is_some_and(|last| last > call))
                    && (block != defined || call > definition)
                    && mask.is_some_and(|mask| survivors.are_some(class, mask))
            })
        };
        blocks.filter(crosses).collect()
    }

    /// The accesses where it has the other register.
    fn accesses(&self, function: &Function, marks: &SecondaryMap<Block, Mark>) -> Vec<Instruction> {
        let moved = self.uses.iter().filter(|used| marks[used.0] == Mark::Moved);
        let first = |&(block, instruction): &(Block, Instruction)| {
            let terminator = function.blocks[block].first_terminator;
            Instruction::from_u32(instruction.as_u32().min(terminator))
        };
        let mut accesses: Vec<Instruction> = moved.map(first).collect();
        accesses.dedup();
        accesses
    }
}

/// Which classes have registers that survive a call, and others that do not.
struct Survivors<'a> {
    machine: &'a Machine,
    known: Vec<(Class, ClobberMask, bool)>,
}

impl Survivors<'_> {
    fn are_some(&mut self, class: Class, mask: ClobberMask) -> bool {
        let known = self
            .known
            .iter()
            .find(|one| (one.0, one.1) == (class, mask));
        if let Some(&(_, _, some)) = known {
            return some;
        }
        let order = &self.machine.classes[class].order;
        let preserved = order
            .iter()
            .filter(|&&one| self.machine.preserves(mask, one));
        let some = (1..order.len()).contains(&preserved.count());
        self.known.push((class, mask, some));
        some
    }
}

/// What a block is to a value.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mark {
    /// It is not live at the start.
    #[default]
    Dead,
    /// It is.
    Live,
    /// It is, and has the other register.
    Moved,
}

/// How far the other register goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// To wherever control comes from a call: the value is never moved back.
    Closed,
    /// No farther than it must: where no call is ahead the value is moved back, if there is a
    /// place for that.
    Least,
}

/// The blocks in which a value has the other register.
struct Region {
    blocks: Vec<Block>,
    /// The definition would be among them.
    is_all: bool,
}

impl Region {
    fn new(
        function: &Function,
        crossing: &[Block],
        definition: Block,
        extent: Extent,
        marks: &mut SecondaryMap<Block, Mark>,
        work: &mut usize,
    ) -> Self {
        let mut region = Self {
            blocks: Vec::new(),
            is_all: false,
        };
        let mut waiting = crossing.to_vec();
        while !waiting.is_empty() {
            while let Some(block) = waiting.pop() {
                match marks[block] {
                    Mark::Moved => continue,
                    Mark::Live => marks[block] = Mark::Moved,
                    Mark::Dead => {
                        region.is_all = true;
                        return region;
                    }
                }
                if block == definition {
                    region.is_all = true;
                }
                region.blocks.push(block);
                if extent == Extent::Closed {
                    let successors = function.blocks[block].successors.iter();
                    waiting.extend(successors.filter(|&&one| marks[one] == Mark::Live));
                }
            }
            let Some(less) = work.checked_sub(region.blocks.len()) else {
                region.is_all = true;
                return region;
            };
            *work = less;
            // Code stands at the starts and the ends of blocks: on all of their edges the value
            // is moved, or on none.
            for &block in &region.blocks {
                let data = &function.blocks[block];
                let is_inside = |one: &Block| marks[*one] == Mark::Moved;
                if data.predecessors.iter().any(is_inside) {
                    let outside = data.predecessors.iter().filter(|one| !is_inside(one));
                    waiting.extend(outside);
                }
                if data.successors.iter().any(is_inside) {
                    let outside = data.successors.iter();
                    waiting.extend(outside.filter(|&&one| marks[one] == Mark::Live));
                }
            }
        }
        region
    }

    /// Where the value is moved, there and back; none if it cannot be.
    fn places(&self, function: &Function, marks: &SecondaryMap<Block, Mark>) -> Option<Places> {
        if self.is_all || self.blocks.is_empty() {
            return None;
        }
        let mut places = Places::default();
        for &block in &self.blocks {
            let data = &function.blocks[block];
            let mut predecessors = data.predecessors.iter();
            if predecessors.all(|&one| marks[one] != Mark::Moved) {
                let start = with_room(function, block)?;
                places.add(InsertionPoint::Start(start), false, data.frequency);
            }
            let mut successors = data.successors.iter();
            if successors.any(|&one| marks[one] == Mark::Live) {
                places.add(at_end(function, block)?, true, data.frequency);
            }
        }
        Some(places)
    }

    fn forget(&self, marks: &mut SecondaryMap<Block, Mark>) {
        for &block in &self.blocks {
            marks[block] = Mark::Live;
        }
    }
}

#[cfg(test)]
mod tests;
