//! Copies of memory through a chosen address become loads and stores.
//!
//! SROA takes a load of one of two addresses apart, into two loads and a choice between
//! the values or a branch around them, but not a `memcpy`; so a stack variable that is
//! one of the choices (zeros where an element lies outside, say) stays in memory. A copy
//! of few bytes becomes loads of all its pieces and then stores, which has the meaning of
//! `memmove`. Volatile copies and those of unknown size stay.

use super::locals::{Kind, locals};
use super::value::Value;
use super::{Unit, changed};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::values::FunctionValue;
use std::collections::BTreeSet;

/// Copies of more pieces stay.
const MOST_PIECES: u64 = 16;

/// Whether any copy was split.
pub fn run(unit: &Unit) -> bool {
    let context = unit.module().get_context();
    let mut any = false;
    for function in unit.definitions() {
        if super::unit::is_optnone(function) {
            continue;
        }
        let copies = copies(function);
        for &copy in &copies {
            split(unit, copy);
        }
        if !copies.is_empty() {
            changed::mark(&context, function);
            any = true;
        }
    }
    any
}

/// Copies with a choice between addresses, one of which is a stack variable's.
fn copies(function: FunctionValue) -> Vec<Value> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for local in locals(function) {
        if !local.is_private() {
            continue;
        }
        for one in &local.uses {
            let chooses = |value: &Value| value.is(LLVMPHI) || value.is(LLVMSelect);
            if one.kind == Kind::Copy
                && one.depends_on.iter().any(chooses)
                && pieces(one.instruction).is_some()
                && seen.insert(one.instruction.as_ref())
            {
                found.push(one.instruction);
            }
        }
    }
    found
}

/// The bytes of a piece and how many there are, of a copy that can be split.
fn pieces(copy: Value) -> Option<(u64, u64)> {
    let name = copy.callee()?.get_name().to_bytes().to_vec();
    if !name.starts_with(b"llvm.memcpy.") && !name.starts_with(b"llvm.memmove.") {
        return None;
    }
    let bytes = copy.operand(2).constant_integer()?;
    let aligned = copy.parameter_alignment(0).min(copy.parameter_alignment(1));
    let piece = [4, 2, 1]
        .into_iter()
        .find(|&piece: &u64| aligned.is_multiple_of(piece) && bytes.is_multiple_of(piece))?;
    let count = bytes / piece;
    (1..=MOST_PIECES).contains(&count).then_some((piece, count))
}

/// Loads all pieces, then stores them.
fn split(unit: &Unit, copy: Value) {
    let Some((piece, count)) = pieces(copy) else {
        return;
    };
    let build = super::build::Before::new(unit, copy);
    let (to, from) = (copy.operand(0), copy.operand(1));
    let values: Vec<_> = (0..count)
        .map(|number| build.load_bytes(build.offset(from, number * piece), piece))
        .collect();
    for (number, value) in (0..count).zip(values) {
        build.store(value, build.offset(to, number * piece), piece as u32);
    }
    build.erase();
}
