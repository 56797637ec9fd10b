//! The orders of instructions in which candidates are tried: the caller's, and one in which
//! less is missing of the registers.
//!
//! Where guidance expects that values of the caller's order are spilled, it is asked about the
//! roomier order as well, and candidates are tried in that order alone if it expects less
//! there, and in the caller's alone if not: trying them in both takes twice the time, for next
//! to nothing. Where it expects nothing, or does not know, the caller's order is tried, and the
//! roomier one as well if what came of that costs something.
//!
//! Where guidance expects far more of the caller's order than a result may cost, none of the two is
//! tried.
//!
//! What is expected of one order does not depend on the other. So a large function in which
//! more is live than there are registers is looked at in both at once, the roomier order in
//! a thread of its own. Ensures the same result in both ways. Time: guidance for both orders,
//! and that of the candidates tried.

use super::candidate::{Candidate, InstructionOrder, candidates};
use super::complete::complete;
use super::history::History;
use super::program::Program;
use super::{Search, THREAD};
use crate::budget::{Budget, restrict};
use crate::error::Error;
use crate::function::Function;
use crate::machine::Machine;
use crate::rounds::{Unspilled, predicted_accesses};
use crate::schedule::{Dependences, Order, Recipient, RoomierOrders};
use crate::settings::{Driver, Pass, Settings};
use std::cell::OnceCell;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;
use std::thread::{Builder, available_parallelism, scope};
use tracing::debug;
use tracing::level_filters::LevelFilter;

/// Functions with fewer operands take less time than it takes to start a thread, or hardly
/// more.
const SMALLEST: usize = 2000;
/// Bytes of the thread's stack: those that a process' first thread has.
const STACK: usize = 8 << 20;

/// Where guidance expects so many times what a result may cost, another order or colouring does
/// not bring it down to that.
const HOPELESS: f64 = 3.0;

/// What came of the roomier order.
pub struct Roomier {
    /// The order.
    pub order: Order,
    /// The function in it.
    pub function: Function,
    /// What came of its candidates.
    pub history: History,
}

/// What came of both orders; the history of one that was not tried is empty.
type Tried = (History, Option<Roomier>);

/// Tries candidates in the order that is expected to be better, or in both.
///
/// # Errors
/// That a result is wrong, or that none can be expected to be of use.
pub fn tried(search: &Search) -> Result<Tried, Error> {
    let program = Program::new(search, search.function);
    let own = InOrder::new(search, InstructionOrder::AsItIs, &program);
    let found = match own.is_worth_a_thread() {
        true => roomier_at_once(&own)?,
        false => roomier_if_less(&own)?,
    };
    if own.is_hopeless() {
        return Err(Error::NotWorthIt);
    }
    own_if_none(&own, found)
}

/// What [`roomier_if_less`] gives, by a thread that looks at the roomier order at the same time.
fn roomier_at_once(own: &InOrder) -> Result<Option<Roomier>, Error> {
    let search = own.search;
    let is_wanted = AtomicBool::new(true);
    scope(|threads| {
        let (tell, told) = channel();
        let is_less = move |expected| told.recv().is_ok_and(|own| expected < own);
        let is_wanted = &is_wanted;
        let other = move || {
            let reordered = reordered(search);
            match reordered.filter(|_| is_wanted.load(Relaxed)) {
                Some(reordered) => tried_reordered(search, reordered, is_less),
                None => Ok(None),
            }
        };
        let thread = Builder::new().name(THREAD.into()).stack_size(STACK);
        let Ok(other) = thread.spawn_scoped(threads, other) else {
            return roomier_if_less(own);
        };
        match own.expected() {
            // Nobody listens if there is no other order.
            Some(expected) => drop(tell.send(expected)),
            None => is_wanted.store(false, Relaxed),
        }
        drop(tell);
        // What panics does so again where that is caught and told.
        other.join().unwrap_or_else(|_| roomier_if_less(own))
    })
}

/// The roomier order, if less is expected of it than of the caller's, of which something is.
fn roomier_if_less(own: &InOrder) -> Result<Option<Roomier>, Error> {
    match own.expected() {
        Some(most) => roomier(own.search, |expected| expected < most),
        None => Ok(None),
    }
}

