//! What an order of a block costs: the accesses to memory that it needs at least
//! ([`LeastAccesses`]), and by how much registers are missing.
//!
//! What is missing counts at each place, so a value that waits in memory counts the more the
//! longer it waits. Where far too much is live in any order, that does not tell which order is
//! the better one: working on one value after the other leaves as many of them waiting as doing
//! one step with all of them after the other, and loads each once instead of once for each step.
//! But what is missing is what ptxas may still have to make room for, whatever was spilled for it.
//! So both count, the accesses more. Accesses are those of the file that a budget limits: values of
//! the others are spilled to its registers. Values that the block does not name cost it no access.
//! Time: for each use the logarithm of what is live. Source: ours, by measurement.

use super::{Effects, Live, Prepared};
use crate::analysis::least_accesses::{LeastAccesses, Step, Value};
use crate::machine::{File, Machine};

/// The accesses, as percent of another order's, up to which they are far fewer.
const MOST_PERCENT: u128 = 90;

/// What an order costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Loads and stores when the block runs once.
    accesses: u64,
    /// The registers that are missing, at all places together.
    missing: u64,
}

impl Cost {
    /// Whether it is less than another: the product of what is missing with the square of the
    /// accesses.
    pub fn is_less_than(self, other: Self) -> bool {
        let weight = |one: Self| {
            let accesses = u128::from(one.accesses) + 1;
            accesses * accesses * (u128::from(one.missing) + 1)
        };
        weight(self) < weight(other)
    }

    /// Whether it has no accesses.
    pub fn is_free(self) -> bool {
        self.accesses == 0
    }

    /// Whether it is less than another, with far fewer accesses.
    pub fn saves_much_of(self, other: Self) -> bool {
        let most = u128::from(other.accesses) * MOST_PERCENT / 100;
        u128::from(self.accesses) <= most && !other.is_free() && self.is_less_than(other)
    }
}

/// The costs of a block's orders.
pub struct Costs<'a> {
    block: &'a Prepared,
    machine: &'a Machine,
    /// The size of the file whose values are spilled to memory.
    limit: u32,
    values: Vec<Value>,
    /// Of all instructions, the terminators last.
    steps: Vec<Step>,
    /// The values among them that are live at the block's start, and at its end.
    live: [Vec<usize>; 2],
}

impl<'a> Costs<'a> {
    /// Those of a block.
    pub fn new(block: &'a Prepared, machine: &'a Machine) -> Self {
        let file = machine.limited_file();
        let (values, steps) = match file {
            Some(file) => values_and_steps(block, file),
            None => Default::default(),
        };
        let in_file = |live: &[usize]| -> Vec<usize> {
            let live = live.iter().copied();
            live.filter(|&one| values[one].registers > 0).collect()
        };
        let live = match file {
            Some(_) => [&block.live_in, &block.live_out].map(|live| in_file(live)),
            None => Default::default(),
        };
        Self {
            block,
            machine,
            limit: file.map_or(0, |file| machine.files[file].size),
            values,
            steps,
            live,
        }
    }

    /// That of an order of all instructions but the terminators, numbered from the block's start.
    pub fn of(&self, order: &[u32]) -> Cost {
        Cost {
            accesses: self.accesses(order),
            missing: self.missing(order),
        }
    }

    /// The same, if it is less than another's.
    pub fn of_if_less(&self, order: &[u32], other: Cost) -> Option<Cost> {
        let missing = self.missing(order);
        let least = Cost {
            accesses: 0,
            missing,
        };
        // Accesses take longer to count.
        if !least.is_less_than(other) {
            return None;
        }
        let accesses = self.accesses(order);
        let cost = Cost { accesses, missing };
        cost.is_less_than(other).then_some(cost)
    }

    fn accesses(&self, order: &[u32]) -> u64 {
        let named = self.values.iter().map(|value| value.registers);
        if named.sum::<u32>() <= self.limit {
            return 0;
        }
        let places = order.iter().map(|&number| &self.steps[number as usize]);
        let places: Vec<_> = places.chain(&self.steps[order.len()..]).collect();
        let [at_start, at_end] = &self.live;
        let mut least = LeastAccesses::new(self.values.clone(), self.limit);
        least.walk(at_start, &places, at_end, 1.0, |_| ());
        least.sum() as u64
    }

    fn missing(&self, order: &[u32]) -> u64 {
        let mut live = self.block.above_terminators.clone();
        let mut missing = 0;
        for &number in order.iter().rev() {
            live.step(&self.block.effects[number as usize], |_| ());
            missing += live.missing(self.machine);
        }
        missing
    }
}

/// The values that the block names, as far as they are in a file, and what its instructions do
/// to them.
fn values_and_steps(block: &Prepared, file: File) -> (Vec<Value>, Vec<Step>) {
    let none = Value {
        registers: 0,
        access: 1.0,
        computed: 0.0,
    };
    let mut values = vec![none; block.mentions.len()];
    let instructions = block.effects.iter().chain(&block.terminators);
    let mut step = |effects: &Effects| {
        let mut step = Step::default();
        for effect in effects.iter().filter(|effect| effect.file == file) {
            let number = effect.value as usize;
            values[number].registers = effect.width as u32;
            if effect.reads {
                step.used.push(number);
            }
            if effect.writes {
                values[number].computed += 1.0;
                step.computed.push(number);
            }
        }
        step
    };
    let steps = instructions.map(&mut step).collect();
    (values, steps)
}

impl Live {
    /// How many registers of all files are missing.
    fn missing(&self, machine: &Machine) -> u64 {
        let files = machine.files.iter();
        let missing = files.map(|(file, data)| self.occupied[file] - data.size as i32);
        missing.map(|missing| missing.max(0) as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(accesses: u64, missing: u64) -> Cost {
        Cost { accesses, missing }
    }

    #[test]
    fn accesses_count_more_than_what_is_missing() {
        assert!(cost(60, 140).is_less_than(cost(100, 100)));
        assert!(!cost(90, 140).is_less_than(cost(100, 100)));
        assert!(cost(0, 5).is_less_than(cost(0, 6)));
        assert!(!cost(7, 7).is_less_than(cost(7, 7)));
        // Products of the largest numbers there are do not fit into 64 bits.
        assert!(cost(1 << 32, 9).is_less_than(cost(1 << 32, 10)));
    }

    #[test]
    fn much_is_a_tenth_of_the_accesses() {
        assert!(cost(90, 100).saves_much_of(cost(100, 100)));
        assert!(!cost(91, 50).saves_much_of(cost(100, 100)));
        // Far more is missing.
        assert!(!cost(90, 200).saves_much_of(cost(100, 100)));
        assert!(!cost(0, 5).saves_much_of(cost(0, 6)));
    }
}
