use super::*;
use crate::function::text::parse;

/// The accesses of what is given its super-class, the constrained ones marked.
fn inflated(values: &str, code: &str) -> Vec<String> {
    let text = format!(
        "machine\n\
         register $a units=0\n\
         register $b units=1\n\
         class R size=8 alignment=8 order=$a,$b\n\
         class F size=8 alignment=8 order=$a\n\
         file G size=2 columns=0,1\n\
         function f\n\
         values {values}\n\
         block b0 frequency=1\n\
         {code}"
    );
    let (machine, function) = parse(&text).expect("well-formed");
    let access = |(instruction, named): &(Instruction, Named)| match named {
        Named::Inflated => instruction.to_string(),
        Named::Moved => format!("{instruction}!"),
        Named::Undefined => format!("{instruction}?"),
    };
    let line = |one: &Inflated| {
        let accesses: Vec<_> = one.accesses.iter().map(access).collect();
        format!("{} {}", one.value, accesses.join(" "))
    };
    let found = super_classes(&function, &machine, |value| value.as_u32() == 0);
    found.iter().map(line).collect()
}

const INFLATABLE: &str = "v0:F super=R, v1:F super=R";

#[test]
fn constrained_reads_are_apart() {
    let code = "v0 = op\n\
                op constrained v0, v0\n\
                v0 = op v0\n\
                terminator v0\n\
                terminator v0";
    assert_eq!(inflated(INFLATABLE, code), ["v0 i0 i1! i2 i3"]);
}

/// Nothing is moved where the value does not matter, which may have none there.
#[test]
fn undefined_reads_are_apart_without_a_move() {
    let code = "op undef constrained v0\n\
                v0 = op\n\
                op undef constrained v0, v0";
    assert_eq!(inflated(INFLATABLE, code), ["v0 i0? i1 i2!"]);
}

#[test]
fn what_is_written_there_stays() {
    for access in [
        "constrained v0 = op",
        "v0 = op constrained v0",
        "terminator constrained v0",
    ] {
        let code = format!("v0 = op\n{access}");
        assert!(inflated(INFLATABLE, &code).is_empty(), "{access}");
    }
}

#[test]
fn only_what_is_wanted_and_can_be_spilled() {
    let code = |value: &str| format!("{value} = op\nop constrained {value}");
    assert!(inflated(INFLATABLE, &code("v1")).is_empty());
    assert!(inflated("v0:F", &code("v0")).is_empty());
    assert!(inflated("v0:F super=R unspillable", &code("v0")).is_empty());
}
