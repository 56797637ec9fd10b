//! What of a function accesses local memory: its own variables that stay there, those of its
//! callers whose addresses it gets, and by way of closures.
//!
//! A closure that captures by reference holds addresses of variables. What is loaded from one
//! is taken to be such an address, whatever else it holds.

use crate::ir::address::variable_at;
use crate::ir::locals::{Kind, Local, Use, locals, uses};
use crate::ir::unit::{has_body, parameters};
use crate::ir::value::Value;
use inkwell::llvm_sys::LLVMOpcode::LLVMLoad;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::types::BasicTypeEnum;
use inkwell::values::FunctionValue;
use std::collections::{BTreeMap, BTreeSet};

/// Parameters that are addresses in local memory, and whether addresses lie there.
pub type Pointers = BTreeMap<usize, bool>;

/// What is known of a function.
#[derive(Debug, Default)]
pub struct LocalMemory {
    accesses: BTreeSet<LLVMValueRef>,
    passed: BTreeMap<LLVMValueRef, Pointers>,
}

impl LocalMemory {
    /// Follows the addresses of variables, and of what callers have.
    pub fn new(function: FunctionValue, is_promoted: bool, pointers: &Pointers) -> Self {
        let locals = locals(function);
        let closures: BTreeSet<_> = locals.iter().flat_map(holders).collect();
        let staying = locals
            .iter()
            .filter(|local| stays_in_memory(local, is_promoted))
            .map(|local| (local.alloca, closures.contains(&local.alloca.as_ref())));
        let parameters = parameters(function).enumerate();
        let of_callers =
            parameters.filter_map(|(number, parameter)| Some((parameter, *pointers.get(&number)?)));
        let mut all = Self::default();
        let mut work: Vec<_> = staying.chain(of_callers).collect();
        let mut seen: BTreeSet<_> = work.iter().map(|(base, _)| base.as_ref()).collect();
        while let Some((base, is_closure)) = work.pop() {
            for one in uses(base) {
                all.add(&one, is_closure);
                let user = one.instruction;
                if is_closure && is_pointer_load(user) && seen.insert(user.as_ref()) {
                    work.push((user, true));
                }
            }
        }
        all
    }

    fn add(&mut self, one: &Use, is_closure: bool) {
        let user = one.instruction;
        if one.kind != Kind::Argument || !user.callee().is_some_and(has_body) {
            self.accesses.insert(user.as_ref());
            return;
        }
        let passed = self.passed.entry(user.as_ref()).or_default();
        for number in one.argument_numbers() {
            *passed.entry(number).or_default() |= is_closure;
        }
    }

    /// Whether an instruction accesses it.
    pub fn is_accessed_by(&self, instruction: Value) -> bool {
        self.accesses.contains(&instruction.as_ref())
    }

    /// What a call passes on.
    pub fn passed_by(&self, call: Value) -> Pointers {
        self.passed.get(&call.as_ref()).cloned().unwrap_or_default()
    }
}

/// The variables that the address of another one is stored in.
fn holders(local: &Local) -> impl Iterator<Item = LLVMValueRef> {
    let places = local.uses.iter().filter_map(Use::stored_at);
    places.filter_map(|place| Some(variable_at(place)?.as_ref()))
}

fn is_pointer_load(user: Value) -> bool {
    user.is(LLVMLoad) && matches!(user.accessed_type(), Some(BasicTypeEnum::PointerType(_)))
}

/// Whether `ptxas` leaves a variable in memory. It splits those whose places are constant.
/// What promotion leaves chooses between whole variables at most, which it splits as well.
fn stays_in_memory(local: &Local, is_promoted: bool) -> bool {
    let counts = |value: &Value| !is_promoted || value.integer_width().is_some();
    let is_unknown = |one: &Use| one.depends_on.iter().any(counts);
    !local.is_private() || local.uses.iter().any(is_unknown)
}
