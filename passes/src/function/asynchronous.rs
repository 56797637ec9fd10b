//! Instructions that go on while those behind them are executed.
//!
//! NVIDIA's tensor cores read and write registers of a thread for a while after the
//! instruction that asks for it. Until a wait has been passed, such registers are in
//! flight: nothing may access them but what continues the same work. What an instruction
//! has to do with that is kept in its flags, so that all that copies or prints
//! instructions takes it along; this is the form in which passes read it. An instruction
//! here may be a text of several, which then does all it does in this order: it fences,
//! starts, closes a group, waits. Source: PTX ISA, "Asynchronous Warpgroup Level Matrix
//! Instructions" and "Tensorcore 5th Generation Instructions".

use super::{InstructionFlags, Operand, OperandFlags};

/// What goes on in the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `wgmma.mma_async`: reads fragments, and reads and writes accumulators. Those of one
    /// group are waited for together.
    Multiply,
    /// `tcgen05.ld`: writes registers.
    Load,
    /// `tcgen05.st`: reads registers.
    Store,
}

/// The most groups of multiplications that a wait may leave in flight.
pub const MOST_PENDING: u8 = 7;

/// What an instruction has to do with registers in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asynchronous {
    /// Multiplications behind it find what was written before it.
    pub fences: bool,
    /// It starts an operation of each of these kinds, with the operands that are
    /// [`OperandFlags::IN_FLIGHT`].
    pub multiplies: bool,
    /// As the one before.
    pub loads: bool,
    /// As the one before.
    pub stores: bool,
    /// It closes the group of the multiplications that were started.
    pub commits: bool,
    /// It waits for all groups but so many of the latest.
    pub waits_multiply: Option<u8>,
    /// It waits for all loads.
    pub waits_load: bool,
    /// It waits for all stores.
    pub waits_store: bool,
}

impl Asynchronous {
    /// Whether it starts an operation of any kind.
    pub fn starts(&self) -> bool {
        self.multiplies || self.loads || self.stores
    }

    /// What flags say.
    pub fn new(flags: InstructionFlags) -> Self {
        let has = |flag| flags.contains(flag);
        let bits = [
            InstructionFlags::PENDING_1,
            InstructionFlags::PENDING_2,
            InstructionFlags::PENDING_4,
        ];
        let bits = (0..).zip(bits);
        let pending = bits.map(|(place, bit)| u8::from(has(bit)) << place).sum();
        Self {
            fences: has(InstructionFlags::FENCES),
            multiplies: has(InstructionFlags::MULTIPLIES),
            loads: has(InstructionFlags::LOADS_TENSOR),
            stores: has(InstructionFlags::STORES_TENSOR),
            commits: has(InstructionFlags::COMMITS),
            waits_multiply: has(InstructionFlags::WAITS_MULTIPLY).then_some(pending),
            waits_load: has(InstructionFlags::WAITS_LOAD),
            waits_store: has(InstructionFlags::WAITS_STORE),
        }
    }

    /// The flags that say so. Of a wait that leaves more than [`MOST_PENDING`] groups there
    /// is nothing to say: it is as good as none.
    pub fn flags(self) -> InstructionFlags {
        let pending = self.waits_multiply.filter(|&count| count <= MOST_PENDING);
        let has_bit = |bit: u8| pending.is_some_and(|count| count & bit != 0);
        let mut flags = InstructionFlags::empty();
        for (flag, is_set) in [
            (InstructionFlags::FENCES, self.fences),
            (InstructionFlags::MULTIPLIES, self.multiplies),
            (InstructionFlags::LOADS_TENSOR, self.loads),
            (InstructionFlags::STORES_TENSOR, self.stores),
            (InstructionFlags::COMMITS, self.commits),
            (InstructionFlags::WAITS_MULTIPLY, pending.is_some()),
            (InstructionFlags::WAITS_LOAD, self.waits_load),
            (InstructionFlags::WAITS_STORE, self.waits_store),
            (InstructionFlags::PENDING_1, has_bit(1)),
            (InstructionFlags::PENDING_2, has_bit(2)),
            (InstructionFlags::PENDING_4, has_bit(4)),
        ] {
            flags.set(flag, is_set);
        }
        flags
    }

    /// The operation that an operand of the instruction takes part in, if it stays in
    /// flight.
    pub fn operation(self, operand: &Operand) -> Option<Operation> {
        let is_in_flight = operand.flags.contains(OperandFlags::IN_FLIGHT);
        match operand.is_definition() {
            _ if !is_in_flight => None,
            _ if self.multiplies => Some(Operation::Multiply),
            true if self.loads => Some(Operation::Load),
            false if self.stores => Some(Operation::Store),
            _ => None,
        }
    }

    /// Whether it waits for anything.
    pub fn waits(self) -> bool {
        self.waits_multiply.is_some() || self.waits_load || self.waits_store
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_say_what_they_were_made_of() {
        for pending in 0..=MOST_PENDING {
            let one = Asynchronous {
                multiplies: true,
                commits: true,
                waits_multiply: Some(pending),
                ..Asynchronous::default()
            };
            assert_eq!(Asynchronous::new(one.flags()), one);
        }
        let all = Asynchronous {
            fences: true,
            multiplies: true,
            loads: true,
            stores: true,
            commits: true,
            waits_multiply: None,
            waits_load: true,
            waits_store: true,
        };
        assert_eq!(Asynchronous::new(all.flags()), all);
        assert_eq!(
            Asynchronous::new(InstructionFlags::empty()),
            Asynchronous::default()
        );
    }

    #[test]
    fn a_wait_that_leaves_too_many_is_none() {
        let wait = Asynchronous {
            waits_multiply: Some(MOST_PENDING + 1),
            ..Asynchronous::default()
        };
        assert_eq!(wait.flags(), InstructionFlags::empty());
    }
}
