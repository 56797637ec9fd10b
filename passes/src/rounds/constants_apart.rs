//! Constants apart: where a value is still the constant of one of its definitions, it has a
//! virtual register of its own.
//!
//! `found = 0` before a loop and `found = 1` at one of its exits are one value behind both: all
//! through the loop it takes a register, or a slot, though it could be computed where the paths
//! meet. A value of several definitions cannot be rematerialised, as nobody knows which of them
//! it has. So each constant gets another register for the blocks that nothing but its definition
//! comes to, and is moved at their ends into that of the value. The other register has one
//! definition: it can be rematerialised like any constant, at the moves. Where both get the same
//! register, nothing is moved.
//!
//! The blocks are the largest set into which control comes from the definition alone; it is found
//! by taking away those that it comes to from elsewhere. Requires a CPU's function before
//! anything is spilled. Ensures that each access finds the value in the register that it names,
//! and that the moves are executed less often than the definition. Time: for each such constant
//! the blocks that its value is live in, and their edges; only where that comes to a limit no
//! more constants are looked at. Source: Briggs, Cooper and Torczon, "Rematerialization" (1992),
//! who split where such values meet.

use super::places::{Places, at_end, with_room};
use crate::function::{Block, Function, Instruction, VirtualRegister};
use crate::spill::gaps::InsertionPoint;
use crate::spill::rematerialisation::{Rematerialisation, Step, computed};
use crate::spill::rewrite::Moved;
use cranelift_entity::SecondaryMap;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;
use tracing::trace;

/// What the moves may be executed at most, of the executions of the definition.
const WORTH: f64 = 0.9;

/// Blocks that are looked at for all constants of a function, again for each.
const WORK: usize = 1_000_000;

/// A value that may be a constant, and others.
struct Candidate {
    value: VirtualRegister,
    /// The definitions that are constants.
    constants: Vec<Access>,
    definitions: Vec<Access>,
    /// What reads it.
    uses: Vec<Access>,
}

/// An access and its block; lists of them ascend.
type Access = (Block, Instruction);

/// What a block is to a value.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// It is live at the start.
    live_in: bool,
    /// It is defined.
    defined: bool,
    /// All of the block has the constant.
    constant: bool,
}

type Marks = SecondaryMap<Block, Mark>;

/// The constants of a function that are to be apart.
pub fn constants_apart(function: &Function) -> Vec<Moved> {
    let mut moved = Vec::new();
    let mut work = WORK;
    let mut marks = Marks::with_capacity(function.blocks.len());
    for candidate in candidates(function) {
        let live = candidate.mark(function, &mut marks);
        let lands = |block: &Block| function.blocks[*block].landing;
        if !live.iter().any(lands) {
            for &definition in &candidate.constants {
                // Each may look at all blocks where the value is live.
                work = work.saturating_sub(live.len());
                if work > 0 {
                    moved.extend(candidate.apart(function, definition, &mut marks));
                }
            }
        }
        let defined = candidate.definitions.iter().map(|one| one.0);
        for block in live.into_iter().chain(defined) {
            marks[block] = Mark::default();
        }
    }
    moved
}

/// The values of several definitions, of which some are constants.
fn candidates(function: &Function) -> Vec<Candidate> {
    let mut number: SecondaryMap<VirtualRegister, Option<usize>> = SecondaryMap::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    for (block, data) in &function.blocks {
        for instruction in function.block_instructions(block) {
            if instruction.as_u32() >= data.first_terminator {
                break;
            }
            let Some(value) = computed(function, instruction) else {
                continue;
            };
            if !function.virtual_registers[value].spillable {
                continue;
            }
            let number = *number[value].get_or_insert_with(|| {
                candidates.push(Candidate {
                    value,
                    constants: Vec::new(),
                    definitions: Vec::new(),
                    uses: Vec::new(),
                });
                candidates.len() - 1
            });
            candidates[number].constants.push((block, instruction));
        }
    }
    if candidates.is_empty() {
        return candidates;
    }
    for block in function.blocks.keys() {
        for instruction in function.block_instructions(block) {
            for operand in function.instruction_operands(instruction) {
                let Some(number) = operand.virtual_register().and_then(|one| number[one]) else {
                    continue;
                };
                let candidate = &mut candidates[number];
                if operand.is_definition() {
                    candidate.definitions.push((block, instruction));
                }
                // What copies nothing names the register all the same.
                if operand.reads() || !operand.is_definition() {
                    candidate.uses.push((block, instruction));
                }
            }
        }
    }
    candidates.retain(|one| one.definitions.len() > 1);
    candidates
}

impl Candidate {
    /// Marks where it is defined and where it is live; the blocks at whose start it is.
    fn mark(&self, function: &Function, marks: &mut Marks) -> Vec<Block> {
        let mut first: Option<Access> = None;
        let mut waiting = Vec::new();
        for &(block, _) in &self.definitions {
            marks[block].defined = true;
        }
        for &(block, instruction) in &self.uses {
            if first.is_some_and(|first| first.0 == block) {
                continue;
            }
            first = Some((block, instruction));
            let before = self.definitions.partition_point(|one| one.1 < instruction);
            let last = self.definitions[..before].last();
            if last.is_none_or(|last| last.0 != block) {
                waiting.push(block);
            }
        }
        let mut live = Vec::new();
        while let Some(block) = waiting.pop() {
            if std::mem::replace(&mut marks[block].live_in, true) {
                continue;
            }
            live.push(block);
            let predecessors = function.blocks[block].predecessors.iter();
            waiting.extend(predecessors.filter(|&&one| !marks[one].defined));
        }
        live
    }

