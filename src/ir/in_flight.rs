//! Whether registers of a function are in flight somewhere, behind an asynchronous instruction
//! of the tensor cores (`passes::function::asynchronous`).
//!
//! Such a function is left to ptxas by `-warpalloc-spills=auto`, and what only trades its
//! registers for instructions is left to ptxas as well: values in flight make no room, and it
//! orders the rest around them. Linear in the code.

use super::unit::instructions;
use crate::import::asynchronous::leaves_in_flight;
use inkwell::values::FunctionValue;

/// The intrinsics that leave registers in flight; `wgmma` comes as assembly alone.
const INTRINSICS: [&str; 2] = ["llvm.nvvm.tcgen05.ld.", "llvm.nvvm.tcgen05.st."];

/// Whether an instruction leaves registers in flight.
pub fn has_registers_in_flight(function: FunctionValue) -> bool {
    instructions(function).any(|one| match (one.assembly(), one.callee()) {
        (Some(text), _) => leaves_in_flight(&text),
        (None, Some(callee)) => is_intrinsic(callee),
        (None, None) => false,
    })
}

fn is_intrinsic(callee: FunctionValue) -> bool {
    let name = callee.get_name().to_bytes();
    INTRINSICS
        .iter()
        .any(|one| name.starts_with(one.as_bytes()))
}
