//! `warpalloc replay` and `warpalloc check`: functions that the plugin has dumped.

use clap::Args;
use passes::explain::listing;
use passes::function::text;
use passes::knobs::KnobError;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor as SM;
use passes::pipeline::{Input, Predicted, compile, dump};
use passes::prediction::callees::Functions;
use passes::settings::{Order, Pass, Profile, Select, Settings, Spills};
use passes::statistics::Statistics;
use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Args)]
pub struct Replay {
    /// Dumped functions.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Settings that belong together, in place of the dump's: auto, ptxas or cicc.
    #[arg(long)]
    profile: Option<Profile>,
    /// Which select gives the registers: graph or fatpoint.
    #[arg(long)]
    select: Option<Select>,
    /// In which order they are given: lists or degrees.
    #[arg(long)]
    order: Option<Order>,
    /// At most N 32-bit registers of a GPU's R file.
    #[arg(long, value_name = "N")]
    pressure_limit: Option<u32>,
    /// Who spills on a GPU: auto, here or ptxas.
    #[arg(long)]
    spills: Option<Spills>,
    /// Weight on degrees in the conservative coalescing test.
    #[arg(long, value_name = "F")]
    coalescing_factor: Option<f64>,
    /// Give up after N spilled values.
    #[arg(long, value_name = "N")]
    spill_limit: Option<u32>,
    /// Optional passes to run that the dump leaves out.
    #[arg(long, value_name = "PASS", value_delimiter = ',')]
    enable: Vec<Pass>,
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
    /// The settings of a dump with what the command line says instead. The SM is that of a
    /// GPU's function.
    fn settings(&self, dumped: Settings, sm: Option<&SM>) -> Result<Settings, KnobError> {
        let dumped = match self.profile {
            Some(profile) => dumped.in_profile(profile, sm),
            None => dumped,
        };
        let mut knobs = dumped.knobs;
        self.knob
            .iter()
            .try_for_each(|setting| knobs.set(setting))?;
        let mut disabled = dumped.disabled;
        disabled.retain(|pass| !self.enable.contains(pass));
        disabled.extend(&self.disable);
        Ok(Settings {
            select: self.select.unwrap_or(dumped.select),
            order: self.order.or(dumped.order),
            pressure_limit: self.pressure_limit.or(dumped.pressure_limit),
            spills: self.spills.unwrap_or(dumped.spills),
            coalescing_factor: self.coalescing_factor.unwrap_or(dumped.coalescing_factor),
            spill_limit: self.spill_limit.or(dumped.spill_limit),
            disabled,
            knobs,
            verify: true,
            measure: true,
            ..dumped
        })
    }
}

/// Replays files, which are taken for functions of one module; how many have failed.
pub fn replay_all(options: &Replay) -> usize {
    if let Err(error) = options.settings(Settings::default(), None) {
        eprintln!("--knob: error: {error}");
        return 1;
    }
    let (replayed, failures) = each(&options.files, |file| replay(file, options));
    let mut functions = Functions::default();
    for one in &replayed {
        if let Some(predicted) = &one.predicted {
            functions.add(&one.name, predicted.expected.clone());
        }
    }
    for mut one in replayed {
        let prediction = one
            .predicted
            .map(|predicted| predicted.with_callees(&functions));
        one.statistics.prediction = prediction;
        let Replayed { name, listing, .. } = one;
        let statistics = one.statistics;
        print(&format!(
            "{listing}warpalloc: function={name} {statistics}\n"
        ));
    }
    failures
}

/// Checks files; how many have failed.
pub fn check_all(files: &[PathBuf]) -> usize {
    let (checked, failures) = each(files, check);
    checked.iter().for_each(|text| print(text));
    failures
}

/// Works on every file, and reports the errors: what comes of it, and how many have failed.
fn each<T>(files: &[PathBuf], work: impl Fn(&Path) -> Result<T, String>) -> (Vec<T>, usize) {
    let mut done = Vec::new();
    for file in files {
        match work(file) {
            Ok(one) => done.push(one),
            Err(error) => eprintln!("{error}"),
        }
    }
    let failures = files.len() - done.len();
    (done, failures)
}

fn print(output: &str) {
    // Whoever reads it may have seen enough of it.
    _ = std::io::stdout().write_all(output.as_bytes());
}

/// A function that has been allocated again.
struct Replayed {
    name: String,
    /// What is printed of it, if that is asked for.
    listing: String,
    statistics: Statistics,
    /// What is predicted of it, on a GPU.
    predicted: Option<Predicted>,
}

fn replay(file: &Path, options: &Replay) -> Result<Replayed, String> {
    let (input, dumped) = parse(file)?;
    let settings = options
        .settings(dumped, input.gpu.as_ref().map(|gpu| gpu.sm))
        .map_err(|error| message(file, error))?;
    let name = input.function.name.clone();
    let outcome = compile(input, &settings)
        .map_err(|error| message(file, format!("function {name}: {error}")))?;
    let listing = match options.print && outcome.left.is_none() {
        true => listing(&outcome.machine, &outcome.function, &outcome.allocation),
        false => String::new(),
    };
    Ok(Replayed {
        name,
        listing,
        statistics: outcome.allocation.statistics,
        predicted: outcome.figures.within_budget,
    })
}

fn check(file: &Path) -> Result<String, String> {
    let (input, settings) = parse(file)?;
    Ok(dump::print(&input, &settings))
}

fn parse(file: &Path) -> Result<(Input, Settings), String> {
    let text = fs::read_to_string(file).map_err(|error| message(file, error))?;
    dump::parse(&text).map_err(|error| {
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
