//! One way to allocate a function, and all of them in the order worth trying.
//!
//! Without a limited file there is one. With one, what differs is which of its registers
//! hold no values:
//!
//! - A reserve: a GPU's slots lie in local memory, to which R1 points for the whole kernel,
//!   and ptxas takes more for itself: it orders instructions anew, and what it then lacks it
//!   spills on its own, without knowing what was spilled here and why. So a function that
//!   spills leaves a few registers to it: guidance does without them. Unless all is to be
//!   spilled here, select may take them for what guidance left in registers and finds no place,
//!   as a pair between two others, and what was spilled for nothing comes back there: ptxas
//!   finds places of its own.
//! - Predicates as bits: a GPU has none in memory. One that is spilled goes to a register of
//!   R, which has room for 28 ([`gpu::bit_of_packed`]), if there is a register whose bits are
//!   a file of their own; every pass, and the checker, then treats them as it does others.
//!   Source: P2R and R2P in NVIDIA's "CUDA Binary Utilities".
//! - Addresses of slots in shared memory: one for each stride. ptxas may compute an address
//!   anew instead of keeping it; that is its own affair.
//!
//! And a value may be rematerialised by a chain of instructions, where the steps have
//! registers of their own. Linear in what is listed.

use super::Search;
use super::program::Program;
use crate::machine::gpu;
use crate::settings::Pass;

/// The most addresses that are ever wanted.
const MOST_ADDRESSES: u32 = 3;

/// Which order instructions are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionOrder {
    /// The caller's.
    AsItIs,
    /// One in which less is missing of the registers ([`crate::schedule`]).
    Roomier,
}

/// One way to allocate a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The order of its instructions.
    pub order: InstructionOrder,
    /// Registers of the budget that are left to ptxas.
    pub reserve: u32,
    /// Registers with addresses in shared memory.
    pub address_registers: u32,
    /// Registers whose bits hold spilled predicates.
    pub predicate_words: u32,
    /// Whether values may be rematerialised by chains of instructions.
    pub chains: bool,
}

impl Candidate {
    /// Registers of the budget in which the allocation may not put values.
    pub fn taken(&self) -> u32 {
        self.reserve + self.address_registers
    }

    /// The same with nothing left to ptxas.
    pub fn without_reserve(&self) -> Self {
        Self {
            reserve: 0,
            ..*self
        }
    }

    /// Whether another candidate has the same registers for values and predicates together.
    pub fn is_beside(&self, other: &Self) -> bool {
        let level = |one: &Self| (one.reserve, one.address_registers);
        level(self) == level(other)
    }
}

/// The candidates for the function in some order; crowded, it has more live at once than there
/// are registers.
pub fn candidates(
    search: &Search,
    order: InstructionOrder,
    program: &Program,
    is_crowded: bool,
) -> impl Iterator<Item = Candidate> {
    let settings = search.settings;
    let is_limited = search.budget.is_some();
    let most_words = match is_limited && program.packs_predicates {
        true => gpu::MOST_WORDS,
        false => 0,
    };
    let most_addresses = match search.shared_space {
        Some(space) if space.is_scaled => 1,
        Some(_) => MOST_ADDRESSES,
        None => 0,
    };
    let chains: &[bool] = match is_limited && settings.runs(Pass::RematerialiseChains) {
        true => &[true, false],
        false => &[true],
    };
    let without_addresses = reserves(search, is_crowded).into_iter().map(|one| (one, 0));
    let with_addresses = (1..=most_addresses).map(|one| (0, one));
    without_addresses
        .chain(with_addresses)
        .flat_map(move |(reserve, address_registers)| {
            (0..=most_words).flat_map(move |predicate_words| {
                chains.iter().map(move |&chains| Candidate {
                    order,
                    reserve,
                    address_registers,
                    predicate_words,
                    chains,
                })
            })
        })
}

/// The whole budget and what the reserve leaves of it. That comes first if more is live than
/// the budget has: then something is spilled.
fn reserves(search: &Search, is_crowded: bool) -> Vec<u32> {
    let reserved = search.budget.map_or(0, |budget| budget.reserved);
    match (reserved, is_crowded) {
        (0, _) => vec![0],
        (_, false) => vec![0, reserved],
        (_, true) => vec![reserved, 0],
    }
}
