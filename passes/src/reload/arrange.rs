//! The work function with its instructions in other places, with fewer of them, or with
//! other names.
//!
//! Requires, for each block, all of the caller's instructions of this block in their order,
//! and spill code of any block, each instruction at most once, with places of this block that
//! do not descend; spill code does not stand behind terminators. Ensures a work function that
//! is so, whose instructions are numbered anew. Linear.

use crate::function::{
    Block, FunctionBuilder, Instruction, Operand, OperandRegister, Tuple, VirtualRegister,
};
use crate::spill::provenance::Origin;
use crate::spill::work::Work;
use cranelift_entity::PrimaryMap;

/// For each block its instructions, as they are numbered now, with where they come from.
pub type Layout = PrimaryMap<Block, Vec<(Instruction, Origin)>>;

/// The layout as it is.
pub fn layout(work: &Work) -> Layout {
    let blocks = work.function.blocks.keys();
    blocks
        .map(|block| {
            let instructions = work.function.block_instructions(block);
            instructions
                .map(|one| (one, work.provenance.instructions[one]))
                .collect()
        })
        .collect()
}

/// Arranges the function; `name` says what each virtual register is called from now on.
pub fn arrange(
    work: &mut Work,
    layout: &Layout,
    name: impl Fn(VirtualRegister) -> VirtualRegister,
) {
    let old = std::mem::take(&mut work.function);
    let mut builder = FunctionBuilder::about_as_large(&old);
    builder.kernel(old.kernel);
    for data in old.virtual_registers.values() {
        builder.add_virtual_register(data.clone());
    }
    let mut origins = PrimaryMap::with_capacity(old.instructions.len());
    let mut first_terminators = Vec::with_capacity(layout.len());
    for (block, instructions) in layout {
        let data = &old.blocks[block];
        builder.start_block(data.frequency, data.loop_depth, &data.live_in);
        if data.landing {
            builder.landing();
        }
        builder.clobber_on_entry(data.clobbers);
        let count = instructions.len();
        let old_terminators = data.first_terminator..data.instructions.end;
        let is_terminator =
            |&(one, _): &(Instruction, Origin)| old_terminators.contains(&one.as_u32());
        let terminators = instructions.iter().position(is_terminator);
        let first = builder.function().instructions.len() as u32;
        first_terminators.push((block, first + terminators.unwrap_or(count) as u32));
        for &(instruction, origin) in instructions {
            let data = &old.instructions[instruction];
            let operands: Vec<Operand> = old
                .instruction_operands(instruction)
                .iter()
                .map(|operand| match operand.register {
                    OperandRegister::Virtual(value) => Operand {
                        register: OperandRegister::Virtual(name(value)),
                        ..*operand
                    },
                    _ => *operand,
                })
                .collect();
            let kept = builder.push(data.kind, data.flags, &operands, data.clobbers);
            for tuple in old.instruction_tuples(instruction) {
                builder.tuple(Tuple {
                    instruction: kept,
                    ..tuple.clone()
                });
            }
            origins.push(origin);
        }
    }
    for (block, data) in &old.blocks {
        for &successor in &data.successors {
            builder.edge(block, successor);
        }
    }
    work.function = builder.finish();
    for (block, first) in first_terminators {
        work.function.blocks[block].first_terminator = first;
    }
    work.provenance.instructions = origins;
}
