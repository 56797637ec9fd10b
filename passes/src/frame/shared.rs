//! Which slots go to shared memory, and where they lie there.
//!
//! A slot in shared memory has one place for each thread of the block: a column, with the
//! places of neighbouring threads side by side. Threads of a warp then access neighbouring
//! words, and no two of them the same bank: 32 threads at once for 4 bytes, 16 for 8 bytes,
//! 8 for 16 bytes, as the hardware splits wide accesses itself. The sizes differ in their
//! stride, and so in the register with the thread's address; [`choose_strides`] takes those
//! that are worth one.
//!
//! Slots side by side, as [`super::lanes`] has laid them out, stay so only if every access
//! is to all of them at once: a single word out of four would lie 16 bytes from that of the
//! next thread, and four threads would meet in one bank. Otherwise they are taken apart.
//!
//! What does not fit stays in local memory: the slots that gain most for their bytes go
//! first. Columns stand in the order of their strides, so that all are aligned. Source: the
//! cost of a bank conflict and what one is, NVIDIA's "CUDA C++ Programming Guide"; the rest
//! is not in the documents. Time: the edits, and slots x log(slots).

use super::shared_space::SharedSpace;
use crate::allocation::{Allocation, Position, SharedColumn, SharedFrame};
use crate::function::{Function, Slot};
use cranelift_entity::SecondaryMap;

/// What an access to shared memory costs, where one to local memory costs one: it takes
/// as long as one that the first-level cache has, but never goes beyond.
const SHARED_ACCESS: f64 = 0.5;
/// The strides that there are.
const STRIDES: [u32; 3] = [4, 8, 16];

/// Slots that lie side by side.
struct Group {
    first: Slot,
    lanes: u32,
    /// Bytes of each.
    size: u32,
    /// So many lanes are accessed together whenever one is: 1, 2 or 4.
    together: u32,
    /// Executions of all accesses to it, those of each lane counted.
    accesses: f64,
    /// The same, with several lanes at once counted once.
    instructions: f64,
}

/// How a group would lie in shared memory.
#[derive(Clone, Copy)]
struct Layout {
    /// Lanes side by side.
    together: u32,
    stride: u32,
    /// Executions of instructions saved, those to shared memory counting less.
    gain: f64,
}

impl Group {
    /// The best layout with these strides, if it is better than local memory.
    fn layout(&self, strides: &[u32]) -> Option<Layout> {
        let widths = [4, 2, 1]
            .into_iter()
            .filter(|&width| width <= self.together);
        let layouts = widths.map(|together| Layout {
            together,
            stride: (self.size * together).max(STRIDES[0]),
            gain: self.instructions - SHARED_ACCESS * self.accesses / f64::from(together),
        });
        // The first is the widest.
        let mut layouts = layouts.filter(|layout| strides.contains(&layout.stride));
        layouts.next().filter(|layout| layout.gain > 0.0)
    }
}

/// Moves slots to shared memory, with at most so many registers for addresses. False if
/// none gains by it, or none fits; then nothing is changed.
pub(crate) fn move_to_shared(
    function: &Function,
    space: &SharedSpace,
    registers: usize,
    allocation: &mut Allocation,
) -> bool {
    let groups = groups(function, allocation);
    let strides = match space.is_scaled {
        true => STRIDES.to_vec(),
        false => choose_strides(&groups, registers),
    };
    let chosen = choose(&groups, &strides, space);
    if chosen.is_empty() {
        return false;
    }
    let mut offset = 0;
    let mut saved = 0.0;
    let mut split: SecondaryMap<Slot, u32> = SecondaryMap::new();
    for &(group, layout) in &chosen {
        saved += (1.0 - SHARED_ACCESS) * group.accesses;
        for lane in 0..group.lanes {
            let slot = Slot::from_u32(group.first.as_u32() + lane);
            split[slot] = layout.together;
            let within = lane % layout.together;
            let data = &mut allocation.slots[slot];
            data.lanes = if within == 0 { layout.together } else { 0 };
            data.alignment = match within {
                0 => group.size * layout.together,
                _ => group.size,
            };
            data.column = Some(SharedColumn {
                offset: offset + within * group.size,
                stride: layout.stride,
            });
            if within + 1 == layout.together {
                offset += layout.stride * space.threads;
            }
        }
    }
    split_vectors(allocation, &split);
    allocation.shared = Some(SharedFrame {
        bytes: offset,
        threads: space.threads,
    });
    let statistics = &mut allocation.statistics;
    statistics.spill_cost -= saved;
    statistics.shared_bytes = offset;
    statistics.shared_slots = chosen.iter().map(|(group, _)| group.lanes).sum();
    statistics.vectors = allocation.vectors.len() as u32;
    true
}

