//! Room for a value that cannot be spilled.
//!
//! Spill code leaves ranges of one or two instructions that need a register at
//! any price. Such a value takes the register whose occupants are cheapest to
//! spill. Where another such value is in the way, that one is moved first, to a
//! bounded depth (LLVM's greedy allocator calls it last-chance recolouring).
//! Time: registers of a class to the power of the depth at worst; in practice
//! the first level answers.

use super::colouring::Colouring;
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
    colouring: &mut Colouring,
    value: VirtualRegister,
) -> Result<(), Error> {
    if let Some((register, victims)) = cheapest(problem, colouring, value) {
        evict(colouring, &victims);
        colouring.assign(value, register);
        return Ok(());
    }
    let mut search = Search {
        problem,
        fixed: vec![value],
        budget: BUDGET,
    };
    if search.place(colouring, value, DEPTH) {
        return Ok(());
    }
    Err(explain(problem.function, problem.machine, value))
}

fn evict(colouring: &mut Colouring, victims: &[VirtualRegister]) {
    for &victim in victims {
        colouring.fail(victim);
    }
}

/// The coloured neighbours of a value that overlap a register.
fn occupants(
    problem: &Problem,
    colouring: &Colouring,
    value: VirtualRegister,
    register: Register,
) -> Vec<VirtualRegister> {
    let neighbours = problem.own_neighbours(value).iter().copied();
    neighbours
        .filter(|&neighbour| {
            colouring
                .register(neighbour)
                .is_some_and(|other| problem.machine.alias(register, other))
        })
        .collect()
}

/// The register whose occupants are all spillable and cost least.
fn cheapest(
    problem: &Problem,
    colouring: &Colouring,
    value: VirtualRegister,
) -> Option<(Register, Vec<VirtualRegister>)> {
    let class = problem.function.virtual_registers[value].class;
    let mut best: Option<(f64, Register, Vec<VirtualRegister>)> = None;
    for &register in &problem.machine.classes[class].order {
        if !problem.suits_value(register, value) {
            continue;
        }
        let victims = occupants(problem, colouring, value, register);
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
struct Search<'a> {
    problem: &'a Problem<'a>,
    /// Values that are being placed and must not be moved again.
    fixed: Vec<VirtualRegister>,
    budget: u32,
}

impl Search<'_> {
    /// Finds a register for the value, moving others; undone if it fails.
    fn place(&mut self, colouring: &mut Colouring, value: VirtualRegister, depth: u32) -> bool {
        if let Some((register, victims)) = cheapest(self.problem, colouring, value) {
            evict(colouring, &victims);
            colouring.assign(value, register);
            return true;
        }
        if depth == 0 {
            return false;
        }
        let class = self.problem.function.virtual_registers[value].class;
        let order = &self.problem.machine.classes[class].order;
        for &register in order {
            self.budget = self.budget.saturating_sub(1);
            if self.budget == 0 {
                return false;
            }
            if self.problem.suits_value(register, value)
                && self.take(colouring, value, register, depth)
            {
                return true;
            }
        }
        false
    }

    /// Gives the value this register and finds others for its occupants.
    fn take(
        &mut self,
        colouring: &mut Colouring,
        value: VirtualRegister,
        register: Register,
        depth: u32,
    ) -> bool {
        let occupants = occupants(self.problem, colouring, value, register);
        if occupants
            .iter()
            .any(|occupant| self.fixed.contains(occupant))
        {
            return false;
        }
        let saved: Colouring = colouring.clone();
        let fixed = self.fixed.len();
        for &occupant in &occupants {
            colouring.clear(occupant);
        }
        colouring.assign(value, register);
        self.fixed.extend(&occupants);
        for occupant in occupants {
            if !self.problem.minimal[occupant] {
                colouring.fail(occupant);
            } else if !self.place(colouring, occupant, depth - 1) {
                *colouring = saved;
                self.fixed.truncate(fixed);
                return false;
            }
        }
        true
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
