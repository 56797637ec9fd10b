use crate::case::Case;
use passes::allocation::{EditKind, Location, Position};
use passes::function::{Instruction, VirtualRegister};
use passes::machine::{Machine, Register, gpu};
use passes::verify::Fault;

const LIMIT: u32 = 8;

fn machine() -> Machine {
    gpu::machine(LIMIT).with_packed_predicates(1).into_owned()
}

fn register(machine: &Machine, name: &str) -> Register {
    let mut registers = machine.table.registers.keys();
    let found = registers.find(|&one| machine.register_name(one) == name);
    found.expect("a register")
}

/// Two predicates, put into bits and taken out again by way of `P0`.
struct Packed {
    case: Case,
    bits: [VirtualRegister; 2],
    back: [VirtualRegister; 2],
    reads: [Instruction; 2],
}

fn packed() -> Packed {
    let machine = machine();
    let [p0, p1] = ["P0", "P1"].map(|name| register(&machine, name));
    let [bit0, bit1] = ["PB0", "PB1"].map(|name| register(&machine, name));
    let mut case = Case::new(&machine);
    let values = [p0, p1].map(|location| case.value(gpu::PREDICATE, location));
    let written = case.plain(&values, &[]);
    let reads = values.map(|value| case.plain(&[], &[value]));
    let [a, b] = values;
    let bits =
        [(a, bit0), (b, bit1)].map(|(value, bit)| case.create(value, gpu::PACKED_PREDICATE, bit));
    let back = values.map(|value| case.create(value, gpu::PREDICATE, p0));
    for (&to, &from) in bits.iter().zip(&values) {
        case.edit(Position::After(written), EditKind::Widen { to, from });
    }
    for number in 0..2 {
        let (to, from) = (back[number], bits[number]);
        case.edit(
            Position::Before(reads[number]),
            EditKind::Narrow { to, from },
        );
        case.rename(reads[number], 0, to);
    }
    Packed {
        case,
        bits,
        back,
        reads,
    }
}

#[test]
fn two_predicates_in_one_bit() {
    let Packed { mut case, bits, .. } = packed();
    case.accept();
    let Location::Register(first) = case.allocation.locations[bits[0]] else {
        panic!("a bit has a register");
    };
    case.place(bits[1], first);
    assert!(matches!(case.reject(), Fault::WrongValue { .. }));
}

#[test]
fn the_other_bit_taken_out() {
    let Packed {
        mut case,
        bits,
        back,
        reads,
    } = packed();
    for edit in &mut case.allocation.edits {
        if edit.at == Position::Before(reads[1]) && matches!(edit.kind, EditKind::Narrow { .. }) {
            let (to, from) = (back[1], bits[0]);
            edit.kind = EditKind::Narrow { to, from };
        }
    }
    assert!(matches!(case.reject(), Fault::WrongValue { .. }));
}

#[test]
fn a_bit_never_put_in() {
    let Packed { mut case, bits, .. } = packed();
    case.drop_edits(|edit| matches!(edit.kind, EditKind::Widen { to, .. } if to == bits[1]));
    assert!(matches!(case.reject(), Fault::WrongValue { .. }));
}

#[test]
fn a_bit_of_a_register_that_is_not_there() {
    let Packed { mut case, bits, .. } = packed();
    let beyond = register(&case.machine, "PB32");
    case.place(bits[0], beyond);
    assert!(matches!(case.reject(), Fault::OutsideClass { .. }));
}

#[test]
fn a_bit_stored() {
    let Packed {
        mut case,
        bits,
        reads,
        ..
    } = packed();
    let slot = case.slot(4);
    let at = Position::Before(reads[0]);
    case.allocation.edits.retain(|edit| edit.at != at);
    case.edit(
        at,
        EditKind::Store {
            value: bits[0],
            slot,
        },
    );
    case.allocation.edits.sort_by_key(|edit| match edit.at {
        Position::Before(one) => (one, 0),
        Position::After(one) => (one, 1),
    });
    assert!(matches!(case.reject(), Fault::NotStorable { .. }));
}

/// The register that holds the bits is nobody else's.
#[test]
fn the_register_of_the_bits_given_to_a_value() {
    let machine = machine();
    let mut case = Case::new(&machine);
    let value = case.value(gpu::SINGLE32, register(&machine, "R6"));
    case.plain(&[value], &[]);
    case.plain(&[], &[value]);
    case.accept();
    case.place(value, register(&machine, "R7"));
    assert!(matches!(case.reject(), Fault::OutsideClass { .. }));
}

/// Who forgets that the machine has bits is told so.
#[test]
fn bits_on_a_machine_without_them() {
    let Packed { mut case, .. } = packed();
    case.machine = gpu::machine(LIMIT);
    assert!(matches!(case.reject(), Fault::BadCreated { .. }));
}
