//! Registers that are left to ptxas where values are spilled.
//!
//! A GPU's slots lie in local memory, to which R1 points for the whole kernel, and ptxas
//! takes more for itself: it orders instructions anew, and what it then lacks it spills on
//! its own, without knowing what we spilled and why. So a function that spills within its
//! budget is allocated within a few registers less, from the start where more is live than
//! the budget has. Time: that of another allocation where this was not foreseen. Source:
//! ours, by measurement.

use super::allocate_within;
use crate::allocation::Allocation;
use crate::budget;
use crate::config::Config;
use crate::error::Error;
use crate::function::Function;
use crate::machine::{Machine, gpu};
use tracing::debug;

/// Allocates within the budget, or within what the reserve leaves of it if that spills.
///
/// # Errors
/// As for [`super::allocate`].
pub(super) fn allocate_with_reserve(
    function: &Function,
    machine: &Machine,
    config: &Config,
) -> Result<Allocation, Error> {
    let file = budget::limited_file(machine).filter(|_| config.reserve() > 0);
    let Some(file) = file else {
        return allocate_within(function, machine, config);
    };
    let needed = budget::most_live(function, machine, file);
    if needed <= config.gpu_registers() {
        let whole = allocate_within(function, machine, config)?;
        if whole.slots.is_empty() {
            return Ok(whole);
        }
        let less = within_reserve(function, machine, config)?;
        return Ok(less.unwrap_or(whole));
    }
    match within_reserve(function, machine, config)? {
        Some(less) => Ok(less),
        None => allocate_within(function, machine, config),
    }
}

/// The allocation within what the reserve leaves; none if that is too little, or not needed
/// because nothing is spilled.
fn within_reserve(
    function: &Function,
    machine: &Machine,
    config: &Config,
) -> Result<Option<Allocation>, Error> {
    let less = config.with_fewer_registers(config.reserve());
    debug!(limit = less.register_limit(), "left registers to ptxas");
    match Error::unless_wrong(allocate_within(function, machine, &less))? {
        Some(mut found) if !found.slots.is_empty() => {
            // People are told what they asked for.
            let files = found.statistics.files.iter_mut();
            for file in files.filter(|file| [gpu::R_NAME, "T"].contains(&file.name.as_str())) {
                file.budget += config.reserve();
            }
            Ok(Some(found))
        }
        _ => Ok(None),
    }
}
