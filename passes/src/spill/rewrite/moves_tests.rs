//! Values that have several registers, and nothing in memory.

use super::tests::{chains, everywhere, lines};
use crate::function::{
    Function, FunctionBuilder, Instruction, InstructionFlags, InstructionKind, Operand,
    VirtualRegister,
};
use crate::machine::gpu;
use crate::spill::pieces::{Piece, Pieces, Served};
use crate::spill::rematerialisation::Rematerialisations;
use crate::spill::work::{Spilled, Work};

/// A value in two pieces, the second of which goes on at the last of its accesses.
fn moved(value: VirtualRegister, accesses: &[u32]) -> Spilled {
    let last = accesses.len() - 1;
    let mut pieces = Pieces::default();
    pieces.minimal = [false, false].into_iter().collect();
    let served = |(number, &instruction): (usize, &u32)| Served {
        piece: Piece::from_u32(u32::from(number == last)),
        from: (number == last).then(|| Piece::from_u32(0)),
        ..Served::in_register(Instruction::from_u32(instruction))
    };
    pieces.accesses = accesses.iter().enumerate().map(served).collect();
    let pieces = Some(pieces);
    Spilled { value, pieces }
}

/// A value, something made of it, and a read of each.
fn two(kind: InstructionKind, flags: InstructionFlags) -> (Function, [VirtualRegister; 2]) {
    let mut builder = FunctionBuilder::new("f");
    let [first, second] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(first)]);
    let operands = [Operand::write(second), Operand::read(first)];
    builder.push(kind, flags, &operands, None);
    builder.plain(&[Operand::read(second)]);
    builder.plain(&[Operand::read(first)]);
    (builder.finish(), [first, second])
}

#[test]
fn what_is_moved_takes_no_slot() {
    let (function, [first, _]) = two(InstructionKind::Plain, InstructionFlags::empty());
    let machine = gpu::machine(8);
    let mut work = Work::new(&function, &machine, Rematerialisations::new(), 1.0);
    work.spill(&machine, vec![moved(first, &[0, 1, 3])]);
    let code = [
        "plain v2",
        "plain v1 v2",
        "plain v1",
        "move v3 v2",
        "plain v3",
    ];
    assert_eq!(lines(&work.function), code);
    assert_eq!((work.spilled(), work.is_unspilled()), (0, false));
    // A piece of it is on its own.
    work.spill(&machine, everywhere(&[VirtualRegister::from_u32(2)]));
    assert_eq!(work.spilled(), 1);
}

/// What is copied from a value that is moved does not take that value's name.
#[test]
fn a_copy_of_what_is_moved_has_its_own_register() {
    let (function, [first, second]) = two(InstructionKind::Copy, InstructionFlags::empty());
    let machine = gpu::machine(8);
    let mut work = Work::new(&function, &machine, Rematerialisations::new(), 1.0);
    let mut both = everywhere(&[second]);
    both.push(moved(first, &[0, 1, 3]));
    work.spill(&machine, both);
    let code = [
        "plain v2",
        "copy v4 v2",
        "store v4",
        "reload v5",
        "plain v5",
        "move v3 v2",
        "plain v3",
    ];
    assert_eq!(lines(&work.function), code);
}

#[test]
fn nothing_is_computed_of_what_is_moved() {
    let flags = InstructionFlags::REMATERIALISABLE | InstructionFlags::UNIFORM_PATH;
    let (function, [first, second]) = two(InstructionKind::Plain, flags);
    let machine = gpu::machine(8);
    let mut work = Work::new(&function, &machine, chains(&function, &machine), 1.0);
    assert!(work.rematerialisation_cost(second).is_some());
    work.spill(&machine, vec![moved(first, &[0, 1, 3])]);
    assert_eq!(work.rematerialisation_cost(second), None);
}
