//! Which units are taken at each instruction of a coloured function.
//!
//! Taken is what holds a value before or behind an instruction, and what it reads or writes.
//! A block is looked at when it is first asked for. What moves takes more ([`Taken::take`]).
//!
//! Time: for each block that is looked at, its instructions times what is live.

use crate::analysis::live_set::{LiveSet, RegisterPools};
use crate::analysis::live_units::LiveUnits;
use crate::analysis::liveness::Liveness;
use crate::assign::colouring::Colouring;
use crate::function::{Block, Function, Operand, OperandRegister};
use crate::machine::{Machine, Register, UnitSet};
use cranelift_entity::SecondaryMap;
use std::ops::Range;

/// For each instruction of the blocks that were looked at the units that are taken there.
pub struct Taken<'a> {
    function: &'a Function,
    machine: &'a Machine,
    liveness: Liveness,
    live: LiveSet<'a>,
    live_units: LiveUnits<'a>,
    at: SecondaryMap<Block, Option<Vec<UnitSet>>>,
    looked_at: Vec<Block>,
}

impl<'a> Taken<'a> {
    /// No block has been looked at.
    pub fn new(function: &'a Function, machine: &'a Machine) -> Self {
        let pools = RegisterPools::new(machine);
        Self {
            function,
            machine,
            liveness: Liveness::new(function, machine),
            live: LiveSet::new(function, &pools),
            live_units: LiveUnits::new(function, machine),
            at: SecondaryMap::new(),
            looked_at: Vec::new(),
        }
    }

    /// Looks at a block, unless that was done before; says whether it had to.
    pub fn look_at(&mut self, block: Block, colouring: &Colouring) -> bool {
        if self.at[block].is_some() {
            return false;
        }
        let (machine, live, units) = (self.machine, &mut self.live, &mut self.live_units);
        let add_live = |taken: &mut UnitSet, live: &LiveSet, units: &LiveUnits| {
            taken.union(units.units());
            let registers = live.iter().filter_map(|value| colouring.register(value));
            registers.for_each(|register| taken.add(machine.unit_words(register)));
        };
        let count = self.function.blocks[block].instructions.len();
        let mut at = vec![UnitSet::new(machine.table.unit_count); count];
        live.start(block, &self.liveness);
        units.start(block, &self.liveness);
        let instructions = self.function.block_instructions(block).rev();
        for (instruction, taken) in instructions.zip(at.iter_mut().rev()) {
            add_live(taken, live, units);
            for operand in self.function.instruction_operands(instruction) {
                if let Some(register) = register_of(colouring, operand) {
                    taken.add(machine.unit_words(register));
                }
            }
            live.step(instruction);
            units.step(instruction);
            add_live(taken, live, units);
        }
        self.at[block] = Some(at);
        self.looked_at.push(block);
        true
    }

    /// Forgets what was seen: other values have registers from now on.
    pub fn forget(&mut self) {
        for block in self.looked_at.drain(..) {
            self.at[block] = None;
        }
    }

    /// Whether a register is taken at an instruction of a block that was looked at.
    pub fn is_taken(&self, block: Block, instruction: u32, register: Register) -> bool {
        let units = self.machine.unit_words(register);
        let number = instruction - self.function.blocks[block].instructions.start;
        let at = self.at[block].as_ref();
        at.is_none_or(|at| at[number as usize].has_any(units))
    }

    /// Takes a register at some instructions of a block that was looked at.
    pub fn take(&mut self, block: Block, instructions: Range<u32>, register: Register) {
        let start = self.function.blocks[block].instructions.start;
        let range = (instructions.start - start) as usize..(instructions.end - start) as usize;
        let at = self.at[block].as_mut().and_then(|at| at.get_mut(range));
        for taken in at.into_iter().flatten() {
            taken.add(self.machine.unit_words(register));
        }
    }
}

/// The register that an operand is in.
fn register_of(colouring: &Colouring, operand: &Operand) -> Option<Register> {
    match operand.register {
        OperandRegister::Virtual(value) => colouring.register(value),
        OperandRegister::Physical(register) => Some(register),
        OperandRegister::Slot(_) | OperandRegister::Loaded(_) => None,
    }
}
