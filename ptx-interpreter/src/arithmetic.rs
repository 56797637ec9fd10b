//! Arithmetic on register contents. Values are the low bits of a `u64`, the rest zero.
//!
//! Every function gives `None` for an operation that PTX does not define on the type;
//! the decoder tries each once, so that this is found out before anything runs.

use half::{bf16, f16};

use crate::convert::widened;
use crate::operation::{Binary, Comparison, Rounding, Ternary, Unary};
use crate::types::{Type, sign_extend, truncate};

/// The one quiet NaN that arithmetic gives, so that payloads never differ by accident.
const NAN_32: u32 = 0x7fff_ffff;
const NAN_64: u64 = 0x7fff_ffff_ffff_ffff;

pub(crate) fn from_f32(value: f32) -> u64 {
    u64::from(if value.is_nan() {
        NAN_32
    } else {
        value.to_bits()
    })
}

pub(crate) fn from_f64(value: f64) -> u64 {
    if value.is_nan() {
        NAN_64
    } else {
        value.to_bits()
    }
}

pub(crate) fn to_f32(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

pub(crate) fn to_f64(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// Zero with its sign in place of a subnormal `f32`.
pub(crate) fn flush(bits: u64) -> u64 {
    if to_f32(bits).is_subnormal() {
        bits & 0x8000_0000
    } else {
        bits
    }
}

/// One operand.
pub fn unary(op: Unary, kind: Type, flushes: bool, a: u64) -> Option<u64> {
    if kind == Type::Pred {
        return (op == Unary::Not).then_some(a ^ 1);
    }
    if let Some(element) = kind.element() {
        return pairs(kind, [a, 0, 0], |[a, ..]| unary(op, element, flushes, a));
    }
    if kind.is_half() {
        return match op {
            Unary::Negate => Some(a ^ 0x8000),
            Unary::Absolute => Some(a & 0x7fff),
            _ => None,
        };
    }
    if kind.is_float() {
        return float_unary(op, kind, flushes, a);
    }
    let bits = kind.bits();
    let signed = kind.is_signed();
    let value = match op {
        Unary::Not if kind.is_untyped() => !a,
        Unary::Negate if signed => a.wrapping_neg(),
        Unary::Absolute if signed => sign_extend(a, bits).unsigned_abs(),
        Unary::CountOnes if kind.is_untyped() && bits >= 32 => u64::from(a.count_ones()),
        Unary::LeadingZeros if kind.is_untyped() && bits >= 32 => {
            u64::from(a.leading_zeros() - (64 - bits))
        }
        Unary::ReverseBits if kind.is_untyped() && bits >= 32 => a.reverse_bits() >> (64 - bits),
        Unary::FindBit(shift) if kind.is_integer() && bits >= 32 => {
            // A signed number's leading ones are sought through as zeros are.
            let a = if signed && sign_extend(a, bits) < 0 {
                truncate(!a, bits)
            } else {
                a
            };
            return Some(match a {
                0 => 0xffff_ffff,
                _ if shift => u64::from(a.leading_zeros() - (64 - bits)),
                _ => u64::from(63 - a.leading_zeros()),
            });
        }
        _ => return None,
    };
    Some(truncate(value, bits))
}

fn float_unary(op: Unary, kind: Type, flushes: bool, a: u64) -> Option<u64> {
    if kind == Type::F64 {
        let x = to_f64(a);
        return Some(match op {
            Unary::Negate => a ^ (1 << 63),
            Unary::Absolute => a & !(1 << 63),
            Unary::Reciprocal => from_f64(1.0 / x),
            Unary::SquareRoot => from_f64(x.sqrt()),
            Unary::ReciprocalRoot => from_f64(1.0 / x.sqrt()),
            _ => return None,
        });
    }
    let a = if flushes { flush(a) } else { a };
    let x = f64::from(to_f32(a));
    let result = match op {
        Unary::Negate => return Some(a ^ 0x8000_0000),
        Unary::Absolute => return Some(a & 0x7fff_ffff),
        // One correctly rounded operation in double precision rounds to the correct
        // f32, for 53 bits are more than twice 24 and two.
        Unary::Reciprocal => 1.0 / x,
        Unary::SquareRoot => x.sqrt(),
        Unary::ReciprocalRoot => 1.0 / x.sqrt(),
        Unary::Exp2 => x.exp2(),
        Unary::Log2 => x.log2(),
        Unary::Sine => x.sin(),
        Unary::Cosine => x.cos(),
        Unary::Tanh => x.tanh(),
        _ => return None,
    };
    let bits = from_f32(result as f32);
    Some(if flushes { flush(bits) } else { bits })
}

/// Two operands. A division by zero gives what the hardware gives for integers: all
/// ones, and the dividend as the remainder.
pub fn binary(op: Binary, kind: Type, flushes: bool, a: u64, b: u64) -> Option<u64> {
    if let Some(element) = kind.element() {
        let exists = !matches!(
            op,
            Binary::MultiplyHigh | Binary::MultiplyWide | Binary::Divide
        ) && !matches!(
            op,
            Binary::Remainder | Binary::ShiftLeft | Binary::ShiftRight
        );
        return pairs(kind, [a, b, 0], |[a, b, _]| {
            binary(op, element, flushes, a, b)
        })
        .filter(|_| exists);
    }
    if kind.is_half() {
        return half_binary(op, kind, a, b);
    }
    if kind.is_float() {
        return float_binary(op, kind, flushes, a, b);
    }
    let bits = kind.bits();
    if matches!(op, Binary::And | Binary::Or | Binary::Xor) {
        let value = match op {
            Binary::And => a & b,
            Binary::Or => a | b,
            _ => a ^ b,
        };
        return (kind == Type::Pred || kind.is_untyped()).then_some(value);
    }
    if kind == Type::Pred || bits == 8 {
        return None;
    }
    // The shift amount is 32 bits whatever the type, and large ones are clamped.
    let amount = truncate(b, 32).min(64) as u32;
    if op == Binary::ShiftLeft && kind.is_untyped() {
        return Some(if amount >= bits {
            0
        } else {
            truncate(a << amount, bits)
        });
    }
    if op == Binary::ShiftRight && kind.is_signed() {
        return Some(truncate(
            (sign_extend(a, bits) >> amount.min(bits - 1)) as u64,
            bits,
        ));
    }
    if op == Binary::ShiftRight {
        return Some(if amount >= bits { 0 } else { a >> amount });
    }
    if !kind.is_integer() {
        return None;
    }
    let (x, y) = (widen(kind, a), widen(kind, b));
    let value = match op {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x.wrapping_mul(y),
        Binary::MultiplyHigh => return Some(high(kind, a, b)),
        Binary::MultiplyWide if bits <= 32 => return Some(truncate((x * y) as u64, bits * 2)),
        Binary::Divide => x.checked_div(y).unwrap_or(-1),
        Binary::Remainder => x.checked_rem(y).unwrap_or(x),
        Binary::Minimum => x.min(y),
        Binary::Maximum => x.max(y),
        _ => return None,
    };
    Some(truncate(value as u64, bits))
}

fn widen(kind: Type, value: u64) -> i128 {
    if kind.is_signed() {
        i128::from(sign_extend(value, kind.bits()))
    } else {
        i128::from(value)
    }
}

fn high(kind: Type, a: u64, b: u64) -> u64 {
    let bits = kind.bits();
    let value = if kind.is_signed() {
        ((widen(kind, a) * widen(kind, b)) >> bits) as u64
    } else {
        // Two 64-bit numbers can fill 128 bits; a signed type has only 127 for them.
        ((u128::from(a) * u128::from(b)) >> bits) as u64
    };
    truncate(value, bits)
}

fn float_binary(op: Binary, kind: Type, flushes: bool, a: u64, b: u64) -> Option<u64> {
    if kind == Type::F64 {
        let (x, y) = (to_f64(a), to_f64(b));
        return Some(from_f64(match op {
            Binary::Add => x + y,
            Binary::Subtract => x - y,
            Binary::Multiply => x * y,
            Binary::Divide => x / y,
            Binary::Minimum => extreme(x, y, true),
            Binary::Maximum => extreme(x, y, false),
            Binary::CopySign => y.copysign(x),
            _ => return None,
        }));
    }
    let (a, b) = if flushes {
        (flush(a), flush(b))
    } else {
        (a, b)
    };
    let (x, y) = (to_f32(a), to_f32(b));
    let bits = from_f32(match op {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        Binary::Minimum => extreme(x.into(), y.into(), true) as f32,
        Binary::Maximum => extreme(x.into(), y.into(), false) as f32,
        Binary::CopySign => y.copysign(x),
        _ => return None,
    });
    Some(if flushes { flush(bits) } else { bits })
}

/// The same for each of two values in a register.
fn pairs(
    kind: Type,
    [a, b, c]: [u64; 3],
    operation: impl Fn([u64; 3]) -> Option<u64>,
) -> Option<u64> {
    let bits = kind.bits() / 2;
    let low = operation([a, b, c].map(|x| truncate(x, bits)))?;
    let high = operation([a, b, c].map(|x| x >> bits))?;
    Some(high << bits | low)
}

/// Rounded to one of the half-width types.
pub(crate) fn to_half(kind: Type, x: f64) -> u64 {
    u64::from(match kind {
        _ if x.is_nan() => 0x7fff,
        Type::F16 => f16::from_f64(x).to_bits(),
        _ => bf16::from_f64(x).to_bits(),
    })
}

/// Sums and products of half-width numbers are exact in double precision, or so nearly
/// that rounding them once more gives what rounding once would.
fn half_binary(op: Binary, kind: Type, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (f64::from(widened(kind, a)?), f64::from(widened(kind, b)?));
    let value = match op {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Minimum => extreme(x, y, true),
        Binary::Maximum => extreme(x, y, false),
        _ => return None,
    };
    Some(to_half(kind, value))
}

/// The number beats the NaN, and -0 is less than +0.
fn extreme(x: f64, y: f64, minimum: bool) -> f64 {
    if x.is_nan() {
        return y;
    }
    if y.is_nan() {
        return x;
    }
    let x_is_less = x < y || (x == y && x.is_sign_negative());
    if x_is_less == minimum { x } else { y }
}

/// Three operands.
pub fn ternary(op: Ternary, kind: Type, flushes: bool, [a, b, c]: [u64; 3]) -> Option<u64> {
    let bits = kind.bits();
    if let Some(element) = kind.element() {
        let fused = matches!(op, Ternary::FusedMultiplyAdd(_));
        return pairs(kind, [a, b, c], |values| {
            ternary(op, element, flushes, values)
        })
        .filter(|_| fused);
    }
    match op {
        Ternary::FusedMultiplyAdd(Rounding::Nearest) if kind.is_half() => {
            let wide = |bits| widened(kind, bits).map(f64::from);
            Some(to_half(kind, wide(a)?.mul_add(wide(b)?, wide(c)?)))
        }
        Ternary::MultiplyAdd | Ternary::MultiplyAddHigh if kind.is_integer() => {
            let how = if op == Ternary::MultiplyAdd {
                Binary::Multiply
            } else {
                Binary::MultiplyHigh
            };
            let product = binary(how, kind, false, a, b)?;
            Some(truncate(product.wrapping_add(c), bits))
        }
        Ternary::MultiplyAddWide => {
            let product = binary(Binary::MultiplyWide, kind, false, a, b)?;
            Some(truncate(product.wrapping_add(c), bits * 2))
        }
        Ternary::FusedMultiplyAdd(Rounding::Nearest) if kind == Type::F64 => {
            Some(from_f64(to_f64(a).mul_add(to_f64(b), to_f64(c))))
        }
        Ternary::FusedMultiplyAdd(rounding) if kind == Type::F32 => {
            let [a, b, c] = if flushes {
                [flush(a), flush(b), flush(c)]
            } else {
                [a, b, c]
            };
            let bits = from_f32(fused(rounding, to_f32(a), to_f32(b), to_f32(c)));
            Some(if flushes { flush(bits) } else { bits })
        }
        Ternary::Minimum | Ternary::Maximum if kind == Type::F32 => {
            let how = match op {
                Ternary::Minimum => Binary::Minimum,
                _ => Binary::Maximum,
            };
            let first = binary(how, kind, flushes, a, b)?;
            binary(how, kind, flushes, first, c)
        }
        Ternary::ExtractBits if kind.is_integer() && bits >= 32 => {
            Some(extract(kind, a, b as u32 & 255, c as u32 & 255))
        }
        Ternary::DotBytes { signed } if kind == Type::B32 => {
            let byte = |word: u64, i: u32, signed: bool| match (word >> (8 * i)) as u8 {
                byte if signed => i32::from(byte as i8),
                byte => i32::from(byte),
            };
            let product = |i| byte(a, i, signed[0]) * byte(b, i, signed[1]);
            let sum = (0..4).map(product).sum::<i32>();
            Some(u64::from((c as u32).wrapping_add_signed(sum)))
        }
        Ternary::PermuteBytes if kind == Type::B32 => Some(permute(a, b, c)),
        Ternary::FunnelLeft { clamp } if kind == Type::B32 => {
            let n = if clamp {
                (c as u32).min(32)
            } else {
                c as u32 & 31
            };
            Some(truncate(((b << 32 | a) << n) >> 32, 32))
        }
        Ternary::FunnelRight { clamp } if kind == Type::B32 => {
            let n = if clamp {
                (c as u32).min(32)
            } else {
                c as u32 & 31
            };
            Some(truncate((b << 32 | a) >> n, 32))
        }
        _ => None,
    }
}

/// One rounding of a product and a sum. The product of two `f32` is exact in `f64`; what
/// the sum with the third loses is found by Knuth's two-sum.
fn fused(rounding: Rounding, a: f32, b: f32, c: f32) -> f32 {
    let nearest = a.mul_add(b, c);
    if rounding == Rounding::Nearest || nearest.is_nan() || !(a * b + c).is_finite() {
        return nearest;
    }
    let (p, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = p + c;
    let part = sum - p;
    let lost = (p - (sum - part)) + (c - part);
    let error = (sum - f64::from(nearest)) + lost;
    let downwards = match rounding {
        Rounding::Down => true,
        Rounding::Up => false,
        _ => nearest > 0.0,
    };
    if error < 0.0 && downwards {
        nearest.next_down()
    } else if error > 0.0 && !downwards {
        nearest.next_up()
    } else {
        nearest
    }
}

/// A field beyond the top of the register is filled with zeros, or with copies of the
/// sign: the highest bit of the field that exists.
fn extract(kind: Type, a: u64, from: u32, length: u32) -> u64 {
    let bits = kind.bits();
    let low = if from >= bits { 0 } else { a >> from };
    let field = truncate(low, length.min(64));
    let sign = (from + length).saturating_sub(1).min(bits - 1);
    if !kind.is_signed() || length == 0 || a >> sign & 1 == 0 {
        return field;
    }
    let present = length.min(bits.saturating_sub(from));
    let ones = if present >= 64 {
        0
    } else {
        u64::MAX << present
    };
    truncate(field | ones, bits)
}

/// `bfi`: the low `length` bits of `a` over `b` at `from`.
pub fn insert(kind: Type, [a, b, from, length]: [u64; 4]) -> Option<u64> {
    if !matches!(kind, Type::B32 | Type::B64) {
        return None;
    }
    let (from, length) = (from as u32 & 255, length as u32 & 255);
    if from >= kind.bits() {
        return Some(b);
    }
    let mask = truncate(u64::MAX, length.min(64)) << from;
    Some(truncate((a << from) & mask | b & !mask, kind.bits()))
}

fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = b << 32 | a;
    (0..4).fold(0, |out, i| {
        let choice = selector >> (4 * i) & 15;
        let byte = bytes >> (8 * (choice & 7)) & 255;
        // The top bit of a choice spreads the byte's sign over the byte.
        let byte = if choice & 8 == 0 {
            byte
        } else {
            (byte >> 7) * 255
        };
        out | byte << (8 * i)
    })
}

/// Add or multiply-add with a carry: result and carry out.
pub fn with_carry(high: Option<bool>, [a, b, c]: [u64; 3], carry: bool) -> (u64, bool) {
    let first = match high {
        None => a,
        Some(false) => truncate(a * b, 32),
        Some(true) => (a * b) >> 32,
    };
    let second = if high.is_none() { b } else { c };
    let sum = first + second + u64::from(carry);
    (truncate(sum, 32), sum >> 32 != 0)
}

/// A comparison, `None` where the type has no such one.
pub fn compare(how: Comparison, kind: Type, a: u64, b: u64) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match kind {
        Type::Pred => return None,
        _ if kind.element().is_some() => return None,
        Type::F16 | Type::Bf16 => widened(kind, a)?.partial_cmp(&widened(kind, b)?),
        Type::F32 => to_f32(a).partial_cmp(&to_f32(b)),
        Type::F64 => to_f64(a).partial_cmp(&to_f64(b)),
        _ => Some(widen(kind, a).cmp(&widen(kind, b))),
    };
    let only_equality = matches!(how, Comparison::Equal | Comparison::NotEqual);
    let plain = only_equality
        || matches!(
            how,
            Comparison::Less
                | Comparison::LessEqual
                | Comparison::Greater
                | Comparison::GreaterEqual
        );
    let float = kind.is_float() || kind.is_half();
    if kind.is_untyped() && !only_equality || !float && !plain {
        return None;
    }
    Some(match how {
        Comparison::Equal => order == Some(Equal),
        Comparison::NotEqual => matches!(order, Some(Less | Greater)),
        Comparison::Less => order == Some(Less),
        Comparison::LessEqual => matches!(order, Some(Less | Equal)),
        Comparison::Greater => order == Some(Greater),
        Comparison::GreaterEqual => matches!(order, Some(Greater | Equal)),
        Comparison::EqualOrNan => matches!(order, None | Some(Equal)),
        Comparison::NotEqualOrNan => order != Some(Equal),
        Comparison::LessOrNan => matches!(order, None | Some(Less)),
        Comparison::LessEqualOrNan => order != Some(Greater),
        Comparison::GreaterOrNan => matches!(order, None | Some(Greater)),
        Comparison::GreaterEqualOrNan => order != Some(Less),
        Comparison::Numbers => order.is_some(),
        Comparison::AnyNan => order.is_none(),
    })
}
