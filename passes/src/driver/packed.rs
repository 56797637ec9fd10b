//! Spilled predicates as bits of a register.
//!
//! A GPU has no predicates in memory: one that is spilled goes to a register of R, which has
//! room for 32. If several are, and R is full as well, the function is allocated again with
//! one register less, whose bits are a register file of their own; so every pass, and the
//! checker, treats them as it does others. Two registers, if one does not suffice. The
//! cheaper result stays. A bit is not stored: where there are too many, the values stay
//! where they were. Time: that of guidance; of another allocation where that expects to
//! gain. Source: ours; the hardware moves predicates to and from registers by masks (P2R and
//! R2P in "CUDA Binary Utilities").

use super::allocate_with_words;
use super::retries::predicted_accesses;
use crate::allocation::Allocation;
use crate::budget;
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
    let cost = |allocation: &Allocation| allocation.statistics.spill_cost;
    for words in 1..=gpu::MOST_WORDS {
        let with_words = budget::with_packed_predicates(machine, words);
        match expected_cost(function, &with_words, config) {
            None => continue,
            Some(expected) if expected >= cost(&plain) => break,
            Some(_) => {}
        }
        let packed = match allocate_with_words(function, machine, config, words) {
            Ok(packed) => packed,
            Err(error @ Error::Wrong(_)) => return Err(error),
            // A budget that is too small for it is no reason to fail.
            Err(_) => break,
        };
        let (before, now) = (cost(&plain), cost(&packed));
        debug!(words, before, now, "packed predicates");
        return Ok(if now < before { packed } else { plain });
    }
    Ok(plain)
}

/// What it costs at least to spill, as guidance sees it; none where it does not see how.
fn expected_cost(function: &Function, machine: &Machine, config: &Config) -> Option<f64> {
    let file = budget::limited_file(machine)?;
    predicted_accesses(function, machine, config, machine.files[file].size)
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
