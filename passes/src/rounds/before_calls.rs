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
//! The region in which a value has the other register is closed: where it can be come to from
//! a call that the value survives, and, lest a value be moved on some edges of a block alone,
//! the predecessors of what is come to from inside and from outside. Only values whose one
//! definition copies a physical register are moved, as that copy is what goes; and only where
//! the moves are executed less than it. Requires a CPU's work function before anything is
//! spilled. Ensures that the value is moved once on each way into the region, and never back.
//! Time: for each such value its blocks and their edges. Source: the region splitting of
//! LLVM's greedy allocator, which finds the same moves; Chow, "Minimizing register usage
//! penalty at procedure calls" (1988), for why saves go where they are needed.

use crate::function::{Block, Function, Instruction, InstructionFlags, VirtualRegister};
use crate::machine::{Class, ClobberMask, Machine};
use crate::spill::gaps::InsertionPoint;
use crate::spill::rewrite::Moved;
use cranelift_entity::SecondaryMap;
use tracing::trace;

/// What the moves may be executed at most, of the executions of the copy that goes.
const WORTH: f64 = 0.9;

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
    for mut candidate in candidates(function) {
        candidate.find_live(function, &mut marks);
        // What a way from the entry does not define cannot be moved on it.
        let entry = function.blocks.keys().next();
        let is_defined = entry.is_none_or(|entry| marks[entry] == Mark::Dead);
        let crossing = candidate.crossing(function, &calls, &marks, &mut survivors);
        let region = Region::new(function, crossing, candidate.definition.0, &mut marks);
        if let Some(places) = region.places(function, &marks).filter(|_| is_defined) {
            let executions = |block: Block| function.blocks[block].frequency;
            let moves: f64 = places.iter().map(|&one| executions(one)).sum();
            if moves < executions(candidate.definition.0) * WORTH {
                let value = candidate.value;
                trace!(%value, ?places, "moved before calls");
                moved.push(Moved {
                    value,
                    accesses: candidate.accesses(function, &marks),
                    places: places.into_iter().map(InsertionPoint::Start).collect(),
                });
            }
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
        let destroys = |one: &Instruction| function.instructions[*one].clobbers.is_some();
        let found = function.block_instructions(block).filter(destroys);
        let found: Vec<_> = found.collect();
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
            let mut successors = function.blocks[block].successors.iter();
            let is_live_out = successors.any(|&one| marks[one] == Mark::Live);
            let mut inside = self.uses.iter().rev();
            let last = inside.find(|used| used.0 == block).map(|used| used.1);
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

/// The blocks in which a value has the other register.
struct Region {
    blocks: Vec<Block>,
    /// The definition would be among them.
    is_all: bool,
}

impl Region {
    fn new(
        function: &Function,
        crossing: Vec<Block>,
        definition: Block,
        marks: &mut SecondaryMap<Block, Mark>,
    ) -> Self {
        let mut region = Self {
            blocks: Vec::new(),
            is_all: false,
        };
        let mut waiting = crossing;
        let mut looked_at = 0;
        loop {
            while let Some(block) = waiting.pop() {
                match marks[block] {
                    Mark::Moved => continue,
                    Mark::Live => marks[block] = Mark::Moved,
                    Mark::Dead => region.is_all = true,
                }
                if region.is_all || block == definition {
                    region.is_all = true;
                    return region;
                }
                region.blocks.push(block);
                let successors = function.blocks[block].successors.iter();
                waiting.extend(successors.filter(|&&one| marks[one] == Mark::Live));
            }
            // What is come to from inside is so from everywhere.
            for &block in &region.blocks {
                let predecessors = function.blocks[block].predecessors.iter();
                let is_outside = |one: &&Block| marks[**one] != Mark::Moved;
                if !predecessors.clone().all(|one| is_outside(&one)) {
                    waiting.extend(predecessors.filter(is_outside));
                }
            }
            looked_at += 1;
            if waiting.is_empty() || looked_at > function.blocks.len() {
                return region;
            }
        }
    }

    /// The blocks at whose start the value is moved; none if it cannot be.
    fn places(&self, function: &Function, marks: &SecondaryMap<Block, Mark>) -> Option<Vec<Block>> {
        let is_first = |block: &&Block| {
            let mut predecessors = function.blocks[**block].predecessors.iter();
            predecessors.all(|&one| marks[one] != Mark::Moved)
        };
        let places = self.blocks.iter().filter(is_first).copied();
        let places: Option<Vec<Block>> = places.map(|one| with_room(function, one)).collect();
        places.filter(|places| !self.is_all && !places.is_empty())
    }
}

/// The block at whose start code can stand that belongs to the start of this one: the next
/// that has instructions. None if control comes there otherwise, or as nobody knows.
fn with_room(function: &Function, block: Block) -> Option<Block> {
    let data = &function.blocks[block];
    if data.landing {
        return None;
    }
    if !data.instructions.is_empty() {
        let first = Instruction::from_u32(data.instructions.start);
        let flags = function.instructions[first].flags;
        return (!flags.contains(InstructionFlags::LABEL)).then_some(block);
    }
    let &[next] = &data.successors[..] else {
        return None;
    };
    let is_alone = function.blocks[next].predecessors.len() == 1;
    with_room(function, Some(next).filter(|_| is_alone)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::text::parse;

    /// Two registers, of which one survives the call, and a value that the entry copies.
    fn moved(blocks: &str) -> Vec<String> {
        let text = format!(
            "machine\n\
             register $a units=0\n\
             register $b units=1\n\
             class R size=8 alignment=8 order=$a,$b\n\
             mask mask0 preserves=$b\n\
             file R size=2 columns=0,1\n\
             function f\n\
             values v0:R\n\
             {blocks}"
        );
        let (machine, function) = parse(&text).expect("well-formed");
        let moved = before_calls(&function, &machine);
        let names = |accesses: &[Instruction]| {
            let names: Vec<_> = accesses.iter().map(ToString::to_string).collect();
            names.join(" ")
        };
        let line =
            |one: &Moved| format!("{} {:?}: {}", one.value, one.places, names(&one.accesses));
        moved.iter().map(line).collect()
    }

    #[test]
    fn what_a_rare_call_needs_is_moved_there() {
        let found = moved(
            "block b0 frequency=1 live_in=$a to=b1,b2\n\
             v0 = copy $a\n\
             terminator v0\n\
             block b1 frequency=0.25 to=b2\n\
             op v0\n\
             call(mask0)\n\
             op v0\n\
             block b2 frequency=1\n\
             op",
        );
        assert_eq!(found, ["v0 [Start(b1)]: i2 i4"]);
    }

    #[test]
    fn what_is_come_to_from_a_call_has_the_other_register_on_every_way() {
        // Behind the call and beside it the value is read: it would be moved as often.
        let found = moved(
            "block b0 frequency=1 live_in=$a to=b1,b2\n\
             v0 = copy $a\n\
             terminator v0\n\
             block b1 frequency=0.25 to=b3\n\
             call(mask0)\n\
             block b2 frequency=0.75 to=b3\n\
             op\n\
             block b3 frequency=1\n\
             op v0",
        );
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn a_loop_with_a_call_is_moved_into_once() {
        let found = moved(
            "block b0 frequency=1 live_in=$a to=b1,b4\n\
             v0 = copy $a\n\
             terminator v0\n\
             block b1 frequency=0.5 to=b2\n\
             block b2 frequency=8 depth=1 to=b2,b3\n\
             call(mask0) v0\n\
             terminator\n\
             block b3 frequency=0.5\n\
             op\n\
             block b4 frequency=0.5\n\
             op v0",
        );
        // Nothing stands in the block before the loop, and the loop's own start is no place.
        assert_eq!(found, [""; 0]);
        let found = moved(
            "block b0 frequency=1 live_in=$a to=b1,b4\n\
             v0 = copy $a\n\
             terminator v0\n\
             block b1 frequency=0.5 to=b2\n\
             op\n\
             block b2 frequency=8 depth=1 to=b2,b3\n\
             call(mask0) v0\n\
             terminator\n\
             block b3 frequency=0.5\n\
             op\n\
             block b4 frequency=0.5\n\
             op v0",
        );
        assert_eq!(found, ["v0 [Start(b1)]: i3"]);
    }

    #[test]
    fn what_dies_at_the_call_stays() {
        let found = moved(
            "block b0 frequency=1 live_in=$a to=b1,b2\n\
             v0 = copy $a\n\
             terminator v0\n\
             block b1 frequency=0.25 to=b2\n\
             call(mask0) v0\n\
             block b2 frequency=1\n\
             op",
        );
        assert_eq!(found, [""; 0]);
    }
}
