//! What crosses for options of single functions.

use std::ffi::c_char;

/// A string attribute of a function.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocAttribute {
    /// Its name, NUL-terminated.
    pub name: *const c_char,
    /// Its value, NUL-terminated.
    pub value: *const c_char,
}

/// A function that the module defines, before anything is done to it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocDefinition {
    /// Its name, NUL-terminated.
    pub name: *const c_char,
    /// The processor that it is compiled for, NUL-terminated.
    pub processor: *const c_char,
    /// Its code, as a number that is another one for other code.
    pub hash: u64,
}

/// What somebody should know about a choice.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WarpallocChoiceRemark {
    /// The function that it is about, or any if it is about one that is not there.
    pub definition: u32,
    /// Its name, NUL-terminated.
    pub name: *const c_char,
    /// What people read, NUL-terminated.
    pub text: *const c_char,
}

/// What a choices file says of a module.
#[repr(C)]
pub struct WarpallocChosen {
    /// Null, or what is wrong with the file; there is nothing else then.
    pub error: *const c_char,
    /// The attribute that carries a function's choice, NUL-terminated.
    pub attribute: *const c_char,
    /// Its value for each definition, NUL-terminated; null where nothing is chosen.
    pub values: *const *const c_char,
    /// How many.
    pub value_count: u32,
    /// Remarks on what is not optimised as the file says.
    pub remarks: *const WarpallocChoiceRemark,
    /// How many.
    pub remark_count: u32,
    /// What owns the arrays.
    pub owner: *mut std::ffi::c_void,
}
