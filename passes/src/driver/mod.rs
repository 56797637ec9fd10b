//! The driver: rounds of colouring, with spilling in between, until every value has a
//! register or a slot; then other ways that may be better.
//!
//! A first [`series`] of rounds, without spilling where that is possible, always finds a
//! result or a reason why there is none. If something was spilled, [`retries`] look for
//! fewer memory accesses; where registers are left, [`trials`] look for fewer of them. The
//! best result is kept. Last, [`tuples`] are laid side by side where there is room, and on
//! a GPU spill slots where that saves instructions. If a kernel may spill to [`mod@shared`]
//! memory, all this is done again within what its addresses leave; likewise where spilled
//! predicates may be [`packed`], and within what a [`reserve`] leaves where something is
//! spilled. Source: ptxas document, "per-class driver"; the classes need no turn each, as
//! those of different register files do not interfere.

#[cfg(test)]
pub(crate) mod candidates;
mod edits;
mod extended;
mod held;
mod names;
mod packed;
mod regions;
mod reserve;
mod retries;
mod round;
mod series;
mod shared;
mod trials;
mod tuples;

use crate::allocation::{Allocation, Home};
use crate::analysis::frequency::assume_iterations;
use crate::analysis::pressure;
use crate::analysis::register_banks::bank_conflicts;
use crate::analysis::tuples::all_moves;
use crate::budget;
use crate::budget::model::{BudgetModel, Wanted};
use crate::config::{Config, Pass, Select};
use crate::error::Error;
use crate::function::{Function, VirtualRegister};
use crate::machine::{Machine, gpu};
use crate::problem::Target;
use crate::select::colouring::Colouring;
use crate::spill::slots::lay_out;
use crate::spill::work::{Source, Work};
use crate::statistics::{FileStatistics, Statistics};
use crate::verify::verify;
use cranelift_entity::SecondaryMap;
use extended::{with_operands, without_operands};
use held::held_operands;
use names::Names;
use packed::cheaper_with_words;
use regions::Regions;
use reserve::allocate_with_reserve;
use retries::fewer_accesses;
pub use retries::predicted_accesses;
use round::Attempt;
use series::{Outcome, Start, series};
use shared::in_shared_memory;
use std::borrow::Cow;
use tracing::info;
use trials::fewer_registers;
use tuples::fewer_moves;

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
    let regions = Regions::new(function, machine, config);
    let held = held_operands(function);
    if regions.is_none() && held.is_none() {
        return allocate_all(function, machine, config);
    }
    let mut added = held.unwrap_or_default();
    let mut config = Cow::Borrowed(config);
    let mut source = Cow::Borrowed(function);
    if let Some(regions) = regions {
        config = Cow::Owned(regions.config(&config));
        regions.take(source.to_mut(), machine, &mut added);
    }
    let extended = with_operands(&source, &added);
    let found = allocate_all(&extended, machine, &config)?;
    Ok(without_operands(function, &extended, found))
}

/// Allocates with slots where the configuration wants them.
fn allocate_all(
    function: &Function,
    machine: &Machine,
    config: &Config,
) -> Result<Allocation, Error> {
    let local = allocate_with_reserve(function, machine, config)?;
    match &config.shared_space {
        Some(space) if !local.slots.is_empty() => {
            in_shared_memory(function, machine, config, space, local)
        }
        _ => Ok(local),
    }
}

/// Allocates with all slots in the thread's own memory.
fn allocate_within(
    function: &Function,
    machine: &Machine,
    config: &Config,
) -> Result<Allocation, Error> {
    let function = &*with_frequencies(function, config);
    let restricted = budget::restrict(machine, config);
    budget::check(function, machine, &restricted)?;
    let plain = allocate_with_words(function, &restricted, config, 0);
    match config.runs(Pass::PackPredicates) {
        true => cheaper_with_words(function, &restricted, config, plain),
        false => plain,
    }
}

/// Allocates within what the machine has, so many registers of it for spilled predicates.
fn allocate_with_words(
    function: &Function,
    machine: &Machine,
    config: &Config,
    predicate_words: u32,
) -> Result<Allocation, Error> {
    let packed = budget::with_packed_predicates(machine, predicate_words);
    let target = Target::new(&packed);
    let machine = target.machine;

    let mut rounds = 0;
    // Only the order of pairs and quads depends on whether spilling is allowed.
    let wide_first = (config.wide_first || config.paired(function)) && target.classes.has_wider();
    let attempt = match config.select {
        Select::FatPoint if wide_first || expects_no_spills(function, &target, config) => {
            Attempt::NoSpill
        }
        _ => Attempt::Spill { retry: false },
    };
    let found = colour(function, &target, config, attempt, &mut rounds);
    let found = match found {
        Err(error @ (Error::BudgetTooSmall { .. } | Error::OutOfRegisters { .. }))
            if config.runs(Pass::RematerialiseChains)
                && budget::limited_file(machine).is_some() =>
        {
            // The steps of a chain need registers of their own.
            let plain = config.without(Pass::RematerialiseChains);
            colour(function, &target, &plain, attempt, &mut rounds).map_err(|_| error)?
        }
        found => found?,
    };
    let found = fewer_registers(machine, config, found, &mut rounds);
    let Outcome { work, colouring } = fewer_moves(&target, config, found, &mut rounds);

    let mut allocation = finish(
        function,
        machine,
        config,
        predicate_words,
        &work,
        &colouring,
    );
    allocation.statistics.rounds = rounds;
    #[cfg(test)]
    candidates::add(&mut allocation);
    info!(function = function.name, statistics = %allocation.statistics);
    if config.verify {
        verify(function, machine, &allocation).map_err(Error::Wrong)?;
    }
    Ok(allocation)
}

