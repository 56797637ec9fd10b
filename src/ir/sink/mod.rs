//! `warpalloc-sink`: cheap values are computed again in the blocks that use them, where a
//! kernel needs more registers than it may have.
//!
//! LLVM shares an address or a conversion between all blocks that use it, and moves it out
//! of loops, whatever is live there. Such a value has its registers on the whole way.
//! Computed anew in front of its first use in each block, it needs there only those of what
//! it is computed from, which are often live in any case, or shared: two floats are one
//! register as a pair of halves, a hundred swizzled addresses come from one.
//!
//! Requires: nothing. Ensures: functions that fit into their limit stay as they are; each
//! value computed again has the operands it had. Complexity: that of liveness, for each of
//! at most [`MOST_ROUNDS`] rounds. Source: rematerialisation as in Briggs, Cooper and
//! Torczon, before any register is given.

mod choose;

use super::loops::Loops;
use super::lowered::Lowered;
use super::pressure::live::Liveness;
use super::pressure::peaks::peaks;
use super::pressure::uniform::Uniform;
use super::pressure::values::Values;
use super::program::Program;
use super::recompute::Copies;
use super::{Unit, changed, limit, pressure};
use inkwell::values::FunctionValue;
use passes::machine::gpu::R_SIZE;

/// So often what is live is looked at anew.
const MOST_ROUNDS: usize = 6;

/// Whether anything is computed again.
pub fn run(unit: &Unit) -> bool {
    let functions: Vec<_> = unit
        .definitions()
        .filter(|&function| limit::registers(unit, function) < R_SIZE)
        .collect();
    if functions.is_empty() {
        return false;
    }
    let lowered = Lowered::new(unit);
    let needs_too_many = |function: FunctionValue| {
        let copy = lowered.function(function);
        let peak = copy.and_then(|copy| pressure::peak(lowered.unit(), copy));
        peak.is_some_and(|(needed, _)| needed > limit::registers(unit, function))
    };
    changed::run_and_mark(unit, |function| {
        if !functions.contains(&function) || !needs_too_many(function) {
            return false;
        }
        let limit = limit::registers(unit, function);
        let rounds = (0..MOST_ROUNDS).take_while(|_| sink(unit, function, limit));
        rounds.count() > 0
    })
}

/// One round. Whether it changed anything.
fn sink(unit: &Unit, function: FunctionValue, limit: u32) -> bool {
    let uniform = Uniform::new(unit, function, pressure::own_sm(function));
    let values = Values::new(unit, function, &uniform);
    let liveness = Liveness::new(unit, function, &values);
    let peaks = peaks(&values, &liveness, limit);
    if peaks.is_empty() {
        return false;
    }
    let loops = Loops::new(unit, function);
    let program = Program::new(&values, &liveness, &loops);
    let chosen = choose::choose(&program, peaks, limit);
    for block in 0..liveness.blocks.len() {
        let mut copies = Copies::default();
        for one in program.uses_in(block) {
            let Some(leaves) = chosen.get(&one.piece) else {
                continue;
            };
            if program.home(one.piece) != Some(block) {
                let here = copies.before(unit, one.value, leaves, one.place);
                one.user.set_operand(one.operand, here);
            }
        }
    }
    !chosen.is_empty()
}
