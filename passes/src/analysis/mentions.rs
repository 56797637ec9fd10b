//! The instructions that mention each value: one array, in which the value's own stand
//! together. Linear.

use crate::function::{Function, Instruction, Operand, VirtualRegister};
use std::ops::Range;

/// For each value, the instructions with an operand of some kind that names it.
#[derive(Clone)]
pub struct Mentions {
    /// Those of the value v are `instructions[begin[v]..begin[v + 1]]`.
    begin: Vec<u32>,
    instructions: Vec<Instruction>,
}

impl Mentions {
    /// Collects the instructions, once for each operand that is wanted.
    pub fn new(function: &Function, wanted: impl Fn(&Operand) -> bool) -> Self {
        let visit = |visit: &mut dyn FnMut(VirtualRegister, Instruction)| {
            for instruction in function.instructions.keys() {
                for operand in function.instruction_operands(instruction) {
                    if let Some(value) = operand.virtual_register()
                        && wanted(operand)
                    {
                        visit(value, instruction);
                    }
                }
            }
        };
        let mut begin = vec![0; function.virtual_registers.len() + 1];
        visit(&mut |value, _| begin[value.as_u32() as usize] += 1);
        // The sums are the ends, from which filling counts down to the beginnings.
        let mut sum = 0;
        for count in &mut begin {
            sum += *count;
            *count = sum;
        }
        let mut instructions = vec![Instruction::from_u32(0); sum as usize];
        visit(&mut |value, instruction| {
            let place = &mut begin[value.as_u32() as usize];
            *place -= 1;
            instructions[*place as usize] = instruction;
        });
        Self {
            begin,
            instructions,
        }
    }

    /// The numbers of a value's mentions.
    pub fn numbers(&self, value: VirtualRegister) -> Range<usize> {
        let number = value.as_u32() as usize;
        self.begin[number] as usize..self.begin[number + 1] as usize
    }

    /// The instruction of a mention.
    pub fn instruction(&self, number: usize) -> Instruction {
        self.instructions[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;
    use crate::machine::gpu;

    #[test]
    fn mentions_stand_with_their_values() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        let first = builder.plain(&[Operand::write(b)]);
        let second = builder.plain(&[Operand::write(c), Operand::read(b), Operand::read(b)]);
        let function = builder.finish();
        let found = |mentions: &Mentions, value| -> Vec<Instruction> {
            let numbers = mentions.numbers(value);
            numbers.map(|number| mentions.instruction(number)).collect()
        };
        let all = Mentions::new(&function, |_| true);
        assert!(found(&all, a).is_empty());
        assert_eq!(found(&all, b), [second, second, first]);
        assert_eq!(found(&all, c), [second]);
        let reads = Mentions::new(&function, Operand::reads);
        assert_eq!(found(&reads, b), [second, second]);
        assert!(found(&reads, c).is_empty());
    }
}
