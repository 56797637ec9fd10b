//! What happens to one function between the shim's tables and its result.
//!
//! Import, budget, allocation, the order of instructions, and what people are told. All
//! of it is decided here and in the modules named; [`crate::entry`] only crosses the
//! boundary. Time: that of the allocation, two or three times if orders are tried.

use crate::abi::{WarpallocFunction, WarpallocOptions};
use crate::apply::Tables;
use crate::dump;
use crate::import::{self, Imported, Target};
use crate::left::{self, Left, Reason};
use crate::multiplied::name_apart;
use crate::options;
use crate::plant::plant;
use crate::predict;
use crate::remarks::remark;
use crate::remarks::{Facts, GpuFacts, remarks};
use passes::allocation::Allocation;
use passes::analysis::frequency::damp;
use passes::analysis::low_halves;
use passes::budget::{self, Budget, NoSharedSpace, Prediction, SharedSpace, Source};
use passes::config::{Config, Pass, SpillSpace, Spills};
use passes::error::Error;
use passes::function::{Function, text};
use passes::machine::Machine;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::schedule::cheaper_order;
use passes::strategy::{self, Strategy};
use std::fmt::Display;
use std::io::Write;

/// An allocation and what it was made within.
struct Allocated {
    config: Config,
    /// None where registers are not chosen but there.
    budget: Option<Budget>,
    /// None if nobody wants slots in shared memory.
    shared_space: Option<Result<SharedSpace, NoSharedSpace>>,
    allocation: Allocation,
}

