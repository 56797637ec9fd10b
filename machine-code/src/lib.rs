//! Machine code of NVIDIA GPUs as `nvdisasm` prints it: its functions and blocks
//! ([`listing`]), its loops ([`loops`]) and what is done in each ([`work`], [`fixed`]), what
//! the schedule that ptxas wrote into it says of its cost ([`cost`]), and how often the loops
//! of one code run where those of another do ([`correspondence`]).
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod alike;
pub mod correspondence;
pub mod cost;
pub mod fixed;
pub mod listing;
pub mod loops;
pub mod work;
