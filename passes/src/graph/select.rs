//! Select by the interference graph.
//!
//! Each node takes a register that no neighbour occupies, best one that saves a
//! copy ([`super::hints`]), else one that no neighbour hopes for, then one that leaves
//! unused registers, whole pairs and banks to others; of equal ones the first in its
//! class's order. A coalesced group that gets none is taken apart and its members are
//! coloured alone (Park and Moon). A value that must not be spilled takes its
//! register from values that may be ([`super::evict`]). What is left uncoloured is
//! spilled. Time: the edges of the nodes, and the registers of their classes. Source:
//! cicc documents, phase 5.

use crate::assign::colour_alone;
use crate::assign::colouring::{Assignments, Colouring, Surroundings};
use crate::assign::groups::Member;
use crate::assign::hints::{self, Hints};
use crate::assign::problem::Problem;
use crate::assign::{exchange, tuples as wide};
use crate::error::Error;
use crate::function::VirtualRegister;
use crate::graph::Graph;
use crate::machine::{Register, UnitSet};
use smallvec::SmallVec;

/// Colours the tuples of these numbers, then the nodes of the stack, last first.
///
/// # Errors
/// When the values of one instruction do not fit.
pub fn select(
    problem: &Problem,
    graph: &Graph,
    stack: &[VirtualRegister],
    tuples: &[u32],
    use_hints: bool,
) -> Result<Colouring, Error> {
    let hints = use_hints.then(|| Hints::new(problem));
    let mut state = GraphColouring::new(problem, graph);
    wide::place(problem, &mut state, hints.as_ref(), tuples);
    let mut alone = Vec::new();
    for &node in stack.iter().rev() {
        if state.colouring.register(node).is_some() {
            continue;
        }
        let members = problem.groups.members(node);
        if let Some(register) = state.choose(hints.as_ref(), node, members) {
            state.assign_group(members, register, problem.machine);
        } else {
            alone.extend(members.iter().map(|&(value, _)| value));
        }
    }
    colour_alone(problem, &mut state, alone, |state, value, member| {
        state.choose(hints.as_ref(), value, member)
    })?;
    if let Some(hints) = &hints {
        hints::mend_copies(problem, &mut state, hints);
        if state.colouring.failed().is_empty() {
            exchange::mend_tuples(problem, &mut state, hints);
        }
    }
    Ok(state.colouring)
}

/// The registers that these tuples get before anything else is coloured.
pub fn precolour(problem: &Problem, graph: &Graph, tuples: &[u32], use_hints: bool) -> Colouring {
    let hints = use_hints.then(|| Hints::new(problem));
    let mut state = GraphColouring::new(problem, graph);
    wide::place(problem, &mut state, hints.as_ref(), tuples);
    state.colouring
}

/// Mends the tuples of a finished colouring. The graph is that of the values themselves:
/// those that share a register because copies make them equal have no edge.
pub fn mend(problem: &Problem, graph: &Graph, finished: &Colouring) -> Colouring {
    let mut state = GraphColouring::new(problem, graph);
    for value in problem.function.virtual_registers.keys() {
        state.set(value, finished.register(value));
    }
    exchange::mend_tuples(problem, &mut state, &Hints::new(problem));
    state.colouring
}

/// The colouring of the graph in the making.
struct GraphColouring<'a> {
    problem: &'a Problem<'a>,
    graph: &'a Graph,
    colouring: Colouring,
    /// The units that any value has had.
    touched: UnitSet,
}

impl<'a> GraphColouring<'a> {
    /// Nothing is coloured yet.
    fn new(problem: &'a Problem<'a>, graph: &'a Graph) -> Self {
        Self {
            problem,
            graph,
            colouring: Colouring::new(problem.function),
            touched: UnitSet::new(problem.machine.table.unit_count),
        }
    }

    /// The best free register for a group, if there is one.
    fn choose(
        &self,
        hints: Option<&Hints>,
        node: VirtualRegister,
        members: &[Member],
    ) -> Option<Register> {
        let surroundings = self.surroundings(members);
        let is_free = |register: &Register| self.is_free(*register, &surroundings);
        if let Some(hints) = hints {
            let mut wanted = hints
                .wanted(self.problem, &self.colouring, node, members)
                .into_iter();
            if let Some(register) = wanted.find(is_free) {
                return Some(register);
            }
        }
        let class = match members {
            [(value, _)] => self.problem.function.virtual_registers[*value].class,
            _ => self.problem.class[node],
        };
        let order = &self.problem.machine.classes[class].order;
        let suit_all = self.problem.reserved.is_none() && self.problem.suit_all(class, members);
        let free = order.iter().copied().filter(|register| match suit_all {
            true => surroundings.are_apart_from(self.problem.machine.unit_words(*register)),
            false => is_free(register),
        });
        let wanted = hints.map(|hints| self.wanted_by_neighbours(hints, members));
        let is_wanted = |register: Register| {
            let mut wanted = wanted.iter().flatten();
            wanted.any(|&one| self.problem.machine.alias(register, one))
        };
        let harm = |register: Register| {
            let new = self.is_new(register);
            (
                is_wanted(register),
                new,
                self.breaks(register, &surroundings),
            )
        };
        let conflicts = |register: Register| {
            let register_of = |value| self.colouring.register(value);
            self.problem.bank_conflicts(register, members, register_of)
        };
        first_least(free, harm, conflicts)
    }