/// Allocates a function.
///
/// # Errors
/// What the user is told: bad options, malformed tables, an impossible budget.
///
/// # Safety
/// The tables' pointers must point to as many elements as their counts say.
pub unsafe fn allocate(
    target: &Target,
    function: &WarpallocFunction,
    options: &WarpallocOptions,
) -> Result<Tables, String> {
    // SAFETY: passed on to the caller.
    let (name, options) = unsafe {
        (
            import::name(function),
            import::options(options).map_err(|error| error.to_string())?,
        )
    };
    if !name.is_empty() && name == options.panic_at {
        panic!("planted panic");
    }
    let config = options::config(&options, target.gpu()).map_err(|error| error.to_string())?;
    let wants_remarks = !function.source.is_null();
    let left_by = target.gpu().filter(|_| config.spills != Spills::Here);
    // SAFETY: passed on to the caller.
    let imported = unsafe { target.import(function) };
    let mut imported = match imported {
        Ok(imported) => imported,
        Err(error) if left_by.is_some() => return Ok(left::unseen(&name, &error, wants_remarks)),
        Err(error) => return Err(error.to_string()),
    };
    if target.gpu().is_some() && config.runs(Pass::LowHalves) {
        low_halves::narrow(&mut imported.function, &imported.halves);
    }
    let mut undamped = None;
    if config.damp_guesses && !function.is_profiled {
        // Remarks say how often something runs, as far as LLVM knows.
        undamped = imported.source.is_some().then(|| imported.function.clone());
        damp(&mut imported.function);
    }
    let spill_space =
        options::spill_space(options.spill_space).map_err(|error| error.to_string())?;
    let wants_shared = spill_space == SpillSpace::Shared || config.knobs.shared_memory_spilling;
    let dump = |machine: &Machine| match options.dump_directory {
        "" => Ok(()),
        directory => dump::write(directory, &name, &text::print(machine, &imported.function)),
    };
    let allocated = match left_by {
        Some(sm) => match by_strategy(&imported, sm, config, dump)? {
            Decision::Allocated(allocated) => *allocated,
            Decision::Left(left) => return Ok(left.tables(&name, imported, sm, &options)),
        },
        None => within_budget(&imported, target.gpu(), config, wants_shared, dump)?,
    };
    let Allocated {
        config,
        budget,
        shared_space,
        mut allocation,
    } = allocated;
    let mut function = std::mem::take(&mut imported.function);
    // Only there if somebody wants remarks.
    let source = imported.source.take();
    let predict = |function: &Function, machine: &Machine| {
        predict::occupancy(&imported, function, machine, &config, target.gpu()?)
    };
    let is_asked = options.print_statistics || source.is_some();
    let restricted = is_asked.then(|| budget::restrict(&imported.machine, &config));
    // ptxas makes use of what it has, and that is no less than the lowest bound that it keeps.
    let lowest = target
        .gpu()
        .map_or(0, |sm| imported.launch.lowest_bound(sm));
    let file = budget::limited_file(&imported.machine).filter(|_| is_asked);
    let mut predicted = file.and_then(|file| {
        let registers = config.gpu_registers().max(lowest);
        predict(&function, &budget::cut(&imported.machine, file, registers))
    });
    let without_budget = source.as_ref();
    let without_budget = without_budget.and_then(|_| predict(&function, &imported.machine));
    let mut order = None;
    let reordered = match &imported.dependences {
        Some(dependences) => cheaper_order(
            &function,
            &imported.machine,
            &config,
            dependences,
            &allocation,
        )
        .map_err(|error| error.to_string())?,
        None => None,
    };
    if let Some(reordered) = reordered {
        function = reordered.function;
        allocation = reordered.allocation;
        order = Some(reordered.order);
    }
    let mut launch = imported.launch;
    if let (Some(frame), Some(sm)) = (allocation.shared, target.gpu()) {
        launch.add_shared_memory(frame.bytes);
        predicted = predicted.map(|one| Prediction::new(one.registers, sm, &launch));
    }
    if options.print_statistics {
        allocation.statistics.prediction = predicted;
        print_line(&name, &allocation.statistics);
    }
    let mut said = Vec::new();
    if let (Some(mut source), Some(machine)) = (source, &restricted) {
        if let Some(order) = &order {
            source.reorder(order);
        }
        source.name_copies(&function);
        let gpu = target.gpu().zip(budget.as_ref());
        let gpu = gpu.zip(predicted.zip(without_budget));
        said = remarks(&Facts {
            // What is damped, on a CPU, is never reordered.
            function: undamped.as_ref().unwrap_or(&function),
            machine,
            allocation: &allocation,
            source: &source,
            gpu: gpu.map(|((sm, budget), (prediction, without_budget))| GpuFacts {
                sm,
                launch: &launch,
                shared_space,
                budget,
                prediction,
                without_budget: without_budget.registers,
            }),
        });
    }
    if let Some(seed) = options.plant_fault
        && (options.plant_function.is_empty() || options.plant_function == name)
    {
        let machine = budget::restrict(&imported.machine, &config);
        let machine = allocation.machine(&machine);
        let seed = u64::from(seed);
        print_line(&name, &plant(&function, &machine, &mut allocation, seed));
    }
    let count = function.virtual_registers.len();
    let mut tables = Tables::new(&allocation, count, &imported.classes, &launch);
    if target.gpu().is_some() {
        name_apart(&function, &allocation, &mut tables.homes);
    }
    tables.remarks = remark::Tables::new(&said);
    if let Some(order) = order {
        let instructions = order.instructions().iter();
        tables.order = instructions.map(|one| one.as_u32()).collect();
    }
    if let (Some(budget), Some(sm)) = (&budget, target.gpu())
        && options.hand_off
        && function.kernel
    {
        let handed_off = budget.handed_off(sm, &imported.launch);
        tables.max_registers = handed_off.unwrap_or(0);
    }
    Ok(tables)
}

/// What becomes of a function for a GPU.
enum Decision {
    Allocated(Box<Allocated>),
    Left(Box<Left>),
}

