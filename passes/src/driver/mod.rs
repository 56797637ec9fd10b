//! The driver: rounds of analysis, coalescing, simplify and select, with spilling
//! in between, until every value has a register or a slot.
//!
//! It ends: each round spills at least one of the caller's values that was not
//! spilled before, and the registers that spilling creates are never spilled.

mod edits;
mod names;

use crate::allocation::{Allocation, Home};
use crate::analysis::crowding::CrowdingMap;
use crate::analysis::interference::InterferenceGraph;
use crate::analysis::live_range::LiveRanges;
use crate::analysis::live_set::Banks;
use crate::analysis::liveness::Liveness;
use crate::analysis::pressure;
use crate::analysis::restrictions::Restrictions;
use crate::budget;
use crate::coalesce::ranges::GroupRanges;
use crate::coalesce::{Test, coalesce, copies_left};
use crate::config::{Config, Pass, Select};
use crate::error::Error;
use crate::function::{Function, Operand, VirtualRegister};
use crate::graph::Graph;
use crate::machine::{ClassTable, Machine};
use crate::order;
use crate::problem::Problem;
use crate::select::colouring::Colouring;
use crate::select::{self, fatpoint};
use crate::simplify;
use crate::spill::cost::spill_costs;
use crate::spill::excess::excess;
use crate::spill::rewrite::Work;
use crate::statistics::{FileStatistics, Statistics};
use crate::verify::verify;
use cranelift_entity::SecondaryMap;
use names::Names;
use tracing::{debug, info};

/// Allocates the registers of a function.
///
/// Pure and deterministic: the same arguments give the same result.
///
/// # Errors
/// If the function is malformed, if the values of one instruction do not fit
/// into the budget, if a limit is exceeded, or if `config.verify` is set and the
/// checker finds the result wrong.
pub fn allocate(
    function: &Function,
    machine: &Machine,
    config: &Config,
) -> Result<Allocation, Error> {
    function.validate(machine)?;
    let restricted = budget::restrict(machine, config);
    budget::check(function, machine, &restricted)?;
    let machine = restricted.as_ref();
    let classes = ClassTable::new(machine);
    let banks = Banks::new(machine);

    let mut work = Work::new(function, machine);
    let mut rounds = 0;
    let colouring = loop {
        rounds += 1;
        let failed = match round(&work.function, machine, &classes, &banks, config, rounds)? {
            Round::Coloured(colouring) => break colouring,
            Round::Failed(values) => values,
        };
        work.spill(machine, &failed);
        if let Some(limit) = config.spill_limit.filter(|&limit| work.spilled() > limit) {
            return Err(Error::SpillLimit { limit });
        }
    };

    let mut allocation = finish(function, machine, config, &work, &colouring);
    allocation.statistics.rounds = rounds;
    info!(function = function.name, statistics = %allocation.statistics);
    if config.verify {
        verify(function, machine, &allocation).map_err(Error::Wrong)?;
    }
    Ok(allocation)
}

/// What came of a round.
enum Round {
    /// Every value has a register.
    Coloured(Colouring),
    /// These have none.
    Failed(Vec<VirtualRegister>),
}

fn round(
    function: &Function,
    machine: &Machine,
    classes: &ClassTable,
    banks: &Banks,
    config: &Config,
    number: u32,
) -> Result<Round, Error> {
    let liveness = Liveness::new(function, machine);
    let costs = spill_costs(function, config.memory_latency);
    if number == 1 {
        let values = excess(function, machine, banks, &liveness, &costs);
        if !values.is_empty() {
            debug!(values = values.len(), "spilled before colouring");
            return Ok(Round::Failed(values));
        }
    }
    let restrictions = Restrictions::new(function, machine, banks, &liveness);
    let mut problem = Problem::new(function, machine, classes, restrictions, costs);
    let colouring = match config.select {
        Select::Graph => by_graph(&mut problem, banks, &liveness, config)?,
        Select::FatPoint => by_live_ranges(&mut problem, banks, &liveness, config, number > 1)?,
    };
    let failed = colouring.failed();
    debug!(round = number, failed = failed.len(), "coloured");
    Ok(match failed.is_empty() {
        true => Round::Coloured(colouring),
        false => Round::Failed(failed.to_vec()),
    })
}

