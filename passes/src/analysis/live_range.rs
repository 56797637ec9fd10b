//! Live ranges: for each value the program points at which it is live.
//!
//! Every instruction has two points: the early one, where it reads, and the late
//! one, where it writes; early clobbers are written at the early one. A range is a
//! sorted list of half-open segments of points. Two values that are live at one
//! point may not share a register; this is Chaitin's interference but for a copy of
//! a value that lives on, which conflicts here. Source: the ptxas document's live
//! range infrastructure; Poletto and Sarkar 1999 for the representation. Time:
//! linear in operands and in what is live between blocks.

use super::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Operand, VirtualRegister};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

/// Not live.
const ABSENT: u32 = u32::MAX;

/// Points `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The first point.
    pub start: u32,
    /// The first point behind it.
    pub end: u32,
}

/// The live ranges of one function.
pub struct LiveRanges {
    ranges: PrimaryMap<VirtualRegister, SmallVec<[Segment; 1]>>,
    points: u32,
}

impl LiveRanges {
    /// Computes the ranges.
    pub fn new(function: &Function, liveness: &Liveness) -> Self {
        let count = function.virtual_registers.len();
        let mut ranges = Self {
            ranges: (0..count).map(|_| SmallVec::new()).collect(),
            points: 2 * function.instructions.len() as u32,
        };
        let mut walk = Walk {
            end_of: SecondaryMap::with_default(ABSENT),
            found: Vec::new(),
        };
        for block in function.blocks.keys() {
            walk.block(function, liveness, block);
            // Found from the end of the block to its start.
            for (value, segment) in walk.found.drain(..).rev() {
                ranges.extend(value, segment);
            }
        }
        ranges
    }

    /// Adds a segment that does not start before the last one.
    fn extend(&mut self, value: VirtualRegister, segment: Segment) {
        let range = &mut self.ranges[value];
        match range.last_mut() {
            Some(last) if segment.start <= last.end => {
                last.start = last.start.min(segment.start);
                last.end = last.end.max(segment.end);
            }
            _ if segment.start < segment.end => range.push(segment),
            _ => {}
        }
    }

    /// The segments of a value, ascending and apart from one another.
    pub fn segments(&self, value: VirtualRegister) -> &[Segment] {
        &self.ranges[value]
    }

    /// Points are numbered from 0 to this.
    pub fn points(&self) -> u32 {
        self.points
    }

    /// Whether two values are live at one point. Time: the segments of the value
    /// that has fewer, times the logarithm of the others.
    pub fn overlap(&self, a: VirtualRegister, b: VirtualRegister) -> bool {
        let (mut few, mut many) = (self.segments(a), self.segments(b));
        if few.len() > many.len() {
            std::mem::swap(&mut few, &mut many);
        }
        few.iter().any(|segment| {
            let next = many.partition_point(|other| other.end <= segment.start);
            many.get(next)
                .is_some_and(|other| other.start < segment.end)
        })
    }
}

/// A backward walk through one block.
struct Walk {
    /// Where the segment of each live value ends.
    end_of: SecondaryMap<VirtualRegister, u32>,
    found: Vec<(VirtualRegister, Segment)>,
}

impl Walk {
    fn block(&mut self, function: &Function, liveness: &Liveness, block: Block) {
        let range = &function.blocks[block].instructions;
        let virtual_register = |variable| match variable {
            Variable::Virtual(value) => Some(value),
            Variable::Unit(_) => None,
        };
        for value in liveness.live_out(block).filter_map(virtual_register) {
            self.end_of[value] = 2 * range.end;
        }
        for instruction in function.block_instructions(block).rev() {
            let early = 2 * instruction.as_u32();
            let operands = function.instruction_operands(instruction);
            for operand in operands.iter().filter(|operand| operand.is_definition()) {
                if let Some(value) = operand.virtual_register() {
                    let start = early + u32::from(!operand.is_early_clobber());
                    self.close(value, start, early + 2);
                }
            }
            for operand in operands.iter().filter(|operand| !operand.is_definition()) {
                self.read(operand, early);
            }
            for operand in operands.iter().filter(|operand| operand.is_definition()) {
                if operand.reads() {
                    self.read(operand, early);
                }
            }
        }
        for value in liveness.live_in(block).filter_map(virtual_register) {
            self.close(value, 2 * range.start, 2 * range.start);
        }
    }

    /// The value is written here; if nothing reads it, it lives to `least`.
    fn close(&mut self, value: VirtualRegister, start: u32, least: u32) {
        let end = std::mem::replace(&mut self.end_of[value], ABSENT);
        let end = if end == ABSENT { least } else { end };
        self.found.push((value, Segment { start, end }));
    }

    fn read(&mut self, operand: &Operand, early: u32) {
        let Some(value) = operand.virtual_register() else {
            return;
        };
        if self.end_of[value] != ABSENT {
            return;
        }
        if operand.reads() {
            self.end_of[value] = early + 1;
        } else {
            // An undefined operand still needs a register that is its own where
            // the instruction writes early.
            let segment = Segment {
                start: early,
                end: early + 1,
            };
            self.found.push((value, segment));
        }
    }
}
