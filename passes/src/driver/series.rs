//! A series of rounds, with spilling in between, until every value has a register or a
//! slot.
//!
//! It ends: each round spills at least one of the caller's values that was not spilled
//! before, and the registers that spilling creates are never spilled.

use super::round::{Attempt, Round, round};
use crate::config::Config;
use crate::error::Error;
use crate::problem::Target;
use crate::select::colouring::Colouring;
use crate::spill::rewrite::Work;

/// What a series ends with.
pub struct Outcome {
    /// The function with its spill code.
    pub work: Work,
    /// A register for each of its values.
    pub colouring: Colouring,
}

/// Runs rounds, the first of this kind; counts them.
///
/// # Errors
/// If the values of one instruction do not fit into the budget, or if more values are
/// spilled than the limit allows.
pub fn series(
    mut work: Work,
    target: &Target,
    config: &Config,
    mut attempt: Attempt,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    loop {
        if let Some(limit) = config.spill_limit.filter(|&limit| work.spilled() > limit) {
            return Err(Error::SpillLimit { limit });
        }
        *rounds += 1;
        attempt = match (attempt, round(&work.function, target, config, attempt)) {
            (_, Ok(Round::Coloured(colouring))) => return Ok(Outcome { work, colouring }),
            (Attempt::NoSpill, _) => Attempt::Spill { retry: false },
            (Attempt::Spill { .. }, Ok(Round::Failed(values))) => {
                work.spill(target.machine, &values);
                Attempt::Spill { retry: true }
            }
            (Attempt::Spill { .. }, Err(error)) => return Err(error),
        };
    }
}
