//! Scheduling for register pressure: another order of instructions, where too much is
//! live for the budget.
//!
//! Compilers for GPUs leave instructions in the order of the source, all loads first,
//! and count on ptxas. Within a block any order that keeps the dependences does; the
//! [`list`] scheduler knows several ways to find one with fewer values live at once. Of each
//! block with [`mod@excess`] the best by its [`list::Cost`] is taken, the caller's among them. The
//! function in this order is allocated beside the caller's order ([`crate::search`]), or handed
//! to ptxas. Whoever takes the [`Order`] has to move the instructions before he follows the
//! edits. Source: Sethi and Ullman 1970; the bottom-up list schedulers of LLVM; the order from
//! the start is ours. Time: for each instruction those that could stand in its place, up to
//! [`list::WORK`].

mod behind_waits;
mod dependences;
mod excess;
mod fusion;
mod late_copies;
mod list;
mod order;
mod shuffles;

pub use behind_waits::{BehindWaits, behind_waits};
pub use dependences::Dependences;
pub use fusion::fused;
pub use late_copies::LateCopy;
pub(crate) use list::{Preference, Scheduler};
pub use order::Order;
pub use shuffles::in_order as shuffles_in_order;

use crate::analysis::liveness::Liveness;
use crate::function::Function;
use crate::machine::Machine;
use excess::crowded_blocks;
use list::{Cost, Costs, top_down};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::Debug;
use tracing::debug;

/// Who gets a function in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// Our allocator, which spills in that order.
    Allocator,
    /// ptxas, which orders anew: an order from the start of a block was no help to it on the
    /// whole.
    Ptxas,
}

/// Orders of a function with fewer values live at once, one for each [`Recipient`], looked for
/// when they are asked for.
pub struct RoomierOrders<'a> {
    function: &'a Function,
    machine: Cow<'a, Machine>,
    dependences: &'a Dependences,
    /// All that was looked for.
    all: OnceCell<Found>,
    /// What was looked for without the allocator's.
    without_allocator: OnceCell<Found>,
}

/// Orders of a function with fewer values live at once, if there are any.
#[derive(Default)]
struct Found {
    for_allocator: Option<Order>,
    for_ptxas: Option<Order>,
    by_ptxas: Option<Order>,
}

impl<'a> RoomierOrders<'a> {
    /// Orders that keep these dependences and are to fit into the register files of this machine.
    pub fn new(
        function: &'a Function,
        machine: Cow<'a, Machine>,
        dependences: &'a Dependences,
    ) -> Self {
        Self {
            function,
            machine,
            dependences,
            all: OnceCell::new(),
            without_allocator: OnceCell::new(),
        }
    }

    /// The order that costs least, if it saves something, and the function in it.
    pub fn of(&self, recipient: Recipient) -> Option<(Order, Function)> {
        let order = match recipient {
            Recipient::Allocator => self.for_allocator(),
            Recipient::Ptxas => self.for_ptxas(),
        }?;
        Some((order.clone(), order.apply(self.function)))
    }

    /// The order that our allocator may have. Those of ptxas are known then as well; whoever needs
    /// both asks for this one first.
    pub fn for_allocator(&self) -> Option<&Order> {
        let found = self.all.get_or_init(|| self.find(Recipient::Allocator));
        found.for_allocator.as_ref()
    }

    /// The order that ptxas may be given.
    pub fn for_ptxas(&self) -> Option<&Order> {
        self.of_ptxas().for_ptxas.as_ref()
    }

    /// The order that ptxas is expected to find by itself: the one in which sums go on side by
    /// side, where nothing has to be spilled in it, else the one that it may be given. The first
    /// it is better not given, as it takes it only as far as it has to.
    pub fn by_ptxas(&self) -> Option<&Order> {
        self.of_ptxas().by_ptxas.as_ref()
    }

    fn of_ptxas(&self) -> &Found {
        let find = || self.find(Recipient::Ptxas);
        let found = self.all.get();
        found.unwrap_or_else(|| self.without_allocator.get_or_init(find))
    }

    /// The allocator's order and those of ptxas, which the allocator's is found by. Where only
    /// those of ptxas are wanted, the allocator's is not looked for to the end.
    fn find(&self, recipient: Recipient) -> Found {
        let (function, machine) = (self.function, &*self.machine);
        // What is live between blocks is the same in every order within them.
        let liveness = Liveness::new(function, machine);
        let mut scheduler = Scheduler::new(function, machine, &liveness, self.dependences);
        let mut found = Found::default();
        for block in crowded_blocks(function, machine, &liveness) {
            let prepared = scheduler.prepare(block);
            let costs = Costs::new(&prepared, machine);
            let before = costs.of(&prepared.unchanged());
            let mut best = (before, Vec::new());
            let cost_if_less = |numbers: &[u32], way: &dyn Debug, most| {
                let cost = costs.of_if_less(numbers, most);
                debug!(%block, ?way, ?before, now = ?cost, "scheduled");
                cost
            };
            let set_if_less = |order: &mut Option<Order>, (cost, numbers): &(Cost, Vec<u32>)| {
                if cost.is_less_than(before) {
                    let order = order.get_or_insert_with(|| Order::unchanged(function));
                    order.set(function, block, numbers);
                }
            };
            let mut by_ptxas = None;
            for preference in Preference::ALL {
                // A small saving is lost in what ptxas makes of an order far from the caller's.
                let saves_enough = match preference {
                    Preference::Level | Preference::Breadth if best.0.is_free() => break,
                    Preference::Level | Preference::Breadth => Cost::saves_much_of,
                    _ => Cost::is_less_than,
                };
                let Some(numbers) = scheduler.order(&prepared, preference) else {
                    return Found::default();
                };
                let cost = cost_if_less(&numbers, &preference, best.0);
                if let Some(cost) = cost.filter(|&cost| saves_enough(cost, best.0)) {
                    match preference {
                        Preference::Breadth if cost.is_free() => by_ptxas = Some((cost, numbers)),
                        _ => best = (cost, numbers),
                    }
                }
                if best.0 == Cost::default() {
                    break;
                }
            }
            set_if_less(&mut found.for_ptxas, &best);
            set_if_less(&mut found.by_ptxas, by_ptxas.as_ref().unwrap_or(&best));
            if let Some(by_ptxas) = by_ptxas {
                best = by_ptxas;
            }
            if recipient == Recipient::Allocator && !best.0.is_free() {
                let numbers = top_down::order(&prepared);
                let cost = cost_if_less(&numbers, &"top-down", best.0);
                // The same holds of this one.
                if let Some(cost) = cost.filter(|cost| cost.saves_much_of(best.0)) {
                    best = (cost, numbers);
                }
            }
            set_if_less(&mut found.for_allocator, &best);
        }
        found
    }
}

#[cfg(test)]
mod tests;
