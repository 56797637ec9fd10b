//! What reaches beyond one thread's registers: memory and atomics.

use super::operands::{register, sink_or, value};
use super::{Decoder, Result, checked};
use crate::atomic::updated;
use crate::body::Syntax;
use crate::operation::*;
use crate::types::{Space, Type};

pub(super) const SCOPES: &[(&str, ())] = &[("cta", ()), ("cluster", ()), ("gpu", ()), ("sys", ())];

/// How caches are used changes no value.
const LOAD_CACHE: &[(&str, ())] = &[("ca", ()), ("cg", ()), ("cs", ()), ("lu", ()), ("cv", ())];
const STORE_CACHE: &[(&str, ())] = &[("wb", ()), ("cg", ()), ("cs", ()), ("wt", ())];

impl<'a> Decoder<'a, '_> {
    pub(super) fn convert_address(&mut self) -> Result<Operation> {
        let to_space = self.take("to");
        let space = self.space();
        self.must(&[("u64", ())])?;
        if space == Space::Generic || to_space && space == Space::Param {
            return Err("unknown or missing state space".to_owned());
        }
        let (to, from) = (self.to(64)?, self.from(64)?);
        Ok(if to_space {
            Operation::FromGeneric(space, to, from)
        } else {
            Operation::ToGeneric(space, to, from)
        })
    }

    pub(super) fn space(&mut self) -> Space {
        let space = self.parts.last().and_then(|name| Space::named(name));
        if space.is_some() {
            self.parts.pop();
        }
        space.unwrap_or(Space::Generic)
    }

    /// `.volatile`, `.relaxed.gpu` and the like: all of them hold, since threads take
    /// turns and every access goes to memory.
    fn ordering(&mut self, release: &str) -> Result<()> {
        if !self.take("volatile")
            && !self.take("weak")
            && (self.take("relaxed") || self.take(release))
        {
            self.must(SCOPES)?;
        }
        Ok(())
    }

    /// `prefetch`: a hint, which changes no value.
    pub(super) fn prefetch(&mut self) -> Result<Operation> {
        let space = self.space();
        if !matches!(space, Space::Generic | Space::Global | Space::Local) {
            return Err("unknown state space".to_owned());
        }
        self.must(&[("L1", ()), ("L2", ())])?;
        self.address()?;
        Ok(Operation::Fence)
    }

    pub(super) fn load(&mut self) -> Result<Operation> {
        self.ordering("acquire")?;
        let space = self.space();
        self.one_of(LOAD_CACHE);
        if space == Space::Global {
            self.take("nc");
        }
        let count = self.one_of(&[("v2", 2), ("v4", 4)]);
        let kind = self.kind()?;
        memory_type(kind, count)?;
        let bits = kind.bits();
        let to = match count {
            Some(count) => self.vector(count, |part| sink_or(part, bits, true))?,
            None => [Some(register(&self.scalar()?, bits, true)?)].into(),
        };
        Ok(Operation::Load(space, kind, to, self.address()?))
    }

    pub(super) fn store(&mut self) -> Result<Operation> {
        self.ordering("release")?;
        let space = self.space();
        if space == Space::Const {
            return Err("a store to constant memory".to_owned());
        }
        self.one_of(STORE_CACHE);
        let count = self.one_of(&[("v2", 2), ("v4", 4)]);
        let kind = self.kind()?;
        memory_type(kind, count)?;
        let address = self.address()?;
        let bits = kind.bits();
        let from = match count {
            Some(count) => self.vector(count, |part| value(part, bits, true))?,
            None => [value(&self.scalar()?, bits, true)?].into(),
        };
        Ok(Operation::Store(space, kind, address, from))
    }

    /// An operand of so many parts.
    pub(super) fn vector<T>(
        &mut self,
        count: usize,
        part: impl Fn(&Syntax<'_>) -> Result<T>,
    ) -> Result<Box<[T]>> {
        match self.operand()? {
            Syntax::Vector(parts) if parts.len() == count => parts.iter().map(part).collect(),
            _ => Err("a vector of another size".to_owned()),
        }
    }

    /// An operand without parts, or with one.
    pub(super) fn scalar(&mut self) -> Result<Syntax<'a>> {
        match self.operand()? {
            Syntax::Vector(mut parts) if parts.len() == 1 => Ok(parts.remove(0)),
            Syntax::Vector(_) => Err("a vector of another size".to_owned()),
            one => Ok(one),
        }
    }

    pub(super) fn atomic(&mut self, returns: bool) -> Result<Operation> {
        use AtomicKind as A;
        let order = &[
            ("relaxed", ()),
            ("acquire", ()),
            ("release", ()),
            ("acq_rel", ()),
        ];
        let ordered = self.one_of(order).is_some();
        if self.one_of(SCOPES).is_none() && ordered {
            return Err("missing scope".to_owned());
        }
        let space = self.space();
        // Triton writes both behind the state space, the scope first.
        if !ordered && self.one_of(SCOPES).is_some() {
            self.one_of(order);
        }
        if !matches!(space, Space::Generic | Space::Global | Space::Shared) {
            return Err("unknown state space for an atomic operation".to_owned());
        }
        let op = self.must(&[
            ("add", A::Add),
            ("and", A::And),
            ("or", A::Or),
            ("xor", A::Xor),
            ("min", A::Minimum),
            ("max", A::Maximum),
            ("exch", A::Exchange),
            ("cas", A::CompareExchange),
            ("inc", A::Increment),
            ("dec", A::Decrement),
        ])?;
        let kind = self.kind()?;
        checked(updated(op, kind, 0, 0, 0))?;
        let to = match returns {
            true => {
                let operand = self.operand()?;
                sink_or(&operand, kind.bits(), false)?
            }
            false => None,
        };
        let (address, b) = (self.address()?, self.from(kind.bits())?);
        let c = match op {
            A::CompareExchange => self.from(kind.bits())?,
            _ => Operand::Immediate(0),
        };
        Ok(Operation::Atomic(op, space, kind, to, address, [b, c]))
    }
}

fn memory_type(kind: Type, count: Option<usize>) -> Result<()> {
    if kind == Type::Pred
        || kind.is_half()
        || kind.element().is_some()
        || count.is_some_and(|n| n * kind.bytes() > 16)
    {
        return Err("unknown type for this operation".to_owned());
    }
    Ok(())
}
