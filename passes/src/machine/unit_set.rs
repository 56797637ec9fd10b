//! A set of register units: a few machine words, most often without a heap allocation.

use super::Unit;
use smallvec::{SmallVec, smallvec};

/// A set of units. Sets that are combined must be made for the same machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnitSet {
    words: SmallVec<[u64; 6]>,
}

impl UnitSet {
    /// The empty set for a machine with `unit_count` units.
    pub fn new(unit_count: u32) -> Self {
        Self {
            words: smallvec![0; unit_count.div_ceil(64) as usize],
        }
    }

    /// Adds a unit.
    pub fn insert(&mut self, unit: Unit) {
        self.words[unit.as_u32() as usize / 64] |= 1 << (unit.as_u32() % 64);
    }

    /// Takes a unit out.
    pub fn remove(&mut self, unit: Unit) {
        self.words[unit.as_u32() as usize / 64] &= !(1 << (unit.as_u32() % 64));
    }

    /// Whether the unit is in the set.
    pub fn contains(&self, unit: Unit) -> bool {
        self.words[unit.as_u32() as usize / 64] >> (unit.as_u32() % 64) & 1 != 0
    }

    /// Whether any of the units is in the set.
    pub fn contains_any(&self, units: &[Unit]) -> bool {
        units.iter().any(|&unit| self.contains(unit))
    }

    /// Adds all units of the other set.
    pub fn union(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The units, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Unit> {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                Some(Unit::from_u32(index as u32 * 64 + bit))
            })
        })
    }
}
