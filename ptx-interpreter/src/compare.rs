//! Runs the kernels of two files with the same arguments and compares global memory, where
//! the accesses were to global and shared memory, and what was stored there: register
//! allocation adds none, takes none away and changes none. An access that should not be may
//! write what is there anyway, and what is wrong in shared memory may be read by nobody.
//!
//! The two runs get different garbage in registers and memory, so that a result that
//! depends on garbage shows; whether the first file alone already depends on it is
//! then found out by running that one with both.
//!
//! A register in flight must not be touched (see [`Report::in_flight`]). If the first file
//! does so, it is executed as it is meant: results of `tcgen05.ld`, which stock `llc` may
//! use before the wait, are there at once, and fragments of A, which Triton lets `wgmma`
//! read while the next ones are computed, are read at once. The second file must wait for
//! its loads all the same, and it must not touch registers in flight more often.
//!
//! Each launch is compared in the plain order of threads and in a jittered one, which
//! is the same for both files (see [`crate::launch`]): a race, or the order of atomic
//! additions of floats, cannot make two correct files differ. A difference between the
//! two orders is no fault and is not looked for.

use crate::error::Fault;
use crate::kernels::{Scenario, scenario, shapes};
use crate::launch::{Early, Launch, Options, Report, launch};
use crate::memory::GlobalMemory;
use crate::module::{Function, Module};

/// Seeds of arguments, garbage and jittered schedules.
pub const SEEDS: [u64; 2] = [1, 2];

/// What came of one comparison.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// All of global memory is equal, and so are the accesses.
    Equal {
        /// Bytes compared.
        bytes: usize,
        /// How many of them the kernel changed.
        changed: usize,
        /// What both runs did.
        reports: Box<[Report; 2]>,
    },
    /// Memory differs: where first. Or the accesses do.
    Different(String),
    /// The second run ended in a fault, the first did not.
    Fault(Fault),
    /// The first file's results depend on garbage, or it faults or changes nothing:
    /// nothing to compare.
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
    /// Whether threads took turns in a random order.
    pub jittered: bool,
    /// What came of it.
    pub verdict: Verdict,
}

/// Memory before and after a launch, and what it did.
#[derive(Debug, Clone)]
pub struct Run {
    /// Variables and buffers with their first contents; the buffers come last, in order.
    pub before: GlobalMemory,
    /// The same when the kernel has ended.
    pub after: GlobalMemory,
    /// The bytes of each parameter.
    pub arguments: Vec<Vec<u8>>,
    /// What the run did besides.
    pub report: Report,
}

/// Runs one launch.
pub fn run(
    module: &Module,
    kernel: &str,
    scenario: &Scenario,
    options: &Options,
) -> Result<Run, Fault> {
    let mut before = GlobalMemory::new(module);
    let arguments = scenario
        .arguments
        .iter()
        .enumerate()
        .map(|(i, argument)| argument.bytes(&format!("argument {i}"), &mut before));
    let arguments: Vec<_> = arguments.collect();
    let what = Launch {
        kernel: kernel.to_owned(),
        blocks: scenario.blocks,
        threads: scenario.threads,
        executed: scenario.executed,
        arguments: arguments.clone(),
    };
    let mut after = before.clone();
    let report = launch(module, &mut after, &what, options)?;
    Ok(Run {
        before,
        after,
        arguments,
        report,
    })
}

/// The same for a program of which what it does before a wait is meant to be so; gives the
/// options with which it was.
pub fn run_as_meant(
    module: &Module,
    kernel: &str,
    scenario: &Scenario,
    options: &Options,
) -> Result<(Run, Options), Fault> {
    let strict = run(module, kernel, scenario, options)?;
    let early = strict.report.meant;
    if early == Early::default() {
        return Ok((strict, options.clone()));
    }
    let options = Options {
        early,
        ..options.clone()
    };
    Ok((run(module, kernel, scenario, &options)?, options))
}

fn difference(a: &Run, b: &Run) -> Option<String> {
    memory_difference(&a.after, &b.after).or_else(|| {
        let (a, b) = (&a.report, &b.report);
        let equal = (a.visible, a.trace) == (b.visible, b.trace);
        (!equal).then(|| "the accesses to memory".to_owned())
    })
}

/// Like [`difference`]; what is stored counts as well, even if it is overwritten later or
/// lies in shared memory.
fn any_difference(a: &Run, b: &Run) -> Option<String> {
    difference(a, b).or_else(|| {
        let equal = a.report.stored == b.report.stored;
        (!equal).then(|| "what is stored on the way".to_owned())
    })
}

