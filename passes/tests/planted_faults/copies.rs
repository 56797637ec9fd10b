use crate::case::{Case, fixed, fixed_write, flagged, part};
use crate::machines::{HIGH, LOW, cpu, gpu};
use passes::allocation::{EditKind, Position};
use passes::function::{InstructionFlags, InstructionKind, Operand, OperandFlags};
use passes::machine::ClassData;
use passes::verify::Fault;

/// A value or a half of it is copied; the register at one end of the copy is then read as
/// what is at the other end, which is right for a copy of the whole.
fn read_across_a_copy(as_source: bool) {
    let cpu = cpu();
    for (parts, right) in [(None, true), (Some(LOW), false)] {
        let mut case = Case::new(&cpu.machine);
        let a = case.value(cpu.wide, cpu.whole[0]);
        let b = case.value(cpu.wide, cpu.whole[1]);
        let (value, other_end) = if as_source {
            (a, cpu.whole[1])
        } else {
            (b, cpu.whole[0])
        };
        case.plain(&[a], &[]);
        let (mut to, mut from) = (Operand::write(b), Operand::read(a));
        if let Some(index) = parts {
            to = flagged(part(to, index), OperandFlags::UNDEFINED);
            from = part(from, index);
        }
        case.copy(to, from);
        let last = case.plain(&[], &[value]);
        let stand_in = case.create(value, cpu.wide, other_end);
        case.rename(last, 0, stand_in);
        match right {
            true => case.accept(),
            false => case.reject_value(last, 0, value),
        }
    }
}

/// A copy of a half says nothing about the rest.
#[test]
fn copy_of_a_part_does_not_carry_the_whole() {
    read_across_a_copy(true);
}

/// Two copies of one value, behind so many others, are equal as long as the value stays what
/// it was.
fn two_copies_of_one_value(others: usize) {
    let cpu = cpu();
    for (changes, register, right) in [(false, 1, true), (true, 1, false), (true, 2, true)] {
        let mut case = Case::new(&cpu.machine);
        let a = case.value(cpu.wide, cpu.whole[0]);
        let b = case.value(cpu.wide, cpu.whole[1]);
        let c = case.value(cpu.wide, cpu.whole[register]);
        case.plain(&[a], &[]);
        for _ in 0..others {
            let other = case.value(cpu.wide, cpu.whole[2]);
            case.copy(Operand::write(other), Operand::read(a));
        }
        case.copy(Operand::write(b), Operand::read(a));
        if changes {
            case.plain(&[a], &[]);
        }
        case.copy(Operand::write(c), Operand::read(a));
        let last = case.plain(&[], &[b, c]);
        match right {
            true => case.accept(),
            false => case.reject_value(last, 0, b),
        }
    }
}

#[test]
fn copies_of_one_value_are_equal() {
    two_copies_of_one_value(0);
}

/// However many there are: a kernel clears its accumulators from one register.
#[test]
fn many_copies_of_one_value_are_equal() {
    two_copies_of_one_value(100);
}

/// Nor is a copy of a half equal to the whole.
#[test]
fn copies_of_parts_are_not_equal_to_the_source() {
    read_across_a_copy(false);
}

/// A copy of an undefined operand may be replaced by any other code.
#[test]
fn copy_of_an_undefined_operand_carries_nothing() {
    let cpu = cpu();
    for (flags, right) in [
        (OperandFlags::empty(), true),
        (OperandFlags::UNDEFINED, false),
    ] {
        let mut case = Case::new(&cpu.machine);
        let a = case.value(cpu.wide, cpu.whole[0]);
        let b = case.value(cpu.wide, cpu.whole[1]);
        case.plain(&[a], &[]);
        case.copy(Operand::write(b), flagged(Operand::read(a), flags));
        let last = case.plain(&[], &[a]);
        let stand_in = case.create(a, cpu.wide, cpu.whole[1]);
        case.rename(last, 0, stand_in);
        match right {
            true => case.accept(),
            false => case.reject_value(last, 0, a),
        }
    }
}

/// What a copy defines besides its destination is not equal to the source.
#[test]
fn copy_does_not_carry_into_further_definitions() {
    let cpu = cpu();
    for (register, right) in [(1, true), (2, false)] {
        let mut case = Case::new(&cpu.machine);
        let a = case.value(cpu.wide, cpu.whole[0]);
        let b = case.value(cpu.wide, cpu.whole[1]);
        case.plain(&[a], &[]);
        case.builder.push(
            InstructionKind::Copy,
            InstructionFlags::empty(),
            &[
                Operand::write(b),
                Operand::read(a),
                fixed_write(cpu.whole[2]),
            ],
            None,
        );
        let last = case.plain(&[], &[a]);
        let stand_in = case.create(a, cpu.wide, cpu.whole[register]);
        case.rename(last, 0, stand_in);
        match right {
            true => case.accept(),
            false => case.reject_value(last, 0, a),
        }
    }
}

