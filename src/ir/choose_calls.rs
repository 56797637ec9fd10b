//! Chooses the calls that are inlined: those that keep local memory from becoming
//! registers.
//!
//! A call that gets the address of a stack variable makes the caller have it in memory,
//! and so do all variables whose addresses the first one holds: the closure of a lambda
//! that captures by reference holds those of everything it touches. LLVM's inliner weighs
//! code size instead, by a bound that fits processors with a stack.
//!
//! What such a call reaches with the address as its own argument is chosen with it. Calls
//! that get an address out of memory are seen once their caller's closures are registers,
//! in the next of the pipeline's rounds.
//!
//! Nothing is inlined for a variable that stays in memory all the same: one whose address
//! also goes to a call that is not inlined, however deep. SROA splits no such variable.
//!
//! Each caller is kept beside what becomes of it, and [`super::weigh`] puts it back if no
//! variable has gone.
//!
//! Refused, with a remark: `noinline`, recursion, and what would make a function larger
//! than [`MOST_INSTRUCTIONS`]. Linear in the code, but for closures that are handed down, and
//! for each call that is inlined in those inlined before it.

use super::address::variable_at;
use super::locals::{Kind, Use, locals, uses};
use super::originals::Before;
use super::unit::{has, has_body, instructions, stays};
use super::value::Value;
use super::weigh::CACHED;
use super::{Unit, changed, originals, remarks, unit};
use inkwell::context::ContextRef;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Linkage;
use inkwell::values::{AsValueRef, FunctionValue};
use std::collections::{BTreeMap, BTreeSet};

/// No function grows beyond that by our choice, in instructions of LLVM: twice what an SM's cache
/// holds. What is beyond is hardly ever worth it ([`super::weigh`]), and takes long to find out.
const MOST_INSTRUCTIONS: usize = 2 * CACHED;

/// Whether any call was chosen.
pub fn run(unit: &Unit) -> bool {
    let mut choice = Choice::new(unit);
    for function in unit.definitions() {
        if !stays(function) {
            choice.choose_in(function);
        }
    }
    choice.any
}

struct Choice<'a> {
    unit: &'a Unit,
    context: ContextRef<'static>,
    /// Instructions of each function, with what is inlined into it.
    sizes: BTreeMap<LLVMValueRef, usize>,
    /// What is inlined into each function, and how often.
    chosen: BTreeMap<LLVMValueRef, BTreeMap<LLVMValueRef, usize>>,
    recursive: BTreeSet<LLVMValueRef>,
    /// Calls that have been decided on.
    decided: BTreeSet<LLVMValueRef>,
    /// Addresses that have been asked about: whether what they point to stays in memory.
    stays: BTreeMap<LLVMValueRef, bool>,
    any: bool,
}

impl<'a> Choice<'a> {
    fn new(unit: &'a Unit) -> Self {
        let sizes = unit.definitions().map(|function| {
            let count = instructions(function).count();
            (function.as_value_ref(), count)
        });
        Self {
            unit,
            context: unit.module().get_context(),
            sizes: sizes.collect(),
            chosen: BTreeMap::new(),
            recursive: recursive_functions(unit),
            decided: BTreeSet::new(),
            stays: BTreeMap::new(),
            any: false,
        }
    }

    /// Calls in `function`, and what they reach with the same addresses.
    fn choose_in(&mut self, function: FunctionValue<'static>) {
        let mut work: Vec<_> = locals(function)
            .into_iter()
            .filter(|local| !self.stays(function, local.alloca))
            .map(|local| (function, local.uses))
            .collect();
        // The first variable first.
        work.reverse();
        while let Some((caller, uses_of_address)) = work.pop() {
            for one in uses_of_address {
                let Some(callee) = self.callee(&one) else {
                    continue;
                };
                if !self.decided.insert(one.instruction.as_ref()) {
                    continue;
                }
                match self.refusal(caller, one.instruction, callee) {
                    None => {
                        self.choose(caller, one.instruction, callee);
                        let parameters = parameters(&one, callee);
                        work.extend(parameters.map(|one| (callee, uses(one))));
                    }
                    Some(cause) => self.tell(one.instruction, callee, cause),
                }
            }
        }
    }

    /// Whether the variable at `address` stays in memory whatever is inlined, as a call that
    /// is not inlined gets its address. A call by way of a closure is none of these: what
    /// the closure holds is known when it has become registers.
    fn stays(&mut self, function: FunctionValue<'static>, address: Value) -> bool {
        if let Some(&known) = self.stays.get(&address.as_ref()) {
            return known;
        }
        // Where it comes here again on its way it is handed around, which keeps nothing.
        self.stays.insert(address.as_ref(), false);
        let mut stays = false;
        for one in uses(address) {
            // Asked of all, as each that is refused has a remark.
            stays |= self.keeps_in_memory(function, &one);
        }
        self.stays.insert(address.as_ref(), stays);
        stays
    }

