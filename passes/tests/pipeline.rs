//! Small functions through the whole pipeline, with exact results.

use fixedbitset::FixedBitSet;
use passes::allocate;
use passes::allocation::{Allocation, Edit, EditKind, Location, Position};
use passes::error::Error;
use passes::function::{
    Function, FunctionBuilder, InstructionFlags, InstructionKind, Operand, VirtualRegister, text,
};
use passes::machine::{Class, Machine, gpu};
use passes::settings::{Pass, Select, Settings};

/// Spilled predicates.
#[path = "pipeline/predicates.rs"]
mod predicates;

fn limit(registers: u32) -> Settings {
    Settings {
        pressure_limit: Some(registers),
        verify: true,
        ..Settings::default()
    }
}

fn run(function: &Function, registers: u32) -> Allocation {
    allocate(function, &gpu::machine(255), &limit(registers)).expect("an allocation")
}

fn values<const N: usize>(builder: &mut FunctionBuilder, class: Class) -> [VirtualRegister; N] {
    std::array::from_fn(|_| builder.virtual_register(class))
}

fn define_all(builder: &mut FunctionBuilder, values: &[VirtualRegister]) {
    for &value in values {
        builder.plain(&[Operand::write(value)]);
    }
}

fn read_all(builder: &mut FunctionBuilder, values: &[VirtualRegister]) {
    for &value in values {
        builder.plain(&[Operand::read(value)]);
    }
}

/// The edits as lines such as `before i3: reload v5 slot0`.
fn edit_lines(allocation: &Allocation) -> Vec<String> {
    let line = |edit: &Edit| {
        let at = match edit.at {
            Position::Before(instruction) => format!("before {instruction}"),
            Position::After(instruction) => format!("after {instruction}"),
        };
        let what = match edit.kind {
            EditKind::Rename { operand, to } => format!("rename {operand} {to}"),
            EditKind::Fold { operand, slot } => format!("fold {operand} {slot}"),
            EditKind::FoldLoad { operand, from } => format!("load {operand} {from}"),
            EditKind::Store { value, slot } => format!("store {value} {slot}"),
            EditKind::Reload { value, slot } => format!("reload {value} {slot}"),
            EditKind::Widen { to, from } => format!("widen {to} {from}"),
            EditKind::Narrow { to, from } => format!("narrow {to} {from}"),
            EditKind::Move { to, from } => format!("move {to} {from}"),
            EditKind::Rematerialise { value, from, .. } => format!("again {value} {from}"),
            EditKind::DeleteDefinition => "delete definition".into(),
            EditKind::DeleteCopy => "delete copy".into(),
        };
        format!("{at}: {what}")
    };
    allocation.edits.iter().map(line).collect()
}

fn name(machine: &Machine, allocation: &Allocation, value: VirtualRegister) -> String {
    match allocation.locations[value] {
        Location::Register(register) => machine.register_name(register).into(),
        Location::Slot(slot) => slot.to_string(),
        Location::None => "none".into(),
    }
}

#[test]
fn values_that_are_not_live_together_share_a_register() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(a)]);
    builder.plain(&[Operand::write(b), Operand::read(a)]);
    builder.plain(&[Operand::read(b)]);
    let allocation = run(&builder.finish(), 1);
    assert_eq!(allocation.locations[a], allocation.locations[b]);
    assert_eq!(allocation.statistics.spilled, 0);
}

#[test]
fn a_dead_definition_destroys_nothing() {
    let mut builder = FunctionBuilder::new("f");
    let [a, dead] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[a, dead]);
    read_all(&mut builder, &[a]);
    let allocation = run(&builder.finish(), 2);
    assert_ne!(allocation.locations[a], allocation.locations[dead]);
}

#[test]
fn a_copy_is_coalesced_although_its_source_lives_on() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(a)]);
    builder.copy(b, a);
    builder.plain(&[Operand::read(a), Operand::read(b)]);
    let allocation = run(&builder.finish(), 2);
    assert_eq!(allocation.locations[a], allocation.locations[b]);
    assert_eq!(edit_lines(&allocation), ["before i1: delete copy"]);
    assert_eq!(allocation.statistics.copies_left, 0);
}

#[test]
fn a_copy_whose_source_changes_later_stays() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(a)]);
    builder.copy(b, a);
    builder.plain(&[Operand::write(a), Operand::read(a)]);
    builder.plain(&[Operand::read(a), Operand::read(b)]);
    let allocation = run(&builder.finish(), 8);
    assert_ne!(allocation.locations[a], allocation.locations[b]);
    assert_eq!(allocation.statistics.copies_left, 1);
}

