//! Which values lie in a warp's registers: those that LLVM knows to be the same in all
//! threads of a warp, and that the uniform data path computes from such values.
//!
//! Ensures: none on an SM without that path, nor in a device function, which a part of a
//! warp may call. Found by taking out what breaks a rule until nothing does. Source: the
//! rules of `passes/src/distribute`, by IR's operations.

use super::class::pointer_space;
use crate::ir::Unit;
use crate::ir::unit::instructions;
use crate::ir::value::Value;
use inkwell::llvm_sys::LLVMOpcode::{self, *};
use inkwell::values::{AsValueRef, FunctionValue};
use rustc_hash::FxHashSet;
use std::ffi::c_void;

unsafe extern "C" {
    /// LLVM's uniformity of a function, which lives as long as the analyses keep it.
    fn warpalloc_ir_uniformity(analyses: *mut c_void, function: *mut c_void) -> *const c_void;
    fn warpalloc_ir_is_divergent(uniformity: *const c_void, value: *mut c_void) -> bool;
}

/// The SM that the uniform data path came with.
const FIRST: u32 = 75;
/// The calling convention of kernels, `ptx_kernel`.
const KERNEL: u32 = 71;
/// The space of constants and that of parameters.
const CONSTANT_SPACES: [u32; 2] = [4, 101];

/// The values of one function.
pub struct Uniform {
    uniformity: *const c_void,
    on_path: FxHashSet<Value>,
}

impl Uniform {
    /// Asks LLVM, and decides.
    pub fn new(unit: &Unit, function: FunctionValue, sm: Option<u32>) -> Self {
        // SAFETY: a function of the unit's module, whose analyses these are.
        let uniformity =
            unsafe { warpalloc_ir_uniformity(unit.analyses(), function.as_value_ref().cast()) };
        let mut uniform = Self {
            uniformity,
            on_path: FxHashSet::default(),
        };
        let has_path = sm.is_some_and(|sm| sm >= FIRST);
        if has_path && function.get_call_conventions() == KERNEL {
            uniform.find(function);
        }
        uniform
    }

    /// Whether threads of a warp may have different ones.
    pub fn is_divergent(&self, value: Value) -> bool {
        // SAFETY: a value of the function that was asked about.
        unsafe { warpalloc_ir_is_divergent(self.uniformity, value.as_ref().cast()) }
    }

    /// Whether it lies in registers of the warp.
    pub fn is_on_path(&self, value: Value) -> bool {
        self.on_path.contains(&value)
    }

    fn find(&mut self, function: FunctionValue) {
        for parameter in function.get_param_iter() {
            // SAFETY: a value of the function.
            self.on_path
                .insert(unsafe { Value::new(parameter.as_value_ref()) });
        }
        let candidates =
            instructions(function).filter(|&i| is_computed(i) && !self.is_divergent(i));
        let candidates: Vec<_> = candidates.collect();
        self.on_path.extend(candidates.iter().copied());
        loop {
            let before = self.on_path.len();
            for &one in &candidates {
                let is_there = |value: Value| {
                    let is_computed = value.is_constant() || self.on_path.contains(&value);
                    is_computed || value.opcode().is_none()
                };
                if !one.operands().all(is_there) {
                    self.on_path.remove(&one);
                }
            }
            if self.on_path.len() == before {
                return;
            }
        }
    }
}

/// Whether the uniform data path computes it, its operands being there.
fn is_computed(value: Value) -> bool {
    const INTEGER: [LLVMOpcode; 19] = [
        LLVMAdd,
        LLVMSub,
        LLVMMul,
        LLVMAnd,
        LLVMOr,
        LLVMXor,
        LLVMShl,
        LLVMLShr,
        LLVMAShr,
        LLVMSelect,
        LLVMICmp,
        LLVMTrunc,
        LLVMZExt,
        LLVMSExt,
        LLVMGetElementPtr,
        LLVMPtrToInt,
        LLVMIntToPtr,
        LLVMAddrSpaceCast,
        LLVMPHI,
    ];
    const SOURCES: [&str; 3] = ["ctaid", "ntid", "nctaid"];
    let Some(opcode) = value.opcode() else {
        return false;
    };
    let width = value.integer_width();
    let fits = width.is_none_or(|bits| matches!(bits, 1 | 32 | 64));
    match opcode {
        LLVMLoad => {
            fits && pointer_space(value.operand(0))
                .is_some_and(|space| CONSTANT_SPACES.contains(&space))
        }
        LLVMCall => value.callee().is_some_and(|callee| {
            let name = callee.get_name().to_string_lossy();
            let register = name.strip_prefix("llvm.nvvm.read.ptx.sreg.");
            let stem = register.and_then(|register| register.split('.').next());
            stem.is_some_and(|stem| SOURCES.contains(&stem))
        }),
        LLVMSelect | LLVMPHI => fits && (width.is_some() || pointer_space(value).is_some()),
        _ => fits && INTEGER.contains(&opcode),
    }
}
