//! Occupancy: how many blocks of a kernel are resident on an SM at once, how many warps
//! that are, and what keeps them from being more.
//!
//! A warp gets its registers in units and stays in one of the SM's partitions, so the
//! registers of a partition bound its warps; a block is resident as a whole. Before a
//! launch the hardware checks a block as if each partition held as many of its warps as
//! any other. Source: NVIDIA's "CUDA C++ Programming Guide", hardware multithreading;
//! `tests/occupancy` compares all results with NVIDIA's `cuda_occupancy.h`.
//! Named barriers, which can bound blocks as well, are not known before ptxas. Constant
//! time.

use super::streaming_multiprocessor::{StreamingMultiprocessor, WARP};
use bitflags::bitflags;

/// What a block asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockResources {
    /// Threads; at least one counts.
    pub threads: u32,
    /// Registers of each thread.
    pub registers: u32,
    /// Bytes of shared memory of the block.
    pub shared_memory: u32,
}

impl BlockResources {
    /// Warps, the last one perhaps not full.
    pub fn warps(&self) -> u32 {
        self.threads.max(1).div_ceil(WARP)
    }
}

bitflags! {
    /// The resources of which one block more would need too much.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Limits: u8 {
        /// Resident warps, or threads of a block.
        const WARPS = 1 << 0;
        /// Registers.
        const REGISTERS = 1 << 1;
        /// Shared memory.
        const SHARED_MEMORY = 1 << 2;
        /// Resident blocks.
        const BLOCKS = 1 << 3;
    }
}

/// What is resident on an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks; none if the kernel cannot be launched like this.
    pub blocks: u32,
    /// Warps.
    pub warps: u32,
    /// Warps in percent of what the SM can hold, rounded down.
    pub percent: u32,
    /// What bounds them.
    pub limits: Limits,
}

/// A resource that a kernel does not use bounds nothing.
const UNBOUNDED: u32 = u32::MAX;

impl StreamingMultiprocessor {
    /// The occupancy of a kernel with such blocks.
    pub fn occupancy(&self, block: &BlockResources) -> Occupancy {
        let bounds = [
            (Limits::WARPS, self.blocks_by_warps(block)),
            (Limits::REGISTERS, self.blocks_by_registers(block)),
            (Limits::SHARED_MEMORY, self.blocks_by_shared_memory(block)),
            (Limits::BLOCKS, self.blocks),
        ];
        let blocks = bounds.iter().fold(UNBOUNDED, |least, one| least.min(one.1));
        let limiting = bounds.iter().filter(|one| one.1 == blocks);
        let warps = blocks * block.warps();
        Occupancy {
            blocks,
            warps,
            percent: warps * 100 / self.warps,
            limits: limiting.map(|one| one.0).collect(),
        }
    }

    /// The most registers a thread may have with at least so many blocks resident, if
    /// there is such a number; those of the block itself do not count.
    pub fn most_registers(&self, block: &BlockResources, blocks: u32) -> Option<u32> {
        (1..=self.registers_per_thread).rev().find(|&registers| {
            let block = BlockResources {
                registers,
                ..*block
            };
            self.occupancy(&block).blocks >= blocks
        })
    }

    fn blocks_by_warps(&self, block: &BlockResources) -> u32 {
        match block.threads <= self.threads_per_block {
            true => self.warps / block.warps(),
            false => 0,
        }
    }

    fn blocks_by_registers(&self, block: &BlockResources) -> u32 {
        if block.registers > self.registers_per_thread {
            return 0;
        }
        if block.registers == 0 {
            return UNBOUNDED;
        }
        let of_warp = (block.registers * WARP).next_multiple_of(self.register_unit);
        let checked = of_warp.saturating_mul(block.warps().next_multiple_of(self.partitions));
        if checked > self.registers_per_block {
            return 0;
        }
        let warps_of_partition = self.registers / self.partitions / of_warp;
        warps_of_partition * self.partitions / block.warps()
    }

