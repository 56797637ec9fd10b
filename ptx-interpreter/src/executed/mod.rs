//! What kernels execute: machine code weighed with how often the interpreter runs the PTX
//! that it comes from. Unlike counts of instructions and figures weighted by the depth of
//! loops, it compares two codes of one kernel that are unrolled differently, and it needs
//! no GPU.
//!
//! [`numbered`] gives each PTX instruction a line of its own, [`assembler`] has ptxas carry
//! it into machine code, [`machine_code::listing`] reads that, the interpreter counts, [`inference`]
//! says from these counts how often each block of the machine code runs, and [`Executed`]
//! adds up. Both files must compute the same.
//!
//! docs/executed.md has the rules and says what this does not see.

pub mod assembler;
mod circulation;
pub mod inference;
pub mod numbered;
pub mod weigh;

use serde::Serialize;

use crate::Module;
use crate::compare::{SEEDS, Verdict, compare};
use crate::kernels::{Scenario, scenario, shapes};
use crate::launch::Options;
use crate::module::Function;
use machine_code::listing::MachineKernel;
use numbered::Numbered;
pub use weigh::{Counts, Executed, weigh};

/// A file and its machine code.
#[derive(Debug)]
pub struct Side {
    /// The file.
    pub file: Numbered,
    /// Its kernels.
    pub kernels: Vec<MachineKernel>,
}

/// What came of one kernel.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// Its name.
    pub kernel: String,
    /// How many launches were added up.
    pub launches: usize,
    /// What the first and the second file execute, or why that is not known.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// Figures of both files, or none.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// What both execute.
    Executed([Executed; 2]),
    /// They compute something else.
    Different(String),
    /// There is nothing to compare.
    Unusable(String),
}

/// Compares the kernels that the first file has, in its order.
pub fn compare_kernels(sides: &[Side; 2], step_limit: u64) -> impl Iterator<Item = Comparison> {
    let kernels = sides[0].file.module.kernels().filter(|f| !f.is_empty());
    kernels.map(move |kernel| {
        let (launches, outcome) = compare_kernel(sides, kernel, step_limit);
        Comparison {
            kernel: kernel.name.clone(),
            launches,
            outcome,
        }
    })
}

/// Runs all shapes with all seeds in the plain order of threads. Launches that cannot be
/// compared are left out on both sides.
fn compare_kernel(sides: &[Side; 2], kernel: &Function, step_limit: u64) -> (usize, Outcome) {
    let name = &kernel.name;
    let files = [sides[0].module(), sides[1].module()];
    let mut counts = files.map(Counts::none);
    let mut launches = 0;
    let mut unusable = "it has not been launched".to_owned();
    let tries = (0..shapes(kernel)).flat_map(|shape| SEEDS.map(|seed| (shape, seed)));
    for (shape, seed) in tries {
        let options = Options {
            garbage_seed: seed * 1000,
            step_limit,
            ..Options::default()
        };
        let scenario = scenario(kernel, shape, seed);
        match compare(files, name, &scenario, &options) {
            Verdict::Equal { reports, .. } => {
                for (counts, report) in counts.iter_mut().zip(&*reports) {
                    counts.add(&report.executions, threads(&scenario));
                }
                launches += 1;
            }
            Verdict::Different(why) => return (launches, Outcome::Different(why)),
            Verdict::Fault(fault) => {
                let why = format!("only the second faults: {fault}");
                return (launches, Outcome::Different(why));
            }
            Verdict::Unusable(why) => unusable = why,
        }
    }
    if launches == 0 {
        return (0, Outcome::Unusable(unusable));
    }
    let machine = |i: usize| sides[i].kernels.iter().find(|k| k.name == *name);
    let (Some(first), Some(second)) = (machine(0), machine(1)) else {
        let why = "there is no machine code of it".to_owned();
        return (launches, Outcome::Unusable(why));
    };
    let executed = [first, second]
        .into_iter()
        .zip(sides)
        .zip(&counts)
        .map(|((machine, side), counts)| weigh(machine, &side.file, counts));
    let executed: Vec<_> = executed.collect();
    let both = [executed[0].clone(), executed[1].clone()];
    (launches, Outcome::Executed(both))
}

/// How many threads a launch executes.
fn threads(scenario: &Scenario) -> u64 {
    let product = |sides: [u32; 3]| sides.iter().map(|&n| u64::from(n)).product::<u64>();
    let blocks = scenario.executed.map(u64::from);
    blocks.unwrap_or_else(|| product(scenario.blocks)) * product(scenario.threads)
}

/// The target that a file is for, as `sm_90a`.
pub fn target(source: &str) -> Option<&str> {
    let rest = source.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix(".target")?;
        rest.starts_with(char::is_whitespace).then_some(rest)
    })?;
    rest.trim().split([',', ' ', ';']).next()
}

impl Side {
    /// Reads and assembles a file.
    pub fn new(source: &str, assembler: &assembler::Assembler) -> Result<Self, String> {
        let target = target(source).ok_or("the file names no target")?;
        let file = Numbered::new(source).map_err(|e| e.to_string())?;
        let kernels = assembler.assemble(&file, target)?;
        Ok(Self { file, kernels })
    }

    /// The PTX.
    pub fn module(&self) -> &Module {
        &self.file.module
    }
}
