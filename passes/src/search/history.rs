//! What came of the candidates so far: the cheapest result, and which of the rest are worth
//! their time.
//!
//! Constant time a candidate, but where guidance is asked what spilling would cost.

use super::Search;
use super::candidate::Candidate;
use super::program::Program;
use crate::allocation::Allocation;
use crate::error::Error;
use crate::frame::shared;
use crate::function::Function;
use crate::machine::Machine;
use crate::rounds::{Bound, Unspilled, is_small, predicted_accesses};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use tracing::debug;

/// What computing one address in shared memory costs at the begin, where an access to local
/// memory costs one: the number of the thread has to be read and multiplied.
const ADDRESS: f64 = 1.0;
/// With fewer predicates spilled nothing is to be gained: the bits take a register as well.
const FEWEST_PREDICATES: usize = 2;
/// The same of functions that are not small, in which a few predicates are hardly any of what is
/// spilled, and asking guidance takes long.
const FEWEST_OF_LARGE: usize = 8;
/// And for one predicate so many other values, or fewer.
const OTHERS_OF_LARGE: usize = 20;
/// Of what was found without predicates as bits, as much as guidance may expect with them: what
/// gains less is not worth the time of another candidate.
const WORTH_WORDS: f64 = 0.97;
/// Of what guidance expected without predicates as bits, as much as it may expect with them: it
/// does not see all that spilled predicates cost.
const UNSURE: f64 = 1.015;

/// What an allocation costs; the smaller is the better one.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Cost {
    /// It spills to local memory, and leaves ptxas less than the reserve.
    lacks_reserve: bool,
    /// Executions of the code that spilling adds, as [`crate::statistics`] counts them.
    accesses: f64,
}

/// What came of one candidate.
struct Tried {
    candidate: Candidate,
    outcome: Outcome,
}

enum Outcome {
    /// It cannot be completed.
    Infeasible,
    /// It spills nothing, and leaves more to ptxas than that needs.
    NotNeeded,
    Completed(Completed),
}

struct Completed {
    cost: Cost,
    has_slots: bool,
    /// Values that are in memory.
    spilled: usize,
    /// Predicates that are spilled.
    spilled_predicates: usize,
    /// Registers with addresses in shared memory that are used.
    addresses: u32,
}

/// The candidates of one order of instructions that were tried, as they were.
#[derive(Default)]
pub struct History {
    tried: Vec<Tried>,
    best: Option<(Candidate, Cost, Allocation)>,
    /// Of the first candidate with the whole budget.
    error: Option<Error>,
    /// The words that guidance was asked about last hold all predicates, and are not worth it:
    /// more would only take registers.
    words_suffice: bool,
}

impl History {
    /// Notes what came of a candidate: an allocation, or none because it brings nothing.
    ///
    /// # Errors
    /// That the result is wrong: no other candidate makes up for that.
    pub fn add(
        &mut self,
        candidate: Candidate,
        result: Result<Option<Allocation>, Error>,
        search: &Search,
        program: &Program,
    ) -> Result<(), Error> {
        let outcome = match result {
            Err(error @ Error::Wrong(_)) => return Err(error),
            Err(error) => {
                if candidate.taken() == 0 {
                    self.error.get_or_insert(error);
                }
                Outcome::Infeasible
            }
            Ok(None) => Outcome::NotNeeded,
            Ok(Some(allocation)) if candidate.reserve > 0 && allocation.slots.is_empty() => {
                Outcome::NotNeeded
            }
            Ok(Some(allocation)) => {
                let completed = Completed::new(&candidate, &allocation, search, program);
                debug!(
                    ?candidate,
                    cost = ?completed.cost,
                    predicates = completed.spilled_predicates,
                    "completed"
                );
                self.offer((candidate, completed.cost, allocation));
                Outcome::Completed(completed)
            }
        };
        self.tried.push(Tried { candidate, outcome });
        Ok(())
    }

    /// Keeps the cheapest result of candidates in another order, if that is cheaper.
    pub fn append(&mut self, later: Self) {
        if let Some(found) = later.best {
            self.offer(found);
        }
    }

    /// The cheapest result is kept; of equal ones that of the candidate listed first.
    fn offer(&mut self, found: (Candidate, Cost, Allocation)) {
        let best = self.best.as_ref();
        if best.is_none_or(|(_, cost, _)| found.1 < *cost) {
            self.best = Some(found);
        }
    }

    /// Whether a candidate, the next one listed, is worth the time that it takes. Guidance
    /// expected `guided` of the first one in this order, if it was asked.
    pub fn is_worth(
        &mut self,
        candidate: &Candidate,
        search: &Search,
        program: &Program,
        unspilled: &Unspilled,
        guided: Option<f64>,
    ) -> bool {
        if !candidate.chains {
            return self.is_last_infeasible(candidate);
        }
        if candidate.predicate_words > 0 {
            return self.may_gain_by_words(candidate, search, program, unspilled, guided);
        }
        self.words_suffice = false;
        if candidate.address_registers > 0 {
            return self.may_gain_by_addresses(candidate);
        }
        let mut before = self.completed();
        match candidate.reserve {
            0 => !before.any(|(other, _)| other.reserve > 0),
            _ => !before.any(|(_, completed)| !completed.has_slots),
        }
    }

    /// Whether the cheapest result so far costs something.
    pub fn has_cost(&self) -> bool {
        let best = self.best.as_ref();
        best.is_some_and(|(_, cost, _)| cost.accesses > 0.0)
    }

    /// Whether there is a result.
    pub fn has_result(&self) -> bool {
        self.best.is_some()
    }

