//! `cvt`: conversions between integers and floating-point numbers.

use half::{bf16, f16};

use crate::arithmetic::{flush, from_f32, from_f64, to_f32, to_f64, to_half};
use crate::operation::{Conversion, ConvertRounding, Rounding};
use crate::types::{Type, sign_extend, truncate};

fn integral(rounding: Rounding, x: f64) -> f64 {
    match rounding {
        Rounding::Nearest => x.round_ties_even(),
        Rounding::Zero => x.trunc(),
        Rounding::Down => x.floor(),
        Rounding::Up => x.ceil(),
    }
}

/// Converts, or gives `None` for a combination that PTX lacks or nobody needed yet.
pub fn convert(how: Conversion, value: u64) -> Option<u64> {
    let Conversion {
        to,
        from,
        rounding,
        saturate,
        flush: flushes,
    } = how;
    let pairs = to.element().or(from.element()).is_some();
    if pairs || to == Type::Pred || from == Type::Pred || to.is_untyped() || from.is_untyped() {
        return None;
    }
    if flushes && from != Type::F32 && to != Type::F32 {
        return None;
    }
    let value = truncate(value, from.bits());
    let value = if flushes && from == Type::F32 {
        flush(value)
    } else {
        value
    };
    if to.is_half() || from.is_half() {
        return halves(how, value);
    }
    let result = match (to.is_float(), from.is_float()) {
        (false, false) => integers(how, value)?,
        (false, true) => to_integer(how, value)?,
        (true, false) => {
            if rounding != ConvertRounding::Float(Rounding::Nearest) || saturate {
                return None;
            }
            let signed = sign_extend(value, from.bits());
            match (to, from.is_signed()) {
                (Type::F32, true) => from_f32(signed as f32),
                (Type::F32, false) => from_f32(value as f32),
                (_, true) => from_f64(signed as f64),
                (_, false) => from_f64(value as f64),
            }
        }
        (true, true) => floats(how, value)?,
    };
    Some(if flushes && to == Type::F32 {
        flush(result)
    } else {
        result
    })
}

fn integers(how: Conversion, value: u64) -> Option<u64> {
    if how.rounding != ConvertRounding::None {
        return None;
    }
    let wide = match how.from.is_signed() {
        true => i128::from(sign_extend(value, how.from.bits())),
        false => i128::from(value),
    };
    let wide = if how.saturate {
        wide.clamp(range(how.to).0, range(how.to).1)
    } else {
        wide
    };
    Some(truncate(wide as u64, how.to.bits()))
}

fn range(kind: Type) -> (i128, i128) {
    let bits = kind.bits();
    if kind.is_signed() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

/// Out of range gives the nearest end of the range, and NaN zero.
fn to_integer(how: Conversion, value: u64) -> Option<u64> {
    let ConvertRounding::Integer(rounding) = how.rounding else {
        return None;
    };
    let x = if how.from == Type::F32 {
        f64::from(to_f32(value))
    } else {
        to_f64(value)
    };
    let whole = integral(rounding, x) as i128;
    let (low, high) = range(how.to);
    Some(truncate(whole.clamp(low, high) as u64, how.to.bits()))
}

/// Between the half-width types and `f32`, and from integers.
fn halves(how: Conversion, value: u64) -> Option<u64> {
    if how.saturate || how.flush {
        return None;
    }
    if how.from.is_integer() && how.rounding == ConvertRounding::Float(Rounding::Nearest) {
        let whole = match how.from.is_signed() {
            true => sign_extend(value, how.from.bits()) as f64,
            false => value as f64,
        };
        // Of 64 bits double precision may already have rounded.
        return (how.from.bits() < 64).then(|| to_half(how.to, whole));
    }
    Some(match (how.to, how.from, how.rounding) {
        (Type::F32, half, ConvertRounding::None) => from_f32(widened(half, value)?),
        (Type::F16, Type::F32, ConvertRounding::Float(Rounding::Nearest)) => {
            let x = f16::from_f32(to_f32(value));
            u64::from(if x.is_nan() { 0x7fff } else { x.to_bits() })
        }
        (Type::Bf16, Type::F32, ConvertRounding::Float(Rounding::Nearest)) => {
            let x = bf16::from_f32(to_f32(value));
            u64::from(if x.is_nan() { 0x7fff } else { x.to_bits() })
        }
        _ => return None,
    })
}

/// The number in the lowest 16 bits, exactly.
pub(crate) fn widened(half: Type, bits: u64) -> Option<f32> {
    match half {
        Type::F16 => Some(f16::from_bits(bits as u16).to_f32()),
        Type::Bf16 => Some(bf16::from_bits(bits as u16).to_f32()),
        _ => None,
    }
}

fn floats(how: Conversion, value: u64) -> Option<u64> {
    let result = match (how.to, how.from, how.rounding) {
        (Type::F32, Type::F32, ConvertRounding::None) => value,
        (Type::F64, Type::F64, ConvertRounding::None) => value,
        (Type::F32, Type::F32, ConvertRounding::Integer(r)) => {
            from_f32(integral(r, to_f32(value).into()) as f32)
        }
        (Type::F64, Type::F64, ConvertRounding::Integer(r)) => from_f64(integral(r, to_f64(value))),
        (Type::F64, Type::F32, ConvertRounding::None) => from_f64(to_f32(value).into()),
        (Type::F32, Type::F64, ConvertRounding::Float(Rounding::Nearest)) => {
            from_f32(to_f64(value) as f32)
        }
        _ => return None,
    };
    if !how.saturate {
        return Some(result);
    }
    // To [0, 1], with NaN and -0 to +0.
    Some(match how.to {
        Type::F32 if to_f32(result) > 0.0 => from_f32(to_f32(result).min(1.0)),
        Type::F64 if to_f64(result) > 0.0 => from_f64(to_f64(result).min(1.0)),
        _ => 0,
    })
}
