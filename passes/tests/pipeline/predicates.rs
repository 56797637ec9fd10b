use super::*;

/// Eight predicates, the first of which is not read for long, and other values that live
/// as long.
fn eight_predicates<const OTHERS: usize>() -> Function {
    let mut builder = FunctionBuilder::new("f");
    let others: [_; OTHERS] = values(&mut builder, gpu::SINGLE32);
    let predicates: [_; 8] = values(&mut builder, gpu::PREDICATE);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &others);
    define_all(&mut builder, &predicates);
    for &predicate in predicates[1..].iter().chain(&predicates[1..]) {
        let operands = [predicate].into_iter().chain(others);
        builder.plain(&operands.map(Operand::read).collect::<Vec<_>>());
    }
    read_all(&mut builder, &predicates[..1]);
    read_all(&mut builder, &others);
    builder.finish()
}

#[test]
fn a_predicate_is_spilled_to_a_register() {
    let allocation = run(&eight_predicates::<0>(), 2);
    assert_eq!(
        edit_lines(&allocation),
        [
            "before i0: rename op0 v9",
            "after i0: widen v8 v9",
            "before i22: narrow v10 v8",
            "before i22: rename op22 v10",
        ]
    );
    assert_eq!(allocation.statistics.spilled, 0);
}

#[test]
fn the_spill_register_of_a_predicate_goes_to_memory_where_registers_are_few() {
    assert_eq!(run(&eight_predicates::<2>(), 3).statistics.spilled, 0);
    let mut lines = edit_lines(&run(&eight_predicates::<2>(), 2));
    lines.retain(|line| {
        ["widen", "narrow", "slot0"]
            .iter()
            .any(|one| line.contains(one))
    });
    assert_eq!(
        lines,
        [
            "after i2: widen v13 v11",
            "after i2: store v13 slot0",
            "before i24: reload v14 slot0",
            "before i24: narrow v12 v14",
        ]
    );
}

/// So many predicates, all written before the first is read, and other values that live as
/// long.
fn many_predicates<const OTHERS: usize>(count: usize) -> Function {
    let mut builder = FunctionBuilder::new("f");
    let others: [_; OTHERS] = values(&mut builder, gpu::SINGLE32);
    let predicates: Vec<_> = (0..count)
        .map(|_| builder.virtual_register(gpu::PREDICATE))
        .collect();
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &others);
    define_all(&mut builder, &predicates);
    read_all(&mut builder, &predicates);
    read_all(&mut builder, &others);
    builder.finish()
}

#[test]
fn predicates_share_registers_where_that_saves_memory() {
    for (count, registers, words) in [
        // One has to wait: that takes a register as well.
        (8, 2, 0),
        (10, 5, 0),
        (10, 4, 1),
        (35, 3, 1),
        (36, 4, 2),
        // No two registers for 30 of them.
        (37, 2, 0),
    ] {
        let function = many_predicates::<2>(count);
        let allocation = run(&function, registers);
        assert_eq!(allocation.predicate_words, words, "{count}");
        let packed = allocation.created.iter();
        let packed = packed.filter(|one| one.class == gpu::PACKED_PREDICATE);
        let waiting = if words > 0 { count - 7 } else { 0 };
        assert_eq!(packed.count(), waiting, "{count}");
        let in_memory = allocation.statistics.spilled > 0;
        assert_eq!(in_memory, words == 0 && registers < 4, "{count}");
        let file = &allocation.statistics.files[0];
        assert_eq!((file.name.as_str(), file.budget), ("R", registers));
        assert!(file.used <= registers);
    }
}

/// Predicates alone, with one register: it holds 28 of them, not 56.
#[test]
fn no_more_registers_hold_predicates_than_there_are() {
    for (count, words) in [(35, 1), (36, 0)] {
        let allocation = run(&many_predicates::<0>(count), 1);
        assert_eq!(allocation.predicate_words, words);
        let file = &allocation.statistics.files[0];
        let figures = (file.name.as_str(), file.used, file.budget);
        assert_eq!(figures, ("R", 1, 1));
    }
}

#[test]
fn predicates_are_packed_where_nothing_else_is_allowed() {
    let function = many_predicates::<2>(10);
    let allocated = |settings| allocate(&function, &gpu::machine(255), settings);
    let mut settings = limit(4);
    settings.spill_limit = Some(0);
    assert_eq!(allocated(&settings).expect("bits").predicate_words, 1);
    let without = settings.without(Pass::PackPredicates);
    assert_eq!(allocated(&without), Err(Error::SpillLimit { limit: 0 }));
}

#[test]
fn predicates_are_not_packed_if_nobody_wants_it() {
    let function = many_predicates::<2>(10);
    let settings = limit(3).without(Pass::PackPredicates);
    let allocation = allocate(&function, &gpu::machine(255), &settings).expect("an allocation");
    assert_eq!(allocation.predicate_words, 0);
    assert!(allocation.statistics.spilled > 0);
}

/// The last figures of the statistics but one, as printed.
fn rates(function: &Function, registers: u32) -> String {
    let settings = Settings {
        measure: true,
        disabled: [Pass::TakeBack].into(),
        ..limit(registers)
    };
    let allocation = allocate(function, &gpu::machine(255), &settings).expect("an allocation");
    let text = allocation.statistics.to_string();
    let is_rate = |part: &&str| {
        let names = ["values=", "spill_rate=", "coloured="];
        names.iter().any(|name| part.starts_with(name))
    };
    text.split(' ')
        .filter(is_rate)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn rates_are_of_the_values_that_the_function_names() {
    let whole = "values=10 spill_rate=0.00 coloured=100.00";
    let mut builder = FunctionBuilder::new("f");
    let [unnamed]: [_; 1] = values(&mut builder, gpu::SINGLE32);
    let named: [_; 10] = values(&mut builder, gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    define_all(&mut builder, &named);
    read_all(&mut builder, &named);
    let function = builder.finish();
    assert!(function.virtual_registers.is_valid(unnamed));
    assert_eq!(rates(&function, 10), whole);
    // Each of two is in memory while the others are in registers.
    let two = "values=10 spill_rate=20.00 coloured=80.00";
    assert_eq!(rates(&function, 8), two);
    // A predicate in another register is not in memory, but not coloured as it was; it is in
    // memory where its spill register is, beside one of the others.
    let carried = "values=8 spill_rate=0.00 coloured=87.50";
    assert_eq!(rates(&eight_predicates::<0>(), 2), carried);
    let stored = "values=10 spill_rate=20.00 coloured=80.00";
    assert_eq!(rates(&eight_predicates::<2>(), 2), stored);
}
