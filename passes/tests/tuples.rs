//! Tuples: where their values end up, that nothing else pays for it, and that the
//! moves in the statistics are those that somebody else counts.

mod generator;
mod strategies;

use generator::Problem;
use passes::allocate;
use passes::allocation::{Allocation, EditKind, Location, Position};
use passes::function::{
    Function, FunctionBuilder, InstructionKind, Operand, OperandRegister, Tuple, VirtualRegister,
};
use passes::machine::{Class, Machine, gpu};
use passes::settings::{Pass, Select, Settings};
use proptest::prelude::*;
use std::collections::BTreeMap;
use strategies::{cpu_problems, gpu_problems};

const SELECTS: [Select; 2] = [Select::Graph, Select::FatPoint];

fn settings(select: Select, tuples: bool) -> Settings {
    let settings = Settings {
        select,
        verify: true,
        // How far reloads move up depends on the registers that are free, which tuples change.
        disabled: [Pass::EarlyReloads].into(),
        ..Settings::default()
    };
    if tuples {
        settings
    } else {
        settings.without(Pass::Tuples)
    }
}

/// The values that are not in their places of the best run of their tuple, found by
/// trying every run of every file.
fn moves_again(function: &Function, machine: &Machine, allocation: &Allocation) -> u32 {
    let mut names = BTreeMap::new();
    let mut deleted = Vec::new();
    for edit in &allocation.edits {
        match (edit.kind, edit.at) {
            (EditKind::Rename { operand, to }, _) => _ = names.insert(operand.as_u32(), to),
            (EditKind::DeleteDefinition, Position::Before(at)) => deleted.push(at),
            _ => {}
        }
    }
    let mut sum = 0;
    for tuple in &function.tuples {
        if deleted.contains(&tuple.instruction) {
            continue;
        }
        let operands = &function.instructions[tuple.instruction].operands;
        let columns = |file, number: u16| -> Vec<u32> {
            let number = operands.start + u32::from(number);
            let operand = function.operands.as_values_slice()[number as usize];
            let OperandRegister::Virtual(own) = operand.register else {
                return Vec::new();
            };
            let Location::Register(register) =
                allocation.locations[*names.get(&number).unwrap_or(&own)]
            else {
                return Vec::new();
            };
            let columns = machine.columns(file, register).into_iter();
            columns.map(|(column, _)| u32::from(column)).collect()
        };
        let named = tuple.places.iter().flatten().count() as u32;
        let mut best = 0;
        for (file, data) in &machine.files {
            let mut widths = tuple
                .places
                .iter()
                .flatten()
                .map(|&n| columns(file, n).len() as u32);
            let width = widths.find(|&width| width > 0).unwrap_or(1);
            let length = tuple.places.len() as u32 * width;
            for base in (0..data.size).step_by(tuple.alignment as usize) {
                if base + length > data.size {
                    break;
                }
                let in_place = |(place, number): (usize, &Option<u16>)| {
                    let first = base + place as u32 * width;
                    number.is_some_and(|number| {
                        columns(file, number) == (first..first + width).collect::<Vec<_>>()
                    })
                };
                let count = tuple
                    .places
                    .iter()
                    .enumerate()
                    .filter(|&one| in_place(one))
                    .count();
                best = best.max(count as u32);
            }
        }
        sum += named - best;
    }
    sum
}

fn used(allocation: &Allocation, file: &str) -> u32 {
    let mut files = allocation.statistics.files.iter();
    files.find(|one| one.name == file).map_or(0, |one| one.used)
}

/// Executions of the copies that are left.
fn copies(function: &Function, allocation: &Allocation) -> f64 {
    let mut sum = 0.0;
    for (block, data) in &function.blocks {
        for instruction in function.block_instructions(block) {
            let is_deleted = allocation.edits.iter().any(|edit| {
                edit.kind == EditKind::DeleteCopy && edit.at == Position::Before(instruction)
            });
            let is_copy = function.instructions[instruction].kind == InstructionKind::Copy;
            sum += if is_copy && !is_deleted {
                data.frequency
            } else {
                0.0
            };
        }
    }
    sum
}

/// A function of one block in the making.
struct Code {
    builder: FunctionBuilder,
    values: Vec<VirtualRegister>,
}

impl Code {
    /// Values of one class, all defined one by one in this order of their numbers.
    fn new(class: Class, count: usize, defined: impl IntoIterator<Item = usize>) -> Self {
        let mut builder = FunctionBuilder::new("f");
        let values: Vec<_> = (0..count)
            .map(|_| builder.virtual_register(class))
            .collect();
        builder.start_block(1.0, 0, &[]);
        for value in defined {
            builder.plain(&[Operand::write(values[value])]);
        }
        Self { builder, values }
    }

    /// An instruction that reads a tuple of these.
    fn read(&mut self, alignment: u32, values: &[usize]) {
        let operands: Vec<_> = values
            .iter()
            .map(|&one| Operand::read(self.values[one]))
            .collect();
        let instruction = self.builder.plain(&operands);
        self.builder.tuple(Tuple {
            instruction,
            places: (0..values.len() as u16).map(Some).collect(),
            alignment,
            accumulator: false,
        });
    }

