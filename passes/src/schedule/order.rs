//! A permutation of a function's instructions within their blocks.

use crate::function::{Block, Function, Instruction, Tuple};
use cranelift_entity::PrimaryMap;

/// For each place in the function, the instruction that comes there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order(Vec<Instruction>);

impl Order {
    /// All instructions where they are.
    pub fn unchanged(function: &Function) -> Self {
        Self(function.instructions.keys().collect())
    }

    /// The order in which all instructions are listed.
    pub fn of(instructions: Vec<Instruction>) -> Self {
        Self(instructions)
    }

    /// For each place, the instruction that comes there.
    pub fn instructions(&self) -> &[Instruction] {
        &self.0
    }

    /// Sets the order of a block's first instructions, which are numbered from its
    /// start.
    pub fn set(&mut self, function: &Function, block: Block, numbers: &[u32]) {
        let start = function.blocks[block].instructions.start;
        let places = &mut self.0[start as usize..][..numbers.len()];
        for (place, number) in places.iter_mut().zip(numbers) {
            *place = Instruction::from_u32(start + number);
        }
    }

    /// The function in this order.
    pub fn apply(&self, function: &Function) -> Function {
        let mut instructions = PrimaryMap::with_capacity(self.0.len());
        let mut operands = PrimaryMap::with_capacity(function.operands.len());
        let mut tuples = Vec::with_capacity(function.tuples.len());
        for &instruction in &self.0 {
            let mut data = function.instructions[instruction].clone();
            let begin = operands.len() as u32;
            for &operand in function.instruction_operands(instruction) {
                operands.push(operand);
            }
            data.operands = begin..operands.len() as u32;
            let moved = instructions.push(data);
            for tuple in function.instruction_tuples(instruction) {
                tuples.push(Tuple {
                    instruction: moved,
                    ..tuple.clone()
                });
            }
        }
        Function {
            name: function.name.clone(),
            kernel: function.kernel,
            blocks: function.blocks.clone(),
            instructions,
            operands,
            virtual_registers: function.virtual_registers.clone(),
            tuples,
        }
    }
}