/// Two classes use the same registers, and only one of them can be stored as it
/// is: the size that counts is that of the value as it stands in the register.
#[test]
fn copy_between_forms_of_one_size() {
    let mut gpu = gpu();
    let bit = gpu.machine.classes.push(ClassData {
        name: "bit".to_owned(),
        order: gpu.p.clone(),
        spill_size: 1,
        spill_alignment: 1,
        spill_through: None,
        uniform: None,
    });
    let mut case = Case::new(&gpu.machine);
    let a = case.value(gpu.predicate, gpu.p[0]);
    let b = case.value(bit, gpu.p[1]);
    case.plain(&[a], &[]);
    case.copy(Operand::write(b), Operand::read(a));
    let last = case.plain(&[], &[a, b]);
    let stand_in = case.create(a, gpu.predicate, gpu.p[1]);
    case.rename(last, 0, stand_in);
    case.accept();

    case.place(b, gpu.p[0]);
    case.reject_value(last, 0, a);
}

/// A widened predicate takes four bytes, of which a store of two loses half.
#[test]
fn widened_value_cut_off_by_a_store() {
    let gpu = gpu();
    for (class, right) in [(gpu.b32, true), (gpu.b16, false)] {
        let mut case = Case::new(&gpu.machine);
        let slot = case.slot(4);
        let a = case.value(gpu.predicate, gpu.p[0]);
        let other = case.value(class, gpu.r[0]);
        let out = case.create(a, gpu.b32, gpu.r[0]);
        let back = case.create(a, gpu.b32, gpu.r[1]);
        let read = case.create(a, gpu.predicate, gpu.p[1]);
        let first = case.plain(&[a], &[]);
        let last = case.plain(&[], &[a]);
        let widen = EditKind::Widen { to: out, from: a };
        case.edit(Position::After(first), widen);
        case.store(first, other, slot);
        case.reload(last, back, slot);
        let narrow = EditKind::Narrow {
            to: read,
            from: back,
        };
        case.edit(Position::Before(last), narrow);
        case.rename(last, 0, read);
        match right {
            true => case.accept(),
            false => case.reject_value(last, 0, a),
        }
    }
}

/// A physical definition destroys what is in its register, unless it is a copy
/// that finds its source there already.
#[test]
fn physical_definition_overwrites() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a], &[]);
    case.builder.plain(&[fixed_write(cpu.whole[0])]);
    let last = case.builder.plain(&[Operand::read(a), fixed(cpu.whole[0])]);
    case.accept();
    case.place(a, cpu.whole[0]);
    case.reject_value(last, 0, a);

    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a, b], &[]);
    let copy = case.copy(fixed_write(cpu.whole[0]), Operand::read(a));
    let last = case
        .builder
        .plain(&[Operand::read(a), Operand::read(b), fixed(cpu.whole[0])]);
    case.accept();
    case.delete(copy);
    case.accept();

    case.allocation.edits.clear();
    case.place(a, cpu.whole[1]);
    case.place(b, cpu.whole[0]);
    case.reject_value(last, 1, b);
}

/// The call preserves the lower half of `x3`, but not `x3`. That a copy in place
/// has made all of `x3` fixed changes nothing about its half.
#[test]
fn fixed_half_survives_although_the_whole_became_fixed() {
    let cpu = cpu();
    for (read, right) in [(cpu.low[3], true), (cpu.whole[3], false)] {
        let mut case = Case::new(&cpu.machine);
        let a = case.value(cpu.wide, cpu.whole[3]);
        case.plain(&[a], &[]);
        case.copy(fixed_write(cpu.low[3]), part(Operand::read(a), LOW));
        case.copy(fixed_write(cpu.whole[3]), Operand::read(a));
        case.builder.plain(&[fixed(cpu.whole[3])]);
        case.call(&[], cpu.call);
        case.builder.plain(&[fixed(read)]);
        match right {
            true => case.accept(),
            false => assert!(matches!(case.reject(), Fault::FixedOverwritten { .. })),
        }
    }
}

/// Both halves are joined with their whole: all three names stay valid. A value
/// that waits where the second half will be is destroyed by the first copy, as
/// the whole takes all of its register.
#[test]
fn both_halves_joined_with_their_whole() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let low = case.value(gpu.b32, gpu.r[2]);
    let high = case.value(gpu.b32, gpu.r[3]);
    let wide = case.value(gpu.b64, gpu.pair[2]);
    let other = case.value(gpu.b32, gpu.r[4]);
    case.plain(&[low, other], &[]);
    let to = flagged(part(Operand::write(wide), LOW), OperandFlags::UNDEFINED);
    let copies = [
        case.copy(to, Operand::read(low)),
        case.copy(Operand::write(high), part(Operand::read(wide), HIGH)),
        case.copy(part(Operand::write(wide), HIGH), Operand::read(high)),
    ];
    let last = case.plain(&[], &[wide, low, high, other]);
    for copy in copies {
        case.delete(copy);
    }
    case.accept();

    case.place(other, gpu.r[3]);
    case.reject_value(last, 3, other);
}