fn memory_difference(a: &GlobalMemory, b: &GlobalMemory) -> Option<String> {
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

/// How often registers in flight are touched.
fn touches(run: &Run) -> u64 {
    run.report.in_flight.values().sum()
}

/// How many bytes there are, and how many the launch changed.
fn counts(run: &Run) -> (usize, usize) {
    let after = run.after.global.all();
    let pairs = run.before.global.all().iter().zip(after);
    let changed = pairs
        .map(|(b, a)| b.bytes.iter().zip(&a.bytes).filter(|(x, y)| x != y).count())
        .sum();
    (after.iter().map(|r| r.bytes.len()).sum(), changed)
}

/// Compares one launch.
pub fn compare(
    files: [&Module; 2],
    kernel: &str,
    scenario: &Scenario,
    options: &Options,
) -> Verdict {
    let (first, options) = match run_as_meant(files[0], kernel, scenario, options) {
        Ok(done) => done,
        Err(fault) => return Verdict::Unusable(fault.to_string()),
    };
    let other = Options {
        garbage_seed: options.garbage_seed.wrapping_add(1),
        early: Early {
            loads: false,
            ..options.early
        },
        ..options
    };
    let (bytes, changed) = counts(&first);
    if changed == 0 {
        return Verdict::Unusable("no memory is changed".to_owned());
    }
    let second = run(files[1], kernel, scenario, &other);
    let equal = |first: Run, second: Run| Verdict::Equal {
        bytes,
        changed,
        reports: Box::new([first.report, second.report]),
    };
    let second = match second {
        Ok(second) if touches(&second) > touches(&first) => {
            let lines = second.report.in_flight_lines(files[1]);
            return Verdict::Different(format!(
                "registers in flight are touched on lines {lines:?}"
            ));
        }
        Ok(second) if any_difference(&first, &second).is_none() => return equal(first, second),
        second => second,
    };
    // Something is wrong; is it the first file?
    let again = Options {
        early: options.early,
        ..other
    };
    let again = run(files[0], kernel, scenario, &again);
    let depends = match &again {
        Ok(again) => difference(&first, again),
        Err(fault) => Some(fault.to_string()),
    };
    match (depends, second) {
        (Some(why), _) => {
            let mut what = format!("depends on undefined values: {why}");
            let lines = first.report.in_flight_lines(files[0]);
            if !lines.is_empty() {
                what += &format!("; registers in flight are touched on lines {lines:?}");
            }
            Verdict::Unusable(what)
        }
        (None, Err(fault)) => Verdict::Fault(fault),
        // The first file stores garbage, but nothing comes of it.
        (None, Ok(second))
            if difference(&first, &second).is_none()
                && again.is_ok_and(|again| any_difference(&first, &again).is_some()) =>
        {
            equal(first, second)
        }
        (None, Ok(second)) => {
            let mut what = any_difference(&first, &second).unwrap_or_default();
            let [one, two] = [&first, &second].map(|run| run.report.visible);
            if one != two {
                what += &format!("; {one} and {two} visible accesses");
            }
            Verdict::Different(what)
        }
    }
}

/// Compares all kernels of the first file that do anything in all shapes, with all
/// seeds, in the plain order and in a jittered one, as far as outcomes are asked for.
pub fn compare_all(files: [&Module; 2], step_limit: u64) -> impl Iterator<Item = Outcome> {
    let kernels = files[0].kernels().filter(|f| !f.is_empty());
    kernels.flat_map(move |kernel| compare_kernel(files, kernel, step_limit))
}

/// Compares one kernel of the first file so.
pub fn compare_kernel<'a>(
    files: [&'a Module; 2],
    kernel: &'a Function,
    step_limit: u64,
) -> impl Iterator<Item = Outcome> + use<'a> {
    tries(shapes(kernel)).map(move |(shape, seed, jittered)| {
        let options = Options {
            garbage_seed: seed * 1000,
            schedule_seed: jittered.then_some(seed),
            step_limit,
            ..Options::default()
        };
        let scenario = scenario(kernel, shape, seed);
        Outcome {
            kernel: kernel.name.clone(),
            shape,
            seed,
            jittered,
            verdict: compare(files, &kernel.name, &scenario, &options),
        }
    })
}

/// Shapes, seeds, and whether the schedule is jittered.
fn tries(shapes: usize) -> impl Iterator<Item = (usize, u64, bool)> {
    (0..shapes).flat_map(|shape| {
        SEEDS
            .into_iter()
            .flat_map(move |seed| [false, true].map(|jittered| (shape, seed, jittered)))
    })
}
