//! Products of matrices by warpgroups and tensor cores, and tensor memory.

use super::operands::value;
use super::warp::WHOLE_WARP;
use super::{Decoder, Result};
use crate::body::Syntax;
use crate::matrix_element::Element;
use crate::operation::AsynchronousOperation as A;
use crate::operation::*;

fn collective(operation: TensorOperation) -> Operation {
    Operation::Warp(WarpOperation::Tensor(operation), WHOLE_WARP)
}

impl Decoder<'_, '_> {
    fn aligned(&mut self) -> Result<()> {
        self.must(&[("sync", ())])?;
        self.must(&[("aligned", ())])
    }

    pub(super) fn warpgroup(&mut self) -> Result<Operation> {
        let operation = if self.take("fence") {
            self.aligned()?;
            TensorOperation::FenceRegisters
        } else if self.take("commit_group") {
            self.aligned()?;
            TensorOperation::CommitProducts
        } else if self.take("wait_group") {
            self.aligned()?;
            match self.from(32)? {
                Operand::Immediate(left) => TensorOperation::WaitForProducts(left as u32),
                _ => return Err("expected a number".to_owned()),
            }
        } else {
            self.must(&[("mma_async", ())])?;
            self.aligned()?;
            TensorOperation::Multiply(Box::new(self.warpgroup_product()?))
        };
        Ok(collective(operation))
    }

    fn element(&mut self) -> Result<Element> {
        let part = self.parts.pop().unwrap_or_default();
        Element::named(part).ok_or_else(|| format!("unknown or missing type .{part}"))
    }

    fn warpgroup_product(&mut self) -> Result<WarpgroupProduct> {
        let shape = self.parts.pop().unwrap_or_default();
        let unknown = || format!("unknown shape .{shape}");
        let numbers = shape.strip_prefix("m64n").and_then(|s| s.split_once('k'));
        let (n, k) = numbers.ok_or_else(unknown)?;
        let columns: usize = n.parse().map_err(|_| unknown())?;
        let sum = self.must(&[("f32", Sum::F32), ("f16", Sum::F16), ("s32", Sum::S32)])?;
        let elements = [self.element()?, self.element()?];
        let [a, b] = elements;
        let whole = a.is_integer();
        let (is_same, is_known) = match a.bytes() {
            1 => (a.is_integer() == b.is_integer(), true),
            _ => (a == b, sum == Sum::F32 || a == Element::F16),
        };
        if k != (32 / a.bytes()).to_string()
            || !columns.is_multiple_of(8)
            || !(8..=256).contains(&columns)
            || !is_same
            || !is_known
            || whole != (sum == Sum::S32)
        {
            return Err("unknown combination of shape and types".to_owned());
        }
        let saturates = whole && self.take("satfinite");
        let registers = columns / if sum == Sum::F16 { 4 } else { 2 };
        let d = self.vector(registers, |part| super::operands::register(part, 32, false))?;
        let a_operand = match self.operand()? {
            Syntax::Vector(parts) if parts.len() == 4 => {
                let parts: Result<Vec<_>> = parts.iter().map(|p| value(p, 32, false)).collect();
                let parts = parts?.try_into().map_err(|_| "a vector of another size");
                FirstFactor::Registers(parts?)
            }
            one => FirstFactor::Descriptor(value(&one, 64, false)?),
        };
        let b_operand = self.from(64)?;
        let adds = self.from(1)?;
        let (mut negated, mut transposed) = ([false; 2], [false; 2]);
        if !whole {
            for side in &mut negated {
                *side = match self.from(32)? {
                    Operand::Immediate(1) => false,
                    Operand::Immediate(0xffff_ffff) => true,
                    _ => return Err("a factor must be 1 or -1".to_owned()),
                };
            }
        }
        if a.bytes() == 2 {
            let in_memory = matches!(a_operand, FirstFactor::Descriptor(_));
            for side in &mut transposed[usize::from(!in_memory)..] {
                *side = match self.from(32)? {
                    Operand::Immediate(bit @ (0 | 1)) => bit == 1,
                    _ => return Err("transposition must be 0 or 1".to_owned()),
                };
            }
        }
        Ok(WarpgroupProduct {
            columns,
            sum,
            elements,
            d,
            a: a_operand,
            b: b_operand,
            adds,
            negated,
            transposed,
            saturates,
        })
    }

