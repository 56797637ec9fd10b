//! What ptxas will report of an allocated function, and the occupancy that follows.

use super::launch::LaunchBounds;
use crate::machine::occupancy::{BlockResources, Occupancy};
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;

/// What is predicted of a function on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Registers a thread.
    pub registers: u32,
    /// What is resident on an SM with them.
    pub occupancy: Occupancy,
}

impl Prediction {
    /// Predicts from the registers of the R file that an allocation uses.
    pub fn new(used: u32, sm: &StreamingMultiprocessor, launch: &LaunchBounds) -> Self {
        let registers = predicted_registers(used);
        let occupancy = sm.occupancy(&BlockResources {
            registers,
            ..launch.block()
        });
        Self {
            registers,
            occupancy,
        }
    }
}

/// The registers that ptxas reports for code that needs so many. What it adds and removes
/// is not modelled yet.
pub fn predicted_registers(used: u32) -> u32 {
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occupancy_is_that_of_the_block_size() {
        let sm = StreamingMultiprocessor::nearest(90);
        let bounds = |threads| LaunchBounds {
            most_threads: threads,
            ..LaunchBounds::default()
        };
        for (used, threads, warps, percent) in [
            (64, None, 32, 50),
            (65, None, 24, 37),
            (64, Some(512), 32, 50),
            (72, Some(512), 16, 25),
            (32, Some(1024), 64, 100),
            (0, Some(64), 64, 100),
        ] {
            let found = Prediction::new(used, sm, &bounds(threads));
            assert_eq!(found.registers, used);
            let occupancy = found.occupancy;
            assert_eq!((occupancy.warps, occupancy.percent), (warps, percent));
        }
    }
}