/// Coalescing, simplify and select over the interference graph.
fn by_graph(
    problem: &mut Problem,
    banks: &Banks,
    liveness: &Liveness,
    config: &Config,
) -> Result<Colouring, Error> {
    let join_equal_values = config.runs(Pass::Coalesce);
    let (function, machine) = (problem.function, problem.machine);
    let edges = InterferenceGraph::new(function, machine, banks, liveness, join_equal_values);
    let mut graph = Graph::new(problem, edges);
    if config.runs(Pass::Coalesce) {
        let mut tests = vec![Test::Conservative(config.coalescing_factor)];
        if config.runs(Pass::OptimisticCoalesce) {
            tests.push(Test::Optimistic);
        }
        let merged = coalesce(problem, &mut graph, &tests);
        log_coalesced(problem, merged);
    }
    let options = simplify::Options {
        significant_degree: config.significant_degree,
        coalesced_weight: config.coalesced_weight,
    };
    let stack = simplify::simplify(problem, &graph, &nodes(problem), &options);
    select::graph::select(problem, &graph, &stack, config.runs(Pass::Hints))
}

/// Coalescing, ordering and fat-point select over live ranges.
fn by_live_ranges(
    problem: &mut Problem,
    banks: &Banks,
    liveness: &Liveness,
    config: &Config,
    retry: bool,
) -> Result<Colouring, Error> {
    let (function, machine) = (problem.function, problem.machine);
    let ranges = LiveRanges::new(function, liveness);
    let mut groups = GroupRanges::default();
    if config.runs(Pass::Coalesce) && config.runs(Pass::OptimisticCoalesce) {
        groups = GroupRanges::coalesce(problem, &ranges);
        log_coalesced(problem, groups.merged());
    }
    let crowding = CrowdingMap::new(function, machine, problem.classes, banks, &ranges);
    let ordering = order::Options {
        retry,
        cost_threshold: None,
    };
    let stack = order::order(problem, &ranges, &crowding, &nodes(problem), &ordering);
    let options = fatpoint::Options {
        hints: config.runs(Pass::Hints),
        retarget: !config.knobs.no_retarget_preferences,
        threshold: config.knobs.discard_threshold,
    };
    fatpoint::select(problem, &ranges, &groups, &stack, &options)
}

fn log_coalesced(problem: &Problem, merged: u32) {
    debug!(
        copies = problem.copies.len(),
        merged,
        left = copies_left(problem),
        "coalesced"
    );
}

/// The roots that some operand names.
fn nodes(problem: &Problem) -> Vec<VirtualRegister> {
    let function = problem.function;
    let mut named: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    let operands = function.operands.values();
    for value in operands.filter_map(Operand::virtual_register) {
        named[problem.groups.find(value).0] = true;
    }
    let values = function.virtual_registers.keys();
    values.filter(|&value| named[value]).collect()
}

fn finish(
    function: &Function,
    machine: &Machine,
    config: &Config,
    work: &Work,
    colouring: &Colouring,
) -> Allocation {
    let mut homes = SecondaryMap::new();
    for value in work.function.virtual_registers.keys() {
        homes[value] = match (work.slot_of[value], colouring.register(value)) {
            (Some(slot), _) => Home::Slot(slot),
            (None, Some(register)) => Home::Register(register),
            (None, None) => Home::None,
        };
    }
    let mut statistics = Statistics {
        spilled: work.spilled(),
        ..Statistics::default()
    };
    let names = if config.rename_joined {
        Names::of_joined(work, colouring)
    } else {
        Names::unchanged(work)
    };
    let edits = edits::edits(function, machine, work, colouring, &names, &mut statistics);
    if config.measure {
        statistics.files = file_statistics(work, machine, colouring);
    }
    Allocation {
        homes,
        created: work.created.clone(),
        slots: work.slots.clone(),
        edits,
        statistics,
    }
}

fn file_statistics(work: &Work, machine: &Machine, colouring: &Colouring) -> Vec<FileStatistics> {
    let mut registers = SecondaryMap::new();
    for value in work.function.virtual_registers.keys() {
        registers[value] = colouring.register(value);
    }
    let occupancy = pressure::occupancy(&work.function, machine, &registers);
    let files = machine.files.iter();
    files
        .map(|(file, data)| FileStatistics {
            name: data.name.clone(),
            used: occupancy[file].used,
            maxlive: occupancy[file].most,
            budget: data.size,
        })
        .filter(|file| file.used > 0)
        .collect()
}
