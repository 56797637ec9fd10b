//! Program points: two of each instruction, in the order of the instructions.
//!
//! At the early point it reads, at the late one it writes; early clobbers are written at the
//! early one. Behind the last instruction comes one point more, where segments may end.

use crate::function::{BlockData, Function, Instruction, Operand};

/// One of a function's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramPoint(u32);

impl ProgramPoint {
    /// Where an instruction reads.
    pub fn early(instruction: Instruction) -> Self {
        Self(2 * instruction.as_u32())
    }

    /// Where it writes.
    pub fn late(instruction: Instruction) -> Self {
        Self(2 * instruction.as_u32() + 1)
    }

    /// Where a definition of an instruction is written.
    pub fn of_definition(instruction: Instruction, operand: &Operand) -> Self {
        match operand.is_early_clobber() {
            true => Self::early(instruction),
            false => Self::late(instruction),
        }
    }

    /// The first point behind an instruction.
    pub fn behind(instruction: Instruction) -> Self {
        Self(2 * instruction.as_u32() + 2)
    }

    /// The first point of a block.
    pub fn start_of(block: &BlockData) -> Self {
        Self(2 * block.instructions.start)
    }

    /// The first point behind a block.
    pub fn end_of(block: &BlockData) -> Self {
        Self(2 * block.instructions.end)
    }

    /// The point behind all of a function.
    pub fn end_of_function(function: &Function) -> Self {
        Self(2 * function.instructions.len() as u32)
    }

    /// The point with this place in the order.
    pub fn new(index: u32) -> Self {
        Self(index)
    }

    /// The instruction whose point it is.
    pub fn instruction(self) -> Instruction {
        Instruction::from_u32(self.0 / 2)
    }

    /// The point behind this one.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Its place in the order, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The same, as the type of the rows of points.
    pub fn number(self) -> u32 {
        self.0
    }
}
