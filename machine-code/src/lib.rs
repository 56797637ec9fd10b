//! Machine code of NVIDIA GPUs as `nvdisasm` prints it: its functions and blocks
//! ([`listing`]), its loops ([`loops`]), and what the schedule that ptxas wrote into it says
//! of its cost ([`cost`]).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod cost;
pub mod listing;
pub mod loops;
