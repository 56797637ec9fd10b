//! Proptest's way to random problems.

use super::generator::{Problem, cpu_problem, gpu_problem};
use proptest::prelude::*;
use std::ops::RangeInclusive;

fn numbers() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..600)
}

/// Problems for a small CPU.
pub fn cpu_problems() -> impl Strategy<Value = Problem> {
    numbers().prop_map(|numbers| cpu_problem(&numbers))
}

/// Problems for the GPU with as many 32-bit registers.
pub fn gpu_problems(limits: RangeInclusive<u32>) -> impl Strategy<Value = Problem> {
    (limits, numbers()).prop_map(|(limit, numbers)| gpu_problem(limit, &numbers))
}
