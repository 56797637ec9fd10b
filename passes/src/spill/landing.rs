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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, InstructionKind, Operand};
    use crate::machine::gpu;

    /// The entry defines two values on leaving; the landing block reads only
    /// the first of them, after two labels, the other successor reads both.
    fn leaving() -> (FunctionBuilder, [VirtualRegister; 2], [Block; 3]) {
        let mut builder = FunctionBuilder::new("f");
        let values = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
        let entry = builder.start_block(1.0, 0, &[]);
        let kind = InstructionKind::Plain;
        let leaves = InstructionFlags::LEAVES;
        builder.push(kind, leaves, &values.map(Operand::write), None);
        let landing = builder.start_block(1.0, 0, &[]);
        builder.landing();
        for _ in 0..2 {
            builder.push(kind, InstructionFlags::LABEL, &[], None);
        }
        builder.plain(&[Operand::read(values[0])]);
        builder.push(kind, InstructionFlags::LABEL, &[], None);
        let other = builder.start_block(1.0, 0, &[]);
        builder.plain(&values.map(Operand::read));
        builder.edge(entry, landing);
        builder.edge(entry, other);
        (builder, values, [entry, landing, other])
    }

    #[test]
    fn only_values_live_in_landing_blocks_arrive() {
        let (builder, [value, _], [_, block, _]) = leaving();
        let arrival = Arrival {
            instruction: Instruction::from_u32(0),
            value,
            block,
        };
        let function = builder.finish();
        assert_eq!(arrivals(&function, &gpu::machine(8)), [arrival]);
        assert!(can_be_stored(&function, &arrival));
    }

    #[test]
    fn no_store_in_blocks_with_other_predecessors() {
        let (mut builder, _, [_, landing, other]) = leaving();
        builder.edge(other, landing);
        let function = builder.finish();
        let [arrival] = arrivals(&function, &gpu::machine(8))[..] else {
            panic!("one value arrives")
        };
        assert!(!can_be_stored(&function, &arrival));
    }

    #[test]
    fn no_store_in_empty_blocks() {
        let (mut builder, [value, _], [entry, ..]) = leaving();
        let block = builder.start_block(1.0, 0, &[]);
        builder.edge(entry, block);
        let instruction = Instruction::from_u32(0);
        let arrival = Arrival {
            instruction,
            value,
            block,
        };
        assert!(!can_be_stored(&builder.finish(), &arrival));
    }

    #[test]
    fn labels_lead_up_to_the_first_other_instruction() {
        let (builder, _, [entry, landing, _]) = leaving();
        let function = builder.finish();
        assert_eq!(leading_labels(&function, entry), 0);
        assert_eq!(leading_labels(&function, landing), 2);
    }
}
