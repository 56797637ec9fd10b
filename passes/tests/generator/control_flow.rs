//! Random control flow: everything is reachable, loops may be irreducible.

use super::Choices;

/// The most blocks that a switch adds.
const CASES: usize = 100;

/// Blocks by number; 0 is the entry, which has no predecessors.
pub struct ControlFlow {
    pub successors: Vec<Vec<usize>>,
    pub predecessors: Vec<Vec<usize>>,
    /// For each block, the blocks on all paths from the entry to it, itself
    /// included.
    pub dominators: Vec<Vec<bool>>,
}

impl ControlFlow {
    /// A random graph: a tree of edges to higher blocks, which makes all of
    /// them reachable, and some edges from anywhere to anywhere.
    pub fn new(choices: &mut Choices) -> Self {
        let count = 1 + choices.below(9);
        let mut successors = vec![Vec::new(); count];
        for block in 1..count {
            // Most often the block before; a long chain has deep loops.
            let parent = block
                - 1
                - if choices.once_in(3) {
                    choices.below(block)
                } else {
                    0
                };
            successors[parent].push(block);
        }
        if count > 1 {
            for _ in 0..choices.below(count + 1) {
                let (from, to) = (choices.below(count), 1 + choices.below(count - 1));
                if !successors[from].contains(&to) {
                    successors[from].push(to);
                }
            }
        }
        if choices.once_in(16) {
            add_switch(&mut successors, choices);
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, list) in successors.iter().enumerate() {
            for &to in list {
                predecessors[to].push(from);
            }
        }
        let dominators = dominators(&predecessors);
        Self {
            successors,
            predecessors,
            dominators,
        }
    }
}

/// One block gets many new successors, of which most go to one block.
fn add_switch(successors: &mut Vec<Vec<usize>>, choices: &mut Choices) {
    let (switch, cases) = (choices.below(successors.len()), choices.below(CASES));
    let first = successors.len();
    let join = 1 + choices.below(first + cases);
    for case in first..first + cases {
        successors[switch].push(case);
        let to = match choices.below(8) {
            0..6 => Some(join),
            6 => Some(1 + choices.below(first + cases)),
            _ => None,
        };
        // A join beyond the last case makes this the block that returns.
        let to = to.filter(|&to| to < first + cases);
        successors.push(to.into_iter().collect());
    }
}

/// The textbook's iteration down from all blocks.
fn dominators(predecessors: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let count = predecessors.len();
    let mut dominators = vec![vec![true; count]; count];
    dominators[0] = (0..count).map(|other| other == 0).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for block in 1..count {
            let common: Vec<bool> = (0..count)
                .map(|other| {
                    let mut from = predecessors[block].iter();
                    other == block || from.all(|&from| dominators[from][other])
                })
                .collect();
            changed |= common != dominators[block];
            dominators[block] = common;
        }
    }
    dominators
}
