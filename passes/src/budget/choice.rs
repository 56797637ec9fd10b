//! The choice of a budget: at most how many registers a GPU's thread may have, and why.
//!
//! Every bound that the user gives is an upper one; the lowest holds, and of equal ones
//! the first in this order:
//!
//! 1. `-nvptx-regalloc-pressure-limit`, then knobs 633 and 632
//! 2. `nvvm.maxnreg`
//! 3. `nvvm.minctasm` at the block size
//! 4. `-nvptx-regalloc-occupancy-target` at the block size, or at 256 threads
//! 5. in the cicc profile the part of the registers that are filled before values are spilled
//! 6. what a block of `nvvm.reqntid` or `nvvm.maxntid` threads can have at all
//!
//! Where there is none but the last, a kernel of known block size gets the most registers
//! with which no resident block is lost against those that it needs: those live at once.
//! Without a block size it gets all. A function that kernels call has the lowest of their
//! bounds that do not follow from their code ([`super::callers`]). Time: that of liveness,
//! where it is asked for.

use super::model::aligned;
use crate::analysis::demand::most_live;
use crate::error::Error;
use crate::function::{Function, Malformed};
use crate::launch::LaunchBounds;
use crate::launch::call_graph::Caller;
use crate::machine::occupancy::BlockResources;
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;
use crate::machine::{File, Machine, gpu};
use crate::settings::{Settings, Spills};

/// How many registers a thread may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The file that is limited: R.
    pub file: File,
    /// At most so many of its registers.
    pub registers: u32,
    /// So many of these are left to ptxas where values are spilled.
    pub reserved: u32,
    /// Who says so.
    pub source: BudgetSource,
    /// The same for people.
    pub reason: String,
}

/// One of several upper bounds on the registers.
struct Bound {
    registers: u32,
    source: BudgetSource,
    reason: String,
}

/// Who decides the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetSource {
    /// `-nvptx-regalloc-pressure-limit`.
    PressureLimit,
    /// Knob 633 or 632.
    Knob,
    /// `nvvm.maxnreg`.
    MaxRegisters,
    /// `nvvm.minctasm`.
    MinBlocks,
    /// `-nvptx-regalloc-occupancy-target`.
    OccupancyTarget,
    /// More than this part of the registers is not to be filled.
    SpillThreshold,
    /// A block must fit.
    BlockSize,
    /// No resident block is to be lost.
    ResidentBlocks,
    /// The register file.
    RegisterFile,
}

impl Budget {
    /// What to tell ptxas, as `.maxnreg` of a kernel: the budget that the command line
    /// asks for, or the lowest bound that it keeps. Launch
    /// bounds it reads itself, and without any it does better alone. Nothing where other modules
    /// define what is called, which would not be held to it.
    pub fn handed_off(&self, sm: &StreamingMultiprocessor, launch: &LaunchBounds) -> Option<u32> {
        let is_asked_for = matches!(
            self.source,
            BudgetSource::PressureLimit | BudgetSource::Knob | BudgetSource::OccupancyTarget
        );
        let own = launch.registers.unwrap_or(u32::MAX);
        let registers = self.registers.max(launch.lowest_bound(sm)).min(own);
        let says_more = registers < own && registers < sm.registers_per_thread;
        (is_asked_for && says_more && !launch.linked_calls).then_some(registers)
    }

    /// The lowest of the bounds, the first of them; all registers if there is none.
    fn lowest(file: File, all: u32, bounds: Vec<Bound>, settings: &Settings) -> Self {
        let all = Bound {
            registers: all,
            source: BudgetSource::RegisterFile,
            reason: "the register file".into(),
        };
        let bounds = bounds.into_iter().rev();
        let Bound {
            registers,
            source,
            reason,
        } = bounds.fold(all, |lowest, one| match one.registers <= lowest.registers {
            true => one,
            false => lowest,
        });
        Self {
            file,
            registers,
            reserved: settings.reserve(registers),
            source,
            reason,
        }
    }

    /// The registers that are there if the reserve is left to ptxas.
    pub fn within_reserve(&self) -> u32 {
        self.registers.saturating_sub(self.reserved)
    }

