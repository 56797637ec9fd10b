//! What people want to know of an allocation, in sentences: LLVM's optimization remarks.
//!
//! | name | kind | says |
//! | --- | --- | --- |
//! | `Registers` | analysis | GPU: predicted registers, the budget and its reason |
//! | `Occupancy` | analysis | GPU, kernels: resident warps, now and at the next cliff |
//! | `Spills` | analysis | what spilling costs in all |
//! | `SharedSpills` | analysis | GPU: what of it is in shared memory |
//! | `HighPressure` | analysis | the lines where most registers are live |
//! | `LocalSpills` | missed | GPU: why nothing is, although it was asked for |
//! | `Spilled` | missed | a value that is spilled, the most expensive first |
//!
//! Computed only if somebody listens. What is counted comes from [`passes::explain`];
//! the shim attaches the sentences to instructions.

pub mod remark;
pub mod source;

use passes::allocation::Allocation;
use passes::budget::Budget;
use passes::explain::{Peak, SpilledValue, peaks, spilled_values};
use passes::frame::shared_space::{NoSharedSpace, SharedSpace};
use passes::function::{Function, Instruction};
use passes::launch::LaunchBounds;
use passes::launch::occupancy::{Cliff, Prediction};
use passes::machine::Machine;
use passes::machine::occupancy::Limits;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use remark::{Kind, Remark};
use source::{DebugInformation, SourceLine};
use std::collections::BTreeMap;

/// So many lines with the highest pressure are named, and how.
const RANKS: [&str; 3] = ["highest", "second highest", "third highest"];

/// So many variables are named that are live there.
const NAMED: usize = 5;

/// What there is to tell.
pub struct Facts<'a> {
    /// The function, in the order in which it was allocated.
    pub function: &'a Function,
    /// The machine within the budget.
    pub machine: &'a Machine,
    /// The result.
    pub allocation: &'a Allocation,
    /// Lines and variables.
    pub source: &'a DebugInformation,
    /// On a GPU.
    pub gpu: Option<GpuFacts<'a>>,
}

/// What there is to tell on a GPU.
pub struct GpuFacts<'a> {
    /// What it runs on.
    pub sm: &'a StreamingMultiprocessor,
    /// Its launch bounds.
    pub launch: &'a LaunchBounds,
    /// The shared memory that its spill slots may have, if they are wanted there.
    pub shared_space: Option<Result<SharedSpace, NoSharedSpace>>,
    /// Its budget.
    pub budget: &'a Budget,
    /// What ptxas is expected to report.
    pub prediction: Prediction,
    /// The registers that it would report without a budget.
    pub without_budget: u32,
}

/// All remarks about a function, in the order in which they are to be shown.
pub fn remarks(facts: &Facts) -> Vec<Remark> {
    let mut found = Vec::new();
    if let Some(gpu) = &facts.gpu {
        found.push(registers(facts.function, gpu));
        if facts.function.kernel {
            found.push(occupancy(facts.function, gpu));
        }
    }
    let spilled = spilled_values(facts.function, facts.allocation);
    if !spilled.is_empty() {
        found.push(spills(facts, &spilled));
        found.extend(spill_space(facts));
    }
    // The spill code of an earlier time is none of the programmer's.
    if !facts.source.is_again {
        found.extend(high_pressure(facts));
    }
    found.extend(spilled.iter().map(|one| one_spilled(facts.source, one)));
    found
}

fn registers(function: &Function, gpu: &GpuFacts) -> Remark {
    let Budget {
        registers, reason, ..
    } = gpu.budget;
    let mut remark = Remark::new(Kind::Analysis, "Registers", None);
    remark
        .text(format!("'{}' takes about ", function.name))
        .count("Registers", gpu.prediction.registers, "register")
        .text(" a thread");
    if gpu.without_budget != gpu.prediction.registers {
        remark
            .text(", and would take about ")
            .value("RegistersWithoutBudget", gpu.without_budget)
            .text(" without a budget");
    }
    remark
        .text("; its budget is ")
        .value("Budget", registers)
        .text(", from ")
        .value("BudgetReason", reason);
    let lowest = gpu.launch.lowest_bound(gpu.sm);
    if *registers < lowest {
        remark
            .text("; ptxas keeps no bound below ")
            .value("LowestBound", lowest);
    }
    remark
}

