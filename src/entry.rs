//! The functions that the shim and LLVM call.
//!
//! No panic leaves them: each runs its work under [`panics::catch`].

use crate::abi::{
    WarpallocFunction, WarpallocMachine, WarpallocOptions, WarpallocResult, WarpallocTarget,
};
use crate::apply::Tables;
use crate::import::{self, Imported, Target};
use crate::options;
use crate::plant::plant;
use crate::remarks::remark::{self, c_string};
use crate::remarks::{Facts, GpuFacts, remarks};
use crate::{dump, panics, spill_space};
use passes::analysis::frequency::damp;
use passes::budget::{self, Budget, Prediction, Source};
use passes::config::{Config, SpillSpace};
use passes::function::{Function, text};
use passes::machine::Machine;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::prediction;
use passes::schedule::cheaper_order;
use std::ffi::{CString, c_char, c_void};
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::ptr;
use std::sync::Once;
use tracing_subscriber::EnvFilter;

/// Imports a target's registers. Null if they are malformed.
///
/// # Safety
/// `target` must be null or point to a filled table, whose pointers point to as
/// many elements as its counts say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_machine_new(
    target: *const WarpallocTarget,
) -> *mut WarpallocMachine {
    let imported = panics::catch(|| {
        start_logging();
        // SAFETY: the caller's word; null is checked.
        let target = unsafe { target.as_ref() }?;
        // SAFETY: the caller's word.
        let table = unsafe { Target::new(target) };
        table.inspect_err(|error| tracing::error!("{error}")).ok()
    });
    match imported {
        Ok(Some(table)) => {
            let remark = table.remark().map(|text| c_string(&text));
            Box::into_raw(Box::new(WarpallocMachine { table, remark }))
        }
        _ => ptr::null_mut(),
    }
}

/// What the user should know about a target; null if there is nothing. The text lives as
/// long as the machine.
///
/// # Safety
/// `machine` must come from [`warpalloc_machine_new`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_machine_remark(
    machine: *const WarpallocMachine,
) -> *const c_char {
    // SAFETY: the caller's word; null is checked.
    let machine = unsafe { machine.as_ref() };
    let remark = machine.and_then(|machine| machine.remark.as_ref());
    remark.map_or(ptr::null(), |text| text.as_ptr())
}

/// Releases a machine; null is allowed.
///
/// # Safety
/// `machine` must be null or come from [`warpalloc_machine_new`], and not be
/// used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_machine_free(machine: *mut WarpallocMachine) {
    if !machine.is_null() {
        // SAFETY: made by `Box::into_raw` above, and given back once.
        drop(unsafe { Box::from_raw(machine) });
    }
}

/// Allocates a function. Never null; `error` says whether it succeeded.
///
/// # Safety
/// `machine` must come from [`warpalloc_machine_new`]; the tables must be
/// filled, their pointers pointing to as many elements as their counts say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_allocate(
    machine: *const WarpallocMachine,
    function: *const WarpallocFunction,
    options: *const WarpallocOptions,
) -> *mut WarpallocResult {
    let outcome = panics::catch(|| {
        // SAFETY: the caller's word; null is checked.
        let (machine, function, options) =
            unsafe { (machine.as_ref(), function.as_ref(), options.as_ref()) };
        let (Some(machine), Some(function), Some(options)) = (machine, function, options) else {
            return Err("internal error: a table is missing".into());
        };
        // SAFETY: the caller's word.
        unsafe { allocate(&machine.table, function, options) }
    });
    let outcome = outcome.unwrap_or_else(|panic| Err(format!("internal error: {panic}")));
    Box::into_raw(result(outcome))
}

/// Releases a result; null is allowed.
///
/// # Safety
/// `result` must be null or come from [`warpalloc_allocate`], and not be used
/// again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_result_free(result: *mut WarpallocResult) {
    if result.is_null() {
        return;
    }
    // SAFETY: both made by `Box::into_raw` in `result`, and given back once.
    unsafe {
        let result = Box::from_raw(result);
        drop(Box::from_raw(result.owner.cast::<Owner>()));
    }
}

