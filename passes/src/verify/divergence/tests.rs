//! The planted faults have a kernel for each rule; here the checker and the allocator are
//! compared. Neither knows of the other, so what one of them gets wrong shows.

use super::*;
use crate::analysis::uniformity::Uniformity;
use crate::function::{
    Access, FunctionBuilder, InstructionKind, Operand, OperandFlags, OperandRegister,
};
use crate::machine::gpu;
use fastrand::Rng;

/// A kernel with random control flow and random reads; all its blocks can be reached.
fn kernel(random: &mut Rng) -> Function {
    let mut builder = FunctionBuilder::new("f");
    builder.kernel(random.u8(..20) > 0);
    let values: Vec<VirtualRegister> = (0..random.usize(1..12))
        .map(|_| builder.virtual_register(gpu::SINGLE32))
        .collect();
    let physical = gpu::machine(8).classes[gpu::SINGLE32].order[0];
    let mut blocks = Vec::new();
    for number in 0..random.usize(1..10) {
        let block = builder.start_block(1.0, 0, &[]);
        if number > 0 {
            builder.edge(blocks[random.usize(..number)], block);
        }
        blocks.push(block);
        for _ in 0..random.usize(..3) {
            let mut operands = vec![Operand::write(values[random.usize(..values.len())])];
            for _ in 0..random.usize(..3) {
                let mut read = Operand::read(values[random.usize(..values.len())]);
                match random.u8(..40) {
                    0..4 => read.flags = OperandFlags::UNDEFINED,
                    4 => read = Operand::new(OperandRegister::Physical(physical), Access::Use),
                    _ => {}
                }
                operands.push(read);
            }
            let mut flags = InstructionFlags::empty();
            flags.set(InstructionFlags::DIVERGENT, random.u8(..12) == 0);
            builder.push(InstructionKind::Plain, flags, &operands, None);
        }
        if random.u8(..3) > 0 {
            let read = Operand::read(values[random.usize(..values.len())]);
            let operands = &[read][..random.usize(..=1)];
            let flags = InstructionFlags::TERMINATOR;
            builder.push(InstructionKind::Plain, flags, operands, None);
        }
    }
    for _ in 0..random.usize(..2 * blocks.len()) {
        let ends = [0, 1].map(|_| blocks[random.usize(..blocks.len())]);
        if !builder.function().blocks[ends[0]]
            .successors
            .contains(&ends[1])
        {
            builder.edge(ends[0], ends[1]);
        }
    }
    builder.finish()
}

#[test]
fn the_allocator_finds_the_same() {
    let mut random = Rng::with_seed(3);
    let mut counts = [0, 0];
    for _ in 0..20_000 {
        let function = kernel(&mut random);
        let divergence = Divergence::new(&function);
        let uniformity = Uniformity::new(&function);
        for value in function.virtual_registers.keys() {
            let may_differ = divergence.may_differ(value);
            assert_eq!(
                may_differ,
                !uniformity.is_uniform(value),
                "{value} of {function:?}"
            );
            counts[usize::from(may_differ)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 10_000), "{counts:?}");
}
