//! Which results could be where an operand was.
//!
//! What an instruction reads for the last time leaves its register to what the instruction
//! writes, if select gives it that. In a loop that is more than tidy: a sum that is read
//! and written anew by each of two instructions lives in two values, each with a hole where
//! the other one is, and both fit into one register only if they are given the same. A
//! result is paired with an operand of its class, the last with the last: that is the one
//! that a multiply-accumulate adds to, and as instructions name their sources in their
//! order, D of a matrix multiplication meets C, register by register. Whether the operand
//! lives on select finds out. Linear. Source: none; as two-address hints in LLVM, whose
//! instructions have them.

use crate::function::{Function, Operand, VirtualRegister};
use smallvec::SmallVec;

/// Pairs of an operand and the result that could be in its place, by instruction.
pub fn in_place(function: &Function) -> Vec<(VirtualRegister, VirtualRegister)> {
    let class = |value| function.virtual_registers[value].class;
    let mut found = Vec::new();
    for instruction in function.instructions.keys() {
        let operands = function.instruction_operands(instruction);
        let whole = |is_result: bool| {
            let those = operands.iter().filter(move |operand| {
                operand.is_definition() == is_result && operand.sub_register.is_whole()
            });
            those.filter_map(Operand::virtual_register)
        };
        let mut left: SmallVec<[VirtualRegister; 8]> = whole(false).collect();
        let results: SmallVec<[VirtualRegister; 4]> = whole(true).collect();
        for &result in results.iter().rev() {
            let operand = left.iter().rposition(|&one| class(one) == class(result));
            if let Some(operand) = operand {
                found.push((left.remove(operand), result));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;
    use crate::machine::gpu;

    #[test]
    fn the_last_result_is_paired_with_the_last_operand_of_its_class() {
        let mut builder = FunctionBuilder::new("f");
        let [single, pair] = [gpu::SINGLE32, gpu::PAIR];
        let classes = [single, single, pair, single, single, single, single];
        let values = classes.map(|class| builder.virtual_register(class));
        builder.start_block(1.0, 0, &[]);
        let [a, b, wide, c, d, e, f] = values;
        for value in [a, b, wide, c, d] {
            builder.plain(&[Operand::write(value)]);
        }
        // Two results, four operands of which one is wider.
        let reads = [a, wide, c, d].map(Operand::read);
        let operands: Vec<_> = [Operand::write(e), Operand::write(f)]
            .into_iter()
            .chain(reads)
            .collect();
        builder.plain(&operands);
        // No operand of the result's class.
        builder.plain(&[Operand::write(b), Operand::read(wide)]);
        assert_eq!(in_place(&builder.finish()), [(d, f), (c, e)]);
    }
}
