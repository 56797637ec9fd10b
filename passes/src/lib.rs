//! Warpalloc's register allocation passes.
//!
//! [`allocate`] takes a [`function::Function`] and a [`machine::Machine`] and
//! returns an [`allocation::Allocation`]. It is pure and deterministic. The
//! modules stand in pipeline order below the data they share.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod allocation;
pub mod config;
pub mod error;
pub mod function;
pub mod knobs;
pub mod machine;
pub mod mutation;
pub mod problem;
pub mod statistics;

pub mod analysis;
pub mod budget;
pub mod coalesce;
pub mod distribute;
pub mod driver;
pub mod explain;
pub mod graph;
pub mod order;
pub mod prediction;
pub mod schedule;
pub mod select;
pub mod simplify;
pub mod spill;
pub mod strategy;
pub mod verify;

pub use driver::allocate;
