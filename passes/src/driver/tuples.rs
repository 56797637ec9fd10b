//! Tuples: the same values in the same number of registers, side by side where ptxas
//! would have to move them there.
//!
//! What was found so far knows nothing of tuples. One more round, within the registers
//! that it uses, places them first ([`crate::select::tuples`]). It replaces the result
//! if fewer moves are left and no more copies; so no function fails, spills or takes a
//! register more for the sake of a tuple. Time: a round. Source: ptxas document,
//! pre-colouring; that it comes last, as a trial, is ours. Only a GPU has tuples.

use super::round::{Attempt, Round, round};
use super::series::Outcome;
use super::trials::copies_kept;
use crate::analysis::pressure::occupancy;
use crate::analysis::tuples::all_moves;
use crate::budget;
use crate::config::{Config, Pass};
use crate::problem::Target;
use crate::select::colouring::Colouring;
use tracing::debug;

/// Functions with more operands than this are left as they are.
const LARGEST: usize = 200_000;

/// Tries to find a colouring with fewer moves; counts the round.
pub fn fewer_moves(
    target: &Target,
    config: &Config,
    mut outcome: Outcome,
    rounds: &mut u32,
) -> Outcome {
    let function = &outcome.work.function;
    let machine = target.machine;
    let Some(file) = budget::limited_file(machine) else {
        return outcome;
    };
    let moves =
        |colouring: &Colouring| all_moves(function, machine, |value| colouring.register(value)).1;
    let before = moves(&outcome.colouring);
    if before == 0.0 || !config.runs(Pass::Tuples) || function.operands.len() > LARGEST {
        return outcome;
    }
    *rounds += 1;
    let register_of = |value| outcome.colouring.register(value);
    let used = occupancy(function, machine, register_of)[file].used;
    let within = budget::cut(machine, file, used);
    let attempt = Attempt::Tuples {
        spilled: !outcome.work.is_unspilled(),
    };
    let found = round(function, &Target::new(&within), config, attempt);
    if let Ok(Round::Coloured(colouring)) = found {
        let copies = |colouring| copies_kept(function, machine, colouring);
        let (kept, now) = (copies(&colouring), moves(&colouring));
        debug!(before, now, kept, "tried with tuples");
        if now < before && kept <= copies(&outcome.colouring) {
            outcome.colouring = colouring;
        }
    }
    outcome
}
