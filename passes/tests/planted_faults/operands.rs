use crate::case::{Case, fixed, fixed_write, flagged, part, tied};
use crate::machines::{HIGH, LOW, cpu, gpu};
use passes::allocation::{EditKind, Location, Position};
use passes::function::{Operand, OperandFlags};
use passes::machine::SubRegisterIndex;
use passes::verify::{Fault, Spot};

#[test]
fn tie_broken() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    case.plain(&[a], &[]);
    let add = case
        .builder
        .plain(&[Operand::write(a), tied(Operand::read(a), 0)]);
    let last = case.plain(&[], &[a]);
    case.accept();

    let other = case.create(a, cpu.wide, cpu.whole[1]);
    case.rename(add, 0, other);
    case.rename(last, 0, other);
    assert_eq!(
        case.reject(),
        Fault::TiedApart {
            site: case.site(add, Spot::Operand(1)),
            used: "x0".to_owned(),
            defined: "x1".to_owned(),
        }
    );
}

/// One end of the tie is ours to place, so the ends have to agree. Between two
/// physical registers that is the target's business.
#[test]
fn tie_to_a_physical_register_broken() {
    let cpu = cpu();
    for (definition_is_ours, use_is_ours) in [(true, false), (false, true), (false, false)] {
        let mut case = Case::new(&cpu.machine);
        let a = case.value(cpu.wide, cpu.whole[0]);
        let b = case.value(cpu.wide, cpu.whole[0]);
        case.plain(&[a], &[]);
        case.copy(fixed_write(cpu.whole[0]), Operand::read(a));
        let definition = match definition_is_ours {
            true => Operand::write(b),
            false => fixed_write(cpu.whole[0]),
        };
        let used = match use_is_ours {
            true => Operand::read(a),
            false => fixed(cpu.whole[0]),
        };
        let add = case.builder.plain(&[definition, tied(used, 0)]);
        case.accept();

        let ours = if definition_is_ours { b } else { a };
        case.place(ours, cpu.whole[1]);
        match definition_is_ours || use_is_ours {
            true => assert!(matches!(
                case.reject(),
                Fault::TiedApart { site, .. } if site == case.site(add, Spot::Operand(1))
            )),
            false => case.accept(),
        }
    }
    let mut case = Case::new(&cpu.machine);
    case.builder.plain(&[fixed_write(cpu.whole[0])]);
    let apart = fixed_write(cpu.whole[1]);
    case.builder.plain(&[apart, tied(fixed(cpu.whole[0]), 0)]);
    case.accept();
}

#[test]
fn early_clobber_overlaps_a_use() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a], &[]);
    let early = flagged(Operand::write(b), OperandFlags::EARLY_CLOBBER);
    let both = case.builder.plain(&[early, Operand::read(a)]);
    case.plain(&[], &[b]);
    case.accept();

    case.place(b, cpu.whole[0]);
    assert_eq!(
        case.reject(),
        Fault::EarlyClobber {
            site: case.site(both, Spot::Operand(1)),
            used: "x0".to_owned(),
            defined: "x0".to_owned(),
        }
    );
}

#[test]
fn early_clobber_may_overlap_its_tied_use() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a, b], &[]);
    let early = flagged(Operand::write(a), OperandFlags::EARLY_CLOBBER);
    case.builder
        .plain(&[early, tied(Operand::read(a), 0), Operand::read(b)]);
    case.plain(&[], &[a]);
    case.accept();
}

#[test]
fn early_clobber_overlaps_a_fixed_use() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[1]);
    case.builder.plain(&[fixed_write(cpu.whole[0])]);
    let early = flagged(Operand::write(a), OperandFlags::EARLY_CLOBBER);
    case.builder.plain(&[early, fixed(cpu.whole[0])]);
    case.accept();

    case.place(a, cpu.whole[0]);
    assert!(matches!(case.reject(), Fault::EarlyClobber { .. }));
}

