//! Proptest's way to random problems.

mod reversed;

use super::generator::{Problem, cpu_problem, gpu_problem};
use passes::function::InstructionFlags;
use proptest::prelude::*;
use reversed::reversed;
use std::ops::RangeInclusive;

fn numbers() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..600)
}

/// Problems for a small CPU, some with their blocks in another order.
pub fn cpu_problems() -> impl Strategy<Value = Problem> {
    let all = (numbers(), any::<bool>());
    all.prop_map(|(numbers, turn)| turned(cpu_problem(&numbers), turn))
}

/// Problems for the GPU with as many 32-bit registers; some are kernels with uniform
/// values, and some have their blocks in another order.
pub fn gpu_problems(limits: RangeInclusive<u32>) -> impl Strategy<Value = Problem> {
    let all = (limits, numbers(), any::<bool>(), any::<bool>());
    all.prop_map(|(limit, numbers, kernel, turn)| {
        let mut problem = turned(gpu_problem(limit, &numbers), turn);
        if kernel {
            make_kernel(&mut problem, &numbers);
        }
        problem
    })
}

fn turned(problem: Problem, turn: bool) -> Problem {
    match turn {
        true => Problem {
            function: reversed(&problem.function),
            ..problem
        },
        false => problem,
    }
}

/// Most instructions can be executed on the uniform path, some are divergent.
fn make_kernel(problem: &mut Problem, numbers: &[u32]) {
    use InstructionFlags as Flags;
    problem.function.kernel = true;
    let mut numbers = numbers.iter().cycle();
    for data in problem.function.instructions.values_mut() {
        data.flags |= match numbers.next().map_or(0, |number| number >> 16) % 16 {
            0..9 => Flags::UNIFORM_PATH | Flags::UNIFORM_SOURCE,
            9..12 => Flags::UNIFORM_PATH,
            12..14 => Flags::UNIFORM_SOURCE,
            14 => Flags::empty(),
            _ => Flags::DIVERGENT,
        };
    }
}
