//! The driver: rounds of analysis, coalescing, simplify and select, with spilling
//! in between, until every value has a register or a slot.
//!
//! It ends: each round spills at least one of the caller's values that was not
//! spilled before, and the registers that spilling creates are never spilled.

mod edits;
mod names;
mod round;
mod trials;

use crate::allocation::{Allocation, Home};
use crate::analysis::pressure;
use crate::analysis::register_banks::bank_conflicts;
use crate::budget;
use crate::config::{Config, Select};
use crate::error::Error;
use crate::function::Function;
use crate::machine::Machine;
use crate::select::colouring::Colouring;
use crate::spill::rewrite::Work;
use crate::statistics::{FileStatistics, Statistics};
use crate::verify::verify;
use cranelift_entity::SecondaryMap;
use names::Names;
use round::{Attempt, Round, Target, round};
use tracing::info;
use trials::fewer_registers;

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
    let target = Target::new(&restricted);
    let machine = target.machine;

    let mut work = Work::new(function, machine);
    let mut rounds = 0;
    // Only the order of pairs and quads depends on whether spilling is allowed.
    let wide_first = config.wide_first && target.classes.has_wider();
    let mut attempt = match config.select {
        Select::FatPoint if wide_first => Attempt::NoSpill,
        _ => Attempt::Spill { retry: false },
    };
    let mut colouring = loop {
        rounds += 1;
        let outcome = round(&work.function, &target, config, attempt);
        attempt = match (attempt, outcome) {
            (_, Ok(Round::Coloured(colouring))) => break colouring,
            (Attempt::NoSpill, _) => Attempt::Spill { retry: false },
            (Attempt::Spill { .. }, Ok(Round::Failed(values))) => {
                work.spill(machine, &values);
                Attempt::Spill { retry: true }
            }
            (Attempt::Spill { .. }, Err(error)) => return Err(error),
        };
        if let Some(limit) = config.spill_limit.filter(|&limit| work.spilled() > limit) {
            return Err(Error::SpillLimit { limit });
        }
    };
    if work.spilled() == 0 {
        colouring = fewer_registers(function, machine, config, colouring, &mut rounds);
    }

    let mut allocation = finish(function, machine, config, &work, &colouring);
    allocation.statistics.rounds = rounds;
    info!(function = function.name, statistics = %allocation.statistics);
    if config.verify {
        verify(function, machine, &allocation).map_err(Error::Wrong)?;
    }
    Ok(allocation)
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
        if machine.files.values().any(|file| file.bank_count > 1) {
            let register_of = |value| colouring.register(value);
            let conflicts = bank_conflicts(&work.function, machine, register_of);
            statistics.bank_conflicts = Some(conflicts);
        }
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
