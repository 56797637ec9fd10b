//! Scheduling for register pressure: another order of instructions, where too much is
//! live for the budget.
//!
//! Compilers for GPUs leave instructions in the order of the source, all loads first,
//! and count on ptxas. Within a block any order that keeps the dependences does; the
//! [`list`] scheduler knows several ways to find one with fewer values live at once. The
//! best by the [`mod@excess`] over the register files is allocated beside the caller's
//! order, and the cheaper result stays. This stands around the allocator: whoever takes
//! the [`Order`] has to move the instructions before he follows the edits. Source:
//! Sethi and Ullman 1970; the bottom-up list schedulers of LLVM. Time: for each
//! instruction those that could stand in its place, up to [`list::WORK`], and the
//! allocation of the function once more.

mod behind_waits;
mod dependences;
mod excess;
mod list;
mod order;

pub use behind_waits::{BehindWaits, behind_waits};
pub use dependences::Dependences;
pub(crate) use list::{Preference, Scheduler};
pub use order::Order;

use crate::allocation::Allocation;
use crate::analysis::liveness::Liveness;
use crate::budget;
use crate::config::{Config, Pass};
use crate::driver::allocate;
use crate::error::Error;
use crate::function::Function;
use crate::machine::Machine;
use excess::Excess;
use std::borrow::Cow;
use tracing::debug;

/// A function in another order, allocated.
pub struct Reordered {
    /// The order.
    pub order: Order,
    /// The function in that order.
    pub function: Function,
    /// Its allocation; the numbers of instructions and operands are this function's.
    pub allocation: Allocation,
}

/// An order with an allocation that is cheaper than the one of the caller's order, if
/// one is wanted and found.
///
/// # Errors
/// If `config.verify` is set and the checker finds the allocation wrong.
pub fn cheaper_order(
    function: &Function,
    machine: &Machine,
    config: &Config,
    dependences: &Dependences,
    as_it_is: &Allocation,
) -> Result<Option<Reordered>, Error> {
    let cost = |allocation: &Allocation| allocation.statistics.spill_cost;
    if !config.runs(Pass::Reorder) || cost(as_it_is) == 0.0 {
        return Ok(None);
    }
    let Some((order, function)) = roomier_order(function, machine, config, dependences) else {
        return Ok(None);
    };
    // Trying it in both orders takes time, and changed one of 36 results on CUB.
    let config = match as_it_is.predicate_words {
        0 => Cow::Owned(config.without(Pass::PackPredicates)),
        _ => Cow::Borrowed(config),
    };
    let Some(allocation) = Error::unless_wrong(allocate(&function, machine, &config))? else {
        return Ok(None);
    };
    debug!(
        before = cost(as_it_is),
        now = cost(&allocation),
        "reordered"
    );
    let cheaper = cost(&allocation) < cost(as_it_is);
    Ok(cheaper.then_some(Reordered {
        order,
        function,
        allocation,
    }))
}

/// An order in which less is missing of the registers that the settings leave, if there is
/// one, and the function in it.
pub fn roomier_order(
    function: &Function,
    machine: &Machine,
    config: &Config,
    dependences: &Dependences,
) -> Option<(Order, Function)> {
    let less = config.with_fewer_registers(config.reserve());
    best_order(function, &budget::restrict(machine, &less), dependences)
}

/// The order with the least demand beyond the register files, if that is less than it
/// was.
fn best_order(
    function: &Function,
    machine: &Machine,
    dependences: &Dependences,
) -> Option<(Order, Function)> {
    // What is live between blocks is the same in every order within them.
    let liveness = Liveness::new(function, machine);
    let excess = Excess::new(function, machine, &liveness);
    let crowded = excess.blocks(function);
    let mut least = excess.total();
    let mut best = None;
    let mut scheduler = Scheduler::new(function, machine, &liveness, dependences);
    for preference in Preference::ALL {
        let mut order = Order::unchanged(function);
        for &block in &crowded {
            order.set(function, block, &scheduler.block(block, preference)?);
        }
        let reordered = order.apply(function);
        let excess = Excess::new(&reordered, machine, &liveness).total();
        debug!(?preference, before = least, now = excess, "scheduled");
        if excess < least {
            least = excess;
            best = Some((order, reordered));
        }
        if least == 0 {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests;
