//! Which blocks only some threads of a warp execute, once a branch has parted them.
//!
//! Threads that a branch parts meet again where all paths from it meet, in its
//! immediate post-dominator; what lies before is executed by some of them at a time. A
//! block that returns and does nothing else parts nobody: the threads that leave need
//! no register any more, and the others stay together. So edges to such blocks are
//! left out, unless a block would have no way to an end without them. Blocks that have
//! none at all count as ends themselves.
//!
//! Source: Ferrante, Ottenstein and Warren, "The program dependence graph" (1987):
//! blocks are marked along the post-dominator tree, from a branch's targets up to its
//! immediate post-dominator. Time: the tree is petgraph's, of Cooper, Harvey and
//! Kennedy; marking is near-linear over all branches, as marked blocks are skipped by
//! union-find.

use crate::function::{Block, Function};
use cranelift_entity::SecondaryMap;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// The blocks that divergent control flow has been found to reach so far.
pub struct DivergentBlocks<'a> {
    function: &'a Function,
    /// For each block, whether it returns and names no virtual register.
    leaves: SecondaryMap<Block, bool>,
    /// The immediate post-dominator of each block; none if that is the end.
    parent: SecondaryMap<Block, Option<Block>>,
    /// Distance from the end.
    depth: SecondaryMap<Block, u32>,
    /// Union-find: the way to the nearest post-dominator that is not marked.
    unmarked: SecondaryMap<Block, Option<Block>>,
    marked: SecondaryMap<Block, bool>,
}

impl<'a> DivergentBlocks<'a> {
    /// None yet.
    pub fn new(function: &'a Function) -> Self {
        let mut leaves = SecondaryMap::new();
        for (block, data) in &function.blocks {
            leaves[block] = data.successors.is_empty()
                && function.block_instructions(block).all(|instruction| {
                    let operands = function.instruction_operands(instruction);
                    operands.iter().all(|one| one.virtual_register().is_none())
                });
        }
        let mut blocks = Self {
            function,
            leaves,
            parent: SecondaryMap::new(),
            depth: SecondaryMap::new(),
            unmarked: SecondaryMap::new(),
            marked: SecondaryMap::new(),
        };
        blocks.find_post_dominators();
        blocks
    }

    /// Whether only some threads execute the block.
    pub fn contains(&self, block: Block) -> bool {
        self.marked[block]
    }

    /// The threads part at the end of this block; gives the blocks that this marks.
    /// They part again wherever such a block has several successors.
    pub fn diverge(&mut self, branch: Block) -> Vec<Block> {
        let mut found = Vec::new();
        let several = self.staying(branch).nth(1).is_some();
        if several {
            self.mark_from(branch, &mut found);
        }
        let mut next = 0;
        while let Some(&block) = found.get(next) {
            self.mark_from(block, &mut found);
            next += 1;
        }
        found
    }

    /// Marks what depends on the end of a block.
    fn mark_from(&mut self, branch: Block, found: &mut Vec<Block>) {
        let targets: Vec<Block> = self.staying(branch).collect();
        let end = self.parent[branch].map_or(0, |block| self.depth[block]);
        for target in targets {
            let mut at = self.nearest_unmarked(Some(target));
            while let Some(block) = at.filter(|&block| self.depth[block] > end) {
                self.marked[block] = true;
                found.push(block);
                self.unmarked[block] = self.parent[block];
                at = self.nearest_unmarked(Some(block));
            }
        }
    }

    /// The first block without a mark on the way to the end, with path halving.
    fn nearest_unmarked(&mut self, mut at: Option<Block>) -> Option<Block> {
        while let Some(block) = at.filter(|&block| self.marked[block]) {
            let next = self.unmarked[block];
            if let Some(next) = next.filter(|&next| self.marked[next]) {
                self.unmarked[block] = self.unmarked[next];
            }
            at = next;
        }
        at
    }

    /// The successors at which threads go on: those that do more than return, or all
    /// if none does.
    fn staying(&self, block: Block) -> impl Iterator<Item = Block> {
        let successors = &self.function.blocks[block].successors;
        let all = successors.iter().all(|&successor| self.leaves[successor]);
        let staying = move |successor: &Block| all || !self.leaves[*successor];
        successors.iter().copied().filter(staying)
    }

