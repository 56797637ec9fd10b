//! Spoilt tables cross the boundary: each is refused with a message or allocated,
//! without a panic and without undefined behaviour. The arrays stay as long as
//! the counts say: that much is the shim's promise.

use super::generator::{Problem, cpu_problem, gpu_problem};
use super::tables::{FunctionTables, TargetTables, options};
use crate::abi::WarpallocOptions;
use crate::{entry, import};
use arbitrary::Unstructured;
use std::ffi::CStr;

/// The first half of the bytes makes a random function, the other half changes
/// numbers in its tables.
pub fn cross_boundary(bytes: &[u8]) {
    let Some((&settings, rest)) = bytes.split_first() else {
        return;
    };
    let (code, changes) = rest.split_at(rest.len() / 2);
    let numbers: Vec<u32> = code.iter().map(|&byte| byte.into()).collect();
    let (problem, mut target) = if settings & 1 == 0 {
        let problem = cpu_problem(&numbers);
        let target = TargetTables::of(&problem.machine.table);
        (problem, target)
    } else {
        (gpu_problem(255, &numbers), TargetTables::gpu())
    };
    let Problem { machine, function } = problem;
    let mut function = FunctionTables::of(&function, &machine);
    if settings & 4 != 0 {
        add_source(&mut function, u32::from(settings >> 3));
    }
    let mut changes = Unstructured::new(changes);
    // An error says that the bytes are used up.
    let _ = spoil(&mut target, &mut function, &mut changes);
    allocate(&mut target, &mut function, settings);
}

/// Debug information, with a number that means something or not.
fn add_source(function: &mut FunctionTables, number: u32) {
    function.add_source();
    if let Some(last) = function.instruction_locations.last_mut() {
        *last = number;
    }
    if let Some(last) = function.locations.last_mut() {
        last.inlined_at = number;
    }
}

/// Changes one number after the other.
fn spoil(
    target: &mut TargetTables,
    function: &mut FunctionTables,
    changes: &mut Unstructured,
) -> arbitrary::Result<()> {
    while !changes.is_empty() {
        match changes.int_in_range(0..=30)? {
            0 => item(&mut target.units, changes, |unit| unit)?,
            1 => {
                // The last is not a place but the length of `units`.
                let last = target.unit_begin.len() - 1;
                item(&mut target.unit_begin[..last], changes, |begin| begin)?;
            }
            2 => {
                let index = changes.choose_index(target.sub_registers.len())?;
                target.sub_registers[index] = number(changes)? as u16;
            }
            3 => target.unit_count = number(changes)?,
            4 => item(&mut function.edges, changes, |edge| edge)?,
            5 => item(&mut function.live_ins, changes, |register| register)?,
            6 => item(&mut function.hints, changes, |register| register)?,
            7 => item(&mut function.class_order, changes, |register| register)?,
            8 => item(&mut function.classes, changes, |class| &mut class.order_end)?,
            9 => item(&mut function.classes, changes, |class| {
                &mut class.order_begin
            })?,
            10 => item(&mut function.classes, changes, |class| {
                &mut class.spill_size
            })?,
            11 => item(&mut function.classes, changes, |class| {
                &mut class.spill_alignment
            })?,
            12 => item(&mut function.virtual_registers, changes, |value| {
                &mut value.class_index
            })?,
            13 => item(&mut function.virtual_registers, changes, |value| {
                &mut value.flags
            })?,
            14 => item(&mut function.virtual_registers, changes, |value| {
                &mut value.hint_end
            })?,
            15 => item(&mut function.blocks, changes, |block| {
                &mut block.instruction_end
            })?,
            16 => item(&mut function.blocks, changes, |block| {
                &mut block.successor_end
            })?,
            17 => item(&mut function.blocks, changes, |block| {
                &mut block.live_in_begin
            })?,
            18 => item(&mut function.blocks, changes, |block| &mut block.loop_depth)?,
            19 => item(&mut function.blocks, changes, |block| {
                &mut block.clobber_mask
            })?,
            20 => item(&mut function.instructions, changes, |instruction| {
                &mut instruction.flags
            })?,
            21 => item(&mut function.instructions, changes, |instruction| {
                &mut instruction.operand_end
            })?,
            22 => item(&mut function.instructions, changes, |instruction| {
                &mut instruction.clobber_mask
            })?,
            23 => item(&mut function.operands, changes, |operand| {
                &mut operand.register
            })?,
            24 => item(&mut function.operands, changes, |operand| {
                &mut operand.flags
            })?,
            25 => {
                if let Some(operand) = any(&mut function.operands, changes)? {
                    operand.sub_register = number(changes)? as u16;
                    operand.tied_to = number(changes)? as u16;
                }
            }
            26 => item(&mut function.instructions, changes, |instruction| {
                &mut instruction.text
            })?,
            27 => {
                if let Some(operand) = any(&mut function.operands, changes)? {
                    operand.text_number = number(changes)? as u16;
                }
            }
            28 => {
                if let Some(block) = any(&mut function.blocks, changes)? {
                    block.frequency = changes.arbitrary()?;
                    block.landing = changes.arbitrary()?;
                    block.equal_successor = number(changes)?;
                }
            }
            29 => item(&mut function.virtual_registers, changes, |value| {
                &mut value.super_class_index
            })?,
            _ => {
                if let Some(mask) = any(&mut function.clobber_masks, changes)? {
                    item(mask, changes, |word| word)?;
                }
            }
        }
    }
    Ok(())
}

fn any<'a, T>(
    array: &'a mut [T],
    changes: &mut Unstructured,
) -> arbitrary::Result<Option<&'a mut T>> {
    if array.is_empty() {
        return Ok(None);
    }
    let index = changes.choose_index(array.len())?;
    Ok(Some(&mut array[index]))
}

/// Changes a number in one item.
fn item<T>(
    array: &mut [T],
    changes: &mut Unstructured,
    field: impl FnOnce(&mut T) -> &mut u32,
) -> arbitrary::Result<()> {
    if let Some(item) = any(array, changes)? {
        *field(item) = number(changes)?;
    }
    Ok(())
}

/// Most often one that means something.
fn number(changes: &mut Unstructured) -> arbitrary::Result<u32> {
    Ok(match changes.int_in_range(0..=5)? {
        0 => changes.arbitrary()?,
        1 => u32::MAX,
        _ => changes.arbitrary::<u8>()?.into(),
    })
}

fn allocate(target: &mut TargetTables, function: &mut FunctionTables, settings: u8) {
    let options = WarpallocOptions {
        coalescing_factor: if settings & 2 == 0 { 1.0 } else { 0.8 },
        ..options()
    };
    // SAFETY: the tables point to arrays that are as long as their counts say,
    // and live until the end.
    unsafe {
        let machine = entry::warpalloc_machine_new(&target.table());
        if machine.is_null() {
            // Refused, not given up in a panic: that would show here.
            assert!(import::Target::new(&target.table()).is_err());
            return;
        }
        let result =
            entry::warpalloc_allocate(machine, &function.table(), &options, std::ptr::null_mut());
        let error = (*result).error;
        if !error.is_null() {
            // The checker refuses, too, what reads a register that nothing wrote.
            let message = CStr::from_ptr(error).to_string_lossy();
            assert!(!message.starts_with("internal error"), "{message}");
        }
        entry::warpalloc_result_free(result);
        entry::warpalloc_machine_free(machine);
    }
}
