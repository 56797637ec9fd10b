//! Where a function needs most registers: one place a block.

use super::class::Class;
use super::live::Liveness;
use super::values::Values;
use bitvec::vec::BitVec;
use inkwell::llvm_sys::LLVMOpcode::LLVMPHI;

/// The place in a block at which most registers are live, the last of equal ones.
pub struct Peak {
    /// The block's number.
    pub block: usize,
    /// The number of the instruction in it behind which that is.
    pub position: usize,
    /// Registers of a thread.
    pub registers: u32,
    /// The pieces that are live there.
    pub live: BitVec,
}

/// The peaks of the blocks that need more than `limit` registers, in the blocks' order.
pub fn peaks(values: &Values, liveness: &Liveness, limit: u32) -> Vec<Peak> {
    let mut peaks = Vec::new();
    for (number, block) in liveness.blocks.iter().enumerate() {
        let mut live = liveness.at_end[number].clone();
        let mut best: Option<Peak> = None;
        for (position, &instruction) in block.instructions.iter().enumerate().rev() {
            if !values.is_computed(instruction) {
                continue;
            }
            if liveness.is_in_place(values, instruction) && !instruction.is(LLVMPHI) {
                for piece in values.of(instruction) {
                    live.set(piece, true);
                }
            }
            let registers = registers(values, &live);
            let least = best.as_ref().map_or(limit, |best| best.registers);
            if registers > least {
                best = Some(Peak {
                    block: number,
                    position,
                    registers,
                    live: live.clone(),
                });
            }
            if !instruction.is(LLVMPHI) {
                liveness.step(values, instruction, &mut live);
            }
        }
        peaks.extend(best);
    }
    peaks
}

/// The registers of a thread that pieces take.
pub fn registers(values: &Values, live: &BitVec) -> u32 {
    let pieces = live.iter_ones().map(|piece| &values.pieces[piece]);
    let threads = pieces.filter(|piece| piece.class == Class::R);
    threads.map(|piece| piece.count).sum()
}
