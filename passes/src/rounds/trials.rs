//! Trials: the same values in fewer registers.
//!
//! A colouring may leave holes: a pair that finds no two neighbours free takes new
//! ones. Where registers cost occupancy, a function that leaves some of the budget free,
//! even if something was spilled, is coloured again with just what its fullest point
//! takes, then with more, until the trials are used up; the best result that keeps no more
//! copies stays. Time: a round for each trial. Source: ptxas document, per-class driver
//! (trials without spilling, best result recorded), knob 639.

use super::round::{Round, round};
use super::series::Outcome;
use crate::analysis::pressure::{file_usage, registers_used};
use crate::assign::attempt::Attempt;
use crate::assign::colouring::Colouring;
use crate::assign::problem::Target;
use crate::function::Function;
use crate::machine::Machine;
use crate::settings::Settings;
use tracing::debug;

/// Tries to find a colouring with fewer registers of the file that has a budget;
/// counts the rounds.
pub fn fewer_registers(
    machine: &Machine,
    settings: &Settings,
    mut outcome: Outcome,
    rounds: &mut u32,
) -> Outcome {
    let Some(file) = machine.limited_file() else {
        return outcome;
    };
    let function = &outcome.work.function;
    if !outcome.work.is_unspilled() {
        let register_of = |value| outcome.colouring.register(value);
        let used = registers_used(function, machine, file, register_of);
        if used >= machine.files[file].size {
            return outcome;
        }
    }
    let measure = |colouring: &Colouring| {
        let register_of = |value| colouring.register(value);
        file_usage(function, machine, register_of)[file]
    };
    let found = measure(&outcome.colouring);
    let (mut least, mut used) = (found.most, found.used);
    if least >= used {
        return outcome;
    }
    let mut limit = least;
    let copies = copies_kept(function, machine, &outcome.colouring);
    for _ in 1..settings.knobs.non_spill_trials {
        if least >= used {
            break;
        }
        *rounds += 1;
        let cut = machine.restricted_to(file, limit);
        match round(&outcome.work, &Target::new(&cut), settings, Attempt::Fewer) {
            Ok(Round::Coloured(colouring))
                if copies_kept(function, machine, &colouring) <= copies =>
            {
                used = measure(&colouring).used;
                outcome.colouring = colouring;
            }
            _ => least = limit + 1,
        }
        debug!(limit, used, "tried with fewer registers");
        limit = least.midpoint(used);
    }
    outcome
}

/// Executions of the copies between different registers.
pub fn copies_kept(function: &Function, machine: &Machine, colouring: &Colouring) -> f64 {
    let mut kept = 0.0;
    for (block, data) in &function.blocks {
        for instruction in function.block_instructions(block) {
            if let Some((to, from)) = function.copy_operands(instruction)
                && !colouring.makes_identity(machine, to, from)
            {
                kept += data.frequency;
            }
        }
    }
    kept
}
