//! The pipeline: a function becomes an allocation, or is left to ptxas as it is.
//!
//! [`compile`] is all that happens to a function, in this order:
//!
//! 1. `prepare`: 64-bit values of which half is read are narrowed, guessed frequencies are
//!    damped.
//! 2. [`crate::budget`]: how many registers it may have, and why.
//! 3. [`crate::strategy`]: who spills what does not fit.
//! 4. [`crate::search`]: the cheapest allocation; or [`crate::schedule`] alone, where ptxas
//!    spills.
//! 5. `report`: what is predicted and counted, if somebody wants to know.
//!
//! Pure and deterministic. A dump ([`mod@dump`]) holds all that goes in. Time: that of the
//! search.

pub mod dump;
mod input;
pub mod narrow;
mod outcome;
mod prepare;
mod report;

pub use input::{Gpu, Input};
pub use outcome::{Figures, Left, Outcome, Predicted};

use crate::allocation::Allocation;
use crate::budget::{self, Budget};
use crate::error::Error;
use crate::frame::shared_space::shared_space;
use crate::frame::shared_space::{NoSharedSpace, SharedSpace};
use crate::function::Function;
use crate::schedule::{Order, Recipient, RoomierOrders, fused};
use crate::search::{IsUndone, Search, Worth, roomier_orders};
use crate::settings::{Pass, Settings, SpillSpace, Spills};
use crate::strategy::{self, Chosen, Strategy};
use tracing::debug;

/// Compiles a function.
///
/// # Errors
/// What the user is told: a malformed function, bounds that cannot be met, a budget too
/// small, a limit exceeded, an allocation that the checker refuses. If the settings leave
/// it open who spills, a function that cannot be allocated is left, for that reason.
pub fn compile(mut input: Input, settings: &Settings) -> Result<Outcome, Error> {
    let undamped = prepare::prepare(&mut input, settings);
    let mut decision = match &input.gpu {
        Some(gpu) => decide(&input, gpu, settings)?,
        None => {
            let budget = budget::asked(&input.machine, settings);
            let orders = orders(&input, settings, budget.as_ref());
            allocate(&input, settings, budget, orders.as_ref(), Worth::default())?
        }
    };
    let figures = report::report(&input, settings, &mut decision);
    let Input {
        function,
        machine,
        gpu,
        ..
    } = input;
    let mut launch = gpu.as_ref().map(|gpu| gpu.launch).unwrap_or_default();
    if let Some(frame) = decision.allocation.shared {
        launch.add_shared_memory(frame.bytes);
    }
    let max_registers = match (&gpu, &decision.budget) {
        (Some(gpu), Some(budget)) if settings.hand_off && function.kernel => {
            budget.handed_off(gpu.sm, &gpu.launch)
        }
        _ => None,
    };
    let (order, reordered) = decision.reordered.unzip();
    Ok(Outcome {
        function: reordered.unwrap_or(function),
        undamped,
        machine,
        order,
        budget: decision.budget,
        allocation: decision.allocation,
        left: decision.left,
        launch,
        shared_space: decision.shared_space,
        figures,
        max_registers,
    })
}

/// What was decided about a function.
#[derive(Default)]
struct Decision {
    budget: Option<Budget>,
    shared_space: Option<Result<SharedSpace, NoSharedSpace>>,
    /// Empty if the function is left.
    allocation: Allocation,
    reordered: Option<(Order, Function)>,
    left: Option<Left>,
}

/// Chooses a budget and who spills; allocates the function or leaves it. What is left has the
/// halves of products together.
fn decide(input: &Input, gpu: &Gpu, settings: &Settings) -> Result<Decision, Error> {
    let mut decision = allocate_or_leave(input, gpu, settings)?;
    let is_wanted = settings.runs(Pass::Reorder);
    let is_left = decision.left.is_some();
    if let Some(dependences) = input.dependences.as_ref().filter(|_| is_wanted && is_left) {
        let given = decision.reordered.as_ref().map(|(order, _)| order);
        if let Some(order) = fused(&input.function, dependences, given) {
            let function = order.apply(&input.function);
            decision.reordered = Some((order, function));
        }
    }
    Ok(decision)
}

