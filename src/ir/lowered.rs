//! A copy of a module as the back end is about to see it, to count registers in.

use super::Unit;
use crate::abi::WarpallocIrCopy;
use inkwell::values::{AsValueRef, FunctionValue};
use std::ffi::{CStr, c_char, c_void};
use std::ptr;

unsafe extern "C" {
    /// Fills `out`, which lasts as long as the copy that is returned.
    fn warpalloc_ir_copy_new(
        analyses: *mut c_void,
        functions: *const *mut c_void,
        count: usize,
        passes: *const c_char,
        out: *mut WarpallocIrCopy,
    ) -> *mut c_void;
    fn warpalloc_ir_copy_free(copy: *mut c_void);
}

/// What the back end does to IR that changes how much is live: addresses with a base in
/// common are computed from it. It does more, which takes longer and changes hardly anything.
const PASSES: &CStr = c"function(dce,separate-const-offset-from-gep,early-cse,loop(loop-reduce))";
/// The same without strength reduction, which takes longest and hardly changes how much is live
/// at once.
const PASSES_FOR_SINKING: &CStr = c"function(dce,separate-const-offset-from-gep,early-cse)";
/// What it does that changes how often memory is accessed: accesses beside one another become
/// one. That is enough to compare two forms of a function.
const PASSES_FOR_ACCESSES: &CStr = c"function(dce,early-cse,load-store-vectorizer)";

/// The copy.
pub struct Lowered {
    copy: *mut c_void,
    unit: Unit,
}

impl Lowered {
    /// Copies a module, with the bodies of these functions.
    pub fn new(unit: &Unit, functions: impl Iterator<Item = FunctionValue<'static>>) -> Self {
        Self::by(PASSES, unit, functions)
    }

    /// The same, to see what sinking changes in.
    pub fn for_sinking(
        unit: &Unit,
        functions: impl Iterator<Item = FunctionValue<'static>>,
    ) -> Self {
        Self::by(PASSES_FOR_SINKING, unit, functions)
    }

    /// The same, to count accesses to memory in.
    pub fn for_accesses(
        unit: &Unit,
        functions: impl Iterator<Item = FunctionValue<'static>>,
    ) -> Self {
        Self::by(PASSES_FOR_ACCESSES, unit, functions)
    }

    fn by(
        passes: &CStr,
        unit: &Unit,
        functions: impl Iterator<Item = FunctionValue<'static>>,
    ) -> Self {
        let functions: Vec<*mut c_void> = functions.map(|one| one.as_value_ref().cast()).collect();
        let mut out = WarpallocIrCopy {
            module: ptr::null_mut(),
            analyses: ptr::null_mut(),
        };
        // SAFETY: the unit's analyses, as many functions of its module as it says, a text for
        // LLVM's parser, and what is filled.
        let copy = unsafe {
            warpalloc_ir_copy_new(
                unit.analyses(),
                functions.as_ptr(),
                functions.len(),
                passes.as_ptr(),
                &mut out,
            )
        };
        // SAFETY: the shim has filled it, and it lives as long as the copy.
        let unit = unsafe { Unit::new(out.module, out.analyses, unit.settings().clone()) };
        Self { copy, unit }
    }

    /// The copy as a unit.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// What a function of the module is in the copy; `None` if it has no name.
    pub fn function(&self, original: FunctionValue) -> Option<FunctionValue<'static>> {
        let name = original.get_name().to_str().ok()?;
        self.unit.module().get_function(name)
    }
}

impl Drop for Lowered {
    fn drop(&mut self) {
        // SAFETY: made above, and given back once.
        unsafe { warpalloc_ir_copy_free(self.copy) }
    }
}
