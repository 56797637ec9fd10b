//! Room for a value that cannot be spilled.
//!
//! Spill code leaves ranges of one or two instructions that need a register at
//! any price. Such a value takes the register whose occupants are cheapest to
//! spill. Where another such value is in the way, that one is moved first, to a
//! bounded depth (LLVM's greedy allocator calls it last-chance recolouring).
//! Time: registers of a class to the power of the depth at worst; in practice
//! the first level answers.

use super::colouring::Assignments;
use crate::error::Error;
use crate::function::{Function, Instruction, VirtualRegister};
use crate::machine::{Machine, Register};
use crate::problem::Problem;

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
    Err(explain(problem.function, problem.machine, value))
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
fn explain(function: &Function, machine: &Machine, value: VirtualRegister) -> Error {
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
