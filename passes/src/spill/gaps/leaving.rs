//! Where control leaves for a landing block, in the middle of another.
//!
//! What is live in the landing block is there where it is at that instruction, not at the end
//! of the block. Linear in instructions, and in the parts of a value in one block.

use super::{AccessIndex, GapFinder, Gaps, PartIndex};
use crate::function::{Block, Function, Instruction, InstructionFlags};
use cranelift_entity::SecondaryMap;

/// For each block the only instruction from which control leaves for a landing block.
pub(super) fn leaving(function: &Function) -> SecondaryMap<Block, Option<Instruction>> {
    let mut leaving = SecondaryMap::new();
    for (block, data) in &function.blocks {
        let mut successors = data.successors.iter();
        if !successors.any(|&one| function.blocks[one].landing) {
            continue;
        }
        let leaves = |&one: &Instruction| {
            let flags = function.instructions[one].flags;
            flags.contains(InstructionFlags::LEAVES)
        };
        let mut all = function.block_instructions(block).filter(leaves);
        let only = all.next().filter(|_| all.next().is_none());
        let terminator = data.first_terminator;
        leaving[block] = only.map(|one| Instruction::from_u32(one.as_u32().min(terminator)));
    }
    leaving
}

impl GapFinder<'_> {
    /// The part of a value that is live in a landing block in which control leaves for that;
    /// none if the instruction from which it does defines the value.
    pub(super) fn part_at_leaving(&self, gaps: &Gaps, block: Block) -> Option<PartIndex> {
        let leaving = self.leaving[block]?;
        let access = |index: AccessIndex| &gaps.accesses[index];
        let parts = gaps.parts.values().as_slice();
        let first = parts.partition_point(|part| part.block < block);
        let parts = (first..).zip(&parts[first..]);
        let mut parts = parts.take_while(|(_, part)| part.block == block);
        let (index, part) = parts.find(|(_, part)| {
            let after = part.after.map(|index| access(index).instruction);
            let before = part.before.map(|index| access(index).instruction);
            after.is_none_or(|after| after <= leaving)
                && before.is_none_or(|before| before > leaving)
        })?;
        let after = part.after.map(access);
        let defines = after.is_some_and(|one| one.instruction == leaving && one.writes);
        (!defines).then(|| PartIndex::from_u32(index as u32))
    }
}
