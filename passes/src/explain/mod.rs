//! What a finished allocation tells people: where the code is fullest ([`peaks`]), and
//! what keeping values in memory costs ([`spilled`]), where everything is ([`listing`]).
//!
//! Nothing here takes part in an allocation; it is computed where someone listens.

mod listing;
pub mod peaks;
pub mod spilled;

pub use listing::listing;
pub use peaks::{Peak, peaks};
pub use spilled::{SpilledValue, spilled_values};
