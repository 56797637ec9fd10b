//! How many registers a thread of a function may have.

use super::Unit;
use super::pressure::own_sm;
use inkwell::attributes::AttributeLoc;
use inkwell::values::FunctionValue;
use passes::launch::LaunchBounds;
use passes::machine::gpu::R_SIZE;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;

/// Up to this percentage of the limit `ptxas` is expected to find an order in which a function
/// fits.
pub const CROWDED_PERCENT: u32 = 125;

/// The least of what is asked for, directly or as occupancy, what the function says, what the
/// resident blocks leave that it asks for, and what a thread can address.
pub fn registers(unit: &Unit, function: FunctionValue) -> u32 {
    let bounds = bounds(function);
    let own = unit.own_settings(function);
    let sm = own_sm(unit, function).map(StreamingMultiprocessor::nearest);
    let occupancy = sm.zip(own.occupancy_target);
    let limits = [
        own.pressure_limit,
        bounds.registers,
        sm.and_then(|sm| bounds.asked_registers(sm)),
        occupancy.and_then(|(sm, percent)| {
            sm.most_registers(&bounds.block(), bounds.blocks_for(sm, percent))
        }),
    ];
    limits.into_iter().flatten().fold(R_SIZE, u32::min)
}

/// What a kernel says about its launch.
pub fn bounds(function: FunctionValue) -> LaunchBounds {
    LaunchBounds {
        registers: number(function, "nvvm.maxnreg"),
        most_threads: threads(function, "nvvm.maxntid"),
        threads: threads(function, "nvvm.reqntid"),
        blocks: number(function, "nvvm.minctasm"),
        ..LaunchBounds::default()
    }
}

/// The number that an attribute of a function is.
fn number(function: FunctionValue, attribute: &str) -> Option<u32> {
    text(function, attribute)?.trim().parse().ok()
}

/// The threads of a block whose sides an attribute of a function gives.
fn threads(function: FunctionValue, attribute: &str) -> Option<u32> {
    let text = text(function, attribute)?;
    let sides = text.split(',').map(|side| side.trim().parse::<u32>().ok());
    sides
        .collect::<Option<Vec<u32>>>()?
        .into_iter()
        .try_fold(1u32, u32::checked_mul)
}

fn text(function: FunctionValue, attribute: &str) -> Option<String> {
    let attribute = function.get_string_attribute(AttributeLoc::Function, attribute)?;
    Some(attribute.get_string_value().to_string_lossy().into_owned())
}
