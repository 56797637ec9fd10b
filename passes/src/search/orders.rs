//! The orders of instructions in which candidates are tried: the caller's, and one in which
//! less is missing of the registers.
//!
//! Guidance is asked about the roomier order. Where it expects that values are spilled there,
//! more would be in the caller's if that needs more registers than there are. About that it is
//! not asked then, and candidates are tried in the roomier order alone: trying them in both takes
//! twice the time, for next to nothing. Where it expects nothing, or does not know, it is asked
//! about the caller's order as well. That is tried, unless something is spilled in it alone; and
//! the roomier one after it if guidance did not foresee that it costs something.
//!
//! Where guidance expects more of an order that would be tried than a result may cost, or spills
//! what is undone, none is.
//! Time: guidance for the orders asked about, and that of the candidates tried.

use super::Search;
use super::candidate::{Candidate, InstructionOrder, candidates};
use super::complete::complete;
use super::history::History;
use super::program::Program;
use crate::budget::{Budget, restrict};
use crate::error::Error;
use crate::function::Function;
use crate::machine::Machine;
use crate::rounds::{Bound, Unspilled, predicted_accesses};
use crate::schedule::{Dependences, Order, Recipient, RoomierOrders};
use crate::settings::{Driver, Pass, Settings};
use std::cell::OnceCell;
use tracing::debug;

/// Where guidance expects so many times what a result may cost, no colouring brings it down to
/// that.
const HOPELESS: f64 = 1.05;

/// The same where later candidates keep slots or predicates elsewhere than the first, about which
/// guidance was asked.
const HOPELESS_ELSEWHERE: f64 = 1.5;

/// What came of the roomier order.
pub struct Roomier {
    /// The order.
    pub order: Order,
    /// The function in it.
    pub function: Function,
    /// What came of its candidates.
    pub history: History,
}

/// Tries candidates in the order that is expected to be better, or in both; the history of the
/// caller's is empty if it was not tried.
///
/// # Errors
/// That a result is wrong, or that none can be expected to be of use.
pub fn tried(search: &Search) -> Result<(History, Option<Roomier>), Error> {
    let program = Program::new(search, search.function);
    let own = InOrder::new(search, InstructionOrder::AsItIs, &program);
    let Some((order, function)) = reordered(search) else {
        return Ok((own.tried_if_hopeful()?, None));
    };
    let program = Program::new(search, &function);
    let roomier = InOrder::new(search, InstructionOrder::Roomier, &program);
    let (history, roomier) = tried_in(&own, &roomier)?;
    let roomier = roomier.map(|history| Roomier {
        order,
        function,
        history,
    });
    Ok((history, roomier))
}

/// What came of the caller's order, and of the roomier one, if that was tried and has a result.
fn tried_in(own: &InOrder, roomier: &InOrder) -> Result<(History, Option<History>), Error> {
    let is_less = is_less_expected(own, roomier);
    if is_less {
        let found = roomier.tried_if_hopeful()?;
        if found.has_result() {
            return Ok((History::default(), Some(found)));
        }
    }
    let is_foreseen = is_less || own.guided().is_some_and(|expected| expected > 0.0);
    let history = own.tried_if_hopeful()?;
    let is_wanted = !is_foreseen && history.has_cost();
    let roomier = is_wanted.then(|| roomier.tried()).transpose()?;
    Ok((history, roomier))
}

