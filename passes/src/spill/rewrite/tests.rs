use super::*;
use crate::analysis::live_range::LiveRanges;
use crate::analysis::liveness::Liveness;
use crate::function::Slot;
use crate::machine::gpu;
use crate::spill::cost::FOLDED;
use crate::spill::pieces::{Piece, Pieces};
use crate::spill::rematerialisation::{Rematerialisations, rematerialisations};

#[test]
fn what_terminators_define_is_not_spilled() {
    let mut builder = FunctionBuilder::new("f");
    let [used, defined] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(used)]);
    builder.push(
        InstructionKind::Plain,
        InstructionFlags::TERMINATOR,
        &[Operand::write(defined), Operand::read(used)],
        None,
    );
    let function = builder.finish();
    assert!(function.virtual_registers[defined].spillable);
    let work = Work::new(&function, &gpu::machine(8), Rematerialisations::new(), 1.0);
    assert!(work.function.virtual_registers[used].spillable);
    assert!(!work.function.virtual_registers[defined].spillable);
}

/// How values can be rematerialised, of others too.
pub fn chains(function: &Function, machine: &Machine) -> Rematerialisations {
    let liveness = Liveness::new(function, machine);
    rematerialisations(function, Some(&LiveRanges::new(function, &liveness)))
}

pub fn everywhere(values: &[VirtualRegister]) -> Vec<Spilled> {
    values.iter().copied().map(Spilled::everywhere).collect()
}

/// The instructions with the virtual registers that they name.
pub fn lines(function: &Function) -> Vec<String> {
    let line = |one| {
        let operands = function.instruction_operands(one).iter();
        let names = operands.filter_map(Operand::virtual_register);
        let names: Vec<_> = names.map(|name| name.to_string()).collect();
        let kind = match function.instructions[one].kind {
            InstructionKind::Rematerialise(_) => "again",
            InstructionKind::Store(_) => "store",
            InstructionKind::Reload(_) => "reload",
            InstructionKind::Widen => "widen",
            InstructionKind::Narrow => "narrow",
            InstructionKind::Move => "move",
            InstructionKind::Copy => "copy",
            InstructionKind::Plain => "plain",
        };
        format!("{kind} {}", names.join(" ")).trim().to_owned()
    };
    function.instructions.keys().map(line).collect()
}

#[test]
fn a_copy_goes_through_the_register_at_its_other_end() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(a)]);
    builder.copy(b, a);
    builder.plain(&[Operand::read(b)]);
    let function = builder.finish();
    let machine = gpu::machine(8);
    let spilled = |values: &[VirtualRegister]| {
        let mut work = Work::new(&function, &machine, Rematerialisations::new(), 1.0);
        work.spill(&machine, everywhere(values));
        lines(&work.function)
    };
    let source = [
        "plain v2",
        "store v2",
        "reload v1",
        "copy v1 v1",
        "plain v1",
    ];
    assert_eq!(spilled(&[a]), source);
    let destination = [
        "plain v0",
        "copy v0 v0",
        "store v0",
        "reload v2",
        "plain v2",
    ];
    assert_eq!(spilled(&[b]), destination);
    let both = [
        "plain v2",
        "store v2",
        "reload v4",
        "copy v3 v4",
        "store v3",
        "reload v5",
        "plain v5",
    ];
    assert_eq!(spilled(&[a, b]), both);
}

pub fn foldable(operand: Operand) -> Operand {
    let flags = OperandFlags::FOLDABLE;
    Operand { flags, ..operand }
}

/// A function that defines two values, changes one by the other, and reads the other.
fn adding() -> (Function, [VirtualRegister; 2]) {
    let mut builder = FunctionBuilder::new("f");
    let [a, b] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[foldable(Operand::write(a))]);
    builder.plain(&[Operand::write(b)]);
    let mut tied = foldable(Operand::read(a));
    tied.tied_to = Some(0);
    builder.plain(&[
        foldable(Operand::write(a)),
        tied,
        foldable(Operand::read(b)),
    ]);
    builder.plain(&[foldable(Operand::read(a)), Operand::read(a)]);
    (builder.finish(), [a, b])
}

#[test]
fn what_can_be_in_memory_takes_no_register() {
    let (function, [a, b]) = adding();
    let machine = gpu::machine(8);
    let spilled = |values: &[VirtualRegister]| {
        let mut work = Work::new(&function, &machine, Rematerialisations::new(), 1.0);
        work.spill(&machine, everywhere(values));
        lines(&work.function)
    };
    // The last instruction names it once more.
    let written = ["plain", "plain v1", "plain v1", "reload v2", "plain v2 v2"];
    assert_eq!(spilled(&[a]), written);
    let read = [
        "plain v0",
        "plain v2",
        "store v2",
        "plain v0 v0",
        "plain v0 v0",
    ];
    assert_eq!(spilled(&[b]), read);
    // An instruction has room for one value, that which is written.
    let both = [
        "plain",
        "plain v2",
        "store v2",
        "reload v3",
        "plain v3",
        "reload v4",
        "plain v4 v4",
    ];
    assert_eq!(spilled(&[a, b]), both);
}

