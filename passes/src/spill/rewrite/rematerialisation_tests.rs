//! Values that are computed or loaded again where they are read.

use super::tests::{chains, everywhere, foldable, lines};
use super::*;
use crate::machine::gpu;
use crate::spill::cost::{COMPUTATION, FOLDED};
use crate::spill::pieces::{Piece, Pieces};
use crate::spill::rematerialisation::{Rematerialisations, rematerialisations};

/// A constant is computed where it would be reloaded, once for all terminators and into
/// a copy's destination; its definition leaves an empty place behind.
#[test]
fn rematerialisations_are_repeated() {
    let mut builder = FunctionBuilder::new("f");
    let [constant, copied] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    let kind = InstructionKind::Plain;
    let write = [Operand::write(constant)];
    builder.push(kind, InstructionFlags::REMATERIALISABLE, &write, None);
    builder.copy(copied, constant);
    builder.plain(&[Operand::read(constant), Operand::read(copied)]);
    for _ in 0..2 {
        let read = [Operand::read(constant)];
        builder.push(kind, InstructionFlags::TERMINATOR, &read, None);
    }
    let (function, machine) = (builder.finish(), gpu::machine(8));
    let mut work = Work::new(
        &function,
        &machine,
        rematerialisations(&function, None),
        1.0,
    );
    work.spill(&machine, everywhere(&[constant]));
    assert_eq!((work.spilled(), work.is_unspilled()), (0, false));
    let code = ["plain", "again v1", "copy v1 v1", "again v2", "plain v2 v1"];
    assert_eq!(lines(&work.function)[..5], code);
    assert_eq!(
        lines(&work.function)[5..],
        ["again v3", "plain v3", "plain v3"]
    );
    assert_eq!(work.accesses(), 3.0 * COMPUTATION);
}

/// A copy whose destination is in memory, and then its source rematerialised: what is
/// stored is what the copy made.
#[test]
fn the_destination_of_a_copy_is_stored_from_it() {
    let mut builder = FunctionBuilder::new("f");
    let [constant, copied] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    let write = [Operand::write(constant)];
    let (kind, flags) = (InstructionKind::Plain, InstructionFlags::REMATERIALISABLE);
    builder.push(kind, flags, &write, None);
    builder.copy(copied, constant);
    builder.plain(&[Operand::read(copied)]);
    let (function, machine) = (builder.finish(), gpu::machine(8));
    let mut work = Work::new(
        &function,
        &machine,
        rematerialisations(&function, None),
        1.0,
    );
    work.spill(&machine, everywhere(&[copied]));
    let code = [
        "plain v0",
        "copy v0 v0",
        "store v0",
        "reload v2",
        "plain v2",
    ];
    assert_eq!(lines(&work.function), code);
    work.spill(&machine, everywhere(&[constant]));
    let code = [
        "plain",
        "again v3",
        "copy v3 v3",
        "store v3",
        "reload v2",
        "plain v2",
    ];
    assert_eq!(lines(&work.function), code);
}

/// A chain is repeated wherever its value is read, of what is in registers; when the
/// value's piece is spilled in its turn, the whole of it goes, and what the chain reads is
/// reloaded like what anything else reads.
#[test]
fn chains_are_repeated() {
    let mut builder = FunctionBuilder::new("f");
    let [source, between, value] = [0, 1, 2].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(source)]);
    let kind = InstructionKind::Plain;
    let flags = InstructionFlags::REMATERIALISABLE | InstructionFlags::UNIFORM_PATH;
    for (to, from) in [(between, source), (value, between)] {
        let operands = [Operand::write(to), Operand::read(from)];
        builder.push(kind, flags, &operands, None);
    }
    builder.plain(&[Operand::read(value)]);
    builder.plain(&[Operand::read(source)]);
    let (function, machine) = (builder.finish(), gpu::machine(8));
    let mut work = Work::new(&function, &machine, chains(&function, &machine), 1.0);
    assert!(work.spill(&machine, everywhere(&[value])));
    let code = [
        "plain v0",
        "plain v1 v0",
        "plain",
        "again v4 v0",
        "again v3 v4",
        "plain v3",
        "plain v0",
    ];
    assert_eq!(lines(&work.function), code);
    assert!(work.spill(&machine, everywhere(&[source])));
    let code = [
        "plain v5",
        "store v5",
        "reload v6",
        "plain v1 v6",
        "plain",
        "reload v7",
        "again v4 v7",
        "again v3 v4",
        "plain v3",
        "reload v8",
        "plain v8",
    ];
    assert_eq!(lines(&work.function), code);
}

