//! Which values take no register of a thread.
//!
//! PTX loads a constant, an address of a symbol or a parameter into a register before it
//! is used. In the machine code it is an operand: an immediate, or a place in the bank of
//! constants. What is computed of such values alone, by instructions of the uniform data
//! path, ptxas leaves to that path. Not so the arguments of a function that is called: they
//! are in registers from its begin, wherever PTX loads them. Two passes at least over the
//! operands, and one more for each time that a value is computed of others that come later
//! in the layout.

use crate::function::{
    Function, Instruction, InstructionFlags, InstructionKind, Operand, OperandFlags,
    VirtualRegister,
};
use crate::machine::gpu;
use crate::spill::rematerialisation::computed;
use cranelift_entity::SecondaryMap;

/// The values of a function that take no register.
pub struct Folding<'a> {
    function: &'a Function,
    definitions: SecondaryMap<VirtualRegister, u32>,
    folded: SecondaryMap<VirtualRegister, bool>,
}

impl<'a> Folding<'a> {
    /// Finds them.
    pub fn new(function: &'a Function) -> Self {
        let mut definitions: SecondaryMap<VirtualRegister, u32> = SecondaryMap::new();
        for operand in function.operands.values() {
            if let Some(value) = operand.virtual_register() {
                definitions[value] += u32::from(operand.is_definition());
            }
        }
        let mut folding = Self {
            function,
            definitions,
            folded: SecondaryMap::new(),
        };
        while folding.pass() {}
        folding
    }

    /// The function without the operands that name such values, its arguments defined by
    /// its first instruction. Its instructions have the same numbers.
    pub fn rest(&self) -> Function {
        let mut rest = self.function.clone();
        rest.tuples.clear();
        rest.operands.clear();
        let arguments = self.arguments();
        for (instruction, data) in &mut rest.instructions {
            let begin = rest.operands.len() as u32;
            let first = match instruction.as_u32() {
                0 => arguments.as_slice(),
                _ => &[],
            };
            let own = match is_argument(data.flags) {
                true => &[],
                false => self.function.instruction_operands(instruction),
            };
            for &operand in first.iter().chain(own) {
                let value = operand.virtual_register();
                if !value.is_some_and(|value| self.folded[value]) {
                    // The numbers that ties go by are not those of before.
                    let tied_to = None;
                    // ptxas knows the statements of inline assembly one by one.
                    let flags = operand.flags.difference(OperandFlags::EARLY_CLOBBER);
                    rest.operands.push(Operand {
                        tied_to,
                        flags,
                        ..operand
                    });
                }
            }
            data.operands = begin..rest.operands.len() as u32;
            data.kind = InstructionKind::Plain;
        }
        rest
    }

    /// The operands that define its arguments.
    fn arguments(&self) -> Vec<Operand> {
        let instructions = self.function.instructions.iter();
        let loads = instructions.filter(|(_, data)| is_argument(data.flags));
        let operands = loads.flat_map(|(load, _)| self.function.instruction_operands(load));
        let definitions = operands.filter(|operand| operand.is_definition());
        definitions.copied().collect()
    }

    /// An address in the thread's own memory is the pointer to its stack and a constant.
    /// No other pair comes out of nothing and differs between the threads.
    fn is_stack_address(&self, instruction: Instruction) -> bool {
        let class = |value| self.function.virtual_registers[value].class;
        computed(self.function, instruction)
            .is_some_and(|value| gpu::ptx_class(class(value)) == gpu::PAIR)
    }

