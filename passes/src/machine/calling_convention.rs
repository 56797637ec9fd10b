//! Calling conventions: which registers of a GPU's thread survive a call.
//!
//! The cicc document has one, [`DOCUMENTED`]; ptxas 13.0 follows another, [`OBSERVED`], read
//! off the machine code of kernels with 0 to 60 values that live across the call of a
//! function with 0 to 12 arguments, for sm_90. A value that lives across a call is kept in
//! a register that survives, and a function that uses such a register saves it at its begin
//! and restores it at its end. Constant time but for [`CallingConvention::registers`], which
//! counts registers.

use std::ops::RangeInclusive;

/// What a call does to registers.
#[derive(Debug, PartialEq)]
pub struct CallingConvention {
    /// Registers that pass the first arguments; results come in the first of them.
    pub arguments: RangeInclusive<u32>,
    /// Registers that survive a call.
    pub saved: &'static [RangeInclusive<u32>],
    /// From here on, in each group of `group` registers the upper half survives; none do if
    /// a group has none.
    pub groups_from: u32,
    /// See `groups_from`.
    pub group: u32,
    /// A function that calls takes no fewer registers than this.
    pub least: u32,
}

/// The cicc document's. R8 to R23 are the caller's to save; that is also how R32 and above,
/// for general use, are read.
pub const DOCUMENTED: CallingConvention = CallingConvention {
    arguments: 0..=7,
    saved: &[24..=31],
    groups_from: 32,
    group: 0,
    least: 8,
};

/// That of ptxas 13.0: R20 and R21 have the return address.
pub const OBSERVED: CallingConvention = CallingConvention {
    arguments: 4..=15,
    saved: &[2..=2, 16..=19, 22..=31],
    groups_from: 32,
    group: 8,
    least: 22,
};

impl CallingConvention {
    /// Whether a register survives a call.
    pub fn survives(&self, register: u32) -> bool {
        let listed = self.saved.iter().any(|range| range.contains(&register));
        let place = (register >= self.groups_from)
            .then(|| (register - self.groups_from).checked_rem(self.group))
            .flatten();
        listed || place.is_some_and(|place| place >= self.group / 2)
    }

    /// Of so many registers those that survive, lowest first.
    pub fn surviving(&self, registers: u32) -> impl Iterator<Item = u32> {
        (0..registers).filter(|&register| self.survives(register))
    }

    /// How many registers of at most `most` a function takes that calls while so many are
    /// live; what finds none that survives is in memory.
    pub fn registers(&self, live: u32, most: u32) -> u32 {
        let last = self.surviving(most).take(live as usize).last();
        last.map_or(0, |last| last + 1).max(self.least.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_convention() {
        let surviving: Vec<_> = DOCUMENTED.surviving(255).collect();
        assert_eq!(surviving, Vec::from_iter(24..=31));
        assert_eq!(DOCUMENTED.arguments, 0..=7);
        assert_eq!(DOCUMENTED.registers(0, 255), 8);
        assert_eq!(DOCUMENTED.registers(3, 255), 27);
        // The rest is in memory.
        assert_eq!(DOCUMENTED.registers(60, 255), 32);
    }

    /// The highest register, and one, of kernels with so many values across a call, as
    /// ptxas 13.0.88 compiles them for sm_90.
    #[test]
    fn the_observed_convention() {
        for (live, registers) in [
            (0, 22),
            (12, 29),
            (16, 37),
            (20, 45),
            (24, 53),
            (28, 61),
            (32, 69),
            (40, 85),
            (60, 125),
        ] {
            assert_eq!(OBSERVED.registers(live, 255), registers, "{live}");
        }
        assert_eq!(OBSERVED.registers(255, 40), 40);
        assert_eq!(OBSERVED.registers(0, 10), 10);
    }
}
