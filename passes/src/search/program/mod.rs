//! The function as it is allocated: the caller's, with operands that keep registers taken.
//!
//! Values in flight stay in their registers ([`held`]), and where threads give registers
//! away there are fewer ([`regions`]). Both become operands, so that no pass needs rules for
//! them; an allocation is made one of the caller's function at the end ([`extended`]).
//! Linear in operands.

mod extended;
mod held;
mod regions;

use super::{Candidate, Search};
use crate::allocation::Allocation;
use crate::analysis::demand::most_live_of;
use crate::analysis::frequency::assume_iterations;
use crate::budget::restrict;
use crate::function::Function;
use crate::machine::{File, Machine, gpu};
use crate::settings::Pass;
use cranelift_entity::SecondaryMap;
use extended::{with_operands, without_operands};
use held::held_operands;
use regions::Regions;
use std::borrow::Cow;
use std::cell::OnceCell;

/// The function as it is allocated, in some order.
pub struct Program<'a> {
    own: &'a Function,
    /// With operands added, and the frequencies that knob 623 has it take.
    pub function: Cow<'a, Function>,
    /// The registers of the limited file, where they are most; none if no file is limited.
    pub registers: Option<u32>,
    /// Whether spilled predicates may become bits of registers.
    pub packs_predicates: bool,
    /// MaxLive of the limited file, and of predicates, once somebody asks.
    demanded: OnceCell<SecondaryMap<File, u32>>,
}

impl<'a> Program<'a> {
    /// The caller's function, or it in another order.
    pub fn new(search: &Search, own: &'a Function) -> Self {
        let settings = search.settings;
        let mut program = Self {
            own,
            function: Cow::Borrowed(own),
            registers: search.budget.map(|budget| budget.registers),
            packs_predicates: settings.runs(Pass::PackPredicates),
            demanded: OnceCell::new(),
        };
        let regions = search
            .budget
            .and_then(|budget| Regions::new(own, budget.registers));
        let held = held_operands(own);
        if regions.is_some() || held.is_some() {
            let mut added = held.unwrap_or_default();
            if let Some(regions) = regions {
                program.registers = Some(regions.most());
                // Their registers hold bits for the whole function.
                program.packs_predicates = false;
                regions.take(program.function.to_mut(), search.machine, &mut added);
            }
            program.function = Cow::Owned(with_operands(&program.function, &added));
        }
        if let Some(iterations) = settings.knobs.estimated_loop_iterations {
            assume_iterations(program.function.to_mut(), iterations);
        }
        program
    }

    /// Whether more is live at once than the limited file has registers.
    pub fn is_crowded(&self, search: &Search) -> bool {
        let budget = search.budget.zip(self.registers);
        budget.is_some_and(|(budget, registers)| self.demanded(search, budget.file) > registers)
    }

    /// Whether more predicates are live at once than there are, and may become bits of registers.
    pub fn is_crowded_with_predicates(&self, search: &Search) -> bool {
        self.packs_predicates && gpu::is_gpu(search.machine) && {
            let file = gpu::PREDICATE_FILE;
            self.demanded(search, file) > search.machine.files[file].size
        }
    }

    /// MaxLive of the limited file, or of predicates. Time: that of MaxLive, once.
    fn demanded(&self, search: &Search, file: File) -> u32 {
        let count = || {
            let limited = search.budget.map(|budget| budget.file);
            let predicates = gpu::is_gpu(search.machine).then_some(gpu::PREDICATE_FILE);
            let files = limited.into_iter().chain(predicates);
            most_live_of(&self.function, search.machine, files)
        };
        self.demanded.get_or_init(count)[file]
    }

    /// The registers that a candidate has for values and spilled predicates.
    pub fn restricted<'m>(&self, candidate: &Candidate, search: &Search<'m>) -> Cow<'m, Machine> {
        let left = |registers: u32| registers.saturating_sub(candidate.taken());
        restrict(search.machine, search.settings, self.registers.map(left))
    }

    /// The same, with a file for the bits of spilled predicates.
    pub fn with_predicates(&self, candidate: &Candidate, search: &Search) -> Machine {
        let restricted = self.restricted(candidate, search);
        restricted
            .with_packed_predicates(candidate.predicate_words)
            .into_owned()
    }

    /// An allocation of the function with added operands becomes one of the caller's.
    pub fn without_added(&self, allocation: Allocation) -> Allocation {
        without_operands(self.own, &self.function, allocation)
    }
}
