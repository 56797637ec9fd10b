//! Copies that come later, the barriers that count them, and tensor maps.

use super::operands::{register, sink_or, value};
use super::shared::SCOPES;
use super::{Decoder, Result};
use crate::body::Syntax;
use crate::operation::AsynchronousOperation as A;
use crate::operation::*;
use crate::types::Space;

/// Hints about caches change no value.
const PREFETCH: &[(&str, ())] = &[("L2::64B", ()), ("L2::128B", ()), ("L2::256B", ())];

impl<'a> Decoder<'a, '_> {
    fn shared(&mut self) -> Result<()> {
        match self.space() {
            Space::Shared => Ok(()),
            _ => Err("unknown or missing state space".to_owned()),
        }
    }

    /// Shared memory, or a generic address of it.
    pub(super) fn shared_or_generic(&mut self) -> Result<Space> {
        match self.space() {
            space @ (Space::Shared | Space::Generic) => Ok(space),
            _ => Err("unknown state space".to_owned()),
        }
    }

    fn is_empty(&self) -> bool {
        self.operands.len() == 0
    }

    fn natural(&mut self) -> Result<u64> {
        match self.operand()? {
            Syntax::Value(Operand::Immediate(number), None) => Ok(number),
            _ => Err("expected a number".to_owned()),
        }
    }

    pub(super) fn asynchronous_copy(&mut self) -> Result<Operation> {
        self.must(&[("async", ())])?;
        let operation = if self.take("bulk") {
            self.bulk()?
        } else if self.take("commit_group") {
            A::CommitCopies
        } else if self.take("wait_group") {
            A::WaitForCopies(self.natural()? as u32)
        } else if self.take("wait_all") {
            A::WaitForAllCopies
        } else if self.take("mbarrier") {
            self.must(&[("arrive", ())])?;
            let counted = self.take("noinc");
            let space = self.shared_or_generic()?;
            self.must(&[("b64", ())])?;
            A::ArriveAfterCopies(space, self.address()?, !counted)
        } else {
            self.copy()?
        };
        Ok(Operation::Asynchronous(operation))
    }

    fn copy(&mut self) -> Result<A> {
        let whole = self.must(&[("ca", false), ("cg", true)])?;
        self.shared()?;
        self.must(&[("global", ())])?;
        let has_policy = self.take("L2::cache_hint");
        self.one_of(PREFETCH);
        let (to, from) = (self.address()?, self.address()?);
        let bytes = self.natural()? as usize;
        if bytes != 16 && (whole || !matches!(bytes, 4 | 8)) {
            return Err("a copy of unknown size".to_owned());
        }
        let (mut present, mut ignored) = (None, None);
        if self.operands.len() > usize::from(has_policy) {
            match self.operand()? {
                Syntax::Not(operand, kind) => {
                    let operand = value(&Syntax::Value(operand, kind), 1, false)?;
                    ignored = Some((operand, true));
                }
                one => match value(&one, 1, false) {
                    Ok(operand @ Operand::Register(_)) => ignored = Some((operand, false)),
                    _ => present = Some(value(&one, 32, false)?),
                },
            }
        }
        if has_policy {
            self.from(64)?;
        }
        Ok(A::Copy {
            to,
            from,
            bytes,
            present,
            ignored,
        })
    }

    fn bulk(&mut self) -> Result<A> {
        if self.take("commit_group") {
            return Ok(A::CommitBulk);
        }
        if self.take("wait_group") {
            // What has been read may as well have been written.
            self.take("read");
            return Ok(A::WaitForBulk(self.natural()? as u32));
        }
        let dimensions = match self.take("tensor") {
            true => Some(self.must(&[("1d", 1), ("2d", 2), ("3d", 3), ("4d", 4), ("5d", 5)])?),
            false => None,
        };
        let loads = match self.space() {
            Space::Shared => true,
            Space::Global => false,
            _ => return Err("unknown or missing state space".to_owned()),
        };
        if loads {
            self.must(&[("global", ())])?;
        } else {
            self.shared()?;
        }
        if dimensions.is_some() {
            self.take("tile");
        }
        if loads {
            self.must(&[("mbarrier::complete_tx::bytes", ())])?;
            self.take("cta_group::1");
        } else {
            self.must(&[("bulk_group", ())])?;
        }
        let has_policy = self.take("L2::cache_hint");
        let operation = match (loads, dimensions) {
            (true, None) => A::BulkLoad {
                to: self.address()?,
                from: self.address()?,
                bytes: self.from(32)?,
                barrier: self.address()?,
            },
            (true, Some(dimensions)) => {
                let to = self.address()?;
                let (map, coordinates) = self.tensor(dimensions)?;
                A::TensorLoad {
                    to,
                    map,
                    coordinates,
                    barrier: self.address()?,
                }
            }
            (false, None) => A::BulkStore {
                to: self.address()?,
                from: self.address()?,
                bytes: self.from(32)?,
            },
            (false, Some(dimensions)) => {
                let (map, coordinates) = self.tensor(dimensions)?;
                A::TensorStore {
                    map,
                    coordinates,
                    from: self.address()?,
                }
            }
        };
        if has_policy {
            self.from(64)?;
        }
        Ok(operation)
    }

    /// A tensor map and so many coordinates.
    fn tensor(&mut self, dimensions: usize) -> Result<(Address, Box<[Operand]>)> {
        match self.operand()? {
            Syntax::Tensor(map, coordinates) if coordinates.len() == dimensions => {
                let coordinates: Result<_> =
                    coordinates.iter().map(|c| value(c, 32, false)).collect();
                Ok((map, coordinates?))
            }
            _ => Err("expected a tensor map and its coordinates".to_owned()),
        }
    }

    pub(super) fn memory_barrier(&mut self) -> Result<Operation> {
        let operation = if self.take("init") {
            let space = self.shared_or_generic()?;
            A::BarrierInitialize(space, self.barrier_address()?, self.from(32)?)
        } else if self.take("inval") {
            let space = self.shared_or_generic()?;
            A::BarrierInvalidate(space, self.barrier_address()?)
        } else if self.take("expect_tx") {
            self.ordered()?;
            let space = self.shared_or_generic()?;
            A::BarrierExpect(space, self.barrier_address()?, self.from(32)?)
        } else if self.take("arrive") {
            let expects = self.take("expect_tx");
            if !expects {
                self.take("noComplete");
            }
            self.ordered()?;
            let space = self.shared_or_generic()?;
            self.must(&[("b64", ())])?;
            // Without a result there may be no operand for it.
            let state = if self.operands.as_slice().first().is_some_and(is_address) {
                None
            } else {
                let state = self.operand()?;
                sink_or(&state, 64, false)?
            };
            let barrier = self.address()?;
            let number = match self.is_empty() {
                true if expects => return Err("too few operands".to_owned()),
                true => None,
                false => Some(self.from(32)?),
            };
            let one = Operand::Immediate(1);
            let (count, expected_bytes) = match expects {
                true => (one, number),
                false => (number.unwrap_or(one), None),
            };
            A::BarrierArrive {
                space,
                state,
                barrier,
                count,
                expected_bytes,
            }
        } else {
            self.must(&[("test_wait", ()), ("try_wait", ())])?;
            let parity = self.take("parity");
            self.ordered()?;
            let space = self.shared_or_generic()?;
            self.must(&[("b64", ())])?;
            let to = self.operand()?;
            let to = register(&to, 1, false)?;
            let barrier = self.address()?;
            let phase = match parity {
                true => Phase::Parity(self.from(32)?),
                false => Phase::State(self.from(64)?),
            };
            // How long to wait at most.
            if !self.is_empty() {
                self.from(32)?;
            }
            A::BarrierTest {
                space,
                to,
                barrier,
                phase,
            }
        };
        Ok(Operation::Asynchronous(operation))
    }

    fn barrier_address(&mut self) -> Result<Address> {
        self.must(&[("b64", ())])?;
        self.address()
    }

    /// `.release.cta` and the like.
    fn ordered(&mut self) -> Result<()> {
        if self.take("release") || self.take("acquire") || self.take("relaxed") {
            self.must(SCOPES)?;
        }
        Ok(())
    }

    pub(super) fn tensor_map(&mut self) -> Result<Operation> {
        if self.take("cp_fenceproxy") {
            self.must(&[("global", ())])?;
            self.shared()?;
            for part in ["tensormap::generic", "release"] {
                self.must(&[(part, ())])?;
            }
            self.must(SCOPES)?;
            for part in ["sync", "aligned"] {
                self.must(&[(part, ())])?;
            }
            let copy = WarpOperation::CopyTensorMap(self.address()?, self.address()?);
            self.map_size()?;
            return Ok(Operation::Warp(copy, super::warp::WHOLE_WARP));
        }
        for part in ["replace", "tile"] {
            self.must(&[(part, ())])?;
        }
        let name = self.parts.pop().unwrap_or_default();
        let space = match self.space() {
            space @ (Space::Shared | Space::Global | Space::Generic) => space,
            _ => return Err("unknown state space".to_owned()),
        };
        self.must(&[("b1024", ())])?;
        let bits = self.must(&[("b32", 32), ("b64", 64)])?;
        let map = self.address()?;
        let field = match name {
            "global_address" => TensorMapField::GlobalAddress,
            "rank" => TensorMapField::Rank,
            "elemtype" => TensorMapField::ElementType,
            "interleave_layout" => TensorMapField::Interleave,
            "swizzle_mode" => TensorMapField::Swizzle,
            "fill_mode" => TensorMapField::Fill,
            "box_dim" => TensorMapField::BoxDimension(self.dimension(5)?),
            "global_dim" => TensorMapField::GlobalDimension(self.dimension(5)?),
            "element_stride" => TensorMapField::ElementStride(self.dimension(5)?),
            "global_stride" => TensorMapField::GlobalStride(self.dimension(4)?),
            _ => return Err(format!("unknown field .{name} of a tensor map")),
        };
        let replace = A::ReplaceInTensorMap(space, field, map, self.from(bits)?);
        Ok(Operation::Asynchronous(replace))
    }

    fn dimension(&mut self, end: u64) -> Result<usize> {
        match self.natural()? {
            dimension if dimension < end => Ok(dimension as usize),
            _ => Err("unknown dimension".to_owned()),
        }
    }

    fn map_size(&mut self) -> Result<()> {
        match self.natural()? {
            128 => Ok(()),
            _ => Err("unknown size of a tensor map".to_owned()),
        }
    }

    /// `fence`: orders memory, which is in order here.
    pub(super) fn fence(&mut self) -> Result<Operation> {
        if self.take("mbarrier_init") {
            for part in ["release", "cluster"] {
                self.must(&[(part, ())])?;
            }
        } else if self.take("proxy") {
            if self.take("tensormap::generic") {
                let acquires = self.must(&[("acquire", true), ("release", false)])?;
                self.must(SCOPES)?;
                if acquires {
                    self.address()?;
                    self.map_size()?;
                }
            } else {
                self.must(&[("async", ()), ("alias", ()), ("async::generic", ())])?;
                self.space();
            }
        } else {
            self.must(&[
                ("sc", ()),
                ("acq_rel", ()),
                ("acquire", ()),
                ("release", ()),
            ])?;
            self.must(SCOPES)?;
        }
        Ok(Operation::Fence)
    }
}

fn is_address(operand: &Syntax<'_>) -> bool {
    matches!(operand, Syntax::Address(_))
}
