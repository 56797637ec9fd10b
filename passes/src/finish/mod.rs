//! A coloured function becomes an [`Allocation`]: where each value lives, and the edits of
//! the caller's function that make it so.
//!
//! Linear in the function with its spill code, but where spill slots are laid out.

mod edits;
mod figures;
mod names;

use crate::allocation::{Allocation, Location};
use crate::analysis::register_banks::bank_conflicts;
use crate::analysis::tuples::all_moves;
use crate::assign::colouring::Colouring;
use crate::frame::lay_out;
use crate::function::Function;
use crate::machine::Machine;
use crate::settings::Settings;
use crate::spill::state::ReloadSource;
use crate::spill::work::Work;
use crate::statistics::Statistics;
use cranelift_entity::SecondaryMap;
use figures::{file_statistics, value_counts};
use names::Names;

/// Registers of the budget that hold no values.
#[derive(Clone, Copy)]
pub struct Withheld {
    /// Those whose bits hold spilled predicates.
    pub predicate_words: u32,
    /// Those left to ptxas.
    pub reserve: u32,
}

/// The allocation of a coloured function, on the machine without what is withheld.
pub fn finish(
    function: &Function,
    machine: &Machine,
    settings: &Settings,
    withheld: Withheld,
    work: &Work,
    colouring: &Colouring,
) -> Allocation {
    let mut locations = SecondaryMap::with_capacity(work.function.virtual_registers.len());
    for value in work.function.virtual_registers.keys() {
        locations[value] = match (work.state.source_of[value], colouring.register(value)) {
            (Some(_), _) if work.provenance.is_created(value) => Location::None,
            (Some(ReloadSource::Slot(slot)), _) => Location::Slot(slot),
            (None, Some(register)) => Location::Register(register),
            (Some(ReloadSource::Rematerialisation(_) | ReloadSource::Register(_)), _)
            | (None, None) => Location::None,
        };
    }
    let mut statistics = Statistics {
        spilled: work.spilled(),
        spill_cost: work.accesses(),
        ..Statistics::default()
    };
    let names = if settings.rename_joined {
        Names::of_joined(work, colouring)
    } else {
        Names::unchanged(work)
    };
    let edits = edits::edits(function, machine, work, colouring, &names, &mut statistics);
    if settings.measure {
        statistics.files = file_statistics(work, machine, colouring, withheld);
        statistics.values = Some(value_counts(function, work));
        if machine.files.values().any(|file| file.bank_count > 1) {
            let register_of = |value| colouring.register(value);
            let conflicts = bank_conflicts(&work.function, machine, register_of);
            statistics.bank_conflicts = Some(conflicts);
            statistics.tuple_moves = Some(all_moves(&work.function, machine, register_of).0);
        }
    }
    let mut allocation = Allocation {
        locations,
        created: work.provenance.created.clone(),
        slots: work.state.slots.clone(),
        edits,
        vectors: Vec::new(),
        shared: None,
        predicate_words: withheld.predicate_words,
        statistics,
    };
    if machine.limited_file().is_some() {
        lay_out(function, machine, settings, &mut allocation);
    }
    allocation.statistics.vectors = allocation.vectors.len() as u32;
    allocation
}
