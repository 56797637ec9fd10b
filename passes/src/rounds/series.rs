//! A series of rounds, with spilling in between, until every value has a register or a
//! slot.
//!
//! It ends: after a limited number of rounds that split what fails (see
//! [`crate::spill::around`]), each spills at least one value everywhere that was not before,
//! or takes one back from the uniform registers; the registers that this creates are never
//! spilled. What it ends with is refined ([`crate::reload`]) before it is compared with
//! others.

use super::bridges::bridge;
use super::round::{Round, round};
use super::super_classes::super_classes;
use super::unspilled::Unspilled;
use crate::analysis::in_flight::values_in_flight;
use crate::assign::attempt::Attempt;
use crate::assign::colouring::Colouring;
use crate::assign::evict::out_of_registers;
use crate::assign::problem::Target;
use crate::distribute::{Distribution, moves_loads};
use crate::error::Error;
use crate::function::{Function, OperandFlags, VirtualRegister};
use crate::machine::Machine;
use crate::reload::{remove_redundant, take_back};
use crate::settings::{CoalescingRules, Pass, Settings};
use crate::spill::around::around;
use crate::spill::cost::{computation_scale, spill_costs};
use crate::spill::rewrite::{inflate, move_values};
use crate::spill::split_limits::SplitLimits;
use crate::spill::work::{Spilled, Work};
use std::rc::Rc;

/// Rounds of a function with values in flight. Where these leave hardly a register, each
/// round finds one for a value or two, and what comes of it is not worth the time.
const MOST_WITH_IN_FLIGHT: u32 = 16;

/// What a series begins with.
#[derive(Clone)]
pub struct Start<'a> {
    /// The function, values distributed over the register files.
    pub work: Work,
    /// Which of them are in uniform registers.
    distribution: Option<Distribution<'a>>,
}

impl<'a> Start<'a> {
    /// Nothing is spilled.
    pub fn new(unspilled: &Unspilled<'a>, machine: &Machine, settings: &Settings) -> Self {
        let function = unspilled.function;
        let rematerialisations = unspilled.rematerialisations(settings, machine);
        let mut work = Work::new(
            function,
            machine,
            rematerialisations,
            computation_scale(settings.knobs.spill_cost_multiplier)
                * settings.reload_cost().computation,
        );
        work.reload_cost = settings.reload_cost();
        work.loops = Rc::clone(&unspilled.loops);
        work.state.splits_left = SplitLimits::new(settings).splits;
        if settings.runs(Pass::Steering) && machine.limited_file().is_some() {
            work.steers = unspilled.steering();
        }
        if !settings.runs(Pass::Fold) {
            for operand in work.function.operands.values_mut() {
                let flags = OperandFlags::FOLDABLE | OperandFlags::LOADABLE;
                operand.flags.remove(flags);
            }
        }
        if machine.limited_file().is_none() {
            let (mut calls, mut constants) = (&[][..], &[][..]);
            if settings.runs(Pass::MoveBeforeCalls) {
                calls = unspilled.before_calls(machine);
            }
            if settings.runs(Pass::Rematerialise) {
                constants = unspilled.constants_apart();
            }
            if !calls.is_empty() || !constants.is_empty() {
                move_values(&mut work, machine, calls.iter().chain(constants));
            }
            if settings.runs(Pass::SuperClasses) {
                let is_wanted = |value| work.rematerialisations.get(value).is_none();
                let inflated = super_classes(&work.function, machine, is_wanted);
                if !inflated.is_empty() {
                    inflate(&mut work, machine, &inflated);
                }
            }
        }
        let distribution = match Distribution::is_wanted(function, settings) {
            true => {
                let costs = spill_costs(&work, settings);
                Distribution::new(
                    function,
                    machine,
                    unspilled.uniformity(),
                    costs,
                    moves_loads(settings),
                )
            }
            false => None,
        };
        if let Some(distribution) = &distribution {
            distribution.apply(&mut work.function);
        }
        let bridges = settings.coalescing_rules.contains(CoalescingRules::BRIDGES);
        if bridges && machine.limited_file().is_some() {
            bridge(&mut work.function, machine, |changed, value| {
                let class = |function: &Function| function.virtual_registers[value].class;
                class(changed) == class(function)
            });
        }
        Self { work, distribution }
    }

