use crate::case::{Case, fixed, fixed_write, flagged, is_reload, is_store, part};
use crate::machines::{HIGH, LOW, cpu, gpu};
use passes::allocation::{EditKind, Position};
use passes::function::{Operand, OperandFlags};
use passes::verify::Fault;

#[test]
fn wrong_register() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a], &[]);
    case.plain(&[b], &[]);
    let user = case.plain(&[], &[a, b]);
    case.accept();

    case.place(b, cpu.whole[0]);
    case.reject_value(user, 0, a);
    assert_eq!(
        case.reject().to_string(),
        "operand 0 of instruction i2 (block b0) reads v0 from $x0, which holds v1"
    );
}

/// `v0` is defined into a created register, stored, and reloaded for its use
/// after `v1` took the register.
fn spilled() -> Case {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (a, slot) = case.spilled(cpu.wide);
    let b = case.value(cpu.wide, cpu.whole[0]);
    let write = case.create(a, cpu.wide, cpu.whole[0]);
    let read = case.create(a, cpu.wide, cpu.whole[1]);
    let first = case.plain(&[a], &[]);
    case.plain(&[b], &[]);
    let last = case.plain(&[], &[a, b]);
    case.rename(first, 0, write);
    case.store(first, write, slot);
    case.reload(last, read, slot);
    case.rename(last, 0, read);
    case.accept();
    case
}

#[test]
fn missing_reload() {
    let mut case = spilled();
    case.drop_edits(is_reload);
    let (value, last) = (first_value(), last_instruction(&case));
    case.reject_value(last, 0, value);
}

#[test]
fn missing_store() {
    let mut case = spilled();
    case.drop_edits(is_store);
    let (value, last) = (first_value(), last_instruction(&case));
    case.reject_value(last, 0, value);
}

#[test]
fn wrong_slot() {
    let mut case = spilled();
    let other = case.slot(8);
    for edit in &mut case.allocation.edits {
        if let EditKind::Reload { slot, .. } = &mut edit.kind {
            *slot = other;
        }
    }
    let (value, last) = (first_value(), last_instruction(&case));
    case.reject_value(last, 0, value);
}

#[test]
fn store_before_definition() {
    let mut case = spilled();
    let store = case.allocation.edits.iter().position(is_store).unwrap();
    let mut edit = case.allocation.edits.remove(store);
    let Position::After(first) = edit.at else {
        panic!("stores stand after the definition")
    };
    edit.at = Position::Before(first);
    case.allocation.edits.insert(0, edit);
    let (value, last) = (first_value(), last_instruction(&case));
    case.reject_value(last, 0, value);
}

#[test]
fn reload_into_a_register_in_use() {
    let cpu = cpu();
    let mut case = spilled();
    let read = case.allocation.created[1].register;
    case.place(read, cpu.whole[0]);
    let b = passes::function::VirtualRegister::from_u32(1);
    let last = last_instruction(&case);
    case.reject_value(last, 1, b);
}

#[test]
fn slot_shared_by_two_values() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (a, slot) = case.spilled(cpu.wide);
    let (b, other) = case.spilled(cpu.wide);
    let [wa, wb, ra, rb] = [(a, 0), (b, 0), (a, 0), (b, 1)]
        .map(|(value, register)| case.create(value, cpu.wide, cpu.whole[register]));
    let first = case.plain(&[a], &[]);
    let second = case.plain(&[b], &[]);
    let last = case.plain(&[], &[a, b]);
    case.rename(first, 0, wa);
    case.store(first, wa, slot);
    case.rename(second, 0, wb);
    case.store(second, wb, other);
    case.reload(last, ra, slot);
    case.reload(last, rb, other);
    case.rename(last, 0, ra);
    case.rename(last, 1, rb);
    case.accept();

    for edit in &mut case.allocation.edits {
        match &mut edit.kind {
            EditKind::Store { slot: at, .. } | EditKind::Reload { slot: at, .. } => *at = slot,
            _ => {}
        }
    }
    case.reject_value(last, 0, a);
}

