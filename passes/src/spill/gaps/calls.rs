//! Blocks with calls on ways that are taken less often.
//!
//! A call destroys most registers. What waits while it is made, and has no register that
//! survives, would be in memory from its last access to its next one, on all ways between
//! them, were there no gap around the call alone. Any block that runs less often could have
//! one, but where the frequencies are guesses that is right too seldom: calls are needed where
//! the values are taken from registers, and are what programs do in rare cases. Linear in the
//! instructions. Source: Ball and Larus, "Branch prediction for free" (1993), the call
//! heuristic.

use crate::analysis::loops::LoopNest;
use crate::function::{Block, Function};
use cranelift_entity::SecondaryMap;

/// As much less often a block has to run than the one that runs most in the same innermost
/// loop, or outside of all loops: half as often, by guesses that are damped.
const LESS_OFTEN: f64 = 1.6;

/// The blocks that contain a call and run less often than what is around them.
pub(super) fn calls_aside(function: &Function, nest: &LoopNest) -> SecondaryMap<Block, bool> {
    // The last place is for what is in no loop.
    let place = |block| {
        nest.around(block)
            .next()
            .map_or(nest.count(), |one| one as usize)
    };
    let mut most = vec![0.0_f64; nest.count() + 1];
    for (block, data) in &function.blocks {
        let most = &mut most[place(block)];
        *most = most.max(data.frequency);
    }
    let mut aside = SecondaryMap::with_capacity(function.blocks.len());
    for (block, data) in &function.blocks {
        aside[block] = data.frequency * LESS_OFTEN <= most[place(block)]
            && function.block_clobbers(block).next().is_some();
    }
    aside
}
