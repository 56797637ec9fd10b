//! Bottom-up list scheduling of one block.
//!
//! From the block's end to its start, one instruction after the other is chosen among
//! those that nothing left has to follow. Going up, what an instruction reads becomes
//! live and what it writes ends. An instruction that writes nothing live, a store, begins
//! a new expression; as long as instructions of expressions already begun can be chosen,
//! they are. What choosing an instruction would do is kept, and found anew where a value that
//! it names becomes live or ends. Time: the instructions that can be chosen, at each place.

use super::dependences::{BlockDependences, Dependences};
use crate::analysis::in_flight::InFlight;
use crate::analysis::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Instruction, VirtualRegister};
use crate::machine::{File, Machine};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// Instructions that are looked at, those of all places together; with more, the order
/// stays.
pub const WORK: usize = 200_000_000;

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
}

impl Preference {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Order, Self::Pressure, Self::Need, Self::Depth];
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

/// What an instruction does to a value.
#[derive(Clone, Copy)]
struct Effect {
    value: VirtualRegister,
    file: File,
    width: i32,
    reads: bool,
    writes: bool,
}

type Effects = SmallVec<[Effect; 4]>;

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
            held: InFlight::new(function)
                .map(|one| one.held(function))
                .unwrap_or_default(),
            left: WORK,
        }
    }

    /// Looks at a block, for all preferences.
    pub fn prepare(&self, block: Block) -> Prepared {
        let data = &self.function.blocks[block];
        let graph = BlockDependences::new(self.function, block, self.dependences, &self.held);
        let instructions = data.instructions.start..data.first_terminator;
        let effects: Vec<Effects> = instructions
            .map(|number| self.effects(Instruction::from_u32(number)))
            .collect();
        let mut mentions: FxHashMap<_, SmallVec<[u32; 4]>> = FxHashMap::default();
        for (number, effects) in (0..).zip(&effects) {
            for effect in effects {
                mentions.entry(effect.value).or_default().push(number);
            }
        }
        Prepared {
            block,
            need: needs(&graph),
            graph,
            effects,
            mentions,
        }
    }

    /// The instructions of a block but its terminators in their new order, numbered from
    /// its start; none if there is too much to look at.
    pub fn order(&mut self, block: &Prepared, preference: Preference) -> Option<Vec<u32>> {
        let Prepared { effects, need, .. } = block;
        // Some registers are to spare for what comes above.
        let limit = |size: u32| (size - size / 16) as i32;
        let limits = self.machine.files.iter();
        let limits = limits.map(|(file, data)| (file, limit(data.size)));
        let limits: SecondaryMap<File, i32> = limits.collect();
        let mut live = self.live_above_terminators(block.block);
        let mut weights: Vec<Weight> = effects.iter().map(|one| live.weight(one)).collect();
        let mut behind = block.graph.behind.clone();
        let mut ready: Vec<u32> = (0..effects.len() as u32)
            .filter(|&number| behind[number as usize] == 0)
            .collect();
        let mut chosen = Vec::with_capacity(effects.len());
        let mut changed = Vec::new();
        while !ready.is_empty() {
            self.left = self.left.checked_sub(ready.len())?;
            let key = |number: u32| {
                let weight = &weights[number as usize];
                if preference == Preference::Order && live.has_room(&limits, weight) {
                    return (false, i32::MIN, Reverse(0), Reverse(number));
                }
                let begins = !weight.ends && weight.added > 0;
                let first = match preference {
                    Preference::Order | Preference::Pressure => weight.added,
                    Preference::Need => need[number as usize],
                    Preference::Depth => 0,
                };
                (begins, first, Reverse(weight.since), Reverse(number))
            };
            let best = (0..ready.len()).min_by_key(|&at| key(ready[at]))?;
            let number = ready.swap_remove(best);
            live.step(&effects[number as usize], |value| changed.push(value));
            for value in changed.drain(..) {
                for &other in &block.mentions[&value] {
                    weights[other as usize] = live.weight(&effects[other as usize]);
                }
            }
            chosen.push(number);
            for &before in &block.graph.before[number as usize] {
                let behind = &mut behind[before as usize];
                *behind -= 1;
                if *behind == 0 {
                    ready.push(before);
                }
            }
        }
        chosen.reverse();
        Some(chosen)
    }

    fn live_above_terminators(&self, block: Block) -> Live {
        let data = &self.function.blocks[block];
        let mut live = Live::default();
        let at_end = self.liveness.live_out(block);
        for value in at_end.filter_map(Variable::virtual_register) {
            let (file, width) = self.columns(value);
            live.since.insert(value, 1);
            live.occupied[file] += width;
        }
        for number in (data.first_terminator..data.instructions.end).rev() {
            live.step(&self.effects(Instruction::from_u32(number)), |_| ());
        }
        live
    }

    fn effects(&self, instruction: Instruction) -> Effects {
        let mut effects = Effects::new();
        for operand in self.function.instruction_operands(instruction) {
            let Some(value) = operand.virtual_register() else {
                continue;
            };
            let known = effects.iter().position(|effect| effect.value == value);
            let at = known.unwrap_or_else(|| {
                let (file, width) = self.columns(value);
                effects.push(Effect {
                    value,
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
    block: Block,
    graph: BlockDependences,
    /// For each instruction the registers that computing its operands takes.
    need: Vec<i32>,
    effects: Vec<Effects>,
    /// The instructions that name each value.
    mentions: FxHashMap<VirtualRegister, SmallVec<[u32; 4]>>,
}

/// The live values, going up.
#[derive(Default)]
struct Live {
    /// The step at which each has become live.
    since: FxHashMap<VirtualRegister, u32>,
    /// For each file how much of it they take.
    occupied: SecondaryMap<File, i32>,
    steps: u32,
}

/// What choosing an instruction would do. It changes only where a value that the instruction
/// names becomes live or ends.
struct Weight {
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
            added: 0,
            ends: false,
            since: 0,
            needed: SmallVec::new(),
        };
        for effect in effects {
            let since = self.since.get(&effect.value).copied();
            match (effect.reads, effect.writes, since) {
                (true, _, None) => weight.added += effect.width,
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
    fn step(&mut self, effects: &Effects, mut changes: impl FnMut(VirtualRegister)) {
        self.steps += 1;
        for effect in effects {
            let occupied = &mut self.occupied[effect.file];
            match (effect.reads, effect.writes) {
                (true, _) if !self.since.contains_key(&effect.value) => {
                    self.since.insert(effect.value, self.steps + 1);
                    *occupied += effect.width;
                    changes(effect.value);
                }
                (false, true) if self.since.remove(&effect.value).is_some() => {
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
