//! Runs the kernels of two files with the same arguments and compares global memory.
//!
//! The two runs get different garbage in registers and memory, so that a result that
//! depends on garbage shows; whether the first file alone already depends on it is
//! then found out by running that one with both.

use crate::error::Fault;
use crate::kernels::{Argument, SHAPES, Scenario, scenario};
use crate::launch::{Launch, Options, Report, launch};
use crate::memory::GlobalMemory;
use crate::module::Module;

/// Seeds of arguments; the second also shuffles the schedule.
pub const SEEDS: [u64; 2] = [1, 2];

/// What came of one comparison.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// All of global memory is equal.
    Equal {
        /// Bytes compared.
        bytes: usize,
        /// How many of them the kernel changed.
        changed: usize,
        /// What both runs did.
        reports: Box<[Report; 2]>,
    },
    /// Memory differs: where first.
    Different(String),
    /// The second run ended in a fault, the first did not.
    Fault(Fault),
    /// The first file's results depend on garbage, or it faults: nothing to compare.
    Unusable(String),
}

/// One comparison.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The kernel.
    pub kernel: String,
    /// Which of the shapes.
    pub shape: usize,
    /// Which of the seeds.
    pub seed: u64,
    /// What came of it.
    pub verdict: Verdict,
}

fn run(
    module: &Module,
    kernel: &str,
    scenario: &Scenario,
    options: &Options,
) -> Result<(GlobalMemory, Report), Fault> {
    let mut memory = GlobalMemory::new(module);
    let arguments = scenario.arguments.iter().enumerate().map(|(i, argument)| {
        argument.bytes(|buffer| memory.allocate(&format!("argument {i}"), buffer.into()))
    });
    let arguments = arguments.collect();
    let (blocks, threads) = (scenario.blocks, scenario.threads);
    let what = Launch {
        kernel: kernel.to_owned(),
        blocks,
        threads,
        arguments,
    };
    let report = launch(module, &mut memory, &what, options)?;
    Ok((memory, report))
}

fn difference(a: &GlobalMemory, b: &GlobalMemory) -> Option<String> {
    let (a, b) = (a.global.all(), b.global.all());
    if a.len() != b.len() {
        return Some("the files have different variables".to_owned());
    }
    a.iter().zip(b).find_map(|(a, b)| {
        let at = (0..a.bytes.len().max(b.bytes.len())).find(|&i| a.bytes.get(i) != b.bytes.get(i));
        at.map(|at| {
            let byte = |r: &[u8]| {
                r.get(at)
                    .map_or("nothing".to_owned(), |b| format!("{b:#04x}"))
            };
            format!(
                "{}, byte {at}: {} and {}",
                a.name,
                byte(&a.bytes),
                byte(&b.bytes)
            )
        })
    })
}

fn counts(before: &Scenario, after: &GlobalMemory) -> (usize, usize) {
    let bytes = after.global.all().iter().map(|r| r.bytes.len()).sum();
    let buffers: Vec<_> = before
        .arguments
        .iter()
        .flat_map(Argument::buffers)
        .collect();
    // The buffers were allocated last, in order.
    let regions = after.global.all().iter().rev();
    let pairs = buffers.into_iter().rev().zip(regions);
    let changed = pairs
        .map(|(b, r)| b.iter().zip(&r.bytes).filter(|(x, y)| x != y).count())
        .sum();
    (bytes, changed)
}

/// Compares one launch.
pub fn compare(
    files: [&Module; 2],
    kernel: &str,
    scenario: &Scenario,
    options: &Options,
) -> Verdict {
    let other = Options {
        garbage_seed: options.garbage_seed.wrapping_add(1),
        ..options.clone()
    };
    let (first, report) = match run(files[0], kernel, scenario, options) {
        Ok(done) => done,
        Err(fault) => return Verdict::Unusable(fault.to_string()),
    };
    let second = run(files[1], kernel, scenario, &other);
    if let Ok((second, second_report)) = &second
        && difference(&first, second).is_none()
    {
        let (bytes, changed) = counts(scenario, second);
        let reports = Box::new([report, second_report.clone()]);
        return Verdict::Equal {
            bytes,
            changed,
            reports,
        };
    }
    // Something is wrong; is it the first file?
    let depends = match run(files[0], kernel, scenario, &other) {
        Ok((again, _)) => difference(&first, &again),
        Err(fault) => Some(fault.to_string()),
    };
    match (depends, second) {
        (Some(why), _) => Verdict::Unusable(format!("depends on undefined values: {why}")),
        (None, Err(fault)) => Verdict::Fault(fault),
        (None, Ok((second, _))) => {
            Verdict::Different(difference(&first, &second).unwrap_or_default())
        }
    }
}

/// Compares all kernels of the first file in all shapes, with all seeds.
pub fn compare_all(files: [&Module; 2], step_limit: u64) -> Vec<Outcome> {
    let mut out = Vec::new();
    for kernel in files[0].kernels() {
        for shape in 0..SHAPES {
            for seed in SEEDS {
                let schedule_seed = (seed != SEEDS[0]).then_some(seed);
                let options = Options {
                    garbage_seed: seed * 1000,
                    schedule_seed,
                    step_limit,
                };
                let scenario = scenario(kernel, shape, seed);
                let verdict = compare(files, &kernel.name, &scenario, &options);
                out.push(Outcome {
                    kernel: kernel.name.clone(),
                    shape,
                    seed,
                    verdict,
                });
            }
        }
    }
    out
}
