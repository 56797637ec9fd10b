//! Which pieces are live between the blocks of a function.
//!
//! A phi's operands are live at the end of the blocks that they come from, its result from
//! the beginning of its block on. What a block does to each piece is found once. Source: the
//! usual backward equations, solved block by block in reverse order until nothing changes.

use super::block::{Block, Place, blocks};
use super::sunk::Sunk;
use super::values::Values;
use crate::ir::Unit;
use fixedbitset::FixedBitSet;
use inkwell::values::FunctionValue;

/// The blocks of a function and what is live where they end.
pub struct Liveness {
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// Live at the end of each.
    pub at_end: Vec<FixedBitSet>,
    /// What is computed just before an instruction that uses it.
    sunk: Sunk,
}

impl Liveness {
    /// Finds it.
    pub fn new(unit: &Unit, function: FunctionValue, values: &Values) -> Self {
        let mut blocks = blocks(function, values);
        let sunk = Sunk::new(unit, function, values, &blocks);
        for (number, block) in blocks.iter_mut().enumerate() {
            block.note(number, &sunk);
        }
        let empty = FixedBitSet::with_capacity(values.pieces.len());
        let mut liveness = Self {
            at_end: vec![empty.clone(); blocks.len()],
            blocks,
            sunk,
        };
        // Live at the start whatever is live at the end, and what passes the block unused.
        let effect = |number: usize| {
            let (mut used, mut passing) = (empty.clone(), empty.clone());
            passing.insert_range(..);
            for position in (0..liveness.blocks[number].instructions.len()).rev() {
                liveness.changes((number, position), |piece, is_live| {
                    used.set(piece, is_live);
                    passing.set(piece, is_live);
                });
            }
            (used, passing)
        };
        let effects = (0..liveness.blocks.len()).map(effect);
        let (used, passing): (Vec<_>, Vec<_>) = effects.unzip();
        let Self { blocks, at_end, .. } = &mut liveness;
        let mut before = vec![Vec::new(); blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            for &next in &block.successors {
                before[next].push(number);
            }
        }
        for &(from, piece) in blocks.iter().flat_map(|block| &block.incoming) {
            at_end[from].set(piece, true);
        }
        let mut at_start = vec![empty; blocks.len()];
        let mut stale = vec![true; blocks.len()];
        while stale.contains(&true) {
            for index in (0..blocks.len()).rev() {
                if !std::mem::take(&mut stale[index]) {
                    continue;
                }
                let at_end = &mut at_end[index];
                for &next in &blocks[index].successors {
                    at_end.union_with(&at_start[next]);
                }
                if enter(&mut at_start[index], at_end, &passing[index], &used[index]) {
                    before[index].iter().for_each(|&from| stale[from] = true);
                }
            }
        }
        liveness
    }

    /// Whether something is computed where an instruction stands.
    pub fn is_in_place(&self, (block, position): Place) -> bool {
        self.blocks[block].is_in_place(position)
    }

    /// From what is live behind an instruction to what is live before it.
    pub fn step(&self, place: Place, live: &mut FixedBitSet) {
        self.changes(place, |piece, is_live| live.set(piece, is_live));
    }

    /// Each piece that an instruction makes live, or dead, in front of it; what is said last of
    /// a piece holds.
    pub fn changes(&self, place: Place, mut change: impl FnMut(usize, bool)) {
        let (block, position) = (&self.blocks[place.0], place.1);
        if block.is_in_place(position) {
            let (own, used) = (block.own(position), block.used(position));
            own.iter().for_each(|&piece| change(piece, false));
            if !block.is_phi(position) {
                used.iter().for_each(|&piece| change(piece, true));
            }
        }
        if !block.has_sunk(position) {
            return;
        }
        for &(piece, owner) in self.sunk.before(place) {
            change(piece, false);
            if let Some((block, position)) = owner {
                let used = self.blocks[block].used(position);
                used.iter().for_each(|&piece| change(piece, true));
            }
        }
    }
}

/// Sets what is live at the start of a block by what is at its end; whether that is new.
fn enter(
    at_start: &mut FixedBitSet,
    at_end: &FixedBitSet,
    passing: &FixedBitSet,
    used: &FixedBitSet,
) -> bool {
    let before = [at_end, passing, used].map(|one| one.as_slice().iter());
    let [at_end, passing, used] = before;
    let words = at_start.as_mut_slice().iter_mut();
    let mut changed = false;
    for (((start, end), passing), used) in words.zip(at_end).zip(passing).zip(used) {
        let live = end & passing | used;
        changed |= live != *start;
        *start = live;
    }
    changed
}
