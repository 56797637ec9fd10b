//! What threads do together: barriers, shuffles, votes and products of matrices.

use super::{Decoder, Result};
use crate::operation::*;

impl Decoder<'_, '_> {
    pub(super) fn barrier(&mut self) -> Result<Operation> {
        if self.take("warp") {
            self.must(&[("sync", ())])?;
            return Ok(Operation::Warp(WarpOperation::Sync, self.from(32)?));
        }
        self.take("cta");
        self.must(&[("sync", ())])?;
        self.take("aligned");
        let id = self.from(32)?;
        let count = if self.operands.len() > 0 {
            Some(self.from(32)?)
        } else {
            None
        };
        Ok(Operation::Barrier(id, count))
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

    pub(super) fn vote(&mut self) -> Result<Operation> {
        self.must(&[("sync", ())])?;
        let mode = self.must(&[
            ("all", VoteMode::All),
            ("any", VoteMode::Any),
            ("uni", VoteMode::Uniform),
            ("ballot", VoteMode::Ballot),
        ])?;
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
}