/// The caller's order, unless the other has a result; and the other, if it was not known
/// whether it is needed, but is.
fn own_if_none(own: &InOrder, found: Option<Roomier>) -> Result<Tried, Error> {
    if found
        .as_ref()
        .is_some_and(|found| found.history.has_result())
    {
        return Ok((History::default(), found));
    }
    let history = own.tried()?;
    let found = match own.expected().is_none() && history.has_cost() {
        true => roomier(own.search, |_| true)?,
        false => None,
    };
    Ok((history, found))
}

/// The roomier order, if there is one, and it is wanted where so much is expected of it.
fn roomier(search: &Search, is_wanted: impl FnOnce(f64) -> bool) -> Result<Option<Roomier>, Error> {
    match reordered(search) {
        Some(reordered) => tried_reordered(search, reordered, is_wanted),
        None => Ok(None),
    }
}

/// The other orders of a function that may be tried within a budget, keeping these dependences;
/// none if the order has to stay.
pub fn roomier_orders<'a>(
    function: &'a Function,
    machine: &'a Machine,
    settings: &Settings,
    budget: Option<&Budget>,
    dependences: Option<&'a Dependences>,
) -> Option<RoomierOrders<'a>> {
    let dependences = dependences?;
    let within = restrict(machine, settings, budget.map(Budget::within_reserve));
    Some(RoomierOrders::new(function, within, dependences))
}

/// Other orders, if they are to be tried.
fn orders<'a>(search: &Search<'a>) -> Option<&'a RoomierOrders<'a>> {
    let is_wanted = search.settings.runs(Pass::Reorder);
    search.orders.filter(|_| is_wanted)
}

/// The roomier order, and the function in it.
fn reordered(search: &Search) -> Option<(Order, Function)> {
    orders(search)?.of(Recipient::Allocator)
}

/// What comes of the function in that order, if it is wanted where so much is expected of it.
fn tried_reordered(
    search: &Search,
    (order, function): (Order, Function),
    is_wanted: impl FnOnce(f64) -> bool,
) -> Result<Option<Roomier>, Error> {
    let program = Program::new(search, &function);
    let other = InOrder::new(search, InstructionOrder::Roomier, &program);
    if !is_wanted(other.guided().unwrap_or(f64::INFINITY)) {
        return Ok(None);
    }
    let history = other.tried()?;
    Ok(Some(Roomier {
        order,
        function,
        history,
    }))
}

/// The function in one order.
struct InOrder<'a> {
    search: &'a Search<'a>,
    program: &'a Program<'a>,
    /// More is live than there are registers.
    is_crowded: bool,
    /// As they are worth trying.
    candidates: Vec<Candidate>,
    unspilled: Unspilled<'a>,
    guided: OnceCell<Option<f64>>,
}

impl<'a> InOrder<'a> {
    fn new(search: &'a Search<'a>, order: InstructionOrder, program: &'a Program<'a>) -> Self {
        let is_crowded = program.is_crowded(search);
        Self {
            search,
            program,
            is_crowded,
            candidates: candidates(search, order, program, is_crowded).collect(),
            unspilled: Unspilled::new(&program.function),
            guided: OnceCell::new(),
        }
    }

    /// What guidance expects spilling to cost, if the first candidate follows it; none if it
    /// does not know.
    fn guided(&self) -> Option<f64> {
        let ask = || {
            let first = self.candidates.first()?;
            let machine = self.program.with_predicates(first, self.search);
            let expected = predicted_accesses(&self.unspilled, &machine, self.search.settings);
            debug!(candidate = ?first, ?expected, "asked guidance");
            expected
        };
        match self.is_guided() {
            true => *self.guided.get_or_init(ask),
            false => None,
        }
    }

    /// Whether guidance is followed where it is asked first.
    fn is_guided(&self) -> bool {
        self.search.settings.driver == Driver::SelectFirst
    }

    /// What orders are compared by; none if guidance expects that nothing is spilled, or that it
    /// is hopeless, or does not know.
    fn expected(&self) -> Option<f64> {
        orders(self.search)?;
        let compared = self.guided().filter(|&expected| expected > 0.0);
        compared.filter(|_| !self.is_hopeless())
    }

