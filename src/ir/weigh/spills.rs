//! How many accesses to memory are executed for what does not fit into so many registers:
//! [`LeastAccesses`] of the pieces that a thread has registers for.
//!
//! Requires: liveness of the function. Complexity: for each use the logarithm of what is
//! live.

use crate::ir::loops::Loops;
use crate::ir::pressure::class::Class;
use crate::ir::pressure::live::Liveness;
use crate::ir::pressure::values::Values;
use fixedbitset::FixedBitSet;
use passes::analysis::least_accesses::{LeastAccesses, Step, Value};
use smallvec::SmallVec;

/// Registers that one access moves at most.
const AT_ONCE: u32 = 4;

/// Accesses for a function within `limit` registers of a thread.
pub fn accesses(values: &Values, liveness: &Liveness, loops: &Loops, limit: u32) -> f64 {
    let iterations = |block: usize| loops.iterations(liveness.blocks[block].instructions[0]);
    let mut data: Vec<_> = values
        .pieces
        .iter()
        .map(|piece| Value {
            registers: piece.count,
            access: f64::from(piece.count.div_ceil(AT_ONCE)),
            computed: 1.0,
        })
        .collect();
    for (number, block) in liveness.blocks.iter().enumerate() {
        for position in 0..block.instructions.len() {
            if liveness.is_in_place((number, position)) {
                for &piece in block.own(position) {
                    data[piece].computed = iterations(number);
                }
            }
        }
    }
    let of_thread = |live: &FixedBitSet| -> Vec<usize> {
        live.ones()
            .filter(|&piece| values.pieces[piece].class == Class::R)
            .collect()
    };
    let mut least = LeastAccesses::new(data, limit);
    for number in 0..liveness.blocks.len() {
        let (live, steps) = steps(values, liveness, number);
        let (at_start, at_end) = (of_thread(&live), of_thread(&liveness.at_end[number]));
        least.walk(&at_start, &steps, &at_end, iterations(number), |_| ());
    }
    least.sum()
}

/// What is live at the start of a block, and its steps in order.
fn steps(values: &Values, liveness: &Liveness, number: usize) -> (FixedBitSet, Vec<Step>) {
    let block = &liveness.blocks[number];
    let mut live = liveness.at_end[number].clone();
    let mut steps = Vec::new();
    for position in (0..block.instructions.len()).rev() {
        let place = (number, position);
        let mut used = SmallVec::new();
        liveness.changes(place, |piece, is_live| {
            live.set(piece, is_live);
            match is_live {
                true => used.push(piece),
                false => used.retain(|one| *one != piece),
            }
        });
        used.sort_unstable();
        used.dedup();
        let is_thread = |&piece: &usize| values.pieces[piece].class == Class::R;
        used.retain(|piece| is_thread(piece));
        let computed = match liveness.is_in_place(place) {
            true => {
                let own = block.own(position).iter().copied();
                own.filter(is_thread).collect()
            }
            false => SmallVec::new(),
        };
        steps.push(Step { used, computed });
    }
    steps.reverse();
    (live, steps)
}
