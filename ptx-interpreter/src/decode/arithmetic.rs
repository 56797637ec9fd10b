//! Arithmetic, comparisons and conversions. Whether an operation exists for a type is
//! asked of the function that will compute it, with zeros for operands.

use super::operands::value;
use super::{Decoder, Result, checked};
use crate::arithmetic::{binary, compare, ternary, unary};
use crate::convert::convert;
use crate::operation::*;
use crate::types::Type;

pub(super) const FLOAT_ROUNDING: &[(&str, Rounding)] = &[
    ("rn", Rounding::Nearest),
    ("rz", Rounding::Zero),
    ("rm", Rounding::Down),
    ("rp", Rounding::Up),
];

impl Decoder<'_, '_> {
    pub(super) fn multiply(&mut self) -> Result<Operation> {
        let op = self.one_of(&[
            ("lo", Binary::Multiply),
            ("hi", Binary::MultiplyHigh),
            ("wide", Binary::MultiplyWide),
        ]);
        let float = self
            .parts
            .last()
            .is_some_and(|p| matches!(*p, "f32" | "f64" | "rn" | "ftz" | "f16" | "bf16" | "f16x2"));
        match op {
            None if !float => Err("which half of the product?".to_owned()),
            Some(_) if float => Err("unknown modifier for floating-point numbers".to_owned()),
            op => self.binary(op.unwrap_or(Binary::Multiply)),
        }
    }

    pub(super) fn binary(&mut self, op: Binary) -> Result<Operation> {
        let rounded = match op {
            Binary::Add | Binary::Subtract | Binary::Multiply => self.take("rn"),
            Binary::Divide => self.take("rn") || self.take("approx") || self.take("full"),
            _ => false,
        };
        let flushes = self.flushes();
        let kind = self.kind()?;
        let float = |kind: Type| kind.is_float() || kind.is_half();
        if rounded && !float(kind.element().unwrap_or(kind))
            || flushes && !matches!(kind, Type::F32 | Type::F32x2)
            || op == Binary::Divide && kind.is_float() && !rounded
        {
            return Err("unknown rounding for this type".to_owned());
        }
        checked(binary(op, kind, false, 0, 0))?;
        if kind == Type::F32 && self.operands.len() == 4 {
            let op = match op {
                Binary::Minimum => Ternary::Minimum,
                Binary::Maximum => Ternary::Maximum,
                _ => return Err("too many operands".to_owned()),
            };
            let to = self.to(32)?;
            let operands = [self.from(32)?, self.from(32)?, self.from(32)?];
            return Ok(Operation::Ternary(op, kind, flushes, to, operands));
        }
        let bits = kind.bits();
        let shift = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
        let to = self.to(if op == Binary::MultiplyWide {
            bits * 2
        } else {
            bits
        })?;
        let a = self.from(bits)?;
        let b = self.from(if shift { 32 } else { bits })?;
        Ok(Operation::Binary(op, kind, flushes, to, a, b))
    }

    pub(super) fn unary(&mut self, op: Unary) -> Result<Operation> {
        let flushes = self.flushes();
        let kind = self.kind()?;
        if flushes && kind != Type::F32 {
            return Err("unknown modifier .ftz for this type".to_owned());
        }
        checked(unary(op, kind, false, 0))?;
        let narrow = matches!(
            op,
            Unary::CountOnes | Unary::LeadingZeros | Unary::FindBit(_)
        );
        let to = self.to(if narrow { 32 } else { kind.bits() })?;
        Ok(Operation::Unary(
            op,
            kind,
            flushes,
            to,
            self.from(kind.bits())?,
        ))
    }

    pub(super) fn root(&mut self, op: Unary) -> Result<Operation> {
        self.must(&[("rn", ()), ("approx", ())])?;
        self.unary(op)
    }

    pub(super) fn approximate(&mut self, op: Unary) -> Result<Operation> {
        self.must(&[("approx", ())])?;
        self.unary(op)
    }

    pub(super) fn multiply_add(&mut self, takes: bool) -> Result<Operation> {
        let op = self.must(&[
            ("lo", Ternary::MultiplyAdd),
            ("hi", Ternary::MultiplyAddHigh),
            ("wide", Ternary::MultiplyAddWide),
        ])?;
        let gives = self.take("cc");
        if !takes && !gives {
            return self.ternary(op);
        }
        match op {
            Ternary::MultiplyAdd => self.carry(Some(false), takes, gives),
            Ternary::MultiplyAddHigh => self.carry(Some(true), takes, gives),
            _ => Err("unknown modifier .wide with a carry".to_owned()),
        }
    }