#[test]
fn clobbered_by_a_call() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[2]);
    case.plain(&[a], &[]);
    case.call(&[Operand::read(a)], cpu.call);
    let last = case.plain(&[], &[a]);
    case.accept();

    case.place(a, cpu.whole[1]);
    case.reject_value(last, 0, a);
}

/// The call preserves the lower half of `x3`, but not `x3`.
#[test]
fn call_preserves_a_part_only() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.half, cpu.low[3]);
    let b = case.value(cpu.wide, cpu.whole[2]);
    case.plain(&[a, b], &[]);
    case.call(&[], cpu.call);
    let last = case
        .builder
        .plain(&[Operand::read(a), part(Operand::read(b), LOW)]);
    case.accept();

    case.place(a, cpu.low[2]);
    case.place(b, cpu.whole[3]);
    case.reject_value(last, 1, b);
}

#[test]
fn overlapping_pair() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let wide = case.value(gpu.b64, gpu.pair[0]);
    let a = case.value(gpu.b32, gpu.r[2]);
    case.plain(&[wide], &[]);
    case.plain(&[a], &[]);
    let last = case.plain(&[], &[a, wide]);
    case.accept();

    case.place(a, gpu.r[1]);
    case.reject_value(last, 1, wide);
}

/// Moving a pair by one register leaves its first half in both registers of
/// the old pair: all units hold a half of the value, but not the right ones.
#[test]
fn pair_with_its_halves_mixed_up() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let a = case.value(gpu.b64, gpu.pair[0]);
    let b = case.value(gpu.b64, gpu.pair[2]);
    case.plain(&[a], &[]);
    case.copy(Operand::write(b), Operand::read(a));
    let last = case.plain(&[], &[b, a]);
    case.accept();

    case.place(b, gpu.pair[1]);
    case.reject_value(last, 1, a);
}

#[test]
fn stale_copy_after_redefinition() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a], &[]);
    case.copy(Operand::write(b), Operand::read(a));
    let user = case.plain(&[], &[a]);
    let again = case.plain(&[a], &[]);
    let last = case.plain(&[], &[a, b]);
    // The copy made `b` equal to `a`, so its register may stand in for `a`.
    let stand_in = case.create(a, cpu.wide, cpu.whole[1]);
    case.rename(user, 0, stand_in);
    case.accept();

    case.allocation.edits.clear();
    case.rename(last, 0, stand_in);
    assert!(again < last);
    case.reject_value(last, 0, a);
}

#[test]
fn stale_slot_after_redefinition() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let slot = case.slot(8);
    let read = case.create(a, cpu.wide, cpu.whole[1]);
    case.plain(&[a], &[]);
    let again = case.plain(&[a], &[]);
    let last = case.plain(&[], &[a]);
    case.store(again, a, slot);
    case.reload(last, read, slot);
    case.rename(last, 0, read);
    case.accept();

    let first = passes::function::Instruction::from_u32(0);
    case.allocation.edits[0].at = Position::After(first);
    case.reject_value(last, 0, a);
}

#[test]
fn dead_definition_overwrites() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a], &[]);
    case.builder
        .plain(&[flagged(Operand::write(b), OperandFlags::DEAD)]);
    let last = case.plain(&[], &[a]);
    case.accept();

    case.place(b, cpu.whole[0]);
    case.reject_value(last, 0, a);
}

/// The second half is defined on its own, and keeps the first.
#[test]
fn partial_definition_loses_the_rest() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.half, cpu.low[1]);
    let low = part(Operand::write(a), LOW);
    case.builder.plain(&[flagged(low, OperandFlags::UNDEFINED)]);
    case.plain(&[b], &[]);
    let second = case.builder.plain(&[part(Operand::write(a), HIGH)]);
    case.plain(&[], &[a]);
    case.accept();

    case.place(b, cpu.low[0]);
    case.reject_value(second, 0, a);
}

#[test]
fn partial_definition_in_another_register() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let low = part(Operand::write(a), LOW);
    case.builder.plain(&[flagged(low, OperandFlags::UNDEFINED)]);
    let second = case.builder.plain(&[part(Operand::write(a), HIGH)]);
    let last = case.plain(&[], &[a]);
    case.accept();

    let other = case.create(a, cpu.wide, cpu.whole[1]);
    case.rename(second, 0, other);
    case.rename(last, 0, other);
    case.reject_value(second, 0, a);
}

