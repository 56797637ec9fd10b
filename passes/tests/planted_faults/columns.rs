//! Slots in shared memory, where each thread of a block has its own.

use crate::case::Case;
use crate::machines::gpu;
use passes::allocation::{SharedColumn, SharedFrame};
use passes::function::Slot;
use passes::verify::Fault;

const THREADS: u32 = 96;

/// Slots of 4, 8 and twice 4 bytes, the last two side by side, for 96 threads: columns at
/// 0, 768 and 1536.
fn columns() -> (Case, [Slot; 4]) {
    let gpu = gpu();
    let mut case = Case::new(&gpu.machine);
    let values = [
        case.value(gpu.b32, gpu.r[0]),
        case.value(gpu.b64, gpu.pair[2]),
        case.value(gpu.b32, gpu.r[4]),
        case.value(gpu.b32, gpu.r[5]),
    ];
    let slots = [4, 8, 4, 4].map(|size| case.slot(size));
    let places = [(1536, 4), (768, 8), (0, 8), (4, 8)];
    for (&slot, (offset, stride)) in slots.iter().zip(places) {
        case.allocation.slots[slot].column = Some(SharedColumn { offset, stride });
    }
    let pair = [slots[2], slots[3]];
    case.allocation.slots[pair[0]].lanes = 2;
    case.allocation.slots[pair[0]].alignment = 8;
    case.allocation.slots[pair[1]].lanes = 0;
    case.allocation.shared = Some(SharedFrame {
        bytes: 1536 + 4 * THREADS,
        threads: THREADS,
    });
    let define = case.plain(&values, &[]);
    for (value, slot) in values.into_iter().zip(slots) {
        case.store(define, value, slot);
    }
    let read = passes::function::Instruction::from_u32(define.as_u32() + 1);
    for (value, slot) in values.into_iter().zip(slots) {
        case.reload(read, value, slot);
    }
    case.plain(&[], &values);
    (case, slots)
}

/// The case with one column elsewhere.
fn with(number: usize, offset: u32, stride: u32) -> (Case, Slot) {
    let (mut case, slots) = columns();
    case.allocation.slots[slots[number]].column = Some(SharedColumn { offset, stride });
    (case, slots[number])
}

fn is_bad(case: &Case, wrong: Slot) -> bool {
    matches!(case.reject(), Fault::BadColumn { slot } if slot == wrong)
}

#[test]
fn columns_beside_each_other() {
    let (mut case, slots) = columns();
    case.accept();
    // One of them may as well be in local memory.
    case.allocation.slots[slots[1]].column = None;
    case.accept();
}

#[test]
fn threads_nearer_than_the_slot_is_wide() {
    for stride in [0, 2, 4] {
        let (case, slot) = with(1, 768, stride);
        assert!(is_bad(&case, slot), "{stride}");
    }
}

#[test]
fn a_stride_that_accesses_cannot_have() {
    for stride in [1, 3, 12, 32] {
        let (case, slot) = with(0, 1536, stride);
        assert!(is_bad(&case, slot), "{stride}");
    }
}

#[test]
fn an_offset_that_is_not_aligned() {
    for (number, offset, stride) in [(1, 772, 8), (0, 1538, 4)] {
        let (case, slot) = with(number, offset, stride);
        assert!(is_bad(&case, slot));
    }
}

#[test]
fn threads_beyond_the_end() {
    let (case, slot) = with(0, 1540, 4);
    assert!(is_bad(&case, slot));
    let (case, slot) = with(0, u32::MAX - 3, 4);
    assert!(is_bad(&case, slot));
    let (mut case, slots) = columns();
    case.allocation.shared = Some(SharedFrame {
        bytes: 1536 + 4 * THREADS,
        threads: THREADS + 1,
    });
    // The others meet what follows them, but none is looked at before this one.
    assert!(is_bad(&case, slots[0]));
}

#[test]
fn slots_that_meet_in_one_thread_or_another() {
    // The last thread's slot of the first column is the first one's of the second.
    for offset in [760, 776, 8] {
        let (case, _) = with(1, offset, 8);
        assert!(
            matches!(case.reject(), Fault::ColumnsOverlap { .. }),
            "{offset}"
        );
    }
}

#[test]
fn lanes_that_are_not_side_by_side() {
    for (offset, stride) in [(8, 8), (0, 8), (4, 4)] {
        let (case, slot) = with(3, offset, stride);
        assert!(is_bad(&case, slot));
    }
    let (mut case, slots) = columns();
    case.allocation.slots[slots[3]].column = None;
    assert!(is_bad(&case, slots[3]));
}

#[test]
fn no_array_at_all() {
    let (mut case, slots) = columns();
    case.allocation.shared = None;
    assert!(is_bad(&case, slots[0]));
    case.allocation.shared = Some(SharedFrame {
        bytes: 4096,
        threads: 0,
    });
    assert!(is_bad(&case, slots[0]));
}
