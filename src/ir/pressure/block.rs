//! The blocks of a function, and which pieces each instruction computes and uses, found once.

use super::sunk::Sunk;
use super::values::Values;
use crate::ir::unit::instructions_of;
use crate::ir::value::Value;
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::LLVMOpcode::LLVMPHI;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMBasicBlockRef;
use inkwell::values::FunctionValue;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The number of a block, and that of an instruction in it.
pub type Place = (usize, usize);

/// A block.
pub struct Block {
    /// Its name, as LLVM would print it, or its number.
    pub name: String,
    /// Its instructions, in order.
    pub instructions: Vec<Value>,
    /// The numbers of the blocks behind it.
    pub successors: Vec<usize>,
    /// The blocks before it, each with a piece that its phis take from there.
    pub incoming: Vec<(usize, usize)>,
    accesses: Vec<Accesses>,
    /// The pieces that the instructions access, one after the other.
    pieces: Vec<usize>,
}

/// Which pieces an instruction accesses.
struct Accesses {
    is_computed: bool,
    is_phi: bool,
    is_in_place: bool,
    has_sunk: bool,
    own: Range<usize>,
    used: Range<usize>,
}

impl Block {
    /// Whether an instruction computes something, which one that only names parts of other values
    /// does not.
    pub fn is_computed(&self, position: usize) -> bool {
        self.accesses[position].is_computed
    }

    /// Whether an instruction is a phi.
    pub fn is_phi(&self, position: usize) -> bool {
        self.accesses[position].is_phi
    }

    /// Whether what an instruction computes is computed where it stands.
    pub fn is_in_place(&self, position: usize) -> bool {
        self.accesses[position].is_in_place
    }

    /// Whether something that stands elsewhere is computed just before an instruction.
    pub fn has_sunk(&self, position: usize) -> bool {
        self.accesses[position].has_sunk
    }

    /// Notes what is computed elsewhere than it stands.
    pub fn note(&mut self, number: usize, sunk: &Sunk) {
        for position in 0..self.accesses.len() {
            let is_sunk = self.own(position).iter().any(|&piece| sunk.is_sunk(piece));
            let accesses = &mut self.accesses[position];
            accesses.is_in_place &= !is_sunk;
            accesses.has_sunk = !sunk.before((number, position)).is_empty();
        }
    }

    /// The pieces of what an instruction computes.
    pub fn own(&self, position: usize) -> &[usize] {
        &self.pieces[self.accesses[position].own.clone()]
    }

    /// The pieces of the operands of an instruction that computes something, also those of a
    /// phi.
    pub fn used(&self, position: usize) -> &[usize] {
        &self.pieces[self.accesses[position].used.clone()]
    }

    fn add(&mut self, values: &Values, instruction: Value) {
        let is_computed = values.is_computed(instruction);
        let start = self.pieces.len();
        let mut behind_own = start;
        if is_computed {
            self.pieces.extend(values.of(instruction));
            behind_own = self.pieces.len();
            for operand in instruction.operands() {
                self.pieces.extend(values.of(operand));
            }
        }
        self.instructions.push(instruction);
        self.accesses.push(Accesses {
            is_computed,
            is_phi: instruction.is(LLVMPHI),
            is_in_place: is_computed,
            has_sunk: false,
            own: start..behind_own,
            used: behind_own..self.pieces.len(),
        });
    }
}

/// The blocks, in order.
pub fn blocks(function: FunctionValue, values: &Values) -> Vec<Block> {
    let all: Vec<BasicBlock> = function.get_basic_block_iter().collect();
    let numbers = all.iter().enumerate().map(|(i, b)| (b.as_mut_ptr(), i));
    let numbers: FxHashMap<LLVMBasicBlockRef, usize> = numbers.collect();
    let block = |(number, block): (usize, &BasicBlock)| {
        let name = block.get_name().to_string_lossy();
        let mut found = Block {
            name: match name.is_empty() {
                true => number.to_string(),
                false => name.into_owned(),
            },
            instructions: Vec::new(),
            successors: successors(*block, &numbers),
            incoming: Vec::new(),
            accesses: Vec::new(),
            pieces: Vec::new(),
        };
        for instruction in instructions_of(*block) {
            found.add(values, instruction);
            if instruction.is(LLVMPHI) {
                for (operand, from) in instruction.incoming() {
                    let from = numbers[&from.block()];
                    let pieces = values.of(operand);
                    found.incoming.extend(pieces.map(|piece| (from, piece)));
                }
            }
        }
        found
    };
    all.iter().enumerate().map(block).collect()
}

fn successors(block: BasicBlock, numbers: &FxHashMap<LLVMBasicBlockRef, usize>) -> Vec<usize> {
    // SAFETY: a block with a terminator, and numbers below the count.
    unsafe {
        let last = LLVMGetBasicBlockTerminator(block.as_mut_ptr());
        let count = match last.is_null() {
            true => 0,
            false => LLVMGetNumSuccessors(last),
        };
        let successors = (0..count).map(|i| numbers[&LLVMGetSuccessor(last, i)]);
        successors.collect()
    }
}
