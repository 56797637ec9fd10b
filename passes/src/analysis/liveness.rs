//! Which virtual registers and which physical units are live where blocks meet.
//!
//! Backward data flow with a worklist over `bitvec` sets (cicc document, phase
//! 1). Only variables that some block reads before it writes them can be live
//! between blocks; the sets hold those alone, which keeps them small: most
//! values live and die in one block. Time: blocks x sets, two or three visits a
//! block in practice.

use super::control_flow::postorder;
use crate::function::{Block, Function, Operand, OperandRegister, VirtualRegister};
use crate::machine::{Machine, Unit};
use bitvec::vec::BitVec;
use cranelift_entity::PrimaryMap;
use std::collections::VecDeque;

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
    live_in: PrimaryMap<Block, BitVec<u64>>,
    live_out: PrimaryMap<Block, BitVec<u64>>,
}

/// What one block does to the variables, before they are numbered.
#[derive(Default)]
struct BlockEffects {
    read_first: Vec<u32>,
    written: Vec<u32>,
}

impl Liveness {
    /// Computes liveness.
    pub fn new(function: &Function, machine: &Machine) -> Self {
        let effects = block_effects(function, machine);
        let virtual_count = function.virtual_registers.len() as u32;

        let mut number = vec![u32::MAX; (virtual_count + machine.table.unit_count) as usize];
        let mut crossing = Vec::new();
        for &variable in effects.values().flat_map(|effect| &effect.read_first) {
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

        let empty: BitVec<u64> = BitVec::repeat(false, crossing.len());
        let mut live_in = PrimaryMap::with_capacity(function.blocks.len());
        let mut kept = PrimaryMap::<Block, BitVec<u64>>::with_capacity(function.blocks.len());
        for effect in effects.values() {
            let mut set = empty.clone();
            for &variable in &effect.read_first {
                set.set(number[variable as usize] as usize, true);
            }
            live_in.push(set);
            let mut set: BitVec<u64> = BitVec::repeat(true, crossing.len());
            for &variable in &effect.written {
                if number[variable as usize] != u32::MAX {
                    set.set(number[variable as usize] as usize, false);
                }
            }
            kept.push(set);
        }
        let mut liveness = Self {
            crossing,
            live_in,
            live_out: function.blocks.keys().map(|_| empty.clone()).collect(),
        };
        liveness.propagate(function, &kept);
        liveness
    }

    fn propagate(&mut self, function: &Function, kept: &PrimaryMap<Block, BitVec<u64>>) {
        let mut work: VecDeque<Block> = postorder(function).into();
        let mut waiting: PrimaryMap<Block, bool> = function.blocks.keys().map(|_| true).collect();
        while let Some(block) = work.pop_front() {
            waiting[block] = false;
            let out = &mut self.live_out[block];
            for &successor in &function.blocks[block].successors {
                let words = self.live_in[successor].as_raw_slice();
                for (word, other) in out.as_raw_mut_slice().iter_mut().zip(words) {
                    *word |= other;
                }
            }
            let words = out.as_raw_slice().iter().zip(kept[block].as_raw_slice());
            let mut changed = false;
            for (word, (out, kept)) in self.live_in[block].as_raw_mut_slice().iter_mut().zip(words)
            {
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
        self.live_in[block].iter_ones().map(|n| self.crossing[n])
    }

    /// What is live at the block's end.
    pub fn live_out(&self, block: Block) -> impl Iterator<Item = Variable> {
        self.live_out[block].iter_ones().map(|n| self.crossing[n])
    }
}

/// Scans each block forward for reads before writes, and for writes.
fn block_effects(function: &Function, machine: &Machine) -> PrimaryMap<Block, BlockEffects> {
    let virtual_count = function.virtual_registers.len() as u32;
    let variables = virtual_count + machine.table.unit_count;
    let mut written_in = vec![u32::MAX; variables as usize];
    let mut read_in = vec![u32::MAX; variables as usize];
    let mut effects = PrimaryMap::with_capacity(function.blocks.len());
    for (block, data) in &function.blocks {
        let mut effect = BlockEffects::default();
        let stamp = block.as_u32();
        for &register in &data.live_in {
            for unit in machine.units(register) {
                write(
                    virtual_count + unit.as_u32(),
                    stamp,
                    &mut written_in,
                    &mut effect,
                );
            }
        }
        for instruction in function.block_instructions(block) {
            let operands = function.instruction_operands(instruction);
            for operand in operands.iter().filter(|operand| operand.reads()) {
                for_each_variable(operand, machine, virtual_count, |variable| {
                    let index = variable as usize;
                    if written_in[index] != stamp && read_in[index] != stamp {
                        read_in[index] = stamp;
                        effect.read_first.push(variable);
                    }
                });
            }
            for operand in operands.iter().filter(|operand| operand.is_definition()) {
                for_each_variable(operand, machine, virtual_count, |variable| {
                    write(variable, stamp, &mut written_in, &mut effect);
                });
            }
        }
        effects.push(effect);
    }
    effects
}

fn write(variable: u32, stamp: u32, written_in: &mut [u32], effect: &mut BlockEffects) {
    if std::mem::replace(&mut written_in[variable as usize], stamp) != stamp {
        effect.written.push(variable);
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
        OperandRegister::Slot(_) => {}
    }
}
