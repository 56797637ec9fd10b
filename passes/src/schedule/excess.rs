//! Where a function needs more registers than there are.

use crate::analysis::demand::Demand;
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::function::{Block, Function};
use crate::machine::Machine;

/// The blocks in which registers of any file are missing. Linear in instructions and segments,
/// for each file.
pub fn crowded_blocks(function: &Function, machine: &Machine, liveness: &Liveness) -> Vec<Block> {
    let demand = Demand::of_function(function, machine, liveness);
    let mut is_crowded = vec![false; ProgramPoint::end_of_function(function).index()];
    for file in machine.files.keys() {
        for (is_crowded, &excess) in is_crowded.iter_mut().zip(demand.excess(file)) {
            *is_crowded |= excess > 0;
        }
    }
    let blocks = function.blocks.iter();
    let crowded = blocks.filter(|(_, data)| {
        let points = ProgramPoint::start_of(data).index()..ProgramPoint::end_of(data).index();
        is_crowded[points].contains(&true)
    });
    crowded.map(|(block, _)| block).collect()
}
