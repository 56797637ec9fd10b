use super::samples::{around, boundary, gap};
use super::*;
use crate::analysis::live_range::Segment;
use crate::function::{FunctionBuilder, InstructionFlags, InstructionKind, Operand};
use crate::machine::{ClobberMask, gpu};
use crate::spill::rematerialisation::Rematerialisations;
use crate::spill::work::Spilled;

fn gaps_of(function: &Function, value: VirtualRegister) -> Option<Gaps> {
    let machine = gpu::machine(8);
    let work = Work::new(function, &machine, Rematerialisations::new(), 1.0);
    let liveness = Liveness::new(&work.function, &machine);
    let mut wanted = SecondaryMap::new();
    wanted[value] = true;
    GapFinder::new(&work, &liveness, &wanted).gaps(value)
}

#[test]
fn gaps_lie_between_accesses() {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    builder.plain(&[]);
    builder.plain(&[Operand::read(value), Operand::write(value)]);
    builder.plain(&[Operand::read(value)]);
    builder.plain(&[Operand::write(value)]);
    builder.plain(&[Operand::read(value)]);
    let function = builder.finish();
    let gaps = gaps_of(&function, value).expect("gaps");
    // What is written occupies the late point, what is read the early one.
    assert_eq!(
        gaps.points(&function).values().as_slice(),
        [
            Segment::between(2, 4),
            Segment::between(6, 6),
            Segment::between(10, 10)
        ]
    );
    let expected = [
        around(None, Some(0)),
        around(Some(0), Some(1)),
        around(Some(1), None),
        around(None, Some(2)),
        around(Some(2), None),
    ];
    assert_eq!(gaps.around.values().as_slice(), expected);
}

#[test]
fn a_gap_begins_behind_the_labels_of_a_block() {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let first = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    let second = builder.start_block(1.0, 0, &[]);
    let flags = InstructionFlags::LABEL;
    builder.push(InstructionKind::Plain, flags, &[], None);
    builder.plain(&[]);
    builder.plain(&[Operand::read(value)]);
    builder.edge(first, second);
    let function = builder.finish();
    let gaps = gaps_of(&function, value).expect("gaps");
    assert_eq!(
        gaps.points(&function).values().as_slice(),
        [Segment::between(2, 2), Segment::between(4, 6)]
    );
}

/// A value that is defined before a loop; read in it or not; and read behind it.
fn with_loop(read_inside: bool) -> (FunctionBuilder, VirtualRegister, [Block; 3]) {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let before = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    let inside = builder.start_block(8.0, 1, &[]);
    let operands = [Operand::read(value)];
    builder.plain(if read_inside { &operands } else { &[] });
    let behind = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::read(value)]);
    builder.edge(before, inside);
    builder.edge(inside, inside);
    builder.edge(inside, behind);
    (builder, value, [before, inside, behind])
}

#[test]
fn a_gap_spans_loops_that_do_not_access_the_value() {
    let (builder, value, _) = with_loop(false);
    let gaps = gaps_of(&builder.finish(), value).expect("gaps");
    assert_eq!((gaps.count(), gaps.parts.len()), (1, 3));
    assert!(gaps.boundaries.is_empty());
}

#[test]
fn a_loop_with_accesses_has_gaps_of_its_own() {
    let (builder, value, [before, _, behind]) = with_loop(true);
    let gaps = gaps_of(&builder.finish(), value).expect("gaps");
    let boundary = |from, to, place| boundary(from, to, place, 1.0);
    assert_eq!(gaps.count(), 3);
    assert_eq!(
        gaps.boundaries,
        [
            boundary(0, 1, InsertionPoint::End(before)),
            boundary(1, 2, InsertionPoint::Start(behind))
        ]
    );
}

/// A value that is read in each round of a loop, with a call in it that is made in one round of
/// so many.
fn with_call_aside(rounds: f64, mask: Option<ClobberMask>) -> (Function, VirtualRegister) {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let before = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    let header = builder.start_block(16.0, 1, &[]);
    builder.plain(&[Operand::read(value)]);
    let aside = builder.start_block(16.0 / rounds, 1, &[]);
    builder.push(InstructionKind::Plain, InstructionFlags::empty(), &[], mask);
    let latch = builder.start_block(16.0, 1, &[]);
    for (from, to) in [(before, header), (header, aside), (header, latch)] {
        builder.edge(from, to);
    }
    for (from, to) in [(aside, latch), (latch, header)] {
        builder.edge(from, to);
    }
    (builder.finish(), value)
}

#[test]
fn a_block_with_a_call_that_runs_less_often_has_a_gap_of_its_own() {
    let mask = Some(ClobberMask::from_u32(0));
    let [before, _, aside, _] = [0, 1, 2, 3].map(Block::from_u32);
    for (rounds, mask, is_aside) in [(4.0, mask, true), (4.0, None, false), (1.25, mask, false)] {
        let (function, value) = with_call_aside(rounds, mask);
        let gaps = gaps_of(&function, value).expect("gaps");
        let way_in = boundary(0, 1, InsertionPoint::End(before), 1.0);
        let called = [
            boundary(1, 2, InsertionPoint::Start(aside), 4.0),
            boundary(2, 1, InsertionPoint::End(aside), 4.0),
        ];
        let expected = [way_in].into_iter().chain(called);
        let expected: Vec<_> = expected.take(if is_aside { 3 } else { 1 }).collect();
        assert_eq!(gaps.boundaries, expected, "{rounds} {mask:?}");
    }
}

