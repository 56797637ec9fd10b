//! One candidate becomes an allocation.
//!
//! Within its registers: rounds of colouring give each value a register or a slot; where
//! registers are left, the same values go to fewer of them; tuples are laid side by side
//! where there is room; and slots go to shared memory if the candidate has addresses there.
//! With `verify` the checker sees every result. Time: that of the rounds.

use super::program::Program;
use super::{Candidate, Search};
use crate::allocation::Allocation;
use crate::assign::problem::Target;
use crate::budget;
use crate::error::Error;
use crate::finish::{Withheld, finish};
use crate::frame::shared::move_to_shared;
use crate::reload::move_up;
use crate::rounds::{Outcome, Unspilled, coloured, fewer_moves};
use crate::settings::Pass;
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
    let found = coloured(unspilled, &target, &settings, &mut rounds)?;
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
