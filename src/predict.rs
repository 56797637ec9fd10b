//! What ptxas is expected to make of an imported function.

use crate::import::Imported;
use passes::budget::Prediction;
use passes::config::Config;
use passes::function::Function;
use passes::machine::Machine;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::prediction::{Expected, expected};

/// The registers it takes, on a machine with so many; `function` is the imported one, or
/// what was imported as that.
pub fn registers(
    imported: &Imported,
    function: &Function,
    machine: &Machine,
    config: &Config,
    sm: &StreamingMultiprocessor,
) -> Option<Expected> {
    let setting = imported.setting(sm, config.knobs.abi_compatibility);
    expected(function, machine, &setting)
}

/// The same with the occupancy that follows.
pub fn occupancy(
    imported: &Imported,
    function: &Function,
    machine: &Machine,
    config: &Config,
    sm: &StreamingMultiprocessor,
) -> Option<Prediction> {
    let found = registers(imported, function, machine, config, sm)?;
    let prediction = Prediction::new(found.registers, sm, &imported.launch);
    Some(Prediction {
        saved: found.saved,
        ..prediction
    })
}
