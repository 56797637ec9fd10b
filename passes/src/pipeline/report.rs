//! What people are told of a function on a GPU: what is live, and what ptxas is expected to
//! make of it.
//!
//! Takes no part in what is decided. Time: that of the prediction, if somebody wants to know.

use super::outcome::{Figures, Predicted, within};
use super::{Decision, Input};
use crate::budget::restrict;
use crate::function::Function;
use crate::machine::Machine;
use crate::prediction::callees::Functions;
use crate::prediction::expected;
use crate::settings::Settings;
use crate::statistics::FileStatistics;

/// Predicts; and counts what is live where nothing is allocated.
pub fn report(input: &Input, settings: &Settings, decision: &mut Decision) -> Figures {
    let Some(gpu) = input
        .gpu
        .as_ref()
        .filter(|_| settings.measure || settings.explain)
    else {
        return Figures::default();
    };
    let mut launch = gpu.launch;
    if let Some(frame) = decision.allocation.shared {
        launch.add_shared_memory(frame.bytes);
    }
    let predict = |function: &Function, machine: &Machine| {
        let setting = gpu.prediction_setting(settings.knobs.abi_compatibility);
        Some(Predicted {
            expected: expected(function, machine, &setting)?,
            sm: gpu.sm,
            launch,
        })
    };
    let machine = &input.machine;
    let budget = decision.budget.as_ref();
    let is_left = decision.left.is_some();
    // The prediction is about the program as ptxas gets it; what spilling makes of its order
    // is not in it.
    let reordered = decision.reordered.as_ref().filter(|_| is_left);
    let function = reordered.map_or(&input.function, |(_, reordered)| reordered);
    let statistics = &mut decision.allocation.statistics;
    let within_budget = match budget {
        // ptxas makes use of what it has, and that is no less than the lowest bound it keeps.
        Some(budget) if !is_left => machine.limited_file().and_then(|_| {
            let registers = budget.registers.max(gpu.launch.lowest_bound(gpu.sm));
            let plain = Settings::default();
            predict(function, &restrict(machine, &plain, Some(registers)))
        }),
        _ => {
            let within = within(machine, settings, budget);
            statistics.files = FileStatistics::unallocated(function, &within);
            predict(function, &within)
        }
    };
    // Whoever has compiled what is called knows better.
    let alone = Functions::default();
    statistics.prediction = within_budget.as_ref().map(|one| one.with_callees(&alone));
    let without_budget = settings
        .explain
        .then(|| predict(function, machine))
        .flatten();
    Figures {
        within_budget,
        without_budget,
    }
}
