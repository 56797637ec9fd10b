//! `warpalloc-hoist`: what a loop computes in each iteration and need not is computed in
//! front of it, as long as its registers allow that.
//!
//! LLVM moves invariants out of loops whatever is live there, and long before unrolling and
//! inlining have made others. Here each loop takes as many as fit: what is live at its worst
//! place, with what has been moved out of it, stays within the function's limit. Which loops
//! take part is knob 381: all of them (0), those without loops in them (1), none (3).
//!
//! Requires: nothing. Ensures: only pure operations move, into the block in front of the
//! loop's header that leads nowhere else; inner loops come first, so that an invariant moves
//! out of all loops that have room. Complexity: that of liveness. Source: ptxas'
//! HoistInvariants.

use super::loops::Loops;
use super::lowered::Lowered;
use super::pressure::live::Liveness;
use super::pressure::peaks::peaks;
use super::pressure::uniform::Uniform;
use super::pressure::values::Values;
use super::pressure::{self, own_sm};
use super::unit::instructions;
use super::value::Value;
use super::{Unit, changed, limit};
use inkwell::values::FunctionValue;

/// The values of knob 381.
const INNER_LOOPS: u32 = 1;
const NO_LOOPS: u32 = 3;

/// Whether anything was moved.
pub fn run(unit: &Unit) -> bool {
    let policy = |function| unit.own_settings(function).knobs.hoist_invariants;
    if unit.definitions().all(|one| policy(one) == NO_LOOPS) {
        return false;
    }
    let lowered = Lowered::new(unit, unit.definitions());
    changed::run_and_mark(unit, |function| {
        let copy = lowered.function(function);
        let needed = copy.map_or(0, |copy| pressure::registers(lowered.unit(), copy));
        let (limit, policy) = (limit::registers(unit, function), policy(function));
        let may = policy != NO_LOOPS && (1..limit).contains(&needed);
        may && hoist(unit, function, limit, policy == INNER_LOOPS)
    })
}

/// Moves what can be moved in a function. Whether anything was.
fn hoist(unit: &Unit, function: FunctionValue, limit: u32, only_inner: bool) -> bool {
    let loops = Loops::new(unit, function);
    let mut room = room(unit, function, &loops, limit);
    let parents: Vec<_> = (0..room.len())
        .map(|number| loops.chain(Some(number)).nth(1))
        .collect();
    let mut any = false;
    // Inner loops have higher numbers.
    for number in (0..room.len()).rev() {
        let Some(place) = loops.place_before(number) else {
            continue;
        };
        if only_inner && parents.contains(&Some(number)) {
            continue;
        }
        let is_inside = |value: Value| {
            value.opcode().is_some() && loops.chain(loops.around(value)).any(|one| one == number)
        };
        let candidates: Vec<_> = instructions(function)
            .filter(|&one| is_inside(one) && one.is_pure())
            .collect();
        for one in candidates {
            let registers = one.registers();
            let is_invariant = !one.operands().any(is_inside);
            if is_invariant && registers > 0 && registers <= room[number] {
                one.move_before(place);
                room[number] -= registers;
                any = true;
            }
        }
    }
    any
}

/// How many registers each loop has left at its worst place.
fn room(unit: &Unit, function: FunctionValue, loops: &Loops, limit: u32) -> Vec<u32> {
    let uniform = Uniform::new(unit, function, own_sm(unit, function));
    let values = Values::new(unit, function, &uniform);
    let liveness = Liveness::new(unit, function, &values);
    let mut room = vec![limit; loops.rows().len()];
    for peak in peaks(&values, &liveness, 0) {
        let place = liveness.blocks[peak.block].instructions[peak.position];
        for number in loops.chain(loops.around(place)) {
            room[number] = room[number].min(limit.saturating_sub(peak.registers));
        }
    }
    room
}
