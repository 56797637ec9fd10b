//! Values for which no register is free all the time, but one here and another there.

use passes::allocate;
use passes::allocation::{Allocation, Edit, EditKind};
use passes::function::Function;
use passes::function::text::parse;
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

/// Where nothing reads it there is no place for the move: it waits in memory.
#[test]
fn a_value_that_only_waits_goes_to_memory() {
    let (machine, function) = taken_in_turn("");
    let allocation = allocated(&machine, &function);
    assert!(allocation.edits.iter().any(accesses_memory));
}
