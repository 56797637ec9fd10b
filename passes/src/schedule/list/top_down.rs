//! Top-down list scheduling of one block.
//!
//! From the block's start to its end. Whatever ends at least as much as it makes live is chosen
//! at once; where nothing does, what reads the value that became live last, and at last the
//! caller's next instruction. So all that can read a value reads it before more is loaded: a
//! product of matrices goes on step by step with all of its sums. Going up, a value is live
//! from the first of its readers that is chosen, and nothing tells which of the others have to
//! be reached to end it: one sum after the other is computed, all values of both matrices live.
//! A value that is written again counts as live from its first mention to its last. Source:
//! ours. Time: for each value those that name it, with their operands, times the logarithm of
//! those that can be chosen.

use super::{Effects, Prepared};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The smallest one is chosen: what becomes live less what ends, 1 where that is more; when the
/// last of what the instruction reads became live; its number.
type Key = (i32, Reverse<u32>, u32);

/// The values that a block names, going down.
struct Values {
    /// The step at which each has become live; 0: not yet.
    since: Vec<u32>,
    /// How many are still to name it: instructions, terminators, and what lies behind the block.
    left: Vec<u32>,
}

/// The instructions of a block but its terminators in their new order, numbered from its start.
pub fn order(block: &Prepared) -> Vec<u32> {
    let count = block.effects.len();
    let mut values = Values::new(block);
    let mut before: Vec<usize> = block.graph.before.iter().map(|one| one.len()).collect();
    let mut behind: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (number, earlier) in (0..).zip(&block.graph.before) {
        for &one in earlier {
            behind[one as usize].push(number);
        }
    }
    let effects = |number: u32| &block.effects[number as usize];
    let mut keys: Vec<Key> = (0..count as u32)
        .map(|number| values.key(number, effects(number)))
        .collect();
    let mut ready: BTreeSet<Key> = keys
        .iter()
        .zip(&before)
        .filter_map(|(&key, &before)| (before == 0).then_some(key))
        .collect();
    let mut chosen = Vec::with_capacity(count);
    let mut changed = Vec::new();
    while let Some((.., number)) = ready.pop_first() {
        chosen.push(number);
        values.step(chosen.len() as u32, effects(number), &mut changed);
        for value in changed.drain(..) {
            for &other in &block.mentions[value as usize] {
                let key = values.key(other, effects(other));
                if ready.remove(&keys[other as usize]) {
                    ready.insert(key);
                }
                keys[other as usize] = key;
            }
        }
        for &next in &behind[number as usize] {
            before[next as usize] -= 1;
            if before[next as usize] == 0 {
                ready.insert(keys[next as usize]);
            }
        }
    }
    chosen
}

impl Values {
    fn new(block: &Prepared) -> Self {
        let mut found = Self {
            since: vec![0; block.mentions.len()],
            left: block.mentions.iter().map(|one| one.len() as u32).collect(),
        };
        for effect in block.terminators.iter().flatten() {
            found.left[effect.value as usize] += 1;
        }
        for &value in &block.live_out {
            found.left[value] += 1;
        }
        for &value in &block.live_in {
            found.since[value] = 1;
        }
        found
    }

    fn key(&self, number: u32, effects: &Effects) -> Key {
        let mut added = 0;
        let mut since = 0;
        for effect in effects {
            let value = effect.value as usize;
            if self.since[value] == 0 {
                added += effect.width;
            }
            if self.left[value] <= 1 {
                added -= effect.width;
            }
            if effect.reads {
                since = since.max(self.since[value]);
            }
        }
        (added.min(1), Reverse(since), number)
    }

    /// Chooses an instruction; tells of the values of which that changes what others do.
    fn step(&mut self, step: u32, effects: &Effects, changed: &mut Vec<u32>) {
        for effect in effects {
            let value = effect.value as usize;
            let begins = self.since[value] == 0;
            if begins {
                self.since[value] = step + 1;
            }
            self.left[value] -= 1;
            if begins || self.left[value] == 1 {
                changed.push(effect.value);
            }
        }
    }
}
