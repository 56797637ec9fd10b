//! What `atom` and `red` store, given what was there.

use crate::arithmetic::binary;
use crate::operation::{AtomicKind, Binary};
use crate::types::Type;

/// The new contents, or `None` if the type has no such operation. `c` is the value that
/// a compare-and-exchange writes.
pub fn updated(kind: AtomicKind, ty: Type, old: u64, b: u64, c: u64) -> Option<u64> {
    if ty.bits() < 32 || ty.element().is_some() {
        return None;
    }
    let op = match kind {
        AtomicKind::Add => Binary::Add,
        AtomicKind::And => Binary::And,
        AtomicKind::Or => Binary::Or,
        AtomicKind::Xor => Binary::Xor,
        AtomicKind::Minimum if !ty.is_float() => Binary::Minimum,
        AtomicKind::Maximum if !ty.is_float() => Binary::Maximum,
        AtomicKind::Exchange if ty.is_untyped() => return Some(b),
        AtomicKind::CompareExchange if ty.is_untyped() => {
            return Some(if old == b { c } else { old });
        }
        AtomicKind::Increment if ty == Type::U32 => {
            return Some(if old >= b { 0 } else { old + 1 });
        }
        AtomicKind::Decrement if ty == Type::U32 => {
            return Some(if old == 0 || old > b { b } else { old - 1 });
        }
        _ => return None,
    };
    binary(op, ty, false, old, b)
}
