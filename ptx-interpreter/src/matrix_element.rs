//! Elements of the matrices that tensor cores multiply, as they lie in memory.
//!
//! Source: the PTX ISA manual, "Fundamental types" and "Alternate floating-point data
//! formats".

use crate::convert::widened;
use crate::types::Type;

/// The type of a factor's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Element {
    F16,
    Bf16,
    /// The upper 19 bits of an `f32`.
    Tf32,
    /// Eight bits: four of exponent, three of mantissa; no infinities.
    E4m3,
    /// Eight bits: five of exponent, two of mantissa.
    E5m2,
    S8,
    U8,
}

impl Element {
    /// The type of that name, without the dot.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "tf32" => Self::Tf32,
            "e4m3" => Self::E4m3,
            "e5m2" => Self::E5m2,
            "s8" => Self::S8,
            "u8" => Self::U8,
            _ => return None,
        })
    }

    /// Size in memory.
    pub fn bytes(self) -> usize {
        match self {
            Self::Tf32 => 4,
            Self::F16 | Self::Bf16 => 2,
            _ => 1,
        }
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::S8 | Self::U8)
    }

    /// The number that the lowest bits stand for, exactly.
    pub fn value(self, bits: u64) -> f64 {
        match self {
            Self::F16 => widened(Type::F16, bits).map_or(0.0, f64::from),
            Self::Bf16 => widened(Type::Bf16, bits).map_or(0.0, f64::from),
            Self::Tf32 => f64::from(f32::from_bits(bits as u32 & !0x1fff)),
            Self::E4m3 if bits & 0x7f == 0x7f => f64::NAN,
            Self::E4m3 => small(bits, 4, 3),
            Self::E5m2 => match bits & 0x7f {
                0x7c if bits & 0x80 != 0 => f64::NEG_INFINITY,
                0x7c => f64::INFINITY,
                0x7d.. => f64::NAN,
                _ => small(bits, 5, 2),
            },
            Self::S8 => f64::from(bits as u8 as i8),
            Self::U8 => f64::from(bits as u8),
        }
    }
}

/// A finite number of eight bits with so many of exponent and of mantissa.
fn small(bits: u64, exponent: u32, mantissa: u32) -> f64 {
    let fraction = (bits & ((1 << mantissa) - 1)) as f64 / f64::from(1u32 << mantissa);
    let bias = (1 << (exponent - 1)) - 1;
    let power = (bits >> mantissa & ((1 << exponent) - 1)) as i32;
    let magnitude = match power {
        0 => fraction * f64::from(1 - bias).exp2(),
        _ => (1.0 + fraction) * f64::from(power - bias).exp2(),
    };
    if bits & 0x80 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_eight_bits_have_the_documented_values() {
        let cases = [
            (Element::E4m3, 0x7e, 448.0),
            (Element::E4m3, 0x38, 1.0),
            (Element::E4m3, 0x01, 1.0 / 512.0),
            (Element::E4m3, 0xb8, -1.0),
            (Element::E5m2, 0x7b, 57344.0),
            (Element::E5m2, 0x3c, 1.0),
            (Element::E5m2, 0x01, 1.0 / 65536.0),
            (Element::E5m2, 0x7c, f64::INFINITY),
            (Element::E5m2, 0xfc, f64::NEG_INFINITY),
            (Element::S8, 0xff, -1.0),
            (Element::U8, 0xff, 255.0),
            (Element::Tf32, 0x3f80_1fff, 1.0),
        ];
        for (element, bits, expected) in cases {
            assert_eq!(element.value(bits), expected, "{element:?} {bits:#x}");
        }
        assert!(Element::E4m3.value(0x7f).is_nan());
        assert!(Element::E4m3.value(0xff).is_nan());
        assert!(Element::E5m2.value(0x7d).is_nan());
    }
}