#[test]
fn terminators_are_one_access() {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let first = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    for _ in 0..2 {
        let flags = InstructionFlags::TERMINATOR;
        builder.push(InstructionKind::Plain, flags, &[Operand::read(value)], None);
    }
    let second = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::read(value)]);
    builder.edge(first, second);
    let function = builder.finish();
    let gaps = gaps_of(&function, value).expect("gaps");
    let accesses = gaps.accesses.values();
    let instructions: Vec<_> = accesses.map(|one| one.instruction.as_u32()).collect();
    assert_eq!(instructions, [0, 1, 3]);
    // Nothing stands between them, or behind them in their block.
    assert_eq!(
        gaps.points(&function).values().as_slice(),
        [
            Segment::between(2, 2),
            Segment::between(6, 6),
            Segment::between(6, 6)
        ]
    );
    assert_eq!(gaps.gap_of.values().as_slice(), [0, 1, 1].map(gap));
}

#[test]
fn what_is_in_memory_before_a_loop_and_in_it_waits_at_the_terminators_between() {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let before = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    let flags = InstructionFlags::TERMINATOR;
    builder.push(InstructionKind::Plain, flags, &[], None);
    let inside = builder.start_block(8.0, 1, &[]);
    builder.plain(&[Operand::read(value)]);
    builder.edge(before, inside);
    builder.edge(inside, inside);
    let function = builder.finish();
    let gaps = gaps_of(&function, value).expect("gaps");
    // It may be loaded before the terminator, so the gap itself ends there.
    let points = gaps.points(&function);
    assert_eq!(points.values().next(), Some(&Segment::between(2, 2)));
    let crossings: Vec<_> = gaps.crossings(&function).collect();
    let place = InsertionPoint::End(before);
    let crossed = boundary(0, 1, place, 1.0);
    assert_eq!(crossings, [(&crossed, Segment::between(2, 4))]);
}

/// Code at the end of a block stands before what its terminators read: it cannot change
/// what they leave.
#[test]
fn no_boundary_stands_behind_terminators_with_an_access() {
    for reads in [false, true] {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        let before = builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(value)]);
        let operands = [Operand::read(value)];
        let flags = InstructionFlags::TERMINATOR;
        let read: &[Operand] = if reads { &operands } else { &[] };
        builder.push(InstructionKind::Plain, flags, read, None);
        let inside = builder.start_block(8.0, 1, &[]);
        builder.plain(&operands);
        builder.edge(before, inside);
        builder.edge(inside, inside);
        let gaps = gaps_of(&builder.finish(), value).expect("gaps");
        assert_eq!(gaps.boundaries.is_empty(), reads);
    }
}

#[test]
fn what_is_stored_for_a_copy_stays_in_one_place() {
    let mut builder = FunctionBuilder::new("f");
    let [value, copied] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    builder.copy(copied, value);
    builder.plain(&[Operand::read(value), Operand::read(copied)]);
    let function = builder.finish();
    let machine = gpu::machine(8);
    let mut work = Work::new(&function, &machine, Rematerialisations::new(), 1.0);
    let gaps = |work: &Work| {
        let liveness = Liveness::new(&work.function, &machine);
        let mut wanted = SecondaryMap::new();
        wanted[value] = true;
        GapFinder::new(work, &liveness, &wanted).gaps(value)
    };
    assert!(gaps(&work).is_some());
    work.spill(&machine, vec![Spilled::everywhere(copied)]);
    assert_eq!(gaps(&work), None);
}

/// A value that is read before and behind an instruction from which control may leave, and
/// where it goes then.
fn with_landing() -> (Function, VirtualRegister, [Block; 3]) {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let first = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(value)]);
    builder.plain(&[Operand::read(value)]);
    builder.push(InstructionKind::Plain, InstructionFlags::LEAVES, &[], None);
    builder.plain(&[Operand::read(value)]);
    let landing = builder.start_block(1.0, 0, &[]);
    builder.landing();
    builder.plain(&[Operand::read(value)]);
    let inside = builder.start_block(8.0, 1, &[]);
    builder.plain(&[Operand::read(value)]);
    for (from, to) in [(first, landing), (first, inside), (inside, inside)] {
        builder.edge(from, to);
    }
    (builder.finish(), value, [first, landing, inside])
}

#[test]
fn the_gap_around_what_leaves_goes_on_in_the_landing_block() {
    let (function, value, [first, landing, _]) = with_landing();
    let gaps = gaps_of(&function, value).expect("gaps");
    let gap_in = |block, after| {
        let is_it = |part: &Part| part.block == block && part.after == after;
        let part = gaps.parts.iter().find(|(_, part)| is_it(part));
        gaps.gap_of[part.expect("a part").0]
    };
    let access = |number| Some(AccessIndex::from_u32(number));
    // From the read before it to the one behind it.
    assert_eq!(gap_in(first, access(1)), gap_in(landing, None));
    assert_ne!(gap_in(first, access(2)), gap_in(landing, None));
    // Code at the end of the block is not executed on the way to the landing block.
    let place = InsertionPoint::End(first);
    let places: Vec<_> = gaps.boundaries.iter().map(|one| one.place).collect();
    assert_eq!(places, [place]);
}

#[test]
fn what_arrives_in_a_landing_block_stays_in_one_place() {
    let mut builder = FunctionBuilder::new("f");
    let value = builder.virtual_register(gpu::SINGLE32);
    let first = builder.start_block(1.0, 0, &[]);
    let operands = [Operand::write(value)];
    let leaves = InstructionFlags::LEAVES;
    builder.push(InstructionKind::Plain, leaves, &operands, None);
    let landing = builder.start_block(1.0, 0, &[]);
    builder.landing();
    builder.plain(&[Operand::read(value)]);
    builder.edge(first, landing);
    assert_eq!(gaps_of(&builder.finish(), value), None);
}
