//! Which functions a decision of ours changes: those alone are optimised again.

use inkwell::attributes::AttributeLoc;
use inkwell::context::ContextRef;
use inkwell::values::FunctionValue;

/// The attribute that `warpalloc-on-changed` in the shim looks for.
const CHANGED: &str = "warpalloc-changed";

/// Has the passes that follow run over `function`.
pub fn mark(context: &ContextRef, function: FunctionValue) {
    function.add_attribute(
        AttributeLoc::Function,
        context.create_string_attribute(CHANGED, ""),
    );
}

/// Takes the mark away. Whether there was one.
pub fn unmark(function: FunctionValue) -> bool {
    let marked = is_marked(function);
    function.remove_string_attribute(AttributeLoc::Function, CHANGED);
    marked
}

/// Whether a decision of ours changes `function`.
pub fn is_marked(function: FunctionValue) -> bool {
    function
        .get_string_attribute(AttributeLoc::Function, CHANGED)
        .is_some()
}
