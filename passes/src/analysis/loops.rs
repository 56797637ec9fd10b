//! Natural loops and how deeply they nest.
//!
//! A loop is known by its header: several back edges to one header are one
//! loop, so the depth counts headers, not latches. The cicc document counts
//! latches; see `docs/fidelity.md`. Irreducible cycles have no header and add no
//! depth. Time: dominators, and for each loop the blocks up to its last one.

use super::control_flow::DominatorTree;
use crate::function::{Block, Function};
use cranelift_entity::SecondaryMap;
use std::cmp::Reverse;

/// A natural loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The block that every path into the loop enters.
    pub header: Block,
    /// All its blocks, the header first.
    pub blocks: Vec<Block>,
}

/// The natural loops, by header in layout order.
pub fn natural_loops(function: &Function) -> Vec<Loop> {
    if !goes_back(function) {
        return Vec::new();
    }
    let tree = DominatorTree::new(function);
    let mut loops = Vec::new();
    for (header, data) in &function.blocks {
        let latches = data.predecessors.iter().copied();
        let mut work: Vec<Block> = latches.filter(|&b| tree.dominates(header, b)).collect();
        if work.is_empty() {
            continue;
        }
        let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
        inside[header] = true;
        let mut blocks = vec![header];
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut inside[block], true) {
                blocks.push(block);
                work.extend_from_slice(&function.blocks[block].predecessors);
            }
        }
        loops.push(Loop { header, blocks });
    }
    loops
}

/// Whether some edge leads to a block that is not further down; without one there are no
/// cycles.
fn goes_back(function: &Function) -> bool {
    let mut blocks = function.blocks.iter();
    blocks.any(|(block, data)| data.successors.iter().any(|&next| next <= block))
}

/// For each block the number of loops around it.
pub fn loop_depths(function: &Function) -> SecondaryMap<Block, u32> {
    let mut depths = SecondaryMap::new();
    for natural_loop in natural_loops(function) {
        for block in natural_loop.blocks {
            depths[block] += 1;
        }
    }
    depths
}

/// The innermost loop around each block, and how loops lie in one another.
#[derive(Debug)]
pub struct LoopNest {
    /// By block: an index into the list of loops.
    innermost: SecondaryMap<Block, Option<u32>>,
    /// By loop: the next one around it.
    around: Vec<Option<u32>>,
}

impl LoopNest {
    /// Finds the loops of a function.
    pub fn new(function: &Function) -> Self {
        let mut loops = natural_loops(function);
        // Larger ones first, so that what is inside overwrites.
        loops.sort_by_key(|one| (Reverse(one.blocks.len()), one.header));
        let mut nest = Self {
            innermost: SecondaryMap::new(),
            around: Vec::new(),
        };
        for (index, one) in (0..).zip(&loops) {
            nest.around.push(nest.innermost[one.header]);
            for &block in &one.blocks {
                nest.innermost[block] = Some(index);
            }
        }
        nest
    }

    /// Number of loops; they are numbered from 0.
    pub fn count(&self) -> usize {
        self.around.len()
    }

    /// The loops around a block, the innermost first.
    pub fn around(&self, block: Block) -> impl Iterator<Item = u32> {
        std::iter::successors(self.innermost[block], |&inner| self.around[inner as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;

    #[test]
    fn loops_around_a_block_begin_with_the_innermost() {
        let mut builder = FunctionBuilder::new("f");
        let blocks: Vec<_> = (0..5).map(|_| builder.start_block(1.0, 0, &[])).collect();
        for (from, to) in [(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)] {
            builder.edge(blocks[from], blocks[to]);
        }
        let nest = LoopNest::new(&builder.finish());
        let around = |block: usize| nest.around(blocks[block]).collect::<Vec<_>>();
        assert_eq!(nest.count(), 2);
        assert_eq!(around(2), [1, 0]);
        assert_eq!(around(1), [0]);
        assert_eq!(around(3), [0]);
        assert!(around(0).is_empty() && around(4).is_empty());
    }

    #[test]
    fn two_back_edges_to_one_header_are_one_loop() {
        let mut builder = FunctionBuilder::new("f");
        let blocks: Vec<_> = (0..5).map(|_| builder.start_block(1.0, 0, &[])).collect();
        for (from, to) in [(0, 1), (1, 2), (1, 3), (2, 1), (3, 1), (1, 4)] {
            builder.edge(blocks[from], blocks[to]);
        }
        let function = builder.finish();
        let depths = loop_depths(&function);
        let depths: Vec<_> = blocks.iter().map(|&block| depths[block]).collect();
        assert_eq!(depths, [0, 1, 1, 1, 0]);
    }

    #[test]
    fn nested_loops_add_up() {
        let mut builder = FunctionBuilder::new("f");
        let blocks: Vec<_> = (0..5).map(|_| builder.start_block(1.0, 0, &[])).collect();
        for (from, to) in [(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)] {
            builder.edge(blocks[from], blocks[to]);
        }
        let function = builder.finish();
        let depths = loop_depths(&function);
        let depths: Vec<_> = blocks.iter().map(|&block| depths[block]).collect();
        assert_eq!(depths, [0, 1, 2, 1, 0]);
    }
}