    fn blocks_by_shared_memory(&self, block: &BlockResources) -> u32 {
        if block.shared_memory > self.shared_memory_per_block {
            return 0;
        }
        let used = block.shared_memory + self.reserved_shared_memory;
        let of_block = used.next_multiple_of(self.shared_memory_unit);
        self.shared_memory
            .checked_div(of_block)
            .unwrap_or(UNBOUNDED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occupancy(sm: u32, threads: u32, registers: u32, shared_memory: u32) -> Occupancy {
        StreamingMultiprocessor::nearest(sm).occupancy(&BlockResources {
            threads,
            registers,
            shared_memory,
        })
    }

    #[test]
    fn registers_are_given_in_units() {
        for (registers, warps) in [(64, 32), (65, 16), (72, 16), (32, 64), (33, 48)] {
            let found = occupancy(90, 512, registers, 0);
            assert_eq!(found.warps, warps, "{registers}");
        }
        // 512 threads with 64 registers are half of what the SM holds, with 72 a quarter.
        assert_eq!(occupancy(90, 512, 64, 0).percent, 50);
        assert_eq!(occupancy(90, 512, 72, 0).percent, 25);
    }

    #[test]
    fn a_warp_stays_in_its_partition() {
        // 100 registers are 104 for each thread; 16384 / 3328 = 4 warps a partition, where
        // an undivided SM would hold 19.
        assert_eq!(occupancy(90, 32, 100, 0).warps, 16);
        // Five warps are checked as eight.
        assert_eq!(occupancy(90, 160, 255, 0).blocks, 1);
        assert_eq!(occupancy(90, 288, 176, 0).blocks, 0);
        assert_eq!(occupancy(90, 288, 168, 0).blocks, 1);
    }

    #[test]
    fn limits_name_what_is_scarce() {
        let limits = |sm, threads, registers, shared| {
            let found = occupancy(sm, threads, registers, shared);
            (found.blocks, found.limits)
        };
        assert_eq!(limits(90, 256, 255, 0), (1, Limits::REGISTERS));
        assert_eq!(limits(90, 1024, 16, 0), (2, Limits::WARPS));
        let both = Limits::WARPS | Limits::REGISTERS;
        assert_eq!(limits(90, 256, 32, 0), (8, both));
        assert_eq!(limits(89, 32, 16, 0), (24, Limits::BLOCKS));
        assert_eq!(limits(86, 256, 16, 48 * 1024), (2, Limits::SHARED_MEMORY));
    }

    #[test]
    fn what_cannot_be_launched_has_no_blocks() {
        assert_eq!(occupancy(90, 1025, 16, 0).blocks, 0);
        assert_eq!(occupancy(90, 1024, 65, 0).blocks, 0);
        assert_eq!(occupancy(90, 32, 256, 0).blocks, 0);
        assert_eq!(occupancy(75, 32, 16, 64 * 1024).blocks, 1);
        assert_eq!(occupancy(75, 32, 16, 64 * 1024 + 1).blocks, 0);
        assert_eq!(occupancy(90, 32, 16, 227 * 1024).blocks, 1);
        assert_eq!(occupancy(90, 32, 16, u32::MAX).blocks, 0);
    }

    #[test]
    fn most_registers_are_the_last_before_a_block_is_lost() {
        let sm = StreamingMultiprocessor::nearest(90);
        for threads in (32..=1024).step_by(32) {
            let mut block = BlockResources {
                threads,
                registers: 0,
                shared_memory: 0,
            };
            let most = sm.occupancy(&block).blocks;
            for blocks in 1..=most {
                block.registers = sm.most_registers(&block, blocks).expect("some");
                assert!(sm.occupancy(&block).blocks >= blocks);
                block.registers += 1;
                assert!(sm.occupancy(&block).blocks < blocks);
            }
            assert_eq!(sm.most_registers(&block, most + 1), None);
        }
    }
}
