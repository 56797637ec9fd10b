//! What crosses for the passes over LLVM IR.

use std::ffi::c_char;

/// The passes that decide. Each is a file of `src/ir`; a name for `-passes=` that runs
/// one of them and what carries its decisions out is in `src/ir/pipeline.rs`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpallocIrPass {
    /// Which calls are inlined.
    ChooseCalls,
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
