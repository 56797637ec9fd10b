//! Slots in memory: which lie side by side, and which share a place.
//!
//! The last step of an allocation, on a GPU. Until here every spilled value has a slot
//! of its own and every store or reload moves one value. Slots that are mostly accessed
//! together get places side by side ([`lanes`]), so that one vector instruction moves two
//! or four values; then slots whose contents are never needed at the same time share a
//! place ([`sharing`]). What is left are fewer instructions and a smaller frame; which
//! values are spilled, and where, stays. On CPUs LLVM's own slot colouring follows, and
//! nothing of this runs. Where a kernel may spill to [`shared`] memory, slots go there
//! last of all.
//!
//! Sources: the packing of slots and their compaction in the ptxas document, which
//! relocates at most 256 of them by a map of gaps; numbering the places anew has the same
//! effect without a limit. Vectors are not in the documents. Time: linear in the edits,
//! and in slots x blocks and slots x slots bits for sharing.

mod lanes;
pub(crate) mod shared;
pub mod shared_space;
mod sharing;

#[cfg(test)]
mod tests;

use crate::allocation::{Allocation, Edit, EditKind, Location, Position, SlotData};
use crate::function::{Function, Slot, VirtualRegister};
use crate::machine::{Machine, Unit};
use crate::settings::{Pass, Settings};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;
use std::mem;

/// The most bytes that one instruction moves.
const WIDEST: u32 = 16;

/// Slots side by side in this order: one, two or four.
type Group = SmallVec<[Slot; 4]>;

/// Stores with nothing between them, or reloads.
struct Run {
    /// Edits of the allocation.
    first: usize,
    /// Each with its slot.
    accesses: Vec<(VirtualRegister, Slot)>,
    /// How often they are executed.
    frequency: f64,
}

/// Lays out the slots of a finished allocation. The slots get new numbers.
pub fn lay_out(
    function: &Function,
    machine: &Machine,
    settings: &Settings,
    allocation: &mut Allocation,
) {
    // Instructions that access slots themselves are a CPU's.
    let folds = |edit: &Edit| matches!(edit.kind, EditKind::Fold { .. });
    if allocation.slots.is_empty() || allocation.edits.iter().any(folds) {
        return;
    }
    let mut runs = runs(function, machine, allocation);
    let groups: Vec<Group> = match settings.runs(Pass::Vectors) {
        true => lanes::groups(allocation, &runs),
        false => allocation
            .slots
            .keys()
            .map(|slot| smallvec![slot])
            .collect(),
    };
    let places = match settings.runs(Pass::ShareSlots) {
        true => sharing::places(function, allocation, &groups),
        false => (0..groups.len()).collect(),
    };
    let numbers = renumber(allocation, &groups, &places);
    for run in &mut runs {
        for (_, slot) in &mut run.accesses {
            *slot = numbers[*slot];
        }
        join(allocation, run);
    }
}

/// The number of the group that each slot is in.
fn group_numbers(groups: &[Group]) -> SecondaryMap<Slot, usize> {
    let mut numbers = SecondaryMap::new();
    for (number, group) in groups.iter().enumerate() {
        for &slot in group {
            numbers[slot] = number;
        }
    }
    numbers
}

/// The size of each slot of a group, and their number.
fn shape(allocation: &Allocation, group: &Group) -> (u32, usize) {
    (allocation.slots[group[0]].size, group.len())
}

/// The runs in program order, single accesses left out.
fn runs(function: &Function, machine: &Machine, allocation: &Allocation) -> Vec<Run> {
    let blocks = function.instruction_blocks();
    // Code behind an instruction and in front of the next one stands in one gap, unless
    // a block ends there.
    let gap = |at: Position| match at {
        Position::Before(next) => (blocks[next.as_u32() as usize], next.as_u32()),
        Position::After(last) => (blocks[last.as_u32() as usize], last.as_u32() + 1),
    };
    let mut runs: Vec<Run> = Vec::new();
    let mut previous = None;
    // What the reloads of the run write.
    let mut written: Vec<Unit> = Vec::new();
    for (number, &Edit { at, kind }) in allocation.edits.iter().enumerate() {
        let Some((is_store, value, slot)) = kind.access() else {
            previous = None;
            continue;
        };
        let place = Some((gap(at), is_store));
        let units = match allocation.locations[value] {
            Location::Register(register) => machine.units(register),
            Location::Slot(_) | Location::None => &[],
        };
        // Of two reloads into one register only the second counts, so their order does.
        let is_again = !is_store && units.iter().any(|unit| written.contains(unit));
        match runs.last_mut().filter(|_| previous == place && !is_again) {
            Some(run) => run.accesses.push((value, slot)),
            None => {
                written.clear();
                runs.push(Run {
                    first: number,
                    accesses: vec![(value, slot)],
                    frequency: function.blocks[gap(at).0].frequency,
                });
            }
        }
        written.extend(units.iter().filter(|_| !is_store));
        previous = place;
    }
    runs.retain(|run| run.accesses.len() > 1);
    runs
}

