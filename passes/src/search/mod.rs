//! The search: several ways to allocate a function are tried, and the cheapest result stays.
//!
//! A [`Candidate`] says what is different about one way: the order of instructions, which
//! registers of the budget hold no values, what may be rematerialised. [`orders`] decides which
//! orders are tried; [`candidate`] lists the candidates of one order as they are worth trying;
//! [`history`] keeps what came of those before, and tells which of the rest are worth their
//! time; [`complete`] makes an allocation of one of them, in [`crate::rounds`] of colouring. One
//! [`Cost`] compares all results. A candidate that cannot be completed is no reason to fail as
//! long as another can; one whose result the checker refuses is, whatever the others give.
//!
//! Requires a function that is valid for the machine. Ensures an allocation within the
//! budget, checked if `verify` is set. Time: that of each candidate tried. Source: ptxas
//! document, "per-class driver", where the best result is recorded; what the candidates
//! differ in is ours.

mod candidate;
mod complete;
mod history;
mod orders;
mod program;
#[cfg(test)]
mod spoil;

pub use candidate::{Candidate, InstructionOrder};
pub use history::Cost;
pub use orders::roomier_orders;

use crate::allocation::Allocation;
use crate::budget::{Budget, asked};
use crate::error::Error;
use crate::frame::shared_space::SharedSpace;
use crate::function::Function;
use crate::machine::Machine;
use crate::schedule::{Order, RoomierOrders};
use crate::settings::Settings;
use program::Program;
use tracing::debug;

/// What is to be allocated, and within what.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The function, in the caller's order.
    pub function: &'a Function,
    /// With all of its registers.
    pub machine: &'a Machine,
    /// How.
    pub settings: &'a Settings,
    /// The registers of the limited file; none where no file is limited.
    pub budget: Option<&'a Budget>,
    /// The shared memory that spill slots may have, if they are wanted there.
    pub shared_space: Option<SharedSpace>,
    /// Other orders that may be tried; none if the order has to stay.
    pub orders: Option<&'a RoomierOrders<'a>>,
    /// Which results are of use.
    pub worth: Worth<'a>,
}

/// Which results are of use.
#[derive(Clone, Copy)]
pub struct Worth<'a> {
    /// Executed accesses to memory at most.
    pub most: f64,
    /// None if all that is spilled is left in the end.
    pub is_undone: Option<IsUndone<'a>>,
}

/// Whether too little is left in the end of what is spilled in a function, which costs so many
/// executed accesses.
pub type IsUndone<'a> = &'a dyn Fn(&Function, f64) -> bool;

impl Default for Worth<'_> {
    /// All of them.
    fn default() -> Self {
        Self {
            most: f64::INFINITY,
            is_undone: None,
        }
    }
}

/// The cheapest allocation that was found.
pub struct Found {
    /// Its numbers of instructions and operands are those of the function in its order.
    pub allocation: Allocation,
    /// The order, and the function in it, if that is not the caller's.
    pub reordered: Option<(Order, Function)>,
}

/// Allocates the registers of a function in its own order, within what the settings ask for.
///
/// Pure and deterministic: the same arguments give the same result.
///
/// # Errors
/// If the function is malformed, if the values of one instruction do not fit into the
/// budget, if a limit is exceeded, or if `settings.verify` is set and the checker finds the
/// result wrong.
pub fn allocate(
    function: &Function,
    machine: &Machine,
    settings: &Settings,
) -> Result<Allocation, Error> {
    let budget = asked(machine, settings);
    let search = Search {
        function,
        machine,
        settings,
        budget: budget.as_ref(),
        shared_space: None,
        orders: None,
        worth: Worth::default(),
    };
    Ok(search.run()?.allocation)
}

impl Search<'_> {
    /// Tries the candidates that are worth it.
    ///
    /// # Errors
    /// Those of [`allocate`]; that of the first candidate with the whole budget, if none can
    /// be completed; [`Error::NotWorthIt`] if the result is of no use, or guidance expects that.
    pub fn run(&self) -> Result<Found, Error> {
        self.function.validate(self.machine)?;
        let (mut history, roomier) = orders::tried(self)?;
        let reordered = roomier.map(|found| {
            history.append(found.history);
            (found.order, found.function)
        });
        let (candidate, cost, allocation) = history.best()?;
        debug!(function = self.function.name, ?candidate, ?cost, "chose");
        if allocation.statistics.spill_cost > self.worth.most {
            return Err(Error::NotWorthIt);
        }
        let reordered = reordered.filter(|_| candidate.order == InstructionOrder::Roomier);
        let own = reordered.as_ref().map_or(self.function, |(_, own)| own);
        Ok(Found {
            allocation: Program::new(self, own).without_added(allocation),
            reordered,
        })
    }
}