    fn find_post_dominators(&mut self) {
        let function = self.function;
        let mut graph = DiGraph::<(), ()>::with_capacity(function.blocks.len() + 1, 0);
        for _ in function.blocks.keys() {
            graph.add_node(());
        }
        let end = graph.add_node(());
        for (block, data) in &function.blocks {
            for successor in self.staying(block) {
                graph.add_edge(node(successor), node(block), ());
            }
            if data.successors.is_empty() {
                graph.add_edge(end, node(block), ());
            }
        }
        // Without a way to the end: first what may return, then whatever is left.
        for only_returning in [true, false] {
            let reached = reached(&graph, end);
            for (block, data) in &function.blocks {
                let returns = data.successors.iter().any(|&one| self.leaves[one]);
                if !reached[block.as_u32() as usize] && (returns || !only_returning) {
                    graph.add_edge(end, node(block), ());
                }
            }
        }
        let tree = simple_fast(&graph, end);
        for block in function.blocks.keys() {
            let above = tree.immediate_dominator(node(block));
            let above = above.filter(|&above| above != end);
            self.parent[block] = above.map(|above| Block::from_u32(above.index() as u32));
        }
        self.measure_depths();
    }

    /// The depth of every block in the tree, whatever order they come in.
    fn measure_depths(&mut self) {
        let mut way = Vec::new();
        for block in self.function.blocks.keys() {
            let mut at = Some(block);
            while let Some(block) = at.filter(|&block| self.depth[block] == 0) {
                way.push(block);
                at = self.parent[block];
            }
            let mut depth = at.map_or(0, |block| self.depth[block]);
            while let Some(block) = way.pop() {
                depth += 1;
                self.depth[block] = depth;
            }
        }
    }
}

/// For each node, whether it can be reached.
fn reached(graph: &DiGraph<(), ()>, from: NodeIndex) -> Vec<bool> {
    let mut seen = vec![false; graph.node_count()];
    seen[from.index()] = true;
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        for next in graph.neighbors(at) {
            if !std::mem::replace(&mut seen[next.index()], true) {
                waiting.push(next);
            }
        }
    }
    seen
}

fn node(block: Block) -> NodeIndex {
    NodeIndex::new(block.as_u32() as usize)
}

#[cfg(test)]
mod tests {
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

    /// The blocks that are marked once threads part at the ends of these.
    fn marked(function: &Function, branches: &[u32]) -> Vec<u32> {
        let mut blocks = DivergentBlocks::new(function);
        for &branch in branches {
            blocks.diverge(Block::from_u32(branch));
        }
        let all = function.blocks.keys();
        let marked = all.filter(|&block| blocks.contains(block));
        marked.map(Block::as_u32).collect()
    }

