//! Chooses the loops that are unrolled: those whose counters index stack variables.
//!
//! SROA splits a variable into registers when all accesses to it are at constant places.
//! An index that is computed from nothing but constants and counters of loops with
//! constant trip counts is a constant in each copy of the body, so those loops, and no
//! others, are unrolled in full. A variable with one index that stays unknown is left out,
//! unless `select_elements` could deal with it, or `tables` with what loops fill with
//! constants; one whose address escapes is left out.
//!
//! Refused, with a remark, where the copies would be larger than [`MOST_SIZE`] for one
//! loop, or would add more code than [`MOST_GROWTH`] for each access that goes away: in
//! such a loop the access is a small part of the work. Linear in uses times the depth of expressions.

use super::address::variable_size;
use super::locals::{Local, Use, locals};
use super::loops::Loops;
use super::select_elements::MOST_BYTES;
use super::value::Value;
use super::{Unit, changed, remarks, select_elements};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::FunctionValue;
use std::collections::BTreeSet;

/// A nest of loops may have so much code after unrolling, in LLVM's units of code size.
const MOST_SIZE: u64 = 16_384;
/// For each access that becomes a register, so much code may be added.
const MOST_GROWTH: u64 = 16;
/// No loop is copied more often.
const MOST_TRIPS: u32 = 512;
/// What LLVM unrolls by an upper bound on the trip count.
const MOST_UPPER_TRIPS: u32 = 8;

/// Whether any loop was chosen.
pub fn run(unit: &Unit) -> bool {
    changed::promote_and_mark(unit, |function| choose_in(unit, function))
}

