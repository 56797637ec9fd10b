//! Which slots share a place in memory.
//!
//! A slot is needed from a store to the last reload that can follow it. Groups of slots
//! of one shape of which none is stored while the other is needed may share a place; each
//! takes the first one that is free. As for registers: backward data flow, the
//! interference graph, and colouring in order (Chaitin 1982). Time: slots x blocks bits
//! for each round of the data flow, and groups x groups bits.

use super::{Group, access};
use crate::allocation::{Allocation, Edit, Position};
use crate::analysis::control_flow::postorder;
use crate::function::{Block, Function, Slot};
use bitvec::vec::BitVec;
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// More bits than these are not looked at; every slot keeps its place then.
const LIMIT: usize = 1 << 28;

type Set = BitVec<u64>;

/// The number of the place of each group; groups with equal numbers share one.
pub(super) fn places(function: &Function, allocation: &Allocation, groups: &[Group]) -> Vec<usize> {
    let slots = allocation.slots.len();
    let bits = slots.saturating_mul(slots.max(function.blocks.len()));
    if bits > LIMIT {
        return (0..groups.len()).collect();
    }
    let interferences = interferences(function, allocation, groups);
    let shape = |group: &Group| (allocation.slots[group[0]].size, group.len());
    // Each with the groups that are in it.
    let mut taken: Vec<((u32, usize), Set)> = Vec::new();
    let mut places = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let is_free = |(other, inside): &((u32, usize), Set)| {
            let mut conflicts = interferences[number].iter_ones();
            *other == shape(group) && !conflicts.any(|one| inside[one])
        };
        let place = taken.iter().position(is_free).unwrap_or_else(|| {
            taken.push((shape(group), Set::repeat(false, groups.len())));
            taken.len() - 1
        });
        taken[place].1.set(number, true);
        places.push(place);
    }
    places
}

/// For each group those that it must not share a place with.
fn interferences(function: &Function, allocation: &Allocation, groups: &[Group]) -> Vec<Set> {
    let mut group_of: SecondaryMap<Slot, usize> = SecondaryMap::new();
    for (number, group) in groups.iter().enumerate() {
        for &slot in group {
            group_of[slot] = number;
        }
    }
    let edits = edits_by_block(function, allocation);
    let live_out = live_out(function, allocation, &edits);
    let mut found = vec![Set::repeat(false, groups.len()); groups.len()];
    for (block, edits) in &edits {
        let mut needed = live_out[block].clone();
        for (is_store, slot) in edits.iter().rev().copied() {
            if is_store {
                for other in needed.iter_ones() {
                    let (one, other) = (group_of[slot], group_of[Slot::from_u32(other as u32)]);
                    if one != other {
                        found[one].set(other, true);
                        found[other].set(one, true);
                    }
                }
            }
            needed.set(slot.as_u32() as usize, !is_store);
        }
    }
    found
}

/// The accesses of each block in order: whether it is a store, and the slot.
type Accesses = PrimaryMap<Block, Vec<(bool, Slot)>>;

fn edits_by_block(function: &Function, allocation: &Allocation) -> Accesses {
    let blocks = function.instruction_blocks();
    let mut accesses: Accesses = function.blocks.keys().map(|_| Vec::new()).collect();
    for &Edit { at, kind } in &allocation.edits {
        let (Position::Before(instruction) | Position::After(instruction)) = at;
        if let Some((is_store, _, slot)) = access(kind) {
            accesses[blocks[instruction.as_u32() as usize]].push((is_store, slot));
        }
    }
    accesses
}

/// The slots whose contents are needed behind each block.
fn live_out(
    function: &Function,
    allocation: &Allocation,
    accesses: &Accesses,
) -> PrimaryMap<Block, Set> {
    let none = Set::repeat(false, allocation.slots.len());
    let empty =
        || -> PrimaryMap<Block, Set> { function.blocks.keys().map(|_| none.clone()).collect() };
    let (mut stored, mut live_in, mut live_out) = (empty(), empty(), empty());
    for (block, accesses) in accesses {
        for (is_store, slot) in accesses.iter().rev().copied() {
            let slot = slot.as_u32() as usize;
            if is_store {
                stored[block].set(slot, true);
            }
            live_in[block].set(slot, !is_store);
        }
    }
    let order = postorder(function);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &order {
            let mut out = none.clone();
            for &successor in &function.blocks[block].successors {
                out |= &live_in[successor];
            }
            if out != live_out[block] {
                changed = true;
                let through = out.clone() & !stored[block].clone();
                live_in[block] |= through;
                live_out[block] = out;
            }
        }
    }
    live_out
}
