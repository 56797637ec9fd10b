//! Epochs: which registers each block has used.
//!
//! In epoch-aware allocation, of registers that are equally good, one is taken that the
//! blocks of a value's live range have used already, so that what is live elsewhere keeps
//! its own. Ensures nothing but a preference: it comes last among the secondary costs.
//! Time: the blocks of a range for each value, times the registers of its class. Source:
//! ptxas document, knob 682, of which only the name is shown; functions of one block have
//! it off there, which is why an epoch is read as a block.

use super::columns::Slots;
use crate::analysis::live_range::Segment;
use crate::analysis::program_point::ProgramPoint;
use crate::function::Function;

/// Secondary cost of a column that no block of the range has used yet: less than that of
/// breaking a quad.
const UNTOUCHED: u32 = 8;

/// The columns that each block has used.
pub struct Epochs {
    /// Where each block begins, in the order of the code.
    begins: Vec<ProgramPoint>,
    /// Block by block, a number for each column.
    touched: Vec<bool>,
    columns: usize,
}

impl Epochs {
    /// Nothing is used yet.
    pub fn new(function: &Function, columns: u32) -> Self {
        let blocks = function.blocks.keys();
        let first = |block| function.block_instructions(block).next();
        let begins = blocks.filter_map(first).map(ProgramPoint::early);
        let begins: Vec<_> = begins.collect();
        let columns = columns as usize;
        Self {
            touched: vec![false; begins.len() * columns],
            begins,
            columns,
        }
    }

    /// The blocks of these segments have used a column.
    pub fn touch(&mut self, segments: &[Segment], column: u32) {
        for &segment in segments {
            for epoch in self.epochs(segment) {
                self.touched[epoch * self.columns + column as usize] = true;
            }
        }
    }

    /// Adds to the cost of every slot that some of the blocks have not used.
    pub fn add(&self, segments: &[Segment], slots: &Slots, costs: &mut [u32]) {
        let mut epochs: Vec<usize> = segments.iter().flat_map(|&one| self.epochs(one)).collect();
        epochs.dedup();
        for (slot, cost) in costs.iter_mut().enumerate() {
            let used = |&epoch: &usize| {
                let mut columns = slots.columns(slot).iter();
                columns.all(|&column| self.touched[epoch * self.columns + column as usize])
            };
            if !epochs.iter().any(used) {
                *cost += UNTOUCHED;
            }
        }
    }

    /// The numbers of the blocks that a segment touches.
    fn epochs(&self, segment: Segment) -> std::ops::Range<usize> {
        let first = self.begins.partition_point(|&begin| begin <= segment.start);
        let end = self.begins.partition_point(|&begin| begin < segment.end);
        first.saturating_sub(1)..end
    }
}
