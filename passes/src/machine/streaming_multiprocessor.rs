//! Streaming multiprocessors: what each NVIDIA GPU since sm_70 has of everything that
//! resident blocks share, in one table.
//!
//! An SM that is newer than a row and older than the next has the resources of the
//! nearest older one; one older than sm_70 those of sm_70. Sources: NVIDIA's "CUDA C++
//! Programming Guide", technical specifications for each compute capability;
//! `cuda_occupancy.h` for units of allocation; the cicc documents for accumulators, spill
//! thresholds and latencies; the ptxas document for the uniform file.
//! `tests/occupancy` compares the table with the header and with ptxas.

use super::gpu::{P_SIZE, R_SIZE, UR_SIZE};

/// Threads of a warp.
pub const WARP: u32 = 32;

const KIB: u32 = 1024;

/// The resources of one kind of SM.
#[derive(Debug, PartialEq)]
pub struct StreamingMultiprocessor {
    /// 90 for sm_90.
    pub version: u32,
    /// Registers of 32 bits.
    pub registers: u32,
    /// The most that a block may have.
    pub registers_per_block: u32,
    /// The most that a thread may have.
    pub registers_per_thread: u32,
    /// The fewest that ptxas gives a thread, whatever it is asked for.
    pub least_registers_per_thread: u32,
    /// A warp gets its registers in multiples of this.
    pub register_unit: u32,
    /// Parts of equal size, each with its own registers; a warp stays in one.
    pub partitions: u32,
    /// Resident warps.
    pub warps: u32,
    /// Resident blocks.
    pub blocks: u32,
    /// The most threads of a block.
    pub threads_per_block: u32,
    /// Bytes of shared memory.
    pub shared_memory: u32,
    /// The most of it that a block may have, if the program opts in.
    pub shared_memory_per_block: u32,
    /// The most that a block may have otherwise.
    pub shared_memory_per_block_by_default: u32,
    /// What the driver takes of it for itself, for each block.
    pub reserved_shared_memory: u32,
    /// A block gets shared memory in multiples of this.
    pub shared_memory_unit: u32,
    /// Registers of the uniform data path for each warp; none before sm_75.
    pub uniform_registers: u32,
    /// Predicates of the uniform data path.
    pub uniform_predicates: u32,
    /// Accumulators of the tensor cores begin at a multiple of so many registers.
    pub accumulator_alignment: u32,
    /// Percent of the registers in use from which on cicc spills.
    pub spill_threshold: u32,
    /// Cycles of a reload that hits the second-level cache.
    pub memory_latency: f64,
}

/// sm_70; other rows say in what they differ from it or from one another.
const VOLTA: StreamingMultiprocessor = StreamingMultiprocessor {
    version: 70,
    registers: 64 * 1024,
    registers_per_block: 64 * 1024,
    registers_per_thread: R_SIZE,
    least_registers_per_thread: 24,
    register_unit: 256,
    partitions: 4,
    warps: 64,
    blocks: 32,
    threads_per_block: 1024,
    shared_memory: 96 * KIB,
    shared_memory_per_block: 96 * KIB,
    shared_memory_per_block_by_default: 48 * KIB,
    reserved_shared_memory: 0,
    shared_memory_unit: 256,
    uniform_registers: 0,
    uniform_predicates: 0,
    accumulator_alignment: 8,
    spill_threshold: 70,
    memory_latency: DEFAULT_LATENCY,
};

/// The cicc document's latency for all that it does not name.
pub const DEFAULT_LATENCY: f64 = 10.0;

/// sm_80.
const AMPERE: StreamingMultiprocessor = StreamingMultiprocessor {
    version: 80,
    shared_memory: 164 * KIB,
    shared_memory_per_block: 163 * KIB,
    reserved_shared_memory: KIB,
    shared_memory_unit: 128,
    uniform_registers: UR_SIZE,
    uniform_predicates: P_SIZE,
    accumulator_alignment: 4,
    memory_latency: 8.0,
    ..VOLTA
};

/// sm_90.
const HOPPER: StreamingMultiprocessor = StreamingMultiprocessor {
    version: 90,
    shared_memory: 228 * KIB,
    shared_memory_per_block: 227 * KIB,
    accumulator_alignment: 8,
    spill_threshold: 80,
    memory_latency: 6.0,
    ..AMPERE
};

