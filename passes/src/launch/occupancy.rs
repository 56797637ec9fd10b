//! The occupancy that follows from the registers that ptxas is expected to report, and
//! where it would change.

use super::LaunchBounds;
use crate::machine::occupancy::{BlockResources, Occupancy};
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;

/// What is predicted of a function on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Registers a thread.
    pub registers: u32,
    /// Registers that a function saves and restores for its callers.
    pub saved: u32,
    /// What is resident on an SM with them.
    pub occupancy: Occupancy,
}

/// So few registers a thread that more blocks are resident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cliff {
    /// The most registers with which they are.
    pub registers: u32,
    /// What is resident then.
    pub occupancy: Occupancy,
}

impl Prediction {
    /// What follows from the registers that ptxas is expected to report.
    pub fn new(registers: u32, sm: &StreamingMultiprocessor, launch: &LaunchBounds) -> Self {
        let block = BlockResources {
            registers,
            ..launch.block()
        };
        Self {
            registers,
            saved: 0,
            occupancy: sm.occupancy(&block),
        }
    }

    /// How many registers fewer leave more blocks resident, and what is resident then.
    /// None where something else limits the blocks, or where ptxas would not go.
    pub fn cliff(&self, sm: &StreamingMultiprocessor, launch: &LaunchBounds) -> Option<Cliff> {
        let registers = sm.most_registers(&launch.block(), self.occupancy.blocks + 1)?;
        let Self { occupancy, .. } = Self::new(registers, sm, launch);
        (registers >= sm.least_registers_per_thread).then_some(Cliff {
            registers,
            occupancy,
        })
    }

    /// How many registers more leave as many blocks resident; none if there are no blocks.
    pub fn free(&self, sm: &StreamingMultiprocessor, launch: &LaunchBounds) -> u32 {
        let most = match self.occupancy.blocks {
            0 => None,
            blocks => sm.most_registers(&launch.block(), blocks),
        };
        most.map_or(0, |most| most.saturating_sub(self.registers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(threads: Option<u32>) -> LaunchBounds {
        LaunchBounds {
            most_threads: threads,
            ..LaunchBounds::default()
        }
    }

    #[test]
    fn occupancy_is_that_of_the_block_size() {
        let sm = StreamingMultiprocessor::nearest(90);
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

    #[test]
    fn cliffs_are_where_a_block_more_is_resident() {
        let sm = StreamingMultiprocessor::nearest(90);
        // 40 registers leave 48 warps of 256 threads a block, 48 leave 40.
        for (registers, threads, cliff, free) in [
            (41, None, Some((40, 48)), 7),
            (48, None, Some((40, 48)), 0),
            (64, Some(512), Some((40, 48)), 0),
            (50, Some(512), Some((40, 48)), 14),
            (255, Some(256), Some((128, 16)), 0),
            // All warps are resident.
            (20, None, None, 12),
            // One block of 1024 threads, then two.
            (40, Some(1024), Some((32, 64)), 24),
            // It cannot be launched.
            (65, Some(1024), Some((64, 32)), 0),
        ] {
            let launch = bounds(threads);
            let found = Prediction::new(registers, sm, &launch);
            let next = found.cliff(sm, &launch);
            let next = next.map(|one| (one.registers, one.occupancy.warps));
            assert_eq!(next, cliff, "{registers}");
            assert_eq!(found.free(sm, &launch), free, "{registers}");
        }
    }

    #[test]
    fn every_cliff_is_exact() {
        for version in [75, 80, 86, 90, 120] {
            let sm = StreamingMultiprocessor::nearest(version);
            for threads in (32..=1024).step_by(32) {
                let launch = bounds(Some(threads));
                let blocks = |registers| Prediction::new(registers, sm, &launch).occupancy.blocks;
                for registers in 24..=255 {
                    let found = Prediction::new(registers, sm, &launch);
                    let free = found.free(sm, &launch);
                    assert_eq!(blocks(registers + free), blocks(registers));
                    assert!(
                        blocks(registers + free + 1) < blocks(registers) || blocks(registers) == 0
                    );
                    if let Some(cliff) = found.cliff(sm, &launch) {
                        assert!(cliff.registers < registers);
                        assert!(blocks(cliff.registers) > blocks(registers));
                        assert_eq!(blocks(cliff.registers + 1), blocks(registers));
                    } else {
                        assert_eq!(blocks(sm.least_registers_per_thread), blocks(registers));
                    }
                }
            }
        }
    }

    #[test]
    fn shared_memory_leaves_no_cliff() {
        let sm = StreamingMultiprocessor::nearest(90);
        let launch = LaunchBounds {
            shared_memory: 100 * 1024,
            ..bounds(Some(256))
        };
        let found = Prediction::new(40, sm, &launch);
        assert_eq!(
            (found.occupancy.blocks, found.cliff(sm, &launch)),
            (2, None)
        );
        assert_eq!(found.free(sm, &launch), 88);
    }
}
