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
//! are, and those that need far more, would hardly need fewer registers or have some in
//! flight; each value computed again has the operands it had.
//! Complexity: that of liveness, for each of at most [`MOST_ROUNDS`] rounds.
//! Source: rematerialisation as in Briggs, Cooper and Torczon, before any register is given.

mod choose;

use super::in_flight::has_registers_in_flight;
use super::limit::{self, CROWDED_PERCENT};
use super::loops::Loops;
use super::lowered::Lowered;
use super::pressure::live::Liveness;
use super::pressure::peaks::peaks;
use super::pressure::uniform::Uniform;
use super::pressure::values::Values;
use super::program::Program;
use super::recompute::Copies;
use super::value::Value;
use super::{Unit, changed, pressure, unit};
use inkwell::values::FunctionValue;
use passes::machine::gpu::R_SIZE;

/// So often what is live is looked at anew.
const MOST_ROUNDS: usize = 2;

/// What needs more than so many times the limit, and more than there are at all, has to be
/// spilled for the most part: what is computed again takes as long as the accesses it saves.
const HOPELESS_TIMES: u32 = 4;

/// What frees less than this part of the registers that a function needs is not worth its
/// instructions: `ptxas` has to spill the rest, or orders the function so that it fits.
const LEAST_RELIEF: u32 = 10;

/// A function, and what it needs.
struct Needed {
    function: FunctionValue<'static>,
    /// The registers that it may have.
    limit: u32,
    /// Registers as the function is.
    as_is: u32,
    /// Registers as the back end is about to see it.
    lowered: u32,
}

/// What was done to a function.
#[derive(Default)]
struct Sunk {
    /// Operands that are computed again, and what they were.
    replaced: Vec<(Value, usize, Value)>,
    /// What was computed, each behind what it uses of it.
    computed: Vec<Value>,
}

impl Sunk {
    /// The function is as it was.
    fn undo(self, unit: &Unit, function: FunctionValue) {
        for (user, operand, value) in self.replaced.into_iter().rev() {
            user.set_operand(operand, value);
        }
        for copy in self.computed.into_iter().rev() {
            copy.erase();
        }
        unit.forget(function);
    }
}

/// Whether anything is computed again.
pub fn run(unit: &Unit) -> bool {
    let mut changed = Vec::new();
    for before in over(unit) {
        let function = before.function;
        let mut sunk = Sunk::default();
        for _ in 0..MOST_ROUNDS {
            if !sink(unit, function, before.limit, &mut sunk) {
                break;
            }
            unit.forget(function);
        }
        if sunk.replaced.is_empty() {
            continue;
        }
        // What does not need less as it is has not been seen to need less when lowered, and
        // lowering takes longest.
        match is_relief(before.as_is, pressure::registers(unit, function)) {
            true => changed.push((before, sunk)),
            false => sunk.undo(unit, function),
        }
    }
    let after = lowered(unit, changed.iter().map(|(before, _)| before.function));
    let mut any = false;
    for ((before, sunk), after) in changed.into_iter().zip(after) {
        if is_relief(before.lowered, after) {
            changed::mark(&unit.module().get_context(), before.function);
            any = true;
        } else {
            sunk.undo(unit, before.function);
        }
    }
    any
}

/// The functions that need too many registers, but not far too many.
fn over(unit: &Unit) -> Vec<Needed> {
    let high = |function: FunctionValue<'static>| {
        let limit = limit::registers(unit, function);
        if limit >= R_SIZE || unit::stays(function) || has_registers_in_flight(function) {
            return None;
        }
        // What fits as it is nearly fits as the back end is about to see it.
        let as_is = pressure::registers(unit, function);
        (as_is > limit).then_some((function, limit, as_is))
    };
    let high: Vec<_> = unit.definitions().filter_map(high).collect();
    let lowered = lowered(unit, high.iter().map(|&(function, ..)| function));
    let needed = high.into_iter().zip(lowered);
    let needed = needed.map(|((function, limit, as_is), lowered)| Needed {
        function,
        limit,
        as_is,
        lowered,
    });
    let is_over = |needed: &Needed| {
        needed.lowered * 100 > needed.limit * CROWDED_PERCENT
            && needed.lowered <= R_SIZE.max(needed.limit * HOPELESS_TIMES)
    };
    needed.filter(is_over).collect()
}

/// Whether so much less is needed that it is worth its instructions.
fn is_relief(before: u32, after: u32) -> bool {
    before.saturating_sub(after) * LEAST_RELIEF >= before
}

/// The registers that each of some functions needs, as the back end is about to see them.
fn lowered(unit: &Unit, functions: impl Iterator<Item = FunctionValue<'static>>) -> Vec<u32> {
    let functions: Vec<_> = functions.collect();
    if functions.is_empty() {
        return Vec::new();
    }
    let lowered = Lowered::for_sinking(unit, functions.iter().copied());
    let need = |&function: &FunctionValue| {
        let copy = lowered.function(function);
        copy.map_or(0, |copy| pressure::registers(lowered.unit(), copy))
    };
    functions.iter().map(need).collect()
}

/// One round. Whether it changed anything.
fn sink(unit: &Unit, function: FunctionValue, limit: u32, sunk: &mut Sunk) -> bool {
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
        sunk.computed.extend(copies.into_computed());
    }
    for (user, operand, here) in replacements {
        sunk.replaced.push((user, operand, user.operand(operand)));
        user.set_operand(operand, here);
    }
    !chosen.is_empty()
}
