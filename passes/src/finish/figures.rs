//! How many registers of each file an allocation uses, of how many.
//!
//! People are told of the budget that they asked for: what is withheld from values is a
//! part of it. Linear in the function.

use super::Withheld;
use crate::analysis::pressure;
use crate::assign::colouring::Colouring;
use crate::function::VirtualRegister;
use crate::machine::Machine;
use crate::spill::work::Work;
use crate::statistics::FileStatistics;
use cranelift_entity::SecondaryMap;

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
