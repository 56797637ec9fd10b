//! Bottom-up list scheduling of one block.
//!
//! From the block's end to its start, one instruction after the other is chosen among
//! those that nothing left has to follow. Going up, what an instruction reads becomes
//! live and what it writes ends. An instruction that writes nothing live, a store, begins
//! a new expression; as long as instructions of expressions already begun can be chosen,
//! they are.

use super::dependences::{BlockDependences, Dependences};
use crate::analysis::in_flight::InFlight;
use crate::analysis::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Instruction, VirtualRegister};
use crate::machine::{File, Machine};
use cranelift_entity::SecondaryMap;
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

    /// The instructions of a block but its terminators in their new order, numbered from
    /// its start; none if there is too much to look at.
    pub fn block(&mut self, block: Block, preference: Preference) -> Option<Vec<u32>> {
        let data = &self.function.blocks[block];
        let mut graph = BlockDependences::new(self.function, block, self.dependences, &self.held);
        let need = needs(&graph);
        let mut live = Live::default();
        for variable in self.liveness.live_out(block) {
            if let Variable::Virtual(value) = variable {
                let (file, width) = self.columns(value);
                live.since[value] = 1;
                live.occupied[file] += width;
            }
        }
        for number in (data.first_terminator..data.instructions.end).rev() {
            live.step(&self.effects(Instruction::from_u32(number)));
        }
        let instructions = data.instructions.start..data.first_terminator;
        let effects: Vec<Effects> = instructions
            .map(|number| self.effects(Instruction::from_u32(number)))
            .collect();
        let mut ready: Vec<u32> = (0..effects.len() as u32)
            .filter(|&number| graph.behind[number as usize] == 0)
            .collect();
        let mut chosen = Vec::with_capacity(effects.len());
        while !ready.is_empty() {
            self.left = self.left.checked_sub(ready.len())?;
            let key = |number: u32| {
                let effects = &effects[number as usize];
                if preference == Preference::Order && live.has_room(self.machine, effects) {
                    return (false, i32::MIN, Reverse(0), Reverse(number));
                }
                let weight = live.weight(effects);
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
            live.step(&effects[number as usize]);
            chosen.push(number);
            for &before in &graph.before[number as usize] {
                let behind = &mut graph.behind[before as usize];
                *behind -= 1;
                if *behind == 0 {
                    ready.push(before);
                }
            }
        }
        chosen.reverse();
        Some(chosen)
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

/// The live values, going up.
#[derive(Default)]
struct Live {
    /// The step at which each has become live; 0 for others.
    since: SecondaryMap<VirtualRegister, u32>,
    /// For each file how much of it they take.
    occupied: SecondaryMap<File, i32>,
    steps: u32,
}

/// What choosing an instruction would do.
struct Weight {
    /// Registers that become live, less those that end.
    added: i32,
    /// A live range begins with it, going down.
    ends: bool,
    /// The latest step at which such a live range was found.
    since: u32,
}

impl Live {
    fn weight(&self, effects: &Effects) -> Weight {
        let mut weight = Weight {
            added: 0,
            ends: false,
            since: 0,
        };
        for effect in effects {
            let since = self.since[effect.value];
            match (effect.reads, effect.writes, since) {
                (true, _, 0) => weight.added += effect.width,
                (false, true, 1..) => weight.added -= effect.width,
                _ => {}
            }
            if effect.writes && since > 0 {
                weight.ends = true;
                weight.since = weight.since.max(since);
            }
        }
        weight
    }

    /// Whether the files hold what is live above an instruction, and what it writes, with
    /// some registers to spare for what comes above.
    fn has_room(&self, machine: &Machine, effects: &Effects) -> bool {
        effects.iter().all(|effect| {
            let own = effects.iter().filter(|other| other.file == effect.file);
            let new = own.filter(|other| self.since[other.value] == 0);
            let new: i32 = new.map(|other| other.width).sum();
            let size = machine.files[effect.file].size as i32;
            self.occupied[effect.file] + new < size - size / 16
        })
    }

    fn step(&mut self, effects: &Effects) {
        self.steps += 1;
        for effect in effects {
            let since = &mut self.since[effect.value];
            let occupied = &mut self.occupied[effect.file];
            match (effect.reads, effect.writes) {
                (true, _) if *since == 0 => {
                    *since = self.steps + 1;
                    *occupied += effect.width;
                }
                (false, true) if *since > 0 => {
                    *since = 0;
                    *occupied -= effect.width;
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
