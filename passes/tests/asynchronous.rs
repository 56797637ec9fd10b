//! Functions with registers in flight through the whole pipeline.
//!
//! The checker, which follows registers and shares nothing with what keeps values there,
//! looks at every result.

use passes::allocate;
use passes::allocation::{Allocation, EditKind, Location, Position};
use passes::function::{Function, Instruction, VirtualRegister, text};
use passes::machine::gpu;
use passes::settings::{Select, Settings};
use passes::verify::verify;

/// A pipeline of multiplications in a loop, with other values around it: accumulators,
/// fragments and others that fit only if some of them are in memory.
fn pipeline(others: u32, pending: &str) -> Function {
    let accumulators = 0..8;
    let fragments = 8..12;
    let other = 12..12 + others;
    let list = |range: std::ops::Range<u32>, flag: &str| {
        let values = range.map(|number| format!("{flag}v{number}"));
        values.collect::<Vec<_>>().join(", ")
    };
    let declared = (0..12 + others).map(|number| format!("v{number}:B32"));
    let declared = declared.collect::<Vec<_>>().join(", ");
    let tied = accumulators
        .clone()
        .map(|number| format!("in_flight v{number}(tied {number})"));
    let multiply = format!(
        "{} = op.multiplies {}, {}",
        list(accumulators.clone(), "in_flight "),
        tied.collect::<Vec<_>>().join(", "),
        list(fragments.clone(), "in_flight "),
    );
    let text = format!(
        "machine gpu limit=255
        function f kernel
        values {declared}
        block b0 to=b1
          {} = op
          {} = op
        block b1 frequency=16.0 depth=1 to=b1,b2
          {} = op
          op.fences
          {multiply}
          op.commits
          op.waits_multiply{pending}
          op {}
        block b2
          op.waits_multiply
          op {}
          op {}",
        list(other.clone(), ""),
        list(accumulators.clone(), ""),
        list(fragments, ""),
        list(12..15, ""),
        list(accumulators, ""),
        list(15..12 + others, ""),
    );
    let (_, function) = text::parse(&text).expect("a function");
    function
}

fn settings(registers: u32, select: Select) -> Settings {
    Settings {
        pressure_limit: Some(registers),
        verify: true,
        select,
        ..Settings::default()
    }
}

fn run(function: &Function, registers: u32, select: Select) -> Allocation {
    let found = allocate(function, &gpu::machine(255), &settings(registers, select));
    found.unwrap_or_else(|error| panic!("{registers}: {error}"))
}

#[test]
fn pipelines_are_allocated_within_their_budgets() {
    for pending in ["", ".pending_1"] {
        for select in [Select::Graph, Select::FatPoint] {
            for others in [4, 10, 20] {
                let function = pipeline(others, pending);
                for registers in [20, 24, 28, 40] {
                    let found = run(&function, registers, select);
                    let wants = 12 + others > registers;
                    assert!(!wants || !found.slots.is_empty());
                    // Numbers are those of the caller's function.
                    for edit in &found.edits {
                        let (Position::Before(at) | Position::After(at)) = edit.at;
                        if let EditKind::Rename { operand, .. } = edit.kind {
                            let own = &function.instructions[at].operands;
                            assert!(own.contains(&operand.as_u32()));
                        }
                    }
                    assert_eq!(verify(&function, &gpu::machine(255), &found), Ok(()));
                }
            }
        }
    }
}

#[test]
fn what_cannot_leave_its_register_needs_it() {
    let function = pipeline(4, "");
    let settings = settings(10, Select::Graph);
    assert!(allocate(&function, &gpu::machine(255), &settings).is_err());
}

#[test]
fn a_fragment_in_flight_shares_its_register_with_nothing() {
    // Behind the multiplication the fragment v1 is dead; v3 must not get its register.
    let text = "machine gpu limit=255
        function f kernel
        values v0:B32, v1:B32, v2:B32, v3:B32
        block b0
          v0, v1 = op
          v2 = copy v1
          op.fences
          in_flight v0 = op.multiplies in_flight v0(tied 0), in_flight v1
          op.commits
          v3 = op
          op v3, v2
          op.waits_multiply
          op v0";
    let (_, function) = text::parse(text).expect("a function");
    for select in [Select::Graph, Select::FatPoint] {
        let found = run(&function, 40, select);
        let location = |number| match found.locations[VirtualRegister::from_u32(number)] {
            Location::Register(register) => register,
            other => panic!("{other:?}"),
        };
        assert_ne!(location(1), location(3));
        // An equal value, read while the fragment is in flight.
        assert_ne!(location(1), location(2));
        let copy = Instruction::from_u32(1);
        let deleted = found
            .edits
            .iter()
            .any(|edit| edit.at == Position::Before(copy) && edit.kind == EditKind::DeleteCopy);
        assert!(!deleted);
    }
}

#[test]
fn an_accumulator_has_its_register_from_the_fence_on() {
    let text = "machine gpu limit=255
        function f kernel
        values v0:B32, v1:B32
        block b0
          op.fences
          v1 = op
          early in_flight v0 = op.multiplies v1
          op.commits
          op.waits_multiply
          op v0";
    let (_, function) = text::parse(text).expect("a function");
    for select in [Select::Graph, Select::FatPoint] {
        let found = run(&function, 40, select);
        let locations = [0, 1].map(|number| found.locations[VirtualRegister::from_u32(number)]);
        assert_ne!(locations[0], locations[1]);
    }
}
