//! Why a function cannot be allocated.

use crate::function::Malformed;
use crate::verify::Fault;
use thiserror::Error;

/// Why a function cannot be allocated. The message names the cause; the caller
/// adds the function's name.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Error {
    /// One instruction needs more registers at once than there are.
    #[error(
        "the {file} budget of {budget} registers is too small: instruction {instruction} alone needs {needed}"
    )]
    BudgetTooSmall {
        /// The register file.
        file: String,
        /// How many registers may be used.
        budget: u32,
        /// How many are needed.
        needed: u32,
        /// The instruction's number.
        instruction: u32,
    },
    /// The same, or that a register is missing, and why the budget is what it is.
    #[error("{error}; the budget comes from {reason}")]
    WithinBudget {
        /// What went wrong.
        error: Box<Error>,
        /// Who decided the budget, for people.
        reason: String,
    },
    /// What the user asks for cannot be had together.
    #[error("{wish} cannot be met with {condition}: {reason}")]
    Contradiction {
        /// What is asked for.
        wish: String,
        /// What else is.
        condition: String,
        /// Why not.
        reason: String,
    },
    /// The constraints of some instruction cannot be met.
    #[error(
        "ran out of registers: no {class} register is left for {value} at instruction {instruction}"
    )]
    OutOfRegisters {
        /// The register class.
        class: String,
        /// The value that got none.
        value: String,
        /// An instruction that uses it.
        instruction: u32,
    },
    /// More values were spilled than the limit allows.
    #[error("the limit of {limit} spilled values is exceeded")]
    SpillLimit {
        /// The limit.
        limit: u32,
    },
    /// Spilling costs more than it may, or is expected to cost far more.
    #[error("spilling costs more accesses to memory than are worth it")]
    NotWorthIt,
    /// The function is malformed.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The checker found a fault in our own allocation.
    #[error("the allocation is wrong: {0}")]
    Wrong(Fault),
}

impl Error {
    /// What came of one of several ways to allocate a function; none where it leads
    /// nowhere, which is no reason to fail.
    ///
    /// # Errors
    /// That it leads to a wrong allocation: no other way makes up for that.
    pub fn unless_wrong<T>(candidate: Result<T, Self>) -> Result<Option<T>, Self> {
        match candidate {
            Ok(found) => Ok(Some(found)),
            Err(error @ Self::Wrong(_)) => Err(error),
            Err(_) => Ok(None),
        }
    }
}