/// A deleted copy of a half leaves the half's own name valid.
#[test]
fn half_joined_with_its_whole() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let half = case.value(gpu.b32, gpu.r[2]);
    let wide = case.value(gpu.b64, gpu.pair[2]);
    case.plain(&[half], &[]);
    let low = flagged(part(Operand::write(wide), LOW), OperandFlags::UNDEFINED);
    let copy = case.copy(low, Operand::read(half));
    case.builder.plain(&[part(Operand::write(wide), HIGH)]);
    let last = case.plain(&[], &[wide, half]);
    case.delete(copy);
    case.accept();

    case.allocation.edits.clear();
    case.accept();
    case.place(half, gpu.r[3]);
    case.reject_value(last, 1, half);
}

#[test]
fn argument_overwritten_before_the_call() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[1]);
    let b = case.value(cpu.wide, cpu.whole[2]);
    case.plain(&[a], &[]);
    case.copy(fixed_write(cpu.whole[0]), Operand::read(a));
    case.plain(&[b], &[]);
    let call = case.call(
        &[
            fixed(cpu.whole[0]),
            fixed(cpu.stack_pointer),
            fixed_write(cpu.whole[0]),
        ],
        cpu.call,
    );
    case.copy(Operand::write(a), fixed(cpu.whole[0]));
    case.plain(&[], &[a, b]);
    case.accept();

    case.place(b, cpu.whole[0]);
    match case.reject() {
        Fault::FixedOverwritten {
            site,
            register,
            holds,
        } => {
            assert_eq!(site.instruction, call);
            assert_eq!((&*register, &*holds), ("x0", "v1"));
        }
        fault => panic!("another fault was found: {fault}"),
    }
}

/// The value stays in the register it was passed in, which remains valid as
/// the fixed one; copying it out and back does not make it fixed again.
#[test]
fn fixed_contents_do_not_move() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    case.builder.plain(&[fixed_write(cpu.whole[0])]);
    let copy = case.copy(Operand::write(a), fixed(cpu.whole[0]));
    case.builder.plain(&[Operand::read(a), fixed(cpu.whole[0])]);
    case.delete(copy);
    case.accept();

    case.allocation.edits.clear();
    case.place(a, cpu.whole[1]);
    case.accept();
    let again = case.value(cpu.wide, cpu.whole[0]);
    case.copy(Operand::write(again), Operand::read(a));
    case.builder.plain(&[fixed(cpu.whole[0])]);
    assert!(matches!(case.reject(), Fault::FixedOverwritten { .. }));
}

#[test]
fn fixed_register_clobbered_by_a_call() {
    let cpu = cpu();
    for (register, right) in [(2, true), (1, false)] {
        let mut case = Case::new(&cpu.machine);
        case.builder.plain(&[fixed_write(cpu.whole[register])]);
        case.call(&[], cpu.call);
        case.builder.plain(&[fixed(cpu.whole[register])]);
        match right {
            true => case.accept(),
            false => assert!(matches!(case.reject(), Fault::FixedOverwritten { .. })),
        }
    }
}

/// A copy cuts off what its destination's class has no room for.
#[test]
fn narrower_copy_does_not_carry_the_wider_value() {
    let gpu = gpu();
    for (class, right) in [(gpu.b32, true), (gpu.b16, false)] {
        let mut case = Case::new(&gpu.machine);
        let a = case.value(gpu.b32, gpu.r[0]);
        let b = case.value(class, gpu.r[1]);
        case.plain(&[a], &[]);
        case.copy(Operand::write(b), Operand::read(a));
        let last = case.plain(&[], &[a]);
        let stand_in = case.create(a, gpu.b32, gpu.r[1]);
        case.rename(last, 0, stand_in);
        match right {
            true => case.accept(),
            false => case.reject_value(last, 0, a),
        }
    }
}

fn first_value() -> passes::function::VirtualRegister {
    passes::function::VirtualRegister::from_u32(0)
}

fn last_instruction(case: &Case) -> passes::function::Instruction {
    case.function().instructions.keys().next_back().unwrap()
}