/// Prints the list of knobs to stdout.
#[unsafe(no_mangle)]
pub extern "C" fn warpalloc_print_knobs() {
    let _ = panics::catch(|| {
        // Whoever reads the list may have seen enough of it.
        let _ = std::io::stdout().write_all(passes::knobs::help().as_bytes());
    });
}

/// # Safety
/// The tables' pointers must point to as many elements as their counts say.
unsafe fn allocate(
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
    let mut config = options::config(&options, target.gpu()).map_err(|error| error.to_string())?;
    // SAFETY: passed on to the caller.
    let imported = unsafe { target.import(function) };
    let mut imported = imported.map_err(|error| error.to_string())?;
    let mut undamped = None;
    if config.damp_guesses && !function.is_profiled {
        // Remarks say how often something runs, as far as LLVM knows.
        undamped = imported.source.is_some().then(|| imported.function.clone());
        damp(&mut imported.function);
    }
    let asked = config.clone();
    let mut chosen = match target.gpu() {
        Some(sm) => Some(choose_budget(&imported, sm, &mut config)?),
        None => None,
    };
    if let (Some(sm), Some(Source::BlockMore)) =
        (target.gpu(), chosen.as_ref().map(|one| one.source))
        && passes::allocate(&imported.function, &imported.machine, &config).is_err()
    {
        // Nobody asked for that: what was predicted did not come true.
        config = Config {
            weighs_blocks: false,
            ..asked
        };
        chosen = Some(choose_budget(&imported, sm, &mut config)?);
    }
    let spill_space = options::spill_space(&options).map_err(|error| error.to_string())?;
    let wants_shared = spill_space == SpillSpace::Shared || config.knobs.shared_memory_spilling;
    let shared_space = target
        .gpu()
        .zip(chosen.as_ref())
        .filter(|_| wants_shared)
        .map(|(sm, budget)| {
            let registers = budget.registers;
            budget::shared_space(&imported.function, sm, &imported.launch, registers)
        });
    config.shared_space = shared_space.and_then(Result::ok);
    if !options.dump_directory.is_empty() {
        let machine = budget::restrict(&imported.machine, &config);
        let printed = text::print(&machine, &imported.function);
        dump::write(options.dump_directory, &name, &printed)?;
    }
    let mut function = imported.function;
    // Only there if somebody wants remarks.
    let source = imported.source;
    let mut allocation =
        passes::allocate(&function, &imported.machine, &config).map_err(|error| match &chosen {
            Some(chosen) => chosen.explain(&error),
            None => error.to_string(),
        })?;
    let predict = |function: &Function, machine: &Machine| {
        let dependences = imported.dependences.as_ref();
        let expansions = &imported.expansions;
        let abi = config.knobs.abi_compatibility;
        let found = prediction::expected(function, machine, dependences, expansions, abi)?;
        let prediction = Prediction::new(found.registers, target.gpu()?, &imported.launch);
        Some(Prediction {
            saved: found.saved,
            ..prediction
        })
    };
    let is_asked = options.print_statistics || source.is_some();
    let restricted = is_asked.then(|| budget::restrict(&imported.machine, &config));
    let predicted = restricted.as_deref();
    let mut predicted = predicted.and_then(|machine| predict(&function, machine));
    let without_budget = source.as_ref();
    let without_budget = without_budget.and_then(|_| predict(&function, &imported.machine));
    let mut order = None;
    if let Some(dependences) = &imported.dependences
        && let Some(reordered) = cheaper_order(
            &function,
            &imported.machine,
            &config,
            dependences,
            &allocation,
        )
    {
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
        let gpu = target.gpu().zip(chosen.as_ref());
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
        let seed = u64::from(seed);
        print_line(&name, &plant(&function, &machine, &mut allocation, seed));
    }
    let count = function.virtual_registers.len();
    let mut tables = Tables::new(&allocation, count, &imported.classes);
    if let Some((text, count)) = spill_space::assembly(&allocation, &launch) {
        (tables.spill_space, tables.address_count) = (Some(text), count);
    }
    tables.remarks = remark::Tables::new(&said);
    if let Some(order) = order {
        let instructions = order.instructions().iter();
        tables.order = instructions.map(|one| one.as_u32()).collect();
    }
    if let (Some(budget), Some(sm)) = (&chosen, target.gpu())
        && options.hand_off
        && function.kernel
    {
        let largest = || budget::largest_instruction(&function, &imported.machine);
        let handed_off = budget.handed_off(sm, &imported.launch, largest);
        tables.max_registers = handed_off.unwrap_or(0);
    }
    Ok(tables)
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
        expansions,
        ..
    } = imported;
    let abi = config.knobs.abi_compatibility;
    let expected = || {
        let dependences = imported.dependences.as_ref();
        let found = prediction::expected(function, machine, dependences, expansions, abi);
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
fn print_line(function: &str, what: &impl Display) {
    let line = format!("warpalloc: function={function} {what}\n");
    // Nobody can be told when stderr is closed.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// What a result's pointers point into.
struct Owner {
    error: Option<CString>,
    tables: Tables,
}

fn result(outcome: Result<Tables, String>) -> Box<WarpallocResult> {
    let (error, tables) = match outcome {
        Ok(tables) => (None, tables),
        Err(message) => (Some(message), Tables::default()),
    };
    let error = error.map(|text| c_string(&text));
    let owner = Box::new(Owner { error, tables });
    let Owner { error, tables } = &*owner;
    let mut result = Box::new(WarpallocResult {
        error: error.as_ref().map_or(ptr::null(), |text| text.as_ptr()),
        order: tables.order.as_ptr(),
        order_count: tables.order.len() as u32,
        max_registers: tables.max_registers,
        homes: tables.homes.as_ptr(),
        home_count: tables.homes.len() as u32,
        created: tables.created.as_ptr(),
        created_count: tables.created.len() as u32,
        slots: tables.slots.as_ptr(),
        slot_count: tables.slots.len() as u32,
        spill_space: tables
            .spill_space
            .as_ref()
            .map_or(ptr::null(), |text| text.as_ptr()),
        address_count: tables.address_count,
        edits: tables.edits.as_ptr(),
        edit_count: tables.edits.len() as u32,
        remarks: tables.remarks.remarks.as_ptr(),
        remark_count: tables.remarks.remarks.len() as u32,
        arguments: tables.remarks.arguments.as_ptr(),
        argument_count: tables.remarks.arguments.len() as u32,
        owner: ptr::null_mut(),
    });
    result.owner = Box::into_raw(owner).cast::<c_void>();
    result
}

/// `WARPALLOC_LOG=debug` and the like, on stderr.
fn start_logging() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        if let Ok(filter) = EnvFilter::try_from_env("WARPALLOC_LOG") {
            // Another part of the process may have its own subscriber.
            let _ = tracing_subscriber::fmt()
                .with_env_filter(filter)
                .with_ansi(std::io::stderr().is_terminal())
                .without_time()
                .with_writer(std::io::stderr)
                .try_init();
        }
    });
}

/// LLVM's `LLVM_PLUGIN_API_VERSION`.
const PLUGIN_API_VERSION: u32 = 2;

/// LLVM's struct of this name, see `llvm/Plugins/PassPlugin.h`.
#[repr(C)]
pub struct PassPluginLibraryInfo {
    api_version: u32,
    plugin_name: *const c_char,
    plugin_version: *const c_char,
    register_pass_builder_callbacks: Option<unsafe extern "C" fn(*mut c_void)>,
    pre_code_generation_callback: Option<
        unsafe extern "C" fn(*mut c_void, *mut c_void, std::ffi::c_int, *mut c_void) -> bool,
    >,
}

/// Makes the library one that `-load-pass-plugin` and `-fplugin` accept. The
/// allocator itself is registered by the shim's static objects.
///
/// It is defined here because rustc makes every symbol of the C++ part local.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: PLUGIN_API_VERSION,
        plugin_name: c"warpalloc".as_ptr(),
        plugin_version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register_pass_builder_callbacks: None,
        pre_code_generation_callback: None,
    }
}

#[cfg(test)]
#[path = "entry/tests.rs"]
mod tests;
