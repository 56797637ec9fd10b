//! The boundary from the other side: what the shim does with pointers, done here,
//! so that Miri and sanitizers see both sides.

use super::*;
use crate::abi::*;
use crate::import::tests::tables::{FunctionTables, TargetTables, options};
use std::ffi::CStr;

/// Options that let the allocator panic in this function; empty for none.
fn panicking_at(function: &CStr) -> WarpallocOptions {
    WarpallocOptions {
        enable: ptr::null(),
        disable: c"hints".as_ptr(),
        panic_at: function.as_ptr(),
        ..options()
    }
}

/// What the shim reads of a result.
fn read<T: Clone>(array: *const T, count: u32) -> Vec<T> {
    // SAFETY: the tests pass the arrays of a result that is not yet freed.
    unsafe { std::slice::from_raw_parts(array, count as usize) }.to_vec()
}

/// Allocates the test function; looks at the result before it is freed.
fn allocate_with<T>(
    function: &WarpallocFunction,
    options: &WarpallocOptions,
    look: impl FnOnce(&WarpallocResult) -> T,
) -> T {
    let mut target = TargetTables::small();
    // SAFETY: the tables are those of live test objects, with their counts;
    // machine and result are freed once, after their last use.
    unsafe {
        let machine = warpalloc_machine_new(&target.table());
        assert!(!machine.is_null());
        let result = warpalloc_allocate(machine, function, options, ptr::null_mut());
        let seen = look(&*result);
        warpalloc_result_free(result);
        warpalloc_machine_free(machine);
        seen
    }
}

fn error_of(result: &WarpallocResult) -> Option<String> {
    if result.error.is_null() {
        return None;
    }
    // SAFETY: the message of a result that is not yet freed.
    let message = unsafe { CStr::from_ptr(result.error) };
    Some(message.to_string_lossy().into())
}

/// A function with one string attribute.
fn attributed(name: &CStr, value: &CStr) -> Option<String> {
    let attribute = WarpallocAttribute {
        name: name.as_ptr(),
        value: value.as_ptr(),
    };
    let mut function = FunctionTables::small();
    let table = WarpallocFunction {
        attributes: &attribute,
        attribute_count: 1,
        ..function.table()
    };
    allocate_with(&table, &panicking_at(c""), error_of)
}

#[test]
fn attributes_are_read() {
    assert_eq!(attributed(c"warpalloc-order", c"lists"), None);
    assert_eq!(attributed(c"target-cpu", c"generic"), None);
    let unknown = attributed(c"warpalloc-order", c"none").unwrap();
    assert!(
        unknown.starts_with("attribute \"warpalloc-order\""),
        "{unknown}"
    );
    let stock = attributed(c"warpalloc-stock", c"true").unwrap();
    assert!(stock.starts_with("'stock' is for NVPTX"), "{stock}");
}

#[test]
fn a_result_can_be_read_and_freed() {
    let mut function = FunctionTables::small();
    let (error, locations, edits) =
        allocate_with(&function.table(), &panicking_at(c""), |result| {
            assert_eq!(read(result.created, result.created_count).len(), 0);
            assert_eq!(read(result.slots, result.slot_count).len(), 0);
            (
                error_of(result),
                read(result.locations, result.location_count),
                read(result.edits, result.edit_count),
            )
        });
    assert_eq!(error, None);
    assert_eq!(locations.len(), 2);
    assert!(
        locations
            .iter()
            .all(|location| location.kind == WARPALLOC_LOCATION_REGISTER)
    );
    assert_eq!(locations[0], locations[1], "the copy is coalesced");
    assert!(
        edits
            .iter()
            .any(|edit| edit.kind == WarpallocEditKind::DeleteCopy)
    );
}

/// The names of a result's remarks, with their sentences.
fn remarks_of(result: &WarpallocResult) -> Vec<(String, String)> {
    if result.remark_count == 0 {
        return Vec::new();
    }
    // SAFETY: the texts of a result that is not yet freed.
    let text = |pointer| unsafe { CStr::from_ptr(pointer) }.to_string_lossy();
    let arguments = read(result.arguments, result.argument_count);
    let remarks = read(result.remarks, result.remark_count).into_iter();
    let sentence = |remark: WarpallocRemark| {
        let range = remark.argument_begin as usize..remark.argument_end as usize;
        let parts = arguments[range].iter();
        let sentence = parts.map(|part| text(part.value)).collect();
        (text(remark.name).into_owned(), sentence)
    };
    remarks.map(sentence).collect()
}

#[test]
fn remarks_are_made_where_somebody_listens() {
    let mut function = FunctionTables::small();
    let options = options();
    assert_eq!(allocate_with(&function.table(), &options, remarks_of), []);
    function.add_source();
    let remarks = allocate_with(&function.table(), &options, remarks_of);
    let sentence = "line 1 of f.cu has the highest register pressure: 1 register of General is \
                    live where 4 can be had: 1 for 'v0'";
    let first = ("HighPressure".into(), sentence.into());
    assert_eq!(remarks.first(), Some(&first));
    assert!(remarks.iter().all(|(name, _)| name == "HighPressure"));
}

#[test]
fn errors_and_panics_are_messages() {
    let mut function = FunctionTables::small();
    let panicked = allocate_with(&function.table(), &panicking_at(c"f"), error_of);
    assert!(panicked.is_some_and(|message| message.contains("planted panic")));
    function.edges[0] = 9;
    let refused = allocate_with(&function.table(), &panicking_at(c""), error_of);
    assert!(refused.is_some_and(|message| message.contains("block 9")));
}

#[test]
fn null_is_an_error_and_not_a_crash() {
    // SAFETY: null is allowed everywhere.
    unsafe {
        assert!(warpalloc_machine_new(ptr::null()).is_null());
        let result = warpalloc_allocate(ptr::null(), ptr::null(), ptr::null(), ptr::null_mut());
        let message = error_of(&*result);
        assert!(message.is_some_and(|message| message.contains("a table is missing")));
        warpalloc_result_free(result);
        warpalloc_result_free(ptr::null_mut());
        warpalloc_machine_free(ptr::null_mut());
    }
}
