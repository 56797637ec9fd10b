//! The same function with its blocks in another order: LLVM's need not stand in the order in
//! which they run, and no pass may take it for granted.

use passes::function::{Block, Function, FunctionBuilder, Instruction, Tuple};

/// All blocks but the first in reverse.
pub fn reversed(old: &Function) -> Function {
    let mut order: Vec<Block> = old.blocks.keys().collect();
    order[1..].reverse();
    let count = order.len() as u32;
    let place = |block: Block| match block.as_u32() {
        0 => block,
        number => Block::from_u32(count - number),
    };
    let mut builder = FunctionBuilder::new(old.name.clone());
    builder.kernel(old.kernel);
    for data in old.virtual_registers.values() {
        builder.add_virtual_register(data.clone());
    }
    let mut first_terminators = Vec::new();
    for &block in &order {
        let data = &old.blocks[block];
        builder.start_block(data.frequency, data.loop_depth, &data.live_in);
        if data.landing {
            builder.landing();
        }
        builder.clobber_on_entry(data.clobbers);
        let begin = builder.function().instructions.len() as u32;
        first_terminators.push(begin + data.first_terminator - data.instructions.start);
        for one in data.instructions.clone().map(Instruction::from_u32) {
            let own = &old.instructions[one];
            let operands = old.instruction_operands(one);
            let instruction = builder.push(own.kind, own.flags, operands, own.clobbers);
            if let Some(registers) = own.thread_registers {
                builder.thread_registers(registers);
            }
            for tuple in old.instruction_tuples(one) {
                let tuple = tuple.clone();
                builder.tuple(Tuple {
                    instruction,
                    ..tuple
                });
            }
        }
    }
    for &block in &order {
        for &successor in &old.blocks[block].successors {
            builder.edge(place(block), place(successor));
        }
    }
    let mut function = builder.finish();
    for (data, first) in function.blocks.values_mut().zip(first_terminators) {
        data.first_terminator = first;
    }
    function
}
