//! What an attempt to colour may do.

use std::fmt;

/// How a round goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing may be spilled; a round that fails has no effect.
    NoSpill,
    /// The same once everything has a register, for a colouring with fewer.
    Fewer,
    /// What finds no register is spilled.
    Spill {
        /// Earlier attempts have failed.
        retry: bool,
    },
    /// As without spilling, but tuples get their registers before the other values, as many
    /// of them as can be without keeping one of these from having any.
    Tuples {
        /// Whether there is spill code.
        spilled: bool,
    },
}

impl fmt::Display for Attempt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoSpill => "nospill",
            Self::Fewer => "fewer",
            Self::Spill { retry: false } => "spill",
            Self::Spill { retry: true } => "retry",
            Self::Tuples { .. } => "tuples",
        })
    }
}
