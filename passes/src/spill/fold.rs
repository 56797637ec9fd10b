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
