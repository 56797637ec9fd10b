//! Spilling: which values, and the code that it takes.

pub mod around;
pub mod cost;
pub mod excess;
pub mod fast_path;
pub mod fold;
pub mod gap_costs;
pub mod gaps;
pub mod guidance;
pub mod landing;
pub mod overfull;
pub mod pieces;
pub mod placement;
pub mod provenance;
pub mod relief;
pub mod rematerialisation;
pub mod rematerialisation_table;
pub mod rewrite;
pub mod split_limits;
pub mod state;
pub mod unit_occupancy;
pub mod work;
