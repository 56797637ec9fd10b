//! Spilled predicates as bits of a register.
//!
//! A GPU has no predicates in memory: one that is spilled goes to a register of R, which has
//! room for 28 ([`gpu::bit_of_packed`]). If several are, and R is full as well, the function is allocated again with
//! one register less, whose bits are a register file of their own; so every pass, and the
//! checker, treats them as it does others. Two registers, if one does not suffice. The
//! cheaper result stays; if there was none, any. A bit is not stored: where there are too
//! many, all values stay where they were. Time: that of guidance; of another allocation
//! where that expects to gain. Source: ours; the hardware moves predicates to and from registers by masks (P2R and
//! R2P in "CUDA Binary Utilities").

use super::allocate_with_words;
use super::retries::predicted_accesses;
use crate::allocation::Allocation;
use crate::budget;
use crate::config::Config;
use crate::error::Error;
use crate::function::Function;
use crate::machine::{Machine, gpu};
use std::collections::BTreeSet;
use tracing::debug;

/// With fewer of them spilled nothing is to be gained: the bits take a register as well.
const FEWEST: usize = 2;

/// The cheapest of this allocation and those with predicates as bits; any of them, if there
/// is none so far.
///
/// # Errors
/// The one given, if there is no allocation with predicates as bits either. If
/// `config.verify` is set and the checker finds a result wrong.
pub(super) fn cheaper_with_words(
    function: &Function,
    machine: &Machine,
    config: &Config,
    plain: Result<Allocation, Error>,
) -> Result<Allocation, Error> {
    let gains = match &plain {
        Ok(plain) => {
            !plain.slots.is_empty() && spilled_predicates(function, machine, plain) >= FEWEST
        }
        Err(
            Error::BudgetTooSmall { .. } | Error::OutOfRegisters { .. } | Error::SpillLimit { .. },
        ) => true,
        Err(_) => false,
    };
    if !gains {
        return plain;
    }
    let before = match &plain {
        Ok(plain) => plain.statistics.spill_cost,
        Err(_) => f64::INFINITY,
    };
    for words in 1..=gpu::MOST_WORDS {
        let with_words = budget::with_packed_predicates(machine, words);
        let expected = expected_cost(function, &with_words, config);
        if expected.is_none_or(|expected| expected >= before) {
            continue;
        }
        let packed = allocate_with_words(function, machine, config, words);
        if let Some(packed) = Error::unless_wrong(packed)? {
            let now = packed.statistics.spill_cost;
            debug!(words, before, now, "packed predicates");
            if now < before {
                return Ok(packed);
            }
        }
    }
    plain
}

/// What it costs at least to spill, as guidance sees it; none where it does not see how.
fn expected_cost(function: &Function, machine: &Machine, config: &Config) -> Option<f64> {
    let file = budget::limited_file(machine)?;
    predicted_accesses(function, machine, config, machine.files[file].size)
}

/// How many predicates are in registers that carry them.
fn spilled_predicates(function: &Function, machine: &Machine, plain: &Allocation) -> usize {
    let created = plain.created.iter();
    let carriers = created.filter(|one| {
        let origin = function.virtual_registers[one.origin].class;
        machine.classes[origin].spill_through == Some(one.class)
    });
    let values: BTreeSet<_> = carriers.map(|carrier| carrier.origin).collect();
    values.len()
}