#[test]
fn live_through_use_in_a_clobbered_register() {
    let cpu = cpu();
    for through in [false, true] {
        let mut case = Case::new(&cpu.machine);
        let value = case.value(cpu.wide, cpu.whole[2]);
        case.plain(&[value], &[]);
        let read = Operand::read(value);
        let call = match through {
            true => case.call(&[flagged(read, OperandFlags::LIVE_THROUGH)], cpu.call),
            false => case.call(&[read], cpu.call),
        };
        case.accept();

        // A call clobbers what it has read, unless that is needed behind it.
        case.place(value, cpu.whole[0]);
        if !through {
            case.accept();
            continue;
        }
        assert_eq!(
            case.reject(),
            Fault::NotThrough {
                site: case.site(call, Spot::Operand(0)),
                value,
                register: "x0".to_owned(),
            }
        );
    }
}

#[test]
fn two_definitions_overlap() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let a = case.value(gpu.b64, gpu.pair[0]);
    let b = case.value(gpu.b32, gpu.r[2]);
    let both = case.plain(&[a, b], &[]);
    case.accept();

    case.place(b, gpu.r[1]);
    assert_eq!(
        case.reject(),
        Fault::DefinitionsOverlap {
            site: case.site(both, Spot::Operand(1)),
            register: "R1".to_owned(),
            other: "R0R1".to_owned(),
        }
    );
}

#[test]
fn two_parts_defined_apart() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let a = case.value(gpu.b64, gpu.pair[0]);
    let low = flagged(part(Operand::write(a), LOW), OperandFlags::UNDEFINED);
    let both = case.builder.plain(&[low, part(Operand::write(a), HIGH)]);
    let last = case.plain(&[], &[a]);
    case.accept();

    let other = case.create(a, gpu.b64, gpu.pair[2]);
    case.rename(both, 0, other);
    assert!(matches!(case.reject(), Fault::DefinitionsApart { value, .. } if value == a));
    assert!(both < last);
}

/// The old value is not read by an instruction that defines all its parts, so it
/// need not be there any more.
#[test]
fn all_parts_defined_anew() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[0]);
    case.plain(&[a], &[]);
    case.plain(&[], &[a]);
    case.plain(&[b], &[]);
    case.plain(&[], &[b]);
    let low = flagged(part(Operand::write(a), LOW), OperandFlags::UNDEFINED);
    let high = part(Operand::write(a), HIGH);
    case.builder.plain(&[low, high]);
    case.plain(&[], &[a]);
    case.accept();

    // That another value is defined anew is no excuse.
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[1]);
    let c = case.value(cpu.wide, cpu.whole[2]);
    case.plain(&[a], &[]);
    case.plain(&[b], &[]);
    let both = case.builder.plain(&[Operand::write(c), high]);
    case.accept();
    case.place(b, cpu.whole[0]);
    case.reject_value(both, 1, a);
}

#[test]
fn register_outside_the_class() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.first_two, cpu.whole[1]);
    case.plain(&[a], &[]);
    case.accept();

    case.place(a, cpu.whole[2]);
    assert_eq!(
        case.reject(),
        Fault::OutsideClass {
            value: a,
            register: "x2".to_owned(),
            class: "first_two".to_owned(),
        }
    );
    case.place(a, passes::machine::Register::from_u32(99));
    assert!(matches!(case.reject(), Fault::OutsideClass { .. }));
}

#[test]
fn created_register_outside_its_class() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.first_two, cpu.whole[0]);
    let first = case.plain(&[a], &[]);
    let created = case.create(a, cpu.first_two, cpu.whole[1]);
    case.rename(first, 0, created);
    case.accept();

    case.place(created, cpu.whole[3]);
    assert!(matches!(case.reject(), Fault::OutsideClass { value, .. } if value == created));
}

#[test]
fn missing_location() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    case.plain(&[a], &[]);
    // Nothing names this one, so it needs none.
    case.builder.virtual_register(cpu.wide);
    case.accept();

    case.allocation.locations[a] = Location::None;
    assert_eq!(case.reject(), Fault::MissingLocation { value: a });
}

#[test]
fn operand_names_a_value_left_in_its_slot() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (a, slot) = case.spilled(cpu.wide);
    let write = case.create(a, cpu.wide, cpu.whole[0]);
    let first = case.plain(&[a], &[]);
    case.rename(first, 0, write);
    case.store(first, write, slot);
    case.accept();

    let last = case.plain(&[], &[a]);
    assert_eq!(
        case.reject(),
        Fault::NotInRegister {
            site: case.site(last, Spot::Operand(0)),
            value: a,
            location: Location::Slot(slot),
        }
    );
    assert_eq!(
        case.reject().to_string(),
        "operand 0 of instruction i1 (block b0) names v0, which lives in slot0"
    );
}

