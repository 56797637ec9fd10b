//! One candidate becomes an allocation.
//!
//! Within its registers: rounds of colouring give each value a register or a slot; where
//! registers are left, the same values go to fewer of them; tuples are laid side by side
//! where there is room; and slots go to shared memory if the candidate has addresses there.
//! With `verify` the checker sees every result. Time: that of the rounds.

use super::program::Program;
use super::{Candidate, Search};
use crate::allocation::Allocation;
use crate::analysis::demand::most_live;
use crate::assign::problem::Target;
use crate::budget;
use crate::budget::model::Wanted;
use crate::error::Error;
use crate::finish::{Withheld, finish};
use crate::frame::shared::move_to_shared;
use crate::function::Function;
use crate::machine::gpu;
use crate::reload::move_up;
use crate::rounds::{Attempt, Outcome, Unspilled, coloured, fewer_moves, fewer_registers};
use crate::settings::BudgetModel;
use crate::settings::{Pass, Select, Settings};
use crate::verify::verify;
use std::borrow::Cow;
use tracing::info;

/// Allocates the function as the candidate says; none if nothing goes to the shared memory
/// that it has addresses for.
///
/// # Errors
/// Those of [`super::allocate`].
pub fn complete(
    candidate: &Candidate,
    search: &Search,
    program: &Program,
    unspilled: &Unspilled,
) -> Result<Option<Allocation>, Error> {
    let function = &*program.function;
    let settings = match candidate.chains {
        true => Cow::Borrowed(search.settings),
        false => Cow::Owned(search.settings.without(Pass::RematerialiseChains)),
    };
    let restricted = program.restricted(candidate, search);
    budget::check(function, search.machine, &restricted)?;
    let machine = restricted.with_packed_predicates(candidate.predicate_words);
    let target = Target::new(&machine);

    let mut rounds = 0;
    let attempt = first_attempt(function, &target, &settings);
    let found = coloured(unspilled, &target, &settings, attempt, &mut rounds)?;
    let found = fewer_registers(&machine, &settings, found, &mut rounds);
    let found = fewer_moves(&target, &settings, found, &mut rounds);
    let Outcome {
        mut work,
        mut colouring,
    } = found;
    if settings.runs(Pass::EarlyReloads) && machine.limited_file().is_some() {
        move_up(&mut work, &machine, &mut colouring);
    }

    let withheld = Withheld {
        predicate_words: candidate.predicate_words,
        reserve: candidate.reserve,
    };
    let mut allocation = finish(function, &machine, &settings, withheld, &work, &colouring);
    allocation.statistics.rounds = rounds;
    #[cfg(test)]
    super::spoil::add(&mut allocation);
    info!(function = function.name, statistics = %allocation.statistics);
    if candidate.address_registers > 0 {
        let addresses = candidate.address_registers as usize;
        let moved = search
            .shared_space
            .is_some_and(|space| move_to_shared(function, &space, addresses, &mut allocation));
        if !moved {
            return Ok(None);
        }
    }
    if settings.verify {
        verify(function, &machine, &allocation).map_err(Error::Wrong)?;
    }
    Ok(Some(allocation))
}

/// What the first round may do. Where ptxas' model is asked for it decides, as there;
/// otherwise only where pairs and quads come in the order depends on whether spilling is
/// allowed. Both are fat-point select's.
fn first_attempt(function: &Function, target: &Target, settings: &Settings) -> Attempt {
    let wide_first =
        (settings.wide_first || settings.paired(function)) && target.classes.has_wider();
    let without_spilling = expects_no_spills(function, target, settings).unwrap_or(wide_first);
    match settings.select {
        Select::FatPoint if without_spilling => Attempt::NoSpill,
        _ => Attempt::Spill { retry: false },
    }
}

/// Whether ptxas' model says that a trial without spilling is worth while, if it is asked.
fn expects_no_spills(function: &Function, target: &Target, settings: &Settings) -> Option<bool> {
    let machine = target.machine;
    let (model, file) = (settings.budget_model?, machine.limited_file()?);
    let model = match settings.knobs.budget_linear {
        true => BudgetModel::Linear,
        false => model,
    };
    let wanted = Wanted {
        pair_penalty: u32::from(target.classes.has_wider()),
        demanded: most_live(function, machine, file),
        live: 0,
    };
    let registers = machine.files[file].size;
    Some(!model.needs_spill(&settings.knobs, wanted, registers, gpu::R_SIZE))
}