    #[test]
    fn the_arms_of_a_branch_depend_on_it_and_the_join_does_not() {
        let diamond = function(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)], &[]);
        assert_eq!(marked(&diamond, &[0]), [1, 2]);
        assert!(marked(&diamond, &[3]).is_empty());
    }

    #[test]
    fn what_is_nested_in_an_arm_depends_on_the_outer_branch() {
        let edges = [(0, 1), (0, 5), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5)];
        let nested = function(6, &edges, &[]);
        assert_eq!(marked(&nested, &[0]), [1, 2, 3, 4]);
        assert_eq!(marked(&nested, &[1]), [2, 3]);
        assert_eq!(marked(&nested, &[1, 0]), [1, 2, 3, 4]);
        assert_eq!(marked(&nested, &[0, 1]), [1, 2, 3, 4]);
    }

    #[test]
    fn all_of_a_loop_depends_on_a_divergent_exit() {
        // 1 is the header, 2 leaves, 3 is the latch, 4 comes after.
        let edges = [(0, 1), (1, 2), (2, 3), (2, 4), (3, 1)];
        let around = function(5, &edges, &[]);
        assert_eq!(marked(&around, &[2]), [1, 2, 3]);
        let own = function(3, &[(0, 1), (1, 1), (1, 2)], &[]);
        assert_eq!(marked(&own, &[1]), [1]);
    }

    #[test]
    fn a_divergent_break_from_a_loop_with_another_exit_marks_the_way_round() {
        // 1 header with the uniform exit to 5, 2 breaks to 4, 3 latch; 4 and 5 meet in 6.
        let edges = [
            (0, 1),
            (1, 2),
            (1, 5),
            (2, 3),
            (2, 4),
            (3, 1),
            (4, 6),
            (5, 6),
        ];
        let around = function(7, &edges, &[]);
        assert_eq!(marked(&around, &[2]), [1, 2, 3, 4, 5]);
        assert_eq!(marked(&around, &[1]), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn an_irreducible_cycle_depends_on_its_exit() {
        // 1 and 2 are both entered from 0.
        let edges = [(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)];
        let cycle = function(4, &edges, &[]);
        assert_eq!(marked(&cycle, &[2]), [1, 2]);
        assert_eq!(marked(&cycle, &[0]), [1]);
    }

    #[test]
    fn threads_that_return_part_nobody() {
        // The guard of most kernels, with a return of its own and with a shared one.
        let own = function(4, &[(0, 1), (0, 2), (2, 3)], &[1]);
        assert!(marked(&own, &[0]).is_empty());
        let shared = function(4, &[(0, 3), (0, 1), (1, 2), (2, 3)], &[3]);
        assert!(marked(&shared, &[0]).is_empty());
        let busy = function(4, &[(0, 3), (0, 1), (1, 2), (2, 3)], &[]);
        assert_eq!(marked(&busy, &[0]), [1, 2]);
    }

    #[test]
    fn threads_that_return_from_a_loop_part_nobody_but_those_inside_do() {
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
        assert!(marked(&around, &[1]).is_empty());
        assert_eq!(marked(&around, &[2]), [3, 4]);
    }

    #[test]
    fn of_two_ways_to_return_from_a_loop_each_parts_what_the_other_leaves() {
        // 1 branches to 2 or 3; both return or go on, 2 by way of 4.
        let edges = [
            (0, 1),
            (1, 2),
            (1, 3),
            (2, 5),
            (2, 4),
            (3, 5),
            (3, 1),
            (4, 1),
        ];
        let around = function(6, &edges, &[5]);
        assert_eq!(marked(&around, &[1]), [1, 2, 3, 4]);
    }

    #[test]
    fn a_loop_without_end_is_not_left_together() {
        let edges = [(0, 1), (0, 3), (1, 2), (2, 1)];
        let forever = function(4, &edges, &[]);
        assert_eq!(marked(&forever, &[0]), [1, 2, 3]);
    }

    /// Marking agrees with the definition, on random graphs: what can be reached from
    /// a branch without passing its immediate post-dominator, and so on from there.
    #[test]
    fn marking_agrees_with_reachability() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let count = random.usize(2..12);
            let mut edges: Vec<_> = (0..random.usize(1..2 * count))
                .map(|_| (random.usize(..count), random.usize(..count)))
                .collect();
            edges.sort_unstable();
            edges.dedup();
            let empty: Vec<usize> = (0..count).filter(|_| random.u8(..4) == 0).collect();
            let function = function(count, &edges, &empty);
            let branch = Block::from_u32(random.u32(..count as u32));
            let mut blocks = DivergentBlocks::new(&function);
            blocks.diverge(branch);
            let mut expected = vec![false; count];
            if blocks.staying(branch).count() > 1 {
                let end = blocks.parent[branch];
                let mut waiting: Vec<Block> = blocks.staying(branch).collect();
                while let Some(block) = waiting.pop() {
                    let seen = &mut expected[block.as_u32() as usize];
                    if Some(block) != end && !std::mem::replace(seen, true) {
                        waiting.extend(blocks.staying(block));
                    }
                }
            }
            let found: Vec<_> = function.blocks.keys().map(|b| blocks.contains(b)).collect();
            assert_eq!(found, expected, "{edges:?} {empty:?} {branch}");
        }
    }
}
