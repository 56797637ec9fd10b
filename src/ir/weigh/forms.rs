//! The times of functions with what they call, and for each function the best of its forms:
//! what it is now, what it was before promotion, and what it was before calls were inlined.
//!
//! What a function calls is decided on first, as its time is part of the caller's. A
//! function that calls itself is taken to do so once.

use super::local_memory::Pointers;
use super::time::Time;
use crate::ir::lowered::Lowered;
use crate::ir::originals::{self, Before};
use crate::ir::unit::instructions;
use crate::ir::{Unit, changed, remarks};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::{AsValueRef, FunctionValue};
use std::collections::BTreeMap;

/// A function, and those of its parameters that are addresses in local memory.
type Called = (LLVMValueRef, Pointers);

/// What is known so far.
pub struct Forms<'a> {
    unit: &'a Unit,
    lowered: &'a Lowered,
    /// The times of functions in their best form.
    times: BTreeMap<Called, Time>,
    /// What is best of functions with copies that have been decided on: a copy, and what it
    /// was made before, or `None` for what they are.
    decided: BTreeMap<LLVMValueRef, Option<(FunctionValue<'static>, Before)>>,
}

/// The copies that a function is compared with, and what each was made before.
pub fn copies(
    unit: &Unit,
    function: FunctionValue<'static>,
) -> impl Iterator<Item = (FunctionValue<'static>, Before)> {
    let is_promoted = changed::is_marked(function);
    [(Before::Promotion, is_promoted), (Before::Inlining, true)]
        .into_iter()
        .filter(|&(_, is_other)| is_other)
        .filter_map(move |(before, _)| Some((originals::original(unit, function, before)?, before)))
}

impl<'a> Forms<'a> {
    /// `lowered` is a copy of the unit.
    pub fn new(unit: &'a Unit, lowered: &'a Lowered) -> Self {
        Self {
            unit,
            lowered,
            times: BTreeMap::new(),
            decided: BTreeMap::new(),
        }
    }

    /// The copy of a function that is better than what it is, and what it was made before.
    pub fn better(
        &mut self,
        function: FunctionValue<'static>,
    ) -> Option<(FunctionValue<'static>, Before)> {
        self.time(function, &Pointers::new());
        self.decided.get(&function.as_value_ref()).copied()?
    }

    /// The time of a function in its best form, which is decided on the first time.
    fn time(&mut self, function: FunctionValue<'static>, pointers: &Pointers) -> Time {
        let called = (function.as_value_ref(), pointers.clone());
        if let Some(known) = self.times.get(&called) {
            return known.clone();
        }
        self.times.insert(called.clone(), Time::default());
        let time = match self.decided.get(&function.as_value_ref()) {
            Some(&Some((copy, _))) => self.whole(copy, false, pointers),
            Some(None) => self.whole(function, true, pointers),
            None => self.decide(function, pointers),
        };
        self.times.insert(called, time.clone());
        time
    }

    fn decide(&mut self, function: FunctionValue<'static>, pointers: &Pointers) -> Time {
        // One that calls itself is asked for again.
        self.decided.insert(function.as_value_ref(), None);
        let mut best = self.whole(function, true, pointers);
        let mut form = None;
        for (copy, before) in copies(self.unit, function) {
            let time = self.whole(copy, false, pointers);
            let is_worse = best.is_longer_than(&time);
            self.tell(function, before, &time, &best, is_worse);
            if is_worse {
                (best, form) = (time, Some((copy, before)));
            }
        }
        self.decided.insert(function.as_value_ref(), form);
        best
    }

    /// The time of one form of a function, with what it calls.
    fn whole(
        &mut self,
        function: FunctionValue<'static>,
        is_promoted: bool,
        pointers: &Pointers,
    ) -> Time {
        let (mut time, calls) = Time::new(self.unit, self.lowered, function, is_promoted, pointers);
        for call in calls {
            time.call(&self.time(call.callee, &call.pointers), call.often);
        }
        time
    }

    fn tell(
        &self,
        function: FunctionValue,
        before: Before,
        then: &Time,
        now: &Time,
        is_worse: bool,
    ) {
        let Some(first) = instructions(function).next() else {
            return;
        };
        let name = function.get_name().to_string_lossy();
        let ((pass, kept, changed), (stays, becomes)) = match before {
            Before::Inlining => (
                ("warpalloc-inline", "NotInlined", "Inlined"),
                (
                    format!("calls in '{name}' stay"),
                    format!("calls in '{name}' are inlined"),
                ),
            ),
            Before::Promotion => (
                ("warpalloc-promote", "NotPromoted", "Promoted"),
                (
                    format!("local variables of '{name}' stay in memory"),
                    format!("local variables of '{name}' become registers"),
                ),
            ),
        };
        if is_worse {
            let text = format!("{stays}: {then} would become {now}");
            remarks::missed(self.unit, pass, first, kept, &text);
        } else {
            let text = format!("{becomes}: {then} became {now}");
            remarks::passed(self.unit, pass, first, changed, &text);
        }
    }
}
