//! The functions that the shim calls for passes over IR. No panic leaves them.

use super::{Settings, Unit, exclude, pipeline, pressure, run};
use crate::abi::{WarpallocIrOutcome, WarpallocIrPass, WarpallocOptions};
use crate::remarks::remark::c_string;
use crate::{import, panics};
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

/// Runs a pass over a module. The parameter, if not empty, is the processor to decide for.
///
/// # Safety
/// `module` must be an `LLVMModuleRef`, `analyses` what the calls of `src/ir/unit.rs`
/// take, `options` the command line's with strings that are null or end with a zero,
/// `parameter` a string; all must live until this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_ir_run(
    pass: WarpallocIrPass,
    module: *mut c_void,
    analyses: *mut c_void,
    options: *const WarpallocOptions,
    parameter: *const c_char,
) -> WarpallocIrOutcome {
    let outcome = panics::catch(|| {
        // SAFETY: the caller's word; null is checked.
        let options = unsafe { options.as_ref() }.ok_or("internal error: no options")?;
        // SAFETY: the caller's word.
        let mut settings = unsafe { settings(options) }?;
        // SAFETY: the caller's word.
        let parameter = unsafe { CStr::from_ptr(parameter) }.to_string_lossy();
        if !parameter.is_empty() {
            settings.sm = Some(pipeline::processor_number(&parameter)?);
        }
        // SAFETY: the caller's word.
        run(pass, &unsafe { Unit::new(module, analyses, settings) })
    });
    let outcome = outcome.unwrap_or_else(|panic| Err(format!("internal error: {panic}")));
    match outcome {
        Ok(changed) => WarpallocIrOutcome {
            changed,
            error: ptr::null_mut(),
        },
        Err(error) => WarpallocIrOutcome {
            changed: true,
            error: c_string(&error).into_raw(),
        },
    }
}

/// What passes over IR look at of the options, if all of these make sense.
///
/// # Safety
/// As for `warpalloc_ir_run`.
unsafe fn settings(options: &WarpallocOptions) -> Result<Settings, String> {
    // SAFETY: the caller's word.
    let options = unsafe { import::options(options) }.map_err(|error| error.to_string())?;
    Ok(Settings {
        sm: None,
        level: options.level().map_err(|error| error.to_string())?,
        prepares: options.prepares(),
    })
}

/// Whether a function of a module is to be prepared. Options that make no sense prepare
/// nothing; whoever reads them next tells of them.
///
/// # Safety
/// `module` must be an `LLVMModuleRef`, `options` the command line's with strings that are
/// null or end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_ir_is_asked_for(
    module: *mut c_void,
    options: *const WarpallocOptions,
) -> bool {
    let asked = panics::catch(|| {
        // SAFETY: the caller's word; null is checked.
        let options = unsafe { options.as_ref() };
        // SAFETY: the caller's word.
        let settings = options.and_then(|options| unsafe { settings(options) }.ok());
        // SAFETY: the caller's word; the analyses are not looked at.
        let unit = settings.map(|known| unsafe { Unit::new(module, ptr::null_mut(), known) });
        unit.is_some_and(|unit| exclude::any_is_prepared(&unit))
    });
    asked.unwrap_or(false)
}

/// The pipeline that a name for `-passes=` stands for, as `-passes=` would have it; null
/// if the name is not ours. A name of ours with a wrong parameter gives a text that
/// LLVM's parser refuses, and says why in `error`.
///
/// # Safety
/// `name` must be a string; `error` must point to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_ir_pipeline(
    name: *const c_char,
    error: *mut *mut c_char,
) -> *mut c_char {
    let text = panics::catch(|| {
        // SAFETY: the caller's word.
        let name = unsafe { CStr::from_ptr(name) };
        pipeline::text(&name.to_string_lossy()).transpose()
    });
    let text = text.unwrap_or_else(|panic| Err(format!("internal error: {panic}")));
    match text {
        Ok(Some(text)) => c_string(&text).into_raw(),
        Ok(None) => ptr::null_mut(),
        Err(message) => {
            // SAFETY: the caller's word.
            unsafe { *error = c_string(&message).into_raw() };
            ptr::null_mut()
        }
    }
}

/// Whether a name for `-passes=` is that of the printer of register pressure. If its
/// parameters are wrong, `error` says why.
///
/// # Safety
/// `name` must be a string; `error` must point to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_ir_is_pressure(
    name: *const c_char,
    error: *mut *mut c_char,
) -> bool {
    let request = panics::catch(|| {
        // SAFETY: the caller's word.
        let name = unsafe { CStr::from_ptr(name) };
        pressure::request(&name.to_string_lossy())
    });
    let message = match request {
        Ok(None) => return false,
        Ok(Some(Ok(_))) => return true,
        Ok(Some(Err(message))) => message,
        Err(panic) => format!("internal error: {panic}"),
    };
    // SAFETY: the caller's word.
    unsafe { *error = c_string(&message).into_raw() };
    false
}

/// The text of the printer of that name about a module; null, and why in `error`, if there
/// is none.
///
/// # Safety
/// As for `warpalloc_ir_run` and `warpalloc_ir_is_pressure`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_ir_pressure(
    name: *const c_char,
    module: *mut c_void,
    analyses: *mut c_void,
    error: *mut *mut c_char,
) -> *mut c_char {
    let text = panics::catch(|| {
        // SAFETY: the caller's word.
        let name = unsafe { CStr::from_ptr(name) };
        let request = pressure::request(&name.to_string_lossy());
        let request = request.unwrap_or_else(|| Err("no printer".to_owned()))?;
        // SAFETY: the caller's word.
        let unit = unsafe { Unit::new(module, analyses, Settings::default()) };
        Ok(pressure::print(&unit, request))
    });
    match text.unwrap_or_else(|panic| Err(format!("internal error: {panic}"))) {
        Ok(text) => c_string(&text).into_raw(),
        Err(message) => {
            // SAFETY: the caller's word.
            unsafe { *error = c_string(&message).into_raw() };
            ptr::null_mut()
        }
    }
}

/// Releases a text of the functions above; null is allowed.
///
/// # Safety
/// `text` must be null or come from one of them, and not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_ir_text_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: made by `CString::into_raw` above, and given back once.
        drop(unsafe { CString::from_raw(text) });
    }
}
