//! Which functions the passes over IR leave as they are: those that say so, and, where nobody
//! has named the passes, those that do not ask for them and have no budget.
//!
//! Ensures: each such function has a mark, which [`super::unit::stays`] sees and the end of
//! the pipeline takes away. What such a function calls is prepared all the same, unless it
//! says so itself. Linear in the functions.

use super::Unit;
use super::unit::own_level;
use crate::marks::UNPREPARED;
use inkwell::attributes::AttributeLoc;
use inkwell::values::FunctionValue;

/// Whether any function was left out; `all` is whether the passes were named, so that those are
/// prepared that say nothing.
///
/// # Errors
/// If attributes of a function make no sense.
pub fn run(unit: &Unit, all: bool) -> Result<bool, String> {
    let context = unit.module().get_context();
    let mut any = false;
    for function in unit.definitions() {
        own_level(function).map_err(|error| {
            let name = function.get_name().to_string_lossy();
            format!("in function '{name}': {error}")
        })?;
        if !is_prepared(unit, function, all) {
            let mark = context.create_string_attribute(UNPREPARED, "");
            function.add_attribute(AttributeLoc::Function, mark);
            any = true;
        }
    }
    Ok(any)
}

/// Whether there is a function to prepare, if nobody has named the passes.
pub fn any_is_prepared(unit: &Unit) -> bool {
    unit.definitions()
        .any(|function| is_prepared(unit, function, false))
}

fn is_prepared(unit: &Unit, function: FunctionValue, all: bool) -> bool {
    let level = unit.level(function);
    let decision = all || unit.settings().prepares && level.prepares();
    level.prepare.unwrap_or(decision)
}

/// Takes the mark away. Whether there was one.
pub fn unmark(function: FunctionValue) -> bool {
    let mark = function.get_string_attribute(AttributeLoc::Function, UNPREPARED);
    function.remove_string_attribute(AttributeLoc::Function, UNPREPARED);
    mark.is_some()
}
