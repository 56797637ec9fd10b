//! Spills that are taken back.

use super::super::take_back;
use super::*;

/// The work function once spills are taken back; with the number of its slots.
fn refined(code: Code, registers: &[usize]) -> (Vec<String>, u32) {
    let machine = code.machine.clone();
    let (mut work, mut colouring) = code.coloured(registers);
    take_back(&mut work, &machine, &mut colouring);
    (lines(&work.function), work.spilled())
}

/// A register is used by v1 before anything else, and free from then on. The spilled value is
/// written and read; `between` uses others. v2 and later are those, then what is stored and
/// what is loaded.
fn spilled_across(between: impl FnOnce(&mut Code)) -> Code {
    let mut code = Code::new();
    let early = code.value();
    code.write(early);
    code.read(early);
    code.write(code.spilled);
    between(&mut code);
    code.read(code.spilled);
    code
}

fn another(code: &mut Code) {
    let other = code.value();
    code.write(other);
    code.read(other);
}

#[test]
fn a_register_that_is_free_all_along_takes_the_value_back() {
    // v3 is stored, v4 loaded, both where v2 is as well; v1 had register 1.
    let code = spilled_across(another);
    let expected = ["plain v1", "plain v1", "plain v3"];
    let rest = ["plain v2", "plain v2", "plain v3"];
    let (lines, slots) = refined(code, &[1, 0, 0, 0]);
    assert_eq!(
        (lines, slots),
        (
            [expected, rest]
                .concat()
                .iter()
                .map(ToString::to_string)
                .collect(),
            0
        )
    );
}

#[test]
fn a_register_that_nothing_uses_stays_unused() {
    let (lines, slots) = refined(spilled_across(another), &[0, 0, 0, 0]);
    assert!(lines.contains(&"reload v4".into()) && lines.contains(&"store v3".into()));
    assert_eq!(slots, 1);
}

#[test]
fn a_register_of_a_piece_may_be_the_free_one() {
    // v2 goes to another register than v3, which nothing overwrites.
    let (lines, slots) = refined(spilled_across(another), &[1, 1, 0, 1]);
    assert_eq!((lines.len(), slots), (6, 0));
}

#[test]
fn what_two_others_leave_free_by_turns_is_not_free() {
    let code = spilled_across(|code| {
        another(code);
        another(code);
    });
    // Registers 1 and 0 are in use, each for a part of the way.
    let (lines, slots) = refined(code, &[1, 1, 0, 0, 0]);
    assert!(lines.contains(&"reload v5".into()), "{lines:?}");
    assert_eq!(slots, 1);
}

#[test]
fn every_path_must_leave_the_register_free() {
    let on_sides = |register: usize| {
        let mut code = Code::new();
        let (early, other) = (code.value(), code.value());
        code.write(early);
        code.read(early);
        code.write(code.spilled);
        code.block(&[0]);
        code.write(other);
        code.read(other);
        code.block(&[0]);
        code.block(&[1, 2]);
        another(&mut code);
        code.read(code.spilled);
        refined(code, &[1, register, 0, 0, 0]).1
    };
    assert_eq!(on_sides(0), 0);
    assert_eq!(on_sides(1), 1);
}

#[test]
fn what_is_written_last_is_what_is_kept() {
    let code = spilled_across(|code| {
        another(code);
        code.write(code.spilled);
        another(code);
    });
    // v2 and v3 are the others, v4 what is stored first, v5 what is stored last.
    let (lines, slots) = refined(code, &[1, 0, 0, 0, 0, 0]);
    let expected = [
        "plain v1", "plain v1", "plain v4", "plain v2", "plain v2", "plain v5", "plain v3",
        "plain v3", "plain v5",
    ];
    assert_eq!((lines, slots), (expected.map(String::from).to_vec(), 0));
}

#[test]
fn a_store_stays_as_long_as_some_path_loads() {
    let code = || {
        let mut code = read_twice();
        let value = code.spilled;
        let kind = InstructionKind::Plain;
        code.builder
            .push(kind, InstructionFlags::empty(), &[], None);
        code.block(&[0]);
        code.read(value);
        code
    };
    // All in one register that nothing overwrites: no load is needed, and no store.
    assert_eq!(refined(code(), &[0, 0, 0, 0]).1, 0);
    let (work, _) = code().without_redundant(&[0, 0, 0, 0]);
    let has_store = |lines: Vec<String>| lines.iter().any(|line| line.starts_with("store"));
    assert!(has_store(lines(&work.function)));
}