#[test]
fn what_is_in_memory_stays_there_in_later_rounds() {
    let (function, [a, b]) = adding();
    let machine = gpu::machine(8);
    let mut work = Work::new(&function, &machine, Rematerialisations::new(), 1.0);
    work.spill(&machine, everywhere(&[b]));
    work.spill(&machine, everywhere(&[a]));
    let operands = work.function.operands.values();
    let slots: Vec<_> = operands.filter_map(Operand::slot).collect();
    assert_eq!(slots, [1, 0].map(Slot::from_u32));
    assert_eq!(work.accesses(), 2.0 * FOLDED + 1.0 + 3.0);
}

/// The value is defined by an instruction from which control may leave, and
/// read in two landing blocks, behind their labels. What they begin with once it
/// is spilled, and where the first block's store comes from.
fn landing_blocks(labels: u32, flags: InstructionFlags) -> (Vec<String>, Origin) {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let entry = builder.start_block(1.0, 0, &[]);
    let kind = InstructionKind::Plain;
    let write = [Operand::write(value)];
    builder.push(kind, InstructionFlags::LEAVES, &write, None);
    let landing = [0, 1].map(|_| {
        let block = builder.start_block(1.0, 0, &[]);
        builder.landing();
        for _ in 0..labels {
            builder.push(kind, InstructionFlags::LABEL, &[], None);
        }
        builder.push(kind, flags, &[Operand::read(value)], None);
        builder.edge(entry, block);
        block
    });
    let machine = gpu::machine(8);
    let mut work = Work::new(&builder.finish(), &machine, Rematerialisations::new(), 1.0);
    work.spill(&machine, everywhere(&[value]));
    let function = &work.function;
    let code = lines(function);
    let is_store =
        |one: &Instruction| matches!(function.instructions[*one].kind, InstructionKind::Store(_));
    let store = function.block_instructions(landing[0]).find(is_store);
    (code, work.provenance.instructions[store.expect("a store")])
}

/// The first register created, `v1`, is what the landing blocks have in common.
#[test]
fn landing_blocks_store_behind_their_labels() {
    let instruction = Instruction::from_u32;
    for flags in [InstructionFlags::empty(), InstructionFlags::TERMINATOR] {
        let (code, at) = landing_blocks(0, flags);
        assert_eq!(code[..2], ["plain v1", "store v1"]);
        assert_eq!(code[2..5], ["store v1", "reload v2", "plain v2"]);
        assert_eq!(code[5..], ["store v1", "reload v3", "plain v3"]);
        assert_eq!(at, Origin::Inserted(Position::Before(instruction(1))));

        let (code, at) = landing_blocks(2, flags);
        let expected = ["plain", "plain", "store v1", "reload v2", "plain v2"];
        assert_eq!(code[2..7], expected);
        assert_eq!(at, Origin::Inserted(Position::After(instruction(2))));
    }
}

/// A piece of a predicate needs no code at its definition as long as the spill register
/// holds it from there on; if that goes to memory at the same time, it does.
#[test]
fn pieces_do_not_rely_on_a_spill_register_that_is_spilled_with_them() {
    let mut builder = FunctionBuilder::new("f");
    let predicate = builder.virtual_register(gpu::PREDICATE);
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(predicate)]);
    builder.plain(&[Operand::read(predicate)]);
    builder.plain(&[Operand::read(predicate)]);
    let function = builder.finish();
    let machine = gpu::machine(8);
    // Two pieces: the second is loaded where it is read.
    let in_pieces = |value, second: u32, store: Option<Store>| {
        let mut pieces = Pieces::default();
        pieces.minimal = [false, true].into_iter().collect();
        pieces.accesses = (0..=second)
            .map(|number| Served {
                instruction: Instruction::from_u32(number),
                piece: Piece::from_u32(u32::from(number == second)),
                from: None,
                reload: number == second,
                store: store.filter(|_| number == 0),
                needless: false,
            })
            .collect();
        let pieces = Some(pieces);
        Spilled { value, pieces }
    };
    let mut work = Work::new(&function, &machine, Rematerialisations::new(), 1.0);
    work.spill(&machine, vec![in_pieces(predicate, 2, Some(Store::Behind))]);
    let once = [
        "plain v2",
        "widen v1 v2",
        "plain v2",
        "narrow v3 v1",
        "plain v3",
    ];
    assert_eq!(lines(&work.function), once);
    let [spill_register, piece] = [1, 2].map(VirtualRegister::from_u32);
    // What stands behind the definition stays: it needs no code of its own.
    let again = in_pieces(piece, 2, None);
    let mut alone = work.clone();
    alone.spill(&machine, vec![again.clone()]);
    let code = [
        "plain v4",
        "widen v1 v4",
        "narrow v5 v1",
        "plain v5",
        "narrow v3 v1",
        "plain v3",
    ];
    assert_eq!(lines(&alone.function), code);
    // The new spill register has to get the value first.
    work.spill(&machine, vec![again, Spilled::everywhere(spill_register)]);
    let code = [
        "plain v5",
        "widen v4 v5",
        "narrow v7 v4",
        "widen v6 v7",
        "store v6",
        "narrow v8 v4",
        "plain v8",
        "reload v9",
        "narrow v3 v9",
        "plain v3",
    ];
    assert_eq!(lines(&work.function), code);
}
