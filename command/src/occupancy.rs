//! `warpalloc occupancy`: what is resident on an SM.

use clap::Args;
use passes::machine::occupancy::BlockResources;
use passes::machine::streaming_multiprocessor::{StreamingMultiprocessor as SM, TABLE};
use std::io::Write;

/// What is asked for.
#[derive(Args)]
pub struct OccupancyOptions {
    /// SMs, 90 for sm_90; all that are known if none is given.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    sm: Vec<u32>,
    /// Threads of a block; 32 to 1024 in steps of 32 if none are given.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    threads: Vec<u32>,
    /// Registers of a thread; 16 to 255 if none are given.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    registers: Vec<u32>,
    /// Bytes of shared memory of a block.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0")]
    shared_memory: Vec<u32>,
}

/// Prints a line for each combination.
pub fn print_occupancy(options: &OccupancyOptions, mut output: impl Write) -> std::io::Result<()> {
    let or_all = |given: &[u32], all: Vec<u32>| match given {
        [] => all,
        given => given.to_vec(),
    };
    let all = TABLE.iter().map(|row| row.version).collect();
    for sm in or_all(&options.sm, all).into_iter().map(SM::nearest) {
        for &threads in &or_all(&options.threads, (32..=1024).step_by(32).collect()) {
            for &registers in &or_all(&options.registers, (16..=255).collect()) {
                for &shared_memory in &options.shared_memory {
                    let found = sm.occupancy(&BlockResources {
                        threads,
                        registers,
                        shared_memory,
                    });
                    let limits: Vec<_> = found.limits.iter_names().map(|one| one.0).collect();
                    writeln!(
                        output,
                        "sm={} threads={threads} registers={registers} \
                         shared_memory={shared_memory} blocks={} warps={} occupancy={} limits={}",
                        sm.version,
                        found.blocks,
                        found.warps,
                        found.percent,
                        limits.join(",").to_lowercase(),
                    )?;
                }
            }
        }
    }
    output.flush()
}
