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

use bitvec::vec::BitVec;
use std::borrow::Borrow;
use std::collections::BTreeSet;

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
    pub used: Vec<usize>,
    /// What it computes.
    pub computed: Vec<usize>,
}

/// What is known of a function while its blocks are looked at.
pub struct LeastAccesses {
    values: Vec<Value>,
    limit: u32,
    /// Of each value, where in a block it is still to be used, the first place last; empty
    /// between blocks.
    uses: Vec<Vec<usize>>,
    /// The values that were pushed out somewhere.
    stored: BitVec,
    accesses: f64,
}

/// Values in registers, by their next uses.
#[derive(Default)]
struct Registers {
    values: BTreeSet<(usize, usize)>,
    count: u32,
}

impl LeastAccesses {
    /// Nothing, of values that share so many registers.
    pub fn new(values: Vec<Value>, limit: u32) -> Self {
        Self {
            limit,
            uses: vec![Vec::new(); values.len()],
            stored: BitVec::repeat(false, values.len()),
            accesses: 0.0,
            values,
        }
    }

    /// The costs of all accesses of the blocks that were looked at.
    pub fn sum(&self) -> f64 {
        self.accesses
    }

    /// Goes through a block that runs so often, with what is live at its start and its end.
    pub fn walk(
        &mut self,
        at_start: &[usize],
        steps: &[impl Borrow<Step>],
        at_end: &[usize],
        frequency: f64,
    ) {
        for &value in at_end {
            // What other blocks use is used last.
            self.uses[value].push(steps.len());
        }
        for (place, step) in steps.iter().enumerate().rev() {
            for &value in &step.borrow().used {
                self.uses[value].push(place);
            }
        }
        let mut registers = Registers::default();
        for &value in at_start {
            self.keep(&mut registers, value);
        }
        self.push_out(&mut registers);
        for (place, step) in steps.iter().map(Borrow::borrow).enumerate() {
            for &value in &step.used {
                self.uses[value].pop();
                if !registers.remove(place, value, &self.values[value]) {
                    self.accesses += frequency * self.values[value].access;
                }
            }
            for &value in step.used.iter().chain(&step.computed) {
                self.keep(&mut registers, value);
            }
            self.push_out(&mut registers);
        }
        for &value in at_end {
            self.uses[value].clear();
        }
    }

    /// Keeps a value in registers; what nobody uses any more needs none.
    fn keep(&self, registers: &mut Registers, value: usize) {
        if let Some(&next) = self.uses[value].last()
            && registers.values.insert((next, value))
        {
            registers.count += self.values[value].registers;
        }
    }

    /// Leaves what is used last out of the registers until the rest fits.
    fn push_out(&mut self, registers: &mut Registers) {
        while registers.count > self.limit
            && let Some((_, number)) = registers.values.pop_last()
        {
            let value = &self.values[number];
            registers.count -= value.registers;
            if !self.stored.replace(number, true) {
                self.accesses += value.computed * value.access;
            }
        }
    }
}

impl Registers {
    /// Whether it was there.
    fn remove(&mut self, next: usize, number: usize, value: &Value) -> bool {
        let was_there = self.values.remove(&(next, number));
        if was_there {
            self.count -= value.registers;
        }
        was_there
    }
}
