//! The six lists and who goes onto which.
//!
//! Source: ptxas document, table of the "six-list classification"; what it leaves
//! open is decided in `docs/fidelity.md`.

use crate::assign::attempt::Attempt;
use crate::assign::groups::Member;
use crate::assign::problem::Problem;
use crate::function::{Function, VirtualRegister};
use crate::settings::Settings;

/// Registers above which a value is a large vector.
const LARGE: u32 = 4;

/// One of the six lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum List {
    /// Nothing keeps it from finding a register, whatever the others take.
    Unconstrained,
    /// Takes a pair or a quad of aligned registers.
    VeryHigh,
    /// Wider than four registers; joins VeryHigh when all are classified.
    LargeVec,
    /// Dear to spill, or not to be spilled at all.
    High,
    /// All others.
    LowConf,
    /// All others, when earlier attempts have failed.
    LowLate,
}

impl List {
    /// The place of the list among those that are drained onto the stack.
    pub fn drained(self) -> u32 {
        match self {
            Self::Unconstrained => 0,
            Self::VeryHigh | Self::LargeVec => 1,
            Self::High => 2,
            Self::LowConf => 3,
            Self::LowLate => 4,
        }
    }
}

/// What does not depend on the node.
#[derive(Clone, Copy, Debug)]
pub struct Criteria {
    /// Earlier attempts have failed: what would be LowConf is LowLate.
    pub retry: bool,
    /// Spill cost above which a node is High; none is, without it.
    pub cost_threshold: Option<f64>,
}

impl Criteria {
    /// Of an attempt to colour the function.
    pub fn new(attempt: Attempt, settings: &Settings, function: &Function) -> Self {
        Self {
            retry: attempt == (Attempt::Spill { retry: true }),
            cost_threshold: settings.dear(function),
        }
    }
}

/// What the criteria ask about a node.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Registers of the file that it takes.
    pub width: u32,
    /// Whether there are registers that it may not have.
    pub is_restricted: bool,
    /// Whether spilling it makes no sense.
    pub is_minimal: bool,
    /// An upper bound of its weighted degree.
    pub degree: u32,
    /// Registers that it may have.
    pub available: u32,
    /// What it costs to spill it.
    pub cost: f64,
    /// Above this cost it is High.
    pub cost_threshold: Option<f64>,
    /// Earlier attempts have failed.
    pub retry: bool,
}

impl Facts {
    /// Of a node of the problem with this degree. What belongs to a tuple is as wide as that,
    /// where tuples are vectors.
    pub fn new(problem: &Problem, node: VirtualRegister, degree: u32, criteria: Criteria) -> Self {
        let members = problem.groups.members(node);
        let is_restricted = |&(value, _): &Member| problem.restrictions.restrict(value);
        let machine = problem.machine;
        let first = machine.classes[problem.class[node]].order.first();
        let own = first.map_or(1, |&register| machine.width(register));
        Self {
            width: members.iter().fold(own, |width, &(value, _)| {
                width.max(problem.vector_width[value])
            }),
            is_restricted: members.iter().any(is_restricted),
            is_minimal: members.iter().all(|&(value, _)| problem.minimal[value]),
            degree,
            available: problem.available[node],
            cost: problem.group_cost(node),
            cost_threshold: criteria.cost_threshold,
            retry: criteria.retry,
        }
    }
}

/// The list of a node.
pub fn classify(facts: &Facts) -> List {
    if facts.width > LARGE {
        List::LargeVec
    } else if !facts.is_restricted && facts.degree < facts.available {
        List::Unconstrained
    } else if facts.width > 1 {
        List::VeryHigh
    } else if facts.is_minimal || facts.cost_threshold.is_some_and(|most| facts.cost > most) {
        List::High
    } else if facts.retry {
        List::LowLate
    } else {
        List::LowConf
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node that is on LowConf.
    fn ordinary() -> Facts {
        Facts {
            width: 1,
            is_restricted: false,
            is_minimal: false,
            degree: 20,
            available: 16,
            cost: 5.0,
            cost_threshold: None,
            retry: false,
        }
    }

    #[test]
    fn what_is_left_is_low() {
        assert_eq!(classify(&ordinary()), List::LowConf);
        let retry = Facts {
            retry: true,
            ..ordinary()
        };
        assert_eq!(classify(&retry), List::LowLate);
    }

    #[test]
    fn unconstrained_is_what_always_finds_a_register() {
        let mut facts = ordinary();
        facts.degree = 15;
        assert_eq!(classify(&facts), List::Unconstrained);
        facts.degree = 16;
        assert_eq!(classify(&facts), List::LowConf);
        facts.degree = 0;
        facts.is_restricted = true;
        assert_eq!(classify(&facts), List::LowConf);
    }

    #[test]
    fn pairs_are_very_high_and_large_vectors_apart() {
        let mut facts = ordinary();
        for width in [2, 4] {
            facts.width = width;
            assert_eq!(classify(&facts), List::VeryHigh);
        }
        facts.width = 8;
        assert_eq!(classify(&facts), List::LargeVec);
    }

    #[test]
    fn high_is_what_is_dear_or_cannot_be_spilled() {
        let mut facts = ordinary();
        facts.cost_threshold = Some(5.0);
        assert_eq!(classify(&facts), List::LowConf);
        facts.cost = 5.1;
        assert_eq!(classify(&facts), List::High);
        let minimal = Facts {
            is_minimal: true,
            ..ordinary()
        };
        assert_eq!(classify(&minimal), List::High);
    }

    #[test]
    fn lists_drain_in_the_documented_order() {
        let order = [
            List::Unconstrained,
            List::VeryHigh,
            List::High,
            List::LowConf,
            List::LowLate,
        ];
        assert!(order.is_sorted_by_key(|list| list.drained()));
        assert_eq!(List::LargeVec.drained(), List::VeryHigh.drained());
    }
}
