//! Where the values of a function are computed and used, piece by piece.

use crate::ir::loops::Loops;
use crate::ir::pressure::class::Class;
use crate::ir::pressure::live::Liveness;
use crate::ir::pressure::peaks::Peak;
use crate::ir::pressure::values::Values;
use crate::ir::value::Value;
use fixedbitset::FixedBitSet;
use inkwell::llvm_sys::LLVMOpcode::LLVMPHI;
use inkwell::llvm_sys::prelude::LLVMBasicBlockRef;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A use of a piece.
#[derive(Clone, Copy)]
pub struct Use {
    /// The piece.
    pub piece: usize,
    /// The operand, which is the piece's value or names it.
    pub value: Value,
    /// What uses it.
    pub user: Value,
    /// Which operand that is.
    pub operand: usize,
    /// In front of what the operand must be there: the user, or the end of the block that a
    /// phi takes it from.
    pub place: Value,
}

/// A function.
pub struct Program<'a> {
    /// Its values.
    pub values: &'a Values<'a>,
    /// Of each block, how often it runs, by the loops around it.
    pub frequencies: Vec<f64>,
    /// The uses in each block, in order.
    uses: Vec<Vec<Use>>,
    /// For each piece, the block that computes it, if an instruction does.
    locations: Vec<Option<usize>>,
    /// For each piece, the blocks that use it, with the first and the last position there.
    used_in: Vec<SmallVec<[(usize, usize, usize); 1]>>,
}

impl<'a> Program<'a> {
    /// Looks through it.
    pub fn new(values: &'a Values, liveness: &Liveness, loops: &Loops) -> Self {
        let count = liveness.blocks.len();
        let mut program = Self {
            values,
            frequencies: Vec::with_capacity(count),
            uses: vec![Vec::new(); count],
            locations: vec![None; values.pieces.len()],
            used_in: vec![SmallVec::new(); values.pieces.len()],
        };
        let first = |number: usize| liveness.blocks[number].instructions[0];
        let numbers: FxHashMap<LLVMBasicBlockRef, usize> = (0..count)
            .map(|number| (first(number).block(), number))
            .collect();
        let mut at_ends = Vec::new();
        for (number, block) in liveness.blocks.iter().enumerate() {
            program.frequencies.push(loops.iterations(first(number)));
            for (position, &user) in block.instructions.iter().enumerate() {
                if !values.is_computed(user) {
                    continue;
                }
                for piece in values.of(user) {
                    program.locations[piece] = Some(number);
                }
                if user.is(LLVMPHI) {
                    for (operand, (value, place)) in user.incoming().enumerate() {
                        let from = numbers[&place.block()];
                        let position = liveness.blocks[from].instructions.len() - 1;
                        at_ends.push((from, user, operand, value, place, position));
                    }
                    continue;
                }
                for (operand, value) in user.operands().enumerate() {
                    program.add(number, user, operand, value, user, position);
                }
            }
        }
        for (from, user, operand, value, place, position) in at_ends {
            program.add(from, user, operand, value, place, position);
        }
        program
    }

    fn add(
        &mut self,
        block: usize,
        user: Value,
        operand: usize,
        value: Value,
        place: Value,
        position: usize,
    ) {
        for piece in self.values.of(value) {
            self.uses[block].push(Use {
                piece,
                value,
                user,
                operand,
                place,
            });
            let blocks = &mut self.used_in[piece];
            // Mostly the last one.
            match blocks.iter_mut().rev().find(|(other, ..)| *other == block) {
                Some((_, first, last)) => {
                    *first = position.min(*first);
                    *last = position.max(*last);
                }
                None => blocks.push((block, position, position)),
            }
        }
    }

    /// The uses in a block, in its order.
    pub fn uses_in(&self, block: usize) -> &[Use] {
        &self.uses[block]
    }

    /// The block that computes a piece; none for parameters.
    pub fn location(&self, piece: usize) -> Option<usize> {
        self.locations[piece]
    }

    /// How often the blocks run that use a piece and do not compute it.
    pub fn frequency_elsewhere(&self, piece: usize) -> f64 {
        let blocks = self.used_in[piece].iter();
        let elsewhere = blocks.filter(|(block, ..)| Some(*block) != self.locations[piece]);
        elsewhere.map(|&(block, ..)| self.frequencies[block]).sum()
    }

    /// The pieces of a thread that are live at a peak, and the accesses that are executed if
    /// each is spilled, the fewest first: a piece is stored where it is computed and loaded in
    /// each block that uses it.
    pub fn spills(&self, peak: &Peak) -> Vec<(f64, usize)> {
        let threads = peak.live.ones();
        let mut prices: Vec<_> = threads
            .filter(|&piece| self.values.pieces[piece].class == Class::R)
            .map(|piece| {
                let location = self.locations[piece].map_or(1.0, |block| self.frequencies[block]);
                (location + self.frequency_elsewhere(piece), piece)
            })
            .collect();
        prices.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        prices
    }

    /// Which pieces are live at a peak if other blocks compute them in front of their first
    /// uses.
    pub fn live_if_sunk(&self, peak: &Peak) -> FixedBitSet {
        let mut live = FixedBitSet::with_capacity(self.values.pieces.len());
        for one in &self.uses[peak.block] {
            let uses = self.used_in[one.piece].iter();
            for &(_, first, last) in uses.filter(|(block, ..)| *block == peak.block) {
                let is_own = Some(peak.block) == self.locations[one.piece];
                if (is_own || first <= peak.position) && last > peak.position {
                    live.set(one.piece, true);
                }
            }
        }
        live
    }
}
