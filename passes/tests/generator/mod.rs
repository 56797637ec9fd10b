//! Random allocation problems for property tests and for fuzzing.
//!
//! A problem is built from a list of random numbers, each of which decides one
//! thing; when the list is used up, every further decision takes the simplest
//! way. So proptest finds small failing problems by shortening the list.
//!
//! The functions are valid: every block can be reached from the entry, and every
//! value is defined on all paths to its uses.

mod asynchronous;
mod code;
mod control_flow;
mod cpu;
mod statements;
mod terminators;

pub use cpu::cpu_machine;

use passes::function::{Function, text};
use passes::machine::{Machine, gpu};
use std::fmt;

/// A machine and a function for it. Its debug form is the text format, so
/// that a failing one can be saved and replayed.
pub struct Problem {
    pub machine: Machine,
    pub function: Function,
}

impl fmt::Debug for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "\n{}",
            text::print(&self.machine, &self.function)
        )
    }
}

/// A list of decisions.
pub struct Choices<'a> {
    rest: std::slice::Iter<'a, u32>,
}

impl<'a> Choices<'a> {
    pub fn new(numbers: &'a [u32]) -> Self {
        Self {
            rest: numbers.iter(),
        }
    }

    /// One of `0..count`; 0 when no decisions are left.
    pub fn below(&mut self, count: usize) -> usize {
        let number = self.rest.next().copied().unwrap_or(0);
        number as usize % count.max(1)
    }

    /// True once in `count` times; never when no decisions are left.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    /// One of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A problem for a small CPU with 6 to 10 registers.
pub fn cpu_problem(numbers: &[u32]) -> Problem {
    let mut choices = Choices::new(numbers);
    let machine = cpu_machine(6 + choices.below(5) as u32);
    let function = code::function(&machine, &code::Target::Cpu, &mut choices);
    Problem { machine, function }
}

/// A problem for the GPU with `limit` 32-bit registers.
pub fn gpu_problem(limit: u32, numbers: &[u32]) -> Problem {
    let machine = gpu::machine(limit);
    let target = match limit {
        // The widest classes have no registers below.
        0..2 => code::Target::Gpu { widest: 1 },
        2..4 => code::Target::Gpu { widest: 2 },
        _ => code::Target::Gpu { widest: 4 },
    };
    let function = code::function(&machine, &target, &mut Choices::new(numbers));
    Problem { machine, function }
}
