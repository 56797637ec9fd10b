//! Whether anything that a kernel does can be seen from outside.
//!
//! ptxas removes what cannot: a kernel that only computes comes out empty. Where values
//! are stored into the threads' own memory it sometimes finds that nobody reads them and
//! sometimes does not; here such a store counts. One pass over the instructions.

use super::expansion::{Expansion, Expansions};
use crate::function::{Function, Instruction, InstructionFlags};

/// Whether some instruction acts on the world outside.
pub fn acts(function: &Function, expansions: &Expansions) -> bool {
    let mut instructions = function.instructions.keys();
    !function.kernel || instructions.any(|one| is_effect(function, expansions, one))
}

/// An instruction that defines nothing is there for its effect.
fn is_effect(function: &Function, expansions: &Expansions, instruction: Instruction) -> bool {
    let flags = function.instructions[instruction].flags;
    let silent = InstructionFlags::TERMINATOR | InstructionFlags::LABEL;
    let acting = InstructionFlags::CALL | InstructionFlags::CONVERGENT;
    let operands = function.instruction_operands(instruction);
    let defines = operands.iter().any(|operand| operand.is_definition());
    expansions[instruction] == Some(Expansion::Atomic)
        || flags.intersects(acting)
        || !(defines || flags.intersects(silent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, InstructionKind, Operand};
    use crate::machine::gpu;

    /// Whether a kernel acts that defines a value and has one more instruction, with
    /// these flags, that reads it.
    fn acts_with(flags: InstructionFlags, expansion: Option<Expansion>) -> bool {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(value)]);
        let operands = [Operand::read(value)];
        let reader = builder.push(InstructionKind::Plain, flags, &operands, None);
        let mut function = builder.finish();
        function.kernel = true;
        let mut expansions = Expansions::new();
        expansions[reader] = expansion;
        acts(&function, &expansions)
    }

    #[test]
    fn stores_act_and_branches_do_not() {
        assert!(acts_with(InstructionFlags::empty(), None));
        let local = Some(Expansion::Local);
        assert!(acts_with(InstructionFlags::empty(), local));
        assert!(!acts_with(InstructionFlags::TERMINATOR, None));
    }

    #[test]
    fn atomics_and_calls_act() {
        let terminator = InstructionFlags::TERMINATOR;
        assert!(acts_with(terminator, Some(Expansion::Atomic)));
        assert!(acts_with(terminator | InstructionFlags::CALL, None));
    }
}
