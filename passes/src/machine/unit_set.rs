//! A set of register units: a few machine words, most often without a heap allocation.

use super::Unit;
use crate::bits::ones;
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

    /// Whether some unit is in both sets.
    pub fn intersects(&self, other: &Self) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        words.any(|(word, other)| word & other != 0)
    }

    /// How many units are in both sets.
    pub fn count_common(&self, other: &Self) -> u32 {
        let words = self.words.iter().zip(&other.words);
        words.map(|(word, other)| (word & other).count_ones()).sum()
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
        let words = self.words.iter().enumerate();
        words.flat_map(|(index, &word)| {
            ones(word).map(move |bit| Unit::from_u32(index as u32 * 64 + bit as u32))
        })
    }
}
