//! The occupancy that follows from the registers that ptxas is expected to report.

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
    /// What follows from the registers that ptxas is expected to report.
    pub fn new(registers: u32, sm: &StreamingMultiprocessor, launch: &LaunchBounds) -> Self {
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
        for (registers, threads, warps, percent) in [
            (64, None, 32, 50),
            (65, None, 24, 37),
            (64, Some(512), 32, 50),
            (72, Some(512), 16, 25),
            (32, Some(1024), 64, 100),
            (0, Some(64), 64, 100),
        ] {
            let found = Prediction::new(registers, sm, &bounds(threads));
            let occupancy = found.occupancy;
            assert_eq!((occupancy.warps, occupancy.percent), (warps, percent));
        }
    }
}
