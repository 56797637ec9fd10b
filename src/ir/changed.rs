//! Which functions a decision of ours changes: those alone are optimised again.

use super::{Unit, unit};
use crate::marks::{CHANGED, NEWLY_CHANGED, REFUSED};
use inkwell::attributes::AttributeLoc;
use inkwell::context::ContextRef;
use inkwell::values::FunctionValue;

/// Runs over all functions that may change what says whether it changed one, and marks those
/// that it did. Whether there were any.
pub fn run_and_mark(unit: &Unit, mut run: impl FnMut(FunctionValue<'static>) -> bool) -> bool {
    let context = unit.module().get_context();
    let mut any = false;
    for function in unit.definitions() {
        if !unit::stays(function) && run(function) {
            mark(&context, function);
            any = true;
        }
    }
    any
}

/// As [`run_and_mark`], but over functions alone whose stack variables may become registers.
pub fn promote_and_mark(unit: &Unit, mut run: impl FnMut(FunctionValue<'static>) -> bool) -> bool {
    run_and_mark(unit, |function| !is_refused(function) && run(function))
}

/// Runs over the functions that are marked what says whether it changed one. Whether it did.
pub fn run_on_marked(unit: &Unit, mut run: impl FnMut(FunctionValue<'static>) -> bool) -> bool {
    let mut any = false;
    for function in unit.definitions() {
        if is_marked(function) && !unit::stays(function) {
            any |= run(function);
        }
    }
    any
}

/// Has the passes that follow run over `function`.
pub fn mark(context: &ContextRef, function: FunctionValue) {
    for mark in [CHANGED, NEWLY_CHANGED] {
        function.add_attribute(
            AttributeLoc::Function,
            context.create_string_attribute(mark, ""),
        );
    }
}

/// Has the passes that follow leave the stack variables of `function` in memory.
pub fn refuse(context: &ContextRef, function: FunctionValue) {
    function.add_attribute(
        AttributeLoc::Function,
        context.create_string_attribute(REFUSED, ""),
    );
}

/// Takes the marks away. Whether there was one.
pub fn unmark(function: FunctionValue) -> bool {
    let marked = is_marked(function) || is_refused(function);
    for mark in [CHANGED, NEWLY_CHANGED, REFUSED] {
        function.remove_string_attribute(AttributeLoc::Function, mark);
    }
    marked
}

fn is_refused(function: FunctionValue) -> bool {
    function
        .get_string_attribute(AttributeLoc::Function, REFUSED)
        .is_some()
}

/// Whether a decision of ours changes `function`.
pub fn is_marked(function: FunctionValue) -> bool {
    function
        .get_string_attribute(AttributeLoc::Function, CHANGED)
        .is_some()
}
