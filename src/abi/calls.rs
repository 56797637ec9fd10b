//! What crosses of a module for a function of NVPTX that is no kernel, or that calls through
//! pointers: who calls whom.

use super::WarpallocLaunch;
use std::ffi::c_char;

/// A function that the module defines.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocNode {
    /// Its name, NUL-terminated.
    pub name: *const c_char,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// It may be called through a pointer.
    pub has_address_taken: bool,
    /// It calls through pointers.
    pub calls_indirectly: bool,
    /// A kernel's launch bounds.
    pub launch: WarpallocLaunch,
}

/// A call by name: indices into `nodes`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocCall {
    /// Who calls.
    pub caller: u32,
    /// Who is called.
    pub callee: u32,
}

/// Who calls whom in a module.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocCallGraph {
    /// The functions.
    pub nodes: *const WarpallocNode,
    /// Their number.
    pub node_count: u32,
    /// The calls, each pair once.
    pub calls: *const WarpallocCall,
    /// Their number.
    pub call_count: u32,
    /// Which of the functions is the one to allocate.
    pub function: u32,
}