    /// An error of the allocator, with the reason for the budget where that is the cause.
    pub fn explain(&self, error: Error) -> Error {
        let is_cause = matches!(
            error,
            Error::BudgetTooSmall { .. } | Error::OutOfRegisters { .. }
        );
        match self.source {
            BudgetSource::PressureLimit | BudgetSource::RegisterFile => error,
            _ if is_cause => Error::WithinBudget {
                error: Box::new(error),
                reason: self.reason.clone(),
            },
            _ => error,
        }
    }
}

/// Chooses the budget of a function on a GPU. `callers` are the kernels that reach it, if
/// it is none itself. `expected` predicts the registers that ptxas takes without a budget;
/// it is asked only where that decides.
///
/// # Errors
/// [`Error::Contradiction`] if a bound asks for more resident blocks or warps than the SM
/// holds of that block size. Those of callers are reported there.
pub fn choose(
    function: &Function,
    machine: &Machine,
    settings: &Settings,
    sm: &StreamingMultiprocessor,
    launch: &LaunchBounds,
    callers: &[Caller],
) -> Result<Budget, Error> {
    let mut bounds = asked_for(settings);
    if callers.is_empty() {
        bounds.extend(launch_bounds(settings, sm, launch)?);
        let is_asked_for = !bounds.is_empty();
        bounds.extend(spill_threshold(settings));
        bounds.extend(fitting(sm, launch));
        // ptxas does not know of a bound that nobody asked for, and of a spill it does.
        let is_wanted = settings.spills == Spills::Here && !is_asked_for;
        if is_wanted && launch.known_threads().is_some() {
            bounds.extend(resident_blocks(function, machine, settings, sm, launch));
        }
    }
    for Caller { name, launch } in callers {
        let of_caller = launch_bounds(settings, sm, launch).unwrap_or_default();
        for mut bound in of_caller.into_iter().chain(fitting(sm, launch)) {
            bound.reason += &format!(" of '{name}', which reaches it");
            bounds.push(bound);
        }
    }
    let file = machine.limited_file().ok_or_else(|| {
        let name = gpu::R_NAME;
        Error::Malformed(Malformed(format!(
            "the machine has no register file {name}"
        )))
    })?;
    Ok(Budget::lowest(
        file,
        sm.registers_per_thread,
        bounds,
        settings,
    ))
}

/// The budget that the settings ask for by themselves; none if no file is limited.
pub fn asked(machine: &Machine, settings: &Settings) -> Option<Budget> {
    let file = machine.limited_file()?;
    let mut bounds = asked_for(settings);
    bounds.extend(spill_threshold(settings));
    Some(Budget::lowest(file, gpu::R_SIZE, bounds, settings))
}

/// The bound beyond which the cicc profile spills.
fn spill_threshold(settings: &Settings) -> Option<Bound> {
    let percent = settings.spill_threshold()?;
    Some(Bound {
        registers: (gpu::R_SIZE * percent / 100).max(1),
        source: BudgetSource::SpillThreshold,
        reason: format!("the spill threshold of {percent} percent"),
    })
}

/// The bounds that the command line sets by themselves.
fn asked_for(settings: &Settings) -> Vec<Bound> {
    let mut bounds = Vec::new();
    let mut add = |registers, source, reason| {
        bounds.push(Bound {
            registers,
            source,
            reason,
        });
    };
    if let Some(limit) = settings.pressure_limit {
        let reason = format!("-nvptx-regalloc-pressure-limit={limit}");
        add(limit, BudgetSource::PressureLimit, reason);
    }
    let knobs = &settings.knobs;
    for (number, limit) in [(633, knobs.secondary_budget), (632, knobs.tertiary_budget)] {
        if limit > 0 {
            let reason = format!("-warpalloc-knob={number}={limit}");
            add(limit, BudgetSource::Knob, reason);
        }
    }
    bounds
}

/// The bounds that somebody sets by how a kernel is launched.
fn launch_bounds(
    settings: &Settings,
    sm: &StreamingMultiprocessor,
    launch: &LaunchBounds,
) -> Result<Vec<Bound>, Error> {
    let own = launch.registers.map(|registers| Bound {
        registers,
        source: BudgetSource::MaxRegisters,
        reason: format!("nvvm.maxnreg={registers}"),
    });
    let bounds = [
        own,
        min_blocks(sm, launch)?,
        occupancy_target(settings, sm, launch)?,
    ];
    Ok(bounds.into_iter().flatten().collect())
}

