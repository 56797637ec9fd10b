//! Properties that hold for all functions, tried on random ones.

mod generator;

use generator::{Problem, cpu_problems, gpu_problems};
use passes::allocate;
use passes::allocation::{Allocation, Edit, EditKind, Home, Position};
use passes::config::{Config, Pass};
use passes::error::Error;
use passes::function::{Function, Instruction, VirtualRegister, text};
use passes::machine::{Machine, gpu};
use passes::verify::verify;
use proptest::prelude::*;

/// With fewer 32-bit registers, the operands of one random instruction may not
/// fit: three quads and two more values beside them.
const ENOUGH: u32 = 24;

/// Checks all that must hold for an allocation.
fn check(function: &Function, machine: &Machine, allocation: &Allocation) {
    assert_eq!(verify(function, machine, allocation), Ok(()));
    for file in &allocation.statistics.files {
        assert!(file.maxlive <= file.budget, "{file:?}");
        assert!(file.used <= file.budget, "{file:?}");
    }
    let places: Vec<_> = allocation.edits.iter().map(|edit| place(edit.at)).collect();
    assert!(places.is_sorted(), "the edits are not in program order");
    let blocks = function.instruction_blocks();
    for edit in &allocation.edits {
        check_bounds(function, allocation, edit);
        let (instruction, after) = place(edit.at);
        let added = !matches!(edit.kind, EditKind::Rename { .. } | EditKind::DeleteCopy);
        let end = function.blocks[blocks[instruction.as_u32() as usize]].first_terminator;
        let allowed = instruction.as_u32() + u32::from(after) <= end;
        assert!(
            !added || allowed,
            "{edit:?} is after the last place for code"
        );
    }
}

/// The instruction and whether it is after it.
fn place(at: Position) -> (Instruction, bool) {
    match at {
        Position::Before(instruction) => (instruction, false),
        Position::After(instruction) => (instruction, true),
    }
}

fn check_bounds(function: &Function, allocation: &Allocation, edit: &Edit) {
    let (instruction, _) = place(edit.at);
    assert!(function.instructions.is_valid(instruction), "{edit:?}");
    let values = function.virtual_registers.len() + allocation.created.len();
    let value = |value: VirtualRegister| {
        assert!((value.as_u32() as usize) < values, "{edit:?}");
        let home = allocation.homes[value];
        assert!(
            matches!(home, Home::Register(_)),
            "{edit:?} of a value in {home:?}"
        );
    };
    match edit.kind {
        EditKind::Rename { operand, to } => {
            let operands = &function.instructions[instruction].operands;
            assert!(operands.contains(&operand.as_u32()), "{edit:?}");
            value(to);
        }
        EditKind::Store { value: one, slot } | EditKind::Reload { value: one, slot } => {
            assert!(allocation.slots.is_valid(slot), "{edit:?}");
            value(one);
        }
        EditKind::Widen { to, from } | EditKind::Narrow { to, from } => {
            value(to);
            value(from);
        }
        EditKind::DeleteCopy => {
            assert!(function.copy_operands(instruction).is_some(), "{edit:?}");
        }
    }
}

/// Settings that take different ways through the allocator.
fn configs() -> impl Strategy<Value = Config> {
    let disabled = prop::sample::subsequence(
        vec![Pass::Coalesce, Pass::OptimisticCoalesce, Pass::Hints],
        0..=3,
    );
    let factor = prop::sample::select(vec![1.0, 0.8]);
    (disabled, factor, any::<bool>()).prop_map(|(disabled, coalescing_factor, join)| Config {
        coalescing_factor,
        disabled: disabled.into_iter().collect(),
        rename_joined: join,
        ..Config::default()
    })
}

/// Allocates and checks; `tight` if the registers may not suffice.
fn allocate_and_check(problem: &Problem, config: &Config, tight: bool) {
    let Problem { machine, function } = problem;
    let allocation = match allocate(function, machine, config) {
        Ok(allocation) => allocation,
        Err(Error::BudgetTooSmall { .. } | Error::OutOfRegisters { .. }) if tight => return,
        Err(error) => panic!("{error}"),
    };
    check(function, machine, &allocation);
    let again = allocate(function, machine, config);
    assert_eq!(
        again,
        Ok(allocation),
        "the result must depend on nothing else"
    );
}

/// Printing and reading again changes nothing, not even the allocation.
fn replay(problem: &Problem, config: &Config) {
    let Problem { machine, function } = problem;
    let (read_machine, read_function) = text::parse(&text::print(machine, function)).unwrap();
    let original = allocate(function, machine, config);
    let replayed = allocate(&read_function, &read_machine, config);
    match (original, replayed) {
        (Ok(original), Ok(replayed)) => {
            assert_eq!(
                text::listing(machine, function, &original),
                text::listing(&read_machine, &read_function, &replayed)
            );
            assert_eq!(original.edits, replayed.edits);
            assert_eq!(original.statistics, replayed.statistics);
        }
        (original, replayed) => assert_eq!(original, replayed),
    }
}

proptest! {
    #[test]
    fn random_functions_are_valid(gpu in gpu_problems(1..=64), cpu in cpu_problems()) {
        prop_assert_eq!(gpu.function.validate(&gpu.machine), Ok(()));
        prop_assert_eq!(cpu.function.validate(&cpu.machine), Ok(()));
    }

    #[test]
    fn gpu_text_reads_back_equal(problem in gpu_problems(1..=255)) {
        let printed = text::print(&problem.machine, &problem.function);
        let read = text::parse(&printed);
        prop_assert_eq!(read, Ok((problem.machine, problem.function)));
    }

    #[test]
    fn cpu_text_reads_back_equal(problem in cpu_problems()) {
        let printed = text::print(&problem.machine, &problem.function);
        let read = text::parse(&printed).unwrap();
        // Registers without a use are left out by the first print only.
        let printed_again = text::print(&read.0, &read.1);
        prop_assert_eq!(&printed_again, &printed);
        prop_assert_eq!(text::parse(&printed_again), Ok(read));
    }

    #[test]
    fn gpu_functions_are_allocated(
        problem in gpu_problems(ENOUGH..=32),
        config in configs(),
    ) {
        allocate_and_check(&problem, &config, false);
    }

    #[test]
    fn gpu_functions_are_allocated_within_a_limit(
        problem in gpu_problems(255..=255),
        limit in 4u32..=64,
        config in configs(),
    ) {
        let config = Config { pressure_limit: Some(limit), ..config };
        let Problem { function, machine } = &problem;
        match allocate(function, machine, &config) {
            Ok(allocation) => check(function, &gpu::machine(limit), &allocation),
            Err(Error::BudgetTooSmall { .. } | Error::OutOfRegisters { .. }) if limit < ENOUGH => {}
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn small_budgets_give_an_allocation_or_an_error(
        problem in gpu_problems(1..=ENOUGH),
        config in configs(),
    ) {
        allocate_and_check(&problem, &config, true);
    }

    #[test]
    fn cpu_functions_are_allocated(problem in cpu_problems(), config in configs()) {
        allocate_and_check(&problem, &config, false);
    }

    #[test]
    fn a_dump_gives_the_same_allocation(
        gpu in gpu_problems(ENOUGH..=64),
        cpu in cpu_problems(),
        config in configs(),
    ) {
        replay(&gpu, &config);
        replay(&cpu, &config);
    }
}
