//! Scheduling for register pressure: another order of instructions, where too much is
//! live for the budget.
//!
//! Compilers for GPUs leave instructions in the order of the source, all loads first,
//! and count on ptxas. Within a block any order that keeps the dependences does; the
//! [`list`] scheduler knows several ways to find one with fewer values live at once. The
//! best by the [`mod@excess`] over the register files is allocated beside the caller's
//! order ([`crate::search`]), or handed to ptxas. Whoever takes the [`Order`] has to move the
//! instructions before he follows the edits. Source:
//! Sethi and Ullman 1970; the bottom-up list schedulers of LLVM. Time: for each
//! instruction those that could stand in its place, up to [`list::WORK`].

mod behind_waits;
mod dependences;
mod excess;
mod list;
mod order;

pub use behind_waits::{BehindWaits, behind_waits};
pub use dependences::Dependences;
pub(crate) use list::{Preference, Scheduler};
pub use order::Order;

use crate::analysis::liveness::Liveness;
use crate::function::Function;
use crate::machine::Machine;
use excess::Excess;
use tracing::debug;

/// The order with the least demand beyond the register files of the machine, if that is
/// less than it was, and the function in it.
pub fn roomier_order(
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
    let prepared: Vec<_> = crowded.iter().map(|&one| scheduler.prepare(one)).collect();
    for preference in Preference::ALL {
        let mut order = Order::unchanged(function);
        for (&block, prepared) in crowded.iter().zip(&prepared) {
            order.set(function, block, &scheduler.order(prepared, preference)?);
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
