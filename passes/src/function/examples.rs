//! Functions for the tests of several passes.

use super::{Function, FunctionBuilder, Operand, VirtualRegister};
use crate::machine::gpu;

/// So many values of 32 bits, all defined first and read one by one after that: without
/// another order all are live at once.
pub fn definitions_first(count: u32) -> Function {
    live_across(count, 0)
}

/// So many values of 32 bits that live across so many instructions.
pub fn live_across(count: u32, instructions: u32) -> Function {
    let (mut builder, values) = defined(count);
    for _ in 0..instructions {
        builder.plain(&[]);
    }
    for &value in &values {
        builder.plain(&[Operand::read(value)]);
    }
    builder.finish()
}

/// So many values of 32 bits, each read together with each other one: in every order most of them
/// are live at once.
pub fn read_in_pairs(count: u32) -> Function {
    read_in_pairs_with(count, 0)
}

/// The same with so many predicates, of which each read takes one in turn.
pub fn read_in_pairs_with(count: u32, predicates: u32) -> Function {
    let (mut builder, values) = defined(count);
    let predicates: Vec<_> = (0..predicates)
        .map(|_| builder.virtual_register(gpu::PREDICATE))
        .collect();
    for &predicate in &predicates {
        builder.plain(&[Operand::write(predicate)]);
    }
    let mut in_turn = predicates.iter().cycle();
    for (number, &value) in values.iter().enumerate() {
        for &other in &values[..number] {
            let read = [value, other].into_iter().chain(in_turn.next().copied());
            let operands: Vec<_> = read.map(Operand::read).collect();
            builder.plain(&operands);
        }
    }
    builder.finish()
}

/// A block that so far defines so many values of 32 bits.
fn defined(count: u32) -> (FunctionBuilder, Vec<VirtualRegister>) {
    let mut builder = FunctionBuilder::new("f");
    let values: Vec<_> = (0..count)
        .map(|_| builder.virtual_register(gpu::SINGLE32))
        .collect();
    builder.start_block(1.0, 0, &[]);
    for &value in &values {
        builder.plain(&[Operand::write(value)]);
    }
    (builder, values)
}
