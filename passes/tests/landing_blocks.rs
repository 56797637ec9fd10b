//! Values that are live in landing blocks, where too much is live when control leaves for them.

use passes::allocate;
use passes::allocation::{Allocation, EditKind, Position};
use passes::function::{
    Function, FunctionBuilder, Instruction, InstructionFlags, InstructionKind, Operand,
};
use passes::machine::gpu;
use passes::settings::Settings;

/// Registers of the machine.
const REGISTERS: u32 = 8;

/// One value more than there are registers is live where control may leave for a
/// landing block, which reads all of them; the first is read behind that, too, and often in a
/// loop.
/// Says what leaves.
fn crowded() -> (Function, Instruction) {
    let mut builder = FunctionBuilder::new("f");
    let count = REGISTERS as usize + 1;
    let values: Vec<_> = (0..count)
        .map(|_| builder.virtual_register(gpu::SINGLE32))
        .collect();
    let read = |builder: &mut FunctionBuilder, index: usize| {
        builder.plain(&[Operand::read(values[index])]);
    };
    let first = builder.start_block(1.0, 0, &[]);
    for &value in &values {
        builder.plain(&[Operand::write(value)]);
    }
    let leaves = Instruction::from_u32(count as u32);
    let flags = InstructionFlags::LEAVES;
    builder.push(InstructionKind::Plain, flags, &[], None);
    (1..count).for_each(|index| read(&mut builder, index));
    read(&mut builder, 0);
    let landing = builder.start_block(0.1, 0, &[]);
    builder.landing();
    (0..count).rev().for_each(|index| read(&mut builder, index));
    let inside = builder.start_block(100.0, 1, &[]);
    read(&mut builder, 0);
    for (from, to) in [(first, landing), (first, inside), (inside, inside)] {
        builder.edge(from, to);
    }
    (builder.finish(), leaves)
}

fn allocated(function: &Function) -> Allocation {
    let settings = Settings {
        verify: true,
        ..Settings::default()
    };
    allocate(function, &gpu::machine(REGISTERS), &settings).expect("it is right")
}

/// What waits in memory where control leaves comes back behind it, not in the loop, and on its
/// own in the landing block.
#[test]
fn what_waits_where_control_leaves_is_in_a_register_behind() {
    let (function, leaves) = crowded();
    let allocation = allocated(&function);
    let blocks = function.instruction_blocks();
    let block = |at: Instruction| blocks[at.as_u32() as usize];
    let mut reloads = [0; 3];
    for edit in &allocation.edits {
        let (Position::Before(at) | Position::After(at)) = edit.at;
        match edit.kind {
            EditKind::Store { .. } => assert!(at < leaves),
            EditKind::Reload { .. } => {
                assert!(at > leaves);
                reloads[block(at).as_u32() as usize] += 1;
            }
            _ => {}
        }
    }
    let [behind, landing, inside] = reloads;
    assert!(behind > 0 && landing > 0, "{reloads:?}");
    assert_eq!(inside, 0);
}