/// The bound by which a block of known size can be launched at all.
fn fitting(sm: &StreamingMultiprocessor, launch: &LaunchBounds) -> Option<Bound> {
    launch.known_threads()?;
    Some(Bound {
        registers: sm.most_registers(&launch.block(), 1)?,
        source: BudgetSource::BlockSize,
        reason: launch.block_size().to_string(),
    })
}

/// The bound by which as many blocks are resident as the kernel wants, or as its shared
/// memory allows.
fn min_blocks(sm: &StreamingMultiprocessor, launch: &LaunchBounds) -> Result<Option<Bound>, Error> {
    let (Some(blocks), Some(_)) = (launch.blocks, launch.known_threads()) else {
        return Ok(None);
    };
    let wish = format!("nvvm.minctasm={blocks}");
    let most = |most| format!("sm_{} holds at most {most} such blocks", sm.version);
    for_blocks(sm, launch, blocks, BudgetSource::MinBlocks, wish, most)
}

/// The bound by which registers do not keep occupancy below the target.
fn occupancy_target(
    settings: &Settings,
    sm: &StreamingMultiprocessor,
    launch: &LaunchBounds,
) -> Result<Option<Bound>, Error> {
    let Some(percent) = settings.occupancy_target else {
        return Ok(None);
    };
    let wish = format!("-nvptx-regalloc-occupancy-target={percent}");
    let block = launch.block();
    let blocks = launch.blocks_for(sm, percent);
    let most = |most| {
        let reached = most * block.warps() * 100 / sm.warps;
        format!("sm_{} reaches at most {reached} percent", sm.version)
    };
    for_blocks(
        sm,
        launch,
        blocks,
        BudgetSource::OccupancyTarget,
        wish,
        most,
    )
}

/// The bound by which so many blocks are resident; an error, with what `most` says of the
/// blocks there can be, if the SM cannot hold them.
fn for_blocks(
    sm: &StreamingMultiprocessor,
    launch: &LaunchBounds,
    blocks: u32,
    source: BudgetSource,
    wish: String,
    most: impl Fn(u32) -> String,
) -> Result<Option<Bound>, Error> {
    let possible = most_blocks(sm, &launch.block());
    if blocks > possible {
        return Err(Error::Contradiction {
            wish,
            condition: launch.block_size().to_string(),
            reason: most(possible),
        });
    }
    let reason = format!("{wish} with {}", launch.block_size());
    Ok(registers_for(sm, launch, blocks).map(|registers| Bound {
        registers,
        source,
        reason,
    }))
}

/// The bound by which no block is lost that what is live at once leaves resident.
fn resident_blocks(
    function: &Function,
    machine: &Machine,
    settings: &Settings,
    sm: &StreamingMultiprocessor,
    launch: &LaunchBounds,
) -> Option<Bound> {
    let file = machine.limited_file()?;
    let mut registers = most_live(function, machine, file);
    if settings.budget_model.is_some() {
        registers = aligned(registers);
    }
    let needed = BlockResources {
        registers,
        ..launch.block()
    };
    let blocks = sm.occupancy(&needed).blocks.max(1);
    Some(Bound {
        registers: sm.most_registers(&needed, blocks)?,
        source: BudgetSource::ResidentBlocks,
        reason: format!("{blocks} resident blocks with {}", launch.block_size()),
    })
}

/// Blocks that are resident if neither registers nor shared memory bound them.
fn most_blocks(sm: &StreamingMultiprocessor, block: &BlockResources) -> u32 {
    let alone = BlockResources {
        registers: 0,
        shared_memory: 0,
        ..*block
    };
    sm.occupancy(&alone).blocks
}

/// The most registers for so many blocks. Fewer registers are of no use where shared
/// memory leaves fewer blocks.
fn registers_for(sm: &StreamingMultiprocessor, launch: &LaunchBounds, blocks: u32) -> Option<u32> {
    let block = launch.block();
    let possible = sm.occupancy(&block).blocks;
    sm.most_registers(&block, blocks.min(possible).max(1))
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
