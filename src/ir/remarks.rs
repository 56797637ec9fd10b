//! LLVM's remarks, of passes over IR.

use super::Unit;
use super::value::Value;
use crate::remarks::remark::c_string;
use std::ffi::{c_char, c_void};

unsafe extern "C" {
    fn warpalloc_ir_remark(
        analyses: *mut c_void,
        instruction: *mut c_void,
        is_missed: bool,
        pass: *const c_char,
        name: *const c_char,
        text: *const c_char,
    );
}

/// Says what `pass` did at `instruction`.
pub fn passed(unit: &Unit, pass: &str, instruction: Value, name: &str, text: &str) {
    emit(unit, false, pass, instruction, name, text);
}

/// Says what `pass` did not do at `instruction`, and why.
pub fn missed(unit: &Unit, pass: &str, instruction: Value, name: &str, text: &str) {
    emit(unit, true, pass, instruction, name, text);
}

fn emit(unit: &Unit, is_missed: bool, pass: &str, instruction: Value, name: &str, text: &str) {
    let (pass, name, text) = (c_string(pass), c_string(name), c_string(text));
    // SAFETY: an instruction of the unit's module; LLVM copies the texts.
    unsafe {
        warpalloc_ir_remark(
            unit.analyses(),
            instruction.as_ref().cast(),
            is_missed,
            pass.as_ptr(),
            name.as_ptr(),
            text.as_ptr(),
        );
    }
}
