//! Operands that the hardware wants side by side.
//!
//! A vector load, or an instruction of the tensor cores, names only the first of
//! several consecutive registers. PTX names them all, as virtual registers of their
//! own: `{%r1, %r2, %r3, %r4}`. Where they do not lie side by side, aligned, ptxas has
//! to move them there. A tuple says so. It is a wish: code that ignores it is right,
//! but slower.

use super::{Function, Instruction, Operand, VirtualRegister};
use smallvec::SmallVec;

/// Operands of one instruction that belong into consecutive registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuple {
    /// The instruction.
    pub instruction: Instruction,
    /// For each place of the run the number, within the instruction, of the operand
    /// that belongs there; none where the instruction has a constant. All operands
    /// have registers of one width.
    pub places: SmallVec<[Option<u16>; 8]>,
    /// What the number of the first register must be a multiple of; a power of two.
    pub alignment: u32,
    /// Whether these are accumulators of the tensor cores, ptxas' register class 6.
    pub accumulator: bool,
}

impl Function {
    /// The tuples of an instruction.
    pub fn instruction_tuples(&self, instruction: Instruction) -> &[Tuple] {
        let first = |tuple: &Tuple| tuple.instruction < instruction;
        let start = self.tuples.partition_point(first);
        let rest = &self.tuples[start..];
        let count = rest.partition_point(|tuple| tuple.instruction == instruction);
        &rest[..count]
    }

    /// The values of a tuple with their places in the run.
    pub fn tuple_values<'a>(
        &'a self,
        tuple: &'a Tuple,
    ) -> impl Iterator<Item = (u32, VirtualRegister)> + Clone + 'a {
        let operands = self.instruction_operands(tuple.instruction);
        let places = tuple.places.iter().enumerate();
        places.filter_map(|(place, &number)| {
            let operand: &Operand = &operands[usize::from(number?)];
            Some((place as u32, operand.virtual_register()?))
        })
    }
}
