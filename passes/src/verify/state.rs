//! What every unit and every slot holds at one point of the program.
//!
//! While a block is replayed the contents stand in one small set a location,
//! with an index from each value to the locations it was put in, so that a
//! redefinition finds the copies that become stale. Between blocks only the
//! entries themselves are kept, as a sorted list: most locations are empty, and
//! the meet of two lists is a merge.

use crate::function::VirtualRegister;
use crate::machine::{Register, Unit};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

/// What an entry stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Content {
    /// The value of one of the function's own virtual registers.
    Value(VirtualRegister),
    /// Whatever a physical definition or the block's live-in list put there.
    Fixed,
}

/// One of the things that a location is known to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub content: Content,
    /// The register as a whole that was written; none in a slot. A reader has
    /// to name the same register: that the units of a pair hold a value does
    /// not say that they hold its halves in this order. Calls preserve
    /// registers, not units, so they ask for it as well.
    pub written: PackedOption<Register>,
    /// The value is in the form of its class's spill-through class.
    pub widened: bool,
}

/// An entry with its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item {
    location: u32,
    entry: Entry,
}

/// The contents of all locations between two blocks, sorted.
pub(super) type Snapshot = Vec<Item>;

/// The contents of all locations while a block is replayed.
///
/// The locations are the units, then the slots, then one for each definition that is
/// repeated (see [`super::rematerialisation`]), then one that stands for everywhere: a value
/// in it has not been defined on any path to this point, so any location will do for it.
pub(super) struct State {
    unit_count: u32,
    slot_count: u32,
    everywhere: u32,
    sets: Vec<SmallVec<[Entry; 2]>>,
    /// Where a value may be: a superset of the truth.
    locations: SecondaryMap<VirtualRegister, SmallVec<[u32; 4]>>,
    /// Values whose `locations` are not empty, perhaps more than once.
    placed: Vec<VirtualRegister>,
}

impl State {
    pub fn new(unit_count: u32, slot_count: usize, repeated_count: usize) -> Self {
        let slot_count = slot_count as u32;
        let everywhere = unit_count + slot_count + repeated_count as u32;
        Self {
            unit_count,
            slot_count,
            everywhere,
            sets: vec![SmallVec::new(); everywhere as usize + 1],
            locations: SecondaryMap::new(),
            placed: Vec::new(),
        }
    }

    /// The location of a slot.
    pub fn slot(&self, slot: crate::function::Slot) -> u32 {
        self.unit_count + slot.as_u32()
    }

    /// The location of a definition that is repeated.
    pub fn repeated(&self, number: u32) -> u32 {
        self.unit_count + self.slot_count + number
    }

    /// What a unit holds.
    pub fn unit(&self, unit: Unit) -> &[Entry] {
        &self.sets[unit.as_u32() as usize]
    }

    /// What a location holds.
    pub fn at(&self, location: u32) -> &[Entry] {
        &self.sets[location as usize]
    }

    /// Empties a location.
    pub fn clear(&mut self, location: u32) {
        self.sets[location as usize].clear();
    }

    /// Adds an entry to a location.
    pub fn add(&mut self, location: u32, entry: Entry) {
        self.sets[location as usize].push(entry);
        if let Content::Value(value) = entry.content {
            let locations = &mut self.locations[value];
            if locations.is_empty() {
                self.placed.push(value);
            }
            locations.push(location);
        }
    }

    /// Takes a value out of all locations, because it is about to be redefined.
    pub fn forget(&mut self, value: VirtualRegister) {
        for location in std::mem::take(&mut self.locations[value]) {
            self.sets[location as usize].retain(|entry| entry.content != Content::Value(value));
        }
    }

    /// Drops what was written as a register that is not preserved.
    pub fn clobber(&mut self, preserved: impl Fn(Register) -> bool) {
        for set in &mut self.sets[..self.unit_count as usize] {
            set.retain(|entry| entry.written.expand().is_none_or(&preserved));
        }
    }

    /// Declares that a value is not defined yet.
    pub fn add_everywhere(&mut self, value: VirtualRegister) {
        self.add(self.everywhere, undefined(value));
    }

    /// Whether a value is not defined yet.
    pub fn is_everywhere(&self, value: VirtualRegister) -> bool {
        self.at(self.everywhere).contains(&undefined(value))
    }

    /// Replaces all contents.
    pub fn load(&mut self, snapshot: &[Item]) {
        for value in self.placed.drain(..) {
            self.locations[value].clear();
        }
        self.sets.iter_mut().for_each(SmallVec::clear);
        for item in snapshot {
            self.add(item.location, item.entry);
        }
    }

    /// All contents.
    pub fn save(&self, snapshot: &mut Snapshot) {
        snapshot.clear();
        for (location, set) in self.sets.iter().enumerate() {
            let start = snapshot.len();
            let location = location as u32;
            snapshot.extend(set.iter().map(|&entry| Item { location, entry }));
            snapshot[start..].sort_unstable();
        }
    }

    /// Leaves in `into` what both snapshots hold. Says whether that is less.
    pub fn meet(&self, into: &mut Snapshot, other: &[Item]) -> bool {
        let undefined_here = self.undefined_in(into);
        let undefined_there = self.undefined_in(other);
        if undefined_here.is_empty() && undefined_there.is_empty() {
            let before = into.len();
            let mut rest = other.iter().peekable();
            into.retain(|item| {
                while rest.next_if(|next| *next < item).is_some() {}
                rest.peek() == Some(&item)
            });
            return into.len() != before;
        }
        let is_in = |values: &[Item], item: &Item| {
            values
                .binary_search_by_key(&item.entry.content, |found| found.entry.content)
                .is_ok()
        };
        let mut result: Snapshot = into
            .iter()
            .filter(|item| other.binary_search(item).is_ok() || is_in(undefined_there, item))
            .chain(other.iter().filter(|item| is_in(undefined_here, item)))
            .copied()
            .collect();
        result.sort_unstable();
        result.dedup();
        let changed = result != *into;
        *into = result;
        changed
    }

    /// The tail of a snapshot: the values that are not defined yet.
    fn undefined_in<'a>(&self, snapshot: &'a [Item]) -> &'a [Item] {
        &snapshot[snapshot.partition_point(|item| item.location < self.everywhere)..]
    }
}

/// The entry of a value that is not defined yet.
fn undefined(value: VirtualRegister) -> Entry {
    Entry {
        content: Content::Value(value),
        written: None.into(),
        widened: false,
    }
}