/// What is computed of a value keeps that in its register.
#[test]
fn what_a_rematerialisation_reads_is_not_spilled_with_it() {
    let mut builder = FunctionBuilder::new("f");
    let [source, value] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(source)]);
    let flags = InstructionFlags::REMATERIALISABLE | InstructionFlags::UNIFORM_PATH;
    let operands = [Operand::write(value), Operand::read(source)];
    builder.push(InstructionKind::Plain, flags, &operands, None);
    builder.plain(&[Operand::read(value)]);
    builder.plain(&[Operand::read(source)]);
    let (function, machine) = (builder.finish(), gpu::machine(8));
    let rematerialisations = chains(&function, &machine);
    let mut work = Work::new(&function, &machine, rematerialisations.clone(), 1.0);
    assert!(!work.spill(&machine, everywhere(&[source, value])));
    assert_eq!(
        lines(&work.function),
        ["plain v0", "plain", "again v2 v0", "plain v2", "plain v0"]
    );
    // Once it is in memory there is nothing to compute of.
    let mut work = Work::new(&function, &machine, rematerialisations, 1.0);
    assert!(work.spill(&machine, everywhere(&[source])));
    assert!(work.spill(&machine, everywhere(&[value])));
    assert_eq!(work.spilled(), 2);
}

/// A step that reads two uniform registers cannot be repeated for each thread, so the
/// value gets a slot. That stays so when the registers are the threads' own later.
#[test]
fn what_has_a_slot_is_not_rematerialised() {
    let mut builder = FunctionBuilder::new("f");
    let [one, other, value] = [0, 1, 2].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(one), Operand::write(other)]);
    let flags = InstructionFlags::REMATERIALISABLE
        | InstructionFlags::UNIFORM_PATH
        | InstructionFlags::UNIFORM_SOURCE;
    let operands = [
        Operand::write(value),
        Operand::read(one),
        Operand::read(other),
    ];
    builder.push(InstructionKind::Plain, flags, &operands, None);
    builder.plain(&[Operand::read(value)]);
    builder.plain(&[Operand::read(one), Operand::read(other)]);
    let (function, machine) = (builder.finish(), gpu::machine(8));
    let mut work = Work::new(&function, &machine, chains(&function, &machine), 1.0);
    assert!(work.rematerialisation_cost(value).is_some());
    for source in [one, other] {
        work.function.virtual_registers[source].class = gpu::UNIFORM;
    }
    assert_eq!(work.rematerialisation_cost(value), None);
    work.spill(&machine, everywhere(&[value]));
    assert_eq!(work.spilled(), 1);
    for source in [one, other] {
        work.function.virtual_registers[source].class = gpu::SINGLE32;
    }
    assert_eq!(work.rematerialisation_cost(value), None);
}

/// A value that another is computed of by now goes to memory: chains of chains would not
/// end. So do all that are too many.
#[test]
fn chains_end() {
    let mut builder = FunctionBuilder::new("f");
    let [source, middle, last] = [0, 1, 2].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(source)]);
    let flags = InstructionFlags::REMATERIALISABLE | InstructionFlags::UNIFORM_PATH;
    for (to, from) in [(middle, source), (last, middle)] {
        let operands = [Operand::write(to), Operand::read(from)];
        builder.push(InstructionKind::Plain, flags, &operands, None);
    }
    for value in [last, middle, source] {
        builder.plain(&[Operand::read(value)]);
    }
    let (function, machine) = (builder.finish(), gpu::machine(8));
    let rematerialisations = chains(&function, &machine);
    let mut work = Work::new(&function, &machine, rematerialisations.clone(), 1.0);
    work.spill(&machine, everywhere(&[last]));
    assert_eq!(work.spilled(), 0);
    work.spill(&machine, everywhere(&[middle]));
    assert_eq!(work.spilled(), 1);
    let mut work = Work::new(&function, &machine, rematerialisations, 1.0);
    let all = [source, middle, last];
    work.forget_chains(&all);
    assert!(work.spill(&machine, everywhere(&all)));
    assert_eq!(work.spilled(), 3);
}
/// A function that loads two values, of which instructions can load the first themselves.
fn loading() -> (Function, [VirtualRegister; 2]) {
    let mut builder = FunctionBuilder::new("f");
    let [a, b] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    for value in [a, b] {
        let (kind, flags) = (InstructionKind::Plain, InstructionFlags::REMATERIALISABLE);
        builder.push(kind, flags, &[Operand::write(value)], None);
    }
    let loadable = |operand| Operand {
        flags: OperandFlags::LOADABLE,
        ..operand
    };
    let (first, second) = (loadable(Operand::read(a)), loadable(Operand::read(b)));
    builder.plain(&[first, first]);
    builder.plain(&[first, Operand::read(a)]);
    builder.plain(&[foldable(Operand::read(a)), second]);
    builder.plain(&[first, second]);
    (builder.finish(), [a, b])
}

