//! The checker on trial: random faults are planted in correct allocations of
//! random functions. What changes the meaning of the code, as execution along
//! random paths finds out, the checker has to reject.
//!
//! The other way round the checker may be too strict: it does not know, as the
//! execution does, that a copy's result is never used, that a value is undefined
//! or that one definition of two is dead.
//!
//! `MUTATIONS=1000000 cargo test --release -p passes --test mutations --
//! --nocapture` plants so many and prints a table.

mod executor;
mod generator;
mod strategies;

use executor::Executor;
use generator::Problem;
use passes::allocate;
use passes::allocation::Allocation;
use passes::budget;
use passes::error::Error;
use passes::function::text;
use passes::machine::gpu;
use passes::mutation::{Kind, Mutator};
use passes::settings::{Pass, Settings};
use passes::verify::{Fault, verify};
use proptest::prelude::Strategy;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config as RunnerConfig, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::fmt;
use strategies::{cpu_problems, gpu_problems};

/// Random paths for each mutation.
const PATHS: usize = 24;

/// In an ordinary test run.
const DEFAULT_COUNT: usize = 8_000;

const FILES: [&str; 4] = [
    include_str!("data/calls.warp"),
    include_str!("data/dot_product.warp"),
    include_str!("data/landing.warp"),
    include_str!("data/pressure.warp"),
];

/// What became of the mutations of one kind.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// The meaning is another one, and the checker says so.
    caught: usize,
    /// The meaning is another one, and the checker accepts it.
    missed: usize,
    /// The meaning is the same on the paths that were run, and the checker
    /// accepts it.
    harmless: usize,
    /// The same, but the checker rejects it.
    refused: usize,
}

impl Tally {
    fn all(&self) -> usize {
        self.caught + self.missed + self.harmless + self.refused
    }

    fn add(&mut self, other: &Self) {
        self.caught += other.caught;
        self.missed += other.missed;
        self.harmless += other.harmless;
        self.refused += other.refused;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            caught,
            missed,
            harmless,
            refused,
        } = self;
        let all = self.all();
        write!(
            formatter,
            "{all:>9} {caught:>9} {missed:>9} {harmless:>9} {refused:>9}"
        )
    }
}

/// A function and how it is allocated.
struct Trial {
    problem: Problem,
    settings: Settings,
}

/// A trial for each number: CPUs, GPUs, and the files now and then.
fn trial(number: usize) -> Trial {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&(number as u64).to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(RunnerConfig::default(), random);
    let mut random = fastrand::Rng::with_seed(number as u64);
    let mut settings = Settings {
        rename_joined: random.bool(),
        measure: false,
        ..Settings::default()
    };
    for pass in [Pass::Coalesce, Pass::OptimisticCoalesce, Pass::Hints] {
        if random.u32(..5) == 0 {
            settings.disabled.insert(pass);
        }
    }
    let problem = match number % 32 {
        0 => {
            let (machine, function) = text::parse(FILES[number / 32 % FILES.len()]).unwrap();
            settings.class_limit = Some(random.u32(2..6));
            Problem { machine, function }
        }
        odd if odd % 2 == 1 => {
            settings.class_limit = random.bool().then(|| random.u32(3..7));
            cpu_problems().new_tree(&mut runner).unwrap().current()
        }
        _ => {
            settings.pressure_limit = Some(random.u32(6..28));
            let tree = gpu_problems(255..=255).new_tree(&mut runner);
            let mut problem = tree.unwrap().current();
            // Few predicates, which are spilled through other registers.
            let predicates = random.usize(1..8);
            let class = &mut problem.machine.classes[gpu::PREDICATE];
            class.order.truncate(predicates);
            problem
        }
    };
    Trial { problem, settings }
}

/// Faults of registers in flight that were caught.
#[derive(Default)]
struct InFlight {
    /// Accesses before the wait.
    accesses: usize,
    /// Operands of multiplications that were written behind the fence.
    behind_fences: usize,
}

impl InFlight {
    fn add(&mut self, fault: &Fault) {
        match fault {
            Fault::InFlight { .. } => self.accesses += 1,
            Fault::WrittenBehindFence { .. } => self.behind_fences += 1,
            _ => {}
        }
    }
}

/// Plants a fault of each kind in one allocation.
fn plant(
    trial: &Trial,
    number: usize,
    tallies: &mut BTreeMap<Kind, Tally>,
    in_flight: &mut InFlight,
) {
    let Problem { machine, function } = &trial.problem;
    let allocation = match allocate(function, machine, &trial.settings) {
        Ok(allocation) => allocation,
        Err(Error::BudgetTooSmall { .. } | Error::OutOfRegisters { .. }) => return,
        Err(error) => panic!("{error}: {:?}", trial.problem),
    };
    let machine = budget::restrict_to_asked(machine, &trial.settings);
    let machine = allocation.machine(&machine);
    let mut random = fastrand::Rng::with_seed(number as u64);
    let mut runs_right = |allocation: &Allocation| {
        let executor = Executor::new(function, &machine, allocation)?;
        executor.paths(PATHS, &mut random)
    };
    let opinion = verify(function, &machine, &allocation);
    assert_eq!(opinion, Ok(()), "{:?}", trial.problem);
    assert_eq!(runs_right(&allocation), Ok(()), "{:?}", trial.problem);
    let mutator = Mutator::new(function, &machine, &allocation);
    for kind in Kind::ALL {
        let Some(mutation) = mutator.mutate(&[kind], number as u64) else {
            continue;
        };
        let opinion = verify(function, &machine, &mutation.allocation);
        let meaning = runs_right(&mutation.allocation);
        let tally = tallies.entry(kind).or_default();
        match (&meaning, &opinion) {
            (Err(_), Err(fault)) => {
                tally.caught += 1;
                in_flight.add(fault);
            }
            (Ok(()), Ok(())) => tally.harmless += 1,
            (Ok(()), Err(_)) => tally.refused += 1,
            (Err(difference), Ok(())) => {
                tally.missed += 1;
                println!("missed in trial {number}: {mutation}: {difference:?}");
            }
        }
    }
}

#[test]
fn what_changes_the_meaning_is_rejected() {
    let count = std::env::var("MUTATIONS").ok();
    let count = count.map_or(DEFAULT_COUNT, |count| count.parse().expect("a number"));
    let mut tallies = BTreeMap::new();
    let mut in_flight = InFlight::default();
    let mut sum = Tally::default();
    for number in 0.. {
        plant(&trial(number), number, &mut tallies, &mut in_flight);
        sum = Tally::default();
        tallies.values().for_each(|tally| sum.add(tally));
        if sum.all() >= count {
            break;
        }
    }
    println!("                   planted    caught    missed  harmless   refused");
    for (kind, tally) in &tallies {
        println!("{:<16} {tally}", format!("{kind:?}"));
    }
    println!("{:<16} {sum}", "all");
    assert_eq!(tallies.len(), Kind::ALL.len(), "every kind is planted");
    println!(
        "caught in flight {}, behind fences {}",
        in_flight.accesses, in_flight.behind_fences
    );
    assert_eq!(sum.missed, 0, "a fault was missed");
    assert!(in_flight.accesses > 0 && in_flight.behind_fences > 0);
}
