//! What ptxas keeps live where registers are free.
//!
//! Loads take long. As long as no warp is lost to the registers, ptxas keeps the order that
//! compilers for GPUs leave, in which loads come first, and does not look for one that
//! needs fewer. A kernel that asks for so many resident blocks (`.minnctapersm`) frees the
//! registers that those leave: there ptxas also unrolls loops of one block, and issues the
//! loads of all copies before it uses any. Linear in the operands.

use super::expansion::{Expansion, Expansions};
use super::parameters::PARAMETERS;
use super::pressure::Pressure;
use crate::function::{Block, Function, Operand};
use crate::machine::{File, Machine};

/// The registers for that, where there are enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// In the order that the function is in.
    pub in_order: u32,
    /// In loops that are unrolled besides.
    pub unrolled: u32,
}

/// What is wanted by a function with this pressure in the order that it is in.
pub fn wanted(
    function: &Function,
    machine: &Machine,
    file: File,
    in_order: &Pressure,
    expansions: &Expansions,
) -> Wanted {
    let mut wanted = Wanted::default();
    for (block, data) in &function.blocks {
        let instructions = function.block_instructions(block);
        let most = instructions.map(|one| in_order[one]).max().unwrap_or(0);
        wanted.in_order = wanted.in_order.max(most);
        if data.successors.contains(&block) {
            let loaded = loaded(function, machine, file, expansions, block);
            if loaded > 0 {
                let unrolled = most + loaded * (PARAMETERS.copies - 1);
                wanted.unrolled = wanted.unrolled.max(unrolled);
            }
        }
    }
    wanted
}

/// The registers that the loads of a block write.
fn loaded(
    function: &Function,
    machine: &Machine,
    file: File,
    expansions: &Expansions,
    block: Block,
) -> u32 {
    let instructions = function.block_instructions(block);
    let loads = instructions.filter(|&one| expansions[one] == Some(Expansion::Load));
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
    use super::super::pressure::pressures;
    use super::*;
    use crate::budget::limited_file;
    use crate::function::{FunctionBuilder, Instruction};
    use crate::machine::gpu;

    /// What a block wants that loads so many values, then reads them one by one; it is a
    /// loop if it is its own successor.
    fn of_block(loads: u32, is_loop: bool, are_known: bool) -> Wanted {
        let mut builder = FunctionBuilder::new("f");
        let values: Vec<_> = (0..loads)
            .map(|_| builder.virtual_register(gpu::PAIR))
            .collect();
        let block = builder.start_block(1.0, 0, &[]);
        for &value in &values {
            builder.plain(&[Operand::write(value)]);
        }
        for &value in &values {
            builder.plain(&[Operand::read(value)]);
        }
        let exit = builder.start_block(1.0, 0, &[]);
        builder.edge(block, exit);
        if is_loop {
            builder.edge(block, block);
        }
        let function = builder.finish();
        let machine = gpu::machine(gpu::R_SIZE);
        let file = limited_file(&machine).expect("R");
        let mut expansions = Expansions::new();
        for number in 0..loads * u32::from(are_known) {
            expansions[Instruction::from_u32(number)] = Some(Expansion::Load);
        }
        let pressures = pressures(&function, &machine, file, None);
        wanted(&function, &machine, file, &pressures.in_order, &expansions)
    }

    #[test]
    fn the_copies_of_a_loop_load_together() {
        let found = of_block(3, true, true);
        assert_eq!(found.in_order, 6);
        assert_eq!(found.unrolled, PARAMETERS.copies * 6);
    }

    #[test]
    fn nothing_else_is_unrolled() {
        assert_eq!(of_block(3, false, true).unrolled, 0);
        assert_eq!(of_block(3, true, false).unrolled, 0);
        assert_eq!(of_block(3, true, false).in_order, 6);
    }
}
