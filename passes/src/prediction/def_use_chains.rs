//! The definitions and the uses of each value. Linear in the operands.

use crate::function::{Block, Function, Instruction, OperandIndex, VirtualRegister};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// For each value, the instructions that define and use it, in layout order.
pub struct DefUseChains {
    blocks: Vec<Block>,
    definitions: SecondaryMap<VirtualRegister, SmallVec<[Instruction; 1]>>,
    uses: SecondaryMap<VirtualRegister, SmallVec<[(Instruction, OperandIndex); 2]>>,
}

impl DefUseChains {
    /// Finds them.
    pub fn new(function: &Function) -> Self {
        let mut chains = Self {
            blocks: function.instruction_blocks(),
            definitions: SecondaryMap::new(),
            uses: SecondaryMap::new(),
        };
        for instruction in function.instructions.keys() {
            for (number, operand) in function.numbered_operands(instruction) {
                let Some(value) = operand.virtual_register() else {
                    continue;
                };
                match operand.is_definition() {
                    true => chains.definitions[value].push(instruction),
                    false => chains.uses[value].push((instruction, number)),
                }
            }
        }
        chains
    }

    /// The block that an instruction is in.
    pub fn block(&self, instruction: Instruction) -> Block {
        self.blocks[instruction.as_u32() as usize]
    }

    /// The instructions that define a value.
    pub fn definitions(&self, value: VirtualRegister) -> &[Instruction] {
        &self.definitions[value]
    }

    /// Whether a value has one definition, so that it is the same wherever it is read.
    pub fn is_constant(&self, value: VirtualRegister) -> bool {
        self.definitions[value].len() == 1
    }

    /// The instructions that use a value, and their operands that do.
    pub fn uses(&self, value: VirtualRegister) -> &[(Instruction, OperandIndex)] {
        &self.uses[value]
    }
}
