//! Copies out of memory through a choice between addresses become choices between values.
//!
//! SROA leaves a stack variable in memory when its address is one of those that a `memcpy`
//! may read from: zeros for what lies outside of a matrix, say. A copy of few bytes becomes
//! loads and stores of all its pieces.
//!
//! - Where the choice is a phi, the loads go to where the addresses come from. That needs
//!   that nothing writes between the phi and the copy, and that nobody loads who would not
//!   have copied: the block leads nowhere else, or the address is a stack variable's.
//! - Where it is a select, what the variable holds goes through a new variable for each
//!   piece. Those have the type of what is loaded and no other users, and so SROA does the
//!   rest: a branch around the load that may not be done.
//!
//! Volatile copies, those of unknown size, and choices between choices stay.

use super::address::variable_with;
use super::build::Before;
use super::locals::{Kind, Use, locals};
use super::value::Value;
use super::{Unit, changed};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::values::{BasicValueEnum, FunctionValue};
use std::collections::BTreeSet;

/// Copies of more pieces stay.
const MOST_PIECES: u64 = 16;

/// Whether any copy was split.
pub fn run(unit: &Unit) -> bool {
    changed::promote_and_mark(unit, |function| {
        let copies = copies(function);
        for copy in &copies {
            copy.split(unit);
        }
        !copies.is_empty()
    })
}

/// A copy that can be split.
struct Copy {
    call: Value,
    /// The phi or select that it reads from.
    choice: Value,
    /// The bytes of a piece, and how many there are.
    piece: u64,
    count: u64,
}

/// Copies of a function that may read from a stack variable, each once.
fn copies(function: FunctionValue) -> Vec<Copy> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for local in locals(function) {
        let copies = local.uses.iter().filter(|one| one.kind == Kind::Copy);
        for copy in copies.filter_map(Copy::new) {
            if seen.insert(copy.call.as_ref()) {
                found.push(copy);
            }
        }
    }
    found
}

impl Copy {
    /// A copy that can be split, if this is one.
    fn new(one: &Use) -> Option<Self> {
        let call = one.instruction;
        if !call.calls("llvm.memcpy.") && !call.calls("llvm.memmove.") {
            return None;
        }
        let choice = call.operand(1);
        let bytes = call.operand(2).constant_integer()?;
        let is_local = |address| variable_with(address, bytes).is_some();
        let possible = match choice.opcode() {
            Some(LLVMPHI) => can_load_before(choice, call, is_local),
            Some(LLVMSelect) => choice.operands().skip(1).any(is_local),
            _ => false,
        };
        let aligned = call.parameter_alignment(0).min(call.parameter_alignment(1));
        let divides = |piece: &u64| aligned.is_multiple_of(*piece) && bytes.is_multiple_of(*piece);
        let piece = [4, 2, 1].into_iter().find(divides)?;
        let count = bytes / piece;
        (possible && (1..=MOST_PIECES).contains(&count)).then_some(Self {
            call,
            choice,
            piece,
            count,
        })
    }

    /// Loads all pieces, then stores them, in place of the copy.
    fn split(&self, unit: &Unit) {
        let pieces: Vec<_> = (0..self.count)
            .map(|number| self.load(unit, number * self.piece))
            .collect();
        let build = Before::new(unit, self.call);
        let to = self.call.operand(0);
        for (number, value) in (0..self.count).zip(pieces) {
            let place = build.offset(to, number * self.piece);
            build.store(value, place, self.piece as u32);
        }
        build.erase();
    }

    /// What the copy would read at `offset`.
    fn load(&self, unit: &Unit, offset: u64) -> BasicValueEnum<'static> {
        if self.choice.is(LLVMPHI) {
            let mut values: Vec<(BasicValueEnum, Value)> = Vec::new();
            for (address, end) in self.choice.incoming() {
                // A switch may lead here more than once, always with one value.
                let known = values.iter().find(|(_, other)| *other == end);
                let value = known.map(|(value, _)| *value).unwrap_or_else(|| {
                    let build = Before::new(unit, end);
                    build.load_bytes(build.offset(address, offset), self.piece)
                });
                values.push((value, end));
            }
            return Before::new(unit, self.choice).phi(&values);
        }
        let build = Before::new(unit, self.call);
        let address = |number| {
            let address = self.choice.operand(number);
            let Some(variable) = variable_with(address, self.count * self.piece) else {
                return build.offset(address, offset);
            };
            let value = build.load_bytes(build.offset(address, offset), self.piece);
            let copy = Before::new(unit, variable).variable(value.get_type(), self.piece as u32);
            // SROA would split a load that is only stored as the variable is split.
            build.store(build.freeze(value), copy, self.piece as u32);
            copy
        };
        let (yes, no) = (address(1), address(2));
        let chosen = build.select_address(self.choice.operand(0), yes, no);
        build.load_bytes(chosen, self.piece)
    }
}

/// Whether what is loaded through a phi may be loaded where its addresses come from.
fn can_load_before(phi: Value, call: Value, is_local: impl Fn(Value) -> bool) -> bool {
    let between = std::iter::successors(phi.next(), |one| one.next());
    let mut between = between.take_while(|&one| one != call);
    phi.block() == call.block()
        && between.all(|one| !one.may_write())
        && phi
            .incoming()
            .all(|(address, end)| end.successor_count() == 1 || is_local(address))
        && phi.incoming().any(|(address, _)| is_local(address))
}