/// Whether guidance expects nothing of the roomier order, but something of the caller's; or
/// something of the roomier one, as it as good as always expects more of the caller's then, unless
/// that fits.
fn is_less_expected(own: &InOrder, roomier: &InOrder) -> bool {
    match roomier.guided() {
        Some(0.0) => own.guided().is_some_and(|expected| expected > 0.0),
        Some(_) => own.is_crowded(),
        None => false,
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

/// The roomier order, and the function in it, if it is to be tried.
fn reordered(search: &Search) -> Option<(Order, Function)> {
    let is_wanted = search.settings.runs(Pass::Reorder);
    let orders = search.orders.filter(|_| is_wanted)?;
    orders.of(Recipient::Allocator)
}

/// The function in one order.
struct InOrder<'a> {
    search: &'a Search<'a>,
    program: &'a Program<'a>,
    order: InstructionOrder,
    is_crowded: OnceCell<bool>,
    /// As they are worth trying, once somebody asks.
    candidates: OnceCell<Vec<Candidate>>,
    unspilled: Unspilled<'a>,
    guided: OnceCell<Option<f64>>,
}

impl<'a> InOrder<'a> {
    fn new(search: &'a Search<'a>, order: InstructionOrder, program: &'a Program<'a>) -> Self {
        Self {
            search,
            program,
            order,
            is_crowded: OnceCell::new(),
            candidates: OnceCell::new(),
            unspilled: Unspilled::new(&program.function),
            guided: OnceCell::new(),
        }
    }

    /// Whether more is live at once than there are registers.
    fn is_crowded(&self) -> bool {
        let count = || self.program.is_crowded(self.search);
        *self.is_crowded.get_or_init(count)
    }

    fn candidates(&self) -> &[Candidate] {
        let list = || {
            let all = candidates(self.search, self.order, self.program, self.is_crowded());
            all.collect()
        };
        self.candidates.get_or_init(list)
    }

    /// What guidance expects spilling to cost, if the first candidate follows it; none if it
    /// does not know.
    fn guided(&self) -> Option<f64> {
        let ask = || {
            let first = self.candidates().first()?;
            let machine = self.program.with_predicates(first, self.search);
            let bound = Bound {
                most: self.hopeful(),
                must_suffice: false,
            };
            let settings = self.search.settings;
            let expected = predicted_accesses(&self.unspilled, &machine, settings, bound);
            debug!(candidate = ?first, ?expected, "asked guidance");
            expected
        };
        match self.search.settings.driver {
            Driver::SelectFirst => *self.guided.get_or_init(ask),
            Driver::GuidanceFirst => None,
        }
    }

    /// Tries the candidates that are worth it.
    ///
    /// # Errors
    /// That a result is wrong, or that more is expected than a result may cost.
    fn tried_if_hopeful(&self) -> Result<History, Error> {
        match self.is_hopeless() {
            true => Err(Error::NotWorthIt),
            false => self.tried(),
        }
    }

    /// Whether guidance expects more than a result may cost, of every candidate, or spills what
    /// is undone.
    fn is_hopeless(&self) -> bool {
        let is_dear = |expected| expected > self.hopeful();
        let is_asked = self.search.worth.most.is_finite() || self.search.worth.is_undone.is_some();
        is_asked && (self.guided().is_some_and(is_dear) || self.is_undone())
    }

    /// Whether what guidance spills is undone.
    fn is_undone(&self) -> bool {
        let is_undone = self.search.worth.is_undone;
        is_undone.is_some_and(|is_undone| self.unspilled.is_foreseen(is_undone))
    }

    /// As much as guidance may expect of the first candidate.
    fn hopeful(&self) -> f64 {
        let most = self.search.worth.most;
        let times = match most.is_finite() && self.may_spill_elsewhere() {
            true => HOPELESS_ELSEWHERE,
            false => HOPELESS,
        };
        most * times
    }

    /// Whether later candidates keep predicates or slots where the first does not.
    fn may_spill_elsewhere(&self) -> bool {
        self.search.shared_space.is_some() || self.program.is_crowded_with_predicates(self.search)
    }

    /// Tries the candidates that are worth it.
    fn tried(&self) -> Result<History, Error> {
        let Self {
            search, program, ..
        } = self;
        let mut history = History::default();
        for candidate in self.candidates() {
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
    use crate::function::examples::{definitions_first, read_in_pairs, read_in_pairs_with};
    use crate::machine::gpu;
    use crate::search::Worth;

    /// Runs `check` on the search for the function, in which any order of the instructions will
    /// do, within so many registers.
    fn with_search(function: &Function, registers: u32, check: impl Fn(&Search)) {
        let machine = gpu::machine(gpu::R_SIZE);
        let settings = Settings {
            pressure_limit: Some(registers),
            ..Settings::default()
        };
        let budget = asked(&machine, &settings);
        let dependences = Dependences::default();
        let orders = roomier_orders(
            function,
            &machine,
            &settings,
            budget.as_ref(),
            Some(&dependences),
        );
        check(&Search {
            function,
            machine: &machine,
            settings: &settings,
            budget: budget.as_ref(),
            shared_space: None,
            orders: orders.as_ref(),
            worth: Worth::default(),
        });
    }

    /// Runs `check` on the roomier order, of which there has to be one.
    fn with_roomier(search: &Search, check: impl Fn(&InOrder)) {
        let (_, function) = reordered(search).expect("there is another order");
        let program = Program::new(search, &function);
        check(&InOrder::new(search, InstructionOrder::Roomier, &program));
    }

    #[test]
    fn what_is_expected_of_the_roomier_order_decides() {
        for (function, is_own_asked) in [(definitions_first(40), true), (read_in_pairs(24), false)]
        {
            with_search(&function, 8, |search| {
                let own = Program::new(search, search.function);
                let own = InOrder::new(search, InstructionOrder::AsItIs, &own);
                with_roomier(search, |roomier| {
                    let (history, found) = tried_in(&own, roomier).unwrap();
                    assert!(!history.has_result());
                    assert!(found.is_some_and(|found| found.has_result()));
                    let expected = roomier.guided().expect("it is known");
                    assert_eq!(expected == 0.0, is_own_asked);
                    assert_eq!(own.guided.get().is_some(), is_own_asked);
                    assert!(own.guided().is_some_and(|own| own > expected));
                });
            });
        }
    }

    #[test]
    fn an_order_that_fits_stays() {
        with_search(&definitions_first(6), 8, |search| {
            let own = Program::new(search, search.function);
            let own = InOrder::new(search, InstructionOrder::AsItIs, &own);
            let other = read_in_pairs(24);
            let other = Program::new(search, &other);
            let other = InOrder::new(search, InstructionOrder::Roomier, &other);

            assert!(other.guided().is_some_and(|expected| expected > 0.0));
            let (history, found) = tried_in(&own, &other).unwrap();
            assert!(history.has_result() && !history.has_cost());
            assert!(found.is_none());
        });
    }

    /// Checks that the function is given up within so many registers if guidance expects a little
    /// more than so many times what a result may cost, and not if a little less.
    fn check_is_given_up_from(function: &Function, registers: u32, times: f64) {
        with_search(function, registers, |search| {
            with_roomier(search, |roomier| {
                let expected = roomier.guided().expect("it is known");
                let is_given_up = |most| {
                    let found = tried(&Search {
                        worth: Worth {
                            most,
                            is_undone: None,
                        },
                        ..*search
                    });
                    matches!(found, Err(Error::NotWorthIt))
                };
                assert!(is_given_up(expected / times * 0.99));
                assert!(!is_given_up(expected / times * 1.01));
            });
        });
    }

    #[test]
    fn what_is_expected_to_cost_too_much_is_given_up() {
        for (values, registers) in [(24, 8), (90, 64)] {
            check_is_given_up_from(&read_in_pairs(values), registers, HOPELESS);
        }
    }

    #[test]
    fn later_if_predicates_may_be_kept_elsewhere() {
        let pairs_with = |predicates| read_in_pairs_with(24, predicates);
        check_is_given_up_from(&pairs_with(7), 12, HOPELESS);
        check_is_given_up_from(&pairs_with(20), 12, HOPELESS_ELSEWHERE);
    }
}