fn occupancy(function: &Function, gpu: &GpuFacts) -> Remark {
    let GpuFacts {
        sm,
        launch,
        prediction,
        ..
    } = gpu;
    let now = &prediction.occupancy;
    let mut remark = Remark::new(Kind::Analysis, "Occupancy", None);
    remark
        .text(format!("with '{}', ", function.name))
        .value("Warps", now.warps)
        .text(" of the ")
        .value("MaxWarps", sm.warps)
        .text(" warps of an SM are resident (")
        .value("Occupancy", now.percent)
        .text(" percent): ")
        .count("Blocks", now.blocks, "block")
        .text(" of ")
        .value("BlockThreads", launch.block().threads)
        .text(match launch.known_threads() {
            Some(_) => " threads",
            None => " threads, which is a guess",
        })
        .text(", limited by ")
        .value("LimitedBy", limits(now.limits));
    match prediction.cliff(sm, launch) {
        Some(Cliff {
            registers,
            occupancy,
        }) => remark
            .text("; with ")
            .count(
                "FewerRegisters",
                prediction.registers - registers,
                "register",
            )
            .text(" fewer, ")
            .value("NextCliffRegisters", registers)
            .text(", it would be ")
            .count("NextCliffBlocks", occupancy.blocks, "block")
            .text(" and ")
            .value("NextCliffWarps", occupancy.warps)
            .text(" warps (")
            .value("NextCliffOccupancy", occupancy.percent)
            .text(" percent)"),
        None => remark.text("; fewer registers would not make it more"),
    };
    remark.text("; there is room for ").count(
        "FreeRegisters",
        prediction.free(sm, launch),
        "more register",
    );
    remark
}

fn limits(limits: Limits) -> String {
    let names = limits.iter().map(|one| match one {
        Limits::REGISTERS => "registers",
        Limits::SHARED_MEMORY => "shared memory",
        Limits::BLOCKS => "the blocks an SM can hold",
        _ => "the warps an SM can hold",
    });
    names.collect::<Vec<_>>().join(" and ")
}

/// Adds what some accesses to memory cost.
fn accesses(remark: &mut Remark, stores: u32, reloads: u32, folded: u32, cost: f64) {
    remark
        .count("Stores", stores, "store")
        .text(" and ")
        .count("Reloads", reloads, "reload");
    if folded > 0 {
        remark
            .text(", and ")
            .count("Folded", folded, "operand")
            .text(" in memory");
    }
    remark
        .text(", executed about ")
        .value("Cost", format!("{cost:.1}"))
        .text(" times when the function runs once");
}

fn spills(facts: &Facts, spilled: &[SpilledValue]) -> Remark {
    let mut remark = Remark::new(Kind::Analysis, "Spills", None);
    let number = spilled.len() as u32;
    remark
        .count("SpilledValues", number, "value")
        .text(format!(" of '{}'", facts.function.name))
        .text(match number {
            1 => " is spilled: ",
            _ => " are spilled: ",
        });
    let sum = |count: fn(&SpilledValue) -> u32| spilled.iter().map(count).sum();
    let cost = spilled.iter().map(|one| one.cost).sum();
    let (stores, reloads) = (sum(|one| one.stores), sum(|one| one.reloads));
    accesses(&mut remark, stores, reloads, sum(|one| one.folded), cost);
    let vectors = facts.allocation.statistics.vectors;
    if vectors > 0 {
        remark
            .text("; ")
            .count("Vectors", vectors, "instruction")
            .text(match vectors {
                1 => " does several of these at once",
                _ => " do several of these at once",
            });
    }
    let recomputed = facts.allocation.statistics.remats;
    if recomputed > 0 {
        remark
            .text("; others are computed again in ")
            .count("Rematerialised", recomputed, "place");
    }
    remark
}

/// Where the slots are, if they are wanted in shared memory.
fn spill_space(facts: &Facts) -> Option<Remark> {
    let asked = facts.gpu.as_ref()?.shared_space?;
    let name = &facts.function.name;
    let Some(frame) = facts.allocation.shared else {
        let mut remark = Remark::new(Kind::Missed, "LocalSpills", None);
        remark.text(format!(
            "the spill slots of '{name}' stay in local memory: "
        ));
        match asked {
            Err(reason) => remark.value("Reason", reason),
            Ok(_) => remark.value("Reason", "shared memory would not be cheaper"),
        };
        return Some(remark);
    };
    let slots = &facts.allocation.slots;
    let shared = slots.values().filter(|data| data.column.is_some());
    let mut remark = Remark::new(Kind::Analysis, "SharedSpills", None);
    remark
        .value("SharedSlots", shared.count())
        .text(" of the ")
        .count("Slots", slots.len() as u32, "spill slot")
        .text(format!(" of '{name}' "))
        .text("are in shared memory: ")
        .count("SharedBytes", frame.bytes, "byte")
        .text(" for ")
        .count("BlockThreads", frame.threads, "thread")
        .text(" of a block");
    Some(remark)
}

fn one_spilled(source: &DebugInformation, one: &SpilledValue) -> Remark {
    let has_line = |&&at: &&Instruction| source.location(at).is_some();
    let (at, how) = match one.writes.iter().find(has_line) {
        Some(at) => (Some(at), ", defined at "),
        None => (one.reads.iter().find(has_line), ", first used at "),
    };
    let somewhere = at.or(one.writes.first()).copied();
    let mut remark = Remark::new(Kind::Missed, "Spilled", somewhere);
    named(&mut remark, source, one);
    if let Some(location) = at.and_then(|&at| source.location(at)) {
        remark.text(how);
        place(&mut remark, source, location);
        remark.text(",");
    }
    remark.text(" is spilled: ");
    accesses(&mut remark, one.stores, one.reloads, one.folded, one.cost);
    remark
}

