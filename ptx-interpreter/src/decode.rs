//! From an opcode with its modifiers and operands to a typed [`Operation`].
//!
//! Modifiers are taken off the opcode one by one; whatever is left over at the end is
//! refused, so nothing is ever ignored by accident.

mod shared;

use rustc_hash::FxHashMap;

use crate::arithmetic::{binary, compare, insert, ternary, unary};
use crate::body::Syntax;
use crate::convert::convert;
use crate::operation::*;
use crate::types::{Type, sign_extend, truncate};
use shared::SCOPES;

type Result<T> = std::result::Result<T, String>;

struct Decoder<'a, 't> {
    parts: Vec<&'a str>,
    operands: std::vec::IntoIter<Syntax<'a>>,
    tables: &'t FxHashMap<&'a str, u32>,
}

/// Decodes one instruction, or says what is wrong with it.
pub(crate) fn decode<'a>(
    word: &'a str,
    operands: Vec<Syntax<'a>>,
    tables: &FxHashMap<&'a str, u32>,
) -> Result<Operation> {
    let mut parts: Vec<_> = word.split('.').collect();
    parts.reverse();
    let opcode = parts.pop().unwrap_or_default();
    let mut d = Decoder {
        parts,
        operands: operands.into_iter(),
        tables,
    };
    let operation = d.operation(opcode)?;
    if let Some(rest) = d.parts.last() {
        return Err(format!("unknown modifier .{rest}"));
    }
    if d.operands.next().is_some() {
        return Err("too many operands".to_owned());
    }
    Ok(operation)
}

fn checked<T>(result: Option<T>) -> Result<()> {
    result
        .map(|_| ())
        .ok_or_else(|| "unknown type for this operation".to_owned())
}

