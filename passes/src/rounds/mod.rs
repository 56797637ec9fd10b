//! Rounds of colouring, with spilling in between, until every value has a register or a
//! slot.
//!
//! A first [`series`] of rounds, without spilling where that is possible, always finds a
//! result or a reason why there is none. If something has to be spilled, [`retries`] look
//! for the fewest memory accesses; where registers are left, [`trials`] look for fewer of
//! them. On a CPU values first move where a call is ahead ([`before_calls`]), and constants
//! that are one of several values go apart ([`constants_apart`]), and what a few instructions
//! read from a small class has all registers elsewhere ([`super_classes`]). Last,
//! [`tuples`] are laid side by side where there is room. [`guidance_first`] is ptxas' own
//! driver, in its profile. Source: ptxas document, "per-class driver".

mod before_calls;
mod bridges;
mod constants_apart;
mod first;
mod guidance_first;
mod places;
mod retries;
mod round;
mod series;
mod super_classes;
mod trials;
mod tuples;
mod unspilled;

pub use retries::{Bound, is_small, predicted_accesses};
pub use series::Outcome;
pub use tuples::fewer_moves;
pub use unspilled::Unspilled;

use crate::assign::problem::Target;
use crate::error::Error;
use crate::settings::{Driver, Settings};
use first::first_attempt;
use guidance_first::guidance_first;
use retries::{fails_first, fewest_accesses};
use series::{Series, Start};
use trials::fewer_registers;

/// The registers of one way to allocate a function.
#[derive(Clone, Copy)]
pub struct Targets<'a> {
    /// Those that guidance spills for: all but what is left to ptxas.
    pub guidance: &'a Target<'a>,
    /// Those that select may give: as many are enough for what guidance leaves, but pairs may find
    /// no two neighbours free.
    pub select: &'a Target<'a>,
}

/// Finds a register or a slot for each value, as the driver says; counts the rounds.
///
/// # Errors
/// Why nothing was found: see [`series`].
pub fn coloured(
    unspilled: &Unspilled,
    targets: Targets,
    settings: &Settings,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    match settings.driver {
        Driver::GuidanceFirst => guidance_first(unspilled, targets.guidance, settings, rounds),
        Driver::SelectFirst => select_first(unspilled, targets, settings, rounds),
    }
}

/// Nothing is spilled where that is possible; otherwise guidance and select look for what is
/// cheapest to spill. Trials for fewer registers follow.
fn select_first(
    unspilled: &Unspilled,
    targets: Targets,
    settings: &Settings,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    let target = targets.guidance;
    let start = Start::new(unspilled, target.machine, settings);
    let is_foreseen = fails_first(&start.work.function, target, settings);
    let mut first = Series::new(start, target, settings, first_attempt(target, settings));
    let first_round = match is_foreseen {
        true => Ok(None),
        false => first.run_unspilled(rounds),
    };
    let found = match first_round {
        Ok(Some(colouring)) => first.refined(colouring),
        stopped => {
            let alone = stopped.map(|_| first);
            fewest_accesses(unspilled, targets, settings, alone, rounds)?
        }
    };
    Ok(fewer_registers(target.machine, settings, found, rounds))
}