    fn keeps_in_memory(&mut self, function: FunctionValue<'static>, one: &Use) -> bool {
        let user = one.instruction;
        if let Some(place) = one.stored_at() {
            return variable_at(place).is_some_and(|holder| self.stays(function, holder));
        }
        let Some(callee) = self.callee(one) else {
            // A function that is only declared, one by its address, or inline assembly.
            let is_unknown = one.kind == Kind::Argument || user.callee().is_none();
            return user.is(LLVMCall) && is_unknown;
        };
        if let Some(cause) = self.refusal(function, user, callee) {
            if self.decided.insert(user.as_ref()) {
                self.tell(user, callee, cause);
            }
            return true;
        }
        parameters(one, callee).any(|parameter| self.stays(callee, parameter))
    }

    /// The function that gets the address, if its body can be seen.
    fn callee(&self, one: &Use) -> Option<FunctionValue<'static>> {
        let callee = one.instruction.callee()?;
        (one.kind == Kind::Argument && has_body(callee)).then_some(callee)
    }

    /// Why a call may not be inlined.
    fn refusal(
        &self,
        caller: FunctionValue,
        call: Value,
        callee: FunctionValue,
    ) -> Option<&'static str> {
        let size = self.size(callee.as_value_ref());
        let is_too_large = |(&function, &copies): (&LLVMValueRef, &usize)| {
            self.size(function)
                .saturating_add(copies.saturating_mul(size))
                > MOST_INSTRUCTIONS
        };
        let grows_too_large = || self.copies(caller).iter().any(is_too_large);
        if has(callee, "noinline") || call.call_has("noinline") {
            Some("it is 'noinline'")
        } else if is_interposable(callee) {
            Some("another definition may replace it")
        } else if self.recursive.contains(&callee.as_value_ref()) {
            Some("it is recursive")
        } else if grows_too_large() {
            Some("the caller would become too large")
        } else {
            None
        }
    }

    fn size(&self, function: LLVMValueRef) -> usize {
        self.sizes.get(&function).copied().unwrap_or(0)
    }

    /// The functions that a function is part of by our choice, and how many copies of it they
    /// have: what is inlined into it grows all of them.
    fn copies(&self, function: FunctionValue) -> BTreeMap<LLVMValueRef, usize> {
        let mut known = BTreeMap::from([(function.as_value_ref(), 1)]);
        for &caller in self.chosen.keys() {
            self.count_copies(caller, &mut known);
        }
        known.retain(|_, &mut copies| copies > 0);
        known
    }

    /// Nothing recursive is inlined, so this ends.
    fn count_copies(
        &self,
        caller: LLVMValueRef,
        known: &mut BTreeMap<LLVMValueRef, usize>,
    ) -> usize {
        if let Some(&copies) = known.get(&caller) {
            return copies;
        }
        let mut copies: usize = 0;
        for (&callee, &times) in self.chosen.get(&caller).into_iter().flatten() {
            let more = times.saturating_mul(self.count_copies(callee, known));
            copies = copies.saturating_add(more);
        }
        known.insert(caller, copies);
        copies
    }

    fn choose(&mut self, caller: FunctionValue, call: Value, callee: FunctionValue) {
        let size = self.size(callee.as_value_ref());
        for (function, copies) in self.copies(caller) {
            *self.sizes.entry(function).or_default() += copies * size;
        }
        let inlined = self.chosen.entry(caller.as_value_ref()).or_default();
        *inlined.entry(callee.as_value_ref()).or_default() += 1;
        let before = Before::Inlining;
        if originals::original(self.unit, caller, before).is_none() {
            originals::copy(self.unit, caller, before);
        }
        call.add_call_attribute(&self.context, "alwaysinline");
        changed::mark(&self.context, caller);
        self.any = true;
    }

    fn tell(&self, call: Value, callee: FunctionValue, cause: &str) {
        let text = format!(
            "'{}' gets the address of a local variable, which stays in memory: not inlined, \
             as {cause}",
            callee.get_name().to_string_lossy()
        );
        remarks::missed(self.unit, "warpalloc-inline", call, "NotInlined", &text);
    }
}

/// The parameters of a callee that are the address.
fn parameters(one: &Use, callee: FunctionValue<'static>) -> impl Iterator<Item = Value> {
    one.argument_numbers()
        // None of what a function with a variable number of arguments gets beside.
        .filter_map(move |number| unit::parameters(callee).nth(number))
}

/// Whether the linker may take another definition.
fn is_interposable(function: FunctionValue) -> bool {
    matches!(
        function.get_linkage(),
        Linkage::WeakAny | Linkage::LinkOnceAny | Linkage::ExternalWeak | Linkage::Common
    )
}

/// Functions that can reach themselves by direct calls.
fn recursive_functions(unit: &Unit) -> BTreeSet<LLVMValueRef> {
    let callees: BTreeMap<_, _> = unit
        .definitions()
        .map(|function| (function.as_value_ref(), callees(function)))
        .collect();
    let reaches_itself = |start| {
        let mut seen = BTreeSet::new();
        let mut work = vec![start];
        while let Some(one) = work.pop() {
            for &callee in callees.get(&one).into_iter().flatten() {
                if callee == start {
                    return true;
                }
                if seen.insert(callee) {
                    work.push(callee);
                }
            }
        }
        false
    };
    callees
        .keys()
        .copied()
        .filter(|&function| reaches_itself(function))
        .collect()
}

fn callees(function: FunctionValue) -> BTreeSet<LLVMValueRef> {
    instructions(function)
        .filter_map(Value::callee)
        .map(|callee| callee.as_value_ref())
        .collect()
}