    /// The cheapest result.
    ///
    /// # Errors
    /// Why there is none.
    pub fn best(self) -> Result<(Candidate, Cost, Allocation), Error> {
        match (self.best, self.error) {
            (Some(best), _) => Ok(best),
            (None, Some(error)) => Err(error),
            (None, None) => unreachable!("the whole budget is tried if nothing else is there"),
        }
    }

    /// What was completed.
    fn completed(&self) -> impl Iterator<Item = (&Candidate, &Completed)> {
        self.tried.iter().filter_map(|one| match &one.outcome {
            Outcome::Completed(completed) => Some((&one.candidate, completed)),
            Outcome::Infeasible | Outcome::NotNeeded => None,
        })
    }

    /// Chains have registers of their own: without them there may be enough.
    fn is_last_infeasible(&self, candidate: &Candidate) -> bool {
        let with_chains = Candidate {
            chains: true,
            ..*candidate
        };
        self.tried.last().is_some_and(|last| {
            last.candidate == with_chains && matches!(last.outcome, Outcome::Infeasible)
        })
    }

    /// With a register less, whose bits are there instead, if guidance expects little enough.
    fn may_gain_by_words(
        &mut self,
        candidate: &Candidate,
        search: &Search,
        program: &Program,
        unspilled: &Unspilled,
        guided: Option<f64>,
    ) -> bool {
        let is_small = is_small(&program.function);
        let most = self.most_with_words(candidate, is_small, guided);
        let Some(most) = most.filter(|_| !self.words_suffice) else {
            return false;
        };
        let machine = program.with_predicates(candidate, search);
        let bound = Bound {
            most,
            must_suffice: true,
        };
        let expected = predicted_accesses(unspilled, &machine, search.settings, bound);
        debug!(?candidate, most, ?expected, "asked guidance");
        self.words_suffice = expected.is_some_and(|expected| expected >= most);
        expected.is_some_and(|expected| expected < most)
    }

    /// If so many predicates are spilled, and R is full as well, what guidance may expect that
    /// spilling costs with bits for them; it expected `guided` without. A bit is not stored: where
    /// there are too many, all values stay where they were.
    fn most_with_words(
        &self,
        candidate: &Candidate,
        is_small: bool,
        guided: Option<f64>,
    ) -> Option<f64> {
        let mut beside = self
            .tried
            .iter()
            .filter(|one| one.candidate.is_beside(candidate));
        let is_infeasible = |one: &Tried| matches!(one.outcome, Outcome::Infeasible);
        let completed = self.completed();
        let completed = completed.filter(|(other, _)| other.is_beside(candidate));
        let best = completed.min_by(|(_, one), (_, other)| one.cost.total_cmp(&other.cost));
        match best {
            Some((other, completed)) => {
                let fewest = match is_small {
                    true => FEWEST_PREDICATES,
                    false => FEWEST_OF_LARGE.max(completed.spilled / OTHERS_OF_LARGE),
                };
                let spills = completed.spilled_predicates >= fewest;
                let may_gain = completed.has_slots && spills && other.predicate_words == 0;
                let most = completed.cost.accesses * WORTH_WORDS;
                let guided = guided.unwrap_or(f64::INFINITY) * UNSURE;
                may_gain.then_some(most.min(guided))
            }
            None if beside.clone().next().is_some() && beside.all(is_infeasible) => {
                Some(f64::INFINITY)
            }
            None => None,
        }
    }

    /// As many as bring something: if what is in local memory goes there, and all that
    /// were offered so far are used.
    fn may_gain_by_addresses(&self, candidate: &Candidate) -> bool {
        let fewer = candidate.address_registers - 1;
        let completed = self.completed();
        let mut before = completed.filter(|(other, _)| other.address_registers == fewer);
        match fewer {
            0 => before.any(|(_, completed)| completed.has_slots),
            _ => before.any(|(_, completed)| completed.addresses == fewer),
        }
    }
}

impl Completed {
    fn new(
        candidate: &Candidate,
        allocation: &Allocation,
        search: &Search,
        program: &Program,
    ) -> Self {
        let reserved = search.budget.map_or(0, |budget| budget.reserved);
        let is_local = !allocation.slots.is_empty() && allocation.shared.is_none();
        let addresses = allocation.shared_strides().len() as u32;
        let accesses = match search.shared_space {
            // Vectors count: moving slots takes some of them apart.
            Some(_) => shared::cost(&program.function, allocation) + ADDRESS * f64::from(addresses),
            None => allocation.statistics.spill_cost,
        };
        Self {
            cost: Cost {
                lacks_reserve: candidate.reserve < reserved && is_local,
                accesses,
            },
            has_slots: !allocation.slots.is_empty(),
            spilled: allocation.statistics.spilled as usize,
            spilled_predicates: spilled_predicates(&program.function, search.machine, allocation),
            addresses,
        }
    }
}

impl Cost {
    fn total_cmp(&self, other: &Self) -> Ordering {
        let reserve = self.lacks_reserve.cmp(&other.lacks_reserve);
        reserve.then(self.accesses.total_cmp(&other.accesses))
    }
}

/// How many predicates are in registers that carry them.
fn spilled_predicates(function: &Function, machine: &Machine, allocation: &Allocation) -> usize {
    let created = allocation.created.iter();
    let spill_registers = created.filter(|one| {
        let origin = function.virtual_registers[one.origin].class;
        machine.classes[origin].spill_through == Some(one.class)
    });
    let values: BTreeSet<_> = spill_registers
        .map(|spill_register| spill_register.origin)
        .collect();
    values.len()
}
