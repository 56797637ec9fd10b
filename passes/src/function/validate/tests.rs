//! Faults that the text format cannot express; the others are tested there.

use super::*;
use crate::function::FunctionBuilder;
use crate::machine::{ClobberMask, gpu};

/// The message about a valid function after a change.
fn fault(change: impl FnOnce(&mut Function)) -> String {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let entry = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    let exit = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::read(value)]);
    builder.edge(entry, exit);
    let mut function = builder.finish();
    let machine = gpu::machine(4);
    assert_eq!(function.validate(&machine), Ok(()));
    change(&mut function);
    function.validate(&machine).unwrap_err().to_string()
}

#[test]
fn ranges_must_follow_one_another() {
    let (b0, b1) = (Block::from_u32(0), Block::from_u32(1));
    let i1 = Instruction::from_u32(1);
    for (message, expected) in [
        (
            fault(|f| f.blocks[b1].instructions = 0..2),
            "malformed input: b1: its instructions 0..2 do not follow instruction 1",
        ),
        (
            fault(|f| {
                f.blocks[b1].instructions = 1..1;
                f.blocks[b1].first_terminator = 1;
            }),
            "malformed input: function: its blocks have 1 of its 2 instructions",
        ),
        (
            fault(|f| f.blocks[b0].first_terminator = 2),
            "malformed input: b0: its first terminator 2 is not within 0..1",
        ),
        (
            fault(|f| f.instructions[i1].operands = 1..3),
            "malformed input: i1: its operands 1..3 do not follow operand 1 of 2",
        ),
        (
            fault(|f| f.instructions[i1].operands = 1..1),
            "malformed input: function: its instructions have 1 of its 2 operands",
        ),
    ] {
        assert_eq!(message, expected);
    }
}

#[test]
fn edges_must_be_on_both_sides_and_once() {
    let (b0, b1) = (Block::from_u32(0), Block::from_u32(1));
    for (message, expected) in [
        (
            fault(|f| f.blocks[b1].predecessors.clear()),
            "malformed input: b0: the edge from b0 to b1 is not among the predecessors of the second",
        ),
        (
            fault(|f| f.blocks[b0].successors.clear()),
            "malformed input: b0: the edge from b0 to b1 is not among the successors of the first",
        ),
        (
            fault(|f| f.blocks[b1].predecessors.push(b0)),
            "malformed input: b0: the edge from b0 to b1 is twice among the predecessors",
        ),
        (
            fault(|f| f.blocks[b1].successors.push(Block::from_u32(2))),
            "malformed input: b1: there is no block b2",
        ),
    ] {
        assert_eq!(message, expected);
    }
}

#[test]
fn numbers_must_be_in_bounds() {
    let (v0, op1) = (VirtualRegister::from_u32(0), OperandIndex::from_u32(1));
    let i1 = Instruction::from_u32(1);
    let register = Register::from_u32(5000);
    for (message, expected) in [
        (
            fault(|f| f.virtual_registers[v0].class = Class::from_u32(99)),
            "malformed input: v0: there is no class class99",
        ),
        (
            fault(|f| f.virtual_registers[v0].super_class = Some(Class::from_u32(99))),
            "malformed input: v0: there is no class class99",
        ),
        (
            fault(|f| f.virtual_registers[v0].super_class = Some(gpu::PREDICATE)),
            "malformed input: v0: B1 is no super-class of B32",
        ),
        (
            fault(|f| f.operands[op1].register = OperandRegister::Physical(register)),
            "malformed input: i1, op1: there is no register r5000",
        ),
        (
            fault(|f| f.virtual_registers.clear()),
            "malformed input: i0, op0: there is no virtual register v0",
        ),
        (
            fault(|f| f.instructions[i1].clobbers = Some(ClobberMask::from_u32(0))),
            "malformed input: i1: there is no clobber mask mask0",
        ),
        (
            fault(|f| f.blocks[Block::from_u32(0)].frequency = f64::NAN),
            "malformed input: b0: its frequency NaN is not a finite number of at least 0",
        ),
    ] {
        assert_eq!(message, expected);
    }
}
