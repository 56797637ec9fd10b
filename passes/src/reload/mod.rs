//! Loads of what was spilled, once registers are known.
//!
//! Spilling decides where a value is in memory, and does so before it is known which
//! registers are free behind that. Once they are, [`redundant`] takes out loads of what a
//! register still holds ([`holdings`] tells), [`take_back`] keeps what another register could
//! hold all along, and [`early`] moves reloads to where their registers become free.
//! [`arrange`] writes the function anew.
//!
//! Requires a complete colouring of the work function, by which slots are not shared yet.
//! Ensures another one that uses no register more and has no more loads. Time: see the
//! parts; nothing where nothing is loaded.

mod arrange;
mod dead_stores;
mod early;
mod holdings;
mod redundant;
mod take_back;
mod taken;
mod ways;

pub use early::move_up;
pub use redundant::remove_redundant;
pub use take_back::take_back;

#[cfg(test)]
mod tests;
