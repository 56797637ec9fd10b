//! Which virtual registers and which physical units are live where blocks meet.
//!
//! Backward data flow with a worklist over `bitvec` sets (cicc document, phase
//! 1). Only variables that some block reads before it writes them can be live
//! between blocks; the sets hold those alone, which keeps them small: most
//! values live and die in one block. Time: blocks x sets, two or three visits a
//! block in practice.

use super::control_flow::postorder;
use crate::bits;
use crate::function::{Block, Function, Operand, OperandRegister, VirtualRegister};
use crate::machine::{Machine, Unit};
use cranelift_entity::PrimaryMap;
use std::collections::VecDeque;
use std::ops::Range;

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
    /// The variables that are live between blocks.
    crossing: Vec<Variable>,
    /// The units among them, with their numbers there.
    units: Vec<(usize, Unit)>,
    live_in: Rows,
    live_out: Rows,
}

/// Liveness of some values alone.
pub struct LivenessOf<'a> {
    liveness: &'a Liveness,
    /// The set of these.
    wanted: Vec<u64>,
}

/// A set of crossing variables for each block, one behind the other: functions have many
/// blocks, and each set of its own would be allocated alone.
#[derive(Debug)]
struct Rows {
    words: Vec<u64>,
    /// Words of a set.
    width: usize,
}

/// What blocks do to the variables, before they are numbered; the lists of all blocks stand
/// one behind the other.
#[derive(Default)]
struct Effects {
    read_first: Vec<u32>,
    written: Vec<u32>,
    /// For each block the ends of its lists.
    ends: PrimaryMap<Block, (usize, usize)>,
}

impl Rows {
    /// Sets that are all empty, or all full, for so many variables.
    fn new(function: &Function, variables: usize, full: bool) -> Self {
        let width = bits::words(variables);
        let word = if full { u64::MAX } else { 0 };
        let words = vec![word; width * function.blocks.len()];
        Self { words, width }
    }

    fn range(&self, block: Block) -> Range<usize> {
        let start = block.as_u32() as usize * self.width;
        start..start + self.width
    }

    fn row(&self, block: Block) -> &[u64] {
        &self.words[self.range(block)]
    }

    fn row_mut(&mut self, block: Block) -> &mut [u64] {
        let range = self.range(block);
        &mut self.words[range]
    }

    fn members(&self, block: Block) -> impl Iterator<Item = usize> {
        bits::numbers(self.row(block).iter().copied())
    }
}

impl Liveness {
    /// Computes liveness.
    pub fn new(function: &Function, machine: &Machine) -> Self {
        let effects = Effects::new(function, machine);
        let virtual_count = function.virtual_registers.len() as u32;

        let mut number = vec![u32::MAX; (virtual_count + machine.table.unit_count) as usize];
        let mut crossing = Vec::new();
        for &variable in &effects.read_first {
            let number = &mut number[variable as usize];
            if *number == u32::MAX {
                *number = crossing.len() as u32;
                crossing.push(if variable < virtual_count {
                    Variable::Virtual(VirtualRegister::from_u32(variable))
                } else {
                    Variable::Unit(Unit::from_u32(variable - virtual_count))
                });
            }
        }

        let mut live_in = Rows::new(function, crossing.len(), false);
        let mut kept = Rows::new(function, crossing.len(), true);
        for block in function.blocks.keys() {
            let (read_first, written) = effects.of(block);
            let set = live_in.row_mut(block);
            for &variable in read_first {
                bits::insert(set, number[variable as usize] as usize);
            }
            let set = kept.row_mut(block);
            for &variable in written {
                if number[variable as usize] != u32::MAX {
                    bits::remove(set, number[variable as usize] as usize);
                }
            }
        }
        let units = crossing.iter().enumerate();
        let units = units.filter_map(|(number, variable)| match *variable {
            Variable::Unit(unit) => Some((number, unit)),
            Variable::Virtual(_) => None,
        });
        let mut liveness = Self {
            units: units.collect(),
            live_in,
            live_out: Rows::new(function, crossing.len(), false),
            crossing,
        };
        liveness.propagate(function, &kept);
        liveness
    }

