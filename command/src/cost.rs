//! `warpalloc cost`: what the machine code of kernels costs by its own schedule.

use clap::Args;
use machine_code::cost::cost;
use machine_code::listing::kernels;
use machine_code::work::work;
use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// What is asked for.
#[derive(Args)]
pub struct CostOptions {
    /// Listings of `nvdisasm -c -hex`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints a line for each kernel; how many files could not be read.
pub fn print_costs(options: &CostOptions) -> usize {
    let is_wrong = |file: &&PathBuf| match lines(file) {
        Ok(lines) => {
            // Whoever reads the output may have seen enough of it.
            let _ = stdout().lock().write_all(lines.concat().as_bytes());
            false
        }
        Err(error) => {
            eprintln!("warpalloc: {}: {error}", file.display());
            true
        }
    };
    options.files.iter().filter(is_wrong).count()
}

fn lines(file: &PathBuf) -> Result<Vec<String>, String> {
    let listing = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let line = |kernel| {
        let cost = cost(&work(kernel));
        format!(
            "cost: kernel={} issue={} local={} local_static={} instructions={}\n",
            kernel.name, cost.issue, cost.local, cost.local_static, cost.instructions
        )
    };
    Ok(kernels(&listing)?.iter().map(line).collect())
}
