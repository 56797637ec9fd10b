//! Orders of blocks, and dominators.
//!
//! Linear in blocks and edges, but for the dominators: petgraph's iterative
//! algorithm (Cooper, Harvey and Kennedy 2001), quadratic at worst.

use crate::function::{Block, Function};
use cranelift_entity::SecondaryMap;
use petgraph::algo::dominators::{Dominators, simple_fast};
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
    tree: Option<Dominators<NodeIndex>>,
}

impl DominatorTree {
    /// Computes the tree.
    pub fn new(function: &Function) -> Self {
        let mut graph = DiGraph::<(), ()>::with_capacity(function.blocks.len(), 0);
        for _ in function.blocks.keys() {
            graph.add_node(());
        }
        for (block, data) in &function.blocks {
            for &successor in &data.successors {
                graph.add_edge(node(block), node(successor), ());
            }
        }
        let entry = function.blocks.keys().next();
        Self {
            tree: entry.map(|entry| simple_fast(&graph, node(entry))),
        }
    }

    /// Whether every path from the entry to `block` passes `dominator`. A block
    /// dominates itself; nothing dominates an unreachable block.
    pub fn dominates(&self, dominator: Block, block: Block) -> bool {
        self.tree
            .as_ref()
            .and_then(|tree| tree.dominators(node(block)))
            .is_some_and(|mut above| above.any(|other| other == node(dominator)))
    }
}

fn node(block: Block) -> NodeIndex {
    NodeIndex::new(block.as_u32() as usize)
}
