//! What must hold for every allocation, for property tests and for fuzzing.

use crate::generator::{Problem, cpu_problem, gpu_problem};
use passes::allocate;
use passes::allocation::{Allocation, Edit, EditKind, Location, Position};
use passes::error::Error;
use passes::function::{Function, Instruction, InstructionFlags, OperandFlags, VirtualRegister};
use passes::machine::{Machine, gpu};
use passes::settings::{Order, Pass, Profile, Select, Settings};
use passes::verify::verify;
use std::collections::BTreeSet;

/// With fewer 32-bit registers, the operands of one random instruction may not
/// fit: three quads and two more values beside them.
pub const ENOUGH: u32 = 24;

/// [`ENOUGH`] for a function. A value in flight is neither spilled nor moved, so that each
/// may keep two registers from wide values.
pub fn enough(function: &Function) -> u32 {
    let operands = function.operands.values();
    let in_flight = operands.filter(|one| one.flags.contains(OperandFlags::IN_FLIGHT));
    let values: BTreeSet<_> = in_flight.filter_map(|one| one.virtual_register()).collect();
    ENOUGH + 2 * values.len() as u32
}

/// Checks all that must hold for an allocation.
pub fn check(function: &Function, machine: &Machine, allocation: &Allocation) {
    let machine = &*allocation.machine(machine);
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
        let added = !matches!(
            edit.kind,
            EditKind::Rename { .. }
                | EditKind::Fold { .. }
                | EditKind::DeleteCopy
                | EditKind::DeleteDefinition
        );
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
        let location = allocation.locations[value];
        assert!(
            matches!(location, Location::Register(_)),
            "{edit:?} of a value in {location:?}"
        );
    };
    match edit.kind {
        EditKind::Rename { operand, to } => {
            let operands = &function.instructions[instruction].operands;
            assert!(operands.contains(&operand.as_u32()), "{edit:?}");
            value(to);
        }
        EditKind::Fold { operand, slot } => {
            let operands = &function.instructions[instruction].operands;
            assert!(operands.contains(&operand.as_u32()), "{edit:?}");
            let flags = function.operands[operand].flags;
            assert!(flags.contains(OperandFlags::FOLDABLE), "{edit:?}");
            assert!(allocation.slots.is_valid(slot), "{edit:?}");
        }
        EditKind::FoldLoad { operand, from } => {
            let operands = &function.instructions[instruction].operands;
            assert!(operands.contains(&operand.as_u32()), "{edit:?}");
            let flags = function.operands[operand].flags;
            assert!(flags.contains(OperandFlags::LOADABLE), "{edit:?}");
            assert!(function.instructions.is_valid(from), "{edit:?}");
        }
        EditKind::Store { value: one, slot } | EditKind::Reload { value: one, slot } => {
            assert!(allocation.slots.is_valid(slot), "{edit:?}");
            value(one);
        }
        EditKind::Widen { to, from }
        | EditKind::Narrow { to, from }
        | EditKind::Move { to, from } => {
            value(to);
            value(from);
        }
        EditKind::Rematerialise {
            value: one,
            from,
            sources,
        } => {
            assert!(function.instructions.is_valid(from), "{edit:?}");
            value(one);
            let reads = function.instruction_operands(from).len() - 1;
            assert_eq!(sources.iter().map(value).count(), reads, "{edit:?}");
        }
        EditKind::DeleteDefinition => {
            let definition = &function.instructions[instruction];
            let flag = InstructionFlags::REMATERIALISABLE;
            assert!(definition.flags.contains(flag), "{edit:?}");
        }
        EditKind::DeleteCopy => {
            assert!(function.copy_operands(instruction).is_some(), "{edit:?}");
        }
    }
}

/// Allocates and checks; `tight` if the registers may not suffice.
pub fn allocate_and_check(problem: &Problem, settings: &Settings, tight: bool) {
    let Problem { machine, function } = problem;
    let allocation = match allocate(function, machine, settings) {
        Ok(allocation) => allocation,
        Err(Error::BudgetTooSmall { .. } | Error::OutOfRegisters { .. }) if tight => return,
        Err(error) => panic!("{error}"),
    };
    check(function, machine, &allocation);
    let again = allocate(function, machine, settings);
    assert_eq!(
        again,
        Ok(allocation),
        "the result must depend on nothing else"
    );
}

/// Builds a problem and settings out of bytes, then allocates and checks.
pub fn random_problem(bytes: &[u8]) {
    let Some((&[choices, ways, limit], rest)) = bytes.split_first_chunk() else {
        return;
    };
    let passes = [Pass::Coalesce, Pass::OptimisticCoalesce, Pass::Hints];
    let settings = Settings {
        disabled: (0..3)
            .filter(|bit| choices >> bit & 1 != 0)
            .map(|bit| passes[bit])
            .collect(),
        coalescing_factor: if choices & 8 == 0 { 1.0 } else { 0.8 },
        rename_joined: choices & 16 != 0,
        select: match choices & 64 == 0 {
            true => Select::Graph,
            false => Select::FatPoint,
        },
        order: match choices & 128 == 0 {
            true => None,
            false => Some(Order::Lists),
        },
        ..[Profile::Auto, Profile::Ptxas, Profile::Cicc][usize::from(ways % 3)].settings(None)
    };
    let numbers: Vec<u32> = rest.iter().map(|&byte| byte.into()).collect();
    let (problem, tight) = match choices & 32 == 0 {
        true => (cpu_problem(&numbers), false),
        false => {
            let limit = u32::from(limit).clamp(1, gpu::R_SIZE);
            let problem = gpu_problem(limit, &numbers);
            let tight = limit < enough(&problem.function);
            (problem, tight)
        }
    };
    assert_eq!(problem.function.validate(&problem.machine), Ok(()));
    allocate_and_check(&problem, &settings, tight);
}
