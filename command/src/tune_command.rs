//! `warpalloc tune`: the command line of the crate of that name.

use clap::Args;
use command::find;
use passes::choices::Choices;
use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use tune::cache::Cache;
use tune::measure::{Compilation, json};
use tune::tools::Tools;
use tune::{Outcome, Request};

/// What is asked for.
///
/// For each kernel the module is compiled with several options, ptxas judges each, and the
/// best that is no worse than stock in any measure is written. See docs/choices.md.
#[derive(Args)]
pub struct TuneOptions {
    /// LLVM IR, as text or bitcode.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The choices file to write.
    #[arg(short, value_name = "FILE.json")]
    output: PathBuf,
    /// The processor.
    #[arg(long, default_value = "sm_90")]
    sm: String,
    /// The version of PTX, without its point.
    #[arg(long, value_name = "N", default_value_t = 88)]
    ptx: u32,
    /// The most registers that ptxas may give a thread, whatever launch bounds say.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    cap: Option<u32>,
    /// LLVM 22's llc; else that of WARPALLOC_LLC, llc-22 of the path, Debian's.
    #[arg(long, value_name = "PATH")]
    llc: Option<PathBuf>,
    /// The plugin; else the one beside this program or in ../lib.
    #[arg(long, value_name = "PATH")]
    plugin: Option<PathBuf>,
    /// NVIDIA's assembler; else that of the path.
    #[arg(long, value_name = "PATH")]
    ptxas: Option<PathBuf>,
    /// Its disassembler; else the one beside ptxas or that of the path.
    #[arg(long, value_name = "PATH")]
    nvdisasm: Option<PathBuf>,
    /// A command that decides instead of figures: it gets the paths of the PTX and of the
    /// cubin and a kernel's name, and prints how long that takes.
    #[arg(long, value_name = "COMMAND")]
    time: Option<String>,
    /// Programs that run at once; else as many as there are processors.
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// Where to keep what the tools say; else warpalloc below the user's cache folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,
    /// Keep nothing, and believe nothing that was kept.
    #[arg(long)]
    no_cache: bool,
    /// What else llc is told.
    #[arg(last = true, value_name = "LLC ARGUMENTS")]
    arguments: Vec<String>,
}

/// Runs it; how many failures there were.
pub fn run(options: TuneOptions) -> usize {
    match tune_and_write(options) {
        Ok(report) => {
            // Whoever reads the output may have seen enough of it.
            let _ = std::io::stdout().write_all(report.as_bytes());
            0
        }
        Err(error) => {
            eprintln!("warpalloc tune: error: {error}");
            1
        }
    }
}

fn tune_and_write(options: TuneOptions) -> Result<String, String> {
    let found = |given: Option<PathBuf>, find: &dyn Fn() -> Result<PathBuf, find::NotFound>| {
        given.map_or_else(|| find().map_err(|error| error.to_string()), Ok)
    };
    let ptxas = found(options.ptxas, &|| find::program("ptxas", None))?;
    let tools = Tools {
        llc: found(options.llc, &find::llc)?,
        plugin: found(options.plugin, &find::plugin)?,
        nvdisasm: found(options.nvdisasm, &|| {
            find::program("nvdisasm", Some(&ptxas))
        })?,
        ptxas,
    };
    let folder = match options.no_cache {
        true => None,
        false => options.cache.or_else(cache_folder),
    };
    let request = Request {
        tools,
        compilation: Compilation {
            input: options.input,
            processor: options.sm,
            ptx_version: options.ptx,
            arguments: options.arguments,
            cap: options.cap,
        },
        cache: Cache { folder },
        time: options.time,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs);
    let pool = pool.build().map_err(|error| error.to_string())?;
    let outcome = pool.install(|| tune::tune(request));
    let outcome = outcome.map_err(|error| error.to_string())?;
    write(&options.output, &json(&outcome.choices))?;
    Ok(report(&outcome))
}

/// The folder of the user's cache for us, if there is a user.
fn cache_folder() -> Option<PathBuf> {
    let named = |name| env::var_os(name).filter(|value| !value.is_empty());
    let folder = match named("XDG_CACHE_HOME") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(named("HOME")?).join(".cache"),
    };
    Some(folder.join("warpalloc"))
}

/// Writes all of a file or nothing.
fn write(file: &Path, text: &str) -> Result<(), String> {
    let message = |error: std::io::Error| format!("{}: {error}", file.display());
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut temporary = tempfile::NamedTempFile::new_in(folder).map_err(message)?;
    temporary.write_all(text.as_bytes()).map_err(message)?;
    temporary
        .persist(file)
        .map_err(|error| message(error.error))?;
    Ok(())
}

/// A line for each kernel, and sums; what is chosen by the loops of stock.
fn report(outcome: &Outcome) -> String {
    let mut lines = String::new();
    let mut sums = [0; 4];
    for (name, chosen) in &outcome.chosen {
        let Some(stock) = outcome.stock.get(name) else {
            continue;
        };
        let beside = chosen.beside(stock);
        let [local, issue] = [beside.local, beside.issue].map(|one| one.by_loops_of_stock());
        let costs = [stock.local, local, stock.issue, issue];
        for (sum, cost) in sums.iter_mut().zip(costs) {
            *sum += cost;
        }
        lines += &format!(
            "{name}: {}: {}, warps {} -> {}, registers {} -> {}\n",
            options(&outcome.choices, name),
            costs_text(costs),
            stock.warps,
            chosen.warps,
            stock.registers,
            chosen.registers,
        );
    }
    lines + &format!("{} kernels: {}\n", outcome.stock.len(), costs_text(sums))
}

fn costs_text([local, chosen_local, issue, chosen_issue]: [u64; 4]) -> String {
    format!("local {local} -> {chosen_local}, issue {issue} -> {chosen_issue}")
}

/// The options of a kernel, in a line.
fn options(choices: &Choices, kernel: &str) -> String {
    let one = choices.choices.iter().find(|one| one.function == kernel);
    one.map_or(String::new(), |one| tune::variants::text(&one.options))
}