    /// Whether far more is expected than a result may cost.
    fn is_hopeless(&self) -> bool {
        let most = self.search.most * HOPELESS;
        most.is_finite() && self.guided().is_some_and(|expected| expected > most)
    }

    /// Whether the other order is looked at at the same time: if that is worth a thread, and
    /// is allowed. The lines of a log would come in any order.
    fn is_worth_a_thread(&self) -> bool {
        let Search {
            function, settings, ..
        } = self.search;
        settings.is_parallel
            && function.operands.len() >= SMALLEST
            && self.is_crowded
            && self.is_guided()
            && orders(self.search).is_some()
            && LevelFilter::current() == LevelFilter::OFF
            && available_parallelism().is_ok_and(|processors| processors.get() > 1)
    }

    /// Tries the candidates that are worth it.
    fn tried(&self) -> Result<History, Error> {
        let Self {
            search, program, ..
        } = self;
        let mut history = History::default();
        for candidate in &self.candidates {
            let guided = self.guided.get().copied().flatten();
            if history.is_worth(candidate, search, program, &self.unspilled, guided) {
                let result = complete(candidate, search, program, &self.unspilled);
                history.add(*candidate, result, search, program)?;
            }
        }
        Ok(history)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::asked;
    use crate::function::examples::definitions_first;
    use crate::machine::gpu;

    /// Runs `check` on the search for a function of so many values that all are defined first,
    /// where any order of the instructions will do.
    fn with_search(values: u32, registers: u32, check: impl Fn(&Search)) {
        let function = definitions_first(values);
        let machine = gpu::machine(gpu::R_SIZE);
        let settings = Settings {
            pressure_limit: Some(registers),
            is_parallel: true,
            ..Settings::default()
        };
        let budget = asked(&machine, &settings);
        let dependences = Dependences::default();
        let orders = roomier_orders(
            &function,
            &machine,
            &settings,
            budget.as_ref(),
            Some(&dependences),
        );
        check(&Search {
            function: &function,
            machine: &machine,
            settings: &settings,
            budget: budget.as_ref(),
            shared_space: None,
            orders: orders.as_ref(),
            most: f64::INFINITY,
        });
    }

    #[test]
    fn at_once_they_give_what_they_give_one_by_one() {
        for (values, registers) in [(40, 8), (12, 3), (6, 8)] {
            with_search(values, registers, |search| {
                let found = [roomier_if_less, roomier_at_once].map(|look_at_both| {
                    let program = Program::new(search, search.function);
                    let own = InOrder::new(search, InstructionOrder::AsItIs, &program);
                    let found = look_at_both(&own).unwrap();
                    let (mut history, roomier) = own_if_none(&own, found).unwrap();
                    let order = roomier.map(|found| {
                        history.append(found.history);
                        found.order
                    });
                    format!("{order:?} {:?}", history.best().unwrap())
                });
                assert_eq!(found[0], found[1]);
            });
        }
    }

    #[test]
    fn what_is_far_from_worth_it_is_given_up() {
        for (values, registers) in [(40, 8), (1500, 64)] {
            with_search(values, registers, |search| {
                let program = Program::new(search, search.function);
                let own = InOrder::new(search, InstructionOrder::AsItIs, &program);
                let expected = own.guided().expect("it spills");
                let is_given_up = |most| {
                    let found = tried(&Search { most, ..*search });
                    matches!(found, Err(Error::NotWorthIt))
                };
                assert!(is_given_up(expected / HOPELESS * 0.99));
                assert!(!is_given_up(expected / HOPELESS * 1.01));
            });
        }
    }

    #[test]
    fn a_thread_is_for_large_functions_that_do_not_fit() {
        let is_at_once = |values, registers, wanted| {
            with_search(values, registers, |search| {
                let program = Program::new(search, search.function);
                let own = InOrder::new(search, InstructionOrder::AsItIs, &program);
                assert_eq!(own.is_worth_a_thread(), wanted);
            });
        };
        let processors = available_parallelism().unwrap().get();
        is_at_once(1500, 64, processors > 1);
        is_at_once(150, 64, false);
    }
}
