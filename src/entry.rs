//! The functions that the shim and LLVM call.
//!
//! No panic leaves them: each runs its work under [`panics::catch`].

use crate::abi::{
    WARPALLOC_NONE, WarpallocAssemblyOperand, WarpallocFunction, WarpallocMachine, WarpallocModule,
    WarpallocOptions, WarpallocResult, WarpallocTarget,
};
use crate::apply::Tables;
use crate::import::computation::computes;
use crate::import::pass_through::{AssemblyOperand, shorten};
use crate::import::{self, Target};
use crate::module::Module;
use crate::remarks::remark::c_string;
use crate::{allocate, panics, waits};
use std::ffi::{CStr, CString, c_char, c_void};
use std::io::{IsTerminal, Write};
use std::ptr;
use std::sync::Once;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

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

/// A module of which nothing has been compiled yet.
#[unsafe(no_mangle)]
pub extern "C" fn warpalloc_module_new() -> *mut WarpallocModule {
    Box::into_raw(Box::new(WarpallocModule(Module::default())))
}

/// Prints what has waited for the module's end, and forgets its functions. Null is allowed.
///
/// # Safety
/// `module` must be null or come from [`warpalloc_module_new`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_module_end(module: *mut WarpallocModule) {
    // SAFETY: the caller's word; null is checked.
    let module = unsafe { module.as_mut() };
    // What a panic says here concerns nothing that is compiled.
    let _ = panics::catch(|| module.map(|module| module.0.end()));
}

/// Releases a module; null is allowed.
///
/// # Safety
/// `module` must be null or come from [`warpalloc_module_new`], and not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_module_free(module: *mut WarpallocModule) {
    if !module.is_null() {
        // SAFETY: made by `Box::into_raw` above, and given back once.
        drop(unsafe { Box::from_raw(module) });
    }
}

/// Allocates a function. Never null; `error` says whether it succeeded.
///
/// # Safety
/// `machine` must come from [`warpalloc_machine_new`]; the tables must be
/// filled, their pointers pointing to as many elements as their counts say; `module` must
/// be null, for a function of which nothing is remembered, or come from
/// [`warpalloc_module_new`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_allocate(
    machine: *const WarpallocMachine,
    function: *const WarpallocFunction,
    options: *const WarpallocOptions,
    module: *mut WarpallocModule,
) -> *mut WarpallocResult {
    let outcome = panics::catch(|| {
        // SAFETY: the caller's word; null is checked.
        let (machine, function, options, module) = unsafe {
            (
                machine.as_ref(),
                function.as_ref(),
                options.as_ref(),
                module.as_mut(),
            )
        };
        let (Some(machine), Some(function), Some(options)) = (machine, function, options) else {
            return Err("internal error: a table is missing".into());
        };
        let mut alone = Module::default();
        let of_module = module.map_or(&mut alone, |module| &mut module.0);
        // SAFETY: the caller's word.
        let outcome = unsafe { allocate::allocate(&machine.table, function, options, of_module) };
        alone.end();
        outcome
    });
    let outcome = outcome.unwrap_or_else(|panic| Err(format!("internal error: {panic}")));
    Box::into_raw(result(outcome))
}

/// Finds an order in which no instruction accesses what an asynchronous one still has.
/// Never null; of the result, `order`, the remarks and `error` count.
///
/// # Safety
/// As for [`warpalloc_allocate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_order_behind_waits(
    machine: *const WarpallocMachine,
    function: *const WarpallocFunction,
) -> *mut WarpallocResult {
    let outcome = panics::catch(|| {
        // SAFETY: the caller's word; null is checked.
        let (machine, function) = unsafe { (machine.as_ref(), function.as_ref()) };
        let (Some(machine), Some(function)) = (machine, function) else {
            return Err("internal error: a table is missing".into());
        };
        // SAFETY: the caller's word.
        unsafe { waits::order(&machine.table, function) }
    });
    let outcome = outcome.unwrap_or_else(|panic| Err(format!("internal error: {panic}")));
    Box::into_raw(result(outcome))
}

