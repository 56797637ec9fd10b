//! A module while a pass of ours runs over it.

use super::value::Value;
use crate::marks::{ORIGINAL, UNPREPARED};
use crate::options::Level;
use crate::options::own::{self, OwnError};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::LLVMGetParam;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue};
use passes::knobs::Knobs;
use passes::settings::SpillSpace;
use std::borrow::Cow;
use std::ffi::{CStr, c_void};
use std::mem::ManuallyDrop;

unsafe extern "C" {
    fn warpalloc_ir_function_forget(analyses: *mut c_void, function: *mut c_void);
}

/// The calling convention of kernels, `ptx_kernel`.
const KERNEL: u32 = 71;

/// What the command line asks for.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The SM that is decided for, if not the one that a function is compiled for.
    pub sm: Option<u32>,
    /// What is said of all functions.
    pub level: Level,
    /// Whether functions are prepared that do not ask for it, if they have a budget.
    pub prepares: bool,
}

/// What is asked for a function.
#[derive(Clone, Copy, Debug)]
pub struct OwnSettings {
    /// The most registers of a thread.
    pub pressure_limit: Option<u32>,
    /// Percent of an SM's warps that registers are to leave room for.
    pub occupancy_target: Option<u32>,
    /// The knobs.
    pub knobs: Knobs,
    /// Where spill slots lie.
    pub spill_space: SpillSpace,
}

impl From<&Level> for OwnSettings {
    fn from(level: &Level) -> Self {
        let knobs = level.knobs();
        let usual = match knobs.shared_memory_spilling {
            true => SpillSpace::Shared,
            false => SpillSpace::Local,
        };
        Self {
            pressure_limit: level.pressure_limit,
            occupancy_target: level.occupancy_target,
            knobs,
            spill_space: level.spill_space.unwrap_or(usual),
        }
    }
}

/// A module, and LLVM's analyses of it.
pub struct Unit {
    /// LLVM owns it.
    module: ManuallyDrop<Module<'static>>,
    analyses: *mut c_void,
    settings: Settings,
}

impl Unit {
    /// # Safety
    /// `module` must be an `LLVMModuleRef`, `analyses` the shim's `IrAnalyses` of it; both
    /// must outlive the unit and all that comes from it.
    pub unsafe fn new(module: *mut c_void, analyses: *mut c_void, settings: Settings) -> Self {
        // SAFETY: the caller's word; it is never dropped, as it is not ours.
        let module = ManuallyDrop::new(unsafe { Module::new(module.cast()) });
        Self {
            module,
            analyses,
            settings,
        }
    }

    /// What the command line asks for.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What all levels together say of a function. What is wrong with its attributes, the
    /// first pass has told.
    pub fn level(&self, function: FunctionValue) -> Level {
        let own = own_level(function).unwrap_or_default();
        self.settings.level.clone().under(own)
    }

    /// What is asked for a function.
    pub fn own_settings(&self, function: FunctionValue) -> OwnSettings {
        OwnSettings::from(&self.level(function))
    }

    /// The module.
    pub fn module(&self) -> &Module<'static> {
        &self.module
    }

    /// What the shim's calls that ask LLVM take.
    pub fn analyses(&self) -> *mut c_void {
        self.analyses
    }

    /// LLVM looks at a function anew when it is asked next: instructions of it are others now.
    pub fn forget(&self, function: FunctionValue) {
        // SAFETY: the unit's analyses, and a function of its module.
        unsafe { warpalloc_ir_function_forget(self.analyses, function.as_value_ref().cast()) }
    }

    /// Whether it is for NVPTX.
    pub fn is_nvptx(&self) -> bool {
        let triple = self.module.get_triple();
        triple.as_str().to_bytes().starts_with(b"nvptx")
    }

    /// The functions that have a body, in the module's order, but for copies of ours.
    pub fn definitions(&self) -> impl Iterator<Item = FunctionValue<'static>> {
        let is_copy = |function: &FunctionValue| {
            let mark = function.get_string_attribute(AttributeLoc::Function, ORIGINAL);
            mark.is_some()
        };
        self.module
            .get_functions()
            .filter(move |function| has_body(*function) && !is_copy(function))
    }
}

/// The instructions of a function, in its order.
pub fn instructions(function: FunctionValue) -> impl Iterator<Item = Value> {
    function.get_basic_block_iter().flat_map(instructions_of)
}

/// The instructions of a block, in its order.
pub fn instructions_of(block: BasicBlock) -> impl Iterator<Item = Value> {
    let all = block.get_instructions();
    // SAFETY: an instruction of the function.
    all.map(|one| unsafe { Value::new(one.as_value_ref()) })
}

/// The parameters of a function, of whatever types.
pub fn parameters(function: FunctionValue) -> impl ExactSizeIterator<Item = Value> {
    let count = function.count_params();
    let function = function.as_value_ref();
    // SAFETY: a parameter of the function, its number being below their count.
    (0..count).map(move |number| unsafe { Value::new(LLVMGetParam(function, number)) })
}

/// Whether a function is defined in its module.
pub fn has_body(function: FunctionValue) -> bool {
    function.count_basic_blocks() > 0
}

/// Whether a function is a kernel.
pub fn is_kernel(function: FunctionValue) -> bool {
    function.get_call_conventions() == KERNEL
}

/// What the choices file and its attributes say of a function.
pub fn own_level(function: FunctionValue) -> Result<Level, OwnError> {
    let attributes = function.attributes(AttributeLoc::Function);
    let texts = attributes.iter().filter(|one| one.is_string());
    let texts = texts.map(|one| {
        let [name, value] = [one.get_string_kind_id(), one.get_string_value()];
        let own = |text: &CStr| Cow::Owned(text.to_string_lossy().into_owned());
        (own(name), own(value))
    });
    own::level(&texts.collect::<Vec<_>>())
}

/// Whether a function is to stay as it is.
pub fn stays(function: FunctionValue) -> bool {
    let unprepared = function.get_string_attribute(AttributeLoc::Function, UNPREPARED);
    has(function, "optnone") || unprepared.is_some()
}

/// Whether a function has an attribute of LLVM's.
pub fn has(function: FunctionValue, attribute: &str) -> bool {
    let kind = Attribute::get_named_enum_kind_id(attribute);
    function
        .get_enum_attribute(AttributeLoc::Function, kind)
        .is_some()
}
