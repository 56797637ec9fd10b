//! Values that do not reach the end of the block that defines them: an
//! instruction from which control may leave defines them, and they are live in
//! a landing block behind it.
//!
//! A store after the instruction happens only where control stays, so the
//! landing block needs a store of its own. That works if it has one predecessor,
//! as LLVM sees to for the outputs of `asm goto`; other such values cannot be
//! spilled. Linear, and next to nothing in functions without such values.

use crate::analysis::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Instruction, InstructionFlags, VirtualRegister};
use crate::machine::Machine;

/// One value, and one block where it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// What defines the value.
    pub instruction: Instruction,
    /// The value.
    pub value: VirtualRegister,
    /// The landing block.
    pub block: Block,
}

/// All values that arrive in landing blocks straight from their definition.
pub fn arrivals(function: &Function, machine: &Machine) -> Vec<Arrival> {
    let defined = defined_on_leaving(function);
    if defined.is_empty() {
        return Vec::new();
    }
    let liveness = Liveness::new(function, machine);
    let mut arrivals = Vec::new();
    for (from, instruction, value) in defined {
        for &block in &function.blocks[from].successors {
            let live = || {
                let mut variables = liveness.live_in(block);
                variables.any(|one| one == Variable::Virtual(value))
            };
            if function.blocks[block].landing && live() {
                arrivals.push(Arrival {
                    instruction,
                    value,
                    block,
                });
            }
        }
    }
    arrivals
}

/// What instructions define from which control may leave.
fn defined_on_leaving(function: &Function) -> Vec<(Block, Instruction, VirtualRegister)> {
    let mut defined = Vec::new();
    for block in function.blocks.keys() {
        for instruction in function.block_instructions(block) {
            let flags = function.instructions[instruction].flags;
            if !flags.contains(InstructionFlags::LEAVES) {
                continue;
            }
            let operands = function.instruction_operands(instruction).iter();
            let definitions = operands.filter(|operand| operand.is_definition());
            let values = definitions.filter_map(|operand| operand.virtual_register());
            defined.extend(values.map(|value| (block, instruction, value)));
        }
    }
    defined
}

/// Whether the value can be stored at the beginning of the block.
pub fn can_be_stored(function: &Function, arrival: &Arrival) -> bool {
    let block = &function.blocks[arrival.block];
    block.predecessors.len() == 1 && !block.instructions.is_empty()
}

/// How many instructions at the beginning of a block nothing may stand before.
pub fn leading_labels(function: &Function, block: Block) -> u32 {
    let data = &function.blocks[block];
    let labels = (data.instructions.start..data.first_terminator).take_while(|&at| {
        let flags = function.instructions[Instruction::from_u32(at)].flags;
        flags.contains(InstructionFlags::LABEL)
    });
    labels.count() as u32
}
