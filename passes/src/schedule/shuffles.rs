//! Which shuffles stay in order among themselves.
//!
//! A shuffle passes values between the threads that execute it, and does nothing else. Where
//! all threads of a warp execute a block together, they execute its shuffles in whichever order
//! the block has them, each with the same threads: ptxas mixes them as registers ask for it.
//! Where threads may have parted, some may wait at the shuffles of another block, and those of
//! both meet in their order; so they keep it.
//!
//! Requires that divergence is marked, as [`Uniformity`] does. Linear in instructions; that of
//! [`Uniformity`] where a block has several shuffles. Source: the PTX ISA of `shfl.sync`, which
//! waits for the threads of its mask wherever they execute one.

use crate::analysis::uniformity::Uniformity;
use crate::function::{Function, Instruction};
use std::cell::LazyCell;

/// The pairs that stay in order, of the instructions that are shuffles.
pub fn in_order(
    function: &Function,
    is_shuffle: impl Fn(Instruction) -> bool,
) -> Vec<(Instruction, Instruction)> {
    let uniformity = LazyCell::new(|| Uniformity::new(function));
    let mut pairs = Vec::new();
    for block in function.blocks.keys() {
        let shuffles = || {
            function
                .block_instructions(block)
                .filter(|&one| is_shuffle(one))
        };
        if shuffles().nth(1).is_some() && !uniformity.is_together(block) {
            pairs.extend(shuffles().zip(shuffles().skip(1)));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::InstructionFlags;
    use crate::function::text::parse;

    /// Three shuffles behind a branch on what `v0` is: which pairs of them stay in order?
    fn pairs(kind: &str, v0: &str) -> Vec<(u32, u32)> {
        let values = "values v0:B1, v1:B32, v2:B32, v3:B32";
        let shuffle = |value| format!("  {value} = op.convergent.divergent {value}\n");
        let shuffles: String = ["v1", "v2", "v3"].map(shuffle).concat();
        let text = format!(
            "machine gpu limit=24\nfunction f {kind}\n{values}\n\
             block b0 to=b1,b2\n  v0 = {v0}\n  v1, v2, v3 = op\n  terminator v0\n\
             block b1 to=b2\n{shuffles}  terminator\nblock b2\n  op v1, v2, v3\n"
        );
        let (_, function) = parse(&text).expect("it is well-formed");
        let is_shuffle = |one: Instruction| {
            let flags = function.instructions[one].flags;
            flags.contains(InstructionFlags::CONVERGENT)
        };
        let found = in_order(&function, is_shuffle).into_iter();
        found.map(|(a, b)| (a.as_u32(), b.as_u32())).collect()
    }

    #[test]
    fn shuffles_pass_each_other_where_the_warp_is_together() {
        assert_eq!(pairs("kernel", "op"), []);
    }

    #[test]
    fn shuffles_keep_their_order_where_threads_may_have_parted() {
        assert_eq!(pairs("kernel", "op.divergent"), [(3, 4), (4, 5)]);
        // Nobody knows who calls it.
        assert_eq!(pairs("", "op"), [(3, 4), (4, 5)]);
    }
}
