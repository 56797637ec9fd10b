//! ptxas' register classes, and the values of each in turn.
//!
//! The classes have numbers there: 0 is that of no file, for what may lie in several; 1 and 2
//! are R, 3 and 4 UR, 5 P and UP, 6 the accumulators of tensor cores. They are allocated one
//! after the other, from 1 to 6. Here the values of one class come together on the stack,
//! those of class 1 at its top; within a class their order stays. As no value of one class
//! interferes with one of another, registers change only by what copies between them prefer.
//! Time: that of sorting. Source: ptxas document, "register classes" and the entry point.

use crate::assign::attempt::Attempt;
use crate::assign::problem::Problem;
use crate::function::VirtualRegister;
use crate::machine::{Class, Machine};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::collections::BTreeMap;
use tracing::trace;

/// The number of the class that a file's values are of; those of a CPU's files have the
/// numbers behind ptxas'.
fn number(name: &str) -> Option<u32> {
    match name {
        "R" => Some(1),
        "UR" => Some(3),
        "P" | "UP" => Some(5),
        _ => None,
    }
}

/// The number of each class of registers.
fn numbers(machine: &Machine) -> PrimaryMap<Class, u32> {
    let own = |class| {
        let mut files = machine.files.iter();
        let found = files.find(|&(file, _)| machine.class_columns(file, class) > 0);
        found.map_or(0, |(file, data)| {
            number(&data.name).unwrap_or(7 + file.as_u32())
        })
    };
    machine.classes.keys().map(own).collect()
}

/// Puts the values of each class together, class 1 at the top of the stack, and announces
/// the classes that have any; what has nothing to colour is passed over.
pub fn in_turn(problem: &Problem, stack: &mut [VirtualRegister], attempt: Attempt) {
    let numbers = numbers(problem.machine);
    let class = |node: VirtualRegister| numbers[problem.class[node]];
    stack.sort_by_key(|&node| std::cmp::Reverse(class(node)));
    let mut values: BTreeMap<u32, u32> = BTreeMap::new();
    for &node in stack.iter() {
        *values.entry(class(node)).or_default() += 1;
    }
    let across = across_classes(problem);
    trace!(class = 0, values = across, %attempt, "register class");
    for (class, values) in values {
        trace!(class, values, %attempt, "register class");
    }
    let accumulators = accumulators(problem);
    trace!(class = 6, values = accumulators, %attempt, "register class");
}

/// The values that another class takes instead of memory, or that have been in another.
fn across_classes(problem: &Problem) -> usize {
    let registers = problem.function.virtual_registers.values();
    let classes = &problem.machine.classes;
    let goes_elsewhere = |class: Class| {
        let data = &classes[class];
        data.spill_through.is_some() || data.uniform.is_some()
    };
    registers.filter(|data| goes_elsewhere(data.class)).count()
}

/// The values that are accumulators: they lie in R, and are counted only.
fn accumulators(problem: &Problem) -> usize {
    let mut found: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    let tuples = problem.function.tuples.iter();
    for tuple in tuples.filter(|tuple| tuple.accumulator) {
        for (_, value) in problem.function.tuple_values(tuple) {
            found[value] = true;
        }
    }
    found.values().filter(|&&is| is).count()
}
