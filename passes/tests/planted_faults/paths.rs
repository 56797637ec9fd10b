use crate::case::{Case, fixed, is_reload, is_store};
use crate::machines::cpu;
use passes::allocation::Position;
use passes::function::{
    Block, Instruction, InstructionFlags, InstructionKind, Operand, VirtualRegister,
};
use passes::verify::Fault;

/// Where the parts of [`diamond`] are.
struct Diamond {
    case: Case,
    value: VirtualRegister,
    last: Instruction,
    sides: [Instruction; 2],
}

/// `v0` is stored in the entry; both sides of a branch reload it into one
/// register, in which the joined path reads it.
fn diamond() -> Diamond {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let entry = Block::from_u32(0);
    let (value, slot) = case.spilled(cpu.wide);
    let write = case.create(value, cpu.wide, cpu.whole[0]);
    let read = case.create(value, cpu.wide, cpu.whole[1]);
    let first = case.plain(&[value], &[]);
    case.rename(first, 0, write);
    case.store(first, write, slot);
    let mut sides = Vec::new();
    let mut ends = Vec::new();
    for _ in 0..2 {
        ends.push(case.block(&[entry], &[]));
        let end = case.terminator(&[]);
        case.reload(end, read, slot);
        sides.push(end);
    }
    case.block(&ends, &[]);
    let last = case.plain(&[], &[value]);
    case.rename(last, 0, read);
    case.accept();
    Diamond {
        case,
        value,
        last,
        sides: [sides[0], sides[1]],
    }
}

#[test]
fn reload_on_one_path_only() {
    for side in 0..2 {
        let Diamond {
            mut case,
            value,
            last,
            sides,
        } = diamond();
        case.drop_edits(|edit| edit.at == Position::Before(sides[side]) && is_reload(edit));
        case.reject_value(last, 0, value);
    }
}

/// `v0` is read and redefined in a loop, and lives in a slot between.
#[test]
fn store_dropped_on_the_back_edge() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (value, slot) = case.spilled(cpu.wide);
    let [before, read, write] =
        [0, 1, 2].map(|register| case.create(value, cpu.wide, cpu.whole[register]));
    let first = case.plain(&[value], &[]);
    case.rename(first, 0, before);
    case.store(first, before, slot);
    let body = case.block(&[Block::from_u32(0)], &[]);
    case.builder.edge(body, body);
    let user = case.plain(&[], &[value]);
    case.reload(user, read, slot);
    case.rename(user, 0, read);
    let again = case.plain(&[value], &[]);
    case.rename(again, 0, write);
    case.store(again, write, slot);
    case.terminator(&[]);
    case.accept();

    case.drop_edits(|edit| edit.at == Position::After(again));
    case.reject_value(user, 0, value);
}

/// The value lives through the loop, in which another one is defined.
#[test]
fn overwritten_in_a_loop() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a], &[]);
    let body = case.block(&[Block::from_u32(0)], &[]);
    case.builder.edge(body, body);
    let user = case.plain(&[], &[a]);
    case.plain(&[b], &[]);
    case.terminator(&[b]);
    case.accept();

    case.place(b, cpu.whole[0]);
    case.reject_value(user, 0, a);
}

#[test]
fn landing_pad_live_in_overwrites() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[2]);
    let b = case.value(cpu.wide, cpu.whole[0]);
    case.plain(&[a], &[]);
    case.call(&[], cpu.call);
    case.block(&[Block::from_u32(0)], &[cpu.whole[0]]);
    case.copy(Operand::write(b), fixed(cpu.whole[0]));
    let last = case.plain(&[], &[a, b]);
    case.accept();

    // Not destroyed by the call itself, were it not for the live-in.
    case.builder = {
        let mut other = Case::new(&cpu.machine);
        let a = other.value(cpu.wide, cpu.whole[0]);
        let b = other.value(cpu.wide, cpu.whole[1]);
        other.plain(&[a], &[]);
        other.block(&[Block::from_u32(0)], &[cpu.whole[0]]);
        other.copy(Operand::write(b), fixed(cpu.whole[0]));
        other.plain(&[], &[a, b]);
        other.builder
    };
    case.accept();
    case.place(a, cpu.whole[0]);
    case.place(b, cpu.whole[1]);
    let last = Instruction::from_u32(last.as_u32() - 1);
    case.reject_value(last, 0, a);
}

