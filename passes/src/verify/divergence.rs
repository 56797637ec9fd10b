//! Which values may differ between the threads of a warp.
//!
//! The checker's own answer, of nothing but the function: a plain fixed point over all of
//! its code, which begins with nothing and adds what a rule says until no rule adds any
//! more. An instruction's results may differ
//! - if it is marked so, or reads a physical register, of which nothing is known,
//! - if a value that it reads may differ,
//! - if it stands in a block to which threads come one by one.
//!
//! To a block they come one by one if it lies between a branch that parts them and the
//! block where they meet again. A branch parts them if what it depends on may differ, or
//! if that is not known. As definitions count where they stand, what differs because
//! threads leave a loop at different times, or come from different sides, needs no rule:
//! some definition of it stands between. Only kernels are entered by whole warps.
//!
//! Time: the code once for each round; there are more than two or three only where
//! divergence comes back around loops. The blocks between a branch and where its threads
//! meet are looked through once for each such place that lies further on.

use super::flow::reverse_postorder;
use super::post_dominance::PostDominance;
use crate::function::{Block, Function, Instruction, InstructionFlags, VirtualRegister};
use cranelift_entity::SecondaryMap;

/// What may differ in one function.
pub(super) struct Divergence<'a> {
    function: &'a Function,
    post_dominance: PostDominance,
    /// Those that may.
    values: SecondaryMap<VirtualRegister, bool>,
    /// For each node, the depth of the nearest one to the end before which threads are
    /// known to come one by one, from here on; none where they come together.
    apart: Vec<Option<u32>>,
    is_changed: bool,
}

impl<'a> Divergence<'a> {
    /// Finds it.
    pub fn new(function: &'a Function) -> Self {
        let mut divergence = Self {
            function,
            post_dominance: PostDominance::new(function),
            values: SecondaryMap::with_default(!function.kernel),
            apart: vec![None; function.blocks.len() + 1],
            is_changed: function.kernel,
        };
        let order = reverse_postorder(function);
        while std::mem::take(&mut divergence.is_changed) {
            order.iter().for_each(|&block| divergence.block(block));
        }
        divergence
    }

    /// Whether the value may differ somewhere.
    pub fn may_differ(&self, value: VirtualRegister) -> bool {
        self.values[value]
    }

    fn block(&mut self, block: Block) {
        let is_apart = self.apart[PostDominance::node(block)].is_some();
        let mut is_known = false;
        let mut differs = false;
        for instruction in self.function.block_instructions(block) {
            let flags = self.function.instructions[instruction].flags;
            let operands = self.function.instruction_operands(instruction);
            let may_differ = is_apart || self.computes_different(instruction);
            for operand in operands.iter().filter(|one| one.is_definition()) {
                if let Some(value) = operand.virtual_register()
                    && may_differ
                    && !std::mem::replace(&mut self.values[value], true)
                {
                    self.is_changed = true;
                }
            }
            if flags.intersects(InstructionFlags::TERMINATOR | InstructionFlags::LEAVES) {
                is_known |= operands.iter().any(|operand| operand.reads());
                differs |= may_differ;
            }
        }
        if differs || !is_known {
            self.part(block);
        }
    }

    /// Whether what an instruction does may differ although all threads come to it.
    fn computes_different(&self, instruction: Instruction) -> bool {
        let flags = self.function.instructions[instruction].flags;
        let operands = self.function.instruction_operands(instruction);
        flags.contains(InstructionFlags::DIVERGENT)
            || operands
                .iter()
                .filter(|operand| operand.reads())
                .any(|read| {
                    let value = read.virtual_register();
                    value.is_none_or(|value| self.values[value])
                })
    }

    /// The threads go different ways from a block, and one by one until they meet.
    fn part(&mut self, branch: Block) {
        let branch = PostDominance::node(branch);
        let meeting = self.post_dominance.meeting(branch);
        let end = self.post_dominance.depth(meeting);
        let mut waiting: Vec<usize> = self.post_dominance.ways(branch).collect();
        if waiting.len() < 2 {
            return;
        }
        while let Some(node) = waiting.pop() {
            // All that threads come to from here until they are through a place further
            // on has been found.
            if node == meeting || self.apart[node].is_some_and(|known| known <= end) {
                continue;
            }
            self.is_changed |= self.apart[node].is_none();
            self.apart[node] = Some(end);
            waiting.extend(self.post_dominance.ways(node));
        }
    }
}

#[cfg(test)]
mod tests;
