//! Rounds of colouring, with spilling in between, until every value has a register or a
//! slot.
//!
//! A first [`series`] of rounds, without spilling where that is possible, always finds a
//! result or a reason why there is none. If something was spilled, [`retries`] look for
//! fewer memory accesses; where registers are left, [`trials`] look for fewer of them. Last,
//! [`tuples`] are laid side by side where there is room. [`guidance_first`] is ptxas' own
//! driver, in its profile. Source: ptxas document, "per-class driver".

mod bridges;
mod first;
mod guidance_first;
mod retries;
mod round;
mod series;
mod trials;
mod tuples;
mod unspilled;

pub use retries::predicted_accesses;
pub use series::Outcome;
pub use tuples::fewer_moves;
pub use unspilled::Unspilled;

use crate::assign::problem::Target;
use crate::error::Error;
use crate::settings::{Driver, Settings};
use first::first_attempt;
use guidance_first::guidance_first;
use retries::fewer_accesses;
use series::{Start, series};
use trials::fewer_registers;

/// Finds a register or a slot for each value, as the driver says; counts the rounds.
///
/// # Errors
/// Why nothing was found: see [`series`].
pub fn coloured(
    unspilled: &Unspilled,
    target: &Target,
    settings: &Settings,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    match settings.driver {
        Driver::GuidanceFirst => guidance_first(unspilled, target, settings, rounds),
        Driver::SelectFirst => select_first(unspilled, target, settings, rounds),
    }
}

/// Select says what is spilled; where it does, guidance looks for something cheaper. Trials
/// for fewer registers follow.
fn select_first(
    unspilled: &Unspilled,
    target: &Target,
    settings: &Settings,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    let start = Start::new(unspilled, target.machine, settings);
    let attempt = first_attempt(target, settings);
    let found = match series(start, target, settings, attempt, rounds) {
        Ok(found) if found.work.is_unspilled() => found,
        found => fewer_accesses(unspilled, target, settings, found, rounds)?,
    };
    Ok(fewer_registers(target.machine, settings, found, rounds))
}
