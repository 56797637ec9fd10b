//! From an opcode with its modifiers and operands to a typed [`Operation`].
//!
//! Modifiers are taken off the opcode one by one; whatever is left over at the end is
//! refused, so nothing is ever ignored by accident.

mod arithmetic;
mod copy;
mod operands;
mod shared;
mod tensor;
mod warp;

use rustc_hash::FxHashMap;

use crate::arithmetic::insert;
use crate::body::Syntax;
use crate::operation::*;
use crate::types::Type;
use arithmetic::FLOAT_ROUNDING;
use operands::{part_bits, register, sink_or, value};

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
            "copysign" => self.binary(B::CopySign),
            "dp4a" => self.dot_bytes(),
            "redux" => self.reduce(),
            "prefetch" => self.prefetch(),
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
                if kind == Type::Pred
                    || kind.bits() == 8
                    || kind.is_half()
                    || kind.element().is_some()
                {
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
            "fence" => self.fence(),
            "griddepcontrol" => {
                self.must(&[("launch_dependents", ()), ("wait", ())])?;
                Ok(Operation::Fence)
            }
            "setmaxnreg" => self.registers_of_warp(),
            "cp" => self.asynchronous_copy(),
            "mbarrier" => self.memory_barrier(),
            "tensormap" => self.tensor_map(),
            "wgmma" => self.warpgroup(),
            "tcgen05" => self.tensor_core(),
            "elect" => self.elect(),
            "mapa" => self.map_address(),
            "stmatrix" => self.store_matrices(),
            "movmatrix" => self.transpose_matrix(),
            "shfl" => self.shuffle(),
            "vote" => self.vote(),
            "mma" => self.multiply_matrices(),
            "ldmatrix" => self.load_matrices(),
            "nanosleep" => {
                self.must(&[("u32", ())])?;
                Ok(Operation::Sleep(self.from(32)?))
            }
            _ => Err(format!("unknown opcode {opcode}")),
        }
    }

    fn mov(&mut self) -> Result<Operation> {
        let kind = self.kind()?;
        if kind.bits() == 8 || kind.is_half() || kind.element().is_some() {
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
}