    /// Looks at all instructions once; whether that has found something.
    fn pass(&mut self) -> bool {
        let mut found = false;
        for (instruction, data) in &self.function.instructions {
            let uniform = data.flags.contains(InstructionFlags::UNIFORM_PATH);
            if !uniform && !self.is_stack_address(instruction) || is_argument(data.flags) {
                continue;
            }
            let operands = self.function.instruction_operands(instruction);
            let folds = operands.iter().all(|operand| {
                let value = operand.virtual_register();
                value.is_some_and(|value| match operand.is_definition() {
                    true => self.definitions[value] == 1 && !operand.reads(),
                    false => self.folded[value],
                })
            });
            for operand in operands.iter().filter(|one| folds && one.is_definition()) {
                if let Some(value) = operand.virtual_register() {
                    found |= !std::mem::replace(&mut self.folded[value], true);
                }
            }
        }
        found
    }
}

fn is_argument(flags: InstructionFlags) -> bool {
    flags.contains(InstructionFlags::ARGUMENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;

    /// An instruction of the uniform path.
    fn uniform(builder: &mut FunctionBuilder, operands: &[Operand]) -> Instruction {
        let flags = InstructionFlags::UNIFORM_PATH;
        builder.push(InstructionKind::Plain, flags, operands, None)
    }

    #[test]
    fn constants_and_what_is_computed_of_them_alone() {
        let mut builder = FunctionBuilder::new("f");
        let [constant, sum, thread, mixed] =
            [(); 4].map(|()| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        uniform(&mut builder, &[Operand::write(constant)]);
        let reads = [Operand::read(constant), Operand::read(constant)];
        uniform(&mut builder, &[Operand::write(sum), reads[0], reads[1]]);
        builder.plain(&[Operand::write(thread)]);
        let reads = [Operand::read(thread), Operand::read(sum)];
        uniform(&mut builder, &[Operand::write(mixed), reads[0], reads[1]]);
        let function = builder.finish();
        let folding = Folding::new(&function);
        let folded = [constant, sum, thread, mixed].map(|value| folding.folded[value]);
        assert_eq!(folded, [true, true, false, false]);
        let rest = folding.rest();
        let left = rest
            .instructions
            .keys()
            .map(|one| rest.instruction_operands(one).len());
        assert_eq!(left.collect::<Vec<_>>(), [0, 0, 1, 2]);
    }

    #[test]
    fn an_address_on_the_stack_is_no_register_and_a_thread_number_is_one() {
        let mut builder = FunctionBuilder::new("f");
        let address = builder.virtual_register(gpu::PAIR);
        let low_half = builder.virtual_register(gpu::LOW_HALF);
        let thread = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        let flags = InstructionFlags::REMATERIALISABLE | InstructionFlags::DIVERGENT;
        for value in [address, low_half, thread] {
            let operands = [Operand::write(value)];
            builder.push(InstructionKind::Plain, flags, &operands, None);
        }
        let function = builder.finish();
        let folding = Folding::new(&function);
        let folded = [address, low_half, thread].map(|value| folding.folded[value]);
        assert_eq!(folded, [true, true, false]);
    }

    #[test]
    fn an_argument_is_in_a_register_from_the_begin() {
        let mut builder = FunctionBuilder::new("f");
        let [constant, argument] = [(); 2].map(|()| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        uniform(&mut builder, &[Operand::write(constant)]);
        builder.plain(&[Operand::read(constant)]);
        let load = InstructionFlags::UNIFORM_PATH | InstructionFlags::ARGUMENT;
        let kind = InstructionKind::Plain;
        builder.push(kind, load, &[Operand::write(argument)], None);
        builder.plain(&[Operand::read(argument)]);
        let function = builder.finish();
        let rest = Folding::new(&function).rest();
        let left = rest.instructions.keys();
        let left = left.map(|one| rest.instruction_operands(one).len());
        assert_eq!(left.collect::<Vec<_>>(), [1, 0, 0, 1]);
    }

    #[test]
    fn a_value_with_two_definitions_keeps_its_register() {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        uniform(&mut builder, &[Operand::write(value)]);
        uniform(&mut builder, &[Operand::write(value)]);
        let function = builder.finish();
        assert!(!Folding::new(&function).folded[value]);
    }
}
