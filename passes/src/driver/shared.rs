//! Spill slots in shared memory, where a GPU's kernel may have them there.
//!
//! The registers that hold the thread's addresses there are taken off the budget, and the
//! function is allocated again with what is left. One register for each stride: as many are
//! tried as bring something, and the cheapest result stays, which may be the one in local
//! memory. ptxas may compute an address anew instead of keeping it; that is its own affair.

use super::allocate_within;
use crate::allocation::Allocation;
use crate::budget::{self, SharedSpace};
use crate::config::Config;
use crate::error::Error;
use crate::function::Function;
use crate::machine::Machine;
use crate::spill::slots::shared::{cost, move_to_shared};
use crate::verify::verify;
use tracing::debug;

/// What computing one address costs at the begin, where an access to local memory costs
/// one: the number of the thread has to be read and multiplied.
const ADDRESS: f64 = 1.0;
/// The most addresses that are ever wanted.
const MOST_ADDRESSES: usize = 3;

/// The allocation with slots in shared memory, if it is cheaper than this one.
///
/// # Errors
/// If `config.verify` is set and the checker finds the result wrong.
pub(super) fn in_shared_memory(
    function: &Function,
    machine: &Machine,
    config: &Config,
    space: &SharedSpace,
    local: Allocation,
) -> Result<Allocation, Error> {
    let mut best = (cost(function, &local), local);
    let most = if space.is_scaled { 1 } else { MOST_ADDRESSES };
    for addresses in 1..=most {
        let less = config.with_fewer_registers(addresses as u32);
        let found = allocate_within(function, machine, &less);
        let Some(mut found) = Error::unless_wrong(found)? else {
            break;
        };
        if !move_to_shared(function, space, addresses, &mut found) {
            break;
        }
        if config.verify {
            let restricted = budget::restrict(machine, &less);
            verify(function, &found.machine(&restricted), &found).map_err(Error::Wrong)?;
        }
        let used = found.shared_strides().len();
        let now = cost(function, &found) + ADDRESS * used as f64;
        debug!(
            local = best.0,
            shared = now,
            addresses,
            "spilled to shared memory"
        );
        if now < best.0 {
            best = (now, found);
        }
        if used < addresses {
            break;
        }
    }
    Ok(best.1)
}
