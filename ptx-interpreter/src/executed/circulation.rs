//! A circulation of least cost: how much flows through each arc of a network where what
//! comes to a node also leaves it, and where each arc has a price that rises with its flow.
//!
//! Requires: prices are not negative, and an arc with a demand comes with one that takes it
//! back, so that there is a solution. Ensures: the sum of the prices is the least; of several
//! such flows always the same one is found. Complexity: a shortest path (Dijkstra) for each
//! of the paths along which the flow is corrected.
//! Source: successive shortest paths with potentials; Ahuja, Magnanti and Orlin, Network
//! Flows, chapter 9.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More than ever flows.
pub const UNBOUNDED: u64 = u64::MAX / 4;

/// An arc, and what can still flow through it.
struct Arc {
    to: usize,
    room: u64,
    price: i64,
}

/// A network under construction.
#[derive(Default)]
pub struct Network {
    /// Pairs: an arc and the way back.
    arcs: Vec<Arc>,
    leaving: Vec<Vec<usize>>,
    /// What comes to a node without having left another one, less what leaves it so.
    surplus: Vec<i128>,
}

impl Network {
    /// A network of that many nodes.
    pub fn new(nodes: usize) -> Self {
        Self {
            arcs: Vec::new(),
            leaving: vec![Vec::new(); nodes],
            surplus: vec![0; nodes],
        }
    }

    /// Adds an arc that takes up to `room` for `price` each; gives its number.
    pub fn arc(&mut self, from: usize, to: usize, room: u64, price: u64) -> usize {
        let index = self.arcs.len();
        let price = price as i64;
        self.arcs.push(Arc { to, room, price });
        self.arcs.push(Arc {
            to: from,
            room: 0,
            price: -price,
        });
        self.leaving[from].push(index);
        self.leaving[to].push(index + 1);
        index
    }

    /// So much flows from one node to the other in any case.
    pub fn demand(&mut self, from: usize, to: usize, amount: u64) {
        self.surplus[from] -= i128::from(amount);
        self.surplus[to] += i128::from(amount);
    }

    /// What flows through an arc.
    pub fn flow(&self, arc: usize) -> u64 {
        self.arcs[arc ^ 1].room
    }

    /// Finds the circulation; whether there is one.
    pub fn solve(&mut self) -> bool {
        let nodes = self.leaving.len();
        let (source, sink) = (nodes, nodes + 1);
        self.leaving.resize(nodes + 2, Vec::new());
        let surplus = std::mem::take(&mut self.surplus);
        let mut missing = 0;
        for (node, &surplus) in surplus.iter().enumerate() {
            let amount = surplus.unsigned_abs() as u64;
            match surplus {
                1.. => {
                    self.arc(source, node, amount, 0);
                    missing += amount;
                }
                0 => {}
                _ => {
                    self.arc(node, sink, amount, 0);
                }
            }
        }
        let mut potential = vec![0; nodes + 2];
        while missing > 0 {
            let Some(path) = self.shortest(source, sink, &mut potential) else {
                return false;
            };
            let amount = path.iter().map(|&arc| self.arcs[arc].room).min();
            let amount = amount.unwrap_or(0);
            for arc in path {
                self.arcs[arc].room -= amount;
                self.arcs[arc ^ 1].room += amount;
            }
            missing -= amount;
        }
        true
    }

    /// The arcs of a cheapest path; updates the potentials, with which no arc that has room
    /// is of negative price.
    fn shortest(&self, source: usize, sink: usize, potential: &mut [i64]) -> Option<Vec<usize>> {
        const FAR: i64 = i64::MAX;
        let mut distance = vec![FAR; self.leaving.len()];
        let mut by = vec![usize::MAX; self.leaving.len()];
        let mut queue = BinaryHeap::from([Reverse((0, source))]);
        distance[source] = 0;
        while let Some(Reverse((far, node))) = queue.pop() {
            if far > distance[node] {
                continue;
            }
            if node == sink {
                break;
            }
            for &index in &self.leaving[node] {
                let arc = &self.arcs[index];
                let next = far + arc.price + potential[node] - potential[arc.to];
                if arc.room > 0 && next < distance[arc.to] {
                    distance[arc.to] = next;
                    by[arc.to] = index;
                    queue.push(Reverse((next, arc.to)));
                }
            }
        }
        if distance[sink] == FAR {
            return None;
        }
        // Nodes that are farther than the sink, or not settled, count as far as it.
        let end = distance[sink];
        for (potential, distance) in potential.iter_mut().zip(distance) {
            *potential += distance.min(end);
        }
        let mut path = Vec::new();
        let mut node = sink;
        while node != source {
            path.push(by[node]);
            node = self.arcs[by[node] ^ 1].to;
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_cheaper_way_is_taken_as_far_as_it_has_room() {
        let mut network = Network::new(3);
        network.demand(0, 1, 10);
        let back = network.arc(1, 2, 7, 1);
        let rest = network.arc(2, 0, UNBOUNDED, 0);
        let dear = network.arc(1, 0, UNBOUNDED, 5);
        assert!(network.solve());
        assert_eq!([back, rest, dear].map(|arc| network.flow(arc)), [7, 7, 3]);
    }

    #[test]
    fn what_cannot_return_is_refused() {
        let mut network = Network::new(2);
        network.demand(0, 1, 3);
        network.arc(1, 0, 2, 1);
        assert!(!network.solve());
    }

    /// All flows of small networks.
    #[test]
    fn no_other_flow_is_cheaper() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            const NODES: usize = 4;
            let mut network = Network::new(NODES);
            let mut arcs = Vec::new();
            for from in 0..NODES {
                for to in 0..NODES {
                    if from != to && random.below(2) == 0 {
                        let (room, price) = (random.below(3), random.below(4));
                        arcs.push((from, to, room, price, network.arc(from, to, room, price)));
                    }
                }
            }
            let amount = 1 + random.below(3);
            network.demand(0, NODES - 1, amount);
            let solved = network.solve();
            let mut best: Option<u64> = None;
            let all: u64 = arcs.iter().map(|a| a.2 + 1).product();
            for mut code in 0..all {
                let mut excess = [0i64; NODES];
                excess[NODES - 1] = amount as i64;
                excess[0] = -(amount as i64);
                let mut cost = 0;
                for &(from, to, room, price, _) in &arcs {
                    let flow = code % (room + 1);
                    code /= room + 1;
                    excess[from] -= flow as i64;
                    excess[to] += flow as i64;
                    cost += flow * price;
                }
                if excess == [0; NODES] {
                    best = Some(best.map_or(cost, |b| b.min(cost)));
                }
            }
            assert_eq!(solved, best.is_some());
            if let Some(best) = best {
                let cost: u64 = arcs.iter().map(|a| a.3 * network.flow(a.4)).sum();
                assert_eq!(cost, best);
            }
        }
    }
}