/// sm_100.
const DATACENTER_BLACKWELL: StreamingMultiprocessor = StreamingMultiprocessor {
    version: 100,
    memory_latency: DEFAULT_LATENCY,
    ..HOPPER
};

/// sm_120.
const CONSUMER_BLACKWELL: StreamingMultiprocessor = StreamingMultiprocessor {
    version: 120,
    warps: 48,
    blocks: 24,
    shared_memory: 100 * KIB,
    shared_memory_per_block: 99 * KIB,
    memory_latency: DEFAULT_LATENCY,
    ..HOPPER
};

/// All rows, ascending by version.
pub static TABLE: [StreamingMultiprocessor; 13] = [
    VOLTA,
    StreamingMultiprocessor {
        version: 72,
        ..VOLTA
    },
    StreamingMultiprocessor {
        version: 75,
        warps: 32,
        blocks: 16,
        shared_memory: 64 * KIB,
        shared_memory_per_block: 64 * KIB,
        uniform_registers: UR_SIZE,
        uniform_predicates: P_SIZE,
        ..VOLTA
    },
    AMPERE,
    StreamingMultiprocessor {
        version: 86,
        warps: 48,
        blocks: 16,
        shared_memory: 100 * KIB,
        shared_memory_per_block: 99 * KIB,
        ..AMPERE
    },
    StreamingMultiprocessor {
        version: 87,
        warps: 48,
        blocks: 16,
        memory_latency: DEFAULT_LATENCY,
        ..AMPERE
    },
    StreamingMultiprocessor {
        version: 89,
        warps: 48,
        blocks: 24,
        shared_memory: 100 * KIB,
        shared_memory_per_block: 99 * KIB,
        memory_latency: 7.0,
        ..AMPERE
    },
    HOPPER,
    DATACENTER_BLACKWELL,
    StreamingMultiprocessor {
        version: 103,
        ..DATACENTER_BLACKWELL
    },
    StreamingMultiprocessor {
        version: 110,
        warps: 48,
        blocks: 24,
        memory_latency: DEFAULT_LATENCY,
        ..HOPPER
    },
    CONSUMER_BLACKWELL,
    StreamingMultiprocessor {
        version: 121,
        ..CONSUMER_BLACKWELL
    },
];

impl StreamingMultiprocessor {
    /// The row of an SM, or of the nearest older one; its `version` tells which.
    pub fn nearest(version: u32) -> &'static Self {
        let newer = TABLE.partition_point(|row| row.version <= version);
        &TABLE[newer.saturating_sub(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_sm_takes_the_nearest_older_one() {
        for (version, nearest) in [
            (0, 70),
            (60, 70),
            (70, 70),
            (73, 72),
            (88, 87),
            (101, 100),
            (109, 103),
            (121, 121),
            (999, 121),
        ] {
            let found = StreamingMultiprocessor::nearest(version);
            assert_eq!(found.version, nearest, "sm_{version}");
        }
    }

    #[test]
    fn rows_ascend_and_fit_together() {
        assert!(TABLE.is_sorted_by(|older, newer| older.version < newer.version));
        for row in &TABLE {
            let sm = row.version;
            let most = row.shared_memory - row.reserved_shared_memory;
            assert_eq!(row.shared_memory_per_block, most, "sm_{sm}");
            assert!(row.shared_memory_per_block_by_default <= most, "sm_{sm}");
            assert_eq!(row.registers % row.partitions, 0, "sm_{sm}");
            assert_eq!(row.warps % row.partitions, 0, "sm_{sm}");
            assert!(row.threads_per_block <= row.warps * WARP, "sm_{sm}");
            assert_eq!(row.uniform_registers > 0, sm >= 75, "sm_{sm}");
            assert_eq!(row.uniform_predicates > 0, sm >= 75, "sm_{sm}");
            assert!(row.accumulator_alignment.is_power_of_two(), "sm_{sm}");
        }
    }

    #[test]
    fn the_documented_thresholds_and_latencies() {
        for (version, threshold, latency) in [
            (70, 70, 10.0),
            (75, 70, 10.0),
            (80, 70, 8.0),
            (86, 70, 8.0),
            (89, 70, 7.0),
            (90, 80, 6.0),
            (100, 80, 10.0),
            (120, 80, 10.0),
        ] {
            let row = StreamingMultiprocessor::nearest(version);
            let found = (row.spill_threshold, row.memory_latency);
            assert_eq!(found, (threshold, latency), "sm_{version}");
        }
    }
}
