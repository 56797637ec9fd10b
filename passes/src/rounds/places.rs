//! Places for moves between a value's own register and another one, before anything is spilled.
//!
//! Code can stand at the starts and the ends of blocks, but not where control comes or leaves in
//! another way than through them. Constant time, but for the successors of a block, and for blocks
//! without code.

use crate::function::{Block, Function, Instruction, InstructionFlags};
use crate::spill::gaps::InsertionPoint;

/// Where a value is moved, there or back, and how often.
#[derive(Default)]
pub struct Places {
    /// Where, and whether it is moved back.
    pub code: Vec<(InsertionPoint, bool)>,
    /// Executions of all of these.
    pub executions: f64,
}

impl Places {
    /// Adds a place that is not there yet.
    pub fn add(&mut self, place: InsertionPoint, back: bool, executions: f64) {
        self.code.push((place, back));
        self.executions += executions;
    }
}

/// The end of a block, if code can stand there and all that leaves the block comes by.
pub fn at_end(function: &Function, block: Block) -> Option<InsertionPoint> {
    let data = &function.blocks[block];
    // Control may leave for a landing block before the end.
    let lands = |one: &Block| function.blocks[*one].landing;
    let has_place = !data.instructions.is_empty() && !data.successors.iter().any(lands);
    has_place.then_some(InsertionPoint::End(block))
}

/// The block at whose start code can stand that belongs to the start of this one: the next
/// that has instructions. None if control comes there otherwise, or as nobody knows.
pub fn with_room(function: &Function, block: Block) -> Option<Block> {
    let data = &function.blocks[block];
    if data.landing {
        return None;
    }
    if !data.instructions.is_empty() {
        let first = Instruction::from_u32(data.instructions.start);
        let flags = function.instructions[first].flags;
        return (!flags.contains(InstructionFlags::LABEL)).then_some(block);
    }
    let &[next] = &data.successors[..] else {
        return None;
    };
    let is_alone = function.blocks[next].predecessors.len() == 1;
    with_room(function, Some(next).filter(|_| is_alone)?)
}
