//! Replays and checks the allocation problems that the plugin dumps.

use clap::{Args, Parser, Subcommand};
use passes::config::{Config, Pass, Select};
use passes::function::text;
use passes::knobs::{KnobError, Knobs};
use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Allocate registers for functions dumped with -warpalloc-dump, without LLVM.
///
/// WARPALLOC_LOG filters what is logged to stderr, for example
/// WARPALLOC_LOG=debug.
#[derive(Parser)]
#[command(version)]
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
}

#[derive(Args)]
struct Replay {
    /// Dumped functions.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Which select gives the registers: graph or fatpoint.
    #[arg(long, default_value = "graph")]
    select: Select,
    /// At most N 32-bit registers of a GPU's R file.
    #[arg(long, value_name = "N")]
    pressure_limit: Option<u32>,
    /// Weight on degrees in the conservative coalescing test.
    #[arg(long, value_name = "F", default_value_t = Config::default().coalescing_factor)]
    coalescing_factor: f64,
    /// Give up after N spilled values.
    #[arg(long, value_name = "N")]
    spill_limit: Option<u32>,
    /// Optional passes to leave out.
    #[arg(long, value_name = "PASS", value_delimiter = ',')]
    disable: Vec<Pass>,
    /// Knobs to set; the plugin's -warpalloc-knob=help lists them.
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    knob: Vec<String>,
    /// Print where every value lives and the code with its edits.
    #[arg(long)]
    print: bool,
}

impl Replay {
    fn config(&self) -> Result<Config, KnobError> {
        let mut knobs = Knobs::default();
        self.knob
            .iter()
            .try_for_each(|setting| knobs.set(setting))?;
        Ok(Config {
            select: self.select,
            pressure_limit: self.pressure_limit,
            coalescing_factor: self.coalescing_factor,
            spill_limit: self.spill_limit,
            verify: true,
            disabled: self.disable.iter().copied().collect(),
            knobs,
            ..Config::default()
        })
    }
}

fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::from_env("WARPALLOC_LOG"))
        .with_writer(std::io::stderr)
        .init();
    let failures = match Arguments::parse().command {
        Command::Replay(options) => match options.config() {
            Ok(config) => failures(&options.files, |file| replay(file, &config, options.print)),
            Err(error) => {
                eprintln!("--knob: error: {error}");
                1
            }
        },
        Command::Check { files } => failures(&files, check),
    };
    match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Works on every file, reports the errors, and counts them.
fn failures(files: &[PathBuf], work: impl Fn(&Path) -> Result<String, String>) -> usize {
    let mut failures = 0;
    for file in files {
        match work(file) {
            // Whoever reads the output may have seen enough of it.
            Ok(output) => _ = std::io::stdout().write_all(output.as_bytes()),
            Err(error) => {
                eprintln!("{error}");
                failures += 1;
            }
        }
    }
    failures
}

fn replay(file: &Path, config: &Config, print: bool) -> Result<String, String> {
    let (machine, function) = parse(file)?;
    let allocation = passes::allocate(&function, &machine, config)
        .map_err(|error| message(file, format!("function {}: {error}", function.name)))?;
    let mut output = match print {
        true => text::listing(&machine, &function, &allocation),
        false => String::new(),
    };
    output += &format!(
        "warpalloc: function={} {}\n",
        function.name, allocation.statistics
    );
    Ok(output)
}

fn check(file: &Path) -> Result<String, String> {
    let (machine, function) = parse(file)?;
    Ok(text::print(&machine, &function))
}

fn parse(file: &Path) -> Result<(passes::machine::Machine, passes::function::Function), String> {
    let text = fs::read_to_string(file).map_err(|error| message(file, error))?;
    text::parse(&text).map_err(|error| {
        let text::ParseError {
            line,
            column,
            message,
        } = error;
        format!("{}:{line}:{column}: error: {message}", file.display())
    })
}

fn message(file: &Path, error: impl Display) -> String {
    format!("{}: error: {error}", file.display())
}
