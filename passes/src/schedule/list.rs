//! List scheduling of one block: bottom-up here, top-down in [`top_down`].
//!
//! From the block's end to its start, one instruction after the other is chosen among
//! those that nothing left has to follow. Going up, what an instruction reads becomes
//! live and what it writes ends. An instruction that writes nothing live, a store, begins
//! a new expression; as long as instructions of expressions already begun can be chosen,
//! they are, but where all of them go on side by side ([`Preference::Level`],
//! [`Preference::Breadth`]). What choosing an
//! instruction would do is kept, and found anew where a value that it names becomes live or
//! ends. Time: for each instruction, those that name one of its values, times the logarithm of
//! those that can be chosen; where the caller's order is preferred, also those of them for which
//! there is no room.

mod cost;
pub mod top_down;

pub use cost::{Cost, Costs};

use super::dependences::{BlockDependences, Dependences};
use crate::analysis::in_flight::held_in_registers;
use crate::analysis::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Instruction, VirtualRegister};
use crate::machine::{File, Machine};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Instructions that are looked at, those of all places together; with more, the order
/// stays.
pub const WORK: usize = 200_000_000;

/// Stands for an instruction that is chosen, in place of how many have to be chosen behind it.
const CHOSEN: u32 = u32::MAX;

/// What is chosen first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// What comes last in the caller's order, as long as there are registers; then what
    /// makes the fewest registers live.
    Order,
    /// What makes the fewest registers live.
    Pressure,
    /// What needs the fewest registers for its operands, counted by Sethi and Ullman:
    /// what needs more then stands before it.
    Need,
    /// What ends the live range that was begun last.
    Depth,
    /// What the longest chain of instructions leads to; at once what ends a live range and begins
    /// one at most, as a load does. So sums go on side by side, and a factor that they share is
    /// read by all of them before the next one.
    Level,
    /// What makes the fewest registers live, of that what ends the live range that was begun
    /// first: sums go on side by side as well.
    Breadth,
}

impl Preference {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Order,
        Self::Pressure,
        Self::Need,
        Self::Depth,
        Self::Level,
        Self::Breadth,
    ];
}

/// Schedules blocks of a function.
pub struct Scheduler<'a> {
    function: &'a Function,
    machine: &'a Machine,
    liveness: &'a Liveness,
    dependences: &'a Dependences,
    /// The fences and waits, with what has to be in registers there.
    held: Vec<(Instruction, Vec<VirtualRegister>)>,
    left: usize,
}

/// What an instruction does to a value, which has a number in its block.
#[derive(Clone, Copy)]
struct Effect {
    value: u32,
    file: File,
    width: i32,
    reads: bool,
    writes: bool,
}

type Effects = SmallVec<[Effect; 4]>;

/// The numbers of the values that a block names.
type Numbers = FxHashMap<VirtualRegister, u32>;

/// The smallest one is chosen: whether it begins an expression, what it does for the preference,
/// when what it ends was begun, and the instruction, the last one first.
type Key = (bool, i32, Reverse<u32>, Reverse<u32>);

impl<'a> Scheduler<'a> {
    /// For a function whose liveness is known.
    pub fn new(
        function: &'a Function,
        machine: &'a Machine,
        liveness: &'a Liveness,
        dependences: &'a Dependences,
    ) -> Self {
        Self {
            function,
            machine,
            liveness,
            dependences,
            held: held_in_registers(function),
            left: WORK,
        }
    }

    /// Looks at a block, for all preferences.
    pub fn prepare(&self, block: Block) -> Prepared {
        let data = &self.function.blocks[block];
        let graph = BlockDependences::new(self.function, block, self.dependences, &self.held);
        let mut numbers = Numbers::default();
        let mut effects: Vec<Effects> = data
            .instructions
            .clone()
            .map(|number| self.effects(Instruction::from_u32(number), &mut numbers))
            .collect();
        let ordered = data.first_terminator - data.instructions.start;
        let terminators = effects.split_off(ordered as usize);
        let mut mentions = vec![SmallVec::new(); numbers.len()];
        for (number, effects) in (0..).zip(&effects) {
            for effect in effects {
                mentions[effect.value as usize].push(number);
            }
        }
        let named = |live: Variable| {
            let number = numbers.get(&live.virtual_register()?)?;
            Some(*number as usize)
        };
        Prepared {
            above_terminators: self.live_above(block, &terminators, &numbers),
            live_in: self.liveness.live_in(block).filter_map(named).collect(),
            live_out: self.liveness.live_out(block).filter_map(named).collect(),
            need: needs(&graph),
            graph,
            effects,
            terminators,
            mentions,
        }
    }