/// Chooses a budget and who spills; allocates the function or leaves it.
fn allocate_or_leave(input: &Input, gpu: &Gpu, settings: &Settings) -> Result<Decision, Error> {
    let Input {
        function, machine, ..
    } = input;
    let may_leave = settings.spills != Spills::Here;
    let chosen = budget::choose(
        function,
        machine,
        settings,
        gpu.sm,
        &gpu.launch,
        &gpu.callers,
    );
    let budget = match chosen {
        Ok(budget) => budget,
        // Other kernels of the module may well have what is asked for.
        Err(error) if may_leave => return Ok(leave(None, Left::NotAllocated(error))),
        Err(error) => return Err(error),
    };
    debug!(
        function = function.name,
        registers = budget.registers,
        reason = budget.reason,
        "chose a budget"
    );
    let orders = || orders(input, settings, Some(&budget));
    let allocate = |orders: Option<&RoomierOrders>, worth| {
        let found = allocate(input, settings, Some(budget.clone()), orders, worth);
        found.map_err(|error| budget.explain(error))
    };
    if !may_leave {
        return allocate(orders().as_ref(), Worth::default());
    }
    let chosen = match settings.asks_for_fewer_registers() || settings.spills == Spills::Ptxas {
        // Whoever asks for nothing gets what ptxas would have made of it.
        false => Strategy::AsItIs.into(),
        true => {
            let (texts, registers) = (&gpu.texts, budget.registers);
            strategy::choose(function, machine, texts, settings.spills, registers)
        }
    };
    let orders = match chosen.strategy {
        Strategy::AsItIs => None,
        _ => orders(),
    };
    let orders = orders.as_ref();
    match chosen.strategy {
        Strategy::AsItIs => Ok(leave(Some(budget), Left::Better)),
        Strategy::Uncrowded => Ok(uncrowded(input, budget, orders, &chosen)),
        Strategy::Reordered => Ok(Decision {
            reordered: orders.and_then(|orders| orders.of(Recipient::Ptxas)),
            ..leave(Some(budget), Left::Asked)
        }),
        Strategy::Here => {
            let registers = budget.registers;
            let other = || {
                let orders = orders?;
                // That of ptxas is found on the way to it, not once more.
                orders.for_allocator();
                orders.by_ptxas()
            };
            let most = strategy::most_accesses(&chosen, machine, registers, other);
            if most == 0.0 {
                return Ok(uncrowded(input, budget, orders, &chosen));
            }
            let is_undone = |spilled: &Function, cost| {
                strategy::is_undone(&chosen, machine, registers, spilled, cost)
            };
            let is_undone: Option<IsUndone> = Some(&is_undone);
            match allocate(orders, Worth { most, is_undone }) {
                Err(error @ Error::Wrong(_)) => Err(error),
                Err(Error::NotWorthIt) => Ok(uncrowded(input, budget, orders, &chosen)),
                Err(error) => Ok(leave(Some(budget), Left::NotAllocated(error))),
                Ok(decision) => Ok(decision),
            }
        }
    }
}

/// The function as the allocator has it, if that is of use.
fn allocate(
    input: &Input,
    settings: &Settings,
    budget: Option<Budget>,
    orders: Option<&RoomierOrders>,
    worth: Worth,
) -> Result<Decision, Error> {
    let is_wanted = settings.spill_space(&input.function) == SpillSpace::Shared
        && settings.spills == Spills::Here;
    let gpu = input.gpu.as_ref().filter(|_| is_wanted);
    let shared_space = gpu
        .zip(budget.as_ref())
        .map(|(gpu, budget)| shared_space(&input.function, gpu.sm, &gpu.launch, budget.registers));
    let search = Search {
        function: &input.function,
        machine: &input.machine,
        settings,
        budget: budget.as_ref(),
        shared_space: shared_space.and_then(Result::ok),
        orders,
        worth,
    };
    let found = search.run()?;
    Ok(Decision {
        budget,
        shared_space,
        allocation: found.allocation,
        reordered: found.reordered,
        left: None,
    })
}

/// The function as it came.
fn leave(budget: Option<Budget>, reason: Left) -> Decision {
    let mut allocation = Allocation::default();
    allocation.statistics.is_left = true;
    Decision {
        budget,
        allocation,
        left: Some(reason),
        ..Decision::default()
    }
}

/// The function as it came, or in an order with which far less has to be spilled.
fn uncrowded(
    input: &Input,
    budget: Budget,
    orders: Option<&RoomierOrders>,
    chosen: &Chosen,
) -> Decision {
    let other = || Some((orders?.for_ptxas()?, orders?.by_ptxas()?));
    let order = strategy::better_order(chosen, &input.machine, budget.registers, other);
    Decision {
        reordered: order.map(|order| (order.clone(), order.apply(&input.function))),
        ..leave(Some(budget), Left::Better)
    }
}

/// The orders of the function's instructions that ask for fewer registers.
fn orders<'a>(
    input: &'a Input,
    settings: &Settings,
    budget: Option<&Budget>,
) -> Option<RoomierOrders<'a>> {
    let dependences = input.dependences.as_ref();
    roomier_orders(
        &input.function,
        &input.machine,
        settings,
        budget,
        dependences,
    )
}
