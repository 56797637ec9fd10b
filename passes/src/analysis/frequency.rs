//! Block frequencies for functions that come without any, and how far to trust guesses.
//!
//! Inside LLVM the frequencies are LLVM's. Without a profile these are guesses from the
//! shape of the code: every loop runs some thirty times for each time it is entered,
//! and nested loops multiply. Most loops of real programs run less often, so what is
//! live across them pays for what is inside. [`damp`] takes guesses for less;
//! [`assume_iterations`] puts a number of knob 623 in their place.
//!
//! The estimate follows the cicc document: an edge back to a loop header is taken with
//! probability 0.9, the other edges of a block share the rest. The document iterates the
//! flow equations, which need not converge; here each block takes what its forward
//! predecessors give, in reverse postorder, and a loop header multiplies it by ten, the
//! expected number of iterations. Linear, but for dominators and loops.

use super::control_flow::{DominatorTree, reverse_postorder};
use super::loops::loop_depths;
use crate::function::{Block, Function};
use cranelift_entity::SecondaryMap;

/// Probability of a back edge.
const BACK_EDGE: f64 = 0.9;

/// Makes guessed frequencies less different: each becomes its square root, the power that
/// saved most on programs for CPUs (`docs/decisions/guessed-frequencies-count-less.md`).
pub fn damp(function: &mut Function) {
    for data in function.blocks.values_mut() {
        data.frequency = data.frequency.sqrt();
    }
}

/// The most that a block is taken to run, so that sums stay finite.
const MOST: f64 = 1e100;

/// Replaces the frequencies: every loop runs so many times, so a block runs this to the
/// power of its loop depth.
pub fn assume_iterations(function: &mut Function, iterations: u32) {
    for data in function.blocks.values_mut() {
        let depth = i32::try_from(data.loop_depth).unwrap_or(i32::MAX);
        data.frequency = f64::from(iterations).powi(depth).min(MOST);
    }
}

/// Sets the frequency and loop depth of every block.
pub fn estimate(function: &mut Function) {
    let order = reverse_postorder(function);
    let tree = DominatorTree::new(function);
    let depths = loop_depths(function);
    let mut frequencies: SecondaryMap<Block, f64> = SecondaryMap::new();
    if let Some(&entry) = order.first() {
        frequencies[entry] = 1.0;
    }
    for &block in &order {
        let data = &function.blocks[block];
        let is_back = |&successor: &Block| tree.dominates(successor, block);
        if data
            .predecessors
            .iter()
            .any(|&latch| tree.dominates(block, latch))
        {
            frequencies[block] /= 1.0 - BACK_EDGE;
        }
        let back = data.successors.iter().filter(|s| is_back(s)).count();
        let forward = data.successors.len() - back;
        let leaving = if back > 0 { 1.0 - BACK_EDGE } else { 1.0 };
        let share = frequencies[block] * leaving / forward.max(1) as f64;
        for &successor in data.successors.iter().filter(|s| !is_back(s)) {
            frequencies[successor] += share;
        }
    }
    for (block, data) in function.blocks.iter_mut() {
        data.frequency = frequencies[block];
        data.loop_depth = depths[block];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;

    #[test]
    fn damping_keeps_what_runs_once() {
        let mut builder = FunctionBuilder::new("f");
        for frequency in [1.0, 16.0, 0.25, 0.0] {
            builder.start_block(frequency, 0, &[]);
        }
        let mut function = builder.finish();
        damp(&mut function);
        let all: Vec<_> = function.blocks.values().map(|b| b.frequency).collect();
        assert_eq!(all, [1.0, 4.0, 0.5, 0.0]);
    }

    #[test]
    fn assumed_iterations_multiply() {
        let mut builder = FunctionBuilder::new("f");
        for depth in [0, 1, 3, u32::MAX] {
            builder.start_block(5.0, depth, &[]);
        }
        let mut function = builder.finish();
        for (iterations, expected) in [(1, [1.0; 4]), (7, [1.0, 7.0, 343.0, MOST])] {
            assume_iterations(&mut function, iterations);
            let all: Vec<_> = function.blocks.values().map(|b| b.frequency).collect();
            assert_eq!(all, expected);
        }
    }

    #[test]
    fn a_loop_runs_ten_times() {
        let mut builder = FunctionBuilder::new("f");
        let blocks: Vec<_> = (0..3).map(|_| builder.start_block(0.0, 0, &[])).collect();
        for (from, to) in [(0, 1), (1, 1), (1, 2)] {
            builder.edge(blocks[from], blocks[to]);
        }
        let mut function = builder.finish();
        estimate(&mut function);
        let all: Vec<_> = function
            .blocks
            .values()
            .map(|b| b.frequency.round())
            .collect();
        assert_eq!(all, [1.0, 10.0, 1.0]);
    }
}
