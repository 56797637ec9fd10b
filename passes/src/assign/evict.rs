//! Room for a value that cannot be spilled.
//!
//! Spill code leaves ranges of one or two instructions that need a register at
//! any price. Such a value takes the register whose occupants are cheapest to
//! spill. Where another such value is in the way, that one is moved first, to a
//! bounded depth (LLVM's greedy allocator calls it last-chance recolouring).
//! Time: registers of a class to the power of the depth, but no more than
//! [`BUDGET`] arrangements; mostly the first level answers.

use super::colouring::Assignments;
use super::problem::Problem;
use crate::error::Error;
use crate::function::{Function, Instruction, VirtualRegister};
use crate::machine::{Machine, Register};

/// How many values may have to move for one another.
const DEPTH: u32 = 5;
/// How many arrangements are tried before giving up.
const BUDGET: u32 = 20_000;

/// Colours a value that may not be spilled; what it evicts has failed.
///
/// # Errors
/// If the values that may not be spilled do not fit.
pub fn make_room(
    problem: &Problem,
    state: &mut impl Assignments,
    value: VirtualRegister,
) -> Result<(), Error> {
    let mut search = Search {
        problem,
        state,
        fixed: vec![value],
        changes: Vec::new(),
        budget: BUDGET,
    };
    if search.place(value, DEPTH) {
        return Ok(());
    }
    Err(out_of_registers(problem.function, problem.machine, value))
}

/// The register whose occupants are all spillable and cost least.
fn cheapest(
    problem: &Problem,
    state: &impl Assignments,
    value: VirtualRegister,
) -> Option<(Register, Vec<VirtualRegister>)> {
    let class = problem.function.virtual_registers[value].class;
    let mut best: Option<(f64, Register, Vec<VirtualRegister>)> = None;
    for &register in &problem.machine.classes[class].order {
        if !problem.suits_value(register, value) {
            continue;
        }
        let victims = state.occupants(value, register);
        if victims.iter().any(|&victim| problem.minimal[victim]) {
            continue;
        }
        let cost = victims.iter().map(|&victim| problem.costs[victim]).sum();
        if best.as_ref().is_none_or(|(least, _, _)| cost < *least) {
            best = Some((cost, register, victims));
        }
    }
    best.map(|(_, register, victims)| (register, victims))
}

/// Looks for an arrangement of values that may not be spilled.
struct Search<'a, A> {
    problem: &'a Problem<'a>,
    state: &'a mut A,
    /// Values that are being placed and must not be moved again.
    fixed: Vec<VirtualRegister>,
    /// Registers as they were before each change, to take it back.
    changes: Vec<(VirtualRegister, Option<Register>)>,
    budget: u32,
}

impl<A: Assignments> Search<'_, A> {
    /// Finds a register for the value, moving others; undone if it fails.
    fn place(&mut self, value: VirtualRegister, depth: u32) -> bool {
        if let Some((register, victims)) = cheapest(self.problem, self.state, value) {
            for victim in victims {
                self.fail(victim);
            }
            self.set(value, Some(register));
            return true;
        }
        if depth == 0 {
            return false;
        }
        let class = self.problem.function.virtual_registers[value].class;
        for &register in &self.problem.machine.classes[class].order {
            self.budget = self.budget.saturating_sub(1);
            if self.budget == 0 {
                return false;
            }
            if self.problem.suits_value(register, value) && self.take(value, register, depth) {
                return true;
            }
        }
        false
    }

    /// Gives the value this register and finds others for its occupants.
    fn take(&mut self, value: VirtualRegister, register: Register, depth: u32) -> bool {
        let occupants = self.state.occupants(value, register);
        let is_fixed = |occupant| self.fixed.contains(occupant);
        if occupants.iter().any(is_fixed) {
            return false;
        }
        let changes = self.changes.len();
        let failures = self.state.colouring().failed().len();
        let fixed = self.fixed.len();
        for &occupant in &occupants {
            self.set(occupant, None);
        }
        self.set(value, Some(register));
        self.fixed.extend(&occupants);
        for occupant in occupants {
            if !self.problem.minimal[occupant] {
                self.fail(occupant);
            } else if !self.place(occupant, depth - 1) {
                self.undo(changes, failures);
                self.fixed.truncate(fixed);
                return false;
            }
        }
        true
    }

    fn set(&mut self, value: VirtualRegister, register: Option<Register>) {
        let before = self.state.colouring().register(value);
        self.changes.push((value, before));
        self.state.set(value, register);
    }

    fn fail(&mut self, value: VirtualRegister) {
        let before = self.state.colouring().register(value);
        self.changes.push((value, before));
        self.state.fail(value);
    }

    /// Takes back all changes and failures but the first so many.
    fn undo(&mut self, changes: usize, failures: usize) {
        for (value, before) in self.changes.drain(changes..).rev() {
            self.state.set(value, before);
        }
        self.state.forget_failures(failures);
    }
}

