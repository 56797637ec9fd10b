//! Which part of what is reloaded ptxas does not load.
//!
//! ptxas forwards values through local memory: what a block reads from a slot that was read
//! or written in an earlier block it keeps in a register in between. That undoes spilling:
//! more is live then than there are registers, ptxas spills in its turn, and does so worse than
//! it would have done without ours. It goes from block to block in the order in which they are
//! executed, but not around a loop, nor into it, nor across a call.
//!
//! Requires a function with stores and reloads. Time: linear.

use crate::analysis::loops::LoopNest;
use crate::function::{Block, Function, InstructionFlags, InstructionKind, Slot};
use cranelift_entity::SecondaryMap;

/// Of the executed reloads, the part whose slot another block of the same loop has accessed
/// before, without a call in between: from 0 to 1.
pub fn part(function: &Function) -> f64 {
    let nest = LoopNest::new(function);
    let innermost = |block: Block| nest.around(block).next();
    // Where each slot was accessed last, behind how many calls.
    let mut last = SecondaryMap::<Slot, Option<(Block, u32)>>::new();
    let mut calls = 0;
    let mut all = 0.0;
    let mut forwarded = 0.0;
    for (block, data) in &function.blocks {
        for instruction in function.block_instructions(block) {
            let one = &function.instructions[instruction];
            calls += u32::from(one.flags.contains(InstructionFlags::CALL));
            let (InstructionKind::Store(slot) | InstructionKind::Reload(slot)) = one.kind else {
                continue;
            };
            let before = last[slot].replace((block, calls));
            if matches!(one.kind, InstructionKind::Store(_)) {
                continue;
            }
            let is_forwarded = |(other, calls_before): (Block, u32)| {
                other != block && innermost(other) == innermost(block) && calls_before == calls
            };
            all += data.frequency;
            if before.is_some_and(is_forwarded) {
                forwarded += data.frequency;
            }
        }
    }
    match all > 0.0 {
        true => forwarded / all,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand};
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
