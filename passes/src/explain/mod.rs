//! What a finished allocation tells people: where the code is fullest ([`peaks`]), and
//! what keeping values in memory costs ([`spilled`]).
//!
//! Nothing here takes part in an allocation; it is computed where someone listens.

pub mod peaks;
pub mod spilled;

pub use peaks::{Peak, peaks};
pub use spilled::{SpilledValue, spilled_values};
