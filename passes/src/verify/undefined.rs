//! Finds the values that the original function may read before it defines
//! them. LLVM leaves such code behind where an undefined value flows in on one
//! path; whatever is read there, it is right.

use crate::function::{Block, Function, VirtualRegister};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// The values with a use that can be reached from the entry without passing a
/// definition. Walks back from the uses, one value at a time: linear in the
/// blocks that each such value is live through.
pub(super) fn values(function: &Function) -> Vec<VirtualRegister> {
    let Some(entry) = function.blocks.keys().next() else {
        return Vec::new();
    };
    let mut exposed = Vec::new();
    let mut defined = FxHashSet::default();
    for block in function.blocks.keys() {
        let mut defined_here = FxHashSet::default();
        for instruction in function.block_instructions(block) {
            let operands = function.instruction_operands(instruction);
            for operand in operands.iter().filter(|operand| operand.reads()) {
                if let Some(value) = operand.virtual_register()
                    && !defined_here.contains(&value)
                {
                    exposed.push((value, block));
                }
            }
            for operand in operands.iter().filter(|operand| operand.is_definition()) {
                defined_here.extend(operand.virtual_register());
            }
        }
        defined.extend(defined_here.into_iter().map(|value| (value, block)));
    }
    exposed.sort_unstable();
    exposed.dedup();

    let mut found = Vec::new();
    let mut seen: SecondaryMap<Block, Option<VirtualRegister>> = SecondaryMap::new();
    for uses in exposed.chunk_by(|a, b| a.0 == b.0) {
        let value = uses[0].0;
        let mut waiting: Vec<Block> = uses.iter().map(|&(_, block)| block).collect();
        while let Some(block) = waiting.pop() {
            if seen[block].replace(value) == Some(value) {
                continue;
            }
            if block == entry {
                found.push(value);
                break;
            }
            let predecessors = function.blocks[block].predecessors.iter().copied();
            waiting.extend(predecessors.filter(|&block| !defined.contains(&(value, block))));
        }
    }
    found
}
