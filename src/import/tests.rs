//! Malformed tables are refused with a message that names what is wrong.

use super::Target;
use crate::abi::*;
use passes::error::Error;
use std::ffi::c_char;
use std::ptr;

/// A target with four registers of one unit each, the tables kept alive.
struct TestTarget {
    names: [*const c_char; 5],
    unit_begin: [u32; 6],
    units: [u32; 4],
    sub_registers: [u16; 5],
}

impl TestTarget {
    fn new() -> Self {
        Self {
            names: [c"none", c"a", c"b", c"c", c"d"].map(|name| name.as_ptr()),
            unit_begin: [0, 0, 1, 2, 3, 4],
            units: [0, 1, 2, 3],
            sub_registers: [0; 5],
        }
    }

    fn table(&self) -> WarpallocTarget {
        WarpallocTarget {
            unit_count: 4,
            register_count: 5,
            register_names: self.names.as_ptr(),
            unit_begin: self.unit_begin.as_ptr(),
            units: self.units.as_ptr(),
            sub_register_index_count: 1,
            sub_registers: self.sub_registers.as_ptr(),
            is_nvptx: false,
            sm_version: 0,
        }
    }

    fn import(&self) -> Result<Target, Error> {
        // SAFETY: the pointers point to this object's arrays, as long as the
        // counts say.
        unsafe { Target::new(&self.table()) }
    }
}

/// A function of one block: `v0 = op a; v1 = copy v0; op v1`.
struct TestFunction {
    blocks: Vec<WarpallocBlock>,
    edges: Vec<u32>,
    live_ins: Vec<u32>,
    instructions: Vec<WarpallocInstruction>,
    operands: Vec<WarpallocOperand>,
    virtual_registers: Vec<WarpallocVirtualRegister>,
    hints: Vec<u32>,
    classes: Vec<WarpallocClass>,
    class_order: Vec<u32>,
}

fn operand(register: u32, flags: u32) -> WarpallocOperand {
    WarpallocOperand {
        register,
        flags,
        sub_register: 0,
        tied_to: u16::MAX,
    }
}

fn instruction(operands: std::ops::Range<u32>, flags: u32) -> WarpallocInstruction {
    WarpallocInstruction {
        operand_begin: operands.start,
        operand_end: operands.end,
        flags,
        clobber_mask: WARPALLOC_NONE,
    }
}

impl TestFunction {
    fn new() -> Self {
        Self {
            blocks: vec![WarpallocBlock {
                instruction_begin: 0,
                instruction_end: 3,
                successor_begin: 0,
                successor_end: 1,
                live_in_begin: 0,
                live_in_end: 1,
                frequency: 1.0,
                loop_depth: 0,
                landing: false,
                clobber_mask: WARPALLOC_NONE,
            }],
            edges: vec![0],
            live_ins: vec![1],
            instructions: vec![
                instruction(0..2, 0),
                instruction(2..4, WARPALLOC_COPY),
                instruction(4..5, 0),
            ],
            operands: vec![
                operand(0, WARPALLOC_DEFINITION),
                operand(1, WARPALLOC_PHYSICAL),
                operand(1, WARPALLOC_DEFINITION),
                operand(0, 0),
                operand(1, 0),
            ],
            virtual_registers: vec![
                WarpallocVirtualRegister {
                    class_index: 0,
                    flags: 0,
                    hint_begin: 0,
                    hint_end: 1,
                };
                2
            ],
            hints: vec![2],
            classes: vec![WarpallocClass {
                name: c"General".as_ptr(),
                order_begin: 0,
                order_end: 4,
                spill_size: 4,
                spill_alignment: 4,
            }],
            class_order: vec![1, 2, 3, 4],
        }
    }

    fn table(&self) -> WarpallocFunction {
        WarpallocFunction {
            name: c"f".as_ptr(),
            blocks: self.blocks.as_ptr(),
            block_count: self.blocks.len() as u32,
            edges: self.edges.as_ptr(),
            edge_count: self.edges.len() as u32,
            live_ins: self.live_ins.as_ptr(),
            live_in_count: self.live_ins.len() as u32,
            instructions: self.instructions.as_ptr(),
            instruction_count: self.instructions.len() as u32,
            operands: self.operands.as_ptr(),
            operand_count: self.operands.len() as u32,
            virtual_registers: self.virtual_registers.as_ptr(),
            virtual_register_count: self.virtual_registers.len() as u32,
            hints: self.hints.as_ptr(),
            hint_count: self.hints.len() as u32,
            classes: self.classes.as_ptr(),
            class_count: self.classes.len() as u32,
            class_order: self.class_order.as_ptr(),
            class_order_count: self.class_order.len() as u32,
            clobber_masks: ptr::null(),
            clobber_mask_count: 0,
        }
    }
}

/// Imports a table whose pointers and counts are right, or null.
fn import(table: &WarpallocFunction) -> Result<(), Error> {
    let target = TestTarget::new().import()?;
    // SAFETY: the word of the tests below.
    unsafe { target.import(table) }.map(|_| ())
}

/// The message about a function that was spoilt.
fn message(spoil: impl FnOnce(&mut TestFunction)) -> String {
    let mut function = TestFunction::new();
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
    ] {
        assert!(spoilt.contains(what), "{what}: {spoilt}");
    }
}

#[test]
fn names_are_utf8() {
    let function = TestFunction::new();
    let table = WarpallocFunction {
        name: c"\xff".as_ptr(),
        ..function.table()
    };
    let message = import(&table).unwrap_err().to_string();
    assert!(message.contains("UTF-8"), "{message}");
}

#[test]
fn a_missing_array_is_refused() {
    let function = TestFunction::new();
    let table = WarpallocFunction {
        operands: ptr::null(),
        ..function.table()
    };
    let message = import(&table).unwrap_err().to_string();
    assert!(message.contains("a table is missing"), "{message}");
}

#[test]
fn registers_have_known_units_and_parts() {
    let mut target = TestTarget::new();
    target.units[3] = 4;
    assert!(target.import().is_err(), "a unit that does not exist");
    let mut target = TestTarget::new();
    target.unit_begin[2] = 3;
    assert!(target.import().is_err(), "ranges that go back");
    let mut target = TestTarget::new();
    target.sub_registers[2] = 5;
    assert!(target.import().is_err(), "a part that does not exist");
}