/// Releases a result; null is allowed.
///
/// # Safety
/// `result` must be null or come from [`warpalloc_allocate`] or
/// [`warpalloc_order_behind_waits`], and not be used again.
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

/// Leaves operands out of inline assembly that nothing but its comments names, and tells
/// which stay. The text that is left, to be released by [`warpalloc_text_free`]; null if
/// all operands stay.
///
/// # Safety
/// `text` must be null or NUL-terminated; `operands` must be null or point to so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_shorten_assembly(
    text: *const c_char,
    operands: *mut WarpallocAssemblyOperand,
    operand_count: u32,
) -> *mut c_char {
    let short = panics::catch(|| {
        if text.is_null() || operands.is_null() {
            return None;
        }
        // SAFETY: the caller's word; null is checked.
        let (text, operands) = unsafe {
            let operands = std::slice::from_raw_parts_mut(operands, operand_count as usize);
            (CStr::from_ptr(text).to_str().ok()?, operands)
        };
        let known = operands.iter().map(|one| match one.tied_to {
            WARPALLOC_NONE => AssemblyOperand::Other,
            result => AssemblyOperand::Tied(result as usize),
        });
        let (short, stays) = shorten(text, &known.collect::<Vec<_>>())?;
        for (operand, stays) in operands.iter_mut().zip(stays) {
            operand.stays = stays;
        }
        Some(c_string(&short))
    });
    short
        .ok()
        .flatten()
        .map_or(ptr::null_mut(), CString::into_raw)
}

/// Whether inline assembly only computes its results of its operands.
///
/// # Safety
/// `text` must be null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_assembly_computes(text: *const c_char) -> bool {
    let found = panics::catch(|| {
        // SAFETY: the caller's word; null is checked.
        let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) });
        text.is_some_and(|text| text.to_str().is_ok_and(computes))
    });
    found.unwrap_or(false)
}

/// Releases a text; null is allowed.
///
/// # Safety
/// `text` must be null or come from [`warpalloc_shorten_assembly`], and not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_text_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: made by `CString::into_raw` above, and given back once.
        drop(unsafe { CString::from_raw(text) });
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
        late_copies: tables.late_copies.as_ptr(),
        late_copy_count: tables.late_copies.len() as u32,
        is_left: tables.is_left,
        max_registers: tables.max_registers,
        locations: tables.locations.as_ptr(),
        location_count: tables.locations.len() as u32,
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
        let filter = std::env::var("WARPALLOC_LOG").ok();
        if let Some(filter) = filter.and_then(|text| text.parse::<Targets>().ok()) {
            let lines = tracing_subscriber::fmt::layer()
                .with_ansi(std::io::stderr().is_terminal())
                .without_time()
                .with_writer(std::io::stderr);
            // Another part of the process may have its own subscriber.
            let _ = tracing_subscriber::registry()
                .with(lines.with_filter(filter))
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

unsafe extern "C" {
    /// Gives an LLVM `PassBuilder` the passes of `src/ir`.
    fn warpalloc_register_ir_passes(builder: *mut c_void);
}

/// Makes the library one that `-load-pass-plugin` and `-fplugin` accept, and registers
/// passes over IR. The allocator itself is registered by the shim's static objects.
///
/// It is defined here because rustc makes every symbol of the C++ part local.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: PLUGIN_API_VERSION,
        plugin_name: c"warpalloc".as_ptr(),
        plugin_version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register_pass_builder_callbacks: Some(warpalloc_register_ir_passes),
        pre_code_generation_callback: None,
    }
}

/// Whether a function is one of CUDA's system, which no module defines.
///
/// # Safety
/// `name` must be NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_is_system(name: *const c_char) -> bool {
    // SAFETY: the caller's word.
    let name = unsafe { CStr::from_ptr(name) };
    panics::catch(|| name.to_str().is_ok_and(import::is_system)).unwrap_or(false)
}

#[cfg(test)]
#[path = "entry/tests.rs"]
mod tests;
