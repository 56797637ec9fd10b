use super::*;
use crate::function::text::parse;

/// Two registers, of which one survives the call, and a value that the entry copies, before
/// control goes to other blocks.
fn moved(to: &str, blocks: &str) -> Vec<String> {
    let text = format!(
        "machine\n\
         register $a units=0\n\
         register $b units=1\n\
         class R size=8 alignment=8 order=$a,$b\n\
         mask mask0 preserves=$b\n\
         file R size=2 columns=0,1\n\
         function f\n\
         values v0:R\n\
         block b0 frequency=1 live_in=$a to={to}\n\
         v0 = copy $a\n\
         terminator v0\n\
         {blocks}"
    );
    let (machine, function) = parse(&text).expect("well-formed");
    let moved = before_calls(&function, &machine);
    let names = |accesses: &[Instruction]| {
        let names: Vec<_> = accesses.iter().map(ToString::to_string).collect();
        names.join(" ")
    };
    let line = |one: &Moved| {
        let place = |&(place, back): &(InsertionPoint, bool)| match back {
            true => format!("back {place:?}"),
            false => format!("{place:?}"),
        };
        let places: Vec<_> = one.places.iter().map(place).collect();
        format!(
            "{} {}: {}",
            one.value,
            places.join(" "),
            names(&one.accesses)
        )
    };
    moved.iter().map(line).collect()
}

#[test]
fn what_a_rare_call_needs_is_moved_there() {
    let found = moved(
        "b1,b2",
        "block b1 frequency=0.25 to=b2\n\
         op v0\n\
         call(mask0)\n\
         op v0\n\
         block b2 frequency=1\n\
         op",
    );
    assert_eq!(found, ["v0 Start(b1): i2 i4"]);
}

#[test]
fn what_is_read_behind_the_call_and_beside_it_comes_back() {
    let found = moved(
        "b1,b2",
        "block b1 frequency=0.25 to=b3\n\
         call(mask0)\n\
         block b2 frequency=0.75 to=b3\n\
         op\n\
         block b3 frequency=1\n\
         op v0",
    );
    assert_eq!(found, ["v0 Start(b1) back End(b1): "]);
}

#[test]
fn a_loop_with_a_call_is_moved_into_once() {
    let found = |before_loop: &str| {
        moved(
            "b1,b4",
            &format!(
                "block b1 frequency=0.5 to=b2\n\
                 {before_loop}\
                 block b2 frequency=8 depth=1 to=b2,b3\n\
                 call(mask0) v0\n\
                 terminator\n\
                 block b3 frequency=0.5\n\
                 op\n\
                 block b4 frequency=0.5\n\
                 op v0"
            ),
        )
    };
    // Nothing stands in the block before the loop, and the loop's own start is no place.
    assert_eq!(found(""), [""; 0]);
    assert_eq!(found("op\n"), ["v0 Start(b1): i3"]);
}

#[test]
fn what_dies_at_the_call_stays() {
    let found = moved(
        "b1,b2",
        "block b1 frequency=0.25 to=b2\n\
         call(mask0) v0\n\
         block b2 frequency=1\n\
         op",
    );
    assert_eq!(found, [""; 0]);
}
