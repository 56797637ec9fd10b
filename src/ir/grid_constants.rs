//! Parameters of kernels that are passed by value and never written become
//! `nvvm.grid_constant`.
//!
//! Where the address of such a parameter escapes, LLVM copies it into local memory, byte by
//! byte, as somebody may write there and a kernel's parameters are the same for all
//! threads. The attribute says that nobody does. It is given where all that happens to the
//! address is seen, and nothing of it can write: loads, copies from there, functions that
//! promise to read only, and assembly that takes it as a tensor map's address. Targets
//! without generic addresses of parameters ignore the attribute.
//!
//! Where the address does not escape LLVM reads the parameter in its place already, and
//! nothing is done. Other assembly may write: refused, with a remark.

use super::locals::{Kind, Use, uses};
use super::unit::{parameters, stays};
use super::value::Value;
use super::{Unit, remarks};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::values::FunctionValue;

/// `ptx_kernel`, as LLVM numbers calling conventions.
const PTX_KERNEL: u32 = 71;
const GRID_CONSTANT: &str = "nvvm.grid_constant";
/// Instructions that read a tensor map and write elsewhere, to shared memory or to what
/// the map describes. A parameter is in neither.
const TENSOR_MAP_READERS: [&str; 4] = [
    "prefetch.tensormap",
    "cp.async.bulk.tensor.",
    "cp.async.bulk.prefetch.tensor.",
    "cp.reduce.async.bulk.tensor.",
];

/// Whether any parameter was given the attribute.
pub fn run(unit: &Unit) -> bool {
    let mut any = false;
    for function in unit.definitions() {
        if function.get_call_conventions() != PTX_KERNEL || stays(function) {
            continue;
        }
        for (number, parameter) in (0..).zip(parameters(function)) {
            any |= mark(unit, function, number, parameter);
        }
    }
    any
}

/// Gives one parameter the attribute, if that is right and of use.
fn mark(unit: &Unit, function: FunctionValue<'static>, number: u32, parameter: Value) -> bool {
    let place = AttributeLoc::Param(number);
    let by_value = Attribute::get_named_enum_kind_id("byval");
    if function.get_enum_attribute(place, by_value).is_none()
        || function
            .get_string_attribute(place, GRID_CONSTANT)
            .is_some()
    {
        return false;
    }
    let all = uses(parameter);
    let escapes = |one: &&Use| matches!(one.kind, Kind::Argument | Kind::Other);
    let Some(first) = all.iter().find(escapes) else {
        return false;
    };
    if let Some(writer) = all.iter().find(|one| !reads(one)) {
        let text = "a parameter is copied into local memory: its address escapes to what may \
                    write there";
        let (pass, name) = ("warpalloc-promote", "NotGridConstant");
        remarks::missed(unit, pass, writer.instruction, name, text);
        return false;
    }
    let attribute = unit.module().get_context();
    let attribute = attribute.create_string_attribute(GRID_CONSTANT, "");
    function.add_attribute(place, attribute);
    let text = "a parameter is read in its place: nothing writes to it";
    remarks::passed(
        unit,
        "warpalloc-promote",
        first.instruction,
        "GridConstant",
        text,
    );
    true
}

/// Whether a use reads at most.
fn reads(one: &Use) -> bool {
    let user = one.instruction;
    match one.kind {
        Kind::Access => user.is(LLVMLoad),
        Kind::Copy => user.operand(0) != one.address,
        Kind::Argument => passes_for_reading(one),
        Kind::Other => match user.opcode() {
            Some(LLVMPtrToInt) => user.users().all(reads_tensor_map),
            Some(LLVMCall) => reads_tensor_map(user),
            Some(LLVMICmp) => true,
            _ => false,
        },
    }
}

/// Whether a function that gets an address promises to read through it only, and not to keep it.
fn passes_for_reading(one: &Use) -> bool {
    let call = one.instruction;
    one.argument_numbers().all(|number| {
        let number = number as u32;
        (call.parameter_has(number, "readonly") || call.parameter_has(number, "readnone"))
            && call.parameter_captures_nothing(number)
    })
}

/// Whether a user is assembly of nothing but instructions that read tensor maps.
fn reads_tensor_map(user: Value) -> bool {
    let Some(text) = user.assembly() else {
        return false;
    };
    let mut statements = text
        .split([';', '\n', '{', '}'])
        .map(str::trim)
        .filter(|statement| statement.starts_with(|first: char| first.is_ascii_lowercase()));
    let reads = |statement: &str| {
        TENSOR_MAP_READERS
            .iter()
            .any(|name| statement.starts_with(name))
    };
    // What is guarded, or anything else that is no plain statement, is left to the copy.
    !text.contains(['@', '(', '/']) && statements.clone().count() > 0 && statements.all(reads)
}
