//! Which slots share a place in memory.
//!
//! A slot is needed from a store to the last reload that can follow it. Groups of slots
//! of one shape of which none is stored while the other is needed may share a place; each
//! takes the first one that is free. As for registers: backward data flow, the
//! interference graph, and colouring in order (Chaitin 1982). Time: slots x blocks bits
//! for each round of the data flow, groups x groups bits, and for each store a bit of
//! every group.

use super::{Group, group_numbers, shape};
use crate::allocation::{Allocation, Edit, Position};
use crate::analysis::control_flow::postorder;
use crate::function::{Block, Function, Slot};
use cranelift_entity::PrimaryMap;
use fixedbitset::FixedBitSet;

/// More bits than these are not looked at; every slot keeps its place then.
const LIMIT: usize = 1 << 28;

/// The number of the place of each group; groups with equal numbers share one.
pub(super) fn places(function: &Function, allocation: &Allocation, groups: &[Group]) -> Vec<usize> {
    let slots = allocation.slots.len();
    let bits = slots.saturating_mul(slots.max(function.blocks.len()));
    // What is stored behind the point where control leaves a block is not stored there.
    let lands = function.blocks.values().any(|block| block.landing);
    if lands || bits > LIMIT {
        return (0..groups.len()).collect();
    }
    let interferences = interferences(function, allocation, groups);
    let mut shapes = Vec::new();
    // The last group that each place was in the way of.
    let mut blocked: Vec<Option<usize>> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        for other in interferences[number]
            .ones()
            .take_while(|&other| other < number)
        {
            blocked[places[other]] = Some(number);
        }
        let shape = shape(allocation, group);
        let is_free = |place: &usize| shapes[*place] == shape && blocked[*place] != Some(number);
        let place = (0..shapes.len()).find(is_free).unwrap_or_else(|| {
            shapes.push(shape);
            blocked.push(None);
            shapes.len() - 1
        });
        places.push(place);
    }
    places
}

/// For each group those that it must not share a place with.
fn interferences(
    function: &Function,
    allocation: &Allocation,
    groups: &[Group],
) -> Vec<FixedBitSet> {
    let group_of = group_numbers(groups);
    let accesses = accesses_by_block(function, allocation);
    let live_out = live_out(function, allocation, &accesses);
    let mut found = vec![FixedBitSet::with_capacity(groups.len()); groups.len()];
    for (block, accesses) in &accesses {
        let mut needed = Needed::new(groups.len(), allocation.slots.len());
        for slot in live_out[block].ones() {
            let slot = Slot::from_u32(slot as u32);
            needed.set(slot, group_of[slot], true);
        }
        for (is_store, slot) in accesses.iter().rev().copied() {
            if is_store {
                found[group_of[slot]].union_with(&needed.groups);
            }
            needed.set(slot, group_of[slot], !is_store);
        }
    }
    for number in 0..groups.len() {
        found[number].set(number, false);
        for other in found[number].ones().collect::<Vec<_>>() {
            found[other].set(number, true);
        }
    }
    found
}

/// What is needed at one point.
struct Needed {
    slots: FixedBitSet,
    groups: FixedBitSet,
    /// How many slots of each group are.
    lanes: Vec<u8>,
}

impl Needed {
    fn new(groups: usize, slots: usize) -> Self {
        Self {
            slots: FixedBitSet::with_capacity(slots),
            groups: FixedBitSet::with_capacity(groups),
            lanes: vec![0; groups],
        }
    }

    fn set(&mut self, slot: Slot, group: usize, is_needed: bool) {
        let number = slot.as_u32() as usize;
        if self.slots.contains(number) != is_needed {
            self.slots.set(number, is_needed);
            match is_needed {
                true => self.lanes[group] += 1,
                false => self.lanes[group] -= 1,
            }
            self.groups.set(group, self.lanes[group] > 0);
        }
    }
}

/// The accesses of each block in order: whether it is a store, and the slot.
type Accesses = PrimaryMap<Block, Vec<(bool, Slot)>>;

fn accesses_by_block(function: &Function, allocation: &Allocation) -> Accesses {
    let blocks = function.instruction_blocks();
    let mut accesses: Accesses = function.blocks.keys().map(|_| Vec::new()).collect();
    for &Edit { at, kind } in &allocation.edits {
        let (Position::Before(instruction) | Position::After(instruction)) = at;
        if let Some((is_store, _, slot)) = kind.access() {
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
) -> PrimaryMap<Block, FixedBitSet> {
    let none = FixedBitSet::with_capacity(allocation.slots.len());
    let empty = || -> PrimaryMap<Block, FixedBitSet> {
        function.blocks.keys().map(|_| none.clone()).collect()
    };
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
                out.union_with(&live_in[successor]);
            }
            if out != live_out[block] {
                changed = true;
                let mut through = out.clone();
                through.difference_with(&stored[block]);
                live_in[block].union_with(&through);
                live_out[block] = out;
            }
        }
    }
    live_out
}
