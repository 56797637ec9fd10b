//! Which values take no register of a thread.
//!
//! PTX loads a constant, an address of a symbol or a parameter into a register before it
//! is used. In the machine code it is an operand: an immediate, or a place in the bank of
//! constants. What is computed of such values alone, by instructions of the uniform data
//! path, ptxas leaves to that path. Two passes at least over the operands, and one more
//! for each time that a value is computed of others that come later in the layout.

use crate::function::{Function, Instruction, InstructionFlags, Operand, VirtualRegister};
use crate::machine::{Class, gpu};
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

    /// Whether a value takes no register.
    pub fn is_folded(&self, value: VirtualRegister) -> bool {
        self.folded[value]
    }

    /// Whether an instruction of the threads reads a pair that is folded: a pair seldom
    /// fits into an instruction.
    pub fn reads_folded_pair(&self, instruction: Instruction) -> bool {
        let operands = self.function.instruction_operands(instruction);
        let class = |value| -> Class { self.function.virtual_registers[value].class };
        let values = || operands.iter().filter(|operand| operand.reads());
        let mut read = values().filter_map(Operand::virtual_register);
        let mut written = operands.iter().filter(|operand| operand.is_definition());
        written.any(|operand| operand.virtual_register().is_some_and(|one| !self.folded[one]))
            && read.any(|value| self.folded[value] && class(value) == gpu::PAIR)
    }

    /// The function without the operands that name such values. Its instructions have
    /// the same numbers.
    pub fn rest(&self) -> Function {
        let mut rest = self.function.clone();
        rest.tuples.clear();
        rest.operands.clear();
        for (instruction, data) in &mut rest.instructions {
            let begin = rest.operands.len() as u32;
            for &operand in self.function.instruction_operands(instruction) {
                let value = operand.virtual_register();
                if !value.is_some_and(|value| self.folded[value]) {
                    // The numbers that ties go by are not those of before.
                    let tied_to = None;
                    rest.operands.push(Operand { tied_to, ..operand });
                }
            }
            data.operands = begin..rest.operands.len() as u32;
            data.kind = crate::function::InstructionKind::Plain;
        }
        rest
    }

    /// Looks at all instructions once; whether that has found something.
    fn pass(&mut self) -> bool {
        let mut found = false;
        for (instruction, data) in &self.function.instructions {
            if !data.flags.contains(InstructionFlags::UNIFORM_PATH) {
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
