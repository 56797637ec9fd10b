//! What ptxas takes for loops that it unrolls.
//!
//! ptxas unrolls small loops of one block that count by a constant. A kernel that asks for so
//! many resident blocks (`.minnctapersm`) frees the registers that those leave: there the
//! loads of all copies are issued before any is used, elsewhere some of them. Linear in the
//! operands.

use super::expansion::Expansion;
use super::loads::loaded;
use super::meaning::{Access, Form, Texts};
use super::parameters::{COPIES, LARGEST_UNROLLED};
use super::pressure::Pressure;
use crate::function::{Block, Function, Instruction, InstructionKind, Operand, VirtualRegister};
use crate::machine::{File, Machine, gpu};

/// Steps from a comparison to the addition that counts: copies between them.
const MOST_COPIES: usize = 3;

/// The registers wanted in the loops that are unrolled, with this pressure in the order
/// that the function is in; none if there is no such loop.
pub fn wanted(
    function: &Function,
    machine: &Machine,
    file: File,
    in_order: &Pressure,
    texts: &Texts,
) -> Option<u32> {
    let blocks = function.blocks.keys();
    let loops = blocks.filter(|&block| is_unrolled(function, texts, block));
    let wanted = loops.map(|block| {
        let instructions = function.block_instructions(block);
        let most = instructions.map(|one| in_order[one]).max().unwrap_or(0);
        let is_load = |one| texts.expansions[one] == Some(Expansion::Load);
        most + loaded(function, machine, file, block, is_load) * (COPIES - 1)
    });
    wanted.max()
}

fn is_unrolled(function: &Function, texts: &Texts, block: Block) -> bool {
    let data = &function.blocks[block];
    let is = |one: Instruction, expansion| texts.expansions[one] == Some(expansion);
    let instructions = || function.block_instructions(block);
    data.successors.contains(&block)
        && data.instructions.len() <= LARGEST_UNROLLED as usize
        && instructions().any(|one| is(one, Expansion::Load))
        && !instructions().any(|one| {
            is(one, Expansion::Local) || texts.meanings[one].access == Access::Everything
        })
        && counts_by_constant(function, texts, block)
}

/// Whether a sum of something and a constant decides about another turn.
fn counts_by_constant(function: &Function, texts: &Texts, block: Block) -> bool {
    let defining = |value: VirtualRegister| {
        let mut instructions = function.block_instructions(block).rev();
        instructions.find(|&one| {
            let mut operands = function.instruction_operands(one).iter();
            operands.any(|one| one.is_definition() && one.virtual_register() == Some(value))
        })
    };
    let read = |instruction: Instruction| {
        let operands = function.instruction_operands(instruction).iter();
        let uses = operands.filter(|operand| !operand.is_definition());
        uses.filter_map(Operand::virtual_register)
    };
    let is_predicate =
        |&value: &VirtualRegister| function.virtual_registers[value].class == gpu::PREDICATE;
    let counts = |mut value: VirtualRegister| {
        for _ in 0..MOST_COPIES {
            let Some(definition) = defining(value) else {
                return false;
            };
            if texts.meanings[definition].form == Some(Form::Sum) {
                return true;
            }
            match (
                function.instructions[definition].kind,
                read(definition).next(),
            ) {
                (InstructionKind::Copy, Some(source)) => value = source,
                _ => return false,
            }
        }
        false
    };
    let data = &function.blocks[block];
    let terminators = (data.first_terminator..data.instructions.end).map(Instruction::from_u32);
    let mut conditions = terminators.flat_map(read).filter(is_predicate);
    conditions
        .any(|condition| defining(condition).is_some_and(|comparison| read(comparison).any(counts)))
}

#[cfg(test)]
mod tests {
    use super::super::pressure::pressures;
    use super::*;
    use crate::function::{FunctionBuilder, InstructionFlags};

    /// What is wanted by a loop that loads three pairs and reads them one by one, counting
    /// by a constant or by something else.
    fn of_loop(counter: Option<Form>, spoil: impl Fn(&mut Texts, Instruction)) -> Option<u32> {
        let mut builder = FunctionBuilder::new("f");
        let mut texts = Texts::default();
        let values = [(); 3].map(|()| builder.virtual_register(gpu::PAIR));
        let number = builder.virtual_register(gpu::SINGLE32);
        let again = builder.virtual_register(gpu::PREDICATE);
        let block = builder.start_block(1.0, 0, &[]);
        for value in values {
            let load = builder.plain(&[Operand::write(value)]);
            texts.expansions[load] = Some(Expansion::Load);
        }
        for value in values {
            builder.plain(&[Operand::read(value)]);
        }
        let counts = builder.plain(&[Operand::write(number), Operand::read(number)]);
        texts.meanings[counts].form = counter;
        builder.plain(&[Operand::write(again), Operand::read(number)]);
        let branch = [Operand::read(again)];
        let kind = InstructionKind::Plain;
        builder.push(kind, InstructionFlags::TERMINATOR, &branch, None);
        let exit = builder.start_block(1.0, 0, &[]);
        builder.edge(block, exit);
        builder.edge(block, block);
        let function = builder.finish();
        spoil(&mut texts, Instruction::from_u32(3));
        let machine = gpu::machine(gpu::R_SIZE);
        let file = machine.limited_file().expect("R");
        let pressures = pressures(&function, &machine, file, None);
        wanted(&function, &machine, file, &pressures.in_order, &texts)
    }

    #[test]
    fn the_copies_of_a_loop_load_together() {
        // Three pairs and the counter, and three more copies of the pairs.
        assert_eq!(of_loop(Some(Form::Sum), |_, _| ()), Some(7 + 3 * 6));
    }

    #[test]
    fn other_loops_are_not_unrolled() {
        assert_eq!(of_loop(None, |_, _| ()), None);
        let barrier = |texts: &mut Texts, one| texts.meanings[one].access = Access::Everything;
        assert_eq!(of_loop(Some(Form::Sum), barrier), None);
        let local = |texts: &mut Texts, one| texts.expansions[one] = Some(Expansion::Local);
        assert_eq!(of_loop(Some(Form::Sum), local), None);
    }
}
