#![expect(
    clippy::single_range_in_vec_init,
    clippy::reversed_empty_ranges,
    reason = "ranges, right and wrong ones, are what is tested"
)]

use crate::case::Case;
use crate::machines::{Gpu, gpu};
use passes::allocation::{Edit, EditKind, Position};
use passes::function::{Instruction, Slot, VirtualRegister};
use passes::machine::Class;
use passes::verify::Fault;

/// Four values that one instruction stores and one reloads.
struct Four {
    gpu: Gpu,
    case: Case,
    values: [VirtualRegister; 4],
}

fn four() -> Four {
    four_of(|gpu| gpu.b32, 4)
}

fn four_of(class: impl Fn(&Gpu) -> Class, size: u32) -> Four {
    let gpu = gpu();
    let class = class(&gpu);
    let mut case = Case::new(&gpu.machine);
    let values = [0, 1, 2, 3].map(|number| case.value(class, gpu.r[number]));
    let define = case.plain(&values, &[]);
    let slots = values.map(|_| case.slot(size));
    for (lane, slot) in slots.into_iter().enumerate() {
        let data = &mut case.allocation.slots[slot];
        (data.lanes, data.alignment) = match lane {
            0 => (4, 4 * size),
            _ => (0, size),
        };
        case.store(define, values[lane], slot);
    }
    let read = Instruction::from_u32(define.as_u32() + 1);
    for (value, slot) in values.into_iter().zip(slots) {
        case.reload(read, value, slot);
    }
    case.plain(&[], &values);
    case.allocation.vectors = vec![0..4, 4..8];
    Four { gpu, case, values }
}

fn slot(edit: &mut Edit) -> &mut Slot {
    match &mut edit.kind {
        EditKind::Store { slot, .. } | EditKind::Reload { slot, .. } => slot,
        kind => panic!("{kind:?}"),
    }
}

#[test]
fn lanes_may_be_accessed_together_in_halves_or_alone() {
    let mut case = four().case;
    for second in [vec![4..8], vec![4..6, 6..8], vec![6..8], vec![]] {
        case.allocation.vectors.truncate(1);
        case.allocation.vectors.extend(second);
        case.accept();
    }
}

#[test]
fn no_edits_at_all() {
    for range in [0..0, 8..10, 0..3, 2..1] {
        let mut case = four().case;
        case.allocation.vectors = vec![range.clone()];
        assert!(
            matches!(case.reject(), Fault::BadVector { first, .. } if first == range.start),
            "{range:?}"
        );
    }
}

#[test]
fn one_edit_in_two_instructions() {
    let mut case = four().case;
    case.allocation.vectors = vec![0..4, 2..4];
    assert_eq!(case.reject(), Fault::BadVector { first: 2, last: 3 });
}

#[test]
fn the_middle_is_not_aligned() {
    let mut case = four().case;
    case.allocation.vectors = vec![1..3];
    assert_eq!(case.reject(), Fault::BadVector { first: 1, last: 2 });
}

#[test]
fn lanes_out_of_order() {
    let mut case = four().case;
    case.allocation.edits.swap(4, 5);
    assert_eq!(case.reject(), Fault::BadVector { first: 4, last: 7 });
}

#[test]
fn stores_and_reloads_together() {
    let mut case = four().case;
    case.allocation.vectors = vec![2..6];
    assert_eq!(case.reject(), Fault::BadVector { first: 2, last: 5 });
}

#[test]
fn accesses_at_two_places() {
    let mut case = four().case;
    case.allocation.edits[4].at = Position::After(Instruction::from_u32(0));
    assert_eq!(case.reject(), Fault::BadVector { first: 4, last: 7 });
}

#[test]
fn slots_that_are_no_neighbours() {
    let mut case = four().case;
    let far = case.slot(4);
    for number in [3, 7] {
        *slot(&mut case.allocation.edits[number]) = far;
    }
    assert_eq!(case.reject(), Fault::BadVector { first: 0, last: 3 });
    case.allocation.vectors = vec![0..2, 4..6];
    case.accept();
}

#[test]
fn two_lanes_in_one_register() {
    let Four {
        gpu,
        mut case,
        values,
    } = four();
    let copy = case.create(values[0], gpu.b32, gpu.r[1]);
    case.allocation.edits[4].kind = EditKind::Reload {
        value: copy,
        slot: Slot::from_u32(0),
    };
    assert_eq!(case.reject(), Fault::BadVector { first: 4, last: 7 });
}

#[test]
fn half_of_each_slot() {
    let mut case = four_of(|gpu| gpu.b16, 4).case;
    assert_eq!(case.reject(), Fault::BadVector { first: 0, last: 3 });
    case.allocation.vectors.clear();
    case.accept();
}

#[test]
fn lanes_that_cannot_be() {
    type Change = fn(&mut Case);
    let bad = |lanes| Fault::BadLanes {
        slot: Slot::from_u32(0),
        lanes,
    };
    let first = |case: &mut Case, lanes| case.allocation.slots[Slot::from_u32(0)].lanes = lanes;
    for lanes in [3, 8, u32::MAX] {
        let mut case = four().case;
        first(&mut case, lanes);
        assert_eq!(case.reject(), bad(lanes));
    }
    // A follower without a first one.
    let mut case = four().case;
    first(&mut case, 0);
    assert_eq!(case.reject(), bad(0));
    for change in [
        (|case| case.allocation.slots[Slot::from_u32(0)].alignment = 8) as Change,
        |case| case.allocation.slots[Slot::from_u32(2)].size = 8,
        |case| case.allocation.slots[Slot::from_u32(2)].alignment = 8,
    ] {
        let mut case = four().case;
        change(&mut case);
        assert_eq!(case.reject(), bad(4));
    }
    // Two bytes each: no instruction moves those.
    let case = four_of(|gpu| gpu.b16, 2).case;
    assert_eq!(case.reject(), bad(4));
    // Thirty-two bytes.
    let case = four_of(|gpu| gpu.b32, 8).case;
    assert_eq!(case.reject(), bad(4));
}
