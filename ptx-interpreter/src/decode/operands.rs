//! Operands: each must have the width that its instruction asks for.

use super::{Decoder, Result};
use crate::body::Syntax;
use crate::operation::{Address, Operand, Register};
use crate::types::{Type, sign_extend, truncate};

impl<'a> Decoder<'a, '_> {
    pub(super) fn operand(&mut self) -> Result<Syntax<'a>> {
        self.operands
            .next()
            .ok_or_else(|| "too few operands".to_owned())
    }

    /// A register of exactly that width.
    pub(super) fn to(&mut self, bits: u32) -> Result<Register> {
        let operand = self.operand()?;
        register(&operand, bits, false)
    }

    /// A register at least that wide, as conversions and loads allow.
    pub(super) fn wide_to(&mut self, bits: u32) -> Result<Register> {
        let operand = self.operand()?;
        register(&operand, bits, true)
    }

    pub(super) fn from(&mut self, bits: u32) -> Result<Operand> {
        let operand = self.operand()?;
        value(&operand, bits, false)
    }

    pub(super) fn address(&mut self) -> Result<Address> {
        match self.operand()? {
            Syntax::Address(address) => Ok(address),
            _ => Err("expected an address".to_owned()),
        }
    }

    pub(super) fn one_or_two(&mut self, bits: u32) -> Result<(Register, Option<Register>)> {
        match self.operand()? {
            Syntax::Pair(pair) => Ok((
                register(&pair[0], bits, false)?,
                Some(register(&pair[1], 1, false)?),
            )),
            one => Ok((register(&one, bits, false)?, None)),
        }
    }

    pub(super) fn predicate(&mut self) -> Result<(Operand, bool)> {
        match self.operand()? {
            Syntax::Not(operand, kind) => {
                Ok((value(&Syntax::Value(operand, kind), 1, false)?, true))
            }
            other => Ok((value(&other, 1, false)?, false)),
        }
    }
}

pub(super) fn part_bits(kind: Type, parts: usize) -> Result<u32> {
    match kind.bits() / parts.max(1) as u32 {
        bits @ (16 | 32) => Ok(bits),
        _ => Err("unknown number of parts".to_owned()),
    }
}

pub(super) fn fits(actual: Type, bits: u32, wider: bool) -> bool {
    let same_kind = (actual == Type::Pred) == (bits == 1);
    same_kind && (actual.bits() == bits || wider && actual.bits() > bits)
}

pub(super) fn register(operand: &Syntax<'_>, bits: u32, wider: bool) -> Result<Register> {
    match *operand {
        Syntax::Value(Operand::Register(r), Some(kind)) if fits(kind, bits, wider) => Ok(r),
        Syntax::Value(Operand::Register(_), _) => Err("a register of another width".to_owned()),
        _ => Err("expected a register".to_owned()),
    }
}

pub(super) fn sink_or(operand: &Syntax<'_>, bits: u32, wider: bool) -> Result<Option<Register>> {
    match operand {
        Syntax::Sink => Ok(None),
        other => register(other, bits, wider).map(Some),
    }
}

pub(super) fn value(operand: &Syntax<'_>, bits: u32, wider: bool) -> Result<Operand> {
    match *operand {
        Syntax::Value(_, Some(kind)) if !fits(kind, bits, wider) => {
            Err("a register of another width".to_owned())
        }
        Syntax::Value(Operand::Immediate(i), None) if bits == 1 => {
            Ok(Operand::Immediate(u64::from(i != 0)))
        }
        Syntax::Value(Operand::Immediate(i), None) => {
            let low = truncate(i, bits);
            if low != i && sign_extend(low, bits) as u64 != i {
                return Err("a number too large for the type".to_owned());
            }
            Ok(Operand::Immediate(low))
        }
        Syntax::Value(operand, _) => Ok(operand),
        Syntax::Name(name) => Err(format!("unknown name {name}")),
        _ => Err("expected a value".to_owned()),
    }
}
