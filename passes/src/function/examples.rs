//! Functions for the tests of several passes.

use super::{Function, FunctionBuilder, Operand};
use crate::machine::gpu;

/// So many values of 32 bits, all defined first and read one by one after that: without
/// another order all are live at once.
pub fn definitions_first(count: u32) -> Function {
    live_across(count, 0)
}

/// So many values of 32 bits that live across so many instructions.
pub fn live_across(count: u32, instructions: u32) -> Function {
    let mut builder = FunctionBuilder::new("f");
    let values: Vec<_> = (0..count)
        .map(|_| builder.virtual_register(gpu::SINGLE32))
        .collect();
    builder.start_block(1.0, 0, &[]);
    for &value in &values {
        builder.plain(&[Operand::write(value)]);
    }
    for _ in 0..instructions {
        builder.plain(&[]);
    }
    for &value in &values {
        builder.plain(&[Operand::read(value)]);
    }
    builder.finish()
}
