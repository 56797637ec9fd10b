//! Addresses at a constant offset from another are computed where they are used.
//!
//! LLVM moves such sums out of loops and shares them between blocks, and folds them back
//! into loads and stores. Into inline assembly, as `ldmatrix` and `mma` come, it does not
//! fold them, so that each keeps a register of its own through all loops. Computed in the
//! block of the use, many of them need the register of their base alone, and `ptxas` makes
//! the constant a part of the instruction.
//!
//! A sum moves only if another sum in the same block has the same base, or the base itself
//! is used there: otherwise one register would be traded for another. Only functions that
//! our passes have changed are looked at. Linear in the code.

use super::build::Before;
use super::unit::instructions_of;
use super::value::Value;
use super::{Unit, changed};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::FunctionValue;
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether any address was moved.
pub fn run(unit: &Unit) -> bool {
    changed::run_on_marked(unit, |function| sink(unit, function))
}

fn sink(unit: &Unit, function: FunctionValue) -> bool {
    let mut any = false;
    for block in function.get_basic_block_iter() {
        let instructions: Vec<_> = instructions_of(block).collect();
        let users = || instructions.iter().filter(|user| !user.is(LLVMPHI));
        let mut sums = FxHashMap::<LLVMValueRef, FxHashSet<LLVMValueRef>>::default();
        let mut used = FxHashSet::default();
        for operand in users().flat_map(|user| user.operands()) {
            used.insert(operand.as_ref());
            if let Some(base) = base_elsewhere(operand, instructions[0]) {
                sums.entry(base.as_ref())
                    .or_default()
                    .insert(operand.as_ref());
            }
        }
        // What is computed in this block, for the sum that it replaces.
        let mut computed = FxHashMap::<LLVMValueRef, Value>::default();
        for &user in users() {
            for (number, operand) in user.operands().enumerate() {
                let Some(base) = base_elsewhere(operand, instructions[0]) else {
                    continue;
                };
                let shared = sums.get(&base.as_ref()).is_some_and(|sums| sums.len() > 1);
                if !shared && !used.contains(&base.as_ref()) {
                    continue;
                }
                let here = *computed
                    .entry(operand.as_ref())
                    .or_insert_with(|| Before::new(unit, user).copy_of(operand));
                user.set_operand(number, here);
                any = true;
            }
        }
    }
    any
}

/// The base of a sum with a constant that is computed in another block than `here` is in.
fn base_elsewhere(sum: Value, here: Value) -> Option<Value> {
    let base = sum.is(LLVMGetElementPtr).then(|| sum.operand(0))?;
    let constant = sum.operands().skip(1).all(Value::is_constant);
    (constant && !base.is_constant() && sum.block() != here.block()).then_some(base)
}
