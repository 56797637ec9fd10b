//! Facts about a function that the passes below rely on.

pub mod control_dependence;
pub mod control_flow;
pub mod demand;
pub mod frequency;
pub mod in_flight;
pub mod in_place;
pub mod least_accesses;
pub mod live_range;
pub mod live_set;
pub mod live_units;
pub mod liveness;
pub mod loops;
pub mod mentions;
pub mod pressure;
pub mod program_point;
pub mod register_banks;
pub mod restrictions;
pub mod steering;
pub mod tuples;
pub mod uniformity;
