//! Spilling: which values, and the code that it takes.

pub mod cost;
pub mod excess;
pub mod guidance;
pub mod landing;
pub mod rewrite;
