//! Where the threads of a warp that a branch parts meet again.
//!
//! They meet in the first block that all of them come to, whichever way they take: the
//! branch's immediate post-dominator. A thread that returns comes to no block, and waits
//! for nobody; so a block that returns and does nothing else is no way to go, unless a
//! block has no other. A block from which threads never come to an end counts as an end.
//!
//! Time: the iterative algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
//! Algorithm" (2001), on the reversed graph: near-linear for reducible control flow.

use crate::function::{Block, Function};

/// Post-dominators. Blocks are nodes by their number; behind them comes the end.
pub(super) struct PostDominance {
    /// For each block, the nodes at which threads go on; the end is one of those of blocks
    /// that would not lead to it.
    ways: Vec<Vec<usize>>,
    /// The immediate post-dominator of each node; of the end, itself.
    meeting: Vec<usize>,
    /// Post-dominators above each node.
    depth: Vec<u32>,
}

impl PostDominance {
    /// Computes it.
    pub fn new(function: &Function) -> Self {
        let ways = ways(function);
        let order = towards_the_end(&ways);
        let meeting = meetings(&ways, &order);
        let mut depth = vec![0; ways.len() + 1];
        // Each node stands behind its post-dominators.
        for &node in order.iter().skip(1) {
            depth[node] = depth[meeting[node]] + 1;
        }
        Self {
            ways,
            meeting,
            depth,
        }
    }

    /// The node of a block.
    pub fn node(block: Block) -> usize {
        block.as_u32() as usize
    }

    /// The blocks where threads go on behind one.
    pub fn ways(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.ways.len();
        let ways = self.ways.get(node).into_iter().flatten();
        ways.copied().filter(move |&way| way != end)
    }

    /// Where all of them meet again.
    pub fn meeting(&self, node: usize) -> usize {
        self.meeting[node]
    }

    /// How many nodes all threads pass behind this one.
    pub fn depth(&self, node: usize) -> u32 {
        self.depth[node]
    }
}

/// The ways from each block, so that each leads to the end, the node behind all blocks.
fn ways(function: &Function) -> Vec<Vec<usize>> {
    let end = function.blocks.len();
    let only_returns = |block: Block| {
        let mut all = function.block_instructions(block);
        let names = |instruction| function.instruction_operands(instruction).iter();
        function.blocks[block].successors.is_empty()
            && all.all(|instruction| names(instruction).all(|one| one.virtual_register().is_none()))
    };
    let mut may_return = vec![false; end];
    let mut ways = Vec::with_capacity(end);
    for (block, data) in &function.blocks {
        let (returning, mut staying): (Vec<Block>, Vec<Block>) =
            data.successors.iter().partition(|&&one| only_returns(one));
        may_return[PostDominance::node(block)] = !returning.is_empty();
        if staying.is_empty() {
            staying = returning;
        }
        let mut ways_here: Vec<usize> = staying.into_iter().map(PostDominance::node).collect();
        if ways_here.is_empty() {
            ways_here.push(end);
        }
        ways.push(ways_here);
    }
    // Threads that go round together until they return come to the end where they do;
    // those that go round for ever, anywhere.
    for is_anywhere in [false, true] {
        let mut is_stuck = vec![true; end + 1];
        for node in towards_the_end(&ways) {
            is_stuck[node] = false;
        }
        for node in (0..end).filter(|&node| is_stuck[node]) {
            if may_return[node] || is_anywhere {
                ways[node].push(end);
            }
        }
    }
    ways
}

/// The nodes that have a way to the end, which is the first; each behind one of those that
/// it leads to, and where there is no loop, behind all of them.
fn towards_the_end(ways: &[Vec<usize>]) -> Vec<usize> {
    let end = ways.len();
    let mut comes_from = vec![Vec::new(); end + 1];
    for (node, ways) in ways.iter().enumerate() {
        ways.iter().for_each(|&to| comes_from[to].push(node));
    }
    let mut seen = vec![false; end + 1];
    seen[end] = true;
    let mut order = Vec::with_capacity(end + 1);
    let mut path = vec![(end, 0)];
    while let Some((node, next)) = path.pop() {
        let Some(&from) = comes_from[node].get(next) else {
            order.push(node);
            continue;
        };
        path.push((node, next + 1));
        if !std::mem::replace(&mut seen[from], true) {
            path.push((from, 0));
        }
    }
    order.reverse();
    order
}

/// The immediate post-dominators of the ordered nodes, which are all.
fn meetings(ways: &[Vec<usize>], order: &[usize]) -> Vec<usize> {
    let end = ways.len();
    let mut place = vec![usize::MAX; end + 1];
    for (number, &node) in order.iter().enumerate() {
        place[node] = number;
    }
    let mut meeting: Vec<Option<usize>> = vec![None; end + 1];
    meeting[end] = Some(end);
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for &node in &order[1..] {
            let known = ways[node].iter().filter(|&&way| meeting[way].is_some());
            let found = known.copied().reduce(|mut a, mut b| {
                while a != b {
                    let later = if place[a] > place[b] { &mut a } else { &mut b };
                    *later = meeting[*later].unwrap_or(end);
                }
                a
            });
            if found != meeting[node] {
                meeting[node] = found;
                is_changed = true;
            }
        }
    }
    meeting.into_iter().map(|one| one.unwrap_or(end)).collect()
}

#[cfg(test)]
mod tests;
