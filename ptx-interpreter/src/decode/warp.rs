//! What threads do together: barriers, shuffles, votes and products of matrices.

use super::operands::{register, sink_or, value};
use super::{Decoder, Result, checked};
use crate::atomic::updated;
use crate::body::Syntax;
use crate::operation::*;
use crate::types::{Space, Type};

/// The membermask of instructions that have none because all lanes take part.
pub(super) const WHOLE_WARP: Operand = Operand::Immediate(u32::MAX as u64);

impl Decoder<'_, '_> {
    pub(super) fn barrier(&mut self) -> Result<Operation> {
        if self.take("warp") {
            self.must(&[("sync", ())])?;
            return Ok(Operation::Warp(WarpOperation::Sync, self.from(32)?));
        }
        if self.take("cluster") {
            return self.cluster_barrier();
        }
        self.take("cta");
        let reduces = self.must(&[("sync", false), ("red", true)])?;
        let how = match reduces {
            true => Some(self.must(&[
                ("and", Reduction::And),
                ("or", Reduction::Or),
                ("popc", Reduction::Count),
            ])?),
            false => None,
        };
        self.take("aligned");
        let to = match how {
            None => None,
            Some(Reduction::Count) => {
                self.must(&[("u32", ())])?;
                Some(self.to(32)?)
            }
            Some(_) => {
                self.must(&[("pred", ())])?;
                Some(self.to(1)?)
            }
        };
        let id = self.from(32)?;
        let rest = self.operands.len() - usize::from(reduces && self.operands.len() > 0);
        let count = if rest > 0 { Some(self.from(32)?) } else { None };
        let reduction = match (how, to) {
            (Some(how), Some(to)) => {
                let (value, negated) = self.predicate()?;
                Some(BarrierReduction {
                    how,
                    to,
                    value,
                    negated,
                })
            }
            _ => None,
        };
        Ok(Operation::Barrier {
            id,
            count,
            reduction,
        })
    }

    fn cluster_barrier(&mut self) -> Result<Operation> {
        let operation = match self.must(&[("arrive", true), ("wait", false)])? {
            true => AsynchronousOperation::ClusterArrive,
            false => AsynchronousOperation::ClusterWait,
        };
        let _ = self.take("release") || self.take("relaxed") || self.take("acquire");
        self.take("aligned");
        Ok(Operation::Asynchronous(operation))
    }

    /// `setmaxnreg`: how many registers a warp has shows in no value.
    pub(super) fn registers_of_warp(&mut self) -> Result<Operation> {
        self.must(&[("inc", ()), ("dec", ())])?;
        for part in ["sync", "aligned", "u32"] {
            self.must(&[(part, ())])?;
        }
        match self.from(32)? {
            Operand::Immediate(count) if (24..=256).contains(&count) && count % 8 == 0 => {
                Ok(Operation::Warp(WarpOperation::Sync, WHOLE_WARP))
            }
            _ => Err("not a number of registers that a warp may have".to_owned()),
        }
    }

    pub(super) fn elect(&mut self) -> Result<Operation> {
        self.must(&[("sync", ())])?;
        let elect = match self.operand()? {
            Syntax::Pair(pair) => {
                let lowest = sink_or(&pair[0], 32, false)?;
                WarpOperation::Elect(lowest, register(&pair[1], 1, false)?)
            }
            _ => return Err("expected a register and a predicate".to_owned()),
        };
        Ok(Operation::Warp(elect, self.from(32)?))
    }

    /// `mapa`: of the one block of a cluster addresses are its own.
    pub(super) fn map_address(&mut self) -> Result<Operation> {
        let space = self.space();
        if !matches!(space, Space::Shared | Space::Generic) {
            return Err("unknown state space".to_owned());
        }
        let kind = self.must(&[("u32", Type::U32), ("u64", Type::U64)])?;
        let to = self.to(kind.bits())?;
        let address = self.from(kind.bits())?;
        match self.from(32)? {
            Operand::Immediate(0) | Operand::Register(_) => Ok(Operation::Move(kind, to, address)),
            _ => Err("a block that is not there".to_owned()),
        }
    }

    pub(super) fn shuffle(&mut self) -> Result<Operation> {
        self.must(&[("sync", ())])?;
        let mode = self.must(&[
            ("up", ShuffleMode::Up),
            ("down", ShuffleMode::Down),
            ("bfly", ShuffleMode::Butterfly),
            ("idx", ShuffleMode::Index),
        ])?;
        self.must(&[("b32", ())])?;
        let (to, in_range) = self.one_or_two(32)?;
        let (value, lane, clamp) = (self.from(32)?, self.from(32)?, self.from(32)?);
        let shuffle = WarpOperation::Shuffle {
            mode,
            to,
            in_range,
            value,
            lane,
            clamp,
        };
        Ok(Operation::Warp(shuffle, self.from(32)?))
    }

