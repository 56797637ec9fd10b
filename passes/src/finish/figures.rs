//! How many registers of each file an allocation uses, of how many; and how many of the
//! function's values it left whole.
//!
//! People are told of the budget that they asked for: what is withheld from values is a
//! part of it. Linear in the function. Source of the rates: *cicc back-end pass*, metrics.

use super::Withheld;
use crate::analysis::pressure;
use crate::assign::colouring::Colouring;
use crate::function::{Function, VirtualRegister};
use crate::machine::Machine;
use crate::spill::state::ReloadSource;
use crate::spill::work::Work;
use crate::statistics::{FileStatistics, ValueCounts};
use cranelift_entity::SecondaryMap;

/// How the values that the caller's function names came out.
pub fn value_counts(function: &Function, work: &Work) -> ValueCounts {
    let mut is_named: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    let operands = function.operands.values();
    for value in operands.filter_map(|operand| operand.virtual_register()) {
        is_named[value] = true;
    }
    let mut in_memory: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    let mut is_whole: SecondaryMap<VirtualRegister, bool> = SecondaryMap::with_default(true);
    // A spilled spill register is in memory for the value that it carries.
    for value in work.function.virtual_registers.keys() {
        if let Some(source) = work.state.source_of[value] {
            let origin = work.provenance.origin(value);
            in_memory[origin] |= matches!(source, ReloadSource::Slot(_));
            is_whole[origin] = false;
        }
        if work.state.is_moved[value] {
            is_whole[work.provenance.origin(value)] = false;
        }
    }
    let named = || is_named.keys().filter(|&value| is_named[value]);
    ValueCounts {
        all: named().count() as u32,
        in_memory: named().filter(|&value| in_memory[value]).count() as u32,
        whole: named().filter(|&value| is_whole[value]).count() as u32,
    }
}

/// What each register file is used for; registers for spilled predicates count in R.
pub fn file_statistics(
    work: &Work,
    machine: &Machine,
    colouring: &Colouring,
    withheld: Withheld,
) -> Vec<FileStatistics> {
    let register_of = |value| colouring.register(value);
    let usage = pressure::file_usage(&work.function, machine, register_of);
    let limited = machine.limited_file();
    let files = machine.files.iter();
    let files = files.map(|(file, data)| {
        let (words, reserve) = match limited == Some(file) {
            true => (withheld.predicate_words, withheld.reserve),
            false => (0, 0),
        };
        FileStatistics {
            name: data.name.clone(),
            used: usage[file].used + words,
            maxlive: usage[file].most + words,
            budget: data.size + words + reserve,
        }
    });
    let mut files: Vec<_> = files.filter(|file| file.used > 0).collect();
    files.extend(accumulators(work, machine, colouring, withheld));
    files
}

/// The accumulators of the tensor cores, which are a class of their own and lie in the
/// limited file.
fn accumulators(
    work: &Work,
    machine: &Machine,
    colouring: &Colouring,
    withheld: Withheld,
) -> Option<FileStatistics> {
    let file = machine.limited_file()?;
    let mut is_accumulator: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    for tuple in work.function.tuples.iter().filter(|one| one.accumulator) {
        for (_, value) in work.function.tuple_values(tuple) {
            is_accumulator[value] = true;
        }
    }
    if !is_accumulator.values().any(|&one| one) {
        return None;
    }
    let register_of = |value| colouring.register(value).filter(|_| is_accumulator[value]);
    let usage = pressure::file_usage(&work.function, machine, register_of)[file];
    Some(FileStatistics {
        name: "T".into(),
        used: usage.used,
        maxlive: usage.most,
        budget: machine.files[file].size + withheld.predicate_words + withheld.reserve,
    })
}
