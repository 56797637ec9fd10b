//! Which pieces are live between the blocks of a function.
//!
//! A phi's operands are live at the end of the blocks that they come from, its result from
//! the beginning of its block on. What a block does to each piece is found once. Source: the
//! usual backward equations, solved block by block in reverse order until nothing changes.

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
use passes::bits;
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
        // Live at the start whatever is live at the end, and what passes the block unused.
        let effect = |block: &Block| {
            let (mut used, mut passing) = (empty.clone(), !empty.clone());
            for &instruction in block.instructions.iter().rev() {
                changes(values, &sunk, instruction, |piece, is_live| {
                    used.set(piece, is_live);
                    passing.set(piece, is_live);
                });
            }
            (used, passing)
        };
        let (used, passing): (Vec<_>, Vec<_>) = blocks.iter().map(effect).unzip();
        let mut before = vec![Vec::new(); blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            for &next in &block.successors {
                before[next].push(number);
            }
        }
        let mut at_end = vec![empty.clone(); blocks.len()];
        for &(from, piece) in blocks.iter().flat_map(|block| &block.incoming) {
            at_end[from].set(piece, true);
        }
        let mut at_start = vec![empty; blocks.len()];
        let mut stale = vec![true; blocks.len()];
        while stale.contains(&true) {
            for index in (0..blocks.len()).rev() {
                if !std::mem::take(&mut stale[index]) {
                    continue;
                }
                let at_end = &mut at_end[index];
                for &next in &blocks[index].successors {
                    add(at_end, &at_start[next]);
                }
                if enter(&mut at_start[index], at_end, &passing[index], &used[index]) {
                    before[index].iter().for_each(|&from| stale[from] = true);
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
        self.changes(values, instruction, |piece, is_live| {
            live.set(piece, is_live);
        });
    }

    /// Each piece that an instruction makes live, or dead, in front of it; what is said last of
    /// a piece holds.
    pub fn changes(&self, values: &Values, instruction: Value, change: impl FnMut(usize, bool)) {
        changes(values, &self.sunk, instruction, change);
    }
}

fn changes(values: &Values, sunk: &Sunk, instruction: Value, mut change: impl FnMut(usize, bool)) {
    let used = |user: Value| user.operands().flat_map(|operand| values.of(operand));
    if values.is_computed(instruction) && !sunk.moves(values, instruction) {
        for piece in values.of(instruction) {
            change(piece, false);
        }
        if !instruction.is(LLVMPHI) {
            used(instruction).for_each(|piece| change(piece, true));
        }
    }
    for &piece in sunk.before(instruction) {
        change(piece, false);
        used(values.pieces[piece].owner).for_each(|piece| change(piece, true));
    }
}

/// The pieces in a set, ascending, word by word: `bitvec` takes many times as long.
pub fn pieces(live: &BitVec) -> impl Iterator<Item = usize> {
    let words = live.as_raw_slice().iter();
    bits::numbers(words.map(|&word| word as u64)).take_while(|&piece| piece < live.len())
}

/// Adds pieces, word by word: `bitvec` takes many times as long.
fn add(live: &mut BitVec, more: &BitVec) {
    let words = live.as_raw_mut_slice().iter_mut().zip(more.as_raw_slice());
    words.for_each(|(live, &more)| *live |= more);
}

/// Sets what is live at the start of a block by what is at its end; whether that is new.
fn enter(at_start: &mut BitVec, at_end: &BitVec, passing: &BitVec, used: &BitVec) -> bool {
    let before = [at_end, passing, used].map(|one| one.as_raw_slice().iter());
    let [at_end, passing, used] = before;
    let mut changed = false;
    for (((start, end), passing), used) in at_start
        .as_raw_mut_slice()
        .iter_mut()
        .zip(at_end)
        .zip(passing)
        .zip(used)
    {
        let live = end & passing | used;
        changed |= live != *start;
        *start = live;
    }
    changed
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
