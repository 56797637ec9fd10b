//! The part of the rewriter that has to do with landing blocks: what a spilled value arrives in
//! there, and its store.

use super::Rewriter;
use crate::function::{Block, Function};
use crate::spill::landing::arrivals;

impl Rewriter<'_> {
    /// Makes the stand-ins that landing blocks name.
    pub(super) fn expect_arrivals(&mut self, old: &Function) {
        for arrival in arrivals(old, self.machine) {
            if self.work.state.source_of[arrival.value].is_some() {
                let known = self.arrivals.iter().find(|(other, _)| {
                    (other.instruction, other.value) == (arrival.instruction, arrival.value)
                });
                let stand_in = match known {
                    Some(&(_, stand_in)) => stand_in,
                    None => {
                        let class = old.virtual_registers[arrival.value].class;
                        self.create(arrival.value, class)
                    }
                };
                self.arrivals.push((arrival, stand_in));
            }
        }
    }

    /// Stores what arrives in the block, behind its labels.
    pub(super) fn store_arrivals(&mut self, old: &Function, block: Block, labels_end: u32) {
        for index in 0..self.arrivals.len() {
            let (arrival, stand_in) = self.arrivals[index];
            if arrival.block != block {
                continue;
            }
            let at = self.position_in(old, block, labels_end);
            self.store_value(at, arrival.value, stand_in);
        }
    }
}
