//! Who spills: how a GPU's function that needs more registers than it may have comes by
//! fewer.
//!
//! ptxas allocates in the end, whatever PTX says, and it spills where it has to: after it
//! has folded constants, addresses and parameters into operands and has ordered the
//! instructions anew. A peak it flattens in ways that are not seen from here, and every
//! value that we spill for its sake is one too many. So what counts is how much is live on
//! average: as long as that is not far beyond the registers that ptxas does not need for
//! itself, and not many more than there are, the program stays as it is, or gets another order
//! if far less has to be spilled in that ([`better_order`]). Where it is more, no order helps,
//! and the allocator spills better, as it looks at the whole function.
//!
//! How well it does is looked at as well: what takes far more accesses than the fewest that
//! ptxas needs ([`least`]) is left to ptxas after all, which mostly does better there. So is
//! what ptxas would undo in large part ([`forwarded`]), unless that is far less. Both are asked as
//! soon as it is known what would be spilled; where the fewest accesses show it, before that.
//!
//! Requires a validated function. Time: that of liveness. Source: ours, by measurement
//! (docs/spills.md).

mod forwarded;
mod least;
mod parameters;

use crate::analysis::demand::most_live;
use crate::distribute::Distribution;
use crate::function::{Function, OperandFlags};
use crate::machine::{Machine, gpu};
use crate::prediction::expansion::Expansion;
use crate::prediction::meaning::Texts;
use crate::prediction::{Live, live, rest};
use crate::schedule::Order;
use crate::settings::Spills;
use least::{Least, least};
use parameters::PARAMETERS;
use std::cell::OnceCell;
use tracing::debug;

/// What is handed to ptxas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The caller's program.
    AsItIs,
    /// Its instructions in an order that needs fewer registers.
    Reordered,
    /// The caller's program, or that order if it is much better ([`better_order`]).
    Uncrowded,
    /// What the allocator makes of it within the budget.
    Here,
}

/// A strategy, and what it is worth.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Who spills.
    pub strategy: Strategy,
    /// Executed accesses to memory beyond which what the allocator makes is left to ptxas;
    /// infinite where that is not asked.
    pub most: f64,
    /// The fewest accesses that ptxas needs, if they were counted.
    pub least: Option<f64>,
    /// The function as ptxas allocates it, if that was looked at.
    pub rest: Option<Function>,
    /// The fewest accesses that ptxas needs in another order, once counted.
    in_other_order: OnceCell<(Order, f64)>,
}

impl Chosen {
    /// The fewest accesses that ptxas needs in another order: mostly one is asked about twice.
    fn least_in(&self, order: &Order, count: impl Fn(&Function) -> f64) -> Option<f64> {
        let rest = self.rest.as_ref()?;
        let least = || count(&order.apply(rest));
        let (known, known_least) = self.in_other_order.get_or_init(|| (order.clone(), least()));
        Some(match known == order {
            true => *known_least,
            false => least(),
        })
    }
}

impl From<Strategy> for Chosen {
    fn from(strategy: Strategy) -> Self {
        Self {
            strategy,
            most: f64::INFINITY,
            least: None,
            rest: None,
            in_other_order: OnceCell::new(),
        }
    }
}

/// Chooses for a function that has to keep to so many registers of the R file; `texts` is
/// what its instructions mean to ptxas.
pub fn choose(
    function: &Function,
    machine: &Machine,
    texts: &Texts,
    spills: Spills,
    registers: u32,
) -> Chosen {
    match spills {
        Spills::Here => Strategy::Here.into(),
        Spills::Ptxas => Strategy::Reordered.into(),
        // Values in flight can neither be stored nor make room, and of regions with other
        // numbers of registers the average says nothing; ptxas knows best what it does there.
        Spills::Auto if is_asynchronous(function) => Strategy::AsItIs.into(),
        // ptxas cannot tell slots from variables at places that it does not know, and moves
        // neither past the other.
        Spills::Auto if accesses_much(function, texts) => Strategy::AsItIs.into(),
        Spills::Auto => {
            let mut rest = rest(function, machine, texts);
            let file = machine.limited_file();
            let count =
                |rest: &_| file.map_or_else(Live::default, |file| live(rest, machine, file));
            let mut live = count(&rest);
            if live.most > registers && share_loaded(&mut rest, function, machine) {
                live = count(&rest);
            }
            let live = live.mean;
            debug!(function = function.name, live, registers, "who spills");
            let is_crowded = live >= PARAMETERS.asked(registers);
            // ptxas does worse in most of the others.
            let is_compared = live < PARAMETERS.very_crowded(registers);
            let may_forward = registers >= PARAMETERS.forwarded_registers;
            let least = file
                .filter(|_| is_crowded && (is_compared || may_forward))
                .map(|file| least(&rest, machine, file, registers));
            debug!(function = function.name, ?least, "what is worth it");
            let is_undone = may_forward
                && least.is_some_and(|least| least.forwarded >= PARAMETERS.forwarded_at_best);
            let least = least.map(|Least { accesses, .. }| accesses);
            let most = |least| PARAMETERS.most_accesses(least, live, registers);
            Chosen {
                strategy: match is_crowded && !is_undone {
                    true => Strategy::Here,
                    false => Strategy::Uncrowded,
                },
                most: least.filter(|_| is_compared).map_or(f64::INFINITY, most),
                least,
                rest: Some(rest),
                in_other_order: OnceCell::new(),
            }
        }
    }
}

