//! Block frequencies for functions that come without any, and how far to trust guesses.
//!
//! Inside LLVM the frequencies are LLVM's. Without a profile these are guesses from the
//! shape of the code: every loop runs some thirty times for each time it is entered,
//! and nested loops multiply. Most loops of real programs run less often, so what is
//! live across them pays for what is inside. [`expect_unequal`] takes some loops for
//! shorter, [`damp`] all of them, and branches for less one-sided; [`assume_iterations`] puts a
//! number of knob 623 in their place.
//!
//! The estimate follows the cicc document: an edge back to a loop header is taken with
//! probability 0.9, the other edges of a block share the rest. The document iterates the
//! flow equations, which need not converge; here each block takes what its forward
//! predecessors give, in reverse postorder, and a loop header multiplies it by ten, the
//! expected number of iterations. Linear, but for dominators and loops.

use super::control_flow::{DominatorTree, reverse_postorder};
use super::loops::{Loop, loop_depths};
use crate::function::{Block, Function};
use cranelift_entity::SecondaryMap;

/// Probability of a back edge.
const BACK_EDGE: f64 = 0.9;

/// What an instruction costs for the room that it takes, as a part of one that is executed once:
/// what seems rare is often not, and what stands in many rare places makes code long.
const ROOM: f64 = 0.11;

/// As often as LLVM guesses at most that a loop runs.
const MOST_ITERATIONS: f64 = 4096.0;

/// Makes guessed frequencies less different, as saved most on programs for CPUs
/// (`docs/decisions/guessed-frequencies-count-less.md`). A loop's iterations are taken to the
/// power of 9/16, how often a block runs in each of them to 3/4: what branches lead to is
/// guessed better than how long loops are. A loop around a switch interprets something, and a
/// case runs about as often as other code however many there are: it gets the square root of
/// half the widest branch beside. All blocks count [`ROOM`] more. Roots alone are the
/// same on every machine. Linear in the blocks of all loops, which are given.
pub fn damp(function: &mut Function, loops: &[Loop]) {
    // For each block how often the loops around it run together, as guessed and damped.
    let mut iterations = SecondaryMap::with_default((1.0, 1.0));
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    for one in loops {
        one.blocks.iter().for_each(|&block| inside[block] = true);
        let header = &function.blocks[one.header];
        let outside = header.predecessors.iter().filter(|&&from| !inside[from]);
        let entries: f64 = outside.map(|&from| share(function, from)).sum();
        let guessed = header.frequency / entries;
        let is_known = guessed.is_finite();
        let guessed = guessed.clamp(1.0, MOST_ITERATIONS);
        let ways = |&block: &Block| function.blocks[block].successors.len();
        let widest = one.blocks.iter().map(ways).max().unwrap_or(0).max(2);
        let root = guessed.sqrt();
        let damped = root * root.sqrt().sqrt().sqrt() * (widest as f64 / 2.0).sqrt();
        for &block in &one.blocks {
            inside[block] = false;
            // What never runs, or is never entered, says nothing.
            if is_known {
                let (all_guessed, all_damped) = iterations[block];
                iterations[block] = (all_guessed * guessed, all_damped * damped);
            }
        }
    }
    for (block, data) in &mut function.blocks {
        let (guessed, damped) = iterations[block];
        let root = (data.frequency / guessed).sqrt();
        data.frequency = root * root.sqrt() * damped + ROOM;
    }
}

/// How often control goes each way behind a block, if as often as the others.
fn share(function: &Function, block: Block) -> f64 {
    let data = &function.blocks[block];
    data.frequency / data.successors.len() as f64
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
/// of all loops, which are given, but for sorting these.
pub fn expect_unequal(function: &mut Function, loops: &[Loop], taken_if_equal: &[(Block, Block)]) {
    if taken_if_equal.is_empty() {
        return;
    }
    let runs = |one: &&Loop| function.blocks[one.header].frequency > 0.0;
    let mut loops: Vec<_> = loops.iter().filter(runs).collect();
    // The innermost first.
    loops.sort_by_key(|one| (one.blocks.len(), one.header));
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut undecided: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    for &(block, equal) in taken_if_equal {
        undecided[block] = Some(equal);
    }
    for one in loops {
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
    use super::super::loops::natural_loops;
    use super::*;
    use crate::function::FunctionBuilder;

    fn damp(function: &mut Function) {
        let loops = natural_loops(function);
        super::damp(function, &loops);
    }

    fn expect_unequal(function: &mut Function, taken_if_equal: &[(Block, Block)]) {
        let loops = natural_loops(function);
        super::expect_unequal(function, &loops, taken_if_equal);
    }

    #[test]
    fn damping_keeps_what_runs_once() {
        let mut builder = FunctionBuilder::new("f");
        for frequency in [1.0, 16.0, 0.25, 0.0] {
            builder.start_block(frequency, 0, &[]);
        }
        let mut function = builder.finish();
        damp(&mut function);
        let all: Vec<_> = function.blocks.values().map(|b| b.frequency).collect();
        let quarter = 0.25_f64.sqrt() * 0.25_f64.sqrt().sqrt();
        let expected = [1.0, 8.0, quarter, 0.0].map(|one| one + ROOM);
        assert_eq!(all, expected);
    }

    #[test]
    fn loops_count_less_and_the_branches_in_them_keep_more() {
        let (mut function, _) = with_loop();
        damp(&mut function);
        let [before, header, latch, behind] = frequencies(&function)[..] else {
            panic!("four blocks");
        };
        let without_room = |one: f64| one - ROOM;
        let [before, header, latch, behind] = [before, header, latch, behind].map(without_room);
        let loops = 32.0_f64.powf(0.5625);
        let near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-12;
        assert!(near(before, 2.0_f64.powf(0.75)) && near(before, behind));
        assert!(near(header, before * loops), "{header}");
        assert!(
            near(latch, header * (62.0 / 64.0_f64).powf(0.75)),
            "{latch}"
        );
    }

    #[test]
    fn a_loop_around_a_switch_runs_longer() {
        let cases = 18;
        let mut builder = FunctionBuilder::new("f");
        let mut blocks = vec![builder.start_block(1.0, 0, &[])];
        blocks.push(builder.start_block(16.0, 1, &[]));
        builder.edge(blocks[0], blocks[1]);
        for _ in 0..cases {
            let case = builder.start_block(16.0 / f64::from(cases), 1, &[]);
            builder.edge(blocks[1], case);
            builder.edge(case, blocks[1]);
        }
        let mut function = builder.finish();
        damp(&mut function);
        let header = function.blocks[blocks[1]].frequency - ROOM;
        let expected = 16.0_f64.powf(0.5625) * 3.0;
        assert!((header / expected - 1.0).abs() < 1e-12, "{header}");
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