#[test]
fn what_is_rematerialised_is_loaded_where_it_is_read() {
    let (function, [a, b]) = loading();
    let machine = gpu::machine(8);
    let found = || rematerialisations(&function, None);
    let spilled = |values: &[VirtualRegister], found| {
        let mut work = Work::new(&function, &machine, found, 1.0);
        work.spill(&machine, everywhere(values));
        let operands = work.function.operands.values();
        let loads: Vec<u32> = operands
            .filter_map(Operand::load)
            .map(Instruction::as_u32)
            .collect();
        (lines(&work.function), loads, work.accesses())
    };
    let (code, loads, accesses) = spilled(&[a], found());
    let first = [
        "plain",
        "plain v1",
        "plain",
        "again v2",
        "plain v2 v2",
        "again v3",
        "plain v3 v1",
        "plain v1",
    ];
    assert_eq!(code, first);
    assert_eq!(loads, [0, 0, 0]);
    assert_eq!(accesses, (2.0 + 2.0 * FOLDED) * COMPUTATION);
    // An instruction has room for one value.
    let (code, loads, _) = spilled(&[a, b], found());
    assert_eq!(
        code[code.len() - 4..],
        ["again v3", "plain v3", "again v4", "plain v4"]
    );
    assert_eq!(loads, [0, 0, 1, 0]);
    // What goes to a slot is loaded from there.
    let (_, loads, _) = spilled(&[a, b], Rematerialisations::new());
    assert!(loads.is_empty());
}

/// A piece that begins with the definition and is in memory before anything reads it goes,
/// and the definition with it; on a GPU it is left to ptxas.
#[test]
fn a_definition_that_only_waits_is_left_out() {
    let (function, [a, _]) = loading();
    // The first read by one of the two pieces, the second of which is loaded there or behind it,
    // or gets the value from the first.
    let code = |machine: &Machine, piece_of_first_read: u32, moves: bool| {
        let found = rematerialisations(&function, None);
        let mut work = Work::new(&function, machine, found, 1.0);
        let mut pieces = Pieces::default();
        pieces.minimal = [false, false].into_iter().collect();
        let accesses = [0, 2, 3, 4, 5].map(Instruction::from_u32);
        let served = |(number, instruction)| Served {
            instruction,
            piece: Piece::from_u32(match number {
                0 => 0,
                1 => piece_of_first_read,
                _ => 1,
            }),
            reload: match moves {
                true => number == 4,
                false => number == 2 - piece_of_first_read as usize,
            },
            from: (moves && number == 1).then(|| Piece::from_u32(0)),
            store: None,
            needless: false,
        };
        pieces.accesses = (0..).zip(accesses).map(served).collect();
        let pieces = Some(pieces);
        work.spill(machine, vec![Spilled { value: a, pieces }]);
        lines(&work.function)
    };
    let gpu = gpu::machine(8);
    let mut cpu = gpu.clone();
    cpu.files.clear();
    let all = ["plain v2", "plain v1", "again v3", "plain v3 v3"];
    assert_eq!(code(&gpu, 1, false)[..4], all);
    let fewer = ["plain", "plain v1", "again v3", "plain v3 v3"];
    assert_eq!(code(&cpu, 1, false)[..4], fewer);
    let read = ["plain v2", "plain v1", "plain v2 v2", "again v3"];
    assert_eq!(code(&cpu, 0, false)[..4], read);
    let moved = ["plain v2", "plain v1", "move v3 v2", "plain v3 v3"];
    assert_eq!(code(&cpu, 1, true)[..4], moved);
}