    pub(super) fn carry(
        &mut self,
        high: Option<bool>,
        takes: bool,
        gives: bool,
    ) -> Result<Operation> {
        // For the high half of a product the sign would matter.
        self.must(&[("u32", ())])?;
        let to = self.to(32)?;
        let (a, b) = (self.from(32)?, self.from(32)?);
        let c = if high.is_some() {
            self.from(32)?
        } else {
            Operand::Immediate(0)
        };
        Ok(Operation::Carry {
            high,
            takes,
            gives,
            to,
            operands: [a, b, c],
        })
    }

    pub(super) fn ternary(&mut self, op: Ternary) -> Result<Operation> {
        let flushes = self.flushes();
        let kind = self.kind()?;
        if flushes && kind != Type::F32 {
            return Err("unknown modifier .ftz for this type".to_owned());
        }
        checked(ternary(op, kind, false, [0; 3]))?;
        let bits = kind.bits();
        let result = if op == Ternary::MultiplyAddWide {
            bits * 2
        } else {
            bits
        };
        let to = self.to(result)?;
        let a = self.from(bits)?;
        let b = self.from(if op == Ternary::ExtractBits { 32 } else { bits })?;
        let c = self.from(if op == Ternary::ExtractBits {
            32
        } else {
            result
        })?;
        Ok(Operation::Ternary(op, kind, flushes, to, [a, b, c]))
    }

    /// `dp4a`: each side has a type of its own, which says whether its bytes are signed.
    pub(super) fn dot_bytes(&mut self) -> Result<Operation> {
        let kinds = &[("s32", true), ("u32", false)];
        let signed = [self.must(kinds)?, self.must(kinds)?];
        let op = Ternary::DotBytes { signed };
        let to = self.to(32)?;
        let operands = [self.from(32)?, self.from(32)?, self.from(32)?];
        Ok(Operation::Ternary(op, Type::B32, false, to, operands))
    }

    pub(super) fn compare(&mut self) -> Result<Operation> {
        use Comparison as C;
        let how = self.must(&[
            ("eq", C::Equal),
            ("ne", C::NotEqual),
            ("lt", C::Less),
            ("le", C::LessEqual),
            ("gt", C::Greater),
            ("ge", C::GreaterEqual),
            ("equ", C::EqualOrNan),
            ("neu", C::NotEqualOrNan),
            ("ltu", C::LessOrNan),
            ("leu", C::LessEqualOrNan),
            ("gtu", C::GreaterOrNan),
            ("geu", C::GreaterEqualOrNan),
            ("num", C::Numbers),
            ("nan", C::AnyNan),
        ])?;
        let with = self.one_of(&[
            ("and", Binary::And),
            ("or", Binary::Or),
            ("xor", Binary::Xor),
        ]);
        let kind = self.kind()?;
        checked(compare(how, kind, 0, 0))?;
        let (to, complement) = self.one_or_two(1)?;
        let (left, right) = (self.from(kind.bits())?, self.from(kind.bits())?);
        let combine = match with {
            None => None,
            Some(with) => {
                let (predicate, negated) = self.predicate()?;
                Some(Combine {
                    with,
                    predicate,
                    negated,
                })
            }
        };
        Ok(Operation::Compare {
            how,
            kind,
            to,
            complement,
            left,
            right,
            combine,
        })
    }

    pub(super) fn convert(&mut self) -> Result<Operation> {
        let float = self.one_of(FLOAT_ROUNDING).map(ConvertRounding::Float);
        let integer = self.one_of(&[
            ("rni", Rounding::Nearest),
            ("rzi", Rounding::Zero),
            ("rmi", Rounding::Down),
            ("rpi", Rounding::Up),
        ]);
        let rounding = match (float, integer) {
            (Some(_), Some(_)) => return Err("two roundings".to_owned()),
            (float, None) => float.unwrap_or(ConvertRounding::None),
            (None, Some(rounding)) => ConvertRounding::Integer(rounding),
        };
        let (flush, saturate) = (self.flushes(), self.take("sat"));
        let mut how = Conversion {
            to: self.kind()?,
            from: self.kind()?,
            rounding,
            saturate,
            flush,
        };
        if let Some(element) = how.to.element() {
            how.to = element;
            checked(convert(how, 0))?;
            let (to, high, low) = (self.to(32)?, self.from(32)?, self.from(32)?);
            return Ok(Operation::ConvertPair(how, to, high, low));
        }
        checked(convert(how, 0))?;
        let to = self.wide_to(how.to.bits())?;
        let from = self.operand()?;
        Ok(Operation::Convert(
            how,
            to,
            value(&from, how.from.bits(), true)?,
        ))
    }
}
