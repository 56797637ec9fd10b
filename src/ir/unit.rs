//! A module while a pass of ours runs over it.

use inkwell::module::Module;
use inkwell::values::FunctionValue;
use std::ffi::c_void;
use std::mem::ManuallyDrop;

/// `ptx_kernel`, as LLVM numbers calling conventions.
#[allow(dead_code)]
const PTX_KERNEL: u32 = 71;

/// A module, and LLVM's analyses of it.
pub struct Unit {
    /// LLVM owns it.
    module: ManuallyDrop<Module<'static>>,
    analyses: *mut c_void,
}

impl Unit {
    /// # Safety
    /// `module` must be an `LLVMModuleRef`, `analyses` the shim's `IrAnalyses` of it; both
    /// must outlive the unit and all that comes from it.
    pub unsafe fn new(module: *mut c_void, analyses: *mut c_void) -> Self {
        // SAFETY: the caller's word; it is never dropped, as it is not ours.
        let module = ManuallyDrop::new(unsafe { Module::new(module.cast()) });
        Self { module, analyses }
    }

    /// The module.
    pub fn module(&self) -> &Module<'static> {
        &self.module
    }

    /// What the shim's calls that ask LLVM take.
    pub fn analyses(&self) -> *mut c_void {
        self.analyses
    }

    /// The functions that have a body, in the module's order.
    pub fn definitions(&self) -> impl Iterator<Item = FunctionValue<'static>> {
        self.module
            .get_functions()
            .filter(|function| function.count_basic_blocks() > 0)
    }
}

/// Whether a function is what the host launches.
#[allow(dead_code)]
pub fn is_kernel(function: FunctionValue) -> bool {
    function.get_call_conventions() == PTX_KERNEL
}
