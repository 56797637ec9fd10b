//! Folding: an instruction accesses a spilled value in memory itself.
//!
//! Then there is no reload, no store and no register in between. Which operands can do
//! that the caller says ([`OperandFlags::FOLDABLE`]); an instruction has room for one
//! value. What is read and written at once is both in memory. Source: LLVM's spiller,
//! which asks its target when the register is given already; known before, it counts in
//! what spilling costs.

use crate::function::{
    Function, Instruction, InstructionFlags, InstructionKind, Operand, OperandFlags,
    VirtualRegister,
};

/// Whether an instruction can access a value in memory that it names.
pub fn can_fold(function: &Function, instruction: Instruction, value: VirtualRegister) -> bool {
    let data = &function.instructions[instruction];
    let operands = function.instruction_operands(instruction);
    let suits = |operand: &Operand| {
        let flags = operand.flags;
        flags.contains(OperandFlags::FOLDABLE)
            && !flags.intersects(OperandFlags::DEAD | OperandFlags::UNDEFINED)
            && (!operand.is_definition() || operand.sub_register.is_whole())
            // What is defined where control leaves is named where it arrives.
            && !(operand.is_definition() && data.flags.contains(InstructionFlags::LEAVES))
    };
    let own = |operand: &&Operand| operand.virtual_register() == Some(value);
    data.kind == InstructionKind::Plain
        && !data.flags.contains(InstructionFlags::TERMINATOR)
        && operands.iter().filter(own).all(suits)
        && operands.iter().all(|operand| operand.slot().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;
    use crate::machine::gpu;

    #[test]
    fn not_every_instruction_has_room_for_memory() {
        let can = |kind, flags, extra: OperandFlags, definition: bool| {
            let mut builder = FunctionBuilder::new("f");
            let [value, other] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
            builder.start_block(1.0, 0, &[]);
            let mut operands = [Operand::write(other), Operand::read(value)];
            if definition {
                operands = [Operand::write(value), Operand::read(other)];
            }
            operands[usize::from(!definition)].flags = OperandFlags::FOLDABLE | extra;
            let instruction = builder.push(kind, flags, &operands, None);
            can_fold(&builder.finish(), instruction, value)
        };
        let (plain, none) = (InstructionKind::Plain, InstructionFlags::empty());
        let (leaves, last) = (InstructionFlags::LEAVES, InstructionFlags::TERMINATOR);
        let flags = OperandFlags::empty();
        assert!(can(plain, none, flags, false));
        assert!(can(plain, none, flags, true));
        assert!(can(plain, leaves, flags, false));
        assert!(!can(plain, leaves, flags, true));
        assert!(!can(plain, last, flags, false));
        assert!(!can(InstructionKind::Copy, none, flags, false));
        assert!(!can(plain, none, OperandFlags::DEAD, true));
        assert!(!can(plain, none, OperandFlags::UNDEFINED, false));
    }
}
