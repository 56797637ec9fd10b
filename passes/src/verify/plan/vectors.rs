//! Slots side by side, and accesses to several of them by one instruction.

use super::Layout;
use crate::allocation::Location;
use crate::function::{Slot, VirtualRegister};
use crate::machine::Unit;
use crate::verify::fault::Fault;
use std::ops::Range;

/// The most bytes that one instruction moves.
const WIDEST: u32 = 16;
/// The fewest bytes of a lane: there are no vectors of narrower ones.
const NARROWEST: u32 = 4;

impl Layout<'_> {
    /// Checks that slots side by side can be accessed together.
    pub(super) fn check_lanes(&self) -> Result<(), Fault> {
        let slots = &self.allocation.slots;
        let mut expected = 0;
        for (slot, data) in slots {
            let lanes = data.lanes;
            if lanes == 0 && expected > 0 {
                expected -= 1;
                continue;
            }
            let number = slot.as_u32();
            let mut others = (number..number.saturating_add(lanes)).map(Slot::from_u32);
            // Those that follow lie at multiples of their size.
            let alike = others.all(|other| {
                slots.get(other).is_some_and(|one| {
                    let is_aligned = other == slot || one.size.is_multiple_of(one.alignment);
                    one.size == data.size && is_aligned
                })
            });
            let bytes = data.size.saturating_mul(lanes);
            let fits = match lanes {
                1 => true,
                2 | 4 => {
                    data.size >= NARROWEST
                        && bytes <= WIDEST
                        && data.alignment.is_multiple_of(bytes)
                }
                _ => false,
            };
            if expected > 0 || !alike || !fits {
                return Err(Fault::BadLanes { slot, lanes });
            }
            expected = lanes - 1;
        }
        Ok(())
    }

    /// Checks that one instruction can do what it is to do.
    pub(super) fn check_vectors(&self) -> Result<(), Fault> {
        let mut end = 0;
        for range in &self.allocation.vectors {
            if range.start < end || !self.is_vector(range) {
                return Err(Fault::BadVector {
                    first: range.start,
                    last: range.end.saturating_sub(1),
                });
            }
            end = range.end;
        }
        Ok(())
    }

    fn is_vector(&self, range: &Range<u32>) -> bool {
        let edits = &self.allocation.edits;
        let Some(edits) = edits.get(range.start as usize..range.end as usize) else {
            return false;
        };
        let accesses: Option<Vec<_>> = edits.iter().map(|edit| edit.kind.access()).collect();
        let Some([first, rest @ ..]) = accesses.as_deref() else {
            return false;
        };
        let (is_store, _, first_slot) = *first;
        let slots = &self.allocation.slots;
        let lane = |slot: Slot| {
            let mut begin = slot.as_u32();
            while slots
                .get(Slot::from_u32(begin))
                .is_some_and(|one| one.lanes == 0)
            {
                begin -= 1;
            }
            (begin, slot.as_u32() - begin)
        };
        let (begin, first_lane) = lane(first_slot);
        let Some(group) = slots.get(Slot::from_u32(begin)) else {
            return false;
        };
        let count = edits.len() as u32;
        let is_aligned = matches!(count, 2 | 4) && first_lane.is_multiple_of(count);
        let fits = first_lane + count <= group.lanes;
        let follows = rest.iter().zip(1..).all(|(&(store, _, slot), number)| {
            store == is_store && slot.as_u32() == first_slot.as_u32() + number
        });
        let same_place = edits.iter().all(|edit| edit.at == edits[0].at);
        let values: Vec<_> = accesses
            .iter()
            .flatten()
            .map(|&(_, value, _)| value)
            .collect();
        let whole = values
            .iter()
            .all(|&value| self.size_of(value) == Some(group.size));
        is_aligned && fits && follows && same_place && whole && self.are_apart(&values)
    }

    /// Bytes of a value in memory.
    fn size_of(&self, value: VirtualRegister) -> Option<u32> {
        let class = self.classes.get(value)?.expand()?;
        Some(self.class(class).spill_size)
    }

    /// Whether no two registers overlap.
    fn are_apart(&self, values: &[VirtualRegister]) -> bool {
        let mut units: Vec<Unit> = Vec::new();
        for &value in values {
            let Location::Register(register) = self.allocation.locations[value] else {
                return false;
            };
            units.extend(self.machine.units(register));
        }
        let count = units.len();
        units.sort_unstable();
        units.dedup();
        units.len() == count
    }
}
