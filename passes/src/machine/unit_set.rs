//! A set of register units: a few machine words, most often without a heap allocation.

use super::Unit;
use crate::bits;
use smallvec::{SmallVec, smallvec};

/// The units of a register as words of a set, those words alone in which there are some:
/// most often one, where units would be several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnitWords {
    /// Without units the first word of any set, and nothing of it.
    first: (u32, u64),
    others: Box<[(u32, u64)]>,
}

impl FromIterator<Unit> for UnitWords {
    /// Of units in any order.
    fn from_iter<I: IntoIterator<Item = Unit>>(units: I) -> Self {
        let mut words: SmallVec<[(u32, u64); 4]> = SmallVec::new();
        for unit in units {
            let (index, bit) = bits::place(unit.as_u32() as usize);
            match words.iter_mut().find(|(other, _)| *other as usize == index) {
                Some((_, word)) => *word |= bit,
                None => words.push((index as u32, bit)),
            }
        }
        match &words[..] {
            [] => Self::default(),
            [first, others @ ..] => Self {
                first: *first,
                others: others.into(),
            },
        }
    }
}

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

    /// Adds a register's units.
    pub fn add(&mut self, units: &UnitWords) {
        self.add_each([units].into_iter());
    }

    /// Adds the units of several registers.
    pub fn add_each<'a>(&mut self, registers: impl Iterator<Item = &'a UnitWords>) {
        let words = &mut self.words[..];
        for units in registers {
            let (index, word) = units.first;
            words[index as usize] |= word;
            for &(index, word) in &units.others {
                words[index as usize] |= word;
            }
        }
    }

    /// Takes a register's units out.
    pub fn subtract(&mut self, units: &UnitWords) {
        for &(index, word) in [&units.first].into_iter().chain(&units.others) {
            self.words[index as usize] &= !word;
        }
    }

    /// Whether any of a register's units is in the set.
    pub fn has_any(&self, units: &UnitWords) -> bool {
        let words = &self.words[..];
        let has = |&(index, word): &(u32, u64)| words[index as usize] & word != 0;
        has(&units.first) || units.others.iter().any(has)
    }

    /// Whether all of a register's units are in the set.
    pub fn has_all(&self, units: &UnitWords) -> bool {
        let words = &self.words[..];
        let has = |&(index, word): &(u32, u64)| words[index as usize] & word == word;
        has(&units.first) && units.others.iter().all(has)
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
