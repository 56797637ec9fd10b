//! Which virtual registers and which physical units are live where blocks meet.
//!
//! Only variables that some block reads before it writes them can be live between blocks;
//! most values live and die in one. Each of these is followed alone: from the blocks that
//! read it first backward, by a worklist, to those that write it (Brandner et al., *Computing
//! Liveness Sets for SSA-Form Programs*, 2011; the cicc document, phase 1, has the same sets).
//! Time and memory: linear in operands and in what is live between blocks, however many
//! variables and blocks there are.

use crate::function::{Block, Function, Operand, OperandRegister, VirtualRegister};
use crate::machine::{Machine, Unit};

/// Something that can be live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A virtual register.
    Virtual(VirtualRegister),
    /// A unit that a physical operand names.
    Unit(Unit),
}

/// Live variables at the ends of blocks.
#[derive(Debug)]
pub struct Liveness {
    /// The variables that are live between blocks, in the order in which blocks were found to
    /// read them first. In sets they are numbers here.
    crossing: Vec<Variable>,
    live_in: Lists,
    live_out: Lists,
}

/// A list of numbers for each of some keys, one behind the other.
#[derive(Debug)]
struct Lists {
    numbers: Vec<u32>,
    /// For each key where its list starts, and the end of the last.
    starts: Vec<usize>,
}

/// Which blocks read a variable before they write it, and which write it, as pairs with the
/// block last. First there are variables: virtual registers and, behind them, units.
struct Effects {
    read_first: Vec<(u32, u32)>,
    written: Vec<(u32, u32)>,
}

/// For one block the numbers of the last variables that were found in it.
#[derive(Clone)]
struct Last {
    written: u32,
    live_in: u32,
    live_out: u32,
}

const NONE: u32 = u32::MAX;

impl Lists {
    /// Lists the second numbers of pairs by the first ones, which are keys below this bound;
    /// each list is in the order of the pairs.
    fn new(keys: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; keys + 2];
        for &(key, _) in pairs {
            starts[key as usize + 2] += 1;
        }
        for key in 2..starts.len() {
            starts[key] += starts[key - 1];
        }
        let mut numbers = vec![0; pairs.len()];
        // What is the start of a list moves to its end, which is the start of the next one.
        for &(key, number) in pairs {
            let next = &mut starts[key as usize + 1];
            numbers[*next] = number;
            *next += 1;
        }
        starts.pop();
        Self { numbers, starts }
    }

    fn of(&self, key: u32) -> &[u32] {
        &self.numbers[self.starts[key as usize]..self.starts[key as usize + 1]]
    }
}

impl Liveness {
    /// Computes liveness.
    pub fn new(function: &Function, machine: &Machine) -> Self {
        let virtual_count = function.virtual_registers.len() as u32;
        let mut effects = Effects::new(function, machine);
        let mut number = vec![NONE; (virtual_count + machine.table.unit_count) as usize];
        let mut crossing = Vec::new();
        for (variable, _) in &mut effects.read_first {
            let number = &mut number[*variable as usize];
            if *number == NONE {
                *number = crossing.len() as u32;
                crossing.push(if *variable < virtual_count {
                    Variable::Virtual(VirtualRegister::from_u32(*variable))
                } else {
                    Variable::Unit(Unit::from_u32(*variable - virtual_count))
                });
            }
            *variable = *number;
        }
        effects.written.retain_mut(|(variable, _)| {
            *variable = number[*variable as usize];
            *variable != NONE
        });
        let read_first = Lists::new(crossing.len(), &effects.read_first);
        let written = Lists::new(crossing.len(), &effects.written);
        Self::propagate(function, crossing, &read_first, &written)
    }

