//! How many registers the loads of one block write.
//!
//! ptxas issues the loads of a block before it uses what they load, as far as it has registers
//! to spare: many for a kernel that asks for few warps, some where registers cost none. Linear
//! in the operands.

use super::meaning::{Access, Space, Texts};
use crate::function::{Block, Function, Instruction, Operand};
use crate::machine::{File, Machine};

/// The most that the loads from global memory of one block write.
pub fn most_loaded(function: &Function, machine: &Machine, file: File, texts: &Texts) -> u32 {
    let is_load = |one| texts.meanings[one].access == Access::Load(Space::Global);
    let blocks = function.blocks.keys();
    let loaded = blocks.map(|block| loaded(function, machine, file, block, is_load));
    loaded.max().unwrap_or(0)
}

/// What the loads of a block write.
pub fn loaded(
    function: &Function,
    machine: &Machine,
    file: File,
    block: Block,
    is_load: impl Fn(Instruction) -> bool,
) -> u32 {
    let instructions = function.block_instructions(block);
    let loads = instructions.filter(|&one| is_load(one));
    let operands = loads.flat_map(|one| function.instruction_operands(one));
    let results = operands.filter(|operand| operand.is_definition());
    let values = results.filter_map(Operand::virtual_register);
    let classes = values.map(|value| function.virtual_registers[value].class);
    classes
        .map(|class| machine.class_columns(file, class))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;
    use crate::machine::gpu;

    #[test]
    fn loads_of_one_block_from_global_memory_count_with_their_widths() {
        let mut builder = FunctionBuilder::new("f");
        let mut texts = Texts::default();
        let mut load = |builder: &mut FunctionBuilder, class, space| {
            let value = builder.virtual_register(class);
            let load = builder.plain(&[Operand::write(value)]);
            texts.meanings[load].access = Access::Load(space);
        };
        builder.start_block(1.0, 0, &[]);
        load(&mut builder, gpu::PAIR, Space::Global);
        load(&mut builder, gpu::SINGLE32, Space::Global);
        load(&mut builder, gpu::SINGLE32, Space::Shared);
        builder.start_block(1.0, 0, &[]);
        load(&mut builder, gpu::PAIR, Space::Global);
        let machine = gpu::machine(gpu::R_SIZE);
        let file = machine.limited_file().expect("R");
        assert_eq!(most_loaded(&builder.finish(), &machine, file, &texts), 3);
    }
}
