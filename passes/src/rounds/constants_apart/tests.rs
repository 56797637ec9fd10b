use super::*;
use crate::function::text::parse;

/// What is set apart of `v0` and `v1`: the value, the places, and the accesses.
fn apart(blocks: &str) -> Vec<String> {
    let text = format!(
        "machine\n\
         register $a units=0\n\
         register $b units=1\n\
         class R size=8 alignment=8 order=$a,$b\n\
         file R size=2 columns=0,1\n\
         function f\n\
         values v0:R, v1:R\n\
         {blocks}"
    );
    let (_, function) = parse(&text).expect("well-formed");
    let names = |accesses: &[Instruction]| {
        let names: Vec<_> = accesses.iter().map(ToString::to_string).collect();
        names.join(" ")
    };
    let line = |one: &Moved| {
        let places: Vec<_> = one
            .places
            .iter()
            .map(|(place, back)| {
                assert!(back, "it is moved there by its definition");
                format!("{place:?}")
            })
            .collect();
        format!(
            "{} {}: {}",
            one.value,
            places.join(" "),
            names(&one.accesses)
        )
    };
    constants_apart(&function).iter().map(line).collect()
}

/// A loop that may be left early, with another constant; what comes behind it reads which.
fn with_loop(before: &str, inside: &str, behind: f64) -> Vec<String> {
    apart(&format!(
        "block b0 frequency=1 to=b1\n\
         v0 = op.remat\n\
         {before}\
         block b1 frequency=9 to=b2,b3\n\
         {inside}\
         op\n\
         block b2 frequency=0.5 to=b5\n\
         v0 = op.remat\n\
         block b3 frequency=8.5 to=b1,b4\n\
         op\n\
         block b4 frequency={behind} to=b5\n\
         op\n\
         block b5 frequency=1\n\
         op v0"
    ))
}

#[test]
fn a_constant_goes_past_the_loop() {
    assert_eq!(with_loop("", "", 0.5), ["v0 End(b4): i0"]);
}

#[test]
fn what_reads_the_constant_names_it() {
    assert_eq!(
        with_loop("op v0\n", "op v0\n", 0.5),
        ["v0 End(b4): i0 i1 i2"]
    );
}

#[test]
fn moves_are_executed_less_often_than_the_definition() {
    assert_eq!(with_loop("", "", 1.0), [""; 0]);
}

#[test]
fn where_it_is_changed_it_is_not_the_constant() {
    // In the loop it is one or the other.
    assert_eq!(with_loop("", "v0 = op v0\n", 0.5), [""; 0]);
    assert_eq!(with_loop("v0 = op v0\n", "", 0.5), [""; 0]);
}

#[test]
fn what_is_defined_once_needs_no_other_register() {
    let blocks = "block b0 frequency=1 to=b1\n\
         v0 = op.remat\n\
         block b1 frequency=0.5\n\
         op v0";
    assert_eq!(apart(blocks), [""; 0]);
}

#[test]
fn each_constant_of_a_value_has_a_register() {
    let blocks = "block b0 frequency=1 to=b1,b2\n\
         op\n\
         block b1 frequency=0.5 to=b3,b4\n\
         v0 = op.remat\n\
         block b2 frequency=0.5 to=b5,b4\n\
         v0 = op.remat\n\
         block b3 frequency=0.1 to=b6\n\
         op\n\
         block b4 frequency=0.8\n\
         op\n\
         block b5 frequency=0.1 to=b6\n\
         op\n\
         block b6 frequency=0.2\n\
         op v0";
    assert_eq!(apart(blocks), ["v0 End(b3): i1", "v0 End(b5): i2"]);
}

#[test]
fn it_is_moved_where_all_ways_have_it() {
    let blocks = "block b0 frequency=1 to=b1\n\
         v0 = op.remat\n\
         block b1 frequency=1 to=b2,b3\n\
         op\n\
         block b2 frequency=0.5\n\
         v0 = op v0\n\
         op v0\n\
         block b3 frequency=0.5\n\
         op";
    assert_eq!(apart(blocks), ["v0 Start(b2): i0"]);
}