    /// The instructions of a block but its terminators in their new order, numbered from
    /// its start; none if there is too much to look at.
    pub fn order(&mut self, block: &Prepared, preference: Preference) -> Option<Vec<u32>> {
        let Prepared { effects, need, .. } = block;
        let level = match preference {
            Preference::Level => levels(&block.graph),
            _ => Vec::new(),
        };
        // Some registers are to spare for what comes above.
        let limit = |size: u32| (size - size / 16) as i32;
        let limits = self.machine.files.iter();
        let limits = limits.map(|(file, data)| (file, limit(data.size)));
        let limits: SecondaryMap<File, i32> = limits.collect();
        let key = |number: u32, weight: &Weight| -> Key {
            let continues = weight.ends && weight.new <= 1;
            let side_by_side = matches!(preference, Preference::Level | Preference::Breadth);
            let begins = !side_by_side && !weight.ends && weight.added > 0;
            let first = match preference {
                Preference::Order | Preference::Pressure | Preference::Breadth => weight.added,
                Preference::Need => need[number as usize],
                Preference::Depth => 0,
                Preference::Level if continues => i32::MIN,
                Preference::Level => -level[number as usize],
            };
            let since = match preference {
                Preference::Breadth => u32::MAX - weight.since,
                _ => weight.since,
            };
            (begins, first, Reverse(since), Reverse(number))
        };
        let mut live = block.above_terminators.clone();
        let mut weights: Vec<Weight> = effects.iter().map(|one| live.weight(one)).collect();
        let mut behind = block.graph.behind.clone();
        // What can be chosen, by their keys and, where that is asked for, in the caller's order.
        let keeps_order = preference == Preference::Order;
        let mut ready: BTreeSet<Key> = BTreeSet::new();
        let mut in_order: BTreeSet<u32> = BTreeSet::new();
        for (number, weight) in (0..).zip(&weights) {
            if behind[number as usize] == 0 {
                ready.insert(key(number, weight));
                if keeps_order {
                    in_order.insert(number);
                }
            }
        }
        let mut chosen = Vec::with_capacity(effects.len());
        let mut changed = Vec::new();
        while let Some(&(.., Reverse(first))) = ready.first() {
            let has_room = |&number: &u32| live.has_room(&limits, &weights[number as usize]);
            let number = match keeps_order {
                true => {
                    self.left = self.left.checked_sub(in_order.len())?;
                    in_order.iter().rev().copied().find(has_room)
                }
                false => None,
            };
            let number = number.unwrap_or(first);
            ready.remove(&key(number, &weights[number as usize]));
            in_order.remove(&number);
            behind[number as usize] = CHOSEN;
            live.step(&effects[number as usize], |value| changed.push(value));
            for value in changed.drain(..) {
                let mentions = &block.mentions[value as usize];
                self.left = self.left.checked_sub(mentions.len())?;
                for &other in mentions {
                    if behind[other as usize] == CHOSEN {
                        continue;
                    }
                    let before = &mut weights[other as usize];
                    let now = live.weight(&effects[other as usize]);
                    if behind[other as usize] == 0 {
                        let [before, now] = [&*before, &now].map(|weight| key(other, weight));
                        if before != now {
                            ready.remove(&before);
                            ready.insert(now);
                        }
                    }
                    *before = now;
                }
            }
            chosen.push(number);
            for &before in &block.graph.before[number as usize] {
                let behind = &mut behind[before as usize];
                *behind -= 1;
                if *behind == 0 {
                    ready.insert(key(before, &weights[before as usize]));
                    if keeps_order {
                        in_order.insert(before);
                    }
                }
            }
        }
        chosen.reverse();
        Some(chosen)
    }

    /// What is live above a block's terminators.
    fn live_above(&self, block: Block, terminators: &[Effects], numbers: &Numbers) -> Live {
        let mut live = Live {
            since: vec![0; numbers.len()],
            occupied: SecondaryMap::new(),
            steps: 0,
        };
        let at_end = self.liveness.live_out(block);
        for value in at_end.filter_map(Variable::virtual_register) {
            let (file, width) = self.columns(value);
            live.occupied[file] += width;
            if let Some(&number) = numbers.get(&value) {
                live.since[number as usize] = 1;
            }
        }
        for effects in terminators.iter().rev() {
            live.step(effects, |_| ());
        }
        live
    }

    fn effects(&self, instruction: Instruction, numbers: &mut Numbers) -> Effects {
        let mut effects = Effects::new();
        for operand in self.function.instruction_operands(instruction) {
            let Some(value) = operand.virtual_register() else {
                continue;
            };
            let next = numbers.len() as u32;
            let number = *numbers.entry(value).or_insert(next);
            let known = effects.iter().position(|effect| effect.value == number);
            let at = known.unwrap_or_else(|| {
                let (file, width) = self.columns(value);
                effects.push(Effect {
                    value: number,
                    file,
                    width,
                    reads: false,
                    writes: false,
                });
                effects.len() - 1
            });
            effects[at].reads |= operand.reads();
            effects[at].writes |= operand.is_definition();
        }
        effects
    }