/// Says which value has no place, and where.
pub fn out_of_registers(function: &Function, machine: &Machine, value: VirtualRegister) -> Error {
    let names = |instruction: &Instruction| {
        let operands = function.instruction_operands(*instruction);
        operands.iter().any(|o| o.virtual_register() == Some(value))
    };
    let instruction = function.instructions.keys().find(names);
    Error::OutOfRegisters {
        class: machine.classes[function.virtual_registers[value].class]
            .name
            .clone(),
        value: value.to_string(),
        instruction: instruction.map_or(0, |instruction| instruction.as_u32()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::assign::colouring::{Colouring, Surroundings};
    use crate::assign::groups::Member;
    use crate::assign::problem::Target;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::{Class, ClassData, gpu};

    /// A colouring of values that are all live together.
    struct Together<'a> {
        machine: &'a Machine,
        values: Vec<VirtualRegister>,
        colouring: Colouring,
    }

    impl Assignments for Together<'_> {
        fn colouring(&self) -> &Colouring {
            &self.colouring
        }

        fn colouring_mut(&mut self) -> &mut Colouring {
            &mut self.colouring
        }

        fn set(&mut self, value: VirtualRegister, register: Option<Register>) {
            self.colouring.set(value, register);
        }

        fn occupants(&self, value: VirtualRegister, register: Register) -> Vec<VirtualRegister> {
            let overlaps = |other| self.machine.alias(register, other);
            let others = self.values.iter().filter(|&&other| other != value);
            others
                .filter(|&&other| self.colouring.register(other).is_some_and(overlaps))
                .copied()
                .collect()
        }

        fn surroundings<'a>(&self, _: &'a [Member]) -> Surroundings<'a> {
            unreachable!("nothing here chooses freely")
        }

        fn is_free(&self, _: Register, _: &Surroundings) -> bool {
            unreachable!("nothing here chooses freely")
        }
    }

    /// What a value costs that may not be spilled.
    const DEAR: f64 = f64::INFINITY;

    /// Makes room for the last value, where the others have their registers: each
    /// has a class, a cost, and the number of its register in the class's order.
    /// Gives the numbers of all registers, and of the values that failed.
    fn room(
        machine: &Machine,
        others: &[(Class, f64, usize)],
        class: Class,
    ) -> (Vec<Option<usize>>, Vec<u32>, Result<(), Error>) {
        let mut builder = FunctionBuilder::new("f");
        let classes: Vec<_> = others.iter().map(|other| other.0).chain([class]).collect();
        let values: Vec<_> = classes
            .iter()
            .map(|&class| builder.virtual_register(class))
            .collect();
        builder.start_block(1.0, 0, &[]);
        for &value in &values {
            builder.plain(&[Operand::write(value)]);
        }
        let function = builder.finish();
        let target = Target::new(machine);
        let liveness = Liveness::new(&function, machine);
        let costs = others.iter().map(|other| other.1).chain([DEAR]).collect();
        let mut problem = Problem::new(&function, &target, &liveness, costs);
        let mut state = Together {
            machine,
            values: values.clone(),
            colouring: Colouring::new(&function),
        };
        for (&value, &(class, _, number)) in values.iter().zip(others) {
            state.set(value, Some(machine.classes[class].order[number]));
        }
        for &value in &values {
            problem.minimal[value] = problem.costs[value] == DEAR;
        }
        let result = make_room(&problem, &mut state, values[others.len()]);
        let number = |(&value, &class): (&VirtualRegister, &Class)| {
            let register = state.colouring.register(value)?;
            let order = &machine.classes[class].order;
            order.iter().position(|&one| one == register)
        };
        let registers = values.iter().zip(&classes).map(number).collect();
        let failed = state.colouring.failed().iter();
        (
            registers,
            failed.map(|value| value.as_u32()).collect(),
            result,
        )
    }

    /// A GPU with so many registers, two to a pair.
    fn machine(singles: usize, pairs: usize) -> Machine {
        let mut machine = gpu::machine(16);
        machine.classes[gpu::SINGLE32].order.truncate(singles);
        machine.classes[gpu::PAIR].order.truncate(pairs);
        machine
    }

    #[test]
    fn the_cheapest_occupants_go() {
        let machine = machine(4, 2);
        for (costs, register) in [
            ([5.0, 3.0, 4.0, 6.0], 1),
            ([3.0, 3.0, 4.0, 6.0], 0),
            ([DEAR, 3.0, 2.0, DEAR], 2),
        ] {
            let others = [0, 1, 2, 3].map(|number| (gpu::SINGLE32, costs[number], number));
            let (registers, failed, result) = room(&machine, &others, gpu::SINGLE32);
            assert!(result.is_ok());
            assert_eq!(registers[4], Some(register));
            assert_eq!(registers[register], None);
            assert_eq!(failed, [register as u32]);
        }
        // A pair needs both of its halves.
        let others = [(0, 1.0), (1, 9.0), (2, 4.0), (3, 4.0)];
        let others = others.map(|(number, cost)| (gpu::SINGLE32, cost, number));
        let (registers, failed, _) = room(&machine, &others, gpu::PAIR);
        assert_eq!(registers, [Some(0), Some(1), None, None, Some(1)]);
        assert_eq!(failed, [2, 3]);
    }

    #[test]
    fn what_may_not_be_spilled_moves() {
        let others = [
            (gpu::SINGLE32, DEAR, 0),
            (gpu::SINGLE32, 1.0, 1),
            (gpu::SINGLE32, DEAR, 2),
        ];
        let (registers, failed, result) = room(&machine(4, 2), &others, gpu::PAIR);
        assert!(result.is_ok());
        assert_eq!(registers, [Some(3), None, Some(2), Some(0)]);
        assert_eq!(failed, [1]);
    }

    /// R0's value cannot move, so what R1's suffered for it is taken back.
    #[test]
    fn a_failed_attempt_is_undone() {
        let mut machine = machine(5, 2);
        machine.classes[gpu::SINGLE16].order.truncate(2);
        let others = [
            (gpu::SINGLE32, 1.0, 1),
            (gpu::SINGLE16, DEAR, 0),
            (gpu::SINGLE32, DEAR, 2),
        ];
        let (registers, failed, result) = room(&machine, &others, gpu::PAIR);
        assert!(result.is_ok());
        assert_eq!(registers, [Some(1), Some(0), Some(4), Some(1)]);
        assert!(failed.is_empty());
    }

    #[test]
    fn without_room_nothing_changes_and_the_error_says_where() {
        let others = [(gpu::SINGLE32, DEAR, 0), (gpu::SINGLE32, DEAR, 1)];
        let (registers, failed, result) = room(&machine(2, 1), &others, gpu::SINGLE32);
        assert_eq!(registers, [Some(0), Some(1), None]);
        assert!(failed.is_empty());
        let Err(Error::OutOfRegisters {
            value, instruction, ..
        }) = result
        else {
            panic!("there is no room")
        };
        assert_eq!((&*value, instruction), ("v2", 2));
    }

    /// Each value has two registers, its own and the next one's: all have to move.
    #[test]
    fn values_move_for_one_another_to_a_bounded_depth() {
        for (count, fits) in [(DEPTH as usize, true), (DEPTH as usize + 1, false)] {
            let mut machine = machine(16, 0);
            let singles = machine.classes[gpu::SINGLE32].order.clone();
            let others: Vec<_> = (0..count)
                .map(|number| {
                    let class = machine.classes.push(ClassData {
                        order: singles[number..number + 2].to_vec(),
                        ..machine.classes[gpu::SINGLE32].clone()
                    });
                    (class, DEAR, 0)
                })
                .collect();
            machine.classes[gpu::SINGLE32].order.truncate(1);
            let (registers, _, result) = room(&machine, &others, gpu::SINGLE32);
            assert_eq!(result.is_ok(), fits);
            let moved = registers[..count].iter().all(|&one| one == Some(1));
            let stayed = registers[..count].iter().all(|&one| one == Some(0));
            assert_eq!((moved, stayed), (fits, !fits));
        }
    }
}
