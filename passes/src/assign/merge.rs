//! How the groups at the two ends of a copy become one.
//!
//! Both engines go about it in the same way, and differ in how they see that two groups
//! interfere.

use super::limits::Limits;
use super::problem::{End, Problem};
use crate::function::{OperandRegister, VirtualRegister};
use crate::machine::SubRegisterIndex;
use crate::settings::{Filter, Settings};
use tracing::debug;

/// What may be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// A copy with any of these is no candidate.
    pub rejected: Filter,
    /// How far merging may go.
    pub limits: Limits,
}

impl Options {
    /// What the settings allow.
    pub fn new(settings: &Settings) -> Self {
        Self {
            rejected: settings.coalescing_filter,
            limits: Limits::new(&settings.knobs),
        }
    }
}

impl Default for Options {
    /// All that can be.
    fn default() -> Self {
        Self {
            rejected: Filter::PHYSICAL,
            limits: Limits::default(),
        }
    }
}

/// How two roots would be merged.
#[derive(Clone, Copy, Debug)]
pub struct Merge {
    /// Stays a root.
    pub root: VirtualRegister,
    /// Joins it.
    pub joining: VirtualRegister,
    /// The part of the root's register that it joins as.
    pub part: SubRegisterIndex,
}

/// How many copies have ends that need not get the same register.
pub fn copies_left(problem: &Problem) -> usize {
    let together = |to: End, from: End| {
        let (to, from) = (locate(problem, to), locate(problem, from));
        to.is_some() && to == from
    };
    let copies = problem.copies.iter();
    copies.filter(|copy| !together(copy.to, copy.from)).count()
}

/// The root behind one end of a copy, and which part of the root's register the
/// copy touches. None for physical registers and for parts of parts.
pub fn locate(problem: &Problem, end: End) -> Option<(VirtualRegister, SubRegisterIndex)> {
    let OperandRegister::Virtual(value) = end.register else {
        return None;
    };
    let (root, part) = problem.groups.find(value);
    match (part.is_whole(), end.part.is_whole()) {
        (true, _) => Some((root, end.part)),
        (false, true) => Some((root, part)),
        (false, false) => None,
    }
}

/// Which of two roots becomes part of the other.
pub fn relate(
    problem: &Problem,
    (a, a_part): (VirtualRegister, SubRegisterIndex),
    (b, b_part): (VirtualRegister, SubRegisterIndex),
) -> Option<Merge> {
    let as_part = |root, joining, part| {
        let merge = Merge {
            root,
            joining,
            part,
        };
        problem.groups.is_uniform(joining).then_some(merge)
    };
    if a_part == b_part {
        // The one with the smaller class leads, so that its order is used; of equal ones
        // the copy's destination, however many follow it: the graph has its nodes and
        // their order by the root's number, and costs are added up in members' order.
        let size = |root: VirtualRegister| problem.machine.classes[problem.class[root]].order.len();
        let (root, joining) = if size(b) < size(a) { (b, a) } else { (a, b) };
        Some(Merge {
            root,
            joining,
            part: SubRegisterIndex::WHOLE,
        })
    } else if b_part.is_whole() {
        as_part(a, b, a_part)
    } else if a_part.is_whole() {
        as_part(b, a, b_part)
    } else {
        None
    }
}

/// How many registers a group could have once the two are one.
pub fn available_after(problem: &Problem, merge: &Merge) -> u32 {
    let mut members = problem.groups.members(merge.root).to_vec();
    let joining = problem.groups.members(merge.joining);
    members.extend(joining.iter().map(|&(value, own)| {
        let part = if merge.part.is_whole() {
            own
        } else {
            merge.part
        };
        (value, part)
    }));
    problem.count_available(problem.class[merge.root], &members)
}

/// Traces what coalescing came to.
pub fn log(problem: &Problem, merged: u32) {
    debug!(
        copies = problem.copies.len(),
        merged,
        left = copies_left(problem),
        "coalesced"
    );
}
