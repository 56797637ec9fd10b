//! Which pieces are live between the blocks of a function.
//!
//! A phi's operands are live at the end of the blocks that they come from, its result from
//! the beginning of its block on. Source: the usual backward equations, solved block by
//! block in reverse order until nothing changes.

use super::sunk::Sunk;
use super::values::Values;
use crate::ir::Unit;
use crate::ir::unit::instructions_of;
use crate::ir::value::Value;
use bitvec::vec::BitVec;
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::LLVMOpcode::LLVMPHI;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMBasicBlockRef;
use inkwell::values::FunctionValue;
use rustc_hash::FxHashMap;

/// The blocks of a function and what is live where they end.
pub struct Liveness {
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// Live at the end of each.
    pub at_end: Vec<BitVec>,
    /// What is computed just before an instruction that uses it.
    sunk: Sunk,
}

/// A block.
pub struct Block {
    /// Its name, as LLVM would print it, or its number.
    pub name: String,
    /// Its instructions, in order.
    pub instructions: Vec<Value>,
    successors: Vec<usize>,
    /// Pieces that its phis take from each block before it.
    incoming: Vec<(usize, usize)>,
}

impl Liveness {
    /// Finds it.
    pub fn new(unit: &Unit, function: FunctionValue, values: &Values) -> Self {
        let blocks = blocks(function, values);
        let sunk = Sunk::new(unit, function, values, &blocks);
        let empty = BitVec::repeat(false, values.pieces.len());
        let mut at_end = vec![empty.clone(); blocks.len()];
        let mut at_start = vec![empty; blocks.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for index in (0..blocks.len()).rev() {
                let mut live = at_end[index].clone();
                for &next in &blocks[index].successors {
                    live |= &at_start[next];
                    let incoming = blocks[next].incoming.iter();
                    for &(from, piece) in incoming.filter(|(from, _)| *from == index) {
                        debug_assert_eq!(from, index);
                        live.set(piece, true);
                    }
                }
                at_end[index] = live.clone();
                for &instruction in blocks[index].instructions.iter().rev() {
                    step(values, &sunk, instruction, &mut live);
                }
                if live != at_start[index] {
                    (at_start[index], changed) = (live, true);
                }
            }
        }
        Self {
            blocks,
            at_end,
            sunk,
        }
    }

    /// Whether something is computed where an instruction stands.
    pub fn is_in_place(&self, values: &Values, instruction: Value) -> bool {
        values.is_computed(instruction) && !self.sunk.moves(values, instruction)
    }

    /// From what is live behind an instruction to what is live before it.
    pub fn step(&self, values: &Values, instruction: Value, live: &mut BitVec) {
        step(values, &self.sunk, instruction, live);
    }
}

fn step(values: &Values, sunk: &Sunk, instruction: Value, live: &mut BitVec) {
    if values.is_computed(instruction) && !sunk.moves(values, instruction) {
        for piece in values.of(instruction) {
            live.set(piece, false);
        }
        if !instruction.is(LLVMPHI) {
            use_operands(values, instruction, live);
        }
    }
    for &piece in sunk.before(instruction) {
        live.set(piece, false);
        use_operands(values, values.pieces[piece].owner, live);
    }
}

fn use_operands(values: &Values, user: Value, live: &mut BitVec) {
    for piece in user.operands().flat_map(|operand| values.of(operand)) {
        live.set(piece, true);
    }
}

fn blocks(function: FunctionValue, values: &Values) -> Vec<Block> {
    let all: Vec<BasicBlock> = function.get_basic_block_iter().collect();
    let numbers = all.iter().enumerate().map(|(i, b)| (b.as_mut_ptr(), i));
    let numbers: FxHashMap<LLVMBasicBlockRef, usize> = numbers.collect();
    let block = |(number, block): (usize, &BasicBlock)| {
        let instructions: Vec<_> = instructions_of(*block).collect();
        let mut incoming = Vec::new();
        for &phi in instructions.iter().take_while(|one| one.is(LLVMPHI)) {
            for (i, operand) in phi.operands().enumerate() {
                // SAFETY: a phi, which has as many blocks as operands.
                let from = unsafe { LLVMGetIncomingBlock(phi.as_ref(), i as u32) };
                incoming.extend(values.of(operand).map(|piece| (numbers[&from], piece)));
            }
        }
        // SAFETY: a block with a terminator, and numbers below the count.
        let successors = unsafe {
            let last = LLVMGetBasicBlockTerminator(block.as_mut_ptr());
            let count = match last.is_null() {
                true => 0,
                false => LLVMGetNumSuccessors(last),
            };
            (0..count)
                .map(|i| numbers[&LLVMGetSuccessor(last, i)])
                .collect()
        };
        let name = block.get_name().to_string_lossy().into_owned();
        Block {
            name: if name.is_empty() {
                number.to_string()
            } else {
                name
            },
            instructions,
            successors,
            incoming,
        }
    };
    all.iter().enumerate().map(block).collect()
}
