//! Facts about a function that the passes below rely on.

pub mod control_dependence;
pub mod control_flow;
pub mod crowding;
pub mod demand;
mod edge_set;
pub mod frequency;
pub mod in_flight;
pub mod interference;
pub mod live_range;
pub mod live_set;
pub mod liveness;
pub mod loops;
pub mod low_halves;
pub mod mentions;
pub mod pressure;
pub mod recipes;
pub mod register_banks;
pub mod restrictions;
pub mod steering;
pub mod taken;
pub mod tuples;
pub mod uniformity;
