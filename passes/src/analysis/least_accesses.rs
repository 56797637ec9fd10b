//! How many accesses to memory are executed at least for what does not fit into so many
//! registers.
//!
//! Each block begins with what it uses first in its registers; what is not there is loaded
//! where it is used, in place of what is used last of all. What was ever pushed out is stored
//! once, where it is computed. That is less than any allocator needs: no block pays for what
//! the blocks before it end with. Long code without loops, such as unrolled loops leave, has
//! many places that need too many registers, and each counts.
//!
//! Requires liveness where blocks meet. Time: for each use the logarithm of what is live.
//! Source: Belady, A Study of Replacement Algorithms for a Virtual-Storage Computer, 1966, as
//! in Braun and Hack, Register Spilling and Live-Range Splitting for SSA-Form Programs, 2009,
//! without the edges.

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;
use std::borrow::Borrow;
use std::collections::BinaryHeap;

/// The place of a use that there is not.
const NEVER: usize = usize::MAX;

/// A value; they are numbered in the order in which they are given.
#[derive(Clone, Debug)]
pub struct Value {
    /// The registers that it takes.
    pub registers: u32,
    /// What it costs to load or to store it once.
    pub access: f64,
    /// How often it is computed.
    pub computed: f64,
}

/// What one instruction uses and computes: numbers of values, each once.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// What it uses.
    pub used: SmallVec<[usize; 4]>,
    /// What it computes.
    pub computed: SmallVec<[usize; 4]>,
}

/// What is known of a function while its blocks are looked at.
pub struct LeastAccesses {
    values: Vec<Value>,
    limit: u32,
    /// Of each value, where a block uses it first; [`NEVER`] between blocks.
    first: Vec<usize>,
    /// Of the values that each step of a block uses, and then of those that it computes, where
    /// they are used next, the first step last; empty between blocks.
    next: Vec<usize>,
    /// The values in registers.
    is_held: FixedBitSet,
    /// The same by their next uses, with those that were used since: whatever is in registers is
    /// used later than these.
    held: BinaryHeap<(usize, usize)>,
    /// The registers that they take.
    taken: u32,
    /// The values that were pushed out somewhere.
    stored: FixedBitSet,
    accesses: f64,
}

impl LeastAccesses {
    /// Nothing, of values that share so many registers.
    pub fn new(values: Vec<Value>, limit: u32) -> Self {
        Self {
            limit,
            first: vec![NEVER; values.len()],
            next: Vec::new(),
            is_held: FixedBitSet::with_capacity(values.len()),
            held: BinaryHeap::new(),
            taken: 0,
            stored: FixedBitSet::with_capacity(values.len()),
            accesses: 0.0,
            values,
        }
    }

    /// The costs of all accesses of the blocks that were looked at.
    pub fn sum(&self) -> f64 {
        self.accesses
    }

    /// Goes through a block that runs so often, with what is live at its start and its end.
    /// Tells what is loaded, in order.
    pub fn walk(
        &mut self,
        at_start: &[usize],
        steps: &[impl Borrow<Step>],
        at_end: &[usize],
        frequency: f64,
        mut loaded: impl FnMut(usize),
    ) {
        for &value in at_end {
            // What other blocks use is used last.
            self.first[value] = steps.len();
        }
        for (place, step) in steps.iter().map(Borrow::borrow).enumerate().rev() {
            for &value in step.used.iter().chain(&step.computed).rev() {
                self.next.push(self.first[value]);
            }
            for &value in &step.used {
                self.first[value] = place;
            }
        }
        for &value in at_start {
            self.keep(self.first[value], value);
        }
        self.push_out();
        for step in steps.iter().map(Borrow::borrow) {
            for &value in &step.used {
                self.first[value] = NEVER;
                let data = &self.values[value];
                match self.is_held[value] {
                    true => {
                        self.is_held.remove(value);
                        self.taken -= data.registers;
                    }
                    false => {
                        self.accesses += frequency * data.access;
                        loaded(value);
                    }
                }
            }
            for &value in step.used.iter().chain(&step.computed) {
                let next = self.next.pop().expect("one for each");
                self.keep(next, value);
            }
            self.push_out();
        }
        for &value in at_end {
            self.first[value] = NEVER;
            self.is_held.set(value, false);
        }
        self.held.clear();
        self.taken = 0;
    }

    /// Keeps a value in registers; what nobody uses any more needs none.
    fn keep(&mut self, next: usize, value: usize) {
        if next != NEVER && !self.is_held.put(value) {
            self.held.push((next, value));
            self.taken += self.values[value].registers;
        }
    }

    /// Leaves what is used last out of the registers until the rest fits.
    fn push_out(&mut self) {
        while self.taken > self.limit
            && let Some((_, number)) = self.held.pop()
        {
            let value = &self.values[number];
            self.is_held.set(number, false);
            self.taken -= value.registers;
            if !self.stored.put(number) {
                self.accesses += value.computed * value.access;
            }
        }
    }
}
