//! How far a function needs more registers than there are.

use crate::analysis::demand::Demand;
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::function::{Block, Function};
use crate::machine::Machine;

/// By program point, the registers of all files that are missing.
pub struct Excess(Vec<u32>);

impl Excess {
    /// Measures a function. Linear in instructions and segments, for each file.
    pub fn new(function: &Function, machine: &Machine, liveness: &Liveness) -> Self {
        let demand = Demand::of_function(function, machine, liveness);
        let mut excess = vec![0; ProgramPoint::end_of_function(function).index()];
        for file in machine.files.keys() {
            for (sum, &excess) in excess.iter_mut().zip(demand.excess(file)) {
                *sum += excess.max(0) as u32;
            }
        }
        Self(excess)
    }

    /// The blocks in which registers are missing.
    pub fn blocks(&self, function: &Function) -> Vec<Block> {
        let blocks = function.blocks.iter();
        let crowded = blocks.filter(|(_, data)| {
            let points = ProgramPoint::start_of(data).index()..ProgramPoint::end_of(data).index();
            self.0[points].iter().any(|&excess| excess > 0)
        });
        crowded.map(|(block, _)| block).collect()
    }
}
