use super::*;
use crate::function::{FunctionBuilder, Operand};
use crate::machine::gpu;

/// A function of so many blocks, each of which reads a value but those in `empty`.
fn function(count: usize, edges: &[(usize, usize)], empty: &[usize]) -> Function {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let mut blocks = Vec::new();
    for number in 0..count {
        blocks.push(builder.start_block(1.0, 0, &[]));
        if !empty.contains(&number) {
            builder.plain(&[Operand::read(value)]);
        }
    }
    for &(from, to) in edges {
        builder.edge(blocks[from], blocks[to]);
    }
    builder.finish()
}

fn meetings_of(function: &Function) -> Vec<usize> {
    let found = PostDominance::new(function);
    let nodes = 0..function.blocks.len();
    nodes.map(|node| found.meeting(node)).collect()
}

#[test]
fn threads_meet_where_all_ways_lead() {
    let diamond = function(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)], &[]);
    assert_eq!(meetings_of(&diamond), [3, 3, 3, 4, 5]);
    // 1 is a loop's header and goes on to 3, or leaves.
    let around = function(4, &[(0, 1), (1, 2), (1, 3), (3, 1)], &[]);
    assert_eq!(meetings_of(&around), [1, 2, 4, 1]);
}

#[test]
fn nobody_waits_for_threads_that_return() {
    let edges = [(0, 3), (0, 1), (1, 2), (2, 3)];
    assert_eq!(meetings_of(&function(4, &edges, &[3]))[..2], [1, 2]);
    assert_eq!(meetings_of(&function(4, &edges, &[]))[..2], [3, 2]);
    // If all return, there is no other way.
    let all = function(3, &[(0, 1), (0, 2)], &[1, 2]);
    assert_eq!(meetings_of(&all)[0], 3);
}

#[test]
fn threads_that_go_round_until_they_return_meet_on_the_way() {
    // 1 returns or goes on, 2 branches to 3 or 4, which meet in 5, the latch.
    let edges = [
        (0, 1),
        (1, 6),
        (1, 2),
        (2, 3),
        (2, 4),
        (3, 5),
        (4, 5),
        (5, 1),
    ];
    let around = function(7, &edges, &[6]);
    assert_eq!(meetings_of(&around)[2..6], [5, 5, 5, 1]);
}

#[test]
fn threads_that_go_round_for_ever_meet_nowhere() {
    let forever = function(4, &[(0, 1), (0, 3), (1, 2), (2, 1)], &[]);
    assert_eq!(meetings_of(&forever), [4; 4]);
}

/// By definition, on random graphs: a node post-dominates another if that does not lead to
/// the end without it; threads meet in the one that all others post-dominate.
#[test]
fn the_tree_agrees_with_the_definition() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..2000 {
        let count = random.usize(2..12);
        let mut edges: Vec<_> = (0..random.usize(1..2 * count))
            .map(|_| (random.usize(..count), random.usize(..count)))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let empty: Vec<usize> = (0..count).filter(|_| random.u8(..4) == 0).collect();
        let found = PostDominance::new(&function(count, &edges, &empty));
        let leads_to_the_end = |from: usize, without: usize| {
            let mut seen = vec![false; count + 1];
            let mut waiting = vec![from];
            while let Some(node) = waiting.pop() {
                if node != without && !std::mem::replace(&mut seen[node], true) {
                    waiting.extend(found.ways.get(node).into_iter().flatten());
                }
            }
            seen[count]
        };
        for node in 0..count {
            assert!(leads_to_the_end(node, usize::MAX), "{edges:?} {empty:?}");
            let is_passed = |&one: &usize| one != node && !leads_to_the_end(node, one);
            let passed: Vec<usize> = (0..=count).filter(is_passed).collect();
            assert_eq!(found.depth(node), passed.len() as u32);
            assert!(passed.contains(&found.meeting(node)));
            assert_eq!(found.depth(found.meeting(node)) + 1, found.depth(node));
        }
    }
}
