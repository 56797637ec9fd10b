//! Which part of what is reloaded ptxas does not load.
//!
//! ptxas forwards values through local memory: what a block reads from a slot that was read
//! or written in an earlier block it keeps in a register in between. That undoes spilling:
//! more is live then than there are registers, ptxas spills in its turn, and does so worse than
//! it would have done without ours. It goes from block to block in the order in which they are
//! executed, but not around a loop, nor into it, nor across a call.
//!
//! Requires that accesses are told in order, block by block. Time: linear.

use crate::analysis::loops::LoopNest;
use crate::function::{Block, Function, InstructionFlags, InstructionKind};

/// The reloads of a function so far.
pub struct Forwarding<'a> {
    function: &'a Function,
    nest: LoopNest,
    /// Where each slot was accessed last, behind how many calls.
    last: Vec<Option<(Block, u32)>>,
    calls: u32,
    all: f64,
    forwarded: f64,
}

impl<'a> Forwarding<'a> {
    /// Nothing is reloaded yet.
    pub fn new(function: &'a Function) -> Self {
        Self {
            function,
            nest: LoopNest::new(function),
            last: Vec::new(),
            calls: 0,
            all: 0.0,
            forwarded: 0.0,
        }
    }

    /// Something is called.
    pub fn call(&mut self) {
        self.calls += 1;
    }

    /// A block stores to a slot.
    pub fn store(&mut self, slot: usize, block: Block) {
        self.access(slot, block);
    }

    /// A block reloads what is in a slot: it is forwarded if another block of the same loop has
    /// accessed that before, without a call in between.
    pub fn reload(&mut self, slot: usize, block: Block) {
        let frequency = self.function.blocks[block].frequency;
        self.all += frequency;
        let calls = self.calls;
        if let Some((before, calls_before)) = self.access(slot, block)
            && before != block
            && calls_before == calls
            && self.nest.around(before).next() == self.nest.around(block).next()
        {
            self.forwarded += frequency;
        }
    }

    /// Where a slot was accessed before.
    fn access(&mut self, slot: usize, block: Block) -> Option<(Block, u32)> {
        if slot >= self.last.len() {
            self.last.resize(slot + 1, None);
        }
        self.last[slot].replace((block, self.calls))
    }

    /// Of the executed reloads, the part that is forwarded: from 0 to 1.
    pub fn part(&self) -> f64 {
        match self.all > 0.0 {
            true => self.forwarded / self.all,
            false => 0.0,
        }
    }
}

/// That part of the reloads that are in a function.
pub fn part(function: &Function) -> f64 {
    let mut forwarding = Forwarding::new(function);
    for block in function.blocks.keys() {
        for instruction in function.block_instructions(block) {
            let data = &function.instructions[instruction];
            if data.flags.contains(InstructionFlags::CALL) {
                forwarding.call();
            }
            match data.kind {
                InstructionKind::Store(slot) => forwarding.store(slot.as_u32() as usize, block),
                InstructionKind::Reload(slot) => forwarding.reload(slot.as_u32() as usize, block),
                _ => {}
            }
        }
    }
    forwarding.part()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand, Slot};
    use crate::machine::gpu;

    /// Two blocks of a loop, and one in front of it. In these of them, in order, one slot is
    /// stored to or reloaded, in those others something is called first.
    fn forwarded(accesses: &[(bool, usize)], calling: &[usize]) -> f64 {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        let slot = Slot::from_u32(0);
        let blocks = [1.0, 10.0, 10.0].into_iter().enumerate();
        let blocks: Vec<_> = blocks
            .map(|(number, frequency)| {
                let block = builder.start_block(frequency, u32::from(number > 0), &[]);
                builder.plain(&[Operand::write(value)]);
                if calling.contains(&number) {
                    let call = InstructionFlags::CALL;
                    builder.push(InstructionKind::Plain, call, &[], None);
                }
                for &(is_store, _) in accesses.iter().filter(|&&(_, place)| place == number) {
                    let (kind, operand) = match is_store {
                        true => (InstructionKind::Store(slot), Operand::read(value)),
                        false => (InstructionKind::Reload(slot), Operand::write(value)),
                    };
                    builder.push(kind, InstructionFlags::empty(), &[operand], None);
                }
                block
            })
            .collect();
        for (from, to) in [(0, 1), (1, 2), (2, 1)] {
            builder.edge(blocks[from], blocks[to]);
        }
        part(&builder.finish())
    }

    #[test]
    fn what_an_earlier_block_of_the_loop_has_accessed_is_forwarded() {
        assert_eq!(forwarded(&[], &[]), 0.0);
        assert_eq!(forwarded(&[(true, 1), (false, 2)], &[]), 1.0);
        assert_eq!(forwarded(&[(false, 1), (false, 2)], &[]), 0.5);
    }

    #[test]
    fn nothing_is_forwarded_across_a_call() {
        let with_call = |place| forwarded(&[(true, 1), (false, 2)], &[place]);
        assert_eq!([0, 1, 2].map(with_call), [1.0, 1.0, 0.0]);
    }

    #[test]
    fn nothing_is_forwarded_into_a_loop_or_within_a_block() {
        assert_eq!(forwarded(&[(true, 0), (false, 1)], &[]), 0.0);
        assert_eq!(forwarded(&[(true, 1), (false, 1)], &[]), 0.0);
    }
}
