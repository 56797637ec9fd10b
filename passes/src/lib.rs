//! Warpalloc's register allocation passes.
//!
//! [`pipeline::compile`] takes a [`function::Function`], the [`machine::Machine`] that it is
//! for and what else is known of it, and returns an [`allocation::Allocation`] and what
//! belongs to it. It is pure and deterministic.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod allocation;
pub mod choices;
pub mod error;
pub mod function;
pub mod knobs;
pub mod launch;
pub mod machine;
pub mod mutation;
pub mod settings;
pub mod statistics;

pub mod analysis;
pub mod assign;
pub mod bits;
pub mod budget;
pub mod distribute;
pub mod explain;
pub mod fatpoint;
mod finish;
pub mod frame;
pub mod graph;
pub mod order;
pub mod pipeline;
pub mod prediction;
mod reload;
mod rounds;
pub mod schedule;
pub mod search;
pub mod spill;
pub mod strategy;
pub mod verify;

pub use search::allocate;
