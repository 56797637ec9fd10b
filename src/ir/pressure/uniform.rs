//! Which values lie in a warp's registers: those that LLVM knows to be the same in all
//! threads of a warp, and that the uniform data path computes from such values.
//!
//! Ensures: none on an SM without that path, nor in a device function, which a part of a
//! warp may call. Found by taking out what breaks a rule until nothing does. Source: the
//! rules of `passes/src/distribute`, by IR's operations.

use crate::ir::Unit;
use crate::ir::loops::Loops;
use crate::ir::unit::{instructions, is_kernel};
use crate::ir::value::Value;
use inkwell::llvm_sys::LLVMOpcode::{self, *};
use inkwell::llvm_sys::core::LLVMIsAArgument;
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
/// The space of constants and that of parameters.
const CONSTANT_SPACES: [u32; 2] = [4, 101];

/// The values of one function.
pub struct Uniform {
    uniformity: *const c_void,
    /// To LLVM the result of every call is divergent, that of `%ctaid` as well. These are
    /// computed of such and of what LLVM knows to be uniform.
    of_block: FxHashSet<Value>,
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
            of_block: FxHashSet::default(),
            on_path: FxHashSet::default(),
        };
        let computed: Vec<_> = instructions(function).filter(|&i| is_computed(i)).collect();
        uniform.follow(&computed, &Loops::new(unit, function));
        let has_path = sm.is_some_and(|sm| sm >= FIRST);
        if has_path && is_kernel(function) {
            uniform.find(&computed);
        }
        uniform
    }

    /// Whether threads of a warp may have different ones.
    pub fn is_divergent(&self, value: Value) -> bool {
        // SAFETY: a value of the function that was asked about.
        !self.of_block.contains(&value)
            && unsafe { warpalloc_ir_is_divergent(self.uniformity, value.as_ref().cast()) }
    }

    /// Whether it lies in registers of the warp.
    pub fn is_on_path(&self, value: Value) -> bool {
        self.on_path.contains(&value)
    }

    /// Finds what is computed of the block's position. Behind a loop that threads may leave
    /// one after the other what was uniform in it need not be.
    fn follow(&mut self, computed: &[Value], loops: &Loops) {
        let mut before = usize::MAX;
        while self.of_block.len() != before {
            before = self.of_block.len();
            for &one in computed {
                let is_around = |inner| loops.chain(loops.around(one)).any(|other| other == inner);
                let is_uniform = |operand: Value| match operand.opcode() {
                    None => operand.is_constant() || !self.is_divergent(operand),
                    Some(_) => {
                        let inner = loops.around(operand);
                        let is_there = inner.is_none_or(is_around);
                        is_there && !self.is_divergent(operand)
                    }
                };
                let follows = !one.is(LLVMPHI) && one.operands().all(is_uniform);
                if is_position(one) || follows {
                    self.of_block.insert(one);
                }
            }
        }
    }

    fn find(&mut self, computed: &[Value]) {
        let uniform = computed.iter().filter(|&&one| !self.is_divergent(one));
        let candidates: Vec<_> = uniform.copied().collect();
        self.on_path = candidates.iter().copied().collect();
        let mut before = usize::MAX;
        while self.on_path.len() != before {
            before = self.on_path.len();
            for &one in &candidates {
                let is_there =
                    |value: Value| value.opcode().is_none() || self.on_path.contains(&value);
                if !one.operands().all(is_there) {
                    self.on_path.remove(&one);
                }
            }
        }
        // Those of a kernel lie where all threads read them.
        let operands = candidates.iter().flat_map(|one| one.operands());
        let parameters = operands.filter(|value| is_parameter(*value));
        self.on_path.extend(parameters);
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
    let Some(opcode) = value.opcode() else {
        return false;
    };
    let width = value.integer_width();
    let fits = width.is_none_or(|bits| matches!(bits, 1 | 32 | 64));
    match opcode {
        LLVMLoad => {
            fits && value
                .operand(0)
                .pointer_space()
                .is_some_and(|space| CONSTANT_SPACES.contains(&space))
        }
        LLVMCall => is_position(value),
        LLVMSelect | LLVMPHI => fits && (width.is_some() || value.pointer_space().is_some()),
        _ => fits && INTEGER.contains(&opcode),
    }
}

fn is_parameter(value: Value) -> bool {
    // SAFETY: a living value.
    unsafe { !LLVMIsAArgument(value.as_ref()).is_null() }
}

/// Whether it reads where the block is, and how large blocks and the grid are.
fn is_position(value: Value) -> bool {
    const REGISTERS: [&str; 3] = ["ctaid", "ntid", "nctaid"];
    value.callee().is_some_and(|callee| {
        let name = callee.get_name().to_string_lossy();
        let register = name.strip_prefix("llvm.nvvm.read.ptx.sreg.");
        let stem = register.and_then(|register| register.split('.').next());
        stem.is_some_and(|stem| REGISTERS.contains(&stem))
    })
}
