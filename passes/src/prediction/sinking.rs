//! Instructions that ptxas moves to the only block that needs what they compute.
//!
//! What is computed in front of a branch and used on one of its ways alone, ptxas computes
//! there. LLVM does so as well, but not with inline assembly that has side effects, as which
//! nearly all of it is marked: exllamav2 unpacks its weights in this way, for rows that there
//! may not be. Here a group of instructions is moved if fewer registers are live into the
//! other block then: if what the group reads is less than what it leaves.
//!
//! Requires the function and [`super::rest`] of it. Ensures that an instruction is moved
//! behind what defines its operands, before what uses its results, and past no access to
//! memory. Time: that of liveness, and linear in the operands but for the logarithm of sets.

use super::combining::results;
use super::def_use_chains::DefUseChains;
use super::meaning::{Access, Meanings};
use crate::analysis::liveness::{Liveness, Variable};
use crate::function::{
    Block, BlockData, Function, Instruction, InstructionFlags, Operand, VirtualRegister,
};
use crate::machine::{File, Machine};
use crate::schedule::Order;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

/// How often the other block is executed at most, for each time that the block is: a branch
/// stands between them that often goes another way.
const MOST_OFTEN: f64 = 0.9;

/// What is never moved.
const FIXED: InstructionFlags = InstructionFlags::CALL
    .union(InstructionFlags::TERMINATOR)
    .union(InstructionFlags::LABEL)
    .union(InstructionFlags::IMPLICIT_DEFINITION);

/// A function's instructions after some have been moved.
pub struct Moved {
    order: Order,
    blocks: PrimaryMap<Block, BlockData>,
}

/// Moves what is worth it; none if nothing is.
pub fn moved(
    function: &Function,
    rest: &Function,
    machine: &Machine,
    file: File,
    meanings: &Meanings,
) -> Option<Moved> {
    let mut sinking = Sinking::new(function, rest, machine, file, meanings);
    let mut found = false;
    for block in function.blocks.keys().rev() {
        let candidates = sinking.candidates(block);
        for group in sinking.groups(&candidates) {
            if sinking.is_worth_it(&group) {
                sinking.sink(&group);
                found = true;
            }
        }
    }
    found.then(|| Moved::new(function, &sinking.targets))
}

/// An instruction that could be moved, and where.
#[derive(Clone, Copy)]
struct Candidate {
    instruction: Instruction,
    target: Block,
}

fn members(candidates: &[Candidate]) -> EntitySet<Instruction> {
    let mut members = EntitySet::new();
    for candidate in candidates {
        members.insert(candidate.instruction);
    }
    members
}

/// What is known of the function, and what is moved so far.
struct Sinking<'a> {
    function: &'a Function,
    rest: &'a Function,
    machine: &'a Machine,
    file: File,
    meanings: &'a Meanings,
    chains: DefUseChains,
    live_in: SecondaryMap<Block, EntitySet<VirtualRegister>>,
    targets: SecondaryMap<Instruction, Option<Block>>,
}

impl<'a> Sinking<'a> {
    fn new(
        function: &'a Function,
        rest: &'a Function,
        machine: &'a Machine,
        file: File,
        meanings: &'a Meanings,
    ) -> Self {
        let liveness = Liveness::new(rest, machine);
        let mut live_in: SecondaryMap<Block, EntitySet<VirtualRegister>> = SecondaryMap::new();
        for block in rest.blocks.keys() {
            let live = liveness.live_in(block);
            for value in live.filter_map(Variable::virtual_register) {
                live_in[block].insert(value);
            }
        }
        Self {
            function,
            rest,
            machine,
            file,
            meanings,
            chains: DefUseChains::new(rest),
            live_in,
            targets: SecondaryMap::new(),
        }
    }

