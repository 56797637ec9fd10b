//! Cheap integers and addresses are computed again in blocks that read very much from
//! elsewhere.
//!
//! A swizzled address, `(base + constant) ^ mask`, is no sum that `sink_offsets` could take
//! apart, and a kernel with tensor cores has dozens of them, in 64 bits each, through its
//! main loop. All come from few values. In a block that reads more than
//! [`MOST_READ`] registers of what other blocks compute, those that come from the same
//! values are computed there, if that leaves fewer registers to read.
//!
//! Only integer operations of one cycle take part, at most [`MOST_STEPS`] for a value. Only
//! functions that our passes have changed are looked at. Linear in the code.

use super::recompute::Copies;
use super::unit::instructions_of;
use super::value::Value;
use super::{Unit, changed};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::FunctionValue;
use rustc_hash::FxHashSet;

/// A block that reads more registers of 32 bits from others is looked at.
const MOST_READ: u32 = 160;
/// The most operations to compute a value again.
const MOST_STEPS: usize = 6;

/// Whether anything was moved.
pub fn run(unit: &Unit) -> bool {
    changed::run_on_marked(unit, |function| sink(unit, function))
}

fn sink(unit: &Unit, function: FunctionValue) -> bool {
    let mut any = false;
    for block in function.get_basic_block_iter() {
        let instructions: Vec<_> = instructions_of(block).collect();
        let chosen = choose(&instructions);
        if chosen.is_empty() {
            continue;
        }
        let mut copies = Copies::default();
        for &user in instructions.iter().filter(|user| !user.is(LLVMPHI)) {
            for (number, operand) in user.operands().enumerate() {
                if chosen.contains(&operand.as_ref()) {
                    let leaves = origin(operand).unwrap_or_default();
                    let here = copies.before(unit, operand, &leaves, user);
                    user.set_operand(number, here);
                    any = true;
                }
            }
        }
    }
    any
}

/// What a block reads from elsewhere and should compute itself.
fn choose(instructions: &[Value]) -> FxHashSet<LLVMValueRef> {
    let here = instructions[0].block();
    let mut seen = FxHashSet::default();
    let mut read = Vec::new();
    for user in instructions.iter().filter(|user| !user.is(LLVMPHI)) {
        for operand in user.operands() {
            let elsewhere = operand.opcode().is_some() && operand.block() != here;
            if elsewhere && seen.insert(operand.as_ref()) {
                read.push(operand);
            }
        }
    }
    let phis = instructions.iter().filter(|one| one.is(LLVMPHI));
    let registers = |values: &[Value]| values.iter().map(|one| one.registers()).sum::<u32>();
    let phis = phis.map(|one| one.registers()).sum::<u32>();
    let mut chosen = FxHashSet::default();
    if registers(&read) + phis <= MOST_READ {
        return chosen;
    }
    // Values of the same origin, in the order in which they are read.
    let mut groups: Vec<(Vec<Value>, Vec<Value>)> = Vec::new();
    for &value in &read {
        let Some(origin) = origin(value) else {
            continue;
        };
        match groups.iter_mut().find(|(other, _)| *other == origin) {
            Some((_, values)) => values.push(value),
            None => groups.push((origin, vec![value])),
        }
    }
    for (origin, values) in groups {
        let new: Vec<_> = origin
            .into_iter()
            .filter(|one| !seen.contains(&one.as_ref()))
            .collect();
        if registers(&values) > registers(&new) {
            chosen.extend(values.iter().map(|one| one.as_ref()));
        }
    }
    chosen
}

/// The values that a cheap one is computed from; `None` if it is none, or takes too long.
fn origin(value: Value) -> Option<Vec<Value>> {
    let mut leaves = Vec::new();
    let mut steps = 0;
    let mut work = vec![value];
    while let Some(one) = work.pop() {
        if is_cheap(one) && steps < MOST_STEPS {
            steps += 1;
            work.extend(one.operands().filter(|part| !part.is_constant()));
        } else if !leaves.contains(&one) {
            leaves.push(one);
        }
    }
    leaves.sort_by_key(|one| one.as_ref());
    (is_cheap(value) && leaves != [value]).then_some(leaves)
}

/// Whether a value is an integer or address that one operation makes of others.
fn is_cheap(value: Value) -> bool {
    matches!(
        value.opcode(),
        Some(
            LLVMAdd
                | LLVMSub
                | LLVMXor
                | LLVMAnd
                | LLVMOr
                | LLVMShl
                | LLVMLShr
                | LLVMZExt
                | LLVMSExt
                | LLVMTrunc
                | LLVMAddrSpaceCast
                | LLVMGetElementPtr
        )
    ) && value.registers() > 0
}
