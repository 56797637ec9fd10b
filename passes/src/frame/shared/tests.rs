use super::*;
use crate::frame::tests::Code;
use crate::machine::gpu;
use crate::verify::verify;

const THREADS: u32 = 64;

/// Room for so many bytes of each thread.
fn room(bytes: u32) -> SharedSpace {
    SharedSpace {
        threads: THREADS,
        bytes: bytes * THREADS,
        is_scaled: false,
    }
}

/// The allocation of the code with slots in shared memory, checked.
fn moved(code: Code, space: &SharedSpace, registers: usize) -> Option<Allocation> {
    let (function, mut allocation) = code.finished(&[]);
    let before = allocation.clone();
    if !move_to_shared(&function, space, registers, &mut allocation) {
        assert_eq!(allocation, before);
        return None;
    }
    let machine = gpu::machine(gpu::R_SIZE);
    verify(&function, &machine, &allocation).expect("a right allocation");
    let frame = allocation.shared.expect("a frame");
    assert!(frame.bytes <= space.bytes);
    Some(allocation)
}

/// Offset and stride of each slot.
fn places(allocation: &Allocation) -> Vec<Option<(u32, u32)>> {
    let slots = allocation.slots.values();
    slots
        .map(|data| data.column.map(|column| (column.offset, column.stride)))
        .collect()
}

#[test]
fn what_is_always_accessed_together_stays_together() {
    let mut code = Code::new();
    let values = code.values::<4>(gpu::SINGLE32);
    code.block(&[]);
    code.define(&values);
    code.read(&values);
    let allocation = moved(code, &room(64), 1).expect("moved");
    let stride = 16;
    let expected = [0, 4, 8, 12].map(|offset| Some((offset, stride)));
    assert_eq!(places(&allocation), expected);
    assert_eq!(allocation.vectors, [0..4, 4..8]);
    assert_eq!(
        allocation.shared.map(|frame| frame.bytes),
        Some(16 * THREADS)
    );
}

#[test]
fn what_is_accessed_alone_gets_a_column_of_its_own() {
    let mut code = Code::new();
    let values = code.values::<4>(gpu::SINGLE32);
    code.block(&[]);
    code.define(&values);
    for value in values {
        code.read(&[value]);
        code.read(&[value]);
    }
    let allocation = moved(code, &room(64), 1).expect("moved");
    let expected = [0, 1, 2, 3].map(|number| Some((number * 4 * THREADS, 4)));
    assert_eq!(places(&allocation), expected);
    assert!(allocation.vectors.is_empty());
    assert!(allocation.slots.values().all(|data| data.lanes == 1));
}

#[test]
fn halves_stay_halves() {
    let mut code = Code::new();
    let values = code.values::<4>(gpu::SINGLE32);
    code.block(&[]);
    code.define(&values);
    code.read(&values);
    for _ in 0..4 {
        code.read(&values[..2]);
        code.read(&values[2..]);
    }
    let allocation = moved(code, &room(64), 1).expect("moved");
    let pair = |offset| [Some((offset, 8)), Some((offset + 4, 8))];
    assert_eq!(places(&allocation), [pair(0), pair(8 * THREADS)].concat());
    let lanes: Vec<_> = allocation.slots.values().map(|data| data.lanes).collect();
    assert_eq!(lanes, [2, 0, 2, 0]);
    // The two of four become two of two each.
    assert_eq!(allocation.vectors[..4], [0..2, 2..4, 4..6, 6..8]);
    assert_eq!(allocation.vectors.len(), 12);
}

/// A word read four times, a pair of words read twice, alone.
fn of_two_sizes() -> Code {
    let mut code = Code::new();
    let [word] = code.values(gpu::SINGLE32);
    // A register of its own.
    let [_, wide] = code.values(gpu::PAIR);
    code.block(&[]);
    code.define(&[word]);
    code.define(&[wide]);
    for _ in 0..4 {
        code.read(&[word]);
    }
    code.read(&[wide]);
    code.read(&[wide]);
    code
}

#[test]
fn each_stride_takes_a_register() {
    let one = moved(of_two_sizes(), &room(64), 1).expect("moved");
    assert_eq!(one.shared_strides(), [4]);
    let two = moved(of_two_sizes(), &room(64), 2).expect("moved");
    assert_eq!(two.shared_strides(), [4, 8]);
    let scaled = SharedSpace {
        is_scaled: true,
        ..room(64)
    };
    let all = moved(of_two_sizes(), &scaled, 1).expect("moved");
    assert_eq!(all.shared_strides(), [4, 8]);
    // The wide one comes first, so that it is aligned for any number of threads.
    let wide = SharedColumn {
        offset: 0,
        stride: 8,
    };
    assert!(all.slots.values().any(|data| data.column == Some(wide)));
}

#[test]
fn the_most_used_go_first() {
    let code = || {
        let mut code = Code::new();
        let values = code.values::<3>(gpu::SINGLE32);
        code.block(&[1]);
        for value in values {
            code.define(&[value]);
        }
        code.block_often(9.0, &[1, 2]);
        code.read(&[values[1]]);
        code.block(&[]);
        for value in values {
            code.read(&[value]);
        }
        code
    };
    for (bytes, count) in [(3, 0), (4, 1), (8, 2), (12, 3)] {
        let slots = moved(code(), &room(bytes), 1).map_or(Vec::new(), |one| places(&one));
        assert_eq!(slots.iter().flatten().count(), count, "{bytes}");
        assert!(count == 0 || slots[1].is_some());
    }
}

#[test]
fn accesses_to_shared_memory_count_half() {
    let mut code = Code::new();
    let values = code.values::<1>(gpu::SINGLE32);
    code.block(&[]);
    code.define(&values);
    code.read(&values);
    let (function, mut allocation) = code.finished(&[]);
    allocation.statistics.spill_cost = 2.0;
    assert_eq!(cost(&function, &allocation), 2.0);
    assert!(move_to_shared(&function, &room(4), 1, &mut allocation));
    assert_eq!(cost(&function, &allocation), 1.0);
    assert_eq!(allocation.statistics.shared_slots, 1);
    assert_eq!(allocation.statistics.shared_bytes, 4 * THREADS);
}

#[test]
fn four_words_at_once_are_not_taken_apart_for_nothing() {
    let mut code = Code::new();
    let values = code.values::<4>(gpu::SINGLE32);
    code.block(&[]);
    code.define(&values);
    code.read(&values);
    // Four words in four instructions would be dearer than one instruction in local memory.
    let (function, allocation) = code.finished(&[]);
    let groups = groups(&function, &allocation);
    assert_eq!(groups.len(), 1);
    assert!(groups[0].layout(&[4]).is_none());
    assert!(groups[0].layout(&[16]).is_some());
}
