//! Which pieces are live between the blocks of a function.
//!
//! A phi's operands are live at the end of the blocks that they come from, its result from
//! the beginning of its block on. What a block does to each piece is found once. Source: the
//! usual backward equations, solved block by block in reverse order until nothing changes.

use super::block::{Block, Place, blocks};
use super::sunk::Sunk;
use super::values::Values;
use crate::ir::Unit;
use bitvec::vec::BitVec;
use inkwell::values::FunctionValue;
use passes::bits;

/// The blocks of a function and what is live where they end.
pub struct Liveness {
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// Live at the end of each.
    pub at_end: Vec<BitVec>,
    /// What is computed just before an instruction that uses it.
    sunk: Sunk,
}

impl Liveness {
    /// Finds it.
    pub fn new(unit: &Unit, function: FunctionValue, values: &Values) -> Self {
        let blocks = blocks(function, values);
        let sunk = Sunk::new(unit, function, values, &blocks);
        let empty = BitVec::repeat(false, values.pieces.len());
        let mut liveness = Self {
            at_end: vec![empty.clone(); blocks.len()],
            blocks,
            sunk,
        };
        // Live at the start whatever is live at the end, and what passes the block unused.
        let effect = |number: usize| {
            let (mut used, mut passing) = (empty.clone(), !empty.clone());
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
                    add(at_end, &at_start[next]);
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
        let block = &self.blocks[block];
        let is_sunk = |&piece: &usize| self.sunk.is_sunk(piece);
        block.is_computed(position) && !block.own(position).iter().any(is_sunk)
    }

    /// From what is live behind an instruction to what is live before it.
    pub fn step(&self, place: Place, live: &mut BitVec) {
        self.changes(place, |piece, is_live| live.set(piece, is_live));
    }

    /// Each piece that an instruction makes live, or dead, in front of it; what is said last of
    /// a piece holds.
    pub fn changes(&self, place: Place, mut change: impl FnMut(usize, bool)) {
        if self.is_in_place(place) {
            let (block, position) = (&self.blocks[place.0], place.1);
            let (own, used) = (block.own(position), block.used(position));
            own.iter().for_each(|&piece| change(piece, false));
            if !block.is_phi(position) {
                used.iter().for_each(|&piece| change(piece, true));
            }
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

/// The pieces in a set, ascending, word by word: `bitvec` takes many times as long.
pub fn pieces(live: &BitVec) -> impl Iterator<Item = usize> {
    let words = live.as_raw_slice().iter();
    bits::numbers(words.map(|&word| word as u64)).take_while(|&piece| piece < live.len())
}

/// Adds pieces, word by word: `bitvec` takes many times as long.
fn add(live: &mut BitVec, more: &BitVec) {
    let words = live.as_raw_mut_slice().iter_mut().zip(more.as_raw_slice());
    words.for_each(|(live, &more)| *live |= more);
}

/// Sets what is live at the start of a block by what is at its end; whether that is new.
fn enter(at_start: &mut BitVec, at_end: &BitVec, passing: &BitVec, used: &BitVec) -> bool {
    let before = [at_end, passing, used].map(|one| one.as_raw_slice().iter());
    let [at_end, passing, used] = before;
    let mut changed = false;
    for (((start, end), passing), used) in at_start
        .as_raw_mut_slice()
        .iter_mut()
        .zip(at_end)
        .zip(passing)
        .zip(used)
    {
        let live = end & passing | used;
        changed |= live != *start;
        *start = live;
    }
    changed
}
