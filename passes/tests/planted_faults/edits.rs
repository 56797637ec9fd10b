use crate::case::{Case, flagged};
use crate::machines::{Cpu, cpu, gpu};
use passes::allocation::{Created, Edit, EditKind, Position};
use passes::function::{Instruction, Operand, OperandFlags, OperandIndex, Slot, VirtualRegister};
use passes::verify::{Fault, Spot};

/// A value that is stored and reloaded; the block ends in two terminators.
struct Line {
    cpu: Cpu,
    case: Case,
    value: VirtualRegister,
    slot: Slot,
    terminators: [Instruction; 2],
}

fn line() -> Line {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let value = case.value(cpu.wide, cpu.whole[0]);
    let slot = case.slot(8);
    let first = case.plain(&[value], &[]);
    let terminators = [case.terminator(&[value]), case.terminator(&[])];
    case.store(first, value, slot);
    case.reload(terminators[0], value, slot);
    case.accept();
    Line {
        cpu,
        case,
        value,
        slot,
        terminators,
    }
}

#[test]
fn edit_after_a_terminator() {
    let [first, second] = line().terminators;
    for (at, instruction, spot) in [
        (Position::After(first), first, Spot::After),
        (Position::Before(second), second, Spot::Before),
        (Position::After(second), second, Spot::After),
    ] {
        let Line {
            mut case,
            value,
            slot,
            ..
        } = line();
        case.edit(at, EditKind::Store { value, slot });
        let site = case.site(instruction, spot);
        assert_eq!(case.reject(), Fault::EditAfterTerminator { site });
    }
}

#[test]
fn operand_of_a_terminator_may_be_renamed() {
    let Line {
        cpu,
        mut case,
        value,
        slot,
        terminators,
    } = line();
    let other = case.create(value, cpu.wide, cpu.whole[1]);
    case.reload(terminators[0], other, slot);
    case.rename(terminators[0], 0, other);
    case.accept();
}

#[test]
fn edits_out_of_order() {
    let Line { mut case, .. } = line();
    case.allocation.edits.swap(0, 1);
    assert!(matches!(case.reject(), Fault::EditOutOfOrder { .. }));
}

#[test]
fn edit_outside_the_function() {
    let Line {
        mut case,
        slot,
        value,
        ..
    } = line();
    let instruction = Instruction::from_u32(3);
    case.edit(
        Position::Before(instruction),
        EditKind::Store { value, slot },
    );
    assert_eq!(case.reject(), Fault::EditOutsideFunction { instruction });
}

#[test]
fn slot_too_small() {
    let Line {
        mut case,
        value,
        slot,
        ..
    } = line();
    for (size, alignment) in [(4, 8), (8, 4)] {
        case.allocation.slots[slot].size = size;
        case.allocation.slots[slot].alignment = alignment;
        assert_eq!(
            case.reject(),
            Fault::SlotTooSmall {
                site: case.site(Instruction::from_u32(0), Spot::After),
                value,
                slot,
                size: 8,
                alignment: 8,
            }
        );
    }
}

#[test]
fn slot_that_does_not_exist() {
    let Line {
        mut case, value, ..
    } = line();
    let slot = Slot::from_u32(5);
    let kind = EditKind::Reload { value, slot };
    case.allocation.edits[1].kind = kind;
    assert!(matches!(case.reject(), Fault::UnknownSlot { slot: found, .. } if found == slot));
}

#[test]
fn register_that_does_not_exist() {
    let Line { mut case, slot, .. } = line();
    let value = VirtualRegister::from_u32(5);
    case.allocation.edits[1].kind = EditKind::Reload { value, slot };
    assert!(matches!(case.reject(), Fault::UnknownRegister { value: found, .. } if found == value));
}

#[test]
fn rename_of_another_instruction() {
    let Line {
        mut case,
        value,
        terminators,
        ..
    } = line();
    let operand = OperandIndex::from_u32(0);
    let kind = EditKind::Rename { operand, to: value };
    case.edit(Position::Before(terminators[0]), kind);
    assert!(matches!(case.reject(), Fault::MisplacedRename { .. }));
}

#[test]
fn rename_to_another_class() {
    let Line {
        cpu,
        mut case,
        terminators,
        ..
    } = line();
    let other = case.value(cpu.first_two, cpu.whole[0]);
    case.rename(terminators[0], 0, other);
    assert!(matches!(case.reject(), Fault::ClassMismatch { value, .. } if value == other));
}

