//! Prediction: how many registers ptxas will report for a kernel, without running it.
//!
//! ptxas allocates anew. It needs fewer registers than PTX names, as constants,
//! parameters and what is uniform take none ([`folding`]) and it orders instructions for
//! few of them ([`pressure`]); none at all where nothing is done that can be seen
//! ([`effects`]); and more, for what one instruction of PTX is expanded to
//! ([`expansion`]), what it loads early where registers are free ([`ahead`]), what survives
//! calls ([`calls`]) and what it keeps for itself. The
//! numbers in this are in [`parameters`]. Source: what ptxas 13.0 makes of public kernels
//! for sm_80 and sm_90; see `docs/prediction.md` for how well it fits. Time: that of one
//! list schedule of the function.

mod ahead;
mod calls;
mod effects;
pub mod expansion;
mod folding;
mod parameters;
mod pressure;

use crate::budget;
use crate::function::{Function, Instruction};
use crate::machine::Machine;
use crate::schedule::Dependences;
use ahead::{Wanted, wanted};
use calls::{Convention, convention};
use expansion::Expansions;
pub use folding::Folding;
use parameters::{PARAMETERS, Parameters, temporaries};

/// What ptxas is expected to make of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The registers of a thread that it will report.
    pub registers: u32,
    /// Those that the function saves for its callers, each by a store and a load.
    pub saved: u32,
}

/// What ptxas is expected to make of a function; none for a machine without a file that
/// is limited. The dependences let the prediction reorder instructions. `asked` is the most
/// registers with which the blocks are resident that a kernel asks for, if it does. With
/// `keeps_convention`, knob 649, what lives across a call is in registers that survive one.
pub fn expected(
    function: &Function,
    machine: &Machine,
    dependences: Option<&Dependences>,
    expansions: &Expansions,
    asked: Option<u32>,
    keeps_convention: bool,
) -> Option<Expected> {
    let file = budget::limited_file(machine)?;
    let most = machine.files[file].size;
    let folding = Folding::new(function);
    let rest = folding.rest();
    let pressures = pressure::pressures(&rest, machine, file, dependences);
    let pressure = &pressures.least;
    let mut needed = 0;
    let mut live = 0;
    for instruction in function.instructions.keys() {
        live = live.max(pressure[instruction]);
        let more = extra(&folding, expansions, instruction);
        needed = needed.max(pressure[instruction] + more);
    }
    let found = match live > 0 && effects::acts(function, expansions) {
        true => {
            let wanted = wanted(&rest, machine, file, &pressures.in_order, expansions);
            reported(needed + PARAMETERS.reserve).max(taken(wanted, asked))
        }
        false => PARAMETERS.empty,
    };
    let callee = match function.calls() {
        true => PARAMETERS.callee,
        false => 0,
    };
    let convention = match keeps_convention {
        true => convention(function, pressure, most).unwrap_or_default(),
        false => Convention::default(),
    };
    Some(Expected {
        registers: found.max(callee).max(convention.registers).min(most),
        saved: convention.saved,
    })
}

/// What an instruction needs beside what is live.
fn extra(folding: &Folding, expansions: &Expansions, instruction: Instruction) -> u32 {
    match expansions[instruction].map_or(0, temporaries) {
        0 if folding.reads_folded_pair(instruction) => PARAMETERS.folded_pair,
        more => more,
    }
}

/// What ptxas takes of the registers that are free: those that cost no warp, or those that
/// the blocks which the kernel asks for leave.
fn taken(wanted: Wanted, asked: Option<u32>) -> u32 {
    let Parameters {
        all_warps, reserve, ..
    } = PARAMETERS;
    let in_order = (wanted.in_order + reserve).min(asked.unwrap_or(0).max(all_warps));
    let unrolled = (wanted.unrolled + reserve).min(asked.unwrap_or(0));
    in_order.max(unrolled)
}

/// What ptxas comes out with where it could do with `needed` registers.
fn reported(needed: u32) -> u32 {
    let Parameters {
        enough,
        kept_percent,
        all_warps,
        reach,
        ..
    } = PARAMETERS;
    let above = needed.saturating_sub(enough);
    let kept = needed - above + (above * kept_percent).div_ceil(100);
    match kept > all_warps && kept <= all_warps + reach {
        true => all_warps,
        false => kept,
    }
}

#[cfg(test)]
mod tests;
