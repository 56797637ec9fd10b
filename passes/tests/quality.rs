//! What the allocator makes of a fixed set of random functions, in figures.
//!
//! A change of any heuristic changes a figure here, which is to be looked at, not to
//! be avoided: `INSTA_UPDATE=always cargo test -p passes --test quality` writes the
//! new ones when the benchmarks agree. That a figure is good is what the benchmarks
//! on real code say; that it is not an accident is what this test says.

mod generator;

use generator::{Problem, cpu_problem, gpu_problem};
use passes::allocate;
use passes::allocation::{Allocation, EditKind, Position};
use passes::function::{Function, Instruction};
use passes::settings::{CostModel, DocumentedCost};
use passes::settings::{Order, Pass, Profile, Select, Settings};
use std::fmt;

/// Functions of each kind.
const COUNT: u64 = 150;

/// Sums over all functions. Code is weighted with its block's frequency.
#[derive(Default)]
struct Figures {
    declined: u32,
    registers: u32,
    spilled: u32,
    stores: f64,
    reloads: f64,
    copies: f64,
    conflicts: u32,
    moves: u32,
    rounds: u32,
}

impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:>8} {:>9} {:>7} {:>9.2} {:>9.2} {:>9.2} {:>9} {:>6} {:>6}",
            self.declined,
            self.registers,
            self.spilled,
            self.stores,
            self.reloads,
            self.copies,
            self.conflicts,
            self.moves,
            self.rounds
        )
    }
}

impl Figures {
    fn add(&mut self, problem: &Problem, settings: &Settings) {
        let Problem { machine, function } = problem;
        let Ok(allocation) = allocate(function, machine, settings) else {
            self.declined += 1;
            return;
        };
        // Accumulators count among R.
        let files = allocation
            .statistics
            .files
            .iter()
            .filter(|file| file.name != "T");
        self.registers += files.map(|file| file.used).sum::<u32>();
        self.spilled += allocation.statistics.spilled;
        self.rounds += allocation.statistics.rounds;
        self.conflicts += allocation.statistics.bank_conflicts.unwrap_or(0);
        self.moves += allocation.statistics.tuple_moves.unwrap_or(0);
        self.add_edits(function, &allocation);
    }

    fn add_edits(&mut self, function: &Function, allocation: &Allocation) {
        let blocks = function.instruction_blocks();
        let frequency = |instruction: Instruction| {
            function.blocks[blocks[instruction.as_u32() as usize]].frequency
        };
        let instructions = function.instructions.keys();
        let copies = instructions.filter(|&one| function.copy_operands(one).is_some());
        self.copies += copies.map(frequency).sum::<f64>();
        for edit in &allocation.edits {
            let (Position::Before(at) | Position::After(at)) = edit.at;
            match edit.kind {
                EditKind::Store { .. } => self.stores += frequency(at),
                EditKind::Reload { .. } => self.reloads += frequency(at),
                EditKind::DeleteCopy => self.copies -= frequency(at),
                _ => {}
            }
        }
    }
}

/// The settings that are tried, by name.
fn configs() -> Vec<(&'static str, Settings)> {
    let graph = Settings::default();
    let fatpoint = Settings {
        select: Select::FatPoint,
        ..Settings::default()
    };
    let without = |settings: &Settings, pass| Settings {
        disabled: [pass].into(),
        ..settings.clone()
    };
    let four = |settings: &Settings| Settings {
        class_limit: Some(4),
        ..settings.clone()
    };
    let no_retries = |settings: &Settings| Settings {
        spill_retries: 0,
        ..settings.clone()
    };
    let documented = |settings: &Settings| Settings {
        spill_cost: CostModel::Documented(DocumentedCost::default()),
        ..settings.clone()
    };
    let with_order = |settings: &Settings, order| Settings {
        order: Some(order),
        ..settings.clone()
    };
    let with_select = |settings: Settings, select| Settings { select, ..settings };
    let knob = |settings: &Settings, setting| {
        let mut settings = settings.clone();
        settings.knobs.set(setting).expect("a knob");
        settings
    };
    vec![
        ("graph", graph.clone()),
        ("graph, one trial", knob(&graph, "639=1")),
        ("graph, no hints", without(&graph, Pass::Hints)),
        (
            "graph, no optimism",
            without(&graph, Pass::OptimisticCoalesce),
        ),
        ("graph, no coalescing", without(&graph, Pass::Coalesce)),
        ("graph, no tuples", without(&graph, Pass::Tuples)),
        ("graph, no folding", without(&graph, Pass::Fold)),
        ("graph, 4 registers", four(&graph)),
        ("graph, no retries", no_retries(&four(&graph))),
        ("graph, documented cost", documented(&four(&graph))),
        ("fatpoint", fatpoint.clone()),
        ("fatpoint, one trial", knob(&fatpoint, "639=1")),
        ("fatpoint, no retarget", knob(&fatpoint, "638=1")),
        ("fatpoint, discard 5", knob(&fatpoint, "684=5")),
        ("fatpoint, no hints", without(&fatpoint, Pass::Hints)),
        (
            "fatpoint, no coalescing",
            without(&fatpoint, Pass::Coalesce),
        ),
        ("fatpoint, no tuples", without(&fatpoint, Pass::Tuples)),
        ("fatpoint, 4 registers", four(&fatpoint)),
        ("fatpoint, no retries", no_retries(&four(&fatpoint))),
        ("graph, lists", with_order(&graph, Order::Lists)),
        (
            "graph, lists, 4 registers",
            with_order(&four(&graph), Order::Lists),
        ),
        ("fatpoint, degrees", with_order(&fatpoint, Order::Degrees)),
        (
            "fatpoint, degrees, 4 reg.",
            with_order(&four(&fatpoint), Order::Degrees),
        ),
        ("cicc", Profile::Cicc.settings(None)),
        (
            "cicc, fatpoint",
            with_select(Profile::Cicc.settings(None), Select::FatPoint),
        ),
        ("ptxas", Profile::Ptxas.settings(None)),
        (
            "ptxas, graph",
            with_select(Profile::Ptxas.settings(None), Select::Graph),
        ),
    ]
}

fn table(problem: impl Fn(&[u32], &mut fastrand::Rng) -> Problem) -> String {
    let problems: Vec<_> = (0..COUNT)
        .map(|seed| {
            let mut random = fastrand::Rng::with_seed(seed);
            let length = random.usize(50..600);
            let numbers: Vec<u32> = (0..length).map(|_| random.u32(..)).collect();
            problem(&numbers, &mut random)
        })
        .collect();
    let mut table = format!(
        "{:<26} declined registers spilled    stores   reloads    copies conflicts  moves rounds\n",
        ""
    );
    for (name, settings) in configs() {
        let mut figures = Figures::default();
        for problem in &problems {
            figures.add(problem, &settings);
        }
        table += &format!("{name:<26} {figures}\n");
    }
    table
}

#[test]
fn cpu() {
    insta::assert_snapshot!("cpu", table(|numbers, _| cpu_problem(numbers)));
}

#[test]
fn gpu_with_many_registers() {
    insta::assert_snapshot!("gpu-255", table(|numbers, _| gpu_problem(255, numbers)));
}

#[test]
fn gpu_with_few_registers() {
    let problem =
        |numbers: &[u32], random: &mut fastrand::Rng| gpu_problem(random.u32(12..24), numbers);
    insta::assert_snapshot!("gpu-12-to-23", table(problem));
}
