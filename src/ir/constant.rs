//! The bytes of a constant, as they lie in memory of a target whose lowest byte comes first.

use super::Unit;
use super::value::Value;
use inkwell::llvm_sys::LLVMTypeKind::*;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMTypeRef;
use inkwell::llvm_sys::target::{LLVMByteOrder, LLVMByteOrdering, LLVMGetModuleDataLayout};

/// The bytes of a number or a vector of numbers; `None` for all else, such as addresses and
/// what is undefined, and on targets whose highest byte comes first.
pub fn bytes(unit: &Unit, constant: Value) -> Option<Vec<u8>> {
    // SAFETY: a module has a data layout.
    let order = unsafe { LLVMByteOrder(LLVMGetModuleDataLayout(unit.module().as_mut_ptr())) };
    (order == LLVMByteOrdering::LLVMLittleEndian && constant.is_constant())
        .then(|| lowest_first(constant))?
}

fn lowest_first(constant: Value) -> Option<Vec<u8>> {
    // SAFETY: a constant, and what LLVM is asked suits its type.
    unsafe {
        let kind = LLVMTypeOf(constant.as_ref());
        let context = LLVMGetTypeContext(kind);
        let bits = match LLVMGetTypeKind(kind) {
            LLVMIntegerTypeKind => LLVMGetIntTypeWidth(kind),
            LLVMHalfTypeKind | LLVMBFloatTypeKind => 16,
            LLVMFloatTypeKind => 32,
            LLVMDoubleTypeKind => 64,
            LLVMVectorTypeKind => return elements(constant, kind),
            _ => return None,
        };
        let number = LLVMConstBitCast(constant.as_ref(), LLVMIntTypeInContext(context, bits));
        let number = Value::new(number).constant_integer()?;
        let size = (bits / 8) as usize;
        (bits % 8 == 0).then(|| number.to_le_bytes()[..size].to_vec())
    }
}

fn elements(vector: Value, kind: LLVMTypeRef) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    // SAFETY: the type is that of a vector, and the number below its size.
    unsafe {
        for number in 0..LLVMGetVectorSize(kind) {
            let element = LLVMGetAggregateElement(vector.as_ref(), number);
            if element.is_null() {
                return None;
            }
            all.extend(lowest_first(Value::new(element))?);
        }
    }
    Some(all)
}