/// Executions of instructions that access memory, those to shared memory counting less,
/// and of what is rematerialised, as [`crate::statistics`] counts it.
pub(crate) fn cost(function: &Function, allocation: &Allocation) -> f64 {
    let groups = groups(function, allocation);
    let weight = |group: &Group| match allocation.slots[group.first].column {
        Some(_) => SHARED_ACCESS,
        None => 1.0,
    };
    let joined = groups.iter();
    let joined = joined.map(|group| weight(group) * (group.accesses - group.instructions));
    allocation.statistics.spill_cost - joined.sum::<f64>()
}

/// The slots as they lie side by side, in order.
fn groups(function: &Function, allocation: &Allocation) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: SecondaryMap<Slot, usize> = SecondaryMap::new();
    for (slot, data) in &allocation.slots {
        if data.lanes > 0 {
            groups.push(Group {
                first: slot,
                lanes: data.lanes,
                size: data.size,
                together: data.lanes,
                accesses: 0.0,
                instructions: 0.0,
            });
        }
        group_of[slot] = groups.len().saturating_sub(1);
    }
    let blocks = function.instruction_blocks();
    let mut vectors = allocation.vectors.iter().peekable();
    for (number, edit) in (0..).zip(&allocation.edits) {
        while vectors.next_if(|vector| vector.end <= number).is_some() {}
        let vector = vectors.peek().filter(|vector| vector.contains(&number));
        let width = vector.map_or(1, |vector| vector.end - vector.start);
        let Some((_, _, slot)) = edit.kind.access() else {
            continue;
        };
        let (Position::Before(at) | Position::After(at)) = edit.at;
        let frequency = function.blocks[blocks[at.as_u32() as usize]].frequency;
        let group = &mut groups[group_of[slot]];
        group.together = group.together.min(width);
        group.accesses += frequency;
        group.instructions += frequency / f64::from(width);
    }
    groups
}

/// At most so many strides with which most is gained; as few as gain that.
fn choose_strides(groups: &[Group], most: usize) -> Vec<u32> {
    let gain = |strides: &[u32]| -> f64 {
        let layouts = groups.iter().filter_map(|group| group.layout(strides));
        layouts.map(|layout| layout.gain).sum()
    };
    let mut best = (0.0, Vec::new());
    let mut sets: Vec<Vec<u32>> = (1..1 << STRIDES.len())
        .map(|set: u32| {
            let members = STRIDES
                .iter()
                .zip(0..)
                .filter(|(_, bit)| set >> bit & 1 == 1);
            members.map(|(&stride, _)| stride).collect()
        })
        .collect();
    sets.retain(|set| set.len() <= most);
    sets.sort_by_key(Vec::len);
    for set in sets {
        let gain = gain(&set);
        if gain > best.0 {
            best = (gain, set);
        }
    }
    best.1
}

/// The groups that gain most for their bytes, as far as they fit; the widest first.
fn choose<'a>(
    groups: &'a [Group],
    strides: &[u32],
    space: &SharedSpace,
) -> Vec<(&'a Group, Layout)> {
    let layouts = groups.iter().map(|group| (group, group.layout(strides)));
    let mut wanted: Vec<(&Group, Layout, u32)> = layouts
        .filter_map(|(group, layout)| {
            let layout = layout?;
            let bytes = group.lanes / layout.together * layout.stride;
            Some((group, layout, bytes))
        })
        .collect();
    let density = |&(_, layout, bytes): &(&Group, Layout, u32)| layout.gain / f64::from(bytes);
    // Stable: of equal ones the lower number.
    wanted.sort_by(|one, other| density(other).total_cmp(&density(one)));
    let mut left = space.bytes / space.threads;
    wanted.retain(|&(_, _, bytes)| {
        let fits = bytes <= left;
        left -= if fits { bytes } else { 0 };
        fits
    });
    wanted.sort_by_key(|&(group, layout, _)| (std::cmp::Reverse(layout.stride), group.first));
    wanted
        .into_iter()
        .map(|(group, layout, _)| (group, layout))
        .collect()
}

/// Takes vectors apart where fewer lanes than before lie side by side.
fn split_vectors(allocation: &mut Allocation, together: &SecondaryMap<Slot, u32>) {
    let old = std::mem::take(&mut allocation.vectors);
    for vector in old {
        let lanes = vector.end - vector.start;
        let access = allocation.edits[vector.start as usize].kind.access();
        let width = match access.map(|(_, _, slot)| together[slot]) {
            // In local memory all stay.
            None | Some(0) => lanes,
            Some(width) => width,
        };
        if width > 1 {
            let starts = vector.step_by(width as usize);
            let parts = starts.map(|start| start..start + width);
            allocation.vectors.extend(parts);
        }
    }
}

#[cfg(test)]
mod tests;
