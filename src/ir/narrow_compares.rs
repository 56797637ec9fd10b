//! Comparisons of 64-bit integers with constants are of 32 bits where the upper halves are
//! known to be zero.
//!
//! A register has 32 bits: the wide comparison takes two instructions, and LLVM's loop strength
//! reduction makes counters of its own for it. `select_elements` compares an index with each
//! element's, and LLVM widens these comparisons while it simplifies; so this comes behind.
//! Only functions that our passes have changed are looked at. Linear in the code.

use super::build::Before;
use super::unit::instructions;
use super::value::Value;
use super::{Unit, changed};
use inkwell::IntPredicate;
use inkwell::llvm_sys::LLVMOpcode::LLVMICmp;
use inkwell::values::FunctionValue;
use std::ffi::c_void;

unsafe extern "C" {
    /// The upper bits of an integer that are known to be zero.
    fn warpalloc_ir_leading_zeros(value: *mut c_void) -> u32;
}

/// Whether any comparison was narrowed.
pub fn run(unit: &Unit) -> bool {
    changed::run_on_marked(unit, |function| narrow(unit, function))
}

fn narrow(unit: &Unit, function: FunctionValue) -> bool {
    let wide: Vec<_> = instructions(function)
        .filter(|&one| has_zero_halves(one))
        .collect();
    for &compare in &wide {
        let build = Before::new(unit, compare);
        for operand in 0..2 {
            let half = build.lower_half(compare.operand(operand));
            compare.set_operand(operand, half);
        }
    }
    !wide.is_empty()
}

/// Whether it compares for equality what has nothing in its upper halves.
fn has_zero_halves(compare: Value) -> bool {
    if !compare.is(LLVMICmp) || compare.operand(0).integer_width() != Some(64) {
        return false;
    }
    let predicate = compare
        .instruction()
        .and_then(|one| one.get_icmp_predicate());
    let is_equality = matches!(predicate, Some(IntPredicate::EQ | IntPredicate::NE));
    let constant = compare.operand(1).constant_integer();
    is_equality
        && constant.is_some_and(|constant| constant <= u64::from(u32::MAX))
        // SAFETY: an integer of the function.
        && unsafe { warpalloc_ir_leading_zeros(compare.operand(0).as_ref().cast()) } >= 32
}
