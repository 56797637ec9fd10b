//! Natural loops of machine code, and how deeply they nest.
//!
//! A loop is known by its header: several back edges to one header are one loop. Cycles that
//! are entered at several places have no header and add no depth. Time: dominators, and for
//! each loop its blocks.

use crate::listing::MachineFunction;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;

/// A natural loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The block that every path into the loop enters.
    pub header: usize,
    /// All its blocks, in order.
    pub blocks: Vec<usize>,
}

/// The natural loops of a function, by header.
pub fn natural_loops(function: &MachineFunction) -> Vec<Loop> {
    if function.blocks.is_empty() {
        return Vec::new();
    }
    let mut graph = DiGraph::<(), (), usize>::with_capacity(function.blocks.len(), 0);
    for _ in &function.blocks {
        graph.add_node(());
    }
    for (block, data) in function.blocks.iter().enumerate() {
        for &next in &data.successors {
            graph.add_edge(NodeIndex::new(block), NodeIndex::new(next), ());
        }
    }
    let tree = simple_fast(&graph, NodeIndex::new(0));
    let mut latches: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edge in graph.raw_edges() {
        if dominates(&tree, edge.target(), edge.source()) {
            let headed = latches.entry(edge.target().index()).or_default();
            headed.push(edge.source().index());
        }
    }
    let loops = latches.into_iter().map(|(header, mut work)| {
        let mut blocks = vec![header];
        let mut inside = vec![false; function.blocks.len()];
        inside[header] = true;
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut inside[block], true) {
                blocks.push(block);
                let before =
                    graph.neighbors_directed(NodeIndex::new(block), petgraph::Direction::Incoming);
                work.extend(before.map(NodeIndex::index));
            }
        }
        blocks.sort_unstable();
        Loop { header, blocks }
    });
    loops.collect()
}

/// For each block the number of loops around it.
pub fn depths(function: &MachineFunction, loops: &[Loop]) -> Vec<u32> {
    let mut depths = vec![0; function.blocks.len()];
    for &block in loops.iter().flat_map(|one| &one.blocks) {
        depths[block] += 1;
    }
    depths
}

fn dominates(
    tree: &Dominators<NodeIndex<usize>>,
    above: NodeIndex<usize>,
    block: NodeIndex<usize>,
) -> bool {
    tree.dominators(block)
        .is_some_and(|mut all| all.any(|one| one == above))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::Block;

    fn function(successors: &[&[usize]]) -> MachineFunction {
        let block = |next: &&[usize]| Block {
            successors: next.to_vec(),
            ..Block::default()
        };
        MachineFunction {
            blocks: successors.iter().map(block).collect(),
            ..MachineFunction::default()
        }
    }

    fn depths_of(successors: &[&[usize]]) -> Vec<u32> {
        let function = function(successors);
        depths(&function, &natural_loops(&function))
    }

    #[test]
    fn loops_in_loops() {
        // 1 heads the outer loop, 2 the inner one.
        let nested: [&[usize]; 5] = [&[1], &[2, 4], &[2, 3], &[1], &[]];
        assert_eq!(depths_of(&nested), [0, 1, 2, 1, 0]);
        let loops = natural_loops(&function(&nested));
        let headers: Vec<_> = loops.iter().map(|one| one.header).collect();
        assert_eq!(headers, [1, 2]);
    }

    #[test]
    fn two_ways_back_are_one_loop() {
        assert_eq!(
            depths_of(&[&[1], &[2, 3], &[1], &[1, 4], &[]]),
            [0, 1, 1, 1, 0]
        );
    }

    #[test]
    fn a_cycle_with_two_entries_has_no_header() {
        assert_eq!(depths_of(&[&[1, 2], &[2], &[1]]), [0, 0, 0]);
    }

    #[test]
    fn no_blocks_no_loops() {
        assert!(depths_of(&[]).is_empty());
    }
}
