//! What is spilled, and where to.
//!
//! Constant time, but for whether something is: linear in values.

use crate::allocation::SlotData;
use crate::function::{Instruction, Slot, VirtualRegister};
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// Where a spilled value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReloadSource {
    /// From memory.
    Slot(Slot),
    /// From an instruction of the caller's function, repeated, after others if its
    /// rematerialisation says so.
    Rematerialisation(Instruction),
    /// From a register of the class that its own is spilled through, the spill register, which
    /// may be spilled in its turn.
    Register(VirtualRegister),
}

/// What is spilled.
#[derive(Clone, Debug, Default)]
pub struct SpillState {
    /// The slots made so far.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// Where each spilled value comes from.
    pub source_of: SecondaryMap<VirtualRegister, Option<ReloadSource>>,
    /// Whether a value is nothing but pieces in several registers, each with a name of its own.
    pub is_moved: SecondaryMap<VirtualRegister, bool>,
    /// So many values may still be split; none if there is no limit.
    pub splits_left: Option<u32>,
}

impl SpillState {
    /// Whether all values have kept their registers.
    pub fn is_empty(&self) -> bool {
        self.source_of.values().all(Option::is_none) && !self.is_moved.values().any(|&one| one)
    }

    /// Whether a value is all the time in the register of its name.
    pub fn is_in_place(&self, value: VirtualRegister) -> bool {
        self.source_of[value].is_none() && !self.is_moved[value]
    }

    /// Takes one from the splits that are left, if there is one.
    pub fn take_split(&mut self) -> bool {
        let Some(left) = &mut self.splits_left else {
            return true;
        };
        let fewer = left.checked_sub(1);
        *left = fewer.unwrap_or(0);
        fewer.is_some()
    }
}
