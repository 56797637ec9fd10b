use crate::case::{Case, fixed};
use crate::machines::{LOW, cpu};
use passes::allocation::{Edit, EditKind, Location, Position, Sources};
use passes::function::{
    Block, Instruction, InstructionFlags, InstructionKind, Operand, OperandFlags, VirtualRegister,
};
use passes::machine::ClobberMask;
use passes::verify::{Fault, Spot};

/// Two constants, the first of which is rematerialised before their reader.
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

/// Rematerialises what the reader reads first, before it.
fn compute_before(
    case: &mut Case,
    reader: Instruction,
    stand_in: VirtualRegister,
    from: Instruction,
) {
    let kind = EditKind::Rematerialise {
        value: stand_in,
        from,
        sources: Sources::default(),
    };
    case.edit(Position::Before(reader), kind);
    case.rename(reader, 0, stand_in);
}

fn again() -> Again {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let values = [0, 1].map(|number| case.value(cpu.wide, cpu.whole[number]));
    let stand_in = case.create(values[0], cpu.wide, cpu.whole[0]);
    case.allocation.locations[values[0]] = Location::None;
    let definitions = values.map(|value| constant(&mut case, value));
    let reader = case.plain(&[], &values);
    case.edit(Position::Before(definitions[0]), EditKind::DeleteDefinition);
    compute_before(&mut case, reader, stand_in, definitions[0]);
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
fn the_constant_that_a_value_was_before() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let value = case.value(cpu.wide, cpu.whole[0]);
    let stand_in = case.create(value, cpu.wide, cpu.whole[1]);
    let definitions = [0, 1].map(|_| constant(&mut case, value));
    let reader = case.plain(&[], &[value]);
    compute_before(&mut case, reader, stand_in, definitions[1]);
    case.accept();
    let mut again = Again {
        case,
        values: [value; 2],
        definitions,
        reader,
    };
    again.compute(definitions[0]);
    again.case.reject_value(reader, 0, value);
}

#[test]
fn a_constant_where_the_value_may_be_another() {
    let cpu = cpu();
    let case = |is_defined_again: bool| {
        let mut case = Case::new(&cpu.machine);
        let entry = Block::from_u32(0);
        let value = case.value(cpu.wide, cpu.whole[0]);
        let stand_in = case.create(value, cpu.wide, cpu.whole[1]);
        let from = constant(&mut case, value);
        let way = case.block(&[entry], &[]);
        if is_defined_again {
            constant(&mut case, value);
        }
        case.block(&[entry, way], &[]);
        let reader = case.plain(&[], &[value]);
        compute_before(&mut case, reader, stand_in, from);
        (case, reader, value)
    };
    case(false).0.accept();
    let (case, reader, value) = case(true);
    case.reject_value(reader, 0, value);
}

#[test]
fn what_reads_has_no_rematerialisation() {
    let mut again = again();
    again.compute(again.reader);
    let site = again.case.site(again.reader, Spot::Before);
    let from = again.reader;
    assert_eq!(
        again.case.reject(),
        Fault::NotRematerialisable { site, from }
    );
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
    let kind = EditKind::Rematerialise {
        value: stand_in,
        from,
        sources: Sources::default(),
    };
    case.edit(Position::Before(reader), kind);
    case.rename(reader, 0, stand_in);
    let found = case.reject();
    assert!(
        matches!(found, Fault::ClassMismatch { value, original, .. } if (value, original) == (stand_in, wide))
    );
}

/// A value computed of two others, and rematerialised of them before its reader, in a
/// second block to which two paths lead; on one of them there is an instruction more.
struct Derived {
    case: Case,
    sources: [VirtualRegister; 2],
    value: VirtualRegister,
    definition: Instruction,
    between: Instruction,
    reader: Instruction,
}

/// `between`: what the instruction on one of the paths writes.
fn derived(between: impl Fn(&mut Case, [VirtualRegister; 2]) -> Instruction) -> Derived {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let sources = [0, 1].map(|number| case.value(cpu.wide, cpu.whole[number]));
    let value = case.builder.virtual_register(cpu.wide);
    let stand_in = case.create(value, cpu.wide, cpu.whole[2]);
    let (kind, flags) = (InstructionKind::Plain, InstructionFlags::REMATERIALISABLE);
    let entry = Block::from_u32(0);
    case.plain(&sources, &[]);
    let [first, second] = sources.map(Operand::read);
    let operands = [Operand::write(value), first, second];
    let definition = case.builder.push(kind, flags, &operands, None);
    let side = case.block(&[entry], &[]);
    let between = between(&mut case, sources);
    case.block(&[entry, side], &[]);
    let reader = case.plain(&[], &[value, sources[0], sources[1]]);
    case.edit(Position::Before(definition), EditKind::DeleteDefinition);
    let kind = EditKind::Rematerialise {
        value: stand_in,
        from: definition,
        sources: sources.into_iter().collect(),
    };
    case.edit(Position::Before(reader), kind);
    case.rename(reader, 0, stand_in);
    Derived {
        case,
        sources,
        value,
        definition,
        between,
        reader,
    }
}

