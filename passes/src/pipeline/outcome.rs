//! What the pipeline makes of a function.

use crate::allocation::Allocation;
use crate::budget::{Budget, restrict, restrict_to_asked};
use crate::error::Error;
use crate::frame::shared_space::{NoSharedSpace, SharedSpace};
use crate::function::Function;
use crate::launch::LaunchBounds;
use crate::launch::occupancy::Prediction;
use crate::machine::Machine;
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;
use crate::prediction::Expected;
use crate::prediction::callees::{Functions, Reached};
use crate::schedule::Order;
use crate::settings::Settings;
use std::borrow::Cow;

/// What becomes of a function.
#[derive(Debug)]
pub struct Outcome {
    /// The function that all numbers are about: the caller's, in the order below.
    pub function: Function,
    /// The same with the caller's frequencies, if the function's were taken for guesses.
    pub undamped: Option<Function>,
    /// The caller's machine.
    pub machine: Machine,
    /// Another order than the caller's. Instructions have to be moved before edits are made.
    pub order: Option<Order>,
    /// The registers of a GPU that it was made for; none elsewhere, or if none could be chosen.
    pub budget: Option<Budget>,
    /// Where each value lives. Empty but for its statistics if the function is left.
    pub allocation: Allocation,
    /// Why the function keeps its virtual registers and ptxas allocates; none if it does not.
    pub left: Option<Left>,
    /// Launch bounds, with the shared memory that slots take.
    pub launch: LaunchBounds,
    /// The shared memory that slots may have, if they are wanted there.
    pub shared_space: Option<Result<SharedSpace, NoSharedSpace>>,
    /// What is predicted, on a GPU, if somebody wants to know.
    pub figures: Figures,
    /// What ptxas has to be told: at most so many registers.
    pub max_registers: Option<u32>,
}

/// What ptxas is expected to make of a function.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Within the budget.
    pub within_budget: Option<Predicted>,
    /// Of the program as it came, without a budget.
    pub without_budget: Option<Predicted>,
}

/// What ptxas is expected to make of a function, as soon as that is known of what it calls.
#[derive(Clone, Debug)]
pub struct Predicted {
    /// Of the function itself.
    pub expected: Expected,
    /// Where it runs.
    pub sm: &'static StreamingMultiprocessor,
    /// Its launch bounds, with the shared memory that slots take.
    pub launch: LaunchBounds,
}

impl Predicted {
    /// The prediction, with what is called, as far as it is one of these.
    pub fn with_callees(&self, functions: &Functions) -> Prediction {
        let Reached {
            registers, saved, ..
        } = functions.reached(&self.expected);
        Prediction {
            saved,
            ..Prediction::new(registers, self.sm, &self.launch)
        }
    }
}

/// Why a function is left to ptxas.
#[derive(Debug)]
pub enum Left {
    /// Nobody asked for fewer registers, it is expected to fit, or ptxas to spill it better,
    /// maybe in another order.
    Better,
    /// The settings say that ptxas spills.
    Asked,
    /// It could not be allocated.
    NotAllocated(Error),
}

impl Outcome {
    /// The machine within the budget.
    pub fn restricted(&self, settings: &Settings) -> Cow<'_, Machine> {
        within(&self.machine, settings, self.budget.as_ref())
    }
}

/// The machine within a budget; within what was asked for, if none could be chosen.
pub(super) fn within<'a>(
    machine: &'a Machine,
    settings: &Settings,
    budget: Option<&Budget>,
) -> Cow<'a, Machine> {
    match budget {
        Some(budget) => restrict(machine, settings, Some(budget.registers)),
        None => restrict_to_asked(machine, settings),
    }
}
