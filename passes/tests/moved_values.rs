//! Values for which no register is free all the time, but one here and another there.

use passes::allocate;
use passes::allocation::{Allocation, Edit, EditKind};
use passes::function::text::parse;
use passes::function::{Function, OperandFlags, OperandIndex};
use passes::machine::Machine;
use passes::settings::Settings;

/// Two registers. Until the value's first reader one is taken, from there on the other.
fn taken_in_turn(first_reader: &str) -> (Machine, Function) {
    let text = format!(
        "machine\n\
         register $a units=0\n\
         register $b units=1\n\
         class R size=8 alignment=8 order=$a,$b\n\
         file G size=2 columns=0,1\n\
         function f\n\
         values v0:R\n\
         block b0 frequency=1\n\
         v0 = op\n\
         $a = op\n\
         op $a\n\
         {first_reader}\
         $b = op\n\
         op $b\n\
         op v0\n"
    );
    parse(&text).expect("well-formed")
}

fn allocated(machine: &Machine, function: &Function) -> Allocation {
    let settings = Settings {
        verify: true,
        rename_joined: true,
        ..Settings::default()
    };
    allocate(function, machine, &settings).expect("it is right")
}

fn is_move(edit: &Edit) -> bool {
    matches!(edit.kind, EditKind::Move { .. })
}

fn accesses_memory(edit: &Edit) -> bool {
    matches!(edit.kind, EditKind::Store { .. } | EditKind::Reload { .. })
}

#[test]
fn a_value_moves_where_another_register_is_free() {
    let (machine, function) = taken_in_turn("op v0\n");
    let allocation = allocated(&machine, &function);
    assert!(allocation.edits.iter().any(is_move));
    assert!(!allocation.edits.iter().any(accesses_memory));
}

/// Two registers, one of them of a class of its own.
fn with_small_class(values_and_code: &str) -> (Machine, Function) {
    let text = format!(
        "machine\n\
         register $a units=0\n\
         register $b units=1\n\
         class R size=8 alignment=8 order=$a,$b\n\
         class F size=8 alignment=8 order=$a\n\
         file G size=2 columns=0,1\n\
         function f\n\
         {values_and_code}"
    );
    parse(&text).expect("well-formed")
}

/// Both values are read from the class of one register at the end of their lives.
fn both_read_from_the_first() -> (Machine, Function) {
    with_small_class(
        "values v0:F super=R, v1:F super=R\n\
         block b0 frequency=1\n\
         v0 = op\n\
         v1 = op\n\
         op v0, v1\n\
         op constrained v0\n\
         op constrained v1\n",
    )
}

/// It goes to the small class where it is read from there.
#[test]
fn a_value_is_in_its_super_class_where_it_can_be() {
    let (machine, function) = both_read_from_the_first();
    let allocation = allocated(&machine, &function);
    assert!(!allocation.edits.iter().any(accesses_memory));
    assert_eq!(
        allocation.edits.iter().filter(|one| is_move(one)).count(),
        1
    );
}

/// A constant on one way and not on the other, read from a small class where they meet.
#[test]
fn a_constant_is_rematerialised_into_the_super_class() {
    let (machine, function) = with_small_class(
        "values v0:F super=R\n\
         block b0 frequency=1 to=b1,b2\n\
         v0 = op.remat\n\
         $a = op\n\
         $b = op\n\
         op $a, $b\n\
         terminator\n\
         block b1 frequency=0.5 to=b3\n\
         v0 = op\n\
         terminator\n\
         block b2 frequency=0.5 to=b3\n\
         op\n\
         terminator\n\
         block b3 frequency=1\n\
         op v0\n\
         op constrained v0\n",
    );
    let allocation = allocated(&machine, &function);
    let rematerialises = |edit: &Edit| matches!(edit.kind, EditKind::Rematerialise { .. });
    assert!(!allocation.edits.iter().any(accesses_memory));
    assert!(allocation.edits.iter().any(rematerialises));
}

#[test]
fn without_its_super_class_it_goes_to_memory() {
    let (machine, mut function) = both_read_from_the_first();
    for data in function.virtual_registers.values_mut() {
        data.super_class = None;
    }
    // Without the instruction that reads both at once, for which there would be no way.
    let both = function.instructions.keys().nth(2).expect("it has more");
    let first = function.instructions[both].operands.start;
    function.operands[OperandIndex::from_u32(first)].flags |= OperandFlags::UNDEFINED;
    let allocation = allocated(&machine, &function);
    assert!(allocation.edits.iter().any(accesses_memory));
}

/// Where nothing reads it there is no place for the move: it waits in memory.
#[test]
fn a_value_that_only_waits_goes_to_memory() {
    let (machine, function) = taken_in_turn("");
    let allocation = allocated(&machine, &function);
    assert!(allocation.edits.iter().any(accesses_memory));
}