/// A cycle of four values, each live with the next one only: two registers do,
/// though every node has two neighbours.
#[test]
fn an_optimistic_push_colours_a_four_cycle_with_two_registers() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b, c, d] = values(&mut builder, gpu::SINGLE32);
    let head = builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[a]);
    let body = builder.start_block(8.0, 1, &[]);
    define_all(&mut builder, &[b]);
    read_all(&mut builder, &[a]);
    define_all(&mut builder, &[c]);
    read_all(&mut builder, &[b]);
    define_all(&mut builder, &[d]);
    read_all(&mut builder, &[c]);
    define_all(&mut builder, &[a]);
    read_all(&mut builder, &[d]);
    builder.edge(head, body);
    builder.edge(body, body);
    let allocation = run(&builder.finish(), 2);
    assert_eq!(allocation.statistics.spilled, 0);
    assert_eq!(allocation.statistics.rounds, 1);
}

#[test]
fn spill_code_stores_after_the_definition_and_reloads_once_an_instruction() {
    let mut builder = FunctionBuilder::new("f");
    let [cheap, a, b] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[cheap, a, b]);
    for _ in 0..2 {
        builder.plain(&[Operand::read(a), Operand::read(b)]);
    }
    builder.plain(&[Operand::read(cheap), Operand::read(cheap)]);
    let allocation = run(&builder.finish(), 2);
    assert_eq!(
        edit_lines(&allocation),
        [
            "before i0: rename op0 v3",
            "after i0: store v3 slot0",
            "before i5: reload v4 slot0",
            "before i5: rename op7 v4",
            "before i5: rename op8 v4",
        ]
    );
    let statistics = &allocation.statistics;
    assert_eq!((statistics.stores, statistics.reloads), (1, 1));
    assert_eq!((allocation.slots.len(), statistics.spilled), (1, 1));
}

#[test]
fn a_value_that_is_read_and_written_is_reloaded_and_stored() {
    let mut builder = FunctionBuilder::new("f");
    let [sum, a, b] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[sum, a, b]);
    for _ in 0..9 {
        builder.plain(&[Operand::read(a), Operand::read(b)]);
    }
    builder.plain(&[Operand::write(sum), Operand::read(sum)]);
    builder.plain(&[Operand::read(sum)]);
    let mut everywhere = limit(2);
    everywhere.disabled.extend([Pass::Split, Pass::TakeBack]);
    let allocation = allocate(&builder.finish(), &gpu::machine(255), &everywhere);
    let lines = edit_lines(&allocation.expect("an allocation")).join("\n");
    assert!(lines.contains("before i12: reload v4 slot0"), "{lines}");
    assert!(lines.contains("after i12: store v4 slot0"), "{lines}");
}

/// A value that is read twice before a call that destroys all registers, and twice
/// behind it.
fn across_a_call(machine: &mut Machine) -> Function {
    let nothing = FixedBitSet::with_capacity(machine.table.registers.len());
    let mask = machine.clobber_masks.push(nothing);
    let mut builder = FunctionBuilder::new("f");
    let [value] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[value]);
    read_all(&mut builder, &[value; 2]);
    let (kind, flags) = (InstructionKind::Plain, InstructionFlags::CALL);
    builder.push(kind, flags, &[], Some(mask));
    read_all(&mut builder, &[value; 2]);
    builder.finish()
}

#[test]
fn a_value_waits_in_memory_only_where_its_register_is_taken() {
    for select in [Select::Graph, Select::FatPoint] {
        for retries in [0, 3] {
            let mut machine = gpu::machine(255);
            let function = across_a_call(&mut machine);
            let settings = Settings {
                select,
                spill_retries: retries,
                ..limit(4)
            };
            let allocation = allocate(&function, &machine, &settings).expect("an allocation");
            assert_eq!(
                edit_lines(&allocation),
                [
                    "before i0: rename op0 v1",
                    "after i0: store v1 slot0",
                    "before i1: rename op1 v1",
                    "before i2: rename op2 v1",
                    "before i4: reload v2 slot0",
                    "before i4: rename op3 v2",
                    "before i5: rename op4 v2",
                ]
            );
        }
    }
}

