//! What the back end computes where it is used, later than IR does: parameters of kernels and
//! cheap results that one other block alone uses, which is in no loop that they are not in.
//!
//! Source: LLVM's MachineSinking, by its main rule.

use super::live::Block;
use super::values::Values;
use crate::ir::Unit;
use crate::ir::loops::Loops;
use crate::ir::value::Value;
use bitvec::vec::BitVec;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::values::FunctionValue;
use rustc_hash::FxHashMap;

/// Where a piece is used.
#[derive(Clone, Copy)]
enum Use {
    /// Nowhere yet.
    None,
    /// In that block alone, there first at that instruction.
    At(usize, Value),
    /// In several, or at a block's end.
    Many,
}

/// What is computed elsewhere than it stands.
pub struct Sunk {
    /// For the instructions before which something is computed, its pieces.
    before: FxHashMap<Value, Vec<usize>>,
    is_sunk: BitVec,
}

impl Sunk {
    /// Finds it.
    pub fn new(unit: &Unit, function: FunctionValue, values: &Values, blocks: &[Block]) -> Self {
        let before = sunk(unit, function, values, blocks);
        let mut is_sunk = BitVec::repeat(false, values.pieces.len());
        for &piece in before.values().flatten() {
            is_sunk.set(piece, true);
        }
        Self { before, is_sunk }
    }

    /// The pieces that are computed just before an instruction.
    pub fn before(&self, instruction: Value) -> &[usize] {
        self.before.get(&instruction).map_or(&[], Vec::as_slice)
    }

    /// Whether an instruction is computed elsewhere. What is cheap has one piece.
    pub fn moves(&self, values: &Values, instruction: Value) -> bool {
        values.of(instruction).any(|piece| self.is_sunk[piece])
    }
}

fn sunk(
    unit: &Unit,
    function: FunctionValue,
    values: &Values,
    blocks: &[Block],
) -> FxHashMap<Value, Vec<usize>> {
    let mut uses = vec![Use::None; values.pieces.len()];
    let mut location = FxHashMap::default();
    for (number, block) in blocks.iter().enumerate() {
        for &instruction in &block.instructions {
            location.insert(instruction, number);
            if !values.is_computed(instruction) {
                continue;
            }
            for piece in instruction.operands().flat_map(|one| values.of(one)) {
                uses[piece] = match uses[piece] {
                    _ if instruction.is(LLVMPHI) => Use::Many,
                    Use::None => Use::At(number, instruction),
                    Use::At(block, first) if block == number => Use::At(block, first),
                    Use::At(..) | Use::Many => Use::Many,
                };
            }
        }
    }
    let loops = Loops::new(unit, function);
    let mut result: FxHashMap<Value, Vec<usize>> = FxHashMap::default();
    for (piece, data) in values.pieces.iter().enumerate() {
        let Use::At(block, first) = uses[piece] else {
            continue;
        };
        // Parameters are there where the function begins.
        let own = location.get(&data.owner).copied().unwrap_or(0);
        let own_loop = data.owner.opcode().and_then(|_| loops.around(data.owner));
        let into = loops.around(first);
        let is_outside = into.is_none() || loops.chain(own_loop).any(|one| Some(one) == into);
        let is_whole = data.owner.opcode().is_none() || values.of(data.owner).count() == 1;
        if own != block && is_cheap(data.owner) && is_whole && is_outside {
            result.entry(first).or_default().push(piece);
        }
    }
    result
}

/// Whether it is computed of little: a parameter, or integers and addresses.
fn is_cheap(value: Value) -> bool {
    matches!(
        value.opcode(),
        None | Some(
            LLVMAdd
                | LLVMSub
                | LLVMMul
                | LLVMAnd
                | LLVMOr
                | LLVMXor
                | LLVMShl
                | LLVMLShr
                | LLVMAShr
                | LLVMTrunc
                | LLVMZExt
                | LLVMSExt
                | LLVMGetElementPtr
                | LLVMAddrSpaceCast
        )
    )
}
