//! ptxas' driver: attempts without spilling, then attempts with guidance.
//!
//! Without spilling, unless the budget model expects that values are spilled. With spilling
//! guidance says beforehand what is spilled, select spills what has no register all the same.
//! An attempt succeeds if select spills nothing more; otherwise the next aims at one register
//! less than that came to. If one brings no progress, the feasibility gate decides whether
//! guidance has to leave one more free (the forced marks) or attempts end; beyond the first
//! ones they go on only while they bring progress (the stall check). The result with the
//! cheapest accesses is kept, and an attempt that comes to clearly more is given up; if there
//! is none, select alone spills (the final fallback). Unless spills are expected the trials for
//! fewer registers ([`super::trials`], knob 639) follow, even if another file had too few and
//! something was spilled: in ptxas each class has this driver for itself.
//!
//! Ensures a result or the reason for none. Time: a series of rounds for each attempt.
//! Source: ptxas document, "per-class driver" and the loop that consumes guidance.

use super::first::expects_spills;
use super::retries::{Advised, Bound, follow_advice, most_accesses};
use super::series::{Outcome, Series, Start, without_spilling};
use super::trials::fewer_registers;
use super::unspilled::Unspilled;
use crate::analysis::pressure::registers_used;
use crate::assign::attempt::Attempt;
use crate::assign::problem::Target;
use crate::budget::model::Gate;
use crate::error::Error;
use crate::machine::gpu;
use crate::settings::Settings;
use tracing::debug;

/// Finds a register or a slot for each value; counts the rounds.
///
/// # Errors
/// Those of [`Series::run`], if nothing is found without guidance either.
pub fn guidance_first(
    unspilled: &Unspilled,
    target: &Target,
    settings: &Settings,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    if expects_spills(unspilled.function, target, settings).unwrap_or(false) {
        return with_guidance(unspilled, target, settings, rounds);
    }
    let mut found = None;
    if settings.knobs.non_spill_trials > 0 {
        let start = Start::new(unspilled, target.machine, settings);
        found = without_spilling(start, target, settings, rounds)?;
    }
    let found = match found {
        Some(found) => found,
        None => with_guidance(unspilled, target, settings, rounds)?,
    };
    Ok(fewer_registers(target.machine, settings, found, rounds))
}

/// The attempts with spilling.
fn with_guidance(
    unspilled: &Unspilled,
    target: &Target,
    settings: &Settings,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    let whole = Start::new(unspilled, target.machine, settings);
    let mut best: Option<Outcome> = None;
    let mut attempts = Attempts::new(unspilled, target, settings);
    while let Some(spare) = attempts.next() {
        let mut start = whole.clone();
        let Advised { unmet, .. } = follow_advice(&mut start, target, settings, spare, Bound::NONE);
        // Nothing could be completed with more registers, and these cannot be spared.
        if unmet && spare > 0 && best.is_none() {
            break;
        }
        let advised = start.work.spilled();
        let cost = |outcome: &Outcome| outcome.work.accesses();
        let most = best.as_ref().map_or(f64::INFINITY, |best| {
            most_accesses(unspilled.function, cost(best))
        });
        let retry = Attempt::Spill { retry: true };
        let series = Series::new(start, target, settings, retry);
        let Ok(Some(found)) = series.run_within(most, rounds) else {
            attempts.failed();
            continue;
        };
        let spilled = found.work.spilled();
        debug!(spare, advised, spilled, "tried with guidance");
        attempts.found(&found, spilled <= advised);
        if best.as_ref().is_none_or(|best| cost(&found) < cost(best)) {
            best = Some(found);
        }
    }
    match best {
        Some(best) => Ok(best),
        None => {
            let alone = Attempt::Spill { retry: false };
            Series::new(whole, target, settings, alone).run(rounds)
        }
    }
}

/// Which attempts there are.
struct Attempts<'a> {
    target: &'a Target<'a>,
    settings: &'a Settings,
    gate: Option<Gate>,
    made: u32,
    /// Registers that the next attempt leaves free.
    spare: u32,
    /// Registers that the last one used.
    last: Option<u32>,
    progress: bool,
    done: bool,
}

impl<'a> Attempts<'a> {
    fn new(unspilled: &Unspilled, target: &'a Target, settings: &'a Settings) -> Self {
        let machine = target.machine;
        let model = settings.budget_model().zip(machine.limited_file());
        let gate = model.map(|(model, file)| Gate {
            fraction: model.fraction(&settings.knobs, machine.files[file].size, gpu::R_SIZE),
            registers: machine.files[file].size,
            start_cost: settings.dear(unspilled.function).unwrap_or(0.0),
        });
        Self {
            target,
            settings,
            gate,
            made: 0,
            spare: 0,
            last: None,
            progress: true,
            done: false,
        }
    }

    /// How many registers the next attempt leaves free; none if there is no next one.
    fn next(&mut self) -> Option<u32> {
        let granted = self.settings.spill_retries + self.settings.extra_retries;
        let is_extra = self.made >= self.settings.spill_retries;
        let stalls = is_extra && !self.progress;
        if self.done || self.made >= granted || stalls {
            debug!(made = self.made, stalls, "ends attempts");
            return None;
        }
        self.made += 1;
        Some(self.spare)
    }

    /// The last attempt has found nothing, or nothing that is worth it.
    fn failed(&mut self) {
        self.progress = false;
        self.spare += 1;
    }

    /// What the last attempt has found, and whether guidance's advice sufficed.
    fn found(&mut self, outcome: &Outcome, suffices: bool) {
        let machine = self.target.machine;
        let Some(file) = machine.limited_file().filter(|_| !suffices) else {
            self.done = true;
            return;
        };
        let register_of = |value| outcome.colouring.register(value);
        let used = registers_used(&outcome.work.function, machine, file, register_of);
        self.progress = self.last.is_none_or(|last| used < last);
        self.last = Some(used);
        let forces = |gate: &Gate| gate.forces_marks(outcome.work.spilled(), self.spare);
        let forced = !self.progress && self.gate.as_ref().is_some_and(forces);
        let target = machine.files[file].size - used.saturating_sub(1);
        self.spare = target.max(self.spare + 1) + u32::from(forced);
        self.done = !self.progress && !forced;
        debug!(used, forced, spare = self.spare, "retargets");
    }
}
