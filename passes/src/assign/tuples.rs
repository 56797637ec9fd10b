//! Pre-colouring: tuples get their registers before anything else.
//!
//! A tuple looks for an aligned run in which all its values are free at once; the
//! groups that coalescing made go there as a whole. What an earlier tuple has placed
//! stays, and the run is the one that leaves the fewest values outside. Values for
//! which there is no place in it are coloured one by one, like all others. Time: for
//! each tuple its values times the registers of their class. Source: ptxas document,
//! pre-colouring and pre-allocation.

use super::colouring::{Assignments, Colouring};
use super::groups::Member;
use super::hints::Hints;
use super::problem::{Problem, Reserved};
use crate::analysis::tuples::{Base, Mention, base_of, votes};
use crate::error::Error;
use crate::function::VirtualRegister;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tracing::debug;

/// A group of the tuple that has no register yet.
struct Waiting<'a> {
    root: VirtualRegister,
    members: &'a [Member],
    mention: Mention,
    /// The bases at which its register is free; with whether it would save a copy.
    free: SmallVec<[(Base, bool); 16]>,
}

/// Places the tuples of these numbers, in this order.
pub fn place<A: Assignments>(
    problem: &Problem,
    state: &mut A,
    hints: Option<&Hints>,
    numbers: &[u32],
) {
    for &number in numbers {
        place_one(problem, state, hints, number);
    }
}

fn place_one<A: Assignments>(problem: &Problem, state: &mut A, hints: Option<&Hints>, number: u32) {
    let tuple = &problem.function.tuples[number as usize];
    let waiting = waiting(problem, state, hints, number);
    if waiting.is_empty() {
        return;
    }
    let register_of = |value| state.colouring().register(value);
    let placed = votes(problem.function, problem.machine, tuple, register_of);
    let Some(base) = best_base(&waiting, &placed) else {
        return;
    };
    for group in &waiting {
        let is_there = group.free.iter().any(|&(free, _)| free == base);
        let class = problem.class[group.root];
        let register = problem.tuples.register(class, group.mention, base);
        // The histograms sum up members; before it counts, each is looked at.
        if let Some(register) = register.filter(|_| is_there) {
            let surroundings = state.surroundings(group.members);
            if state.is_free(register, &surroundings) {
                state.assign_group(group.members, register, problem.machine);
            }
        }
    }
}

/// The run that leaves the fewest values outside; of equal ones that which saves most
/// copies, then the lowest. None if it would have one value.
fn best_base(waiting: &[Waiting], placed: &[(Base, u32)]) -> Option<Base> {
    let mut counts: BTreeMap<Base, (u32, u32)> = BTreeMap::new();
    for &(base, votes) in placed {
        counts.entry(base).or_default().0 += votes;
    }
    for &(base, saves) in waiting.iter().flat_map(|group| &group.free) {
        let count = counts.entry(base).or_default();
        count.0 += 1;
        count.1 += u32::from(saves);
    }
    let counts = counts.into_iter().filter(|(_, (inside, _))| *inside > 1);
    let best = counts.min_by_key(|&(base, (inside, saves))| (Reverse((inside, saves)), base));
    best.map(|(base, _)| base)
}

/// The groups of the tuple without a register, each once, with where they could go.
fn waiting<'a, A: Assignments>(
    problem: &'a Problem,
    state: &mut A,
    hints: Option<&Hints>,
    number: u32,
) -> Vec<Waiting<'a>> {
    let tuple = &problem.function.tuples[number as usize];
    let mut groups: Vec<Waiting> = Vec::new();
    for (place, value) in problem.function.tuple_values(tuple) {
        let (root, part) = problem.groups.find(value);
        let is_known = groups.iter().any(|group| group.root == root);
        if is_known || !part.is_whole() || state.colouring().register(value).is_some() {
            continue;
        }
        let members = problem.groups.members(root);
        let wanted = hints.map(|hints| hints.wanted(problem, state.colouring(), root, members));
        let wanted = wanted.unwrap_or_default();
        let order = &problem.machine.classes[problem.class[root]].order;
        let free = state.free_registers(problem, root, members);
        let bases = order.iter().zip(free).filter_map(|(&register, is_free)| {
            let base = base_of(problem.machine, tuple, place, register);
            Some((base.filter(|_| is_free)?, wanted.contains(&register)))
        });
        groups.push(Waiting {
            root,
            members,
            mention: Mention {
                tuple: number,
                place,
            },
            free: bases.collect(),
        });
    }
    groups
}

/// Selects with all tuples placed first; if that leaves a value without a register, with
/// the first half of them, and so on down to none. Unless `reuse`, no other value may have
/// a register that they have got.
pub fn as_many_as_possible(
    problem: &mut Problem,
    reuse: bool,
    precolour: impl Fn(&Problem, &[u32]) -> Colouring,
    select: impl Fn(&Problem, &[u32]) -> Result<Colouring, Error>,
) -> Result<Colouring, Error> {
    let order = problem.tuples.order(problem.function);
    let mut count = order.len();
    loop {
        let first = &order[..count];
        problem.reserved = None;
        if !reuse && count > 0 {
            let precolouring = precolour(problem, first);
            problem.reserved = Some(Reserved::new(problem, |value| precolouring.register(value)));
        }
        let colouring = select(problem, first);
        let failed = colouring.as_ref().map(|one| one.failed().len());
        debug!(tuples = count, failed = failed.unwrap_or(0), "placed first");
        if count == 0 || matches!(failed, Ok(0)) {
            return colouring;
        }
        count /= 2;
    }
}
