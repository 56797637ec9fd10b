//! Rounds of colouring, with spilling in between, until every value has a register or a
//! slot.
//!
//! A first [`series`] of rounds, without spilling where that is possible, always finds a
//! result or a reason why there is none. If something was spilled, [`retries`] look for
//! fewer memory accesses; where registers are left, [`trials`] look for fewer of them. Last,
//! [`tuples`] are laid side by side where there is room. The classes need no turn each, as
//! those of different register files do not interfere. Source: ptxas document, "per-class
//! driver".

mod bridges;
mod retries;
mod round;
mod series;
mod trials;
mod tuples;
mod unspilled;

pub use crate::assign::attempt::Attempt;
pub use retries::predicted_accesses;
pub use series::Outcome;
pub use trials::fewer_registers;
pub use tuples::fewer_moves;
pub use unspilled::Unspilled;

use crate::assign::problem::Target;
use crate::error::Error;
use crate::settings::Settings;
use retries::fewer_accesses;
use series::{Start, series};

/// Finds a register or a slot for each value, then fewer memory accesses if there are any;
/// counts the rounds.
///
/// # Errors
/// Why nothing was found: see [`series`].
pub fn coloured(
    unspilled: &Unspilled,
    target: &Target,
    settings: &Settings,
    attempt: Attempt,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    let start = Start::new(unspilled, target.machine, settings);
    match series(start, target, settings, attempt, rounds) {
        Ok(found) if found.work.is_unspilled() => Ok(found),
        found => fewer_accesses(unspilled, target, settings, found, rounds),
    }
}