    /// The instructions of a block that could be moved, the last one first.
    fn candidates(&self, block: Block) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut places: FxHashMap<Instruction, Block> = FxHashMap::default();
        for instruction in self.rest.block_instructions(block).rev() {
            if self.is_fixed(instruction) {
                continue;
            }
            let results = self.results(instruction);
            let uses = results.flat_map(|value| self.chains.uses(value));
            let mut users = uses.map(|&(user, _)| {
                let there = self.targets[user].or(places.get(&user).copied());
                there.unwrap_or(self.chains.block(user))
            });
            let Some(target) = users.next().filter(|&first| users.all(|one| one == first)) else {
                continue;
            };
            let often = |block: Block| self.rest.blocks[block].frequency;
            if target > block && often(target) <= often(block) * MOST_OFTEN {
                places.insert(instruction, target);
                candidates.push(Candidate {
                    instruction,
                    target,
                });
            }
        }
        candidates
    }

    /// Whether an instruction stays where it is.
    fn is_fixed(&self, instruction: Instruction) -> bool {
        let data = &self.function.instructions[instruction];
        // Inline assembly counts as convergent whatever it says.
        let convergent = data.flags.contains(InstructionFlags::CONVERGENT)
            && !data.flags.contains(InstructionFlags::INLINE_ASSEMBLY);
        let mut operands = self.rest.instruction_operands(instruction).iter();
        let is_constant = |operand: &Operand| {
            let value = operand.virtual_register();
            value.is_some_and(|value| self.chains.is_constant(value))
        };
        data.flags.intersects(FIXED)
            || convergent
            || data.clobbers.is_some()
            || self.meanings[instruction].access != Access::None
            || !operands.all(is_constant)
    }

    fn results(&self, instruction: Instruction) -> impl Iterator<Item = VirtualRegister> {
        results(self.rest, instruction)
    }

    /// The values that an instruction reads.
    fn sources(&self, instruction: Instruction) -> impl Iterator<Item = VirtualRegister> {
        let operands = self.rest.instruction_operands(instruction).iter();
        let read = operands.filter(|operand| !operand.is_definition());
        read.filter_map(Operand::virtual_register)
    }

    /// Candidates with one target that are moved together or not at all: one uses what
    /// another one computes, or they read what would be live for them alone.
    fn groups(&self, candidates: &[Candidate]) -> Vec<Vec<Candidate>> {
        let members = members(candidates);
        let mut together = UnionFind::new(candidates.len());
        let mut first: FxHashMap<(VirtualRegister, Block), usize> = FxHashMap::default();
        for (number, candidate) in candidates.iter().enumerate() {
            let Candidate {
                instruction,
                target,
            } = *candidate;
            let defined = self.results(instruction);
            let read = self.sources(instruction);
            for value in defined.chain(read) {
                let mut definers = self.chains.definitions(value).iter();
                let is_anyway = self.live_in[target].contains(value)
                    && !definers.any(|&one| members.contains(one));
                if !is_anyway {
                    let other = *first.entry((value, target)).or_insert(number);
                    together.union(number, other);
                }
            }
        }
        let mut groups: Vec<Vec<Candidate>> = vec![Vec::new(); candidates.len()];
        for (number, &candidate) in candidates.iter().enumerate() {
            groups[together.find(number)].push(candidate);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Whether fewer registers are live into the target then.
    fn is_worth_it(&self, group: &[Candidate]) -> bool {
        let members = members(group);
        let width = |value: VirtualRegister| {
            let class = self.rest.virtual_registers[value].class;
            self.machine.class_columns(self.file, class)
        };
        let mut left = 0;
        let mut needed = 0;
        let mut seen: EntitySet<VirtualRegister> = EntitySet::new();
        for &Candidate {
            instruction,
            target,
        } in group
        {
            for value in self.results(instruction) {
                let mut uses = self.chains.uses(value).iter();
                if uses.any(|&(user, _)| !members.contains(user)) {
                    left += width(value);
                }
            }
            for value in self.sources(instruction) {
                let mut definers = self.chains.definitions(value).iter();
                let is_inside = definers.any(|&one| members.contains(one));
                if !is_inside && !self.live_in[target].contains(value) && seen.insert(value) {
                    needed += width(value);
                }
            }
        }
        needed < left
    }

    fn sink(&mut self, group: &[Candidate]) {
        for &Candidate {
            instruction,
            target,
        } in group
        {
            self.targets[instruction] = Some(target);
            let read: Vec<_> = self.sources(instruction).collect();
            for value in read {
                self.live_in[target].insert(value);
            }
        }
    }
}

impl Moved {
    /// What is moved comes first in its block, but for labels.
    fn new(function: &Function, targets: &SecondaryMap<Instruction, Option<Block>>) -> Self {
        let mut arrivals: SecondaryMap<Block, Vec<Instruction>> = SecondaryMap::new();
        for instruction in function.instructions.keys() {
            if let Some(target) = targets[instruction] {
                arrivals[target].push(instruction);
            }
        }
        let mut order = Vec::with_capacity(function.instructions.len());
        let mut blocks = function.blocks.clone();
        for (block, data) in &mut blocks {
            let start = order.len() as u32;
            let is_label = |one: &Instruction| {
                let flags = function.instructions[*one].flags;
                flags.contains(InstructionFlags::LABEL)
            };
            let stay = function.block_instructions(block);
            let mut stay = stay.filter(|&one| targets[one].is_none()).peekable();
            while let Some(label) = stay.next_if(is_label) {
                order.push(label);
            }
            order.append(&mut arrivals[block]);
            let body = order.len();
            order.extend(stay);
            let is_before = |one: &&Instruction| one.as_u32() < data.first_terminator;
            let before = order[body..].iter().filter(is_before).count();
            data.first_terminator = (body + before) as u32;
            data.instructions = start..order.len() as u32;
        }
        Self {
            order: Order::of(order),
            blocks,
        }
    }

    /// The function in this order.
    pub fn apply(&self, function: &Function) -> Function {
        Function {
            blocks: self.blocks.clone(),
            ..self.order.apply(function)
        }
    }

    /// What its instructions mean.
    pub fn meanings(&self, meanings: &Meanings) -> Meanings {
        let mut moved = Meanings::new();
        for (place, &instruction) in self.order.instructions().iter().enumerate() {
            moved[Instruction::from_u32(place as u32)] = meanings[instruction];
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::super::meaning::Space;
    use super::*;
    use crate::function::{FunctionBuilder, InstructionKind};
    use crate::machine::gpu;

    /// A value, and as many that are computed of it in one block and read in the next, which
    /// is executed so often; what is moved, if the computation does this to memory.
    fn found(values: usize, often: f64, access: Access) -> Option<(Function, Moved)> {
        let mut builder = FunctionBuilder::new("f");
        let source = builder.virtual_register(gpu::SINGLE32);
        let before = builder.start_block(1.0, 0, &[]);
        let loads = builder.plain(&[Operand::write(source)]);
        let mut meanings = Meanings::new();
        meanings[loads].access = Access::Load(Space::Global);
        let parts: Vec<_> = (0..values)
            .map(|_| {
                let part = builder.virtual_register(gpu::SINGLE32);
                let operands = [Operand::write(part), Operand::read(source)];
                let computes = builder.plain(&operands);
                meanings[computes].access = access;
                part
            })
            .collect();
        let flags = InstructionFlags::TERMINATOR;
        builder.push(InstructionKind::Plain, flags, &[], None);
        let behind = builder.start_block(often, 0, &[]);
        builder.edge(before, behind);
        builder.push(InstructionKind::Plain, InstructionFlags::LABEL, &[], None);
        for part in parts {
            builder.plain(&[Operand::read(part)]);
        }
        let function = builder.finish();
        let machine = gpu::machine(gpu::R_SIZE);
        let file = machine.limited_file().expect("R");
        let moved = moved(&function, &function, &machine, file, &meanings);
        moved.map(|moved| (function, moved))
    }

    #[test]
    fn what_one_way_alone_needs_is_computed_there() {
        let (function, moved) = found(3, 0.5, Access::None).expect("it is worth it");
        let sunk = moved.apply(&function);
        assert_eq!(sunk.validate(&gpu::machine(gpu::R_SIZE)), Ok(()));
        let numbers: Vec<u32> = moved
            .order
            .instructions()
            .iter()
            .map(|one| one.as_u32())
            .collect();
        // The terminator, the label, and then what was in front of both.
        assert_eq!(numbers, [0, 4, 5, 1, 2, 3, 6, 7, 8]);
        let lengths = sunk.blocks.values().map(|data| data.instructions.len());
        assert_eq!(lengths.collect::<Vec<_>>(), [2, 7]);
        let terminators = sunk.blocks.values().map(|data| data.first_terminator);
        assert_eq!(terminators.collect::<Vec<_>>(), [1, 9]);
    }

    #[test]
    fn nothing_is_moved_that_leaves_no_more_than_it_needs() {
        assert!(found(1, 0.5, Access::None).is_none());
        assert!(found(2, 0.5, Access::None).is_some());
    }

    #[test]
    fn nothing_is_moved_to_where_it_is_executed_as_often() {
        assert!(found(3, 1.0, Access::None).is_none());
    }

    #[test]
    fn accesses_to_memory_stay() {
        assert!(found(3, 0.5, Access::Everything).is_none());
    }

    #[test]
    fn chains_are_moved_as_a_whole() {
        let mut builder = FunctionBuilder::new("f");
        let [source, middle, one, other] =
            [(); 4].map(|()| builder.virtual_register(gpu::SINGLE32));
        let before = builder.start_block(1.0, 0, &[]);
        let loads = builder.plain(&[Operand::write(source)]);
        let mut meanings = Meanings::new();
        meanings[loads].access = Access::Load(Space::Global);
        builder.plain(&[Operand::write(middle), Operand::read(source)]);
        builder.plain(&[Operand::write(one), Operand::read(middle)]);
        builder.plain(&[Operand::write(other), Operand::read(middle)]);
        let behind = builder.start_block(0.5, 0, &[]);
        builder.edge(before, behind);
        builder.plain(&[Operand::read(one), Operand::read(other)]);
        let function = builder.finish();
        let machine = gpu::machine(gpu::R_SIZE);
        let file = machine.limited_file().expect("R");
        let moved = moved(&function, &function, &machine, file, &meanings);
        let sunk = moved.expect("it is worth it").apply(&function);
        let lengths = sunk.blocks.values().map(|data| data.instructions.len());
        assert_eq!(lengths.collect::<Vec<_>>(), [1, 4]);
    }
}
