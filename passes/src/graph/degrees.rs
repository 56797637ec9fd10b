//! The interference graph as coalescing and simplify use it: with the weighted
//! degrees of Smith, Holloway and Ramsey's <p,q> test, kept up to date while roots
//! merge. The fat-point path has live ranges instead.

use super::interference::InterferenceGraph;
use crate::assign::merge::Merge;
use crate::assign::problem::Problem;
use crate::function::VirtualRegister;
use cranelift_entity::PrimaryMap;

/// Interference and degrees of one round.
pub struct Graph {
    edges: InterferenceGraph,
    /// For each root the sum of q over the roots it interferes with.
    degree: PrimaryMap<VirtualRegister, u32>,
    /// Number of interference edges a value had before coalescing; those come
    /// first in its list and are exact for the value alone.
    own_edges: PrimaryMap<VirtualRegister, u32>,
}

impl Graph {
    /// Adds the degrees to the edges; no value is merged with another yet.
    pub fn new(problem: &Problem, edges: InterferenceGraph) -> Self {
        let values = || problem.function.virtual_registers.keys();
        let degree = |value| {
            let neighbours = edges.neighbours(value).iter();
            neighbours.map(|&other| problem.blocked(value, other)).sum()
        };
        let own = |value| edges.neighbours(value).len() as u32;
        Self {
            degree: values().map(degree).collect(),
            own_edges: values().map(own).collect(),
            edges,
        }
    }

    /// Whether two values, or what is merged with them, interfere.
    pub fn interfere(&self, a: VirtualRegister, b: VirtualRegister) -> bool {
        self.edges.interfere(a, b)
    }

    /// All that a root interferes with, merged values among it.
    pub fn neighbours(&self, root: VirtualRegister) -> &[VirtualRegister] {
        self.edges.neighbours(root)
    }

    /// The values that interfere with this one itself, not with its group.
    pub fn own_neighbours(&self, value: VirtualRegister) -> &[VirtualRegister] {
        &self.edges.neighbours(value)[..self.own_edges[value] as usize]
    }

    /// The weighted degree of a root: the q of the <p,q> test.
    pub fn degree(&self, root: VirtualRegister) -> u32 {
        self.degree[root]
    }

    /// The degrees of all roots.
    pub fn degrees(&self) -> &PrimaryMap<VirtualRegister, u32> {
        &self.degree
    }

    /// Gives a root the edges of one that joins it. `problem` still has the two
    /// apart.
    pub fn merge(&mut self, problem: &Problem, merge: &Merge) {
        let (root, joining) = (merge.root, merge.joining);
        for index in 0..self.edges.neighbours(joining).len() {
            let other = self.edges.neighbours(joining)[index];
            let new = self.edges.add_edge(root, other);
            if problem.groups.is_root(other) {
                self.degree[other] -= problem.blocked(other, joining);
                if new {
                    self.degree[other] += problem.blocked(other, root);
                    self.degree[root] += problem.blocked(root, other);
                }
            }
        }
    }
}
