//! What the first round of colouring may do.
//!
//! Fat-point select first tries without spilling where the order of values depends on it.
//! ptxas' budget model, where it is asked, expects that values are spilled or not. Time:
//! that of liveness, if the model is asked. Source: ptxas document, "needs spill".

use crate::analysis::demand::most_live;
use crate::assign::attempt::Attempt;
use crate::assign::problem::Target;
use crate::budget::model::Wanted;
use crate::function::Function;
use crate::machine::gpu;
use crate::settings::{Select, Settings};
use tracing::debug;

/// The first attempt of a driver that lets select spill.
pub fn first_attempt(target: &Target, settings: &Settings) -> Attempt {
    match settings.select {
        Select::FatPoint if settings.wide_first && target.classes.has_wider() => Attempt::NoSpill,
        _ => Attempt::Spill { retry: false },
    }
}

/// Whether ptxas' model expects that values are spilled, if it is asked.
pub fn expects_spills(function: &Function, target: &Target, settings: &Settings) -> Option<bool> {
    let machine = target.machine;
    let (model, file) = (settings.budget_model()?, machine.limited_file()?);
    let wanted = Wanted {
        pair_penalty: u32::from(target.classes.has_wider()),
        demanded: most_live(function, machine, file),
        live: 0,
    };
    let registers = machine.files[file].size;
    let expects = model.needs_spill(&settings.knobs, wanted, registers, gpu::R_SIZE);
    debug!(?wanted, registers, expects, "budget model");
    Some(expects)
}