#[test]
fn terminators_share_a_reload_before_the_first() {
    let mut builder = FunctionBuilder::new("f");
    let [cheap, a, b] = values(&mut builder, gpu::SINGLE32);
    let first = builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[cheap, a, b]);
    for _ in 0..4 {
        builder.plain(&[Operand::read(a), Operand::read(b)]);
    }
    for _ in 0..2 {
        let flags = InstructionFlags::TERMINATOR;
        builder.push(InstructionKind::Plain, flags, &[Operand::read(cheap)], None);
    }
    let next = builder.start_block(1.0, 0, &[]);
    builder.edge(first, next);
    let allocation = run(&builder.finish(), 2);
    let lines = edit_lines(&allocation);
    let reloads: Vec<_> = lines.iter().filter(|l| l.contains("reload")).collect();
    assert_eq!(reloads, ["before i7: reload v4 slot0"]);
    assert_eq!(lines.last().unwrap(), "before i8: rename op12 v4");
}

#[test]
fn pairs_get_even_registers_and_fill_the_budget() {
    let mut builder = FunctionBuilder::new("f");
    let singles: [_; 2] = values(&mut builder, gpu::SINGLE32);
    let pairs: [_; 3] = values(&mut builder, gpu::PAIR);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &singles[..1]);
    define_all(&mut builder, &pairs);
    define_all(&mut builder, &singles[1..]);
    read_all(&mut builder, &pairs);
    read_all(&mut builder, &singles);
    let machine = gpu::machine(255);
    let allocation = run(&builder.finish(), 8);
    assert_eq!(allocation.statistics.spilled, 0);
    for pair in pairs {
        let name = name(&machine, &allocation, pair);
        let first: u32 = name.strip_prefix("RD").unwrap().parse().unwrap();
        assert_eq!(first % 2, 0);
    }
    let file = &allocation.statistics.files[0];
    assert_eq!((file.used, file.maxlive, file.budget), (8, 8, 8));
}

#[test]
fn a_budget_below_one_instruction_is_an_error() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b] = values(&mut builder, gpu::PAIR);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[a, b]);
    builder.plain(&[Operand::read(a), Operand::read(b)]);
    let error = allocate(&builder.finish(), &gpu::machine(255), &limit(3)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the R budget of 3 registers is too small: instruction 2 alone needs 4"
    );
}

#[test]
fn the_spill_limit_is_an_error() {
    let mut builder = FunctionBuilder::new("f");
    let all: [_; 6] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &all);
    read_all(&mut builder, &all);
    let settings = Settings {
        spill_limit: Some(2),
        ..limit(2)
    };
    let error = allocate(&builder.finish(), &gpu::machine(255), &settings).unwrap_err();
    assert_eq!(error, Error::SpillLimit { limit: 2 });
}

/// Without hints, so that only merging can give both ends of the copy one register.
#[test]
fn the_coalescing_knob_disables_the_pass() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(a)]);
    builder.copy(b, a);
    builder.plain(&[Operand::read(a)]);
    builder.plain(&[Operand::read(b)]);
    let function = builder.finish();
    let coalesced = |knob: &str, disabled: &[Pass]| {
        let mut settings = limit(8);
        settings.knobs.set(knob).unwrap();
        settings.disabled = disabled.iter().copied().collect();
        let allocation = allocate(&function, &gpu::machine(255), &settings).unwrap();
        allocation.statistics.coalesced
    };
    assert_eq!(coalesced("618=1", &[Pass::Hints]), 1);
    assert_eq!(coalesced("618=0", &[Pass::Hints]), 0);
    assert_eq!(coalesced("618=1", &[Pass::Hints, Pass::Coalesce]), 0);
}

/// Found by fuzzing: two copies of a value that is somewhere else share a register, which
/// the checker has to see is right.
#[test]
fn copies_of_one_value_share_a_register() {
    let text = include_str!("data/copies_of_one_value.warp");
    let (machine, function) = text::parse(text).expect("a function");
    let settings = Settings {
        select: Select::FatPoint,
        verify: true,
        ..Settings::default()
    };
    let allocation = allocate(&function, &machine, &settings).expect("an allocation");
    let [source, first, second] = [1, 2, 3].map(VirtualRegister::from_u32);
    assert_eq!(allocation.locations[first], allocation.locations[second]);
    assert_ne!(allocation.locations[first], allocation.locations[source]);
}

#[test]
fn a_value_that_nothing_names_needs_no_location() {
    let mut builder = FunctionBuilder::new("f");
    let unused = builder.virtual_register(gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    let allocation = run(&builder.finish(), 8);
    assert_eq!(allocation.locations[unused], Location::None);
}

#[test]
fn the_value_outside_the_loop_is_spilled_first() {
    let mut builder = FunctionBuilder::new("f");
    let [outside, a, b] = values(&mut builder, gpu::SINGLE32);
    let entry = builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[outside, a, b]);
    let body = builder.start_block(50.0, 1, &[]);
    builder.plain(&[Operand::write(a), Operand::read(a), Operand::read(b)]);
    let exit = builder.start_block(1.0, 0, &[]);
    read_all(&mut builder, &[a, b, outside]);
    builder.edge(entry, body);
    builder.edge(body, body);
    builder.edge(body, exit);
    let allocation = run(&builder.finish(), 2);
    assert!(matches!(allocation.locations[outside], Location::Slot(_)));
    assert!(matches!(allocation.locations[a], Location::Register(_)));
    assert!(matches!(allocation.locations[b], Location::Register(_)));
}

