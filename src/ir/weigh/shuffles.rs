//! What chains of shuffles cost where there is no room for them.
//!
//! A shuffle takes long, so that `ptxas` has independent ones wait beside one another: of chains
//! of them, as reductions of several values are, one link of each in turn. Where more is live
//! than a thread has registers, what the links before the last give is spilled between, which the
//! program's order does not say.
//!
//! Requires: liveness of the function. Complexity: linear. Source: what `ptxas` does with chains
//! of one, two and five shuffles, of 20 to 128 values, within 32 and 64 registers.

use crate::ir::loops::Loops;
use crate::ir::pressure::live::Liveness;
use crate::ir::pressure::peaks::live_registers;
use crate::ir::pressure::values::Values;
use crate::ir::value::Value;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Accesses for a link: a store and a load, of more than every other one.
const LINK: f64 = 1.25;

/// Accesses for the shuffles of a function within `limit` registers of a thread.
pub fn accesses(values: &Values, liveness: &Liveness, loops: &Loops, limit: u32) -> f64 {
    let links: Vec<_> = liveness
        .blocks
        .iter()
        .map(|block| links(&block.instructions))
        .collect();
    if links.iter().all(BTreeSet::is_empty) {
        return 0.0;
    }
    let mut accesses = 0.0;
    live_registers(values, liveness, |(block, position), registers| {
        if registers > limit && links[block].contains(&position) {
            accesses += LINK * loops.iterations(liveness.blocks[block].instructions[0]);
        }
    });
    accesses
}

/// The shuffles of a block of what another shuffle of it has given, by their numbers.
fn links(block: &[Value]) -> BTreeSet<usize> {
    let mut given = FxHashSet::default();
    let mut links = BTreeSet::new();
    for (number, &one) in block.iter().enumerate() {
        let is_shuffle = one.calls("llvm.nvvm.shfl.");
        let is_next = one.operands().any(|used| given.contains(&used));
        if is_shuffle && is_next {
            links.insert(number);
        }
        if is_shuffle || is_next {
            given.insert(one);
        }
    }
    links
}
