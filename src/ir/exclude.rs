//! Which functions the passes over IR leave as they are: those that say so, or all but those
//! that ask for them.
//!
//! Ensures: each such function has a mark, which [`super::unit::stays`] sees and the end of
//! the pipeline takes away. What such a function calls is prepared all the same, unless it
//! says so itself. Linear in the functions.

use super::Unit;
use super::unit::{UNPREPARED, own_level};
use inkwell::attributes::AttributeLoc;
use inkwell::values::FunctionValue;

/// Whether any function was left out; `usual` is whether those are prepared that say nothing.
///
/// # Errors
/// If attributes of a function make no sense.
pub fn run(unit: &Unit, usual: bool) -> Result<bool, String> {
    let context = unit.module().get_context();
    let mut any = false;
    for function in unit.definitions() {
        own_level(function).map_err(|error| {
            let name = function.get_name().to_string_lossy();
            format!("in function '{name}': {error}")
        })?;
        if !unit.level(function).prepare.unwrap_or(usual) {
            let mark = context.create_string_attribute(UNPREPARED, "");
            function.add_attribute(AttributeLoc::Function, mark);
            any = true;
        }
    }
    Ok(any)
}

/// Whether a function asks for the passes.
pub fn asks(unit: &Unit) -> bool {
    let level = |function| own_level(function).unwrap_or_default();
    unit.definitions()
        .any(|function| level(function).prepare == Some(true))
}

/// Takes the mark away. Whether there was one.
pub fn unmark(function: FunctionValue) -> bool {
    let mark = function.get_string_attribute(AttributeLoc::Function, UNPREPARED);
    function.remove_string_attribute(AttributeLoc::Function, UNPREPARED);
    mark.is_some()
}
