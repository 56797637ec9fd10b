//! Whether a kernel is better off with its stack variables in registers.
//!
//! Each kernel that promotion has changed is compared with what it was ([`originals`]), by
//! the time that an SM would take for both ([`time`]). A kernel that would take more time
//! stays as it was. A remark says what was compared in either case.
//!
//! What was inlined is looked at first ([`inlined`]).
//!
//! Requires: nothing between has taken the copies away. Ensures: no copy is left; of the
//! functions with copies, those that are as they were before promotion are the only ones
//! marked as changed.
//! Complexity: that of liveness. Source: ptxas' ConvertMemoryToRegisterOrUniform promotes
//! where that is profitable; what that means there is not documented.

mod inlined;
mod spills;
mod time;

use super::lowered::Lowered;
use super::originals::Before;
use super::unit::instructions;
use super::{Unit, changed, originals, remarks};
use inkwell::values::FunctionValue;
use time::Time;

/// Whether any function was changed, or a copy removed.
pub fn run(unit: &Unit) -> bool {
    let mut any = false;
    let functions: Vec<_> = unit.definitions().collect();
    for function in functions {
        any |= inlined::put_back(unit, function);
    }
    let kernels: Vec<_> = unit
        .definitions()
        .filter(|&function| changed::is_marked(function))
        .filter_map(|kernel| {
            Some((
                kernel,
                originals::original(unit, kernel, Before::Promotion)?,
            ))
        })
        .collect();
    let mut worse = Vec::new();
    if !kernels.is_empty() {
        let both = kernels
            .iter()
            .flat_map(|&(kernel, original)| [kernel, original]);
        let lowered = Lowered::new(unit, both);
        for (kernel, original) in kernels {
            let before = Time::new(unit, &lowered, original, false);
            let after = Time::new(unit, &lowered, kernel, true);
            changed::unmark(kernel);
            let is_worse = after.is_longer_than(&before);
            tell(unit, kernel, &before, &after, is_worse);
            if is_worse {
                worse.push((kernel, original));
            }
        }
    }
    let context = unit.module().get_context();
    any |= !worse.is_empty();
    for (kernel, original) in worse {
        originals::restore(unit, kernel, original);
        if !inlined::put_back(unit, kernel) {
            changed::mark(&context, kernel);
        }
    }
    originals::remove(unit) | any
}

fn tell(unit: &Unit, kernel: FunctionValue, before: &Time, after: &Time, is_worse: bool) {
    let Some(first) = instructions(kernel).next() else {
        return;
    };
    let pass = "warpalloc-promote";
    let name = kernel.get_name().to_string_lossy();
    if is_worse {
        let text =
            format!("local variables of '{name}' stay in memory: {before} would become {after}");
        remarks::missed(unit, pass, first, "NotPromoted", &text);
    } else {
        let text = format!("local variables of '{name}' become registers: {before} became {after}");
        remarks::passed(unit, pass, first, "Promoted", &text);
    }
}
