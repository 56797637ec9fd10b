//! Which part of what is reloaded ptxas does not load.
//!
//! ptxas forwards values through local memory: what a block reads from a slot that was read
//! or written in an earlier block it keeps in a register in between. That undoes spilling:
//! more is live then than there are registers, ptxas spills in its turn, and does so worse than
//! it would have done without ours. It goes from block to block in the order in which they are
//! executed, but not around a loop, nor into it, nor across a call.
//!
//! Requires an allocation of the function. Time: linear in the edits.

use crate::allocation::{Allocation, Position};
use crate::analysis::loops::LoopNest;
use crate::function::{Block, Function, Instruction, InstructionFlags};
use cranelift_entity::SecondaryMap;

/// Of the executed reloads, the part whose slot another block of the same loop has accessed
/// before, without a call in between: from 0 to 1.
pub fn part(function: &Function, allocation: &Allocation) -> f64 {
    let nest = LoopNest::new(function);
    let innermost = |block: Block| nest.around(block).next();
    let blocks = function.instruction_blocks();
    let calls = calls_before(function);
    let mut last = SecondaryMap::<_, Option<Instruction>>::new();
    let mut all = 0.0;
    let mut forwarded = 0.0;
    for edit in &allocation.edits {
        let Some((is_store, _, slot)) = edit.kind.access() else {
            continue;
        };
        let (Position::Before(instruction) | Position::After(instruction)) = edit.at;
        let block_of = |one: Instruction| blocks[one.as_u32() as usize];
        let block = block_of(instruction);
        let before = last[slot].replace(instruction);
        if !is_store {
            let frequency = function.blocks[block].frequency;
            let is_forwarded = |one: Instruction| {
                let other = block_of(one);
                other != block
                    && innermost(other) == innermost(block)
                    && calls[one] == calls[instruction]
            };
            all += frequency;
            if before.is_some_and(is_forwarded) {
                forwarded += frequency;
            }
        }
    }
    match all > 0.0 {
        true => forwarded / all,
        false => 0.0,
    }
}

/// For each instruction how many calls stand before it.
fn calls_before(function: &Function) -> SecondaryMap<Instruction, u32> {
    let mut calls = SecondaryMap::new();
    let mut count = 0;
    for (instruction, data) in &function.instructions {
        calls[instruction] = count;
        count += u32::from(data.flags.contains(InstructionFlags::CALL));
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocation::{Edit, EditKind};
    use crate::function::{FunctionBuilder, Instruction, Operand, Slot};
    use crate::machine::gpu;

    /// Two blocks of a loop, and one in front of it. At these of their instructions, one for
    /// each block, one slot is stored to or reloaded.
    fn forwarded(accesses: &[(bool, u32)]) -> f64 {
        forwarded_with(accesses, |_| ())
    }

    /// The same in a function that is changed.
    fn forwarded_with(accesses: &[(bool, u32)], change: impl FnOnce(&mut Function)) -> f64 {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        let blocks = [1.0, 10.0, 10.0].map(|frequency| {
            let block = builder.start_block(frequency, u32::from(frequency > 1.0), &[]);
            builder.plain(&[Operand::write(value)]);
            block
        });
        for (from, to) in [(0, 1), (1, 2), (2, 1)] {
            builder.edge(blocks[from], blocks[to]);
        }
        let slot = Slot::from_u32(0);
        let edits = accesses.iter().map(|&(is_store, instruction)| Edit {
            at: Position::Before(Instruction::from_u32(instruction)),
            kind: match is_store {
                true => EditKind::Store { value, slot },
                false => EditKind::Reload { value, slot },
            },
        });
        let allocation = Allocation {
            edits: edits.collect(),
            ..Allocation::default()
        };
        let mut function = builder.finish();
        change(&mut function);
        part(&function, &allocation)
    }

    #[test]
    fn what_an_earlier_block_of_the_loop_has_accessed_is_forwarded() {
        assert_eq!(forwarded(&[]), 0.0);
        assert_eq!(forwarded(&[(true, 1), (false, 2)]), 1.0);
        assert_eq!(forwarded(&[(false, 1), (false, 2)]), 0.5);
    }

    #[test]
    fn nothing_is_forwarded_across_a_call() {
        let with_call = |place| {
            forwarded_with(&[(true, 1), (false, 2)], |function| {
                let call = Instruction::from_u32(place);
                function.instructions[call].flags |= InstructionFlags::CALL;
            })
        };
        assert_eq!([0, 1, 2].map(with_call), [1.0, 0.0, 1.0]);
    }

    #[test]
    fn nothing_is_forwarded_into_a_loop_or_within_a_block() {
        assert_eq!(forwarded(&[(true, 0), (false, 1)]), 0.0);
        assert_eq!(forwarded(&[(true, 1), (false, 1)]), 0.0);
    }
}