    fn propagate(&mut self, function: &Function, kept: &Rows) {
        let mut work: VecDeque<Block> = postorder(function).into();
        let mut waiting: PrimaryMap<Block, bool> = function.blocks.keys().map(|_| true).collect();
        while let Some(block) = work.pop_front() {
            waiting[block] = false;
            let out = self.live_out.row_mut(block);
            for &successor in &function.blocks[block].successors {
                for (word, other) in out.iter_mut().zip(self.live_in.row(successor)) {
                    *word |= other;
                }
            }
            let mut changed = false;
            let words = out.iter().zip(kept.row(block));
            for (word, (out, kept)) in self.live_in.row_mut(block).iter_mut().zip(words) {
                let new = *word | out & kept;
                changed |= new != *word;
                *word = new;
            }
            if changed {
                for &predecessor in &function.blocks[block].predecessors {
                    if !std::mem::replace(&mut waiting[predecessor], true) {
                        work.push_back(predecessor);
                    }
                }
            }
        }
    }

    /// What is live on entry to the block, in the order in which blocks were found to
    /// read it first.
    pub fn live_in(&self, block: Block) -> impl Iterator<Item = Variable> {
        self.live_in.members(block).map(|n| self.crossing[n])
    }

    /// What is live at the block's end.
    pub fn live_out(&self, block: Block) -> impl Iterator<Item = Variable> {
        self.live_out.members(block).map(|n| self.crossing[n])
    }

    /// The units among that.
    pub fn units_live_out(&self, block: Block) -> impl Iterator<Item = Unit> {
        let row = self.live_out.row(block);
        let live = self
            .units
            .iter()
            .filter(|&&(number, _)| bits::contains(row, number));
        live.map(|&(_, unit)| unit)
    }

    /// The same of some values alone, which takes less time to go through.
    pub fn of(&self, is_wanted: impl Fn(VirtualRegister) -> bool) -> LivenessOf<'_> {
        let mut wanted = vec![0; self.live_in.width];
        for (number, variable) in self.crossing.iter().enumerate() {
            if let Variable::Virtual(value) = *variable
                && is_wanted(value)
            {
                bits::insert(&mut wanted, number);
            }
        }
        LivenessOf {
            liveness: self,
            wanted,
        }
    }
}

impl LivenessOf<'_> {
    /// What is live on entry to the block, in the order of [`Liveness::live_in`].
    pub fn live_in(&self, block: Block) -> impl Iterator<Item = VirtualRegister> {
        self.values(self.liveness.live_in.row(block))
    }

    /// What is live at the block's end, in the order of [`Liveness::live_out`].
    pub fn live_out(&self, block: Block) -> impl Iterator<Item = VirtualRegister> {
        self.values(self.liveness.live_out.row(block))
    }

    fn values(&self, row: &[u64]) -> impl Iterator<Item = VirtualRegister> {
        let words = row.iter().zip(&self.wanted);
        let numbers = bits::numbers(words.map(|(word, wanted)| word & wanted));
        numbers.filter_map(|number| match self.liveness.crossing[number] {
            Variable::Virtual(value) => Some(value),
            Variable::Unit(_) => None,
        })
    }
}

impl Effects {
    /// Scans each block forward for reads before writes, and for writes.
    fn new(function: &Function, machine: &Machine) -> Self {
        let virtual_count = function.virtual_registers.len() as u32;
        let variables = virtual_count + machine.table.unit_count;
        let mut written_in = vec![u32::MAX; variables as usize];
        let mut read_in = vec![u32::MAX; variables as usize];
        let mut effects = Self::default();
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
                            effects.read_first.push(variable);
                        }
                    });
                }
                for operand in operands.iter().filter(|operand| operand.is_definition()) {
                    for_each_variable(operand, machine, virtual_count, |variable| {
                        effects.write(variable, stamp, &mut written_in);
                    });
                }
            }
            let ends = (effects.read_first.len(), effects.written.len());
            effects.ends.push(ends);
        }
        effects
    }

    fn write(&mut self, variable: u32, stamp: u32, written_in: &mut [u32]) {
        if std::mem::replace(&mut written_in[variable as usize], stamp) != stamp {
            self.written.push(variable);
        }
    }

    /// What a block reads before it writes it, and what it writes.
    fn of(&self, block: Block) -> (&[u32], &[u32]) {
        let before = block.as_u32().checked_sub(1).map(Block::from_u32);
        let (read, written) = before.map_or((0, 0), |before| self.ends[before]);
        let (read_end, written_end) = self.ends[block];
        (
            &self.read_first[read..read_end],
            &self.written[written..written_end],
        )
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