    /// Spills values; those in uniform registers go to the threads' registers instead.
    /// Says whether that was all of them, as [`Work::spill`] does.
    pub fn spill(&mut self, machine: &Machine, mut spilled: Vec<Spilled>) -> bool {
        let class = |work: &Work, value| work.function.virtual_registers[value].class;
        let values: Vec<_> = spilled.iter().map(|one| one.value).collect();
        let before: Vec<_> = values.iter().map(|&one| class(&self.work, one)).collect();
        self.take_back(&values);
        let mut before = before.into_iter();
        spilled.retain(|one| before.next() == Some(class(&self.work, one.value)));
        self.work.spill(machine, spilled)
    }

    fn take_back(&mut self, values: &[VirtualRegister]) -> bool {
        let function = &mut self.work.function;
        let distribution = self.distribution.as_mut();
        distribution.is_some_and(|distribution| distribution.take_back(function, values))
    }

    fn take_back_all(&mut self) -> bool {
        let function = &mut self.work.function;
        let distribution = self.distribution.as_mut();
        distribution.is_some_and(|distribution| distribution.take_back_all(function))
    }
}

/// What a series ends with.
pub struct Outcome {
    /// The function with its spill code.
    pub work: Work,
    /// A register for each of its values.
    pub colouring: Colouring,
}

/// Rounds of one function, with what they have spilled so far.
pub struct Series<'a> {
    start: Start<'a>,
    target: &'a Target<'a>,
    settings: &'a Settings,
    limits: SplitLimits,
    attempt: Attempt,
    /// Rounds that may still split what fails.
    iterations: u32,
    /// Rounds that may still fail.
    left: u32,
    /// What the last round failed with, of which nothing is spilled yet.
    failed: Option<Round>,
}

impl<'a> Series<'a> {
    /// No round yet; the first will be of this kind.
    pub fn new(
        start: Start<'a>,
        target: &'a Target<'a>,
        settings: &'a Settings,
        attempt: Attempt,
    ) -> Self {
        let limits = SplitLimits::new(settings);
        let in_flight = values_in_flight(&start.work.function);
        Self {
            start,
            target,
            settings,
            attempt,
            iterations: limits.iterations,
            left: match in_flight.values().any(|&one| one) {
                true => MOST_WITH_IN_FLIGHT,
                false => u32::MAX,
            },
            limits,
            failed: None,
        }
    }

    /// Runs rounds until every value has a register or a slot; counts them.
    ///
    /// # Errors
    /// If the values of one instruction do not fit into the budget, or if more values are
    /// spilled than the limit allows.
    pub fn run(mut self, rounds: &mut u32) -> Result<Outcome, Error> {
        loop {
            if let Some(colouring) = self.run_unspilled(rounds)? {
                return Ok(self.refined(colouring));
            }
            self.spill_failed();
        }
    }

    /// The same, given up once the stores and reloads cost more than `most`: there is no
    /// outcome then.
    ///
    /// # Errors
    /// Those of [`Series::run`].
    pub fn run_within(mut self, most: f64, rounds: &mut u32) -> Result<Option<Outcome>, Error> {
        while self.start.work.accesses() <= most {
            if let Some(colouring) = self.run_unspilled(rounds)? {
                return Ok(Some(self.refined(colouring)));
            }
            self.spill_failed();
        }
        Ok(None)
    }

    /// Runs rounds until every value has a register, or something has to be spilled: then
    /// there is no colouring. Counts them.
    ///
    /// # Errors
    /// Those of [`Series::run`].
    pub fn run_unspilled(&mut self, rounds: &mut u32) -> Result<Option<Colouring>, Error> {
        while self.failed.is_none() {
            if let Some(colouring) = self.round(rounds)? {
                return Ok(Some(colouring));
            }
        }
        Ok(None)
    }