    pub(super) fn tensor_core(&mut self) -> Result<Operation> {
        let part = self.parts.pop().unwrap_or_default();
        let operation = match part {
            "ld" => self.tensor_load()?,
            "st" => self.tensor_store()?,
            "wait::ld" | "wait::st" => {
                self.aligned()?;
                match part {
                    "wait::ld" => TensorOperation::WaitForLoads,
                    _ => TensorOperation::WaitForStores,
                }
            }
            "alloc" => {
                self.one_block()?;
                self.aligned()?;
                let space = self.shared_or_generic()?;
                self.must(&[("b32", ())])?;
                TensorOperation::Allocate(space, self.address()?, self.from(32)?)
            }
            "dealloc" => {
                self.one_block()?;
                self.aligned()?;
                self.must(&[("b32", ())])?;
                TensorOperation::Deallocate(self.from(32)?, self.from(32)?)
            }
            "relinquish_alloc_permit" => {
                self.one_block()?;
                self.aligned()?;
                TensorOperation::Relinquish
            }
            "fence::before_thread_sync" | "fence::after_thread_sync" => {
                return Ok(Operation::Fence);
            }
            "mma" => return self.tensor_product().map(Operation::Asynchronous),
            "commit" => {
                self.one_block()?;
                self.must(&[("mbarrier::arrive::one", ())])?;
                let space = self.shared_or_generic()?;
                self.must(&[("b64", ())])?;
                let arrive = A::ArriveAfterProducts(space, self.address()?);
                return Ok(Operation::Asynchronous(arrive));
            }
            _ => return Err(format!("unknown modifier .{part}")),
        };
        Ok(collective(operation))
    }

    /// Pairs of blocks are not known.
    fn one_block(&mut self) -> Result<()> {
        self.must(&[("cta_group::1", ())])
    }

    /// Shape and number of registers.
    fn tensor_shape(&mut self) -> Result<(TensorShape, usize)> {
        let (shape, registers) = self.must(&[
            ("32x32b", (TensorShape::Rows32, 1)),
            ("16x32bx2", (TensorShape::Rows16Twice(0), 1)),
            ("16x64b", (TensorShape::Rows16(2), 1)),
            ("16x128b", (TensorShape::Rows16(4), 2)),
            ("16x256b", (TensorShape::Rows16(8), 4)),
        ])?;
        let times = self.must(&[
            ("x1", 1),
            ("x2", 2),
            ("x4", 4),
            ("x8", 8),
            ("x16", 16),
            ("x32", 32),
            ("x64", 64),
            ("x128", 128),
        ])?;
        match registers * times {
            count @ 1..=128 => Ok((shape, count)),
            _ => Err("more registers than a shape may have".to_owned()),
        }
    }

    /// The distance of the second half, which one shape has.
    fn split(&mut self, shape: TensorShape) -> Result<TensorShape> {
        match shape {
            TensorShape::Rows16Twice(_) => match self.from(32)? {
                Operand::Immediate(columns) => Ok(TensorShape::Rows16Twice(columns as u32)),
                _ => Err("expected a number".to_owned()),
            },
            other => Ok(other),
        }
    }

    fn tensor_load(&mut self) -> Result<TensorOperation> {
        self.aligned()?;
        let (shape, count) = self.tensor_shape()?;
        let packed = self.take("pack::16b");
        self.must(&[("b32", ())])?;
        let register =
            |part: &Syntax<'_>| super::operands::register(part, 32, false).map(Operand::Register);
        let registers = match count {
            1 => [register(&self.scalar()?)?].into(),
            _ => self.vector(count, register)?,
        };
        let address = self.address()?;
        let shape = self.split(shape)?;
        Ok(TensorOperation::Load(TensorAccess {
            shape,
            address,
            packed,
            registers,
        }))
    }

    fn tensor_store(&mut self) -> Result<TensorOperation> {
        self.aligned()?;
        let (shape, count) = self.tensor_shape()?;
        let packed = self.take("unpack::16b");
        self.must(&[("b32", ())])?;
        let address = self.address()?;
        let shape = self.split(shape)?;
        let registers = match count {
            1 => [value(&self.scalar()?, 32, false)?].into(),
            _ => self.vector(count, |part| value(part, 32, false))?,
        };
        Ok(TensorOperation::Store(TensorAccess {
            shape,
            address,
            packed,
            registers,
        }))
    }

    fn tensor_product(&mut self) -> Result<A> {
        self.one_block()?;
        let kind = self.must(&[
            ("kind::f16", TensorKind::F16),
            ("kind::tf32", TensorKind::Tf32),
            ("kind::f8f6f4", TensorKind::F8f6f4),
            ("kind::i8", TensorKind::I8),
        ])?;
        // Which buffer keeps A between products changes no value.
        for reuse in ["fill", "use", "lastuse", "discard"] {
            self.take(&format!("collector::a::{reuse}"));
        }
        let d = self.address()?;
        let a = match self.operand()? {
            Syntax::Address(address) => TensorFactor::Tensor(address),
            one => TensorFactor::Descriptor(value(&one, 64, false)?),
        };
        Ok(A::Multiply {
            kind,
            d,
            a,
            b: self.from(64)?,
            descriptor: self.from(32)?,
            adds: self.predicate()?,
        })
    }
}
