//! The numbers that the prediction rests on, found on two thirds of the public kernels.

use super::expansion::Expansion;

/// All of them.
pub struct Parameters {
    /// Registers that ptxas reports for a kernel in which nothing lives.
    pub empty: u32,
    /// Registers beyond those that must live at once: R1, the pointer to the stack, which
    /// is kept in every kernel; holes that pairs leave; and what is loaded early, as the
    /// first registers cost no occupancy.
    pub reserve: u32,
    /// More in a function with a loop, whose copies of the body ptxas interleaves.
    pub in_loops: u32,
    /// Read by an instruction of the threads, a folded pair is loaded into registers
    /// first.
    pub folded_pair: u32,
    /// With this many registers as many warps run as can. From here on ptxas trades
    /// instructions for registers.
    pub free: u32,
    /// It stays there if no more than this many would come on top.
    pub reach: u32,
    /// Above, of so many registers in 100 this many are left.
    pub kept_percent: u32,
}

/// See there.
pub const PARAMETERS: Parameters = Parameters {
    empty: 4,
    reserve: 6,
    in_loops: 2,
    folded_pair: 3,
    free: 32,
    reach: 4,
    kept_percent: 75,
};

/// The registers of an expansion, beside the operands.
pub fn temporaries(expansion: Expansion) -> u32 {
    match expansion {
        Expansion::Shuffle => 3,
        Expansion::RoundedSingle => 13,
        Expansion::DivisionDouble => 16,
        Expansion::RootDouble => 15,
        Expansion::ReciprocalDouble => 2,
        Expansion::DivisionInteger => 7,
        Expansion::DivisionLong => 18,
        Expansion::Atomic => 6,
        Expansion::Transcendental => 8,
        Expansion::Local => 12,
        Expansion::Call => 27,
    }
}
