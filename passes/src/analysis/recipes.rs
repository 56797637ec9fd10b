//! Recipes: which values can be computed anew wherever they are read.
//!
//! A value whose only definition reads nothing (a constant, an address, a parameter, a
//! special register) is the same wherever it is computed. Spilled, it needs no slot: the
//! instruction is repeated where the value would be reloaded, and the definition itself
//! goes if nothing reads its register. Linear.
//! Source: Briggs, Cooper and Torczon, "Rematerialization" (1992), without their
//! splitting where paths meet; the documents name the pass only.

use crate::function::{Function, Instruction, InstructionFlags, VirtualRegister};
use cranelift_entity::SecondaryMap;

/// The instruction that computes each value which could be computed anywhere.
pub type Recipes = SecondaryMap<VirtualRegister, Option<Instruction>>;

/// Finds the recipes of a function.
pub fn recipes(function: &Function) -> Recipes {
    let mut definitions: SecondaryMap<VirtualRegister, u32> = SecondaryMap::new();
    for operand in function.operands.values() {
        if let Some(value) = operand.virtual_register() {
            definitions[value] += u32::from(operand.is_definition());
        }
    }
    let mut recipes = Recipes::new();
    for instruction in function.instructions.keys() {
        if let Some(value) = computed(function, instruction)
            && definitions[value] == 1
        {
            recipes[value] = Some(instruction);
        }
    }
    recipes
}

/// The value that an instruction computes out of nothing, if it does nothing else.
pub fn computed(function: &Function, instruction: Instruction) -> Option<VirtualRegister> {
    const OBSTACLES: InstructionFlags = InstructionFlags::CALL
        .union(InstructionFlags::TERMINATOR)
        .union(InstructionFlags::CONVERGENT)
        .union(InstructionFlags::INLINE_ASSEMBLY)
        .union(InstructionFlags::LEAVES)
        .union(InstructionFlags::LABEL);
    let data = &function.instructions[instruction];
    let [operand] = function.instruction_operands(instruction) else {
        return None;
    };
    let suits = data.flags.contains(InstructionFlags::REMATERIALISABLE)
        && !data.flags.intersects(OBSTACLES)
        && data.clobbers.is_none()
        && operand.is_definition()
        && !operand.reads()
        && operand.sub_register.is_whole();
    operand.virtual_register().filter(|_| suits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, InstructionKind, Operand};
    use crate::machine::gpu;

    #[test]
    fn only_what_reads_nothing_and_is_defined_once_has_a_recipe() {
        let mut builder = FunctionBuilder::new("f");
        let [once, twice, derived, plain, convergent] =
            std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        let constant = InstructionFlags::REMATERIALISABLE;
        let mut push = |flags, operands: &[Operand]| {
            builder.push(InstructionKind::Plain, flags, operands, None);
        };
        push(constant, &[Operand::write(once)]);
        push(constant, &[Operand::write(twice)]);
        push(constant, &[Operand::write(twice)]);
        push(constant, &[Operand::write(derived), Operand::read(once)]);
        push(InstructionFlags::empty(), &[Operand::write(plain)]);
        push(
            constant | InstructionFlags::CONVERGENT,
            &[Operand::write(convergent)],
        );
        let function = builder.finish();
        let recipes = recipes(&function);
        let found = function
            .virtual_registers
            .keys()
            .map(|value| recipes[value]);
        let first = Some(Instruction::from_u32(0));
        assert_eq!(found.collect::<Vec<_>>(), [first, None, None, None, None]);
    }
}