    /// Whether the register has a unit that no value has had, where there are pairs to
    /// keep whole. (Elsewhere the class's order says what to use first.)
    fn is_new(&self, register: Register) -> bool {
        let mut units = self.problem.machine.units(register).iter();
        self.problem.classes.has_wider() && units.any(|&unit| !self.touched.contains(unit))
    }

    /// How many wider registers, all of them free, this one would take a part of: a
    /// pair's half, if the other half is taken, is the better place for a single.
    fn breaks(&self, register: Register, surroundings: &Surroundings) -> usize {
        let is_whole =
            |&&wide: &&Register| surroundings.are_apart_from(self.problem.machine.unit_words(wide));
        let wider = self.problem.classes.wider(register).iter();
        wider.filter(is_whole).count()
    }

    /// The fixed registers that uncoloured neighbours would like: to be taken
    /// only if there is no other.
    fn wanted_by_neighbours(&self, hints: &Hints, members: &[Member]) -> SmallVec<[Register; 8]> {
        let mut wanted = SmallVec::new();
        if !hints.has_fixed() {
            return wanted;
        }
        for &(value, _) in members {
            for &neighbour in self.graph.own_neighbours(value) {
                let fixed = hints.fixed(neighbour);
                if !fixed.is_empty() && self.colouring.register(neighbour).is_none() {
                    wanted.extend(fixed.iter().map(|&(register, _)| register));
                }
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }
}

/// The first of the registers that do least harm, of these the least of the second kind, which is
/// asked about only where the first does not decide. Those behind one that does none are not
/// looked at.
fn first_least<K: Ord + Default, L: Ord + Default>(
    registers: impl Iterator<Item = Register>,
    harm: impl Fn(Register) -> K,
    second: impl Fn(Register) -> L,
) -> Option<Register> {
    let mut best: Option<((K, L), Register)> = None;
    for register in registers {
        let first = harm(register);
        if best.as_ref().is_some_and(|((least, _), _)| first > *least) {
            continue;
        }
        let harm = (first, second(register));
        if harm == Default::default() {
            return Some(register);
        }
        if best.as_ref().is_none_or(|(least, _)| harm < *least) {
            best = Some((harm, register));
        }
    }
    best.map(|(_, register)| register)
}

impl Assignments for GraphColouring<'_> {
    fn colouring(&self) -> &Colouring {
        &self.colouring
    }

    fn colouring_mut(&mut self) -> &mut Colouring {
        &mut self.colouring
    }

    fn set(&mut self, value: VirtualRegister, register: Option<Register>) {
        self.colouring.set(value, register);
        if let Some(register) = register {
            self.touched.add(self.problem.machine.unit_words(register));
        }
    }

    fn occupants(&self, value: VirtualRegister, register: Register) -> Vec<VirtualRegister> {
        let overlaps = |other| self.problem.machine.alias(register, other);
        let neighbours = self.graph.own_neighbours(value).iter().copied();
        neighbours
            .filter(|&neighbour| self.colouring.register(neighbour).is_some_and(overlaps))
            .collect()
    }

    fn surroundings<'a>(&self, members: &'a [Member]) -> Surroundings<'a> {
        let machine = self.problem.machine;
        let occupied = |&(value, _): &Member| {
            let mut occupied = UnitSet::new(machine.table.unit_count);
            let neighbours = self.graph.own_neighbours(value).iter();
            let registers = neighbours.filter_map(|&one| self.colouring.register(one));
            occupied.add_each(registers.map(|register| machine.unit_words(register)));
            occupied
        };
        let occupied = members.iter().map(occupied).collect();
        Surroundings { members, occupied }
    }

    fn is_free(&self, register: Register, surroundings: &Surroundings) -> bool {
        let machine = self.problem.machine;
        let free = |(&(value, part), occupied): (&Member, &UnitSet)| {
            machine.part(register, part).is_some_and(|register| {
                !occupied.has_any(machine.unit_words(register))
                    && self.problem.suits_value(register, value)
            })
        };
        let Surroundings { members, occupied } = surroundings;
        members.iter().zip(occupied).all(free)
    }
}
