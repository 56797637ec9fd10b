//! `ptx-compare STOCK.ptx ALLOCATED.ptx [FUNCTION]`: launches every kernel of both files with
//! the same arguments and compares all of global memory bit by bit. Prints a line for each
//! launch; exits with 1 if anything differs, with 2 if there is nothing to compare. With a
//! FUNCTION, of which it is known that it may be wrong, it ends at the first difference; if
//! that is a kernel, no other is launched.

use std::process::ExitCode;

use ptx_interpreter::Module;
use ptx_interpreter::compare::{Outcome, Verdict, compare_all, compare_kernel};

/// A second or two; the kernels in `examples/` stay below.
const STEP_LIMIT: u64 = 60_000_000;

fn read(path: &str) -> Result<Module, String> {
    let source = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    Module::parse(&source).map_err(|e| format!("{path}: {e}"))
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (stock, allocated, suspect) = match arguments.as_slice() {
        [stock, allocated] => (stock, allocated, None),
        [stock, allocated, function] => (stock, allocated, Some(function)),
        _ => {
            eprintln!("usage: ptx-compare STOCK.ptx ALLOCATED.ptx [FUNCTION]");
            return ExitCode::from(2);
        }
    };
    let (stock, allocated) = match (read(stock), read(allocated)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(e), _) | (_, Err(e)) => {
            eprintln!("refused: {e}");
            return ExitCode::from(2);
        }
    };
    let (mut equal, mut different, mut unusable) = (0, 0, 0);
    let files = [&stock, &allocated];
    let suspected = suspect.and_then(|name| stock.kernels().find(|f| f.name == *name));
    let outcomes: Box<dyn Iterator<Item = Outcome>> = match suspected {
        Some(kernel) => Box::new(compare_kernel(files, kernel, STEP_LIMIT)),
        None => Box::new(compare_all(files, STEP_LIMIT)),
    };
    for outcome in outcomes {
        let what = match outcome.verdict {
            Verdict::Equal {
                bytes,
                changed,
                reports,
            } => {
                equal += 1;
                let unwritten: Vec<_> = reports
                    .iter()
                    .zip([&stock, &allocated])
                    .map(|(r, m)| r.unwritten_lines(m))
                    .collect();
                let mut text = format!(
                    "equal: {bytes} bytes, {changed} changed; {} and {} steps",
                    reports[0].steps, reports[1].steps
                );
                if unwritten.iter().any(|lines| !lines.is_empty()) {
                    text += &format!("; unwritten read on lines {unwritten:?}");
                }
                text
            }
            Verdict::Different(what) => {
                different += 1;
                format!("DIFFERENT: {what}")
            }
            Verdict::Fault(fault) => {
                different += 1;
                format!("DIFFERENT: only the second faults: {fault}")
            }
            Verdict::Unusable(why) => {
                unusable += 1;
                format!("unusable: {why}")
            }
        };
        println!(
            "{} shape {} seed {}{}: {what}",
            outcome.kernel,
            outcome.shape,
            outcome.seed,
            if outcome.jittered { " jittered" } else { "" }
        );
        if suspect.is_some() && different > 0 {
            break;
        }
    }
    println!("{equal} equal, {different} different, {unusable} unusable");
    match (different, equal) {
        (0, 0) => ExitCode::from(2),
        (0, _) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