/// Finds a register or a slot for each value, then fewer memory accesses if there are any.
fn colour(
    function: &Function,
    target: &Target,
    config: &Config,
    attempt: Attempt,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    let start = Start::new(function, target.machine, config);
    match series(start, target, config, attempt, rounds) {
        Ok(found) if found.work.is_unspilled() => Ok(found),
        found => fewer_accesses(function, target, config, found, rounds),
    }
}

/// The function with the frequencies that knob 623 has it take.
fn with_frequencies<'a>(function: &'a Function, config: &Config) -> Cow<'a, Function> {
    let mut function = Cow::Borrowed(function);
    if let Some(iterations) = config.knobs.estimated_loop_iterations {
        assume_iterations(function.to_mut(), iterations);
    }
    function
}

/// Whether ptxas' model says that a trial without spilling is worth while.
fn expects_no_spills(function: &Function, target: &Target, config: &Config) -> bool {
    let machine = target.machine;
    let (Some(model), Some(file)) = (config.budget_model, budget::limited_file(machine)) else {
        return false;
    };
    let model = match config.knobs.budget_linear {
        true => BudgetModel::Linear,
        false => model,
    };
    let wanted = Wanted {
        pair_penalty: u32::from(target.classes.has_wider()),
        demanded: budget::most_live(function, machine, file),
        live: 0,
    };
    let registers = machine.files[file].size;
    !model.needs_spill(&config.knobs, wanted, registers, gpu::R_SIZE)
}

fn finish(
    function: &Function,
    machine: &Machine,
    config: &Config,
    predicate_words: u32,
    work: &Work,
    colouring: &Colouring,
) -> Allocation {
    let mut homes = SecondaryMap::new();
    for value in work.function.virtual_registers.keys() {
        homes[value] = match (work.source_of[value], colouring.register(value)) {
            (Some(_), _) if work.is_created(value) => Home::None,
            (Some(Source::Slot(slot)), _) => Home::Slot(slot),
            (None, Some(register)) => Home::Register(register),
            (Some(Source::Recipe(_) | Source::Register(_)), _) | (None, None) => Home::None,
        };
    }
    let mut statistics = Statistics {
        spilled: work.spilled(),
        spill_cost: work.accesses(),
        ..Statistics::default()
    };
    let names = if config.rename_joined {
        Names::of_joined(work, colouring)
    } else {
        Names::unchanged(work)
    };
    let edits = edits::edits(function, machine, work, colouring, &names, &mut statistics);
    if config.measure {
        statistics.files = file_statistics(work, machine, colouring, predicate_words);
        if machine.files.values().any(|file| file.bank_count > 1) {
            let register_of = |value| colouring.register(value);
            let conflicts = bank_conflicts(&work.function, machine, register_of);
            statistics.bank_conflicts = Some(conflicts);
            statistics.tuple_moves = Some(all_moves(&work.function, machine, register_of).0);
        }
    }
    let mut allocation = Allocation {
        homes,
        created: work.created.clone(),
        slots: work.slots.clone(),
        edits,
        vectors: Vec::new(),
        shared: None,
        predicate_words,
        statistics,
    };
    if budget::limited_file(machine).is_some() {
        lay_out(function, machine, config, &mut allocation);
    }
    allocation.statistics.vectors = allocation.vectors.len() as u32;
    allocation
}

/// What each register file is used for; registers for spilled predicates count in R.
fn file_statistics(
    work: &Work,
    machine: &Machine,
    colouring: &Colouring,
    predicate_words: u32,
) -> Vec<FileStatistics> {
    let register_of = |value| colouring.register(value);
    let occupancy = pressure::occupancy(&work.function, machine, register_of);
    let limited = budget::limited_file(machine);
    let files = machine.files.iter();
    let mut files: Vec<FileStatistics> = files
        .map(|(file, data)| {
            let words = match limited == Some(file) {
                true => predicate_words,
                false => 0,
            };
            FileStatistics {
                name: data.name.clone(),
                used: occupancy[file].used + words,
                maxlive: occupancy[file].most + words,
                budget: data.size + words,
            }
        })
        .filter(|file| file.used > 0)
        .collect();
    let accumulators = accumulators(work, machine, colouring);
    files.extend(accumulators.map(|file| FileStatistics {
        budget: file.budget + predicate_words,
        ..file
    }));
    files
}

/// The accumulators of the tensor cores, which are a class of their own and lie in the
/// limited file.
fn accumulators(work: &Work, machine: &Machine, colouring: &Colouring) -> Option<FileStatistics> {
    let file = budget::limited_file(machine)?;
    let mut is_accumulator: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    for tuple in work.function.tuples.iter().filter(|one| one.accumulator) {
        for (_, value) in work.function.tuple_values(tuple) {
            is_accumulator[value] = true;
        }
    }
    let register_of = |value| colouring.register(value).filter(|_| is_accumulator[value]);
    let any = is_accumulator.values().any(|&one| one);
    let occupancy = any.then(|| pressure::occupancy(&work.function, machine, register_of)[file]);
    occupancy.map(|occupancy| FileStatistics {
        name: "T".into(),
        used: occupancy.used,
        maxlive: occupancy.most,
        budget: machine.files[file].size,
    })
}