    /// The file of a value, and how much it takes of it.
    fn columns(&self, value: VirtualRegister) -> (File, i32) {
        let class = self.function.virtual_registers[value].class;
        let files = self.machine.files.keys();
        let mut columns = files.map(|file| (file, self.machine.class_columns(file, class) as i32));
        let found = columns.find(|&(_, columns)| columns > 0);
        found.unwrap_or((File::from_u32(0), 0))
    }
}

/// A block, as it is looked at for all preferences.
pub struct Prepared {
    graph: BlockDependences,
    above_terminators: Live,
    /// The values that it names and that are live at its start.
    live_in: Vec<usize>,
    /// Those that are live at its end.
    live_out: Vec<usize>,
    /// For each instruction the registers that computing its operands takes.
    need: Vec<i32>,
    effects: Vec<Effects>,
    /// What the terminators do, which keep their places.
    terminators: Vec<Effects>,
    /// The instructions that name each value.
    mentions: Vec<SmallVec<[u32; 4]>>,
}

impl Prepared {
    /// The order in which its instructions are.
    pub fn unchanged(&self) -> Vec<u32> {
        (0..self.effects.len() as u32).collect()
    }
}

/// The live values, going up.
#[derive(Clone)]
struct Live {
    /// For each value that the block names the step at which it has become live; 0: it is not.
    since: Vec<u32>,
    /// For each file how much of it they take.
    occupied: SecondaryMap<File, i32>,
    steps: u32,
}

/// What choosing an instruction would do. It changes only where a value that the instruction
/// names becomes live or ends.
struct Weight {
    /// Values that become live, going up.
    new: u32,
    /// Registers that become live, less those that end.
    added: i32,
    /// A live range begins with it, going down.
    ends: bool,
    /// The latest step at which such a live range was found.
    since: u32,
    /// The files of its values, with what of each it needs that is not live yet.
    needed: SmallVec<[(File, i32); 2]>,
}

impl Live {
    fn weight(&self, effects: &Effects) -> Weight {
        let mut weight = Weight {
            new: 0,
            added: 0,
            ends: false,
            since: 0,
            needed: SmallVec::new(),
        };
        for effect in effects {
            let since = Some(self.since[effect.value as usize]).filter(|&since| since > 0);
            match (effect.reads, effect.writes, since) {
                (true, _, None) => {
                    weight.added += effect.width;
                    weight.new += 1;
                }
                (false, true, Some(_)) => weight.added -= effect.width,
                _ => {}
            }
            if let (true, Some(since)) = (effect.writes, since) {
                weight.ends = true;
                weight.since = weight.since.max(since);
            }
            let new = if since.is_none() { effect.width } else { 0 };
            let mut needed = weight.needed.iter_mut();
            match needed.find(|(file, _)| *file == effect.file) {
                Some((_, needed)) => *needed += new,
                None => weight.needed.push((effect.file, new)),
            }
        }
        weight
    }

    /// Whether the files hold what is live above an instruction, and what it writes.
    fn has_room(&self, limits: &SecondaryMap<File, i32>, weight: &Weight) -> bool {
        let mut needed = weight.needed.iter();
        needed.all(|&(file, new)| self.occupied[file] + new < limits[file])
    }

    /// Chooses an instruction; tells of each value that becomes live or ends.
    fn step(&mut self, effects: &Effects, mut changes: impl FnMut(u32)) {
        self.steps += 1;
        for effect in effects {
            let occupied = &mut self.occupied[effect.file];
            let since = &mut self.since[effect.value as usize];
            match (effect.reads, effect.writes) {
                (true, _) if *since == 0 => {
                    *since = self.steps + 1;
                    *occupied += effect.width;
                    changes(effect.value);
                }
                (false, true) if *since > 0 => {
                    *since = 0;
                    *occupied -= effect.width;
                    changes(effect.value);
                }
                _ => {}
            }
        }
    }
}

/// For each instruction the registers that computing its operands takes.
fn needs(graph: &BlockDependences) -> Vec<i32> {
    let mut need: Vec<i32> = Vec::with_capacity(graph.operands.len());
    for operands in &graph.operands {
        let mut operands = operands.clone();
        operands.sort_unstable();
        operands.dedup();
        let mut needs: SmallVec<[i32; 4]> =
            operands.iter().map(|&one| need[one as usize]).collect();
        needs.sort_unstable_by_key(|&need| Reverse(need));
        let held = (0..).zip(&needs).map(|(held, need)| need + held);
        need.push(held.max().unwrap_or(1));
    }
    need
}

/// For each instruction the longest chain of those that it is computed from, with itself.
fn levels(graph: &BlockDependences) -> Vec<i32> {
    let mut level: Vec<i32> = Vec::with_capacity(graph.operands.len());
    for operands in &graph.operands {
        let before = operands.iter().map(|&one| level[one as usize]);
        level.push(before.max().unwrap_or(0) + 1);
    }
    level
}
