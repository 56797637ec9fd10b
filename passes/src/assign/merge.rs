//! How the groups at the two ends of a copy become one.
//!
//! Both engines go about it in the same way, and differ in how they see that two groups
//! interfere.

use super::candidates::Candidate;
use super::limits::Limits;
use super::problem::{End, Problem};
use crate::function::{OperandRegister, VirtualRegister};
use crate::machine::SubRegisterIndex;
use crate::settings::{CoalescingRules, Filter, Settings};
use std::collections::BTreeMap;
use std::fmt;
use tracing::{debug, trace};

/// What may be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// A copy with any of these is no candidate.
    pub rejected: Filter,
    /// How far merging may go.
    pub limits: Limits,
    /// Which of ptxas' rules are followed.
    pub rules: CoalescingRules,
}

impl Options {
    /// What the settings allow.
    pub fn new(settings: &Settings) -> Self {
        Self {
            rejected: settings.coalescing_filter,
            limits: Limits::new(&settings.knobs),
            rules: settings.coalescing_rules,
        }
    }
}

impl Default for Options {
    /// All that can be.
    fn default() -> Self {
        Self {
            rejected: Filter::PHYSICAL,
            limits: Limits::default(),
            rules: CoalescingRules::empty(),
        }
    }
}

/// Why the ends of a copy are not merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// The filter: an end is live across a call.
    CrossesCall,
    /// The filter: an end is a physical register.
    Physical,
    /// The filter: an end can have one register only.
    Pinned,
    /// The filter: the copy is done under a predicate.
    Predicated,
    /// Another copy has the same ends.
    Repeated,
    /// There are more copies than the window has.
    OutsideWindow,
    /// The ends are in one group already.
    Together,
    /// The ends are parts that no register has at once, or of classes without a common one.
    Classes,
    /// The groups are live at once with different values.
    Interference,
    /// No register suits all members.
    NoRegister,
    /// One of the knobs' limits.
    Limit,
    /// Where the value goes costs more to spill than where it comes from.
    SpillWeight,
    /// The graph might become harder to colour.
    Unsafe,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::CrossesCall => "crosses a call",
            Self::Physical => "physical register",
            Self::Pinned => "pinned",
            Self::Predicated => "predicated",
            Self::Repeated => "looked at before",
            Self::OutsideWindow => "outside the window",
            Self::Together => "together already",
            Self::Classes => "classes",
            Self::Interference => "interference",
            Self::NoRegister => "no register",
            Self::Limit => "limit",
            Self::SpillWeight => "spill weight",
            Self::Unsafe => "not safe",
        })
    }
}

/// What merging came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Copies that were tried.
    pub candidates: u32,
    /// Copies that were merged.
    pub merged: u32,
    /// The weight of these.
    pub cost: f64,
    /// The weight of the others.
    pub refused_cost: f64,
    /// How many were not, by reason.
    pub refusals: BTreeMap<Refusal, u32>,
}

impl Report {
    /// A copy was merged.
    pub fn accept(&mut self, candidate: &Candidate) {
        trace!(copy = %candidate.copy.instruction, "merged");
        self.merged += 1;
        self.cost += candidate.weight;
    }

    /// A copy was not, and never will be.
    pub fn refuse(&mut self, candidate: &Candidate, why: Refusal) {
        trace!(copy = %candidate.copy.instruction, because = %why, "not merged");
        *self.refusals.entry(why).or_default() += 1;
        if why != Refusal::Together {
            self.refused_cost += candidate.weight;
        }
    }

    /// The weight of what was merged, by the part of the limited file that the budget
    /// leaves: the fewer registers, the less it counts that a copy is saved.
    fn scaled_cost(&self, problem: &Problem) -> f64 {
        let file = problem.machine.limited_file();
        let part = file.map_or(1.0, |file| {
            let data = &problem.machine.files[file];
            let columns = data.column_of_unit.iter().flatten().count();
            f64::from(data.size) / columns.max(1) as f64
        });
        self.cost * part
    }
}

/// Whether ptxas would refuse a merge since the value that the copy makes costs more to spill
/// than the one that it reads: together they could be spilled less easily. Each value counts
/// for itself, whatever has joined it before, as each register has its own weight there.
pub fn raises_spill_weight(problem: &Problem, options: &Options, to: End, from: End) -> bool {
    let weight = |end: End| {
        let value = end.register.virtual_register();
        value.map_or(f64::INFINITY, |value| problem.costs[value])
    };
    options.rules.contains(CoalescingRules::SPILL_WEIGHTS) && weight(to) > weight(from)
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
pub fn log(problem: &Problem, report: &Report) {
    let refused: Vec<_> = report
        .refusals
        .iter()
        .map(|(why, count)| format!("{why}: {count}"))
        .collect();
    debug!(
        copies = problem.copies.len(),
        merged = report.merged,
        left = copies_left(problem),
        candidates = report.candidates,
        cost = report.cost,
        scaled = report.scaled_cost(problem),
        refused_cost = report.refused_cost,
        refused = refused.join(", "),
        "coalesced"
    );
}
