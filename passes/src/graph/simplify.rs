//! Simplify: the order in which select will colour.
//!
//! A node whose degree allows it (the <p,q> test: the sum of q over its
//! neighbours is below p) is taken out of the graph, because it can be coloured
//! whatever its neighbours get. When none is left, the node that is cheapest to
//! spill for its degree goes, optimistically: it may still find a register.
//! Select takes the stack from the top. Nodes in coalesced groups count once.
//!
//! With the six lists of ptxas ([`crate::order::lists`]) what may have to be spilled is on
//! four worklists instead of one, drained one after the other, and what becomes colourable
//! joins Unconstrained: Chaitin and Briggs' simplify in the order that the ptxas document
//! describes.
//! Time: edges, plus a logarithm each time a candidate is looked at, which is at
//! most once for each edge and seldom more than twice. Source: cicc
//! documents, phase 4, with the test that `docs/fidelity.md` explains; Briggs,
//! Cooper and Torczon 1994. Where nothing may be spilled the order is another,
//! [`smallest_last`].

use crate::assign::problem::Problem;
use crate::function::VirtualRegister;
use crate::graph::Graph;
use crate::order::lists::{Criteria, Facts, List, classify};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use tracing::trace;

/// Lists of nodes that may have to be spilled: VeryHigh, which LargeVec joins, High, LowConf
/// and LowLate.
const LISTS: usize = 4;

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
    /// The six lists as worklists, by these criteria; two without: what is colourable
    /// whatever its neighbours get, and all else.
    pub lists: Option<Criteria>,
}

/// The worklists of nodes that are still in the graph, drained one after the other.
struct Worklists<'a> {
    problem: &'a Problem<'a>,
    significant_degree: u32,
    cost: PrimaryMap<VirtualRegister, f64>,
    /// What the six lists ask about each node; nothing without them.
    facts: SecondaryMap<VirtualRegister, Option<Facts>>,
    /// What is colourable whatever its neighbours get.
    unconstrained: Vec<VirtualRegister>,
    /// All else, by lists: the lowest ratio first.
    constrained: [BinaryHeap<Reverse<Candidate>>; LISTS],
}

impl<'a> Worklists<'a> {
    fn new(
        problem: &'a Problem,
        graph: &Graph,
        nodes: &[VirtualRegister],
        options: &Options,
    ) -> Self {
        let degree = graph.degrees();
        let mut cost: PrimaryMap<_, _> = degree.keys().map(|_| 0.0).collect();
        for &node in nodes {
            let joined = problem.groups.members(node).len() > 1;
            let weight = if joined {
                options.coalesced_weight
            } else {
                1.0
            };
            cost[node] = problem.group_cost(node) * weight;
        }
        let mut facts = SecondaryMap::new();
        if let Some(criteria) = options.lists {
            for &node in nodes {
                facts[node] = Some(Facts::new(problem, node, degree[node], criteria));
            }
        }
        let mut lists = Self {
            problem,
            significant_degree: options.significant_degree.unwrap_or(u32::MAX),
            cost,
            facts,
            unconstrained: Vec::new(),
            constrained: Default::default(),
        };
        for &node in nodes {
            match lists.list(node, degree[node]) {
                List::Unconstrained => lists.unconstrained.push(node),
                list => {
                    let candidate = lists.candidate(node, degree[node]);
                    lists.constrained[list.drained() as usize - 1].push(Reverse(candidate));
                }
            }
        }
        lists
    }

    fn candidate(&self, node: VirtualRegister, degree: u32) -> Candidate {
        Candidate {
            ratio: self.cost[node] / f64::from(degree.max(1)),
            node,
        }
    }

    /// The list that a node of this degree is on.
    fn list(&self, node: VirtualRegister, degree: u32) -> List {
        let degree = match degree < self.significant_degree {
            true => degree,
            false => u32::MAX,
        };
        match self.facts[node] {
            Some(facts) => classify(&Facts { degree, ..facts }),
            None if degree < self.problem.available[node] => List::Unconstrained,
            None => List::LowConf,
        }
    }

    /// The next node that is still in the graph.
    fn next(
        &mut self,
        degree: &PrimaryMap<VirtualRegister, u32>,
        gone: &PrimaryMap<VirtualRegister, bool>,
    ) -> Option<VirtualRegister> {
        while let Some(node) = self.unconstrained.pop() {
            if !gone[node] {
                return Some(node);
            }
        }
        for list in 0..LISTS {
            while let Some(Reverse(stale)) = self.constrained[list].pop() {
                if gone[stale.node] {
                    continue;
                }
                // Degrees only fall, so ratios only rise: an entry that is
                // still the least with today's ratio is the least.
                let fresh = self.candidate(stale.node, degree[stale.node]);
                if fresh == stale {
                    return Some(fresh.node);
                }
                self.constrained[list].push(Reverse(fresh));
            }
        }
        None
    }

    /// A node's degree has fallen.
    fn lowered(&mut self, node: VirtualRegister, before: u32, now: u32) {
        if self.is_unconstrained(node, now) && !self.is_unconstrained(node, before) {
            self.unconstrained.push(node);
        }
    }

    /// Whether that is the list that a node of this degree is on.
    fn is_unconstrained(&self, node: VirtualRegister, degree: u32) -> bool {
        match &self.facts[node] {
            Some(_) => self.list(node, degree) == List::Unconstrained,
            None => degree < self.significant_degree && degree < self.problem.available[node],
        }
    }
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
    let mut worklists = Worklists::new(problem, graph, nodes, options);
    let mut stack = Vec::with_capacity(nodes.len());
    while let Some(node) = worklists.next(&degree, &gone) {
        match options.lists {
            Some(_) => {
                let list = worklists.list(node, degree[node]);
                trace!(value = %node, ?list, position = stack.len(), "simplified");
            }
            None => trace!(value = %node, position = stack.len(), "simplified"),
        }
        gone[node] = true;
        stack.push(node);
        for &neighbour in graph.neighbours(node) {
            if !gone[neighbour] {
                let before = degree[neighbour];
                degree[neighbour] -= problem.blocked(neighbour, node);
                worklists.lowered(neighbour, before, degree[neighbour]);
            }
        }
    }
    stack
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
        let edges = InterferenceGraph::new(&function, &pools, &liveness, true);
        let graph = Graph::new(&problem, edges);
        let options = Options {
            significant_degree: Some(1),
            coalesced_weight: 1.0,
            lists: None,
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
