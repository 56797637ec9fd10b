//! Inputs for CUB's searches for a minimum and where it is.
//!
//! One launch gives one minimum, and a wrong comparison shows only if the minimum passes
//! by it. So there is a shape for each combination of a size, an order of the values and
//! an order of the keys: in a rising row the first value meets all others, in a falling
//! one each is replaced by the next.

use super::{Argument, Buffer};
use crate::random::Random;

/// Shapes before the combinations, with keys from zero.
const PLAIN: usize = 3;
const SIZES: usize = 4;
const ORDERS: usize = 4;
/// Orders of the keys.
const KEYS: usize = 3;
/// Shapes that a kernel is tried with.
pub(super) const SHAPES: usize = PLAIN + SIZES * ORDERS * KEYS;

/// Items that a block handles at a time, by the tuning for this type.
pub(super) const TILE: u32 = 1024;

/// What is looked through.
pub(super) struct Input {
    shape: usize,
    values: Vec<f64>,
}

impl Input {
    /// In the first shapes so many values as `plain` says; none behind the combinations.
    pub(super) fn new(plain: [u32; PLAIN], shape: usize, r: &mut Random) -> Self {
        let Some(combination) = shape.checked_sub(PLAIN) else {
            let values = (0..plain[shape]).map(|_| number(shape, r));
            let values = values.collect();
            return Self { shape, values };
        };
        // Less than a row, some rows of a tile, a tile and a part, several tiles.
        let count = match combination % SIZES {
            _ if shape == SHAPES => 0,
            0 => 1 + (r.below(255) >> r.below(3)) as u32,
            1 => 256 + r.below(768) as u32,
            2 => TILE + r.below(TILE.into()) as u32,
            _ => 2 * TILE + r.below(6000) as u32,
        };
        let order = combination / SIZES % ORDERS;
        let value = |_| match order {
            3 => tie(r),
            _ => number(0, r),
        };
        let mut values: Vec<_> = (0..count).map(value).collect();
        match order {
            1 => values.sort_by(f64::total_cmp),
            2 => values.sort_by(|a, b| b.total_cmp(a)),
            _ => {}
        }
        Self { shape, values }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.values.len() as u32
    }

    fn key_order(&self) -> Option<usize> {
        let combination = self.shape.checked_sub(PLAIN)?;
        Some(combination / (SIZES * ORDERS))
    }

    /// `ArgIndexInputIterator`: a pointer to numbers and the index of the first, of 32
    /// bits. Behind the greatest index comes the smallest: after the first value, or
    /// anywhere.
    pub(super) fn indexed(&self, r: &mut Random) -> Argument {
        let first = match self.key_order() {
            None => 0,
            Some(0) => r.below(1000) as i32,
            Some(1) => i32::MAX,
            Some(_) => i32::MAX - r.below(self.count().max(1).into()) as i32,
        };
        let values = self.values.iter().flat_map(|value| value.to_le_bytes());
        let values: Vec<_> = values.collect();
        // Where each value is, if its index, or that of one before it, is the last.
        let distance = 8 * i64::from(first);
        let buffer = match self.key_order() {
            None => Buffer::Whole(values),
            Some(0) => Buffer::Parts(vec![(distance, values)]),
            Some(_) => Buffer::Parts(vec![
                (distance, values.clone()),
                (distance - (8 << 32), values),
            ]),
        };
        let mut bytes = vec![0; 16];
        bytes[8..12].copy_from_slice(&first.to_le_bytes());
        let pointers = vec![(0, buffer)];
        Argument::Structure { bytes, pointers }
    }

    /// `KeyValuePair<int, double>`: keys rise, fall or are in any order.
    pub(super) fn pairs(&self, r: &mut Random) -> Argument {
        let mut pairs = Vec::new();
        for (i, value) in (0..).zip(&self.values) {
            let key: i32 = match self.key_order() {
                Some(0) => i - 500,
                Some(1) => 500 - i,
                _ => r.bits() as i32,
            };
            pairs.extend(i64::from(key as u32).to_le_bytes());
            pairs.extend(value.to_le_bytes());
        }
        Argument::Buffer(pairs)
    }
}

/// A number with all bits of the mantissa; in every third shape one of few, so that many
/// are equal.
pub(super) fn number(shape: usize, r: &mut Random) -> f64 {
    match shape % 3 {
        2 => r.below(700) as f64 / 64.0 - 3.0,
        _ => r.bits() as f64 / (1u64 << 58) as f64 - 3.0,
    }
}

/// One of few values, zeros of both signs, infinity and a NaN among them.
fn tie(r: &mut Random) -> f64 {
    match r.below(256) {
        0 => f64::NAN,
        1..40 => f64::INFINITY,
        40..80 => 0.5,
        80..150 => -0.0,
        _ => 0.0,
    }
}
