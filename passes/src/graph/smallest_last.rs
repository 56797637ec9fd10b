//! The order for trials, in which nothing may be spilled: smallest last.
//!
//! As in [`super`], a node goes that can be coloured whatever its neighbours get. If there
//! is none, the one with the least degree among those that are left goes, so that what has
//! most neighbours is coloured while there is most choice: costs say nothing where nothing
//! may be spilled. These nodes are kept in one list for each degree. Time: the edges.
//! Source: Matula and Beck 1983, with the degrees of [`super`].

use crate::assign::problem::Problem;
use crate::function::VirtualRegister;
use crate::graph::Graph;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// The assignment stack: the first to be coloured last.
pub fn smallest_last(
    problem: &Problem,
    graph: &Graph,
    nodes: &[VirtualRegister],
) -> Vec<VirtualRegister> {
    let degrees = graph.degrees();
    let is_trivial = |node: VirtualRegister, degree: u32| degree < problem.available[node];
    let (mut trivial, others): (Vec<_>, Vec<_>) = nodes
        .iter()
        .partition(|&&node| is_trivial(node, degrees[node]));
    let mut left = ByDegree::new(degrees.clone(), &others);
    let mut stack = Vec::with_capacity(nodes.len());
    while let Some(node) = trivial.pop().or_else(|| left.take_least()) {
        stack.push(node);
        for &neighbour in graph.neighbours(node) {
            if left.contains(neighbour) {
                left.lower(neighbour, problem.blocked(neighbour, node));
                if is_trivial(neighbour, left.degree[neighbour]) {
                    left.leave(neighbour);
                    trivial.push(neighbour);
                }
            }
        }
    }
    stack
}

/// Nodes in doubly linked lists, one for each degree.
struct ByDegree {
    degree: PrimaryMap<VirtualRegister, u32>,
    /// For each degree, its first node.
    first: Vec<PackedOption<VirtualRegister>>,
    links: SecondaryMap<VirtualRegister, Links>,
    /// No node has a degree below.
    least: usize,
}

#[derive(Clone, Copy, Default)]
struct Links {
    is_there: bool,
    before: PackedOption<VirtualRegister>,
    behind: PackedOption<VirtualRegister>,
}

impl ByDegree {
    fn new(degree: PrimaryMap<VirtualRegister, u32>, nodes: &[VirtualRegister]) -> Self {
        let most = nodes.iter().map(|&node| degree[node]).max().unwrap_or(0);
        let mut new = Self {
            degree,
            first: vec![None.into(); most as usize + 1],
            links: SecondaryMap::new(),
            least: 0,
        };
        for &node in nodes.iter().rev() {
            new.enter(node);
        }
        new
    }

    fn contains(&self, node: VirtualRegister) -> bool {
        self.links[node].is_there
    }

    fn enter(&mut self, node: VirtualRegister) {
        let degree = self.degree[node] as usize;
        let behind = std::mem::replace(&mut self.first[degree], node.into());
        if let Some(behind) = behind.expand() {
            self.links[behind].before = node.into();
        }
        self.links[node] = Links {
            is_there: true,
            before: None.into(),
            behind,
        };
        self.least = self.least.min(degree);
    }

    fn leave(&mut self, node: VirtualRegister) {
        let Links { before, behind, .. } = std::mem::take(&mut self.links[node]);
        match before.expand() {
            Some(before) => self.links[before].behind = behind,
            None => self.first[self.degree[node] as usize] = behind,
        }
        if let Some(behind) = behind.expand() {
            self.links[behind].before = before;
        }
    }

    fn lower(&mut self, node: VirtualRegister, by: u32) {
        self.leave(node);
        self.degree[node] -= by;
        self.enter(node);
    }

    fn take_least(&mut self) -> Option<VirtualRegister> {
        let lists = self.first[self.least..].iter();
        let found = lists.map(|first| first.expand()).enumerate();
        let (above, node) = found.filter_map(|(at, node)| Some((at, node?))).next()?;
        self.least += above;
        self.leave(node);
        Some(node)
    }
}
