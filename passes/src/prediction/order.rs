//! What ptxas keeps in order: less than LLVM does.
//!
//! To LLVM most inline assembly is a side effect, and all of it stays in order. ptxas reads
//! it: a product of matrices depends on its operands alone, a load on the stores to its
//! space. Linear in the instructions.

use super::meaning::{Access, Meanings, Space};
use crate::function::{Function, Instruction, InstructionFlags};
use crate::schedule::Dependences;

/// The accesses of one block so far.
#[derive(Default)]
struct Block {
    barrier: Option<Instruction>,
    since_barrier: Vec<Instruction>,
    spaces: [Accesses; Space::COUNT],
}

/// The accesses to one space since the last barrier.
#[derive(Default)]
struct Accesses {
    store: Option<Instruction>,
    /// Since that store.
    loads: Vec<Instruction>,
}

/// The pairs of instructions that stay in order beside those that registers order.
pub fn dependences(function: &Function, meanings: &Meanings) -> Dependences {
    let mut pairs = Vec::new();
    for block in function.blocks.keys() {
        let mut state = Block::default();
        for instruction in function.block_instructions(block) {
            let access = access(function, meanings, instruction);
            if access != Access::None {
                state.step(instruction, access, &mut pairs);
            }
        }
    }
    // They follow each other in one block, so there is no error.
    Dependences::new(function, pairs).unwrap_or_default()
}

/// What has no text and no operands is a barrier, or as good as one.
fn access(function: &Function, meanings: &Meanings, instruction: Instruction) -> Access {
    let flags = function.instructions[instruction].flags;
    let silent = InstructionFlags::TERMINATOR
        | InstructionFlags::LABEL
        | InstructionFlags::IMPLICIT_DEFINITION;
    let says_nothing = !flags.intersects(silent | InstructionFlags::INLINE_ASSEMBLY)
        && function.instruction_operands(instruction).is_empty();
    match meanings[instruction].access {
        _ if flags.contains(InstructionFlags::TERMINATOR) => Access::None,
        _ if flags.contains(InstructionFlags::CALL) || says_nothing => Access::Everything,
        access => access,
    }
}

impl Block {
    fn step(
        &mut self,
        instruction: Instruction,
        access: Access,
        pairs: &mut Vec<(Instruction, Instruction)>,
    ) {
        let mut after = |earlier: &mut dyn Iterator<Item = Instruction>| {
            pairs.extend(earlier.map(|one| (one, instruction)));
        };
        after(&mut self.barrier.into_iter());
        match access {
            Access::None => {}
            Access::Load(space) => {
                let accesses = &mut self.spaces[space as usize];
                after(&mut accesses.store.into_iter());
                accesses.loads.push(instruction);
            }
            Access::Store(space) => {
                let accesses = &mut self.spaces[space as usize];
                after(&mut accesses.store.into_iter());
                after(&mut accesses.loads.drain(..));
                accesses.store = Some(instruction);
            }
            Access::Everything => {
                after(&mut self.since_barrier.drain(..));
                *self = Self {
                    barrier: Some(instruction),
                    ..Self::default()
                };
                return;
            }
        }
        self.since_barrier.push(instruction);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    /// That of such accesses these pairs stay in order, and no others.
    fn check(accesses: &[Access], expected: &[(u32, u32)]) {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        let mut meanings = Meanings::new();
        for &access in accesses {
            let instruction = builder.plain(&[Operand::read(value)]);
            meanings[instruction].access = access;
        }
        let function = builder.finish();
        let pairs = expected
            .iter()
            .map(|&(one, other)| (Instruction::from_u32(one), Instruction::from_u32(other)));
        let expected = Dependences::new(&function, pairs.collect());
        assert_eq!(Ok(dependences(&function, &meanings)), expected);
    }

    #[test]
    fn loads_pass_each_other_and_stores_to_other_spaces() {
        use Access::{Load, Store};
        use Space::{Global, Shared};
        let accesses = [
            Load(Shared),
            Load(Shared),
            Store(Global),
            Store(Shared),
            Load(Shared),
        ];
        check(&accesses, &[(0, 3), (1, 3), (3, 4)]);
    }

    #[test]
    fn nothing_passes_a_barrier_but_what_does_not_access_memory() {
        use Access::{Everything, Load, None};
        let load = Load(Space::Global);
        check(&[load, None, Everything, None, load], &[(0, 2), (2, 4)]);
    }
}
