use crate::case::Case;
use crate::machines::cpu;
use passes::allocation::{Edit, EditKind, Home, Position};
use passes::function::{Instruction, InstructionFlags, InstructionKind, Operand, VirtualRegister};
use passes::verify::{Fault, Spot};

/// Two constants, the first of which is computed anew before their reader.
struct Again {
    case: Case,
    values: [VirtualRegister; 2],
    definitions: [Instruction; 2],
    reader: Instruction,
}

fn constant(case: &mut Case, value: VirtualRegister) -> Instruction {
    let (kind, flags) = (InstructionKind::Plain, InstructionFlags::REMATERIALISABLE);
    case.builder
        .push(kind, flags, &[Operand::write(value)], None)
}

fn again() -> Again {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let values = [0, 1].map(|number| case.value(cpu.wide, cpu.whole[number]));
    let stand_in = case.create(values[0], cpu.wide, cpu.whole[0]);
    case.allocation.homes[values[0]] = Home::None;
    let definitions = values.map(|value| constant(&mut case, value));
    let reader = case.plain(&[], &values);
    case.edit(Position::Before(definitions[0]), EditKind::DeleteDefinition);
    let kind = EditKind::Rematerialise {
        value: stand_in,
        from: definitions[0],
    };
    case.edit(Position::Before(reader), kind);
    case.rename(reader, 0, stand_in);
    case.accept();
    Again {
        case,
        values,
        definitions,
        reader,
    }
}

impl Again {
    /// Computes something else instead.
    fn compute(&mut self, other: Instruction) {
        for edit in &mut self.case.allocation.edits {
            if let EditKind::Rematerialise { from, .. } = &mut edit.kind {
                *from = other;
            }
        }
    }
}

#[test]
fn a_constant_that_is_not_computed() {
    let mut again = again();
    let is_computed = |edit: &Edit| matches!(edit.kind, EditKind::Rematerialise { .. });
    again.case.drop_edits(is_computed);
    again.case.reject_value(again.reader, 0, again.values[0]);
}

#[test]
fn another_constant() {
    let mut again = again();
    again.compute(again.definitions[1]);
    again.case.reject_value(again.reader, 0, again.values[0]);
}

#[test]
fn a_definition_that_is_still_read() {
    let mut again = again();
    let at = Position::Before(again.definitions[1]);
    let kind = EditKind::DeleteDefinition;
    again.case.allocation.edits.insert(1, Edit { at, kind });
    again.case.reject_value(again.reader, 1, again.values[1]);
}

#[test]
fn a_value_with_two_definitions_has_no_recipe() {
    let mut again = again();
    constant(&mut again.case, again.values[0]);
    let site = again.case.site(again.reader, Spot::Before);
    let from = again.definitions[0];
    assert_eq!(again.case.reject(), Fault::NoRecipe { site, from });
}

#[test]
fn what_reads_has_no_recipe() {
    let mut again = again();
    again.compute(again.reader);
    let site = again.case.site(again.reader, Spot::Before);
    let from = again.reader;
    assert_eq!(again.case.reject(), Fault::NoRecipe { site, from });
}

#[test]
fn what_reads_is_no_definition_to_delete() {
    let mut again = again();
    let at = Position::Before(again.reader);
    again.case.edit(at, EditKind::DeleteDefinition);
    let site = again.case.site(again.reader, Spot::Whole);
    assert_eq!(again.case.reject(), Fault::NotADefinition { site });
}

#[test]
fn a_constant_of_another_class() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let wide = case.value(cpu.wide, cpu.whole[0]);
    let half = case.value(cpu.half, cpu.low[1]);
    let stand_in = case.create(half, cpu.half, cpu.low[2]);
    let [from, _] = [wide, half].map(|value| constant(&mut case, value));
    let reader = case.plain(&[], &[half]);
    let value = stand_in;
    case.edit(
        Position::Before(reader),
        EditKind::Rematerialise { value, from },
    );
    case.rename(reader, 0, stand_in);
    let found = case.reject();
    assert!(
        matches!(found, Fault::ClassMismatch { value, original, .. } if (value, original) == (stand_in, wide))
    );
}
