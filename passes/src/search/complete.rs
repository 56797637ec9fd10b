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
use crate::rounds::{Outcome, Targets, Unspilled, coloured, fewer_moves};
use crate::settings::{Pass, Spills};
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
    let guided = restricted.with_packed_predicates(candidate.predicate_words);
    let guidance = Target::new(&guided);
    let selected = match settings.spills {
        Spills::Auto => candidate.without_reserve(),
        Spills::Here | Spills::Ptxas => *candidate,
    };
    let whole = (selected != *candidate).then(|| program.with_predicates(&selected, search));
    let select = whole.as_ref().map(Target::new);
    let target = select.as_ref().unwrap_or(&guidance);
    let machine = target.machine;

    let targets = Targets {
        guidance: &guidance,
        select: target,
    };
    let mut rounds = 0;
    let found = coloured(unspilled, targets, &settings, &mut rounds)?;
    let found = fewer_moves(target, &settings, found, &mut rounds);
    let Outcome {
        mut work,
        mut colouring,
    } = found;
    if settings.runs(Pass::EarlyReloads) && machine.limited_file().is_some() {
        move_up(&mut work, machine, &mut colouring);
    }

    let withheld = Withheld {
        predicate_words: selected.predicate_words,
        reserve: selected.reserve,
    };
    let mut allocation = finish(function, machine, &settings, withheld, &work, &colouring);
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
        verify(function, machine, &allocation).map_err(Error::Wrong)?;
    }
    Ok(Some(allocation))
}

#[cfg(test)]
mod tests {
    use crate::budget::asked;
    use crate::function::{Function, FunctionBuilder, Operand};
    use crate::machine::gpu;
    use crate::search::{Search, Worth};
    use crate::settings::{Settings, Spills};
    use crate::statistics::Statistics;

    /// What comes of a function within 32 registers, of which eight are left to ptxas.
    fn allocated(function: &Function, spills: Spills) -> Statistics {
        let machine = gpu::machine(gpu::R_SIZE);
        let settings = Settings {
            pressure_limit: Some(32),
            spill_reserve: 8,
            verify: true,
            measure: true,
            spills,
            ..Settings::default()
        };
        let budget = asked(&machine, &settings);
        let search = Search {
            function,
            machine: &machine,
            settings: &settings,
            budget: budget.as_ref(),
            shared_space: None,
            orders: None,
            worth: Worth::default(),
        };
        search.run().expect("it fits").allocation.statistics
    }

    /// Pairs and single values by turns, of which more are live than 24 registers have place for.
    fn interleaved() -> Function {
        let mut builder = FunctionBuilder::new("f");
        builder.start_block(1.0, 0, &[]);
        let mut values = |class| -> Vec<_> {
            let each = (0..40).map(|_| builder.virtual_register(class));
            each.collect()
        };
        let (singles, pairs) = (values(gpu::SINGLE32), values(gpu::PAIR));
        for index in 0..40_usize {
            builder.plain(&[Operand::write(singles[index])]);
            builder.plain(&[Operand::write(pairs[index])]);
            for (values, distance) in [(&pairs, 9), (&singles, 13)] {
                if let Some(before) = index.checked_sub(distance) {
                    builder.plain(&[Operand::read(values[before])]);
                }
            }
        }
        builder.finish()
    }

    #[test]
    fn what_finds_no_place_may_have_one_of_those_left_to_ptxas() {
        let function = interleaved();
        let used = |statistics: &Statistics| statistics.files[0].used;
        let here = allocated(&function, Spills::Here);
        assert!(used(&here) <= 24);
        let open = allocated(&function, Spills::Auto);
        assert!((25..=32).contains(&used(&open)));
        assert!(open.spill_cost < here.spill_cost);
    }
}