/// A value with its super-class: where the instruction takes registers of the value's own class
/// alone, nothing moved it there, or what it is moved to has the super-class as well.
#[test]
fn constrained_operand_of_the_super_class() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let value = case.inflatable(cpu.first_two, cpu.wide, cpu.whole[0]);
    let first = case.plain(&[value], &[]);
    let read = flagged(Operand::read(value), OperandFlags::CONSTRAINED);
    let last = case.builder.plain(&[read]);
    let inflated = case.create(value, cpu.wide, cpu.whole[3]);
    let constrained = case.create(value, cpu.first_two, cpu.whole[1]);
    case.rename(first, 0, inflated);
    let (to, from) = (constrained, inflated);
    case.edit(Position::Before(last), EditKind::Move { to, from });
    case.rename(last, 0, constrained);
    case.accept();

    let right = case.allocation.edits.clone();
    case.drop_edits(|edit| matches!(edit.kind, EditKind::Move { .. }));
    case.reject_value(last, 0, value);
    case.allocation.edits = right;
    case.allocation.edits.pop();
    case.rename(last, 0, inflated);
    assert!(matches!(case.reject(), Fault::ClassMismatch { value, .. } if value == inflated));
}

#[test]
fn created_register_of_another_class() {
    let Line {
        cpu,
        mut case,
        value,
        ..
    } = line();
    let created = case.create(value, cpu.half, cpu.low[1]);
    assert!(matches!(case.reject(), Fault::ClassMismatch { value, .. } if value == created));
}

#[test]
fn created_register_with_a_number_in_use() {
    let Line {
        cpu,
        mut case,
        value,
        ..
    } = line();
    let class = cpu.wide;
    for (register, origin) in [(0, 0), (1, 7)] {
        let [register, origin] = [register, origin].map(VirtualRegister::from_u32);
        case.allocation.created = vec![Created {
            register,
            class,
            origin,
        }];
        assert_eq!(case.reject(), Fault::BadCreated { value: register });
    }
    assert_eq!(value, VirtualRegister::from_u32(0));
}

#[test]
fn predicate_stored_without_widening() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let value = case.value(gpu.predicate, gpu.p[0]);
    let first = case.plain(&[value], &[]);
    let out = case.create(value, gpu.b32, gpu.r[0]);
    let slot = case.slot(4);
    let after = Position::After(first);
    case.edit(
        after,
        EditKind::Widen {
            to: out,
            from: value,
        },
    );
    case.store(first, out, slot);
    case.accept();

    case.allocation.edits.clear();
    case.store(first, value, slot);
    assert!(matches!(case.reject(), Fault::NotStorable { .. }));
}

#[test]
fn widened_into_the_wrong_class() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let a = case.value(gpu.b32, gpu.r[0]);
    let b = case.value(gpu.b32, gpu.r[1]);
    let first = case.plain(&[a, b], &[]);
    case.accept();

    for kind in [
        EditKind::Widen { to: b, from: a },
        EditKind::Narrow { to: b, from: a },
    ] {
        let at = Position::After(first);
        case.allocation.edits = vec![Edit { at, kind }];
        assert!(matches!(case.reject(), Fault::BadConversion { .. }));
    }
}

/// A value that has another register from somewhere on: the move is left out, comes from the
/// wrong register, or has a register of another class.
#[test]
fn moved_from_elsewhere() {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let a = case.value(gpu.b32, gpu.r[0]);
    let other = case.value(gpu.b32, gpu.r[1]);
    let wide = case.value(gpu.b64, gpu.pair[2]);
    let first = case.plain(&[a, other], &[]);
    let last = case.plain(&[], &[a, other]);
    let to = case.create(a, gpu.b32, gpu.r[4]);
    case.edit(Position::After(first), EditKind::Move { to, from: a });
    case.rename(last, 0, to);
    case.accept();

    let is_move = |edit: &Edit| matches!(edit.kind, EditKind::Move { .. });
    case.drop_edits(is_move);
    case.reject_value(last, 0, a);
    for from in [other, wide] {
        case.allocation.edits.clear();
        case.edit(Position::After(first), EditKind::Move { to, from });
        case.rename(last, 0, to);
        let is_conversion = matches!(case.reject(), Fault::BadConversion { .. });
        assert_eq!(is_conversion, from == wide);
    }
}
