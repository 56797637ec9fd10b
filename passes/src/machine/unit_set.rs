//! A set of register units: a few machine words, most often without a heap allocation.

use super::Unit;
use crate::bits;
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
            words: smallvec![0; bits::words(unit_count as usize)],
        }
    }

    /// Adds a unit.
    pub fn insert(&mut self, unit: Unit) {
        bits::insert(&mut self.words, unit.as_u32() as usize);
    }

    /// Takes a unit out.
    pub fn remove(&mut self, unit: Unit) {
        bits::remove(&mut self.words, unit.as_u32() as usize);
    }

    /// Whether the unit is in the set.
    pub fn contains(&self, unit: Unit) -> bool {
        bits::contains(&self.words, unit.as_u32() as usize)
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
        let numbers = bits::numbers(self.words.iter().copied());
        numbers.map(|number| Unit::from_u32(number as u32))
    }
}
