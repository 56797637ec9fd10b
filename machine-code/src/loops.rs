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
fn natural_loops(function: &MachineFunction) -> Vec<Loop> {
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

/// The loops of a function and how they nest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nest {
    /// The loops, by header.
    pub loops: Vec<Loop>,
    /// For each loop the one around it.
    pub around: Vec<Option<usize>>,
    /// All loops, those around others before them.
    pub outer_first: Vec<usize>,
    /// For each block the loop that it is in and no loop within that.
    pub innermost: Vec<Option<usize>>,
}

/// Finds the loops of a function and how they nest.
pub fn nest(function: &MachineFunction) -> Nest {
    let loops = natural_loops(function);
    let mut outer_first: Vec<usize> = (0..loops.len()).collect();
    outer_first.sort_by_key(|&one| std::cmp::Reverse(loops[one].blocks.len()));
    let mut innermost = vec![None; function.blocks.len()];
    let mut around = vec![None; loops.len()];
    for &one in &outer_first {
        around[one] = innermost[loops[one].header];
        for &block in &loops[one].blocks {
            innermost[block] = Some(one);
        }
    }
    Nest {
        loops,
        around,
        outer_first,
        innermost,
    }
}

impl Nest {
    /// The blocks of a loop, or of the whole function, with those that may come next in the
    /// same round; a loop within is one block, its header. Next ones come first, but where
    /// there is a cycle that is no loop.
    pub fn ways(
        &self,
        function: &MachineFunction,
        region: Option<usize>,
    ) -> Vec<(usize, Vec<usize>)> {
        // What stands for a block that is in the region.
        let of = |block: usize| {
            let mut stands = block;
            let mut inside = self.innermost[block];
            while inside != region {
                stands = self.loops[inside?].header;
                inside = self.around[inside?];
            }
            Some(stands)
        };
        let begin = region.map_or(0, |number| self.loops[number].header);
        let begin = of(begin).unwrap_or(begin);
        let mut next = vec![Vec::new(); function.blocks.len()];
        for (block, data) in function.blocks.iter().enumerate() {
            let Some(from) = of(block) else { continue };
            let leads = data.successors.iter().filter_map(|&one| of(one));
            next[from].extend(leads.filter(|&to| to != from && to != begin));
        }
        let mut seen = vec![false; function.blocks.len()];
        seen[begin] = true;
        let mut stack = vec![(begin, 0)];
        let mut ways = Vec::new();
        while let Some((block, done)) = stack.pop() {
            match next[block].get(done) {
                Some(&to) => {
                    stack.push((block, done + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => ways.push((block, std::mem::take(&mut next[block]))),
            }
        }
        ways
    }
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

    fn depths_of(successors: &[&[usize]]) -> Vec<usize> {
        let nest = nest(&function(successors));
        let around = |one: &Option<usize>| {
            std::iter::successors(*one, |&number| nest.around[number]).count()
        };
        nest.innermost.iter().map(around).collect()
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
    fn ways_of_a_round() {
        let nested: [&[usize]; 6] = [&[1], &[2, 4], &[2, 3], &[1], &[5], &[4]];
        let function = function(&nested);
        let nest = nest(&function);
        let ways = |region| nest.ways(&function, region);
        assert_eq!(ways(Some(0)), [(3, vec![]), (2, vec![3]), (1, vec![2])]);
        assert_eq!(ways(Some(1)), [(2, vec![])]);
        assert_eq!(ways(None), [(4, vec![]), (1, vec![4]), (0, vec![1])]);
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