    /// The moves without and with placement, in a machine with so many registers, by
    /// select.
    fn moves(self, registers: u32) -> [[u32; 2]; 2] {
        let function = self.builder.finish();
        let machine = gpu::machine(registers);
        SELECTS.map(|select| {
            let [without, with] = [false, true].map(|tuples| {
                let settings = settings(select, tuples);
                let allocation = allocate(&function, &machine, &settings).unwrap();
                assert_eq!(allocation.statistics.spilled, 0);
                let moves = allocation.statistics.tuple_moves.unwrap();
                assert_eq!(moves, moves_again(&function, &machine, &allocation));
                (moves, used(&allocation, "R"))
            });
            assert!(with.1 <= without.1, "a register more");
            [without.0, with.0]
        })
    }
}

#[test]
fn pairs_lie_side_by_side() {
    let mut code = Code::new(gpu::SINGLE32, 4, [0, 2, 3, 1]);
    code.read(2, &[0, 1]);
    code.read(2, &[3, 2]);
    for [without, with] in code.moves(8) {
        assert!(without > 0);
        assert_eq!(with, 0);
    }
}

#[test]
fn quads_lie_side_by_side() {
    let mut code = Code::new(gpu::SINGLE32, 8, [7, 1, 3, 5, 2, 4, 0, 6]);
    code.read(4, &[6, 1, 4, 3]);
    code.read(4, &[0, 5, 2, 7]);
    for [without, with] in code.moves(8) {
        assert!(without > 0);
        assert_eq!(with, 0);
    }
}

#[test]
fn two_values_of_64_bits_take_four_registers() {
    let mut code = Code::new(gpu::PAIR, 4, [2, 1, 0, 3]);
    code.read(4, &[3, 0]);
    code.read(4, &[1, 2]);
    for [without, with] in code.moves(8) {
        assert!(without > 0);
        assert_eq!(with, 0);
    }
}

#[test]
fn eight_are_aligned_to_eight() {
    let order = [8, 7, 1, 3, 9, 5, 2, 4, 0, 6, 10, 11];
    let mut code = Code::new(gpu::SINGLE32, 12, order);
    code.read(8, &[11, 3, 2, 9, 4, 0, 6, 7]);
    code.read(4, &[8, 5, 10, 1]);
    for [without, with] in code.moves(16) {
        assert!(without > 0);
        assert_eq!(with, 0);
    }
}

#[test]
fn a_second_tuple_builds_on_the_first() {
    let mut code = Code::new(gpu::SINGLE32, 4, [3, 1, 2, 0]);
    code.read(4, &[0, 1, 2, 3]);
    code.read(2, &[2, 3]);
    for [_, with] in code.moves(8) {
        assert_eq!(with, 0);
    }
}

#[test]
fn where_two_tuples_disagree_the_larger_wins() {
    let mut code = Code::new(gpu::SINGLE32, 4, [3, 1, 2, 0]);
    code.read(2, &[1, 2]);
    code.read(4, &[0, 1, 2, 3]);
    for [_, with] in code.moves(8) {
        // Neither value of R1 and R2 is in its place of an aligned pair.
        assert_eq!(with, 2);
    }
}

#[test]
fn one_value_is_in_one_place() {
    let mut code = Code::new(gpu::SINGLE32, 4, [0, 1, 2, 3]);
    code.read(4, &[0, 0, 1, 0]);
    let others = [2, 3].map(|one| Operand::read(code.values[one]));
    code.builder.plain(&others);
    for [_, with] in code.moves(8) {
        assert_eq!(with, 2);
    }
}

/// Two overlapping tuples of three, and registers for no more than what is alive.
#[test]
fn without_room_the_values_are_coloured_one_by_one() {
    let mut code = Code::new(gpu::SINGLE32, 5, [4, 0, 2, 1, 3]);
    code.read(4, &[0, 1, 2]);
    code.read(4, &[2, 3, 4]);
    for [without, with] in code.moves(5) {
        assert!(with > 0);
        assert!(with <= without);
    }
}

/// Allocates with and without placement, and compares.
fn compare(problem: &Problem, select: Select) {
    let Problem { machine, function } = problem;
    let [without, with] =
        [false, true].map(|tuples| allocate(function, machine, &settings(select, tuples)));
    let (Ok(without), Ok(with)) = (&without, &with) else {
        assert_eq!(without.is_ok(), with.is_ok());
        return;
    };
    for allocation in [without, with] {
        if let Some(moves) = allocation.statistics.tuple_moves {
            assert_eq!(moves, moves_again(function, machine, allocation));
        }
    }
    assert!(used(with, "R") <= used(without, "R").next_multiple_of(2));
    assert_eq!(with.statistics.spilled, without.statistics.spilled);
    assert_eq!(with.statistics.spill_cost, without.statistics.spill_cost);
    assert!(copies(function, with) <= copies(function, without));
}

proptest! {
    #[test]
    fn nothing_else_pays_for_tuples(
        gpu in gpu_problems(8..=64),
        cpu in cpu_problems(),
        select in prop::sample::select(SELECTS.to_vec()),
    ) {
        compare(&gpu, select);
        compare(&cpu, select);
    }
}