fn nothing(case: &mut Case, _: [VirtualRegister; 2]) -> Instruction {
    case.plain(&[], &[])
}

impl Derived {
    /// Computes it of something else instead.
    fn of(&mut self, other: &[VirtualRegister]) {
        for edit in &mut self.case.allocation.edits {
            if let EditKind::Rematerialise { sources, .. } = &mut edit.kind {
                *sources = other.iter().copied().collect();
            }
        }
    }
}

#[test]
fn a_value_can_be_computed_of_what_is_there() {
    derived(nothing).case.accept();
}

#[test]
fn the_sources_the_other_way_round() {
    let mut derived = derived(nothing);
    let [first, second] = derived.sources;
    derived.of(&[second, first]);
    derived.case.reject_value(derived.reader, 0, derived.value);
}

#[test]
fn a_source_that_is_another_value_by_then() {
    let derived = derived(|case, [first, _]| case.plain(&[first], &[]));
    derived.case.reject_value(derived.reader, 0, derived.value);
}

#[test]
fn a_source_that_went_through_a_copy_is_the_same() {
    let cpu = cpu();
    let mut derived = derived(nothing);
    let origin = derived.sources[0];
    let copy = derived.case.create(origin, cpu.wide, cpu.whole[3]);
    let slot = derived.case.slot(8);
    let store = EditKind::Store {
        value: origin,
        slot,
    };
    let at = Position::After(derived.definition);
    derived
        .case
        .allocation
        .edits
        .insert(1, Edit { at, kind: store });
    let at = Position::Before(derived.reader);
    let kind = EditKind::Reload { value: copy, slot };
    derived.case.allocation.edits.insert(2, Edit { at, kind });
    derived.of(&[copy, derived.sources[1]]);
    derived.case.accept();
    // On one path something else is stored there.
    let store = EditKind::Store {
        value: derived.sources[1],
        slot,
    };
    let at = Position::After(derived.between);
    derived
        .case
        .allocation
        .edits
        .insert(2, Edit { at, kind: store });
    derived.case.reject_value(derived.reader, 0, derived.value);
}

#[test]
fn a_source_too_few() {
    let mut derived = derived(nothing);
    derived.of(&[derived.sources[0]]);
    let site = derived.case.site(derived.reader, Spot::Before);
    let from = derived.definition;
    assert_eq!(
        derived.case.reject(),
        Fault::NotRematerialisable { site, from }
    );
}

#[test]
fn a_source_of_another_class() {
    let cpu = cpu();
    let mut derived = derived(nothing);
    let half = derived
        .case
        .create(derived.sources[0], cpu.half, cpu.low[0]);
    derived.of(&[half, derived.sources[1]]);
    assert!(matches!(
        derived.case.reject(),
        Fault::ClassMismatch { value, .. } if value == half
    ));
}

/// A function in which an instruction computes a value of two others, which are there
/// before the value's reader as well; the instruction and the reader.
fn computed(
    kind: InstructionKind,
    flags: InstructionFlags,
    operands: impl Fn([VirtualRegister; 3]) -> Vec<Operand>,
    mask: Option<ClobberMask>,
) -> (Case, [VirtualRegister; 2], Instruction, Instruction) {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let [value, first, second] = [0, 1, 2].map(|number| case.value(cpu.wide, cpu.whole[number]));
    let stand_in = case.create(value, cpu.wide, cpu.whole[3]);
    case.plain(&[first, second], &[]);
    let operands = operands([value, first, second]);
    let from = case.builder.push(kind, flags, &operands, mask);
    let reader = case.plain(&[], &[first, second]);
    (case, [stand_in, first], from, reader)
}

