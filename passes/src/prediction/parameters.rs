//! The numbers that the prediction rests on, found on two thirds of the public kernels.

use super::expansion::Expansion;

/// All of them but those of expansions.
pub struct Parameters {
    /// Registers that ptxas reports for a kernel in which nothing lives.
    pub empty: u32,
    /// Registers beyond those that must live at once: R1, the pointer to the stack, which
    /// is kept in every kernel; holes that pairs leave; and what is loaded early, as the
    /// first registers cost no occupancy.
    pub reserve: u32,
    /// A function with a call has those of the one that it calls, of which nothing is
    /// known here, but no fewer than this.
    pub callee: u32,
    /// Registers that ptxas reports beyond the last one that stands in the machine code.
    pub beyond_last: u32,
    /// Read by an instruction of the threads, a folded pair is loaded into registers
    /// first.
    pub folded_pair: u32,
    /// Beyond this ptxas looks for ways to do with fewer: it computes anew, and orders
    /// across blocks.
    pub enough: u32,
    /// Of 100 registers beyond that, so many are left.
    pub kept_percent: u32,
    /// With this many registers as many warps run as can.
    pub all_warps: u32,
    /// What would be above that by no more than this stays at it.
    pub reach: u32,
    /// Copies that ptxas makes of the body of a loop which it unrolls.
    pub copies: u32,
}

/// See there.
pub const PARAMETERS: Parameters = Parameters {
    empty: 4,
    reserve: 5,
    callee: 64,
    beyond_last: 2,
    folded_pair: 4,
    enough: 26,
    kept_percent: 82,
    all_warps: 32,
    reach: 3,
    copies: 4,
};

/// The registers of an expansion, beside the operands.
pub fn temporaries(expansion: Expansion) -> u32 {
    match expansion {
        Expansion::Shuffle => 7,
        Expansion::RoundedSingle => 14,
        Expansion::DivisionDouble => 19,
        Expansion::RootDouble => 14,
        Expansion::ReciprocalDouble => 2,
        Expansion::DivisionInteger => 3,
        Expansion::DivisionLong => 18,
        Expansion::Atomic => 6,
        Expansion::Transcendental => 5,
        Expansion::Local => 7,
        Expansion::Load => 0,
    }
}