    fn propagate(
        function: &Function,
        crossing: Vec<Variable>,
        read_first: &Lists,
        written: &Lists,
    ) -> Self {
        let nothing = Last {
            written: NONE,
            live_in: NONE,
            live_out: NONE,
        };
        let blocks = function.blocks.len();
        let mut last = vec![nothing; blocks];
        let (mut live_in, mut live_out) = (Vec::new(), Vec::new());
        let mut worklist = Vec::new();
        for number in 0..crossing.len() as u32 {
            for &block in written.of(number) {
                last[block as usize].written = number;
            }
            for &block in read_first.of(number) {
                last[block as usize].live_in = number;
                worklist.push(block);
            }
            while let Some(block) = worklist.pop() {
                live_in.push((block, number));
                for &from in &function.blocks[Block::from_u32(block)].predecessors {
                    let last = &mut last[from.as_u32() as usize];
                    if last.live_out == number {
                        continue;
                    }
                    last.live_out = number;
                    live_out.push((from.as_u32(), number));
                    if last.written != number && last.live_in != number {
                        last.live_in = number;
                        worklist.push(from.as_u32());
                    }
                }
            }
        }
        Self {
            crossing,
            live_in: Lists::new(blocks, &live_in),
            live_out: Lists::new(blocks, &live_out),
        }
    }

    /// What is live on entry to the block, in the order in which blocks were found to
    /// read it first.
    pub fn live_in(&self, block: Block) -> impl ExactSizeIterator<Item = Variable> {
        self.variables(self.live_in.of(block.as_u32()))
    }

    /// What is live at the block's end, in the same order.
    pub fn live_out(&self, block: Block) -> impl ExactSizeIterator<Item = Variable> {
        self.variables(self.live_out.of(block.as_u32()))
    }

    fn variables(&self, numbers: &[u32]) -> impl ExactSizeIterator<Item = Variable> {
        numbers.iter().map(|&number| self.crossing[number as usize])
    }
}

impl Variable {
    /// The virtual register, if it is one.
    pub fn virtual_register(self) -> Option<VirtualRegister> {
        match self {
            Self::Virtual(value) => Some(value),
            Self::Unit(_) => None,
        }
    }

    /// The unit, if it is one.
    pub fn unit(self) -> Option<Unit> {
        match self {
            Self::Virtual(_) => None,
            Self::Unit(unit) => Some(unit),
        }
    }
}

impl Effects {
    /// Scans each block forward for reads before writes, and for writes.
    fn new(function: &Function, machine: &Machine) -> Self {
        let virtual_count = function.virtual_registers.len() as u32;
        let variables = virtual_count + machine.table.unit_count;
        let mut written_in = vec![NONE; variables as usize];
        let mut read_in = vec![NONE; variables as usize];
        // Most instructions write something; most of that is read in the same block.
        let mut effects = Self {
            read_first: Vec::with_capacity(function.operands.len() / 4),
            written: Vec::with_capacity(function.instructions.len()),
        };
        for (block, data) in &function.blocks {
            let stamp = block.as_u32();
            for &register in &data.live_in {
                for unit in machine.units(register) {
                    effects.write(virtual_count + unit.as_u32(), stamp, &mut written_in);
                }
            }
            for instruction in function.block_instructions(block) {
                let operands = function.instruction_operands(instruction);
                for operand in operands.iter().filter(|operand| operand.reads()) {
                    for_each_variable(operand, machine, virtual_count, |variable| {
                        let index = variable as usize;
                        if written_in[index] != stamp && read_in[index] != stamp {
                            read_in[index] = stamp;
                            effects.read_first.push((variable, stamp));
                        }
                    });
                }
                for operand in operands.iter().filter(|operand| operand.is_definition()) {
                    for_each_variable(operand, machine, virtual_count, |variable| {
                        effects.write(variable, stamp, &mut written_in);
                    });
                }
            }
        }
        effects
    }

    fn write(&mut self, variable: u32, block: u32, written_in: &mut [u32]) {
        if std::mem::replace(&mut written_in[variable as usize], block) != block {
            self.written.push((variable, block));
        }
    }
}

fn for_each_variable(
    operand: &Operand,
    machine: &Machine,
    virtual_count: u32,
    mut visit: impl FnMut(u32),
) {
    match operand.register {
        OperandRegister::Virtual(register) => visit(register.as_u32()),
        OperandRegister::Physical(register) => {
            for unit in machine.units(register) {
                visit(virtual_count + unit.as_u32());
            }
        }
        OperandRegister::Slot(_) | OperandRegister::Loaded(_) => {}
    }
}
