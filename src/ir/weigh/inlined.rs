//! What was inlined for local variables that stay in memory all the same.
//!
//! Whether a variable becomes registers shows when its calls have been inlined and its loops
//! unrolled. Where none has, the code has only become larger: LLVM's inliner had its reasons
//! to leave the calls. Source: ours.

use crate::ir::address::variable_size;
use crate::ir::locals::locals;
use crate::ir::originals::Before;
use crate::ir::unit::instructions;
use crate::ir::value::Value;
use crate::ir::{Unit, originals, remarks};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::{AsValueRef, FunctionValue};
use std::collections::BTreeMap;

/// Puts a function back that calls were inlined into and has as much in local memory, what
/// it calls included. Whether it did; it is not marked as changed then.
pub fn put_back(unit: &Unit, function: FunctionValue<'static>) -> bool {
    let Some(original) = originals::original(unit, function, Before::Inlining) else {
        return false;
    };
    let mut known = BTreeMap::new();
    if local_bytes(function, &mut known) < local_bytes(original, &mut known) {
        return false;
    }
    originals::restore(unit, function, original);
    if let Some(first) = instructions(function).next() {
        let text = format!(
            "calls in '{}' stay: inlined, they leave as much in local memory",
            function.get_name().to_string_lossy()
        );
        remarks::missed(unit, "warpalloc-inline", first, "NotInlined", &text);
    }
    true
}

/// Bytes of stack variables of a function, and of those that it calls once for each call.
/// Of a function that calls itself they count once.
fn local_bytes(function: FunctionValue<'static>, known: &mut BTreeMap<LLVMValueRef, u64>) -> u64 {
    if let Some(&bytes) = known.get(&function.as_value_ref()) {
        return bytes;
    }
    known.insert(function.as_value_ref(), 0);
    let variables = locals(function).into_iter();
    let own = variables.map(|local| variable_size(local.alloca).unwrap_or(0));
    let bytes = instructions(function)
        .filter_map(Value::callee)
        .fold(own.sum(), |bytes: u64, callee| {
            bytes.saturating_add(local_bytes(callee, known))
        });
    known.insert(function.as_value_ref(), bytes);
    bytes
}
