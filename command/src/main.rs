//! The command `warpalloc`: what is done outside of LLVM.

mod cost;
mod occupancy;
mod replay;
mod tune_command;

use clap::{Parser, Subcommand};
use cost::{CostOptions, print_costs};
use occupancy::{OccupancyOptions, print_occupancy};
use replay::{Replay, check_all, replay_all};
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;
use tune_command::TuneOptions;

/// Of the commands, and of the LLVM that the plugin is built for.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (built for LLVM ",
    env!("WARPALLOC_LLVM_VERSION"),
    ")"
);

/// Finds the best options for the kernels of a module; allocates registers for functions
/// dumped with -warpalloc-dump; computes occupancy.
///
/// WARPALLOC_LOG filters what is logged to stderr, for example
/// WARPALLOC_LOG=debug.
#[derive(Parser)]
#[command(name = "warpalloc", version = VERSION)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Allocate, check the result symbolically, print the statistics.
    Replay(Replay),
    /// Read, check, and print again in the standard form.
    Check {
        /// Dumped functions.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print what the machine code of kernels costs by its own schedule: stall cycles and
    /// accesses to local memory, each instruction weighed by the loops around it.
    Cost(CostOptions),
    /// Print what is resident on an SM, a line for each combination.
    Occupancy(OccupancyOptions),
    /// Find for each kernel of a module the options that serve it best, and write them for
    /// -warpalloc-choices.
    Tune(TuneOptions),
}

fn main() -> ExitCode {
    let filter = std::env::var("WARPALLOC_LOG").ok();
    let filter = filter.and_then(|text| text.parse::<Targets>().ok());
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let errors = Targets::new().with_default(LevelFilter::ERROR);
    tracing_subscriber::registry()
        .with(lines.with_filter(filter.unwrap_or(errors)))
        .init();
    let failures = match Arguments::parse().command {
        Command::Replay(options) => replay_all(&options),
        Command::Check { files } => check_all(&files),
        Command::Cost(options) => print_costs(&options),
        Command::Occupancy(options) => {
            // Whoever reads the output may have seen enough of it.
            let _ = print_occupancy(&options, BufWriter::new(std::io::stdout().lock()));
            0
        }
        Command::Tune(options) => tune_command::run(options),
    };
    match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