    /// One round; the colouring, if all have a register.
    fn round(&mut self, rounds: &mut u32) -> Result<Option<Colouring>, Error> {
        let spilled = self.start.work.spilled();
        if let Some(limit) = self.settings.spill_limit.filter(|&limit| spilled > limit) {
            return Err(Error::SpillLimit { limit });
        }
        *rounds += 1;
        let outcome = round(&self.start.work, self.target, self.settings, self.attempt);
        let taken_back = match (self.attempt, &outcome) {
            (_, Ok(Round::Failed(failure))) => self.start.take_back(failure.colouring.failed()),
            (_, Ok(Round::Oversubscribed(values))) => self.start.take_back(values),
            (Attempt::Spill { .. }, Err(_)) => self.start.take_back_all(),
            _ => false,
        };
        match (self.attempt, outcome) {
            _ if taken_back => {}
            (_, Ok(Round::Coloured(colouring))) => return Ok(Some(colouring)),
            (Attempt::NoSpill | Attempt::Fewer | Attempt::Tuples { .. }, _) => {
                self.attempt = Attempt::Spill { retry: false };
            }
            (Attempt::Spill { .. }, Ok(failed)) => {
                if let (0, Round::Failed(failure)) = (self.left, &failed)
                    && let Some(&value) = failure.colouring.failed().first()
                {
                    let function = &self.start.work.function;
                    return Err(out_of_registers(function, self.target.machine, value));
                }
                self.left = self.left.saturating_sub(1);
                self.failed = Some(failed);
            }
            (Attempt::Spill { .. }, Err(error)) => return Err(error),
        }
        Ok(None)
    }

    /// Spills what the last round failed with.
    fn spill_failed(&mut self) {
        let Some(failed) = self.failed.take() else {
            return;
        };
        let work = &mut self.start.work;
        let spilled = match failed {
            Round::Failed(failure) if self.iterations > 0 => {
                self.iterations -= 1;
                around(work, self.target, &self.limits, &failure)
            }
            Round::Failed(failure) => everywhere(failure.colouring.failed()),
            Round::Oversubscribed(values) => {
                work.forget_chains(&values);
                everywhere(&values)
            }
            Round::Coloured(_) => Vec::new(),
        };
        work.spill(self.target.machine, spilled);
        self.attempt = Attempt::Spill { retry: true };
    }

    /// What the series ends with, once a round has coloured everything.
    pub fn refined(self, mut colouring: Colouring) -> Outcome {
        let machine = self.target.machine;
        let mut work = self.start.work;
        if self.settings.runs(Pass::RedundantReloads) {
            remove_redundant(&mut work, machine, &mut colouring);
        }
        if self.settings.runs(Pass::TakeBack) && machine.limited_file().is_some() {
            take_back(&mut work, machine, &mut colouring);
        }
        Outcome { work, colouring }
    }
}

/// Rounds in which nothing is spilled, but values may leave the uniform registers; counts
/// them. None if some value finds no register.
///
/// # Errors
/// If the values of one instruction do not fit into the budget.
pub fn without_spilling(
    mut start: Start,
    target: &Target,
    settings: &Settings,
    rounds: &mut u32,
) -> Result<Option<Outcome>, Error> {
    loop {
        *rounds += 1;
        let taken_back = match round(&start.work, target, settings, Attempt::NoSpill)? {
            Round::Coloured(colouring) => {
                let work = start.work;
                return Ok(Some(Outcome { work, colouring }));
            }
            Round::Failed(failure) => start.take_back(failure.colouring.failed()),
            Round::Oversubscribed(values) => start.take_back(&values),
        };
        if !taken_back {
            return Ok(None);
        }
    }
}

fn everywhere(values: &[VirtualRegister]) -> Vec<Spilled> {
    values.iter().copied().map(Spilled::everywhere).collect()
}
