//! How many accesses to memory are executed for what does not fit into so many registers.
//!
//! Each block begins with what it uses first in its registers; what is not there is loaded
//! where it is used, in place of what is used last of all. What was ever pushed out is stored
//! once, where it is computed. That is less than any allocator needs: no block pays for what
//! the blocks before it end with. Long code without loops, such as unrolled loops leave, has
//! many places that need too many registers, and each counts.
//!
//! Requires: liveness of the function. Complexity: for each use the logarithm of what is
//! live. Source: Belady, A Study of Replacement Algorithms for a Virtual-Storage Computer,
//! 1966, as in Braun and Hack, Register Spilling and Live-Range Splitting for SSA-Form
//! Programs, 2009, without the edges.

use crate::ir::loops::Loops;
use crate::ir::pressure::class::Class;
use crate::ir::pressure::live::Liveness;
use crate::ir::pressure::values::Values;
use bitvec::vec::BitVec;
use std::collections::BTreeSet;

/// What uses and computes pieces in a block.
struct Step {
    used: Vec<usize>,
    computed: Vec<usize>,
}

/// What is known of a function while its blocks are looked at.
struct Count<'a> {
    values: &'a Values<'a>,
    limit: u32,
    /// Of each piece, how often it is computed.
    frequencies: Vec<f64>,
    /// Of each piece, where in a block it is still to be used; empty between blocks.
    uses: Vec<Vec<usize>>,
    /// The pieces that were pushed out somewhere.
    stored: BitVec,
    accesses: f64,
}

/// Accesses for a function within `limit` registers of a thread.
pub fn accesses(values: &Values, liveness: &Liveness, loops: &Loops, limit: u32) -> f64 {
    let iterations = |block: usize| loops.iterations(liveness.blocks[block].instructions[0]);
    let mut frequencies = vec![1.0; values.pieces.len()];
    for (number, block) in liveness.blocks.iter().enumerate() {
        for &instruction in &block.instructions {
            if liveness.is_in_place(values, instruction) {
                for piece in values.of(instruction) {
                    frequencies[piece] = iterations(number);
                }
            }
        }
    }
    let mut count = Count {
        values,
        limit,
        frequencies,
        uses: vec![Vec::new(); values.pieces.len()],
        stored: BitVec::repeat(false, values.pieces.len()),
        accesses: 0.0,
    };
    for number in 0..liveness.blocks.len() {
        let (live, steps) = steps(values, liveness, number);
        count.walk(&live, &steps, &liveness.at_end[number], iterations(number));
    }
    count.accesses
}

/// What is live at the start of a block, and its steps in order.
fn steps(values: &Values, liveness: &Liveness, number: usize) -> (BitVec, Vec<Step>) {
    let mut live = liveness.at_end[number].clone();
    let mut steps = Vec::new();
    for &instruction in liveness.blocks[number].instructions.iter().rev() {
        liveness.step(values, instruction, &mut live);
        let mut used = BTreeSet::new();
        liveness.changes(values, instruction, |piece, is_live| {
            match is_live {
                true => used.insert(piece),
                false => used.remove(&piece),
            };
        });
        let is_thread = |&piece: &usize| values.pieces[piece].class == Class::R;
        let computed = match liveness.is_in_place(values, instruction) {
            true => values.of(instruction).filter(is_thread).collect(),
            false => Vec::new(),
        };
        steps.push(Step {
            used: used.into_iter().filter(is_thread).collect(),
            computed,
        });
    }
    steps.reverse();
    (live, steps)
}

impl Count<'_> {
    /// Goes through a block that runs so often.
    fn walk(&mut self, live: &BitVec, steps: &[Step], at_end: &BitVec, frequency: f64) {
        let mut uses = std::mem::take(&mut self.uses);
        for (position, step) in steps.iter().enumerate().rev() {
            for &piece in &step.used {
                uses[piece].push(position);
            }
        }
        // What other blocks use is used last; what nobody uses any more needs no register.
        let next = |uses: &[Vec<usize>], piece: usize| match uses[piece].last() {
            Some(&position) => Some(position),
            None => at_end[piece].then_some(steps.len()),
        };
        let mut first: Vec<(usize, usize)> = live
            .iter_ones()
            .filter(|&piece| self.values.pieces[piece].class == Class::R)
            .filter_map(|piece| Some((next(&uses, piece)?, piece)))
            .collect();
        first.sort_unstable();
        let mut registers = Registers::default();
        for (position, piece) in first {
            registers.add(position, piece, self.values.pieces[piece].count);
        }
        self.push_out(&mut registers);
        for (position, step) in steps.iter().enumerate() {
            for &piece in &step.used {
                uses[piece].pop();
                match registers.remove(position, piece, self.values.pieces[piece].count) {
                    true => {}
                    false => self.accesses += frequency * self.count(piece),
                }
            }
            for &piece in step.used.iter().chain(&step.computed) {
                if let Some(next) = next(&uses, piece) {
                    registers.add(next, piece, self.values.pieces[piece].count);
                }
            }
            self.push_out(&mut registers);
        }
        self.uses = uses;
    }

    /// Leaves what is used last out of the registers until the rest fits.
    fn push_out(&mut self, registers: &mut Registers) {
        while registers.count > self.limit
            && let Some((_, piece)) = registers.pieces.pop_last()
        {
            registers.count -= self.values.pieces[piece].count;
            if !self.stored.replace(piece, true) {
                self.accesses += self.frequencies[piece] * self.count(piece);
            }
        }
    }

    fn count(&self, piece: usize) -> f64 {
        f64::from(self.values.pieces[piece].count)
    }
}

/// Pieces in registers, by their next uses.
#[derive(Default)]
struct Registers {
    pieces: BTreeSet<(usize, usize)>,
    count: u32,
}

impl Registers {
    fn add(&mut self, next: usize, piece: usize, count: u32) {
        if self.pieces.insert((next, piece)) {
            self.count += count;
        }
    }

    /// Whether it was there.
    fn remove(&mut self, next: usize, piece: usize, count: u32) -> bool {
        let was_there = self.pieces.remove(&(next, piece));
        if was_there {
            self.count -= count;
        }
        was_there
    }
}