/// Gives the slots the numbers of their places, where the lanes of a group are
/// neighbours; the new number of each.
fn renumber(
    allocation: &mut Allocation,
    groups: &[Group],
    places: &[usize],
) -> SecondaryMap<Slot, Slot> {
    let old = mem::take(&mut allocation.slots);
    let mut numbers = SecondaryMap::with_default(Slot::from_u32(0));
    let mut first_of: Vec<Option<Slot>> = vec![None; groups.len()];
    for (group, &place) in groups.iter().zip(places) {
        let first =
            *first_of[place].get_or_insert_with(|| push_lanes(&mut allocation.slots, group, &old));
        for (lane, &slot) in group.iter().enumerate() {
            let number = Slot::from_u32(first.as_u32() + lane as u32);
            numbers[slot] = number;
            let data = &mut allocation.slots[number];
            data.outdated |= old[slot].outdated;
            data.alignment = data.alignment.max(old[slot].alignment);
        }
    }
    // What is in a place that others have as well is not there all the time.
    let mut holders: SecondaryMap<Slot, u32> = SecondaryMap::new();
    for slot in old.keys() {
        holders[numbers[slot]] += 1;
    }
    for (slot, data) in &mut allocation.slots {
        data.outdated |= holders[slot] > 1;
    }
    for location in allocation.locations.values_mut() {
        if let Location::Slot(slot) = location {
            *slot = numbers[*slot];
        }
    }
    for edit in &mut allocation.edits {
        if let EditKind::Store { slot, .. } | EditKind::Reload { slot, .. } = &mut edit.kind {
            *slot = numbers[*slot];
        }
    }
    numbers
}

/// Makes the slots of a group; the first.
fn push_lanes(
    slots: &mut PrimaryMap<Slot, SlotData>,
    group: &Group,
    old: &PrimaryMap<Slot, SlotData>,
) -> Slot {
    let first = slots.next_key();
    for (lane, &slot) in group.iter().enumerate() {
        let SlotData {
            size, alignment, ..
        } = old[slot];
        slots.push(match lane {
            0 => SlotData {
                size,
                alignment: alignment.max(size * group.len() as u32),
                outdated: false,
                lanes: group.len() as u32,
                column: None,
            },
            _ => SlotData {
                size,
                alignment,
                outdated: false,
                lanes: 0,
                column: None,
            },
        });
    }
    first
}

/// Joins the accesses of a run to those lanes of a group that are all accessed.
fn join(allocation: &mut Allocation, run: &Run) {
    let mut number_of: BTreeMap<Slot, usize> = BTreeMap::new();
    for (number, &(_, slot)) in run.accesses.iter().enumerate() {
        // Accesses to one place have to stay in order.
        if number_of.insert(slot, number).is_some() {
            return;
        }
    }
    let Allocation {
        locations,
        slots,
        edits,
        vectors,
        ..
    } = allocation;
    let location = |number: usize| locations[run.accesses[number].0];
    let mut order: Vec<usize> = Vec::new();
    let mut is_placed = vec![false; run.accesses.len()];
    for (number, &(_, slot)) in run.accesses.iter().enumerate() {
        if is_placed[number] {
            continue;
        }
        let first = first_lane(slots, slot);
        let lanes = slots[first].lanes;
        let complete = |len: u32| {
            let begin = slot.as_u32() - (slot.as_u32() - first.as_u32()) % len;
            let lanes = (begin..begin + len).map(|lane| number_of.get(&Slot::from_u32(lane)));
            let numbers: SmallVec<[usize; 4]> =
                lanes.map(|one| one.copied()).collect::<Option<_>>()?;
            let is_free = numbers.iter().all(|&one| !is_placed[one]);
            (is_free && are_distinct(&numbers, location)).then_some(numbers)
        };
        let widths = [4, 2].into_iter().filter(|&len| len <= lanes);
        let joined = widths.into_iter().find_map(complete);
        let numbers = joined.unwrap_or_else(|| smallvec![number]);
        if numbers.len() > 1 {
            let begin = (run.first + order.len()) as u32;
            vectors.push(begin..begin + numbers.len() as u32);
        }
        for number in numbers {
            is_placed[number] = true;
            order.push(number);
        }
    }
    // They all stand in one gap.
    let at = edits[run.first].at;
    let kinds: Vec<EditKind> = order
        .iter()
        .map(|&number| edits[run.first + number].kind)
        .collect();
    for (edit, kind) in edits[run.first..].iter_mut().zip(kinds) {
        *edit = Edit { at, kind };
    }
}

/// The first slot of the group that a slot is in.
fn first_lane(slots: &PrimaryMap<Slot, SlotData>, slot: Slot) -> Slot {
    let mut first = slot;
    while slots[first].lanes == 0 {
        first = Slot::from_u32(first.as_u32() - 1);
    }
    first
}

/// Whether no two are in one register: a vector instruction takes as many registers as it
/// has lanes.
fn are_distinct(numbers: &[usize], location: impl Fn(usize) -> Location) -> bool {
    let mut rest = numbers;
    while let [one, others @ ..] = rest {
        if others
            .iter()
            .any(|&other| location(other) == location(*one))
        {
            return false;
        }
        rest = others;
    }
    true
}
