//! Whether a function is better off with its stack variables in registers.
//!
//! Each function that promotion has changed is compared with what it was ([`originals`]),
//! and so is each that calls were inlined into for its variables, by the time that an SM
//! would take for either, with what it calls ([`forms`]). Of a function that would take more
//! time the better of its copies stays. A remark says what was compared.
//!
//! What was inlined for nothing is looked at first ([`inlined`]).
//!
//! Requires: nothing between has taken the copies away. Ensures: no copy is left; of the
//! functions with copies, those that are as they were before promotion are the only ones
//! marked as changed.
//! Complexity: that of liveness. Source: ptxas' ConvertMemoryToRegisterOrUniform promotes
//! where that is profitable; what that means there is not documented.

mod forms;
mod inlined;
mod local_memory;
mod shuffles;
mod spills;
mod time;

pub use time::CACHED;

use super::lowered::Lowered;
use super::originals::Before;
use super::unit::{has_body, instructions};
use super::value::Value;
use super::{Unit, changed, originals};
use forms::{Forms, copies};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::{AsValueRef, FunctionValue};
use std::collections::BTreeSet;

/// Whether any function was changed, or a copy removed.
pub fn run(unit: &Unit) -> bool {
    let mut any = false;
    let functions: Vec<_> = unit.definitions().collect();
    for &function in &functions {
        any |= inlined::put_back(unit, function);
    }
    let has_copy = |&function: &FunctionValue<'static>| copies(unit, function).next().is_some();
    let with_copies: Vec<_> = functions.into_iter().filter(has_copy).collect();
    if !with_copies.is_empty() {
        let worse = worse(unit, &with_copies);
        any |= !worse.is_empty();
        let context = unit.module().get_context();
        for &function in &with_copies {
            changed::unmark(function);
        }
        for (function, copy, before) in worse {
            originals::restore(unit, function, copy);
            let is_inlined = matches!(before, Before::Promotion);
            if is_inlined && !inlined::put_back(unit, function) {
                changed::mark(&context, function);
            }
        }
    }
    originals::remove(unit) | any
}

/// The functions of which a copy takes less time, with that copy.
fn worse(
    unit: &Unit,
    functions: &[FunctionValue<'static>],
) -> Vec<(FunctionValue<'static>, FunctionValue<'static>, Before)> {
    let copies = functions
        .iter()
        .flat_map(|&function| copies(unit, function));
    let copies = copies.map(|(copy, _)| copy);
    let all = with_callees(functions.iter().copied().chain(copies));
    let lowered = Lowered::for_accesses(unit, all);
    let mut forms = Forms::new(unit, &lowered);
    let better = functions.iter().filter_map(|&function| {
        let (copy, before) = forms.better(function)?;
        Some((function, copy, before))
    });
    better.collect()
}

/// Functions with all that they call.
fn with_callees(
    functions: impl Iterator<Item = FunctionValue<'static>>,
) -> impl Iterator<Item = FunctionValue<'static>> {
    let mut work: Vec<_> = functions.collect();
    let mut seen: BTreeSet<LLVMValueRef> = work.iter().map(|one| one.as_value_ref()).collect();
    let mut at = 0;
    while at < work.len() {
        for callee in instructions(work[at]).filter_map(Value::callee) {
            if has_body(callee) && seen.insert(callee.as_value_ref()) {
                work.push(callee);
            }
        }
        at += 1;
    }
    work.into_iter()
}
