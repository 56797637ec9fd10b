//! Block frequencies for functions that come without any, and how far to trust guesses.
//!
//! Inside LLVM the frequencies are LLVM's. Without a profile these are guesses from the
//! shape of the code: every loop runs some thirty times for each time it is entered,
//! and nested loops multiply. Most loops of real programs run less often, so what is
//! live across them pays for what is inside. [`expect_unequal`] takes some loops for
//! shorter, [`damp`] all guesses for less; [`assume_iterations`] puts a number of knob 623 in
//! their place.
//!
//! The estimate follows the cicc document: an edge back to a loop header is taken with
//! probability 0.9, the other edges of a block share the rest. The document iterates the
//! flow equations, which need not converge; here each block takes what its forward
//! predecessors give, in reverse postorder, and a loop header multiplies it by ten, the
//! expected number of iterations. Linear, but for dominators and loops.

use super::control_flow::{DominatorTree, reverse_postorder};
use super::loops::{loop_depths, natural_loops};
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

/// How probable it is that two numbers are equal where a loop goes on only then: the loop branch
/// and the opcode heuristic together, with the probabilities 0.88 and 0.16.
const EQUAL: f64 = 0.58;
/// The least part of the executions of a loop's header that come from outside.
const LEAST_ENTRIES: f64 = 1.0 / 32.0;

/// Takes the loops that go on only where two numbers are equal for shorter: a block with the
/// successor that is taken then. LLVM asks at a loop's branches how loops go on, and never
/// what is compared; but what goes on while things are equal, as where strings are compared,
/// mostly ends soon. A block that few iterations come to counts as little. Source: Wu and
/// Larus, "Static branch frequency and program profile analysis" (1994). Linear in the blocks
/// of the loops concerned, but for dominators and loops.
pub fn expect_unequal(function: &mut Function, taken_if_equal: &[(Block, Block)]) {
    if taken_if_equal.is_empty() {
        return;
    }
    let mut loops = natural_loops(function);
    loops.retain(|one| function.blocks[one.header].frequency > 0.0);
    // The innermost first.
    loops.sort_by_key(|one| (one.blocks.len(), one.header));
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut undecided: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    for &(block, equal) in taken_if_equal {
        undecided[block] = Some(equal);
    }
    for one in &loops {
        one.blocks.iter().for_each(|&block| inside[block] = true);
        let mut stays = 1.0;
        for &block in &one.blocks {
            let goes_on = |&mut equal: &mut Block| inside[equal];
            if undecided[block].take_if(goes_on).is_none() {
                continue;
            }
            let mut successors = function.blocks[block].successors.iter();
            if successors.any(|&other| !inside[other]) {
                let header = function.blocks[one.header].frequency;
                let asked = (function.blocks[block].frequency / header).min(1.0);
                stays *= 1.0 - asked * (1.0 - EQUAL);
            }
        }
        if stays < 1.0 {
            let header = &function.blocks[one.header];
            let outside = header.predecessors.iter().filter(|&&from| !inside[from]);
            let entries: f64 = outside.map(|&from| function.blocks[from].frequency).sum();
            let entries = (entries / header.frequency).clamp(LEAST_ENTRIES, 1.0);
            let factor = entries / (1.0 - (1.0 - entries) * stays);
            for &block in &one.blocks {
                function.blocks[block].frequency *= factor;
            }
        }
        one.blocks.iter().for_each(|&block| inside[block] = false);
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

    /// A block before a loop of two, which either may leave, and a block behind it.
    fn with_loop() -> (Function, [Block; 4]) {
        let mut builder = FunctionBuilder::new("f");
        let frequencies = [2.0, 64.0, 62.0, 2.0];
        let blocks = frequencies.map(|frequency| builder.start_block(frequency, 0, &[]));
        for (from, to) in [(0, 1), (1, 2), (1, 3), (2, 1), (2, 3)] {
            builder.edge(blocks[from], blocks[to]);
        }
        (builder.finish(), blocks)
    }

    fn frequencies(function: &Function) -> Vec<f64> {
        let blocks = function.blocks.values();
        blocks.map(|block| block.frequency).collect()
    }

    #[test]
    fn a_loop_that_goes_on_while_things_are_equal_is_taken_for_short() {
        let (mut function, [_, header, latch, behind]) = with_loop();
        let before = frequencies(&function);
        // What leaves the loop where things are equal, or decides nothing about it, counts for
        // nothing.
        expect_unequal(&mut function, &[(header, behind), (behind, header)]);
        assert_eq!(frequencies(&function), before);
        expect_unequal(&mut function, &[(latch, header)]);
        let stays = 1.0 - 62.0 / 64.0 * (1.0 - EQUAL);
        let factor = (1.0 / 32.0) / (1.0 - 31.0 / 32.0 * stays);
        let shorter = [2.0, 64.0 * factor, 62.0 * factor, 2.0];
        assert_eq!(frequencies(&function), shorter);
    }

    #[test]
    fn a_loop_that_never_runs_stays_as_it_is() {
        let (mut function, [_, header, latch, _]) = with_loop();
        for block in [header, latch] {
            function.blocks[block].frequency = 0.0;
        }
        expect_unequal(&mut function, &[(latch, header)]);
        assert_eq!(frequencies(&function), [2.0, 0.0, 0.0, 2.0]);
    }

    #[test]
    fn two_things_that_are_equal_each_time_are_less_probable() {
        let [once, twice] = [1, 2].map(|count| {
            let (mut function, [_, header, latch, _]) = with_loop();
            let pairs = [(latch, header), (header, latch)];
            expect_unequal(&mut function, &pairs[..count]);
            function.blocks[header].frequency
        });
        assert!(2.0 < twice && twice < once && once < 5.0, "{once} {twice}");
    }

    #[test]
    fn of_nested_loops_the_one_that_is_left_is_short() {
        let mut builder = FunctionBuilder::new("f");
        let frequencies_before = [1.0, 32.0, 1024.0, 32.0, 1.0];
        let blocks = frequencies_before.map(|frequency| builder.start_block(frequency, 0, &[]));
        for (from, to) in [(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)] {
            builder.edge(blocks[from], blocks[to]);
        }
        let function = builder.finish();
        let mut inner = function.clone();
        expect_unequal(&mut inner, &[(blocks[2], blocks[2])]);
        assert!(inner.blocks[blocks[2]].frequency < 100.0);
        assert_eq!(inner.blocks[blocks[3]].frequency, 32.0);
        let mut outer = function;
        expect_unequal(&mut outer, &[(blocks[3], blocks[1])]);
        let factor = outer.blocks[blocks[3]].frequency / 32.0;
        assert!(factor < 0.1);
        assert_eq!(outer.blocks[blocks[2]].frequency, 1024.0 * factor);
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
