//! Malformed tables are refused with a message that names what is wrong.

#[path = "../../../passes/tests/generator/mod.rs"]
mod generator;
mod random;
mod spoilt;
#[path = "../../../passes/tests/strategies/mod.rs"]
mod strategies;
pub(crate) mod tables;

use super::Target;
use crate::abi::*;
use passes::error::Error;
use std::ptr;
use tables::{FunctionTables, TargetTables};

fn import_target(target: &mut TargetTables) -> Result<Target, Error> {
    // SAFETY: the pointers point to the object's arrays, as long as the counts
    // say.
    unsafe { Target::new(&target.table()) }
}

/// Imports a table whose pointers and counts are right, or null.
fn import(table: &WarpallocFunction) -> Result<(), Error> {
    let target = import_target(&mut TargetTables::small())?;
    // SAFETY: the word of the tests below.
    unsafe { target.import(table) }.map(|_| ())
}

/// The message about a function that was spoilt.
fn message(spoil: impl FnOnce(&mut FunctionTables)) -> String {
    let mut function = FunctionTables::small();
    spoil(&mut function);
    match import(&function.table()) {
        Err(error) => error.to_string(),
        Ok(()) => "accepted".into(),
    }
}

#[test]
fn the_unspoilt_function_is_accepted() {
    assert_eq!(message(|_| ()), "accepted");
}

#[test]
fn ranges_stay_within_their_arrays() {
    for (spoilt, what) in [
        (message(|f| f.blocks[0].successor_end = 2), "successors"),
        (message(|f| f.blocks[0].live_in_end = 9), "live-in"),
        (message(|f| f.blocks[0].live_in_begin = 2), "live-in"),
        (message(|f| f.blocks[0].instruction_end = 4), "instructions"),
        (message(|f| f.instructions[2].operand_end = 6), "operands"),
        (message(|f| f.virtual_registers[0].hint_end = 2), "hints"),
        (message(|f| f.classes[0].order_end = 5), "order"),
    ] {
        assert!(spoilt.contains(what), "{spoilt}");
    }
}

#[test]
fn instructions_and_operands_follow_one_another() {
    for (spoilt, what) in [
        (
            message(|f| f.blocks[0].instruction_begin = 1),
            "blocks' order",
        ),
        (
            message(|f| f.blocks[0].instruction_end = 2),
            "without a block",
        ),
        (
            message(|f| f.instructions[1].operand_begin = 1),
            "instructions' order",
        ),
        (
            message(|f| f.instructions[2].operand_end = 4),
            "without an instruction",
        ),
        (message(|f| f.blocks.clear()), "without blocks"),
    ] {
        assert!(spoilt.contains(what), "{spoilt}");
    }
}

#[test]
fn numbers_name_something() {
    for (spoilt, what) in [
        (message(|f| f.edges[0] = 1), "block 1 does not exist"),
        (
            message(|f| f.operands[0].register = 2),
            "virtual register 2 is not one",
        ),
        (message(|f| f.operands[1].register = 5), "register"),
        (message(|f| f.live_ins[0] = 7), "register"),
        (message(|f| f.hints[0] = u32::MAX), "register"),
        (message(|f| f.class_order[3] = 5), "register"),
        (
            message(|f| f.virtual_registers[1].class_index = 1),
            "class 1 does not exist",
        ),
        (
            message(|f| f.virtual_registers[1].class_index = WARPALLOC_NONE),
            "virtual register 1",
        ),
        (
            message(|f| f.instructions[0].clobber_mask = 0),
            "clobber mask",
        ),
    ] {
        assert!(spoilt.contains(what), "{what}: {spoilt}");
    }
}

#[test]
fn operands_fit_their_instruction() {
    for (spoilt, what) in [
        (message(|f| f.operands[4].tied_to = 0), "tie"),
        (message(|f| f.operands[3].tied_to = 7), "tie"),
        (message(|f| f.operands[3].tied_to = 300), "tie"),
        (message(|f| f.operands[2].flags = 0), "copy"),
        (
            message(|f| f.instructions[2].flags = WARPALLOC_COPY),
            "copy",
        ),
        (message(|f| f.blocks[0].frequency = f64::NAN), "frequency"),
        (message(|f| f.blocks[0].frequency = -1.0), "frequency"),
        (
            message(|f| f.blocks[0].equal_successor = 7),
            "what is equal",
        ),
        (message(|f| depend(f, 1, 1)), "do not follow each other"),
        (message(|f| depend(f, 2, 1)), "do not follow each other"),
        (message(|f| depend(f, 0, 1000)), "do not follow each other"),
    ] {
        assert!(spoilt.contains(what), "{what}: {spoilt}");
    }
}

#[test]
fn locations_exist_and_end() {
    let message = |spoil: fn(&mut FunctionTables)| {
        message(|function| {
            function.add_source();
            spoil(function);
        })
    };
    assert_eq!(message(|_| ()), "accepted");
    let outer = message(|f| f.locations[2].inlined_at = 1);
    assert_eq!(outer, "accepted");
    for (spoilt, what) in [
        (message(|f| f.instruction_locations[1] = 3), "location 3"),
        (message(|f| f.locations[1].inlined_at = 1), "location 1"),
        (message(|f| f.locations[0].inlined_at = 2), "location 0"),
    ] {
        assert!(spoilt.contains(what), "{what}: {spoilt}");
    }
}

/// Instructions may change places, but for these two.
fn depend(function: &mut FunctionTables, first: u32, second: u32) {
    function.may_reorder = true;
    function.dependences = vec![WarpallocDependence { first, second }];
}

#[test]
fn functions_may_be_called_anything() {
    let mut function = FunctionTables::small();
    let table = WarpallocFunction {
        name: c"\xff".as_ptr(),
        ..function.table()
    };
    assert_eq!(import(&table), Ok(()));
}

#[test]
fn names_of_classes_are_utf8() {
    let spoilt = message(|f| f.class_names[0] = c"\xff".into());
    assert!(spoilt.contains("UTF-8"), "{spoilt}");
}

#[test]
fn a_missing_array_is_refused() {
    let mut function = FunctionTables::small();
    let table = WarpallocFunction {
        operands: ptr::null(),
        ..function.table()
    };
    let message = import(&table).unwrap_err().to_string();
    assert!(message.contains("a table is missing"), "{message}");
}

#[test]
fn registers_have_known_units_and_parts() {
    let mut target = TargetTables::small();
    target.units[3] = 4;
    assert!(
        import_target(&mut target).is_err(),
        "a unit that does not exist"
    );
    let mut target = TargetTables::small();
    target.unit_begin[2] = 3;
    assert!(import_target(&mut target).is_err(), "ranges that go back");
    let mut target = TargetTables::small();
    target.sub_registers[2] = 5;
    assert!(
        import_target(&mut target).is_err(),
        "a part that does not exist"
    );
    let mut target = TargetTables::small();
    target.unit_count = u32::MAX;
    assert!(import_target(&mut target).is_err(), "units of no register");
}