/// Repeating the instruction and leaving it out are both refused.
#[track_caller]
fn refuse(
    kind: InstructionKind,
    flags: InstructionFlags,
    operands: impl Fn([VirtualRegister; 3]) -> Vec<Operand>,
    mask: Option<ClobberMask>,
) {
    let (mut case, [value, first], from, reader) = computed(kind, flags, &operands, mask);
    let sources = case.function().instruction_operands(from).iter().skip(1);
    let sources = sources.map(|one| one.virtual_register().unwrap_or(first));
    let kind_of_edit = EditKind::Rematerialise {
        value,
        from,
        sources: sources.take(3).collect(),
    };
    // Behind a terminator nothing at all may stand.
    if !flags.contains(InstructionFlags::TERMINATOR) {
        case.edit(Position::Before(reader), kind_of_edit);
        let site = case.site(reader, Spot::Before);
        assert_eq!(case.reject(), Fault::NotRematerialisable { site, from });
    }
    let (mut case, _, from, _) = computed(kind, flags, &operands, mask);
    case.edit(Position::Before(from), EditKind::DeleteDefinition);
    let site = case.site(from, Spot::Whole);
    assert_eq!(case.reject(), Fault::NotADefinition { site });
}

const PLAIN: InstructionKind = InstructionKind::Plain;
const REMATERIALISABLE: InstructionFlags = InstructionFlags::REMATERIALISABLE;

fn sum([value, first, second]: [VirtualRegister; 3]) -> Vec<Operand> {
    vec![
        Operand::write(value),
        Operand::read(first),
        Operand::read(second),
    ]
}

#[test]
fn what_computes_a_value_of_others_alone_may_be_repeated() {
    let (mut case, [stand_in, _], from, reader) = computed(PLAIN, REMATERIALISABLE, sum, None);
    let operands = case.function().instruction_operands(from);
    let sources = operands[1..].iter().filter_map(Operand::virtual_register);
    let kind = EditKind::Rematerialise {
        value: stand_in,
        from,
        sources: sources.collect(),
    };
    case.edit(Position::Before(from), EditKind::DeleteDefinition);
    case.edit(Position::Before(reader), kind);
    case.accept();
}

#[test]
fn what_is_not_said_to_depend_on_its_operands_alone_is_not_repeated() {
    // As a load: other threads may have stored in between.
    let load = |[value, address, _]: [VirtualRegister; 3]| {
        vec![Operand::write(value), Operand::read(address)]
    };
    refuse(PLAIN, InstructionFlags::empty(), load, None);
    refuse(PLAIN, InstructionFlags::UNIFORM_PATH, sum, None);
    refuse(InstructionKind::Copy, REMATERIALISABLE, load, None);
}

#[test]
fn what_does_something_besides_is_not_repeated() {
    let harmless = InstructionFlags::REMATERIALISABLE
        | InstructionFlags::IMPLICIT_DEFINITION
        | InstructionFlags::DIVERGENT
        | InstructionFlags::UNIFORM_PATH
        | InstructionFlags::UNIFORM_SOURCE
        | InstructionFlags::ARGUMENT
        | InstructionFlags::PRIORITY
        | InstructionFlags::WIDE_PRIORITY;
    for flag in InstructionFlags::all().difference(harmless).iter() {
        refuse(PLAIN, REMATERIALISABLE | flag, sum, None);
    }
    refuse(PLAIN, REMATERIALISABLE, sum, Some(cpu().call));
}

#[test]
fn operands_that_are_more_than_a_name_are_not_repeated() {
    let machine = cpu();
    let with = |change: &dyn Fn(&mut Vec<Operand>, [VirtualRegister; 3])| {
        refuse(
            PLAIN,
            REMATERIALISABLE,
            |values| {
                let mut operands = sum(values);
                change(&mut operands, values);
                operands
            },
            None,
        );
    };
    with(&|all, _| all[0].flags = OperandFlags::EARLY_CLOBBER);
    with(&|all, _| all[0].sub_register = LOW);
    with(&|all, _| all[1].sub_register = LOW);
    with(&|all, _| all[1].flags = OperandFlags::UNDEFINED);
    with(&|all, _| all[1].flags = OperandFlags::IN_FLIGHT);
    with(&|all, _| all[1].tied_to = Some(0));
    with(&|all, [value, ..]| all[1] = Operand::read(value));
    with(&|all, [_, first, _]| all[2] = Operand::write(first));
    with(&|all, _| all[2] = fixed(machine.stack_pointer));
    with(&|all, [_, first, second]| all.extend([first, second].map(Operand::read)));
    with(&|all, _| all.clear());
}
