//! Chooses the loops that are unrolled: those whose counters index stack variables.
//!
//! SROA splits a variable into registers when all accesses to it are at constant places.
//! An index that is computed from nothing but constants and counters of loops with
//! constant trip counts is a constant in each copy of the body, so those loops, and no
//! others, are unrolled in full. A variable with one index that stays unknown is left out,
//! unless `select_elements` could deal with it; one whose address escapes is left out.
//!
//! Refused, with a remark, where the copies would be larger than [`MOST_SIZE`] for one
//! nest of loops, or for the function. Linear in uses times the depth of expressions.

use super::address::variable_size;
use super::locals::{Local, locals};
use super::loops::Loops;
use super::select_elements::MOST_ELEMENTS_SIZE;
use super::value::Value;
use super::{Unit, changed, remarks};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::values::FunctionValue;
use std::collections::BTreeSet;

/// A nest of loops may have so much code after unrolling, in LLVM's units of code size.
const MOST_SIZE: u64 = 16_384;
/// No loop is copied more often.
const MOST_TRIPS: u32 = 512;
/// What LLVM unrolls by an upper bound on the trip count.
const MOST_UPPER_TRIPS: u32 = 8;
/// The most bytes of a variable that can live in registers.
const MOST_BYTES: u64 = 1024;

/// Whether any loop was chosen.
pub fn run(unit: &Unit) -> bool {
    let context = unit.module().get_context();
    let mut any = false;
    for function in unit.definitions() {
        if super::unit::is_optnone(function) {
            continue;
        }
        if choose_in(unit, function) {
            changed::mark(&context, function);
            any = true;
        }
    }
    any
}

fn choose_in(unit: &Unit, function: FunctionValue) -> bool {
    let variables: Vec<_> = locals(function)
        .into_iter()
        .filter(|local| local.uses.iter().any(|one| !one.depends_on.is_empty()))
        .collect();
    if variables.is_empty() {
        return false;
    }
    let loops = Loops::new(unit, function);
    let mut chosen = BTreeSet::new();
    for local in &variables {
        let Some(needed) = needed(local, &loops) else {
            continue;
        };
        if needed.is_empty() {
            continue;
        }
        let all = chosen.union(&needed).copied().collect();
        match too_large(&loops, &all) {
            None => chosen = all,
            Some(size) => {
                let text = format!(
                    "a local variable stays in memory: to make its indices constant, loops \
                     would be unrolled to {size} units of code, and at most {MOST_SIZE} are \
                     allowed"
                );
                remarks::missed(
                    unit,
                    "warpalloc-promote",
                    local.alloca,
                    "NotUnrolled",
                    &text,
                );
            }
        }
    }
    for &number in &chosen {
        let known = loops.rows()[number].trip_count > 0;
        loops.annotate(
            number,
            if known {
                c"llvm.loop.unroll.full"
            } else {
                c"llvm.loop.unroll.enable"
            },
        );
    }
    !chosen.is_empty()
}

/// The loops whose unrolling makes the accesses to a variable constant; `None` if that
/// would not make it a register.
fn needed(local: &Local, loops: &Loops) -> Option<BTreeSet<usize>> {
    let size = variable_size(local.alloca)?;
    if size > MOST_BYTES || !local.is_private() {
        return None;
    }
    let mut needed = BTreeSet::new();
    for one in &local.uses {
        let mut counters = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let constant = one
            .depends_on
            .iter()
            .all(|&index| follow(index, loops, &mut counters, &mut seen));
        if constant {
            needed.extend(counters);
        } else if size > MOST_ELEMENTS_SIZE {
            return None;
        }
    }
    Some(needed)
}

/// Whether a value is a constant once loops are unrolled, and which these are.
fn follow(
    value: Value,
    loops: &Loops,
    counters: &mut BTreeSet<usize>,
    seen: &mut BTreeSet<inkwell::llvm_sys::prelude::LLVMValueRef>,
) -> bool {
    if value.is_constant() || value.is(LLVMAlloca) || !seen.insert(value.as_ref()) {
        return true;
    }
    let computed = match value.opcode() {
        Some(LLVMPHI) => match loops.headed_by(value) {
            Some(number) if can_unroll(loops, number) => counters.insert(number) | true,
            _ => false,
        },
        Some(
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl
            | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMTrunc | LLVMZExt | LLVMSExt
            | LLVMICmp | LLVMSelect | LLVMFreeze | LLVMGetElementPtr | LLVMAddrSpaceCast,
        ) => true,
        _ => false,
    };
    computed
        && value
            .operands()
            .all(|one| follow(one, loops, counters, seen))
}

fn can_unroll(loops: &Loops, number: usize) -> bool {
    let row = &loops.rows()[number];
    let trips = if row.trip_count > 0 {
        row.trip_count <= MOST_TRIPS
    } else {
        (1..=MOST_UPPER_TRIPS).contains(&row.most_trips)
    };
    row.can_unroll && trips
}

/// The size of the largest nest after unrolling, if it is too large.
fn too_large(loops: &Loops, chosen: &BTreeSet<usize>) -> Option<u64> {
    let rows = loops.rows();
    // What unrolling adds to a loop, from inner loops outwards.
    let mut size: Vec<u64> = rows.iter().map(|row| row.size.into()).collect();
    for number in (0..rows.len()).rev() {
        let before = u64::from(rows[number].size);
        if chosen.contains(&number) {
            let trips = rows[number].trip_count.max(rows[number].most_trips);
            size[number] = size[number].saturating_mul(trips.into());
        }
        let added = size[number].saturating_sub(before);
        if let Some(parent) = loops.chain(Some(number)).nth(1) {
            size[parent] = size[parent].saturating_add(added);
        }
    }
    let largest = chosen.iter().map(|&number| size[number]).max()?;
    (largest > MOST_SIZE).then_some(largest)
}
