//! Simplify: the order in which select will colour.
//!
//! A node whose degree allows it (the <p,q> test: the sum of q over its
//! neighbours is below p) is taken out of the graph, because it can be coloured
//! whatever its neighbours get. When none is left, the node that is cheapest to
//! spill for its degree goes, optimistically: it may still find a register.
//! Select takes the stack from the top. Nodes in coalesced groups count once.
//! Time: edges, plus a logarithm each time a candidate is looked at, which is at
//! most once for each edge and seldom more than twice. Source: cicc
//! documents, phase 4, with the test that `docs/fidelity.md` explains; Briggs,
//! Cooper and Torczon 1994. Where nothing may be spilled the order is another,
//! [`smallest_last`].

use crate::assign::problem::Problem;
use crate::function::VirtualRegister;
use crate::graph::Graph;
use cranelift_entity::PrimaryMap;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A spill candidate; ordered by spill cost / degree, then by number.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    ratio: f64,
    node: VirtualRegister,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let ratio = self.ratio.total_cmp(&other.ratio);
        ratio.then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What a profile changes.
pub struct Options {
    /// From this degree on a node is a spill candidate, whatever its registers.
    pub significant_degree: Option<u32>,
    /// What the spill cost of a node that others have joined counts.
    pub coalesced_weight: f64,
}

/// The assignment stack: these nodes, which are roots, the first to be coloured
/// last.
pub fn simplify(
    problem: &Problem,
    graph: &Graph,
    nodes: &[VirtualRegister],
    options: &Options,
) -> Vec<VirtualRegister> {
    let mut degree = graph.degrees().clone();
    let mut gone: PrimaryMap<VirtualRegister, bool> = degree.keys().map(|_| true).collect();
    for &node in nodes {
        gone[node] = false;
    }
    let cost: PrimaryMap<VirtualRegister, f64> = degree
        .keys()
        .map(|node| {
            if gone[node] {
                0.0
            } else {
                let joined = problem.groups.members(node).len() > 1;
                let weight = if joined {
                    options.coalesced_weight
                } else {
                    1.0
                };
                problem.group_cost(node) * weight
            }
        })
        .collect();
    let candidate = |node, degree: u32| Candidate {
        ratio: cost[node] / f64::from(degree.max(1)),
        node,
    };
    let significant = options.significant_degree.unwrap_or(u32::MAX);
    let is_trivial = |node, degree| degree < problem.available[node].min(significant);

    let (trivial, significant): (Vec<_>, Vec<_>) = nodes
        .iter()
        .partition(|&&node| is_trivial(node, degree[node]));
    let mut trivial: Vec<VirtualRegister> = trivial;
    let mut significant: BinaryHeap<_> = significant
        .into_iter()
        .map(|node| Reverse(candidate(node, degree[node])))
        .collect();
    let mut stack = Vec::with_capacity(nodes.len());
    loop {
        let node = match trivial.pop() {
            Some(node) => node,
            None => match significant.pop() {
                Some(Reverse(Candidate { node, .. })) if gone[node] => continue,
                Some(Reverse(stale)) => {
                    // Degrees only fall, so ratios only rise: an entry that is
                    // still the least with today's ratio is the least.
                    let fresh = candidate(stale.node, degree[stale.node]);
                    if fresh != stale {
                        significant.push(Reverse(fresh));
                        continue;
                    }
                    fresh.node
                }
                None => return stack,
            },
        };
        if std::mem::replace(&mut gone[node], true) {
            continue;
        }
        stack.push(node);
        for &neighbour in graph.neighbours(node) {
            if gone[neighbour] {
                continue;
            }
            let was_trivial = is_trivial(neighbour, degree[neighbour]);
            degree[neighbour] -= problem.blocked(neighbour, node);
            if !was_trivial && is_trivial(neighbour, degree[neighbour]) {
                trivial.push(neighbour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::live_set::RegisterPools;
    use crate::analysis::liveness::Liveness;
    use crate::assign::problem::Target;
    use crate::function::{FunctionBuilder, Operand};
    use crate::graph::interference::InterferenceGraph;
    use crate::graph::smallest_last::smallest_last;
    use crate::machine::gpu;

    /// The stacks of simplify and of smallest last, of four values on a GPU with two
    /// registers: one that all others meet and that costs least, and three of which two
    /// meet.
    fn stacks() -> [Vec<u32>; 2] {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c, hub] = [0; 4].map(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[hub, a, b].map(Operand::write));
        builder.plain(&[]);
        builder.plain(&[a, b].map(Operand::read));
        builder.plain(&[Operand::write(c)]);
        builder.plain(&[]);
        builder.plain(&[hub, c].map(Operand::read));
        let function = builder.finish();
        let machine = gpu::machine(2);
        let target = Target::new(&machine);
        let liveness = Liveness::new(&function, &machine);
        let costs = [9.0, 8.0, 7.0, 1.0].into_iter().collect();
        let problem = Problem::new(&function, &target, &liveness, costs);
        let pools = RegisterPools::new(&machine);
        let edges = InterferenceGraph::new(&function, &machine, &pools, &liveness, true);
        let graph = Graph::new(&problem, edges);
        let options = Options {
            significant_degree: Some(1),
            coalesced_weight: 1.0,
        };
        let nodes = [a, b, c, hub];
        [
            simplify(&problem, &graph, &nodes, &options),
            smallest_last(&problem, &graph, &nodes),
        ]
        .map(|stack| stack.iter().map(|value| value.as_u32()).collect())
    }

    #[test]
    fn the_cheapest_to_spill_is_coloured_last() {
        assert_eq!(stacks()[0], [3, 2, 1, 0]);
    }

    #[test]
    fn where_nothing_may_be_spilled_it_is_the_one_with_the_fewest_neighbours() {
        assert_eq!(stacks()[1], [2, 3, 1, 0]);
    }
}
