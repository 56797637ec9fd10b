//! Values that are cheaply computed once more, in another block.

use super::Unit;
use super::build::Before;
use super::value::Value;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use std::collections::BTreeMap;

/// The most operations to compute a value again.
pub const MOST_STEPS: u32 = 6;

/// How many operations make a value of its operands; `None` if it is not cheap, or depends
/// on its place.
///
/// Not a `freeze`, nor what is computed of `undef`: each copy might have another value.
pub fn steps(value: Value) -> Option<u32> {
    if value.operands().any(Value::is_undefined) {
        return None;
    }
    match value.opcode()? {
        LLVMAdd | LLVMSub | LLVMXor | LLVMAnd | LLVMOr | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMZExt | LLVMSExt | LLVMTrunc | LLVMAddrSpaceCast | LLVMGetElementPtr | LLVMFPExt
        | LLVMSIToFP | LLVMUIToFP | LLVMFNeg => {
            let registers = value.registers();
            (registers > 0).then_some(registers)
        }
        LLVMBitCast => (value.registers() > 0).then_some(0),
        LLVMExtractElement => {
            let element = value.operand(1).is_constant() && value.registers() > 0;
            element.then_some(1)
        }
        _ => None,
    }
}

/// What a block computes again.
#[derive(Default)]
pub struct Copies {
    copies: BTreeMap<LLVMValueRef, Value>,
    /// The copies, each behind those that it uses.
    computed: Vec<Value>,
}

impl Copies {
    /// Computes `value` in front of `user`, down to the leaves, but for what has been
    /// computed before. Users must come in the order of the block.
    pub fn before(&mut self, unit: &Unit, value: Value, leaves: &[Value], user: Value) -> Value {
        if steps(value).is_none() || leaves.contains(&value) {
            return value;
        }
        if let Some(&known) = self.copies.get(&value.as_ref()) {
            return known;
        }
        let operands: Vec<_> = value
            .operands()
            .map(|one| self.before(unit, one, leaves, user))
            .collect();
        let here = Before::new(unit, user).copy_of(value);
        for (number, operand) in operands.into_iter().enumerate() {
            here.set_operand(number, operand);
        }
        self.copies.insert(value.as_ref(), here);
        self.computed.push(here);
        here
    }

    /// What has been computed, each behind what it uses of it.
    pub fn into_computed(self) -> Vec<Value> {
        self.computed
    }
}
