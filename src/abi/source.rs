//! What crosses only where somebody wants remarks: names and lines of the source, and the
//! remarks themselves.

use std::ffi::c_char;

/// A place in the source.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocSourceLine {
    /// The file, NUL-terminated.
    pub file: *const c_char,
    /// The line, or 0 where it is not known.
    pub line: u32,
    /// Where the code was inlined, a location with a lower number; else `WARPALLOC_NONE`.
    pub inlined_at: u32,
}

/// The variable that a virtual register holds.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocVariable {
    /// Its name, NUL-terminated; null if there is none.
    pub name: *const c_char,
    /// The first bit of the variable that is held.
    pub first_bit: u32,
    /// How many bits, or 0 for all.
    pub bit_count: u32,
}

/// What debug information says of a function.
#[repr(C)]
pub struct WarpallocSource {
    /// Places.
    pub locations: *const WarpallocSourceLine,
    /// Their number.
    pub location_count: u32,
    /// For each instruction a location, or `WARPALLOC_NONE`.
    pub instruction_locations: *const u32,
    /// For each virtual register its variable.
    pub variables: *const WarpallocVariable,
    /// The function is allocated once more, after spill code was added to it.
    pub is_again: bool,
}

/// A part of a remark.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WarpallocArgument {
    /// What it is, for tools, NUL-terminated; empty for plain text.
    pub key: *const c_char,
    /// What people read, NUL-terminated.
    pub value: *const c_char,
}

/// A remark.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WarpallocRemark {
    /// A missed optimisation, not an analysis.
    pub is_missed: bool,
    /// Its name, NUL-terminated.
    pub name: *const c_char,
    /// Where, by the result's numbers; `WARPALLOC_NONE` for the function as a whole.
    pub instruction: u32,
    /// Its parts: `arguments[argument_begin..argument_end]`.
    pub argument_begin: u32,
    /// See `argument_begin`.
    pub argument_end: u32,
}
