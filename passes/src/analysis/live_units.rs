//! The units of physical registers that are live while a block is walked backward.
//!
//! They change at few instructions, on GPUs at hardly any: what follows from them need not be
//! found anew at each. Values are [`super::live_set`]'s. Time: linear in operands.

use super::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Instruction};
use crate::machine::{Machine, UnitSet};

/// What is live at one point.
pub struct LiveUnits<'a> {
    function: &'a Function,
    machine: &'a Machine,
    units: UnitSet,
}

impl<'a> LiveUnits<'a> {
    /// An empty set.
    pub fn new(function: &'a Function, machine: &'a Machine) -> Self {
        Self {
            function,
            machine,
            units: UnitSet::new(machine.table.unit_count),
        }
    }

    /// Starts at the end of a block.
    pub fn start(&mut self, block: Block, liveness: &Liveness) {
        self.units.clear();
        for unit in liveness.live_out(block).filter_map(Variable::unit) {
            self.units.insert(unit);
        }
    }

    /// Moves from after the instruction to before it; whether other units are live there. What
    /// writes flags that nobody reads changes nothing.
    pub fn step(&mut self, instruction: Instruction) -> bool {
        let operands = self.function.instruction_operands(instruction).iter();
        let physical = operands.filter_map(|one| Some((one, one.physical_register()?)));
        let mut changes = false;
        for (_, register) in physical.clone().filter(|(one, _)| one.is_definition()) {
            let units = self.machine.unit_words(register);
            changes |= self.units.has_any(units);
            self.units.subtract(units);
        }
        for (_, register) in physical.filter(|(one, _)| one.reads()) {
            let units = self.machine.unit_words(register);
            changes |= !self.units.has_all(units);
            self.units.add(units);
        }
        changes
    }

    /// The live units.
    pub fn units(&self) -> &UnitSet {
        &self.units
    }
}