/// A value that one path does not define may be read after the join, where
/// it is right on the other path only.
#[test]
fn undefined_on_one_path() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let entry = Block::from_u32(0);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.terminator(&[]);
    let with = case.block(&[entry], &[]);
    case.plain(&[a], &[]);
    let between = case.plain(&[b], &[]);
    let without = case.block(&[entry], &[]);
    case.plain(&[b], &[]);
    case.block(&[with, without], &[]);
    let last = case.plain(&[], &[a, b]);
    case.accept();

    case.place(b, cpu.whole[0]);
    case.reject_value(last, 0, a);

    // The same through a slot, which the other path leaves empty.
    case.place(b, cpu.whole[1]);
    let slot = case.slot(8);
    let read = case.create(a, cpu.wide, cpu.whole[2]);
    case.edit(
        Position::Before(between),
        passes::allocation::EditKind::Store { value: a, slot },
    );
    case.reload(last, read, slot);
    case.rename(last, 0, read);
    case.accept();
    case.drop_edits(is_store);
    case.reject_value(last, 0, a);
}

/// A loop defines the value in its first iteration, and reads it in the later
/// ones, as far as the allocator can see.
#[test]
fn undefined_in_the_first_iteration() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[b], &[]);
    let body = case.block(&[Block::from_u32(0)], &[]);
    case.builder.edge(body, body);
    let user = case.plain(&[], &[a]);
    case.plain(&[a], &[]);
    let again = case.plain(&[b], &[]);
    case.terminator(&[]);
    case.accept();

    case.place(b, cpu.whole[0]);
    assert!(user < again);
    case.reject_value(user, 0, a);
}

#[test]
fn fixed_register_overwritten_in_another_block() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[1]);
    case.builder = passes::function::FunctionBuilder::new("f");
    case.builder.virtual_register(cpu.wide);
    let entry = case.builder.start_block(1.0, 0, &[cpu.whole[0]]);
    case.plain(&[a], &[]);
    case.block(&[entry], &[]);
    case.builder.plain(&[Operand::read(a), fixed(cpu.whole[0])]);
    case.accept();

    case.place(a, cpu.whole[0]);
    assert!(matches!(case.reject(), Fault::FixedOverwritten { .. }));
}

/// `v0`, which lives in a slot, is written by an instruction from which control
/// may leave for a landing block; it is stored behind the instruction and in the
/// landing block, where it is read.
fn leaving_definition() -> (Case, VirtualRegister, Instruction, Instruction) {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (value, slot) = case.spilled(cpu.wide);
    let [write, read] = [0, 1].map(|register| case.create(value, cpu.wide, cpu.whole[register]));
    let leaves = case.builder.push(
        InstructionKind::Plain,
        InstructionFlags::LEAVES,
        &[Operand::write(value)],
        None,
    );
    case.rename(leaves, 0, write);
    case.store(leaves, write, slot);
    case.block(&[Block::from_u32(0)], &[]);
    case.builder.landing();
    let label = case.plain(&[], &[]);
    case.store(label, write, slot);
    let user = case.plain(&[], &[value]);
    case.reload(user, read, slot);
    case.rename(user, 0, read);
    (case, value, label, user)
}

#[test]
fn stored_where_control_has_left() {
    let (mut case, value, label, user) = leaving_definition();
    case.accept();
    case.drop_edits(|edit| edit.at == Position::After(label));
    case.reject_value(user, 0, value);
}
