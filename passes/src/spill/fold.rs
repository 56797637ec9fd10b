//! Folding: an instruction accesses a spilled value in memory itself.
//!
//! Then there is no reload, no store and no register in between. Which operands can do
//! that with a slot the caller says ([`OperandFlags::FOLDABLE`]), and which can read what
//! is rematerialised by loading it again from where its definition loads it
//! ([`OperandFlags::LOADABLE`]); an instruction has room for one value, or for all of them
//! ([`InstructionFlags::RECORDS`]). What is read and
//! written at once is both in memory. Source: LLVM's spiller, which asks its target when
//! the register is given already; known before, it counts in what spilling costs.

use crate::function::{
    Function, Instruction, InstructionFlags, InstructionKind, Operand, OperandFlags,
    VirtualRegister,
};

/// What an operand says that can take place in memory, for a value that goes to a slot, or
/// that is rematerialised.
pub fn fold_flag(is_rematerialised: bool) -> OperandFlags {
    match is_rematerialised {
        true => OperandFlags::LOADABLE,
        false => OperandFlags::FOLDABLE,
    }
}

/// Whether an operand only reads, and needs no register for what is written.
fn is_free_use(operand: &Operand) -> bool {
    !operand.is_definition() && operand.tied_to.is_none()
}

/// Whether an instruction can access a value in memory that it names, where its operands
/// have to have this flag.
pub fn can_fold(
    function: &Function,
    instruction: Instruction,
    value: VirtualRegister,
    flag: OperandFlags,
) -> bool {
    let data = &function.instructions[instruction];
    let operands = function.instruction_operands(instruction);
    let suits = |operand: &Operand| {
        let flags = operand.flags;
        flags.contains(flag)
            && (flag == OperandFlags::FOLDABLE || is_free_use(operand))
            && !flags.intersects(OperandFlags::DEAD | OperandFlags::UNDEFINED)
            && (!operand.is_definition() || operand.sub_register.is_whole())
            // What is defined where control leaves is named where it arrives.
            && !(operand.is_definition() && data.flags.contains(InstructionFlags::LEAVES))
    };
    let own = |operand: &&Operand| operand.virtual_register() == Some(value);
    data.kind == InstructionKind::Plain
        && !data.flags.contains(InstructionFlags::TERMINATOR)
        && operands.iter().filter(own).all(suits)
        && (data.flags.contains(InstructionFlags::RECORDS)
            || !operands.iter().any(Operand::is_in_memory))
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
            can_fold(
                &builder.finish(),
                instruction,
                value,
                OperandFlags::FOLDABLE,
            )
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

    #[test]
    fn loads_only_where_all_operands_can() {
        let mut builder = FunctionBuilder::new("f");
        let [value, other] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        let with = |flags, operand| Operand { flags, ..operand };
        let loadable = with(OperandFlags::LOADABLE, Operand::read(value));
        let foldable = with(OperandFlags::FOLDABLE, Operand::read(value));
        let both = builder.plain(&[Operand::write(other), loadable, loadable]);
        let one = builder.plain(&[Operand::write(other), loadable, Operand::read(value)]);
        let slot = builder.plain(&[foldable]);
        let written = builder.plain(&[with(OperandFlags::LOADABLE, Operand::write(value))]);
        let function = builder.finish();
        let can = |at, is_again| can_fold(&function, at, value, fold_flag(is_again));
        assert!(can(both, true) && !can(both, false));
        assert!(!can(one, true));
        assert!(can(slot, false) && !can(slot, true));
        assert!(!can(written, true));
    }
}
