//! What crosses for the passes over LLVM IR.

use std::ffi::{c_char, c_void};

/// The passes that decide. Each is a file of `src/ir`; a name for `-passes=` that runs
/// one of them and what carries its decisions out is in `src/ir/pipeline.rs`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpallocIrPass {
    /// Which calls are inlined.
    ChooseCalls,
    /// Whose stack variables may become registers.
    Eligibility,
    /// Copies through a chosen address become loads and stores.
    SplitCopies,
    /// Which loops are unrolled.
    ChooseLoops,
    /// Accesses at an unknown index become choices between elements.
    SelectElements,
    /// Arrays of constants become tables.
    Tables,
    /// Which parameters of kernels nobody writes to.
    GridConstants,
    /// Comparisons of integers with nothing in their upper halves are of the lower ones.
    NarrowCompares,
    /// Addresses are computed where they are used.
    SinkAddresses,
    /// Keeps kernels as they are, to compare.
    KeepOriginals,
    /// Decides between kernels as they were and what they have become.
    Weigh,
    /// Short branches become selects where registers are short.
    IfConvert,
    /// Cheap values are computed again where registers are short.
    Sink,
    /// What a loop computes anew and need not is computed in front of it.
    Hoist,
    /// Which functions are left out of all that follows: those that say so.
    Exclude,
    /// The same: those that do not ask for it.
    ExcludeOthers,
    /// Ends the pipeline: takes away what it has written for itself.
    Finish,
}

/// What a pass has to say when it has run.
#[repr(C)]
pub struct WarpallocIrOutcome {
    /// Whether it changed the module.
    pub changed: bool,
    /// Null, or why it failed, for `warpalloc_ir_text_free`.
    pub error: *mut c_char,
}

/// A copy of a module.
#[repr(C)]
pub struct WarpallocIrCopy {
    /// An `LLVMModuleRef`.
    pub module: *mut c_void,
    /// The shim's `IrAnalyses` of it.
    pub analyses: *mut c_void,
}

/// A loop.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocIrLoop {
    /// Its header, an `LLVMBasicBlockRef`.
    pub header: *mut c_void,
    /// The block in front of it that leads nowhere else, an `LLVMBasicBlockRef`; null if
    /// there is none.
    pub preheader: *mut c_void,
    /// The loop that it is in, a lower number; else `WARPALLOC_NONE`.
    pub parent: u32,
    /// After so many iterations it is surely left; 0 if no exit tells.
    pub trip_count: u32,
    /// At most so many iterations; 0 if not known.
    pub most_trips: u32,
    /// What its blocks cost in code size, those of loops in it too; 0 unless loops are measured.
    pub size: u32,
    /// Whether it may be unrolled; false unless loops are measured.
    pub can_unroll: bool,
}

/// The loops of a function, outer ones before those in them.
#[repr(C)]
pub struct WarpallocIrLoops {
    /// `count` of them.
    pub loops: *const WarpallocIrLoop,
    /// How many.
    pub count: u32,
}

/// `base + constant + variable * stride`, in bytes.
#[repr(C)]
pub struct WarpallocIrAddress {
    /// The address that another is computed from, an `LLVMValueRef`.
    pub base: *mut c_void,
    /// What is always added.
    pub constant: i64,
    /// An integer, an `LLVMValueRef`; null if there is none.
    pub variable: *mut c_void,
    /// What it is multiplied by.
    pub stride: i64,
}

/// What a value is computed from, as far as LLVM's scalar evolution sees.
#[repr(C)]
pub struct WarpallocIrIngredients {
    /// Loops whose iterations it depends on.
    pub counters: *const u32,
    /// How many.
    pub counter_count: u32,
    /// Values that are not seen through, as `LLVMValueRef`s.
    pub unknown: *const *mut c_void,
    /// How many.
    pub unknown_count: u32,
}
