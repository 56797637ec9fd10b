//! Where in the source an instruction is from.

use crate::ir::value::Value;
use inkwell::llvm_sys::core::*;

/// A line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The file, as debug information has it.
    pub file: String,
    /// The line.
    pub number: u32,
}

/// The line of an instruction, in the innermost inlined function.
pub fn line(instruction: Value) -> Option<Line> {
    instruction.opcode()?;
    // SAFETY: an instruction; the text has that length and lives as long as the module.
    unsafe {
        let number = LLVMGetDebugLocLine(instruction.as_ref());
        let mut length = 0;
        let text = LLVMGetDebugLocFilename(instruction.as_ref(), &mut length);
        if number == 0 || text.is_null() {
            return None;
        }
        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length as usize);
        let file = String::from_utf8_lossy(bytes).into_owned();
        Some(Line { file, number })
    }
}
