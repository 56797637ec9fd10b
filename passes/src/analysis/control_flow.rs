//! Orders of blocks, and dominators.
//!
//! Linear in blocks and edges, but for the dominators: petgraph's iterative
//! algorithm (Cooper, Harvey and Kennedy 2001), quadratic at worst.

use crate::function::{Block, Function};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// The blocks reachable from the entry, each after all its successors but for
/// back edges.
pub fn postorder(function: &Function) -> Vec<Block> {
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let Some(entry) = function.blocks.keys().next() else {
        return order;
    };
    let mut stack = vec![(entry, 0)];
    seen[entry] = true;
    while let Some((block, next)) = stack.last_mut() {
        match function.blocks[*block].successors.get(*next) {
            Some(&successor) => {
                *next += 1;
                if !seen[successor] {
                    seen[successor] = true;
                    stack.push((successor, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}

/// The blocks reachable from the entry, each before its successors but for back
/// edges.
pub fn reverse_postorder(function: &Function) -> Vec<Block> {
    let mut order = postorder(function);
    order.reverse();
    order
}

/// The dominator tree.
pub struct DominatorTree {
    /// When a walk over the tree enters a block and when it leaves it; nothing for
    /// blocks that no path reaches.
    visits: SecondaryMap<Block, Option<(u32, u32)>>,
}

impl DominatorTree {
    /// Computes the tree.
    pub fn new(function: &Function) -> Self {
        let mut visits = SecondaryMap::new();
        let Some(entry) = function.blocks.keys().next() else {
            return Self { visits };
        };
        let children = children(function, entry);
        let mut time = 0;
        let mut path: Vec<(Block, usize)> = vec![(entry, 0)];
        visits[entry] = Some((0, 0));
        while let Some((block, next)) = path.last_mut() {
            time += 1;
            match children[*block].get(*next) {
                Some(&child) => {
                    *next += 1;
                    visits[child] = Some((time, time));
                    path.push((child, 0));
                }
                None => {
                    if let Some((_, leave)) = &mut visits[*block] {
                        *leave = time;
                    }
                    path.pop();
                }
            }
        }
        Self { visits }
    }

    /// Whether every path from the entry to `block` passes `dominator`. A block
    /// dominates itself; nothing dominates an unreachable block. Time: constant.
    pub fn dominates(&self, dominator: Block, block: Block) -> bool {
        match (self.visits[dominator], self.visits[block]) {
            (Some((enter, leave)), Some((below, _))) => (enter..=leave).contains(&below),
            _ => false,
        }
    }
}

/// The block that dominates each immediately; none for the entry and what nothing reaches.
pub fn immediate_dominators(function: &Function) -> SecondaryMap<Block, PackedOption<Block>> {
    let mut dominators: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
    if let Some(entry) = function.blocks.keys().next() {
        for (above, children) in children(function, entry).iter() {
            for &child in children {
                dominators[child] = above.into();
            }
        }
    }
    dominators
}

/// The blocks that each block dominates immediately.
fn children(function: &Function, entry: Block) -> SecondaryMap<Block, Vec<Block>> {
    let mut graph = DiGraph::<(), ()>::with_capacity(function.blocks.len(), 0);
    for _ in function.blocks.keys() {
        graph.add_node(());
    }
    for (block, data) in &function.blocks {
        for &successor in &data.successors {
            graph.add_edge(node(block), node(successor), ());
        }
    }
    let tree = simple_fast(&graph, node(entry));
    let mut children: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    for block in function.blocks.keys() {
        if let Some(above) = tree.immediate_dominator(node(block)) {
            children[Block::from_u32(above.index() as u32)].push(block);
        }
    }
    children
}

fn node(block: Block) -> NodeIndex {
    NodeIndex::new(block.as_u32() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;

    /// By definition: a block is dominated if the entry reaches it, but not without
    /// passing the dominator.
    fn dominates_by_paths(function: &Function, dominator: Block, block: Block) -> bool {
        let reaches = |avoided: Option<Block>| {
            let mut seen: Vec<Block> = Vec::new();
            let mut work: Vec<Block> = function.blocks.keys().take(1).collect();
            while let Some(block) = work.pop() {
                if Some(block) != avoided && !seen.contains(&block) {
                    seen.push(block);
                    work.extend_from_slice(&function.blocks[block].successors);
                }
            }
            seen.contains(&block)
        };
        reaches(None) && !reaches(Some(dominator))
    }

    #[test]
    fn dominators_are_on_every_path() {
        // A diamond, a cycle with two entries, a loop, and a block without a way to it.
        let mut builder = FunctionBuilder::new("f");
        let blocks: Vec<_> = (0..9).map(|_| builder.start_block(1.0, 0, &[])).collect();
        for (from, to) in [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (3, 4),
            (3, 5),
            (4, 5),
            (5, 4),
            (5, 6),
            (6, 7),
            (7, 6),
            (8, 7),
        ] {
            builder.edge(blocks[from], blocks[to]);
        }
        let function = builder.finish();
        let tree = DominatorTree::new(&function);
        for &dominator in &blocks {
            for &block in &blocks {
                assert_eq!(
                    tree.dominates(dominator, block),
                    dominates_by_paths(&function, dominator, block),
                    "{dominator} {block}"
                );
            }
        }
    }
}
