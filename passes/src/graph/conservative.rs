//! The two conservative tests, for classes, pairs and aliases.
//!
//! A neighbour is significant if it is not trivially colourable, that is if its
//! weighted degree (sum of q) reaches the number of its registers (p). Briggs: the
//! significant neighbours of the merged node together leave it a register. George:
//! every neighbour of one node is insignificant or a neighbour of the other
//! already, and the merged node may have every register that the other may have.

use crate::assign::merge::Merge;
use crate::assign::problem::Problem;
use crate::function::VirtualRegister;
use crate::graph::Graph;

/// Whether a merge keeps the graph as colourable as it was. Degrees are weighted
/// with `factor` before they are compared; below one the answer is a guess.
pub fn is_safe(
    problem: &Problem,
    graph: &Graph,
    merge: &Merge,
    available: u32,
    factor: f64,
) -> bool {
    briggs(problem, graph, merge, available, factor)
        || available == problem.available[merge.root]
            && george(problem, graph, merge.joining, merge.root, factor)
        || merge.part.is_whole()
            && available == problem.available[merge.joining]
            && problem.class[merge.root] == problem.class[merge.joining]
            && george(problem, graph, merge.root, merge.joining, factor)
}

fn briggs(problem: &Problem, graph: &Graph, merge: &Merge, available: u32, factor: f64) -> bool {
    let mut taken = 0;
    let mut fits = |neighbour: VirtualRegister, degree: u32| {
        if f64::from(degree) * factor >= f64::from(problem.available[neighbour]) {
            taken += problem.blocked(merge.root, neighbour);
        }
        taken < available
    };
    let both = |neighbour, other| graph.interfere(neighbour, other);
    let roots = |node| {
        let neighbours = graph.neighbours(node).iter().copied();
        neighbours.filter(|&neighbour| problem.groups.is_root(neighbour))
    };
    for neighbour in roots(merge.root) {
        let mut degree = graph.degree(neighbour);
        if both(neighbour, merge.joining) {
            degree -= problem.blocked(neighbour, merge.joining);
        }
        if !fits(neighbour, degree) {
            return false;
        }
    }
    for neighbour in roots(merge.joining) {
        if both(neighbour, merge.root) {
            continue;
        }
        let degree = graph.degree(neighbour) - problem.blocked(neighbour, merge.joining)
            + problem.blocked(neighbour, merge.root);
        if !fits(neighbour, degree) {
            return false;
        }
    }
    true
}

fn george(
    problem: &Problem,
    graph: &Graph,
    joining: VirtualRegister,
    into: VirtualRegister,
    factor: f64,
) -> bool {
    graph.neighbours(joining).iter().all(|&neighbour| {
        !problem.groups.is_root(neighbour)
            || graph.interfere(neighbour, into)
            || f64::from(graph.degree(neighbour)) * factor < f64::from(problem.available[neighbour])
    })
}
