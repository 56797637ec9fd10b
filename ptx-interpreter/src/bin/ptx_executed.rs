//! `ptx-executed FIRST.ptx SECOND.ptx`: what the kernels of two files execute, as machine
//! code, on the inputs of `ptx-compare`: see `docs/executed.md`. Prints a table, or JSON;
//! exits with 1 if the files compute something else, with 2 if nothing can be compared.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use ptx_interpreter::executed::assembler::Assembler;
use ptx_interpreter::executed::{Comparison, Executed, Outcome, Side, compare_kernels};

/// Compares what the kernels of two PTX files execute.
#[derive(Parser)]
struct Arguments {
    /// The file to compare with.
    first: PathBuf,
    /// The file to compare.
    second: PathBuf,
    /// Print JSON, a line for each kernel.
    #[arg(long)]
    json: bool,
    /// The assembler.
    #[arg(long, default_value = ".venv/bin/ptxas")]
    ptxas: PathBuf,
    /// The disassembler.
    #[arg(long, default_value = ".venv/bin/nvdisasm")]
    nvdisasm: PathBuf,
    /// The most registers that ptxas may give a thread, in both files.
    #[arg(long)]
    register_limit: Option<u32>,
    /// The most PTX instructions that all threads of a launch together may execute.
    #[arg(long, default_value_t = 60_000_000)]
    step_limit: u64,
}

fn side(path: &PathBuf, assembler: &Assembler) -> Result<Side, String> {
    let source = std::fs::read_to_string(path).map_err(|e| e.to_string());
    let side = source.and_then(|source| Side::new(&source, assembler));
    side.map_err(|e| format!("{}: {e}", path.display()))
}

fn sides(arguments: &Arguments) -> Result<[Side; 2], String> {
    let assembler = Assembler {
        ptxas: arguments.ptxas.clone(),
        nvdisasm: arguments.nvdisasm.clone(),
        register_limit: arguments.register_limit,
    };
    Ok([
        side(&arguments.first, &assembler)?,
        side(&arguments.second, &assembler)?,
    ])
}

fn ratio(first: u64, second: u64) -> String {
    match first {
        0 if second == 0 => "1.000".to_owned(),
        0 => "-".to_owned(),
        _ => format!("{:.3}", second as f64 / first as f64),
    }
}

fn row(name: &str, [first, second]: &[Executed; 2]) {
    let columns = [
        (first.stall_cycles, second.stall_cycles),
        (first.instructions, second.instructions),
        (first.local, second.local),
    ];
    let columns = columns.map(|(a, b)| format!("{a:>12} {b:>12} {:>6}", ratio(a, b)));
    let exact = [first, second].map(|e| 100 * e.exact / e.instructions.max(1));
    println!(
        "{} {:>4} {:>4}  {name}",
        columns.join(" "),
        exact[0],
        exact[1]
    );
}

fn add(sum: &mut Executed, more: &Executed) {
    sum.ptx += more.ptx;
    sum.ptx_local += more.ptx_local;
    sum.instructions += more.instructions;
    sum.stall_cycles += more.stall_cycles;
    sum.local += more.local;
    sum.exact += more.exact;
}

fn table(comparisons: impl Iterator<Item = Comparison>) -> [usize; 3] {
    println!(
        "{:^32} {:^32} {:^32} {:>9}  kernel",
        "stall cycles", "instructions", "local accesses", "% exact"
    );
    let mut counts = [0; 3];
    let mut sums = [Executed::default(), Executed::default()];
    for comparison in comparisons {
        let name = &comparison.kernel;
        match &comparison.outcome {
            Outcome::Executed(both) => {
                counts[0] += 1;
                row(name, both);
                for (sum, more) in sums.iter_mut().zip(both) {
                    add(sum, more);
                }
            }
            Outcome::Different(why) => {
                counts[1] += 1;
                println!("DIFFERENT: {why}: {name}");
            }
            Outcome::Unusable(why) => {
                counts[2] += 1;
                println!("unusable: {why}: {name}");
            }
        }
    }
    row("all", &sums);
    counts
}

fn json(comparisons: impl Iterator<Item = Comparison>) -> [usize; 3] {
    let mut counts = [0; 3];
    for comparison in comparisons {
        let kind = match comparison.outcome {
            Outcome::Executed(_) => 0,
            Outcome::Different(_) => 1,
            Outcome::Unusable(_) => 2,
        };
        counts[kind] += 1;
        match serde_json::to_string(&comparison) {
            Ok(line) => println!("{line}"),
            Err(e) => eprintln!("{}: {e}", comparison.kernel),
        }
    }
    counts
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let sides = match sides(&arguments) {
        Ok(sides) => sides,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(2);
        }
    };
    let comparisons = compare_kernels(&sides, arguments.step_limit);
    let [compared, different, _] = match arguments.json {
        true => json(comparisons),
        false => table(comparisons),
    };
    match (compared, different) {
        (0, 0) => ExitCode::from(2),
        (_, 0) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