/// Leaves the function to ptxas, or allocates it, by what is expected to be best.
fn by_strategy(
    imported: &Imported,
    sm: &StreamingMultiprocessor,
    mut config: Config,
    dump: impl Fn(&Machine) -> Result<(), String>,
) -> Result<Decision, String> {
    let Imported {
        function, machine, ..
    } = imported;
    let is_asked_for = config.register_limit().is_some() || config.occupancy_target.is_some();
    let budget = match choose_budget(imported, sm, &mut config) {
        Ok(budget) => budget,
        // Other kernels of the module may well have what is asked for.
        Err(error) => {
            let left = Left::new(config, None, Reason::NotAllocated(error));
            return Ok(Decision::Left(Box::new(left)));
        }
    };
    let left = |config, reason| {
        let left = Left::new(config, Some(budget.clone()), reason);
        Ok(Decision::Left(Box::new(left)))
    };
    dump(&budget::restrict(machine, &config))?;
    // Whoever asks for nothing gets what ptxas would have made of it.
    if config.spills == Spills::Auto && !is_asked_for {
        return left(config, Reason::Better);
    }
    let (texts, registers) = (&imported.texts, budget.registers);
    match strategy::choose(function, machine, texts, config.spills, registers) {
        Strategy::AsItIs => return left(config, Reason::Better),
        Strategy::Reordered => return left(config, Reason::Asked),
        Strategy::Here => {}
    }
    match passes::allocate(function, machine, &config) {
        Ok(allocation) => Ok(Decision::Allocated(Box::new(Allocated {
            config,
            budget: Some(budget),
            shared_space: None,
            allocation,
        }))),
        Err(error @ Error::Wrong(_)) => Err(error.to_string()),
        Err(error) => left(config, Reason::NotAllocated(budget.explain(&error))),
    }
}

/// Allocates within the budget that the bounds and options lead to. Where that is for a
/// resident block that nobody asked for, and what was predicted does not come true, it is
/// the budget without.
fn within_budget(
    imported: &Imported,
    sm: Option<&StreamingMultiprocessor>,
    mut config: Config,
    wants_shared: bool,
    dump: impl Fn(&Machine) -> Result<(), String>,
) -> Result<Allocated, String> {
    let Imported {
        function,
        machine,
        launch,
        ..
    } = imported;
    let plain = config.without(Pass::BlockMore);
    let budget = match sm {
        Some(sm) => Some(choose_budget(imported, sm, &mut config)?),
        None => None,
    };
    let shared_space = sm
        .zip(budget.as_ref())
        .filter(|_| wants_shared)
        .map(|(sm, budget)| budget::shared_space(function, sm, launch, budget.registers));
    config.shared_space = shared_space.and_then(Result::ok);
    let source = budget.as_ref().map(|budget| budget.source);
    let is_offered = source == Some(Source::BlockMore);
    if is_offered {
        // What the offer costs was found out with all of its registers.
        config.spill_reserve = 0;
    }
    let dump_within = |config: &Config| dump(&budget::restrict(machine, config));
    // What is offered may be given up: it is dumped once it is kept.
    if !is_offered {
        dump_within(&config)?;
    }
    let outcome = passes::allocate(function, machine, &config);
    if is_offered {
        match &outcome {
            // A wrong allocation is to be reported, whatever it was for.
            Ok(_) | Err(Error::Wrong(_)) => dump_within(&config)?,
            Err(_) => return within_budget(imported, sm, plain, wants_shared, dump),
        }
    }
    match (outcome, budget) {
        (Ok(allocation), budget) => Ok(Allocated {
            config,
            budget,
            shared_space,
            allocation,
        }),
        (Err(error), Some(budget)) => Err(budget.explain(&error)),
        (Err(error), None) => Err(error.to_string()),
    }
}

/// Chooses the budget, and sets it.
fn choose_budget(
    imported: &Imported,
    sm: &StreamingMultiprocessor,
    config: &mut Config,
) -> Result<Budget, String> {
    let Imported {
        function,
        machine,
        launch,
        callers,
        ..
    } = imported;
    let settings = config.clone();
    let expected = || {
        let found = predict::registers(imported, function, machine, &settings, sm);
        found.map(|one| one.registers)
    };
    config.weighs_blocks &= function.kernel;
    let budget = budget::choose(function, machine, config, sm, launch, callers, expected)
        .map_err(|error| error.to_string())?;
    tracing::debug!(
        function = function.name,
        registers = budget.registers,
        reason = budget.reason,
        "chose a budget"
    );
    config.pressure_limit = Some(budget.registers);
    Ok(budget)
}

/// One line, in one write: several threads may share stderr.
pub fn print_line(function: &str, what: &impl Display) {
    let line = format!("warpalloc: function={function} {what}\n");
    // Nobody can be told when stderr is closed.
    let _ = std::io::stderr().write_all(line.as_bytes());
}