/// `b` is a copy of `a`; `a` is live with `x`, `b` with `y`, and `x` with `y`:
/// as one, `a` and `b` would need a third register.
#[test]
fn a_group_without_a_register_is_taken_apart() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b, x, y] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[x, y]);
    read_all(&mut builder, &[x, y, x, y, x, y]);
    define_all(&mut builder, &[a, x]);
    read_all(&mut builder, &[x, x, x]);
    builder.copy(b, a);
    define_all(&mut builder, &[y]);
    read_all(&mut builder, &[y, y, y, b]);
    let function = builder.finish();
    let allocation = run(&function, 2);
    assert_eq!(allocation.statistics.spilled, 0);
    assert_eq!(allocation.statistics.copies_left, 1);
    let roomy = run(&function, 3);
    assert_eq!(roomy.statistics.copies_left, 0);
}

/// A value that lives across a call takes the one register that the call keeps, whoever
/// chooses.
#[test]
fn a_value_across_a_call_is_where_the_call_leaves_it() {
    let mut machine = gpu::machine(8);
    let kept = machine.classes[gpu::SINGLE32].order[3];
    let mut preserved = FixedBitSet::with_capacity(machine.table.registers.len());
    preserved.set(kept.as_u32() as usize, true);
    let mask = machine.clobber_masks.push(preserved);
    let mut builder = FunctionBuilder::new("f");
    let [across] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &[across]);
    let (kind, flags) = (InstructionKind::Plain, InstructionFlags::CALL);
    builder.push(kind, flags, &[], Some(mask));
    read_all(&mut builder, &[across]);
    let function = builder.finish();
    for select in [Select::Graph, Select::FatPoint] {
        let settings = Settings { select, ..limit(8) };
        let allocation = allocate(&function, &machine, &settings).expect("registers");
        assert_eq!(allocation.locations[across], Location::Register(kept));
    }
}

/// Three constants and two registers. A constant that has to go is computed before each
/// of its readers, and nowhere else; with nothing left in memory there is no slot.
#[test]
fn a_constant_is_rematerialised() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b, c] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    for value in [a, b, c] {
        let flags = InstructionFlags::REMATERIALISABLE;
        builder.push(
            InstructionKind::Plain,
            flags,
            &[Operand::write(value)],
            None,
        );
    }
    read_all(&mut builder, &[b, b, c, c, a]);
    let function = builder.finish();
    let allocation = run(&function, 2);
    assert_eq!(allocation.locations[a], Location::None);
    assert_eq!(
        edit_lines(&allocation),
        [
            "before i0: delete definition",
            "before i7: again v3 i0",
            "before i7: rename op7 v3"
        ]
    );
    assert_eq!(allocation.statistics.remats, 1);
    assert_eq!(allocation.statistics.spilled, 0);
    assert_eq!(allocation.statistics.spill_cost, 0.25);
    let settings = Settings {
        disabled: [Pass::Rematerialise].into(),
        ..limit(2)
    };
    let allocation = allocate(&function, &gpu::machine(255), &settings).expect("registers");
    assert_eq!(allocation.statistics.remats, 0);
    assert_eq!(allocation.statistics.stores, 1);
}

/// Of 300 values that are live at once, the graph takes in 64 besides those that
/// are dear; a value in use in the middle is not among the first to go.
#[test]
fn values_far_beyond_the_budget_are_spilled_before_colouring() {
    let mut builder = FunctionBuilder::new("f");
    let many: [VirtualRegister; 300] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &many);
    for _ in 0..9 {
        read_all(&mut builder, &many[7..8]);
    }
    read_all(&mut builder, &many);
    let settings = Settings {
        spill_retries: 0,
        ..limit(4)
    };
    let allocation = allocate(&builder.finish(), &gpu::machine(255), &settings).expect("registers");
    assert_eq!(allocation.statistics.spilled, 297);
    assert!(matches!(
        allocation.locations[many[7]],
        Location::Register(_)
    ));
    assert!(allocation.statistics.rounds <= 4);
}
