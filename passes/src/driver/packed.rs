//! Spilled predicates as bits of a register.
//!
//! A GPU stores no predicates: one that is spilled goes to a register of R, where it takes
//! 32 bits. If several are, and R is full as well, the function is allocated again with one
//! register less, which holds 32 predicates as bits: a register file of their own, so that
//! every pass and the checker treat them as they do any other. Two registers if one does not
//! suffice. The cheapest result stays. Time: that of another allocation. Source: the issue of
//! both documents' predicate spilling; ptxas has instructions for it (P2R, R2P).

use super::allocate_with_words;
use crate::allocation::Allocation;
use crate::config::Config;
use crate::error::Error;
use crate::function::Function;
use crate::machine::{Machine, gpu};
use tracing::debug;

/// With fewer of them spilled nothing is to be gained: the bits take a register as well.
const FEWEST: usize = 2;

/// The allocation with predicates as bits, if it is cheaper than this one.
///
/// # Errors
/// If `config.verify` is set and the checker finds the result wrong.
pub(super) fn with_packed_predicates(
    function: &Function,
    machine: &Machine,
    config: &Config,
    plain: Allocation,
) -> Result<Allocation, Error> {
    if plain.slots.is_empty() || spilled_predicates(function, machine, &plain) < FEWEST {
        return Ok(plain);
    }
    for words in 1..=gpu::MOST_WORDS {
        let packed = match allocate_with_words(function, machine, config, words) {
            Ok(packed) => packed,
            Err(error @ Error::Wrong(_)) => return Err(error),
            // Too few registers, or too many predicates: no reason to fail.
            Err(_) => continue,
        };
        let cost = |allocation: &Allocation| allocation.statistics.spill_cost;
        let (before, now) = (cost(&plain), cost(&packed));
        debug!(words, before, now, "packed predicates");
        return Ok(if now < before { packed } else { plain });
    }
    Ok(plain)
}

/// How many registers carry spilled predicates.
fn spilled_predicates(function: &Function, machine: &Machine, plain: &Allocation) -> usize {
    let created = plain.created.iter();
    let carriers = created.filter(|one| {
        let origin = function.virtual_registers[one.origin].class;
        one.class != origin && machine.classes[origin].spill_through == Some(one.class)
    });
    carriers.count()
}