/// Another order of a function that is not crowded, if ptxas has far less to spill in it. It is
/// asked for only where anything has to be spilled, and only with few registers. Less in small
/// part is not enough: ptxas orders anew itself, the better the more registers there are, and
/// what it makes of two programs that need the same differs. `other` is the order that ptxas may
/// be given, and the one that it finds by itself. `chosen` has the function as ptxas allocates it,
/// with the same instructions.
pub fn better_order<'a>(
    chosen: &Chosen,
    machine: &Machine,
    registers: u32,
    other: impl FnOnce() -> Option<(&'a Order, &'a Order)>,
) -> Option<&'a Order> {
    let part = PARAMETERS.reordered(registers);
    if part == 0.0 {
        return None;
    }
    let rest = chosen.rest.as_ref()?;
    let file = machine.limited_file()?;
    let count = |function: &Function| least(function, machine, file, registers).accesses;
    let before = chosen.least.unwrap_or_else(|| count(rest));
    if before == 0.0 {
        return None;
    }
    let (order, found) = other()?;
    let before = match found == order {
        true => before,
        false => before.min(chosen.least_in(found, count)?),
    };
    if before == 0.0 {
        return None;
    }
    let after = chosen.least_in(order, count)?;
    debug!(function = rest.name, before, after, "another order");
    (after <= before * part).then_some(order)
}

/// Executed accesses to memory beyond which what the allocator makes is left to ptxas. What that
/// needs in an order that it finds by itself, such as `other`, is as good as what it needs in the
/// program's own.
pub fn most_accesses<'a>(
    chosen: &Chosen,
    machine: &Machine,
    registers: u32,
    other: impl FnOnce() -> Option<&'a Order>,
) -> f64 {
    let least = || {
        let file = machine.limited_file().filter(|_| chosen.most.is_finite())?;
        let count = |function: &Function| least(function, machine, file, registers).accesses;
        chosen.least_in(other()?, count)
    };
    let least = least();
    debug!(least, "in another order");
    let most = |least: f64| least * f64::from(PARAMETERS.most_percent) / 100.0;
    least.map_or(chosen.most, |least| chosen.most.min(most(least)))
}

/// Whether ptxas undoes what is spilled in a function, at a cost of so many executed accesses. It
/// forwards much of what is reloaded there, and spills again; what it forwards in large part has
/// to be far better than the fewest accesses that it needs by itself, and where it forwards
/// nearly everything nothing is left of spilling.
pub fn is_undone(
    chosen: &Chosen,
    machine: &Machine,
    registers: u32,
    spilled: &Function,
    cost: f64,
) -> bool {
    let (Some(rest), Some(file)) = (&chosen.rest, machine.limited_file()) else {
        return false;
    };
    if registers < PARAMETERS.forwarded_registers {
        return false;
    }
    let part = forwarded::part(spilled);
    if part < PARAMETERS.forwarded {
        return false;
    }
    let count = || least(rest, machine, file, registers).accesses;
    let least = chosen.least.unwrap_or_else(count);
    debug!(function = rest.name, part, least, cost, "forwarded");
    let most = least * f64::from(PARAMETERS.most_percent_forwarded) / 100.0;
    part >= PARAMETERS.mostly_forwarded || cost > most
}

/// Moves what is loaded from one address to uniform registers in the function as ptxas allocates
/// it, if they suffice; says whether anything is. ptxas does so before it spills.
fn share_loaded(rest: &mut Function, function: &Function, machine: &Machine) -> bool {
    let Some(distribution) = Distribution::by_accesses(function, machine) else {
        return false;
    };
    let loaded: Vec<_> = distribution.loaded().collect();
    if loaded.is_empty() {
        return false;
    }
    let before = rest.virtual_registers.clone();
    for (value, class) in loaded {
        rest.virtual_registers[value].class = class;
    }
    let file = gpu::UNIFORM_FILE;
    let suffices = most_live(rest, machine, file) <= machine.files[file].size;
    if !suffices {
        rest.virtual_registers = before;
    }
    suffices
}

/// Whether many of the instructions access the thread's own memory.
fn accesses_much(function: &Function, texts: &Texts) -> bool {
    let expansions = texts.expansions.values();
    let local = expansions.filter(|&&one| one == Some(Expansion::Local));
    let most = function.instructions.len() * PARAMETERS.local_percent as usize / 100;
    local.count() > most
}

/// Whether registers are in flight somewhere, or come and go.
fn is_asynchronous(function: &Function) -> bool {
    let mut operands = function.operands.values();
    let mut instructions = function.instructions.values();
    operands.any(|operand| operand.flags.contains(OperandFlags::IN_FLIGHT))
        || instructions.any(|data| data.thread_registers.is_some())
}

#[cfg(test)]
mod tests;
