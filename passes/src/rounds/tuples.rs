//! Tuples: the same values in the same number of registers, side by side where ptxas
//! would have to move them there.
//!
//! What was found so far knows nothing of tuples. One more round, within the registers
//! that it uses, an even number so that none is lost beside pairs, places them first
//! ([`crate::assign::tuples`]); unless all end up in their places, the result itself is
//! mended as well ([`crate::assign::exchange`]). What leaves fewest moves and no more
//! copies replaces it; so no function fails, spills or takes two registers more for the
//! sake of a tuple. With knob 636 off nothing else may have the
//! registers of tuples; then there is one round, within all registers of the budget, and
//! only moves and copies are compared. Time: two rounds. Source: ptxas document,
//! pre-colouring; that it comes last, as a trial, is ours. Only a GPU has tuples.

use super::round::{Round, round};
use super::series::Outcome;
use super::trials::copies_kept;
use crate::analysis::pressure::registers_used;
use crate::analysis::tuples::all_moves;
use crate::assign::attempt::Attempt;
use crate::assign::colouring::Colouring;
use crate::assign::problem::Target;
use crate::function::Function;
use crate::graph::mended;
use crate::machine::{File, Machine};
use crate::settings::{Pass, Settings};
use tracing::debug;

/// Functions with more operands than this are left as they are.
const LARGEST: usize = 200_000;

/// What is compared.
struct Figures {
    /// Executions of the moves that tuples need.
    moves: f64,
    /// Executions of the copies that are left.
    copies: f64,
    /// Registers of the limited file.
    used: u32,
}

impl Figures {
    fn new(function: &Function, machine: &Machine, file: File, colouring: &Colouring) -> Self {
        let register_of = |value| colouring.register(value);
        Self {
            moves: all_moves(function, machine, register_of).1,
            copies: copies_kept(function, machine, colouring),
            used: registers_used(function, machine, file, register_of),
        }
    }

    /// Whether there are fewer moves and no more of anything else but half a pair.
    fn improves(&self, other: &Self) -> bool {
        self.moves < other.moves
            && self.copies <= other.copies
            && self.used <= other.used.next_multiple_of(2)
    }
}

/// Tries to find a colouring with fewer moves; counts the round.
pub fn fewer_moves(
    target: &Target,
    settings: &Settings,
    mut outcome: Outcome,
    rounds: &mut u32,
) -> Outcome {
    let function = &outcome.work.function;
    let machine = target.machine;
    let wanted = settings.runs(Pass::Tuples) && function.operands.len() <= LARGEST;
    let Some(file) = machine.limited_file().filter(|_| wanted) else {
        return outcome;
    };
    let reuse = settings.knobs.precolour_reuse;
    let figures = |colouring: &Colouring| Figures::new(function, machine, file, colouring);
    let before = figures(&outcome.colouring);
    if function.tuples.is_empty() || reuse && before.moves == 0.0 {
        return outcome;
    }
    *rounds += 1;
    let within = match reuse {
        true => machine.restricted_to(file, before.used.next_multiple_of(2)),
        false => machine.clone(),
    };
    let within = Target::new(&within);
    let attempt = Attempt::Tuples {
        spilled: !outcome.work.is_unspilled(),
    };
    let placed = match round(&outcome.work, &within, settings, attempt) {
        Ok(Round::Coloured(colouring)) => Some((figures(&colouring), colouring)),
        _ => None,
    };
    let mut best = placed.filter(|(figures, _)| match reuse {
        true => figures.improves(&before),
        false => figures.moves <= before.moves && figures.copies <= before.copies,
    });
    if reuse && best.as_ref().is_none_or(|(figures, _)| figures.moves > 0.0) {
        let colouring = mended(&outcome.work, &within, settings, &outcome.colouring);
        let mended = figures(&colouring);
        let least = best.as_ref().map_or(before.moves, |(best, _)| best.moves);
        if mended.improves(&before) && mended.moves < least {
            best = Some((mended, colouring));
        }
    }
    if let Some((now, colouring)) = best {
        debug!(before = before.moves, now = now.moves, "tuples");
        outcome.colouring = colouring;
    }
    outcome
}
