//! The functions that the shim calls for options of single functions. No panic leaves them.

use super::{Chosen, Definition, choose, hash_text};
use crate::abi::{WarpallocAttribute, WarpallocChoiceRemark, WarpallocChosen, WarpallocDefinition};
use crate::import::{self, raw};
use crate::options::own;
use crate::panics;
use crate::remarks::remark::c_string;
use std::ffi::{CString, c_char, c_void};
use std::io::Write;
use std::path::Path;
use std::ptr;

/// What a choices file says of a module; null is no file. Never null, to be released by
/// [`warpalloc_chosen_free`]. Prints the definitions' hashes to stderr if asked to.
///
/// # Safety
/// `file` must be null or NUL-terminated, `module` NUL-terminated, `definitions` must point
/// to so many, whose strings are NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_choose(
    file: *const c_char,
    module: *const c_char,
    definitions: *const WarpallocDefinition,
    definition_count: u32,
    prints_hashes: bool,
) -> *mut WarpallocChosen {
    let chosen = panics::catch(|| {
        // SAFETY: the caller's word.
        let (file, module, definitions) = unsafe {
            (
                (!file.is_null()).then(|| raw::any_text(file)),
                raw::any_text(module),
                self::definitions(definitions, definition_count)?,
            )
        };
        if prints_hashes {
            print_hashes(&definitions);
        }
        match file {
            Some(file) => choose(Path::new(&*file), &module, &definitions),
            None => Ok(Chosen::default()),
        }
    });
    let chosen = chosen.unwrap_or_else(|panic| Err(format!("internal error: {panic}")));
    Box::into_raw(table(&chosen))
}

/// Releases what a file says; null is allowed.
///
/// # Safety
/// `chosen` must be null or come from [`warpalloc_choose`], and not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_chosen_free(chosen: *mut WarpallocChosen) {
    if chosen.is_null() {
        return;
    }
    // SAFETY: both made by `Box::into_raw`, and given back once.
    unsafe {
        let chosen = Box::from_raw(chosen);
        drop(Box::from_raw(chosen.owner.cast::<Owner>()));
    }
}

/// Whether a function with these attributes leaves as it came. What is wrong with them is
/// told where it is allocated.
///
/// # Safety
/// `attributes` must point to so many, whose strings are NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpalloc_is_stock(
    attributes: *const WarpallocAttribute,
    attribute_count: u32,
) -> bool {
    let stock = panics::catch(|| {
        // SAFETY: the caller's word.
        let attributes = unsafe { import::attributes(attributes, attribute_count) }.ok()?;
        own::level(&attributes).ok()?.stock
    });
    stock.ok().flatten().unwrap_or(false)
}

/// # Safety
/// As for [`warpalloc_choose`].
unsafe fn definitions(
    definitions: *const WarpallocDefinition,
    count: u32,
) -> Result<Vec<Definition>, String> {
    // SAFETY: passed on to the caller.
    let tables = unsafe { raw::slice(definitions, count as usize) };
    let tables = tables.map_err(|error| error.to_string())?;
    let read = |one: &WarpallocDefinition| Definition {
        // SAFETY: passed on to the caller.
        name: unsafe { raw::any_text(one.name) }.into_owned(),
        // SAFETY: passed on to the caller.
        processor: unsafe { raw::any_text(one.processor) }.into_owned(),
        hash: one.hash,
    };
    Ok(tables.iter().map(read).collect())
}

fn print_hashes(definitions: &[Definition]) {
    let line = |one: &Definition| {
        let hash = hash_text(one.hash);
        format!(
            "warpalloc: function={} processor={} hash={hash}\n",
            one.name, one.processor
        )
    };
    let lines: String = definitions.iter().map(line).collect();
    // Nobody can be told when stderr is closed.
    let _ = std::io::stderr().write_all(lines.as_bytes());
}

/// What the pointers point into.
struct Owner {
    /// What the other lists point to.
    _texts: Vec<CString>,
    values: Vec<*const c_char>,
    remarks: Vec<WarpallocChoiceRemark>,
}

/// What the shim reads.
fn table(outcome: &Result<Chosen, String>) -> Box<WarpallocChosen> {
    let mut texts = Vec::new();
    let mut text = |text: &str| {
        // The text itself stays where it is when the list of texts grows.
        let text = c_string(text);
        let pointer = text.as_ptr();
        texts.push(text);
        pointer
    };
    let attribute = text(own::CHOSEN);
    let mut error = ptr::null();
    let (mut values, mut remarks) = (Vec::new(), Vec::new());
    match outcome {
        Err(message) => error = text(message),
        Ok(chosen) => {
            for value in &chosen.values {
                values.push(value.as_ref().map_or(ptr::null(), |value| text(value)));
            }
            for one in &chosen.remarks {
                remarks.push(WarpallocChoiceRemark {
                    definition: one.definition.unwrap_or(0) as u32,
                    name: text(one.name),
                    text: text(&one.text),
                });
            }
        }
    }
    let owner = Box::new(Owner {
        _texts: texts,
        values,
        remarks,
    });
    Box::new(WarpallocChosen {
        error,
        attribute,
        values: owner.values.as_ptr(),
        value_count: owner.values.len() as u32,
        remarks: owner.remarks.as_ptr(),
        remark_count: owner.remarks.len() as u32,
        owner: Box::into_raw(owner).cast::<c_void>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_stock(name: &std::ffi::CStr, value: &std::ffi::CStr) -> bool {
        let attribute = WarpallocAttribute {
            name: name.as_ptr(),
            value: value.as_ptr(),
        };
        // SAFETY: one attribute, which lives until the call returns.
        unsafe { warpalloc_is_stock(&attribute, 1) }
    }

    #[test]
    fn stock_is_asked_for_by_attributes_that_make_sense() {
        assert!(is_stock(c"warpalloc-stock", c""));
        assert!(is_stock(c"warpalloc-chosen", c"{\"stock\": true}"));
        assert!(!is_stock(c"warpalloc-stock", c"false"));
        assert!(!is_stock(c"warpalloc-stock", c"nonsense"));
        // SAFETY: no attributes.
        assert!(!unsafe { warpalloc_is_stock(ptr::null(), 0) });
    }

    #[test]
    fn without_a_file_nothing_is_chosen() {
        let definition = WarpallocDefinition {
            name: c"k".as_ptr(),
            processor: c"sm_90".as_ptr(),
            hash: 1,
        };
        // SAFETY: strings that live; what comes back is freed once.
        unsafe {
            let chosen = warpalloc_choose(ptr::null(), c"m".as_ptr(), &definition, 1, false);
            assert!((*chosen).error.is_null());
            assert_eq!(((*chosen).value_count, (*chosen).remark_count), (0, 0));
            warpalloc_chosen_free(chosen);
            warpalloc_chosen_free(ptr::null_mut());
        }
    }
}