fn choose_in(unit: &Unit, function: FunctionValue) -> bool {
    let variables: Vec<_> = locals(function)
        .into_iter()
        .filter(|local| local.uses.iter().any(|one| !one.depends_on.is_empty()))
        .collect();
    if variables.is_empty() {
        return false;
    }
    let loops = Loops::measured(unit, function);
    let mut chosen = BTreeSet::new();
    for local in &variables {
        let Some(needed) = needed(unit, local, &loops) else {
            continue;
        };
        if needed.is_empty() {
            continue;
        }
        let all = chosen.union(&needed).copied().collect();
        let Size { largest, growth } = size(&loops, &all);
        let growth = growth.saturating_sub(size(&loops, &chosen).growth);
        let copies = copies(local, &loops, &all);
        if largest <= MOST_SIZE && growth <= copies.saturating_mul(MOST_GROWTH) {
            chosen = all;
            continue;
        }
        let text = format!(
            "a local variable stays in memory: unrolling the loops that index it would add \
             {growth} units of code, to {largest} for one loop, for {copies} accesses; at most \
             {MOST_GROWTH} for each are allowed, and {MOST_SIZE} for a loop"
        );
        let pass = "warpalloc-promote";
        remarks::missed(unit, pass, local.alloca, "NotUnrolled", &text);
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

/// The loops whose unrolling makes the accesses to a variable constant, or all but loads of
/// a table; `None` if that would neither make it registers nor a table.
fn needed(unit: &Unit, local: &Local, loops: &Loops) -> Option<BTreeSet<usize>> {
    if variable_size(local.alloca)? > MOST_BYTES || !local.is_private() {
        return None;
    }
    let mut needed = BTreeSet::new();
    let mut unknown = Vec::new();
    for one in &local.uses {
        match counters(&one.depends_on, loops) {
            Some(counters) => needed.extend(counters),
            None => unknown.push(one),
        }
    }
    let chains = unknown.iter().map(|one| select_elements::chain(local, one));
    let is_cheap = |chains: Vec<_>| {
        let weight = select_elements::weigh(unit, local, &chains, loops);
        weight.cost <= weight.gain
    };
    if chains.collect::<Option<_>>().is_some_and(is_cheap) {
        return Some(needed);
    }
    let is_load = |one: &&Use| one.instruction.is(LLVMLoad);
    let (loads, others): (Vec<_>, Vec<_>) = local.uses.iter().partition(is_load);
    let filling = others.iter().map(|one| {
        let stores = one.instruction.is(LLVMStore);
        let stored = stores.then(|| one.instruction.operand(0));
        let parts: Vec<_> = one.depends_on.iter().copied().chain(stored).collect();
        counters(&parts, loops).filter(|_| stores || one.is_fill())
    });
    let filling: Vec<_> = filling.collect::<Option<_>>()?;
    (!loads.is_empty()).then(|| filling.into_iter().flatten().collect())
}

/// The loops in whose copies values are constants, if there they are.
fn counters(values: &[Value], loops: &Loops) -> Option<BTreeSet<usize>> {
    let mut counters = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut values = values.iter();
    values
        .all(|&value| follow(value, loops, &mut counters, &mut seen))
        .then_some(counters)
}

/// Whether a value is a constant once loops are unrolled, and which these are.
///
/// Scalar evolution knows sums of counters, also where something unknown cancels out; what
/// it does not know is followed through instructions that compute from their operands.
fn follow(
    value: Value,
    loops: &Loops,
    counters: &mut BTreeSet<usize>,
    seen: &mut BTreeSet<LLVMValueRef>,
) -> bool {
    if value.is_constant() || value.is(LLVMAlloca) || !seen.insert(value.as_ref()) {
        return true;
    }
    if let Some(LLVMSExt | LLVMZExt | LLVMTrunc) = value.opcode() {
        // Scalar evolution moves extensions into sums, where nothing cancels out any more.
        return follow(value.operand(0), loops, counters, seen);
    }
    let (numbers, unknown) = loops.ingredients(value);
    if !numbers.iter().all(|&number| can_unroll(loops, number)) {
        return false;
    }
    counters.extend(numbers);
    unknown.into_iter().all(|one| {
        if one != value {
            return follow(one, loops, counters, seen);
        }
        let computed = match one.opcode() {
            Some(LLVMPHI) => match loops.headed_by(one) {
                Some(number) if can_unroll(loops, number) => counters.insert(number) | true,
                _ => false,
            },
            Some(
                LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl
                | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMICmp | LLVMSelect
                | LLVMFreeze | LLVMGetElementPtr | LLVMAddrSpaceCast | LLVMSIToFP | LLVMUIToFP
                | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv,
            ) => true,
            _ => false,
        };
        computed
            && one
                .operands()
                .all(|part| follow(part, loops, counters, seen))
    })
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

/// How often a loop is copied.
fn trips(loops: &Loops, number: usize) -> u64 {
    let row = &loops.rows()[number];
    let trips = match row.trip_count {
        0 => row.most_trips,
        known => known,
    };
    trips.into()
}

/// How many copies of its accesses a variable will have.
fn copies(local: &Local, loops: &Loops, chosen: &BTreeSet<usize>) -> u64 {
    let copies = local.uses.iter().map(|one| {
        let around = loops.chain(loops.around(one.instruction));
        let unrolled = around.filter(|number| chosen.contains(number));
        unrolled.fold(1, |product: u64, number| {
            product.saturating_mul(trips(loops, number))
        })
    });
    copies.fold(0, u64::saturating_add)
}

/// What unrolling makes of the loops of a function.
struct Size {
    /// The largest of the loops that are unrolled, afterwards.
    largest: u64,
    /// What all of them add.
    growth: u64,
}

fn size(loops: &Loops, chosen: &BTreeSet<usize>) -> Size {
    let rows = loops.rows();
    let mut after: Vec<u64> = rows.iter().map(|row| row.size.into()).collect();
    let mut all = Size {
        largest: 0,
        growth: 0,
    };
    // From inner loops outwards.
    for number in (0..rows.len()).rev() {
        if chosen.contains(&number) {
            after[number] = after[number].saturating_mul(trips(loops, number));
            all.largest = all.largest.max(after[number]);
        }
        let growth = after[number].saturating_sub(rows[number].size.into());
        match loops.chain(Some(number)).nth(1) {
            Some(parent) => after[parent] = after[parent].saturating_add(growth),
            None => all.growth = all.growth.saturating_add(growth),
        }
    }
    all
}