/// Adds what a spilled value is to people.
fn named(remark: &mut Remark, source: &DebugInformation, one: &SpilledValue) {
    let Some(variable) = source.variable(one.value) else {
        remark
            .text("a value without a name (")
            .value("Value", format!("%{}", source.number(one.value)))
            .text(", ");
        remark.count("Bytes", one.bytes, "byte").text(")");
        return;
    };
    if variable.fragment.is_some() {
        remark.text("a part of ");
    }
    remark
        .text("'")
        .value("Value", &variable.name)
        .text("' (")
        .count("Bytes", one.bytes, "byte");
    if let Some(first) = variable.first_byte() {
        remark
            .text(" from byte ")
            .value("FirstByte", first)
            .text(" on");
    }
    remark.text(")");
}

/// Adds a line, and where its code was inlined.
fn place(remark: &mut Remark, source: &DebugInformation, location: &SourceLine) {
    remark
        .text("line ")
        .value("Line", location.line)
        .text(" of ")
        .value("File", &location.file);
    if let Some(outer) = source.inlined_at(location) {
        remark
            .text(" (inlined at line ")
            .value("InlinedAtLine", outer.line);
        if outer.file != location.file {
            remark.text(" of ").value("InlinedAtFile", &outer.file);
        }
        remark.text(")");
    }
}

fn high_pressure(facts: &Facts) -> Vec<Remark> {
    let Facts {
        function,
        machine,
        allocation,
        source,
        ..
    } = facts;
    let lines = source.lines(function);
    let line = |one: Instruction| lines[one.as_u32() as usize];
    let found = peaks(function, machine, allocation, RANKS.len(), line);
    if found.is_empty() {
        let all = peaks(function, machine, allocation, 1, |_| Some(()));
        return all.iter().map(|peak| without_lines(facts, peak)).collect();
    }
    let ranked = RANKS.iter().zip(&found);
    let mut remarks: Vec<_> = ranked.map(|(rank, peak)| full(facts, rank, peak)).collect();
    if let Some(first) = remarks.first_mut()
        && !source.has_variables()
    {
        first.text(match facts.gpu {
            // For a GPU clang takes -g for lines alone.
            Some(_) => {
                "; compile with -g -Xclang -debug-info-kind=constructor to have variables named"
            }
            None => "; compile with -g to have variables named",
        });
    }
    remarks
}

/// A line with high pressure.
fn full(facts: &Facts, rank: &str, peak: &Peak<usize>) -> Remark {
    let source = facts.source;
    // Code without a line counts to what stands before it.
    let upwards = (0..=peak.instruction.as_u32()).rev();
    let mut upwards = upwards.map(Instruction::from_u32);
    let at = upwards.find(|&one| source.location(one).is_some());
    let location = at.and_then(|at| source.location(at));
    let mut remark = Remark::new(Kind::Analysis, "HighPressure", at);
    place(
        &mut remark,
        source,
        location.unwrap_or(&source.locations[peak.place]),
    );
    remark
        .text(" has the ")
        .value("Rank", rank)
        .text(" register pressure: ");
    live(&mut remark, facts, peak);
    remark
}

/// The highest pressure where no line is known.
fn without_lines(facts: &Facts, peak: &Peak<()>) -> Remark {
    let mut remark = Remark::new(Kind::Analysis, "HighPressure", Some(peak.instruction));
    let name = &facts.function.name;
    remark.text(format!(
        "where the register pressure of '{name}' is highest, "
    ));
    live(&mut remark, facts, peak);
    remark.text("; compile with -g to have lines named");
    remark
}

/// Adds what is live at a point, the variables with most registers first.
fn live<P>(remark: &mut Remark, facts: &Facts, peak: &Peak<P>) {
    remark
        .count("Live", peak.live, "register")
        .text(" of ")
        .value("RegisterFile", &facts.machine.files[peak.file].name)
        .text(if peak.live == 1 { " is" } else { " are" })
        .text(" live where ")
        .value("Available", peak.available)
        .text(" can be had");
    let mut by_name: BTreeMap<&str, u32> = BTreeMap::new();
    for &(value, registers) in &peak.values {
        if let Some(variable) = facts.source.variable(value) {
            *by_name.entry(&variable.name).or_default() += registers;
        }
    }
    let mut named: Vec<_> = by_name.into_iter().collect();
    // Stable: equal ones stay in the order of their names.
    named.sort_by_key(|&(_, registers)| std::cmp::Reverse(registers));
    named.truncate(NAMED);
    let mut rest = peak.live;
    for (number, &(name, registers)) in named.iter().enumerate() {
        remark
            .text(if number == 0 { ": " } else { ", " })
            .value("ValueRegisters", registers)
            .text(" for '")
            .value("Value", name)
            .text("'");
        rest = rest.saturating_sub(registers);
    }
    if !named.is_empty() && rest > 0 {
        remark
            .text(", ")
            .value("OtherRegisters", rest)
            .text(" for others");
    }
}

#[cfg(test)]
mod tests;
