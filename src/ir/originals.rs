//! Functions as they were before a change, each beside what becomes of it.

use super::Unit;
use super::locals::locals;
use super::unit::stays;
use crate::marks::ORIGINAL;
use crate::remarks::remark::c_string;
use inkwell::attributes::AttributeLoc;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::{AsValueRef, FunctionValue};
use std::ffi::{c_char, c_void};

unsafe extern "C" {
    fn warpalloc_ir_function_copy(function: *mut c_void, name: *const c_char) -> *mut c_void;
    fn warpalloc_ir_function_restore(
        analyses: *mut c_void,
        function: *mut c_void,
        copy: *mut c_void,
    );
    fn warpalloc_ir_function_remove(analyses: *mut c_void, copy: *mut c_void);
}

/// The change that a copy is made before.
#[derive(Clone, Copy, Debug)]
pub enum Before {
    /// Calls are inlined.
    Inlining,
    /// Stack variables become registers.
    Promotion,
}

impl Before {
    /// What the names of such copies end with.
    fn suffix(self) -> &'static str {
        match self {
            Self::Inlining => ".warpalloc.inlining",
            Self::Promotion => ".warpalloc.promotion",
        }
    }
}

/// Keeps a copy of each function that has stack variables, before promotion. Whether there
/// are any.
pub fn keep(unit: &Unit) -> bool {
    let functions: Vec<_> = unit
        .definitions()
        .filter(|&function| !stays(function) && !locals(function).is_empty())
        .collect();
    for &function in &functions {
        copy(unit, function, Before::Promotion);
    }
    !functions.is_empty()
}

/// Keeps a copy of a function.
pub fn copy(unit: &Unit, function: FunctionValue, before: Before) {
    let name = c_string(&copy_name(function, before));
    // SAFETY: a function of the unit's module; LLVM copies the name.
    let copy = unsafe {
        let copy = warpalloc_ir_function_copy(function.as_value_ref().cast(), name.as_ptr());
        FunctionValue::new(copy.cast::<_>() as LLVMValueRef)
    };
    if let Some(copy) = copy {
        let context = unit.module().get_context();
        let attribute = context.create_string_attribute(ORIGINAL, "");
        copy.add_attribute(AttributeLoc::Function, attribute);
    }
}

/// The copy of a function.
pub fn original(
    unit: &Unit,
    function: FunctionValue,
    before: Before,
) -> Option<FunctionValue<'static>> {
    unit.module().get_function(&copy_name(function, before))
}

/// Puts the copy in the place of its function.
pub fn restore(unit: &Unit, function: FunctionValue, copy: FunctionValue) {
    copy.remove_string_attribute(AttributeLoc::Function, ORIGINAL);
    // SAFETY: two functions of the unit's module with the same parameters; nobody has the
    // copy any more.
    unsafe {
        warpalloc_ir_function_restore(
            unit.analyses(),
            function.as_value_ref().cast(),
            copy.as_value_ref().cast(),
        );
    }
}

/// Removes all copies. Whether there were any.
pub fn remove(unit: &Unit) -> bool {
    let is_copy = |function: &FunctionValue| {
        let attribute = function.get_string_attribute(AttributeLoc::Function, ORIGINAL);
        attribute.is_some()
    };
    let copies: Vec<_> = unit.module().get_functions().filter(is_copy).collect();
    for &copy in &copies {
        // SAFETY: nothing uses a copy.
        unsafe { warpalloc_ir_function_remove(unit.analyses(), copy.as_value_ref().cast()) }
    }
    !copies.is_empty()
}

fn copy_name(function: FunctionValue, before: Before) -> String {
    function.get_name().to_string_lossy().into_owned() + before.suffix()
}
