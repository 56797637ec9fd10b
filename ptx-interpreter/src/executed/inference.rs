//! How often each block of a function runs, from what its instructions tell.
//!
//! Evidence is not exact: an instruction may have been moved, doubled or made conditional
//! on the way from PTX to machine code. What holds exactly is that a block runs as often as
//! it is come to and as often as it is left. Of all numbers that obey this, those are taken
//! whose weighted distances from the evidence have the least sum; where nothing tells, the
//! way with the fewest instructions.
//!
//! Requires: each block can be reached from the first one. Complexity: see
//! [`circulation`](super::circulation).
//! Source: R. Levin, I. Newman and G. Haber, Complementing Missing and Inaccurate Profiling
//! Using a Minimum Cost Circulation Algorithm, HiPEAC 2008.

use super::circulation::{Network, UNBOUNDED};

/// What one instruction tells of its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evidence {
    /// It runs so often.
    pub count: u64,
    /// How much that counts.
    pub weight: u64,
}

/// A block of the flow graph.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// What is known of it.
    pub evidence: Vec<Evidence>,
    /// Where it may go on.
    pub successors: Vec<usize>,
    /// Whether the function may end here.
    pub exits: bool,
    /// How many instructions it has.
    pub length: u64,
}

/// Runs of each block of a function that is entered so often, at the first block.
pub fn runs(nodes: &[Node], entered: u64) -> Vec<u64> {
    let outside = 2 * nodes.len();
    let (entry, exit) = (|block| 2 * block, |block| 2 * block + 1);
    let ends = ends(nodes);
    let mut network = Network::new(outside + 1);
    let mut blocks = Vec::new();
    for (block, node) in nodes.iter().enumerate() {
        blocks.push(Through::new(&mut network, block, node));
        for &next in &node.successors {
            network.arc(exit(block), entry(next), UNBOUNDED, 0);
        }
        if node.exits || !ends[block] {
            network.arc(exit(block), outside, UNBOUNDED, 0);
        }
    }
    network.demand(outside, entry(0), entered);
    let found = network.solve();
    debug_assert!(found, "each amount can flow back");
    blocks
        .iter()
        .map(|through| through.flow(&network))
        .collect()
}

/// From which blocks the function can come to its end. The others run for ever, or end in a
/// way that the graph does not show: what comes there is taken to have left.
fn ends(nodes: &[Node]) -> Vec<bool> {
    let mut ends: Vec<_> = nodes.iter().map(|node| node.exits).collect();
    loop {
        let mut changed = false;
        for (block, node) in nodes.iter().enumerate().rev() {
            if !ends[block] && node.successors.iter().any(|&next| ends[next]) {
                (ends[block], changed) = (true, true);
            }
        }
        if !changed {
            return ends;
        }
    }
}

/// The arcs through a block: to run more often or less often than is most likely.
struct Through {
    likely: u64,
    more: Vec<usize>,
    less: Vec<usize>,
}

impl Through {
    fn new(network: &mut Network, block: usize, node: &Node) -> Self {
        let (entry, exit) = (2 * block, 2 * block + 1);
        let mut evidence = node.evidence.clone();
        evidence.sort_unstable();
        let total: u64 = evidence.iter().map(|e| e.weight).sum();
        if total == 0 {
            let more = vec![network.arc(entry, exit, UNBOUNDED, node.length.max(1))];
            let (likely, less) = (0, Vec::new());
            return Self { likely, more, less };
        }
        // The weighted median, and from there on up and down: the price of a step is the
        // weight of the evidence that it departs from less that of what it approaches.
        let mut below = 0;
        let middle = evidence.iter().position(|e| {
            below += e.weight;
            2 * below >= total
        });
        let middle = middle.unwrap_or(0);
        let likely = evidence[middle].count;
        network.demand(entry, exit, likely);
        let (mut more, mut less) = (Vec::new(), Vec::new());
        let mut departed = below;
        for i in middle..evidence.len() {
            let next = evidence.get(i + 1);
            let room = next.map_or(UNBOUNDED, |next| next.count - evidence[i].count);
            more.push(network.arc(entry, exit, room, departed - (total - departed)));
            departed += next.map_or(0, |next| next.weight);
        }
        let mut departed = total - (below - evidence[middle].weight);
        for i in (0..=middle).rev() {
            let next = i.checked_sub(1).map(|i| evidence[i]);
            let room = evidence[i].count - next.map_or(0, |next| next.count);
            less.push(network.arc(exit, entry, room, departed - (total - departed)));
            departed += next.map_or(0, |next| next.weight);
        }
        Self { likely, more, less }
    }

    fn flow(&self, network: &Network) -> u64 {
        let sum = |arcs: &[usize]| arcs.iter().map(|&arc| network.flow(arc)).sum::<u64>();
        self.likely + sum(&self.more) - sum(&self.less)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(evidence: &[(u64, u64)], successors: &[usize]) -> Node {
        let one = |&(count, weight): &(u64, u64)| Evidence { count, weight };
        Node {
            evidence: evidence.iter().map(one).collect(),
            successors: successors.to_vec(),
            exits: successors.is_empty(),
            length: 1,
        }
    }

    #[test]
    fn sound_evidence_is_kept() {
        let nodes = [
            node(&[(1, 10)], &[1]),
            node(&[(50, 10), (50, 100)], &[1, 2]),
            node(&[(1, 10)], &[]),
        ];
        assert_eq!(runs(&nodes, 1), [1, 50, 1]);
    }

    /// Three of the loop's instructions are now before it.
    #[test]
    fn what_has_been_moved_out_of_a_loop_counts_once() {
        let nodes = [
            node(&[(50, 10), (50, 10), (50, 10)], &[1]),
            node(&[(50, 100)], &[1, 2]),
            node(&[], &[]),
        ];
        assert_eq!(runs(&nodes, 1), [1, 50, 1]);
    }

    /// One side of the branch tells nothing.
    #[test]
    fn what_is_missing_follows_from_the_rest() {
        let nodes = [
            node(&[(10, 100)], &[1, 2]),
            node(&[(3, 10)], &[3]),
            node(&[], &[3]),
            node(&[(10, 10)], &[]),
        ];
        assert_eq!(runs(&nodes, 10), [10, 3, 7, 10]);
    }

    /// Both ways fit what is known: the branch around the block is shorter.
    #[test]
    fn where_nothing_tells_the_shortest_way_is_taken() {
        let nodes = [
            node(&[(10, 100)], &[1, 2]),
            node(&[], &[2]),
            node(&[(10, 10)], &[]),
        ];
        assert_eq!(runs(&nodes, 10), [10, 0, 10]);
    }

    #[test]
    fn the_weightier_evidence_wins() {
        let nodes = [
            node(&[(1, 100)], &[1]),
            node(&[(40, 10), (50, 100), (60, 20)], &[1, 2]),
            node(&[(1, 1)], &[]),
        ];
        assert_eq!(runs(&nodes, 1)[1], 50);
    }

    #[test]
    fn a_loop_without_an_end_runs_as_often_as_it_says() {
        let nodes = [node(&[(4, 10)], &[1]), node(&[(9, 10)], &[1])];
        assert_eq!(runs(&nodes, 4)[0], 4);
    }
}