#[test]
fn part_that_the_register_does_not_have() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    case.plain(&[a], &[]);
    case.accept();

    let nowhere = SubRegisterIndex(7);
    case.builder.plain(&[part(Operand::read(a), nowhere)]);
    assert!(matches!(
        case.reject(),
        Fault::NoSuchPart { value, part: 7, .. } if value == a
    ));
}

#[test]
fn copy_deleted_between_different_registers() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[0]);
    case.plain(&[a], &[]);
    let copy = case.copy(Operand::write(b), Operand::read(a));
    case.plain(&[], &[a, b]);
    case.delete(copy);
    case.accept();

    case.place(b, cpu.whole[1]);
    assert_eq!(
        case.reject(),
        Fault::DeletedCopyApart {
            site: case.site(copy, Spot::Whole),
            source_register: "x0".to_owned(),
            destination: "x1".to_owned(),
        }
    );
}

#[test]
fn deleted_copy_of_a_value_that_is_not_there() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let b = case.value(cpu.wide, cpu.whole[0]);
    let c = case.value(cpu.wide, cpu.whole[1]);
    case.plain(&[a], &[]);
    case.plain(&[c], &[]);
    let copy = case.copy(Operand::write(b), Operand::read(a));
    case.plain(&[], &[b, c]);
    case.delete(copy);
    case.accept();

    case.place(c, cpu.whole[0]);
    case.reject_value(copy, 1, a);
}

#[test]
fn deleted_instruction_is_not_a_copy() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.wide, cpu.whole[0]);
    let first = case.plain(&[a], &[]);
    case.accept();

    case.delete(first);
    let site = case.site(first, Spot::Whole);
    assert_eq!(case.reject(), Fault::NotACopy { site });
}

/// A predicate goes to memory and back by way of a 32-bit register.
#[test]
fn predicate_not_narrowed() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let (a, slot) = case.spilled(gpu.predicate);
    let write = case.create(a, gpu.predicate, gpu.p[0]);
    let out = case.create(a, gpu.b32, gpu.r[0]);
    let back = case.create(a, gpu.b32, gpu.r[1]);
    let read = case.create(a, gpu.predicate, gpu.p[1]);
    let first = case.plain(&[a], &[]);
    let last = case.plain(&[], &[a]);
    let (after, before) = (Position::After(first), Position::Before(last));
    case.rename(first, 0, write);
    case.edit(
        after,
        EditKind::Widen {
            to: out,
            from: write,
        },
    );
    case.store(first, out, slot);
    case.reload(last, back, slot);
    case.edit(
        before,
        EditKind::Narrow {
            to: read,
            from: back,
        },
    );
    case.rename(last, 0, read);
    case.accept();

    let narrow = |edit: &passes::allocation::Edit| matches!(edit.kind, EditKind::Narrow { .. });
    let right = case.allocation.edits.clone();
    case.drop_edits(narrow);
    case.reject_value(last, 0, a);

    // Without the widening there is nothing to store.
    case.allocation.edits = right.clone();
    case.drop_edits(|edit| matches!(edit.kind, EditKind::Widen { .. }));
    case.reject_value(last, 0, a);

    // A 32-bit register is no place for a predicate's operand.
    case.allocation.edits = right;
    case.drop_edits(narrow);
    case.allocation.edits.pop();
    case.rename(last, 0, back);
    assert!(matches!(case.reject(), Fault::ClassMismatch { value, .. } if value == back));
}

/// The same on a machine where both forms use the same registers.
#[test]
fn widened_value_used_as_it_is() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let a = case.value(cpu.flags, cpu.whole[0]);
    let first = case.plain(&[a], &[]);
    let last = case.plain(&[], &[a]);
    let out = case.create(a, cpu.wide, cpu.whole[1]);
    let after = Position::After(first);
    case.edit(after, EditKind::Widen { to: out, from: a });
    case.edit(after, EditKind::Narrow { to: a, from: out });
    case.accept();

    case.place(out, cpu.whole[0]);
    case.accept();
    case.allocation.edits.pop();
    assert_eq!(
        case.reject(),
        Fault::WidenedOperand {
            site: case.site(last, Spot::Operand(0)),
            value: a,
            register: "x0".to_owned(),
        }
    );
}