    pub(super) fn reduce(&mut self) -> Result<Operation> {
        self.must(&[("sync", ())])?;
        let how = self.must(&[
            ("add", AtomicKind::Add),
            ("min", AtomicKind::Minimum),
            ("max", AtomicKind::Maximum),
            ("and", AtomicKind::And),
            ("or", AtomicKind::Or),
            ("xor", AtomicKind::Xor),
        ])?;
        let kind = self.kind()?;
        if kind.bits() != 32 || kind.is_float() {
            return Err("unknown type for this operation".to_owned());
        }
        checked(updated(how, kind, 0, 0, 0))?;
        let (to, value) = (self.to(32)?, self.from(32)?);
        let reduce = WarpOperation::Reduce {
            how,
            kind,
            to,
            value,
        };
        Ok(Operation::Warp(reduce, self.from(32)?))
    }

    pub(super) fn vote(&mut self) -> Result<Operation> {
        let first = self.take("sync");
        let mode = self.must(&[
            ("all", VoteMode::All),
            ("any", VoteMode::Any),
            ("uni", VoteMode::Uniform),
            ("ballot", VoteMode::Ballot),
        ])?;
        // CUB writes the mode first.
        if !first {
            self.must(&[("sync", ())])?;
        }
        let ballot = mode == VoteMode::Ballot;
        self.must(&[(if ballot { "b32" } else { "pred" }, ())])?;
        let to = self.to(if ballot { 32 } else { 1 })?;
        let (value, negated) = self.predicate()?;
        Ok(Operation::Warp(
            WarpOperation::Vote {
                mode,
                to,
                value,
                negated,
            },
            self.from(32)?,
        ))
    }

    /// The one shape whose `f32` sums the interpreter knows.
    pub(super) fn multiply_matrices(&mut self) -> Result<Operation> {
        for part in ["sync", "aligned", "m16n8k16", "row", "col", "f32"] {
            self.must(&[(part, ())])?;
        }
        let half = self.must(&[("f16", Type::F16), ("bf16", Type::Bf16)])?;
        self.must(&[(half.name(), ())])?;
        self.must(&[("f32", ())])?;
        let product = WarpOperation::MultiplyMatrices {
            half,
            d: self.parts_of(|part| register(part, 32, false))?,
            a: self.parts_of(|part| value(part, 32, false))?,
            b: self.parts_of(|part| value(part, 32, false))?,
            c: self.parts_of(|part| value(part, 32, false))?,
        };
        Ok(Operation::Warp(product, WHOLE_WARP))
    }

    pub(super) fn load_matrices(&mut self) -> Result<Operation> {
        let (count, transposed, space) = self.matrices()?;
        let load = WarpOperation::LoadMatrices {
            space,
            transposed,
            to: self.vector(count, |part| register(part, 32, false))?,
            address: self.address()?,
        };
        Ok(Operation::Warp(load, WHOLE_WARP))
    }

    /// Number of matrices, transposition and state space.
    fn matrices(&mut self) -> Result<(usize, bool, Space)> {
        for part in ["sync", "aligned", "m8n8"] {
            self.must(&[(part, ())])?;
        }
        let count = self.must(&[("x1", 1), ("x2", 2), ("x4", 4)])?;
        let transposed = self.take("trans");
        let space = self.space();
        if !matches!(space, Space::Generic | Space::Shared) {
            return Err("unknown state space for matrices".to_owned());
        }
        self.must(&[("b16", ())])?;
        Ok((count, transposed, space))
    }

    pub(super) fn store_matrices(&mut self) -> Result<Operation> {
        let (count, transposed, space) = self.matrices()?;
        let address = self.address()?;
        let from = match count {
            1 => [value(&self.scalar()?, 32, false)?].into(),
            _ => self.vector(count, |part| value(part, 32, false))?,
        };
        let store = WarpOperation::StoreMatrices {
            space,
            transposed,
            address,
            from,
        };
        Ok(Operation::Warp(store, WHOLE_WARP))
    }

    pub(super) fn transpose_matrix(&mut self) -> Result<Operation> {
        for part in ["sync", "aligned", "m8n8", "trans", "b16"] {
            self.must(&[(part, ())])?;
        }
        let transpose = WarpOperation::TransposeMatrix(self.to(32)?, self.from(32)?);
        Ok(Operation::Warp(transpose, WHOLE_WARP))
    }

    fn parts_of<T, const N: usize>(
        &mut self,
        part: impl Fn(&Syntax<'_>) -> Result<T>,
    ) -> Result<[T; N]> {
        let parts = self.vector(N, part)?.into_vec();
        parts
            .try_into()
            .map_err(|_| "a vector of another size".to_owned())
    }
}