impl<'a> Decoder<'a, '_> {
    fn take(&mut self, name: &str) -> bool {
        let found = self.parts.last() == Some(&name);
        if found {
            self.parts.pop();
        }
        found
    }

    fn one_of<T: Copy>(&mut self, choices: &[(&str, T)]) -> Option<T> {
        let part = self.parts.last()?;
        let found = choices.iter().find(|(name, _)| name == part)?.1;
        self.parts.pop();
        Some(found)
    }

    fn must<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T> {
        let part = self.parts.last().copied().unwrap_or_default();
        self.one_of(choices)
            .ok_or_else(|| format!("unknown or missing modifier .{part}"))
    }

    fn kind(&mut self) -> Result<Type> {
        let part = self.parts.pop().ok_or("missing type")?;
        Type::named(part).ok_or_else(|| format!("unknown modifier or type .{part}"))
    }

    fn operand(&mut self) -> Result<Syntax<'a>> {
        self.operands
            .next()
            .ok_or_else(|| "too few operands".to_owned())
    }

    /// A register of exactly that width.
    fn to(&mut self, bits: u32) -> Result<Register> {
        let operand = self.operand()?;
        register(&operand, bits, false)
    }

    /// A register at least that wide, as conversions and loads allow.
    fn wide_to(&mut self, bits: u32) -> Result<Register> {
        let operand = self.operand()?;
        register(&operand, bits, true)
    }

    fn from(&mut self, bits: u32) -> Result<Operand> {
        let operand = self.operand()?;
        value(&operand, bits, false)
    }

    fn address(&mut self) -> Result<Address> {
        match self.operand()? {
            Syntax::Address(address) => Ok(address),
            _ => Err("expected an address".to_owned()),
        }
    }

    fn flushes(&mut self) -> bool {
        self.take("ftz")
    }

    fn operation(&mut self, opcode: &str) -> Result<Operation> {
        use Binary as B;
        use Unary as U;
        match opcode {
            "mov" => self.mov(),
            "add" if self.take("cc") => self.carry(None, false, true),
            "addc" => {
                let gives = self.take("cc");
                self.carry(None, true, gives)
            }
            "add" => self.binary(B::Add),
            "sub" => self.binary(B::Subtract),
            "mul" => self.multiply(),
            "div" => self.binary(B::Divide),
            "rem" => self.binary(B::Remainder),
            "min" => self.binary(B::Minimum),
            "max" => self.binary(B::Maximum),
            "and" => self.binary(B::And),
            "or" => self.binary(B::Or),
            "xor" => self.binary(B::Xor),
            "shl" => self.binary(B::ShiftLeft),
            "shr" => self.binary(B::ShiftRight),
            "not" => self.unary(U::Not),
            "neg" => self.unary(U::Negate),
            "abs" => self.unary(U::Absolute),
            "popc" => self.unary(U::CountOnes),
            "clz" => self.unary(U::LeadingZeros),
            "brev" => self.unary(U::ReverseBits),
            "bfind" => {
                let shift = self.take("shiftamt");
                self.unary(U::FindBit(shift))
            }
            "rcp" => self.root(U::Reciprocal),
            "sqrt" => self.root(U::SquareRoot),
            "rsqrt" => self.approximate(U::ReciprocalRoot),
            "ex2" => self.approximate(U::Exp2),
            "lg2" => self.approximate(U::Log2),
            "sin" => self.approximate(U::Sine),
            "cos" => self.approximate(U::Cosine),
            "tanh" => self.approximate(U::Tanh),
            "mad" => self.multiply_add(false),
            "madc" => self.multiply_add(true),
            "fma" => {
                let rounding = self.must(FLOAT_ROUNDING)?;
                self.ternary(Ternary::FusedMultiplyAdd(rounding))
            }
            "bfe" => self.ternary(Ternary::ExtractBits),
            "prmt" => self.ternary(Ternary::PermuteBytes),
            "shf" => {
                let left = self.must(&[("l", true), ("r", false)])?;
                let clamp = self.must(&[("clamp", true), ("wrap", false)])?;
                self.ternary(if left {
                    Ternary::FunnelLeft { clamp }
                } else {
                    Ternary::FunnelRight { clamp }
                })
            }
            "bfi" => {
                let kind = self.kind()?;
                checked(insert(kind, [0; 4]))?;
                let to = self.to(kind.bits())?;
                let (a, b) = (self.from(kind.bits())?, self.from(kind.bits())?);
                Ok(Operation::InsertBits(
                    kind,
                    to,
                    [a, b, self.from(32)?, self.from(32)?],
                ))
            }
            "selp" => {
                let kind = self.kind()?;
                if kind == Type::Pred || kind.bits() == 8 {
                    return Err("unknown type for this operation".to_owned());
                }
                let to = self.to(kind.bits())?;
                let (a, b) = (self.from(kind.bits())?, self.from(kind.bits())?);
                Ok(Operation::Select(kind, to, a, b, self.from(1)?))
            }
            "setp" => self.compare(),
            "cvt" => self.convert(),
            "cvta" => self.convert_address(),
            "ld" => self.load(),
            "st" => self.store(),
            "atom" => self.atomic(true),
            "red" => self.atomic(false),
            "brx" => {
                self.must(&[("idx", ())])?;
                self.take("uni");
                let index = self.from(32)?;
                match self.operand()? {
                    Syntax::Name(name) if self.tables.contains_key(name) => {
                        Ok(Operation::BranchTable(index, self.tables[name]))
                    }
                    _ => Err("unknown table".to_owned()),
                }
            }
            "ret" => {
                self.take("uni");
                Ok(Operation::Return)
            }
            "exit" => Ok(Operation::Exit),
            "trap" => Ok(Operation::Trap),
            "bar" | "barrier" => self.barrier(),
            "membar" => {
                self.must(&[("cta", ()), ("gl", ()), ("sys", ())])?;
                Ok(Operation::Fence)
            }
            "fence" => {
                self.must(&[("sc", ()), ("acq_rel", ())])?;
                self.must(SCOPES)?;
                Ok(Operation::Fence)
            }
            "shfl" => self.shuffle(),
            "vote" => self.vote(),
            _ => Err(format!("unknown opcode {opcode}")),
        }
    }

    fn mov(&mut self) -> Result<Operation> {
        let kind = self.kind()?;
        if kind.bits() == 8 {
            return Err("unknown type for this operation".to_owned());
        }
        let (to, from) = (self.operand()?, self.operand()?);
        match (&to, &from) {
            (to, Syntax::Vector(parts)) if kind.is_untyped() => {
                let bits = part_bits(kind, parts.len())?;
                let to = register(to, kind.bits(), false)?;
                let parts: Result<_> = parts.iter().map(|p| value(p, bits, false)).collect();
                Ok(Operation::Pack(bits, to, parts?))
            }
            (Syntax::Vector(parts), from) if kind.is_untyped() => {
                let bits = part_bits(kind, parts.len())?;
                let parts: Result<_> = parts.iter().map(|p| sink_or(p, bits, false)).collect();
                Ok(Operation::Unpack(
                    bits,
                    parts?,
                    value(from, kind.bits(), false)?,
                ))
            }
            (to, from) => {
                let to = register(to, kind.bits(), false)?;
                Ok(Operation::Move(kind, to, value(from, kind.bits(), false)?))
            }
        }
    }

    fn multiply(&mut self) -> Result<Operation> {
        let op = self.one_of(&[
            ("lo", Binary::Multiply),
            ("hi", Binary::MultiplyHigh),
            ("wide", Binary::MultiplyWide),
        ]);
        let float = self
            .parts
            .last()
            .is_some_and(|p| matches!(*p, "f32" | "f64" | "rn" | "ftz"));
        match op {
            None if !float => Err("which half of the product?".to_owned()),
            Some(_) if float => Err("unknown modifier for floating-point numbers".to_owned()),
            op => self.binary(op.unwrap_or(Binary::Multiply)),
        }
    }

    fn binary(&mut self, op: Binary) -> Result<Operation> {
        let rounded = match op {
            Binary::Add | Binary::Subtract | Binary::Multiply => self.take("rn"),
            Binary::Divide => self.take("rn") || self.take("approx") || self.take("full"),
            _ => false,
        };
        let flushes = self.flushes();
        let kind = self.kind()?;
        if rounded && !kind.is_float()
            || flushes && kind != Type::F32
            || op == Binary::Divide && kind.is_float() && !rounded
        {
            return Err("unknown rounding for this type".to_owned());
        }
        checked(binary(op, kind, false, 0, 0))?;
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

    fn unary(&mut self, op: Unary) -> Result<Operation> {
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

    fn root(&mut self, op: Unary) -> Result<Operation> {
        self.must(&[("rn", ()), ("approx", ())])?;
        self.unary(op)
    }

    fn approximate(&mut self, op: Unary) -> Result<Operation> {
        self.must(&[("approx", ())])?;
        self.unary(op)
    }

    fn multiply_add(&mut self, takes: bool) -> Result<Operation> {
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

    fn carry(&mut self, high: Option<bool>, takes: bool, gives: bool) -> Result<Operation> {
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

    fn ternary(&mut self, op: Ternary) -> Result<Operation> {
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

    fn compare(&mut self) -> Result<Operation> {
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

    fn one_or_two(&mut self, bits: u32) -> Result<(Register, Option<Register>)> {
        match self.operand()? {
            Syntax::Pair(pair) => Ok((
                register(&pair[0], bits, false)?,
                Some(register(&pair[1], 1, false)?),
            )),
            one => Ok((register(&one, bits, false)?, None)),
        }
    }

    fn predicate(&mut self) -> Result<(Operand, bool)> {
        match self.operand()? {
            Syntax::Not(operand, kind) => {
                Ok((value(&Syntax::Value(operand, kind), 1, false)?, true))
            }
            other => Ok((value(&other, 1, false)?, false)),
        }
    }

    fn convert(&mut self) -> Result<Operation> {
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
        let how = Conversion {
            to: self.kind()?,
            from: self.kind()?,
            rounding,
            saturate,
            flush,
        };
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

const FLOAT_ROUNDING: &[(&str, Rounding)] = &[
    ("rn", Rounding::Nearest),
    ("rz", Rounding::Zero),
    ("rm", Rounding::Down),
    ("rp", Rounding::Up),
];

fn part_bits(kind: Type, parts: usize) -> Result<u32> {
    match kind.bits() / parts.max(1) as u32 {
        bits @ (16 | 32) => Ok(bits),
        _ => Err("unknown number of parts".to_owned()),
    }
}

fn fits(actual: Type, bits: u32, wider: bool) -> bool {
    let same_kind = (actual == Type::Pred) == (bits == 1);
    same_kind && (actual.bits() == bits || wider && actual.bits() > bits)
}

fn register(operand: &Syntax<'_>, bits: u32, wider: bool) -> Result<Register> {
    match *operand {
        Syntax::Value(Operand::Register(r), Some(kind)) if fits(kind, bits, wider) => Ok(r),
        Syntax::Value(Operand::Register(_), _) => Err("a register of another width".to_owned()),
        _ => Err("expected a register".to_owned()),
    }
}

fn sink_or(operand: &Syntax<'_>, bits: u32, wider: bool) -> Result<Option<Register>> {
    match operand {
        Syntax::Sink => Ok(None),
        other => register(other, bits, wider).map(Some),
    }
}

fn value(operand: &Syntax<'_>, bits: u32, wider: bool) -> Result<Operand> {
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