    /// Sets one constant apart, if that is worth it.
    fn apart(&self, function: &Function, definition: Access, marks: &mut Marks) -> Option<Moved> {
        let (origin, instruction) = definition;
        let behind = self.definitions.partition_point(|one| one.1 <= instruction);
        let again = self.definitions.get(behind);
        if again.is_some_and(|again| again.0 == origin) {
            return None;
        }
        let blocks = constant_blocks(function, origin, marks);
        let region = Region {
            function,
            origin,
            blocks: &blocks,
            marks,
        };
        let places = region.places().filter(|_| !blocks.is_empty());
        let most = function.blocks[origin].frequency * WORTH;
        let places = places.filter(|places| places.executions < most);
        let moved = places.map(|places| {
            trace!(value = %self.value, places = ?places.code, "set apart");
            Moved {
                value: self.value,
                accesses: region.accesses(&self.uses, instruction),
                places: places.code,
                constant: Some(constant(function, self.value, instruction)),
            }
        });
        for &block in &blocks {
            marks[block].constant = false;
        }
        moved
    }
}

/// Marks and lists the blocks that nothing but the last definition in one block comes to.
fn constant_blocks(function: &Function, origin: Block, marks: &mut Marks) -> Vec<Block> {
    let entry = function.blocks.keys().next();
    let mut blocks = Vec::new();
    let mut waiting = vec![origin];
    while let Some(block) = waiting.pop() {
        for &successor in &function.blocks[block].successors {
            let mark = &mut marks[successor];
            let may_be = mark.live_in && !mark.defined && Some(successor) != entry;
            if may_be && !std::mem::replace(&mut mark.constant, true) {
                blocks.push(successor);
                waiting.push(successor);
            }
        }
    }
    let mut waiting = blocks.clone();
    while let Some(block) = waiting.pop() {
        let data = &function.blocks[block];
        let mut predecessors = data.predecessors.iter();
        let is_constant = |&one: &Block| one == origin || marks[one].constant;
        if marks[block].constant && !predecessors.all(is_constant) {
            marks[block].constant = false;
            waiting.extend(data.successors.iter().filter(|&&one| marks[one].constant));
        }
    }
    blocks.retain(|&block| marks[block].constant);
    blocks
}

/// The constant as what it is computed by.
fn constant(
    function: &Function,
    value: VirtualRegister,
    instruction: Instruction,
) -> Rc<Rematerialisation> {
    let step = Step {
        instruction,
        value,
        class: function.virtual_registers[value].class,
        reads: SmallVec::new(),
        reads_uniform: false,
    };
    Rc::new(Rematerialisation {
        steps: smallvec![step],
    })
}

/// Where a value is one constant: behind its definition, and in these blocks.
struct Region<'a> {
    function: &'a Function,
    origin: Block,
    blocks: &'a [Block],
    marks: &'a Marks,
}

impl Region<'_> {
    fn is_constant_behind(&self, block: Block) -> bool {
        block == self.origin || self.marks[block].constant
    }

    /// The ends from which control goes where the value may be another, or the starts of blocks
    /// that it goes to; none if no code can stand there.
    fn places(&self) -> Option<Places> {
        let mut places = Places::default();
        for &block in [self.origin].iter().chain(self.blocks) {
            let data = &self.function.blocks[block];
            for &successor in &data.successors {
                let mark = self.marks[successor];
                if !mark.live_in || mark.constant {
                    continue;
                }
                let target = &self.function.blocks[successor];
                let mut others = target.predecessors.iter();
                let (place, at) = match others.all(|&one| self.is_constant_behind(one)) {
                    true => {
                        let start = with_room(self.function, successor)?;
                        (InsertionPoint::Start(start), target)
                    }
                    false => (at_end(self.function, block)?, data),
                };
                if !places.code.contains(&(place, true)) {
                    places.add(place, true, at.frequency);
                }
            }
        }
        Some(places)
    }

    /// The accesses to the constant, ascending; the first of a block's terminators stands for all.
    fn accesses(&self, uses: &[Access], definition: Instruction) -> Vec<Instruction> {
        let own = |&&(block, instruction): &&Access| {
            self.marks[block].constant || block == self.origin && instruction > definition
        };
        let first = |&(block, instruction): &Access| {
            let terminator = self.function.blocks[block].first_terminator;
            Instruction::from_u32(instruction.as_u32().min(terminator))
        };
        let mut accesses: Vec<_> = uses.iter().filter(own).map(first).collect();
        accesses.push(definition);
        accesses.sort_unstable();
        accesses.dedup();
        accesses
    }
}

#[cfg(test)]
mod tests;
