//! Passes over LLVM IR, which run in `opt`, `clang` and `llc` before code is generated.
//!
//! Rust decides, LLVM transforms. A pass of ours reads the module with inkwell and writes
//! what it decides as attributes and metadata that LLVM's own passes obey; those come
//! next in the [`pipeline`]. Where LLVM has no pass for a thing the change is made here.
//!
//! To add a pass: a file here with one function from [`Unit`] to whether it changed
//! anything; a line in [`run`] and in [`WarpallocIrPass`]; a type for LLVM's pass manager
//! in `src/shim/IrPasses.cpp`; its place in the texts of [`pipeline`].

mod address;
mod build;
mod changed;
mod choose_calls;
mod choose_loops;
mod constant;
mod eligibility;
pub mod entry;
mod exclude;
mod finish;
mod grid_constants;
mod hoist;
mod if_conversion;
mod in_flight;
mod limit;
mod locals;
mod loops;
mod lowered;
mod narrow_compares;
mod originals;
pub mod pipeline;
mod pressure;
mod program;
mod recompute;
mod remarks;
mod select_elements;
mod select_words;
mod sink;
mod sink_chains;
mod sink_offsets;
mod split_copies;
mod tables;
mod unit;
mod value;
mod weigh;

use crate::abi::WarpallocIrPass;
pub use unit::{Settings, Unit};

/// Runs one pass. Whether it changed the module, or what is asked for and makes no sense.
fn run(pass: WarpallocIrPass, unit: &Unit) -> Result<bool, String> {
    Ok(match pass {
        WarpallocIrPass::ChooseCalls => choose_calls::run(unit),
        WarpallocIrPass::Eligibility => eligibility::run(unit),
        WarpallocIrPass::SplitCopies => split_copies::run(unit),
        WarpallocIrPass::ChooseLoops => choose_loops::run(unit),
        WarpallocIrPass::SelectElements => select_elements::run(unit),
        WarpallocIrPass::Tables => tables::run(unit),
        WarpallocIrPass::GridConstants => grid_constants::run(unit),
        WarpallocIrPass::NarrowCompares => narrow_compares::run(unit),
        WarpallocIrPass::SinkAddresses => sink_chains::run(unit) | sink_offsets::run(unit),
        WarpallocIrPass::KeepOriginals => originals::keep(unit),
        WarpallocIrPass::Weigh => weigh::run(unit),
        WarpallocIrPass::IfConvert => if_conversion::run(unit),
        WarpallocIrPass::Sink => sink::run(unit),
        WarpallocIrPass::Hoist => hoist::run(unit),
        WarpallocIrPass::Exclude => return exclude::run(unit, true),
        WarpallocIrPass::ExcludeOthers => return exclude::run(unit, false),
        WarpallocIrPass::Finish => finish::run(unit),
    })
}
