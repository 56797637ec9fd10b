//! `warpalloc-sink`: cheap values are computed again in the blocks that use them, where a
//! kernel needs more registers than it may have.
//!
//! LLVM shares an address or a conversion between all blocks that use it, and moves it out
//! of loops, whatever is live there. Such a value has its registers on the whole way.
//! Repeated in front of its first use in each block, it needs there only those of what
//! it is computed from, which are often live in any case, or shared: two floats are one
//! register as a pair of halves, a hundred swizzled addresses come from one.
//!
//! Requires: nothing. Ensures: functions that fit into their limit, or nearly, stay as they
//! are, and those that would hardly need fewer registers or have some in flight; each value
//! computed again has the operands it had. Complexity: that of liveness, for each of at most
//! [`MOST_ROUNDS`] rounds.
//! Source: rematerialisation as in Briggs, Cooper and Torczon, before any register is given.

mod choose;

use super::in_flight::has_registers_in_flight;
use super::loops::Loops;
use super::lowered::Lowered;
use super::originals::Before;
use super::pressure::live::Liveness;
use super::pressure::peaks::peaks;
use super::pressure::uniform::Uniform;
use super::pressure::values::Values;
use super::program::Program;
use super::recompute::Copies;
use super::{Unit, changed, limit, originals, pressure, unit};
use inkwell::values::FunctionValue;
use passes::machine::gpu::R_SIZE;

/// So often what is live is looked at anew.
const MOST_ROUNDS: usize = 2;

/// Up to this percentage of the limit `ptxas` is expected to find an order in which a function
/// fits.
const CROWDED_PERCENT: u32 = 125;

/// What frees less than this part of the registers that a function needs is not worth its
/// instructions: `ptxas` has to spill the rest, or orders the function so that it fits.
const LEAST_RELIEF: u32 = 10;

/// Whether anything is computed again.
pub fn run(unit: &Unit) -> bool {
    // What fits as it is nearly fits as the back end is about to see it.
    let is_high = |&function: &FunctionValue| {
        let limit = limit::registers(unit, function);
        limit < R_SIZE
            && !unit::stays(function)
            && !has_registers_in_flight(function)
            && pressure::registers(unit, function) > limit
    };
    let high: Vec<_> = unit.definitions().filter(is_high).collect();
    let before = needs(unit, &high);
    let over: Vec<_> = high
        .into_iter()
        .zip(before)
        .filter(|&(function, needed)| {
            needed * 100 > limit::registers(unit, function) * CROWDED_PERCENT
        })
        .collect();
    let mut changed = Vec::new();
    for (function, before) in over {
        originals::copy(unit, function, Before::Sinking);
        let limit = limit::registers(unit, function);
        if (0..MOST_ROUNDS)
            .take_while(|_| sink(unit, function, limit))
            .count()
            > 0
        {
            changed.push((function, before));
        }
    }
    let functions: Vec<_> = changed.iter().map(|&(function, _)| function).collect();
    let after = needs(unit, &functions);
    let mut any = false;
    for ((function, before), after) in changed.into_iter().zip(after) {
        if before.saturating_sub(after) * LEAST_RELIEF >= before {
            changed::mark(&unit.module().get_context(), function);
            any = true;
        } else if let Some(original) = originals::original(unit, function, Before::Sinking) {
            originals::restore(unit, function, original);
        }
    }
    originals::remove(unit) | any
}

/// The registers that each of some functions needs, as the back end is about to see them.
fn needs(unit: &Unit, functions: &[FunctionValue<'static>]) -> Vec<u32> {
    if functions.is_empty() {
        return Vec::new();
    }
    let lowered = Lowered::new(unit, functions.iter().copied());
    let need = |&function: &FunctionValue| {
        let copy = lowered.function(function);
        copy.map_or(0, |copy| pressure::registers(lowered.unit(), copy))
    };
    functions.iter().map(need).collect()
}

/// One round. Whether it changed anything.
fn sink(unit: &Unit, function: FunctionValue, limit: u32) -> bool {
    let uniform = Uniform::new(unit, function, pressure::own_sm(unit, function));
    let values = Values::new(unit, function, &uniform);
    let liveness = Liveness::new(unit, function, &values);
    let peaks = peaks(&values, &liveness, limit);
    if peaks.is_empty() {
        return false;
    }
    let loops = Loops::new(unit, function);
    let program = Program::new(&values, &liveness, &loops);
    let chosen = choose::choose(&program, peaks, limit);
    // Nothing is replaced as long as something is copied: copies are of what was chosen.
    let mut replacements = Vec::new();
    for block in 0..liveness.blocks.len() {
        let mut copies = Copies::default();
        for one in program.uses_in(block) {
            let Some(leaves) = chosen.get(&one.piece) else {
                continue;
            };
            if program.location(one.piece) != Some(block) {
                let here = copies.before(unit, one.value, leaves, one.place);
                replacements.push((one.user, one.operand, here));
            }
        }
    }
    for (user, operand, here) in replacements {
        user.set_operand(operand, here);
    }
    !chosen.is_empty()
}
