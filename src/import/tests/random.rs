//! Random functions go through the tables and come out the same; spoilt ones are
//! refused or allocated.

use super::generator::Problem;
use super::spoilt::cross_boundary;
use super::strategies::{cpu_problems, gpu_problems};
use super::tables::{FunctionTables, TargetTables};
use crate::import::{Imported, Target};
use passes::function::asynchronous::Asynchronous;
use passes::function::{Function, OperandRegister, Tuple};
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::machine::{Class, Register, gpu};
use proptest::prelude::*;
use std::fs;

fn import(target: &mut TargetTables, problem: &Problem) -> Imported {
    let mut function = FunctionTables::of(&problem.function, &problem.machine);
    // SAFETY: the tables point to arrays that are as long as their counts say.
    unsafe {
        let target = Target::new(&target.table()).unwrap();
        target.import(&function.table()).unwrap()
    }
}

/// The function as it should arrive: with LLVM's numbers of registers.
fn expected(mut function: Function, imported: &Function) -> Function {
    let renumber = |register: &mut Register| *register = Register::from_u32(register.as_u32() + 1);
    for operand in function.operands.values_mut() {
        if let OperandRegister::Physical(register) = &mut operand.register {
            renumber(register);
        }
    }
    for data in function.virtual_registers.values_mut() {
        data.hints.iter_mut().for_each(renumber);
    }
    for (block, data) in &mut function.blocks {
        data.live_in.iter_mut().for_each(renumber);
        // The tables' first terminator is the first instruction so flagged; the
        // generator may have closed the block before.
        data.first_terminator = imported.blocks[block].first_terminator;
    }
    function.name = "f".into();
    // Only a GPU's texts say where operands should lie.
    function.tuples.clear();
    function
}

/// The tuples that should arrive: those of whole registers of one width, each once,
/// aligned as the GPU of the tests has it.
fn expected_tuples(function: &Function) -> Vec<Tuple> {
    let hopper = StreamingMultiprocessor::nearest(90);
    let mut expected: Vec<Tuple> = Vec::new();
    for tuple in &function.tuples {
        let values = function.tuple_values(tuple);
        let widths = values.map(|(_, value)| gpu::columns(function.virtual_registers[value].class));
        let Some(widths) = widths.collect::<Option<Vec<u32>>>() else {
            continue;
        };
        let is_same =
            |one: &Tuple| one.instruction == tuple.instruction && one.places == tuple.places;
        let is_even = widths.iter().all(|width| *width == widths[0]);
        if widths.len() > 1 && is_even && !expected.iter().any(is_same) {
            let size = widths[0] * tuple.places.len() as u32;
            expected.push(Tuple {
                alignment: gpu::tuple_alignment(hopper, size, false),
                accumulator: false,
                ..tuple.clone()
            });
        }
    }
    expected
}

proptest! {
    #[test]
    fn cpu_functions_arrive_as_they_are(problem in cpu_problems()) {
        let mut target = TargetTables::of(&problem.machine.table);
        let imported = import(&mut target, &problem);
        let expected = expected(problem.function, &imported.input.function);
        prop_assert_eq!(imported.input.function, expected);
        prop_assert_eq!(imported.input.machine.classes.len(), problem.machine.classes.len());
    }

    #[test]
    fn gpu_functions_arrive_as_they_are(problem in gpu_problems(255..=255)) {
        let mut problem = problem;
        // LLVM knows neither the uniform registers nor halves nor hints.
        let known = |class: &Class| gpu::class_by_ptx_name(&problem.machine.classes[*class].name).is_some();
        let classes: Vec<Class> = problem.machine.classes.keys().filter(known).collect();
        problem.machine.classes = classes
            .into_iter()
            .map(|class| problem.machine.classes[class].clone())
            .collect();
        for data in problem.function.virtual_registers.values_mut() {
            data.hints.clear();
            data.class = gpu::ptx_class(data.class);
        }
        // The text alone says what is in flight, and these tables' texts do not.
        for data in problem.function.instructions.values_mut() {
            data.flags.remove(Asynchronous::new(data.flags).flags());
        }
        let imported = import(&mut TargetTables::gpu(), &problem);
        let tuples = expected_tuples(&problem.function);
        prop_assert_eq!(&imported.input.function.tuples, &tuples);
        prop_assert_eq!(imported.input.function.blocks.len(), problem.function.blocks.len());
        prop_assert_eq!(imported.input.function.kernel, problem.function.kernel);
        prop_assert_eq!(
            imported.input.function.instructions,
            problem.function.instructions
        );
        prop_assert_eq!(
            imported.input.function.virtual_registers,
            problem.function.virtual_registers
        );
        for (index, operand) in &problem.function.operands {
            prop_assert_eq!(imported.input.function.operands[index].register, operand.register);
        }
    }

    #[test]
    fn spoilt_tables_are_refused_or_allocated(
        bytes in prop::collection::vec(any::<u8>(), 0..800),
    ) {
        cross_boundary(&bytes);
    }
}

/// What the fuzzer has found.
#[test]
fn what_was_a_fault_is_none() {
    for file in fs::read_dir("fuzz/regressions/tables").unwrap() {
        cross_boundary(&fs::read(file.unwrap().path()).unwrap());
    }
}
