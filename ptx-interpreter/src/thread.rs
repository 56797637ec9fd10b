//! One thread: its registers, frames, local memory, and its turns.

mod asynchronous;
pub(crate) mod bulk;
pub(crate) mod copy;
mod execute;
mod in_flight;
pub(crate) mod tensor_product;

pub(crate) use execute::from_bytes;
pub(crate) use in_flight::Role;

use std::collections::BTreeMap;

use crate::error::Trouble;
use crate::launch::{Early, Report};
use crate::memory::{
    GlobalMemory, LOCAL_BASE, PARAM_BASE, Regions, SPILL_BASE, aligned, resolve, within,
};
use crate::module::Module;
use crate::operation::{Address, Operand, Operation, Register, Special};
use crate::outstanding::{BlockState, Outstanding};
use crate::random::Random;
use crate::types::{Space, truncate};
use in_flight::Flight;

/// What all threads of a block see.
pub(crate) struct World<'m> {
    pub module: &'m Module,
    pub memory: &'m mut GlobalMemory,
    pub shared: Regions,
    pub state: BlockState,
    pub block: [u32; 3],
    pub threads: [u32; 3],
    pub blocks: [u32; 3],
    pub report: Report,
    pub step_limit: u64,
    /// See [`Options`](crate::Options).
    pub early: Early,
    /// With a seed for the schedule: the turns of threads end at random accesses.
    pub jitter: Option<Random>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Ready,
    Barrier {
        id: u32,
        count: Option<u32>,
    },
    /// At a warp operation with that membermask.
    Warp {
        mask: u32,
    },
    /// Until all threads of the cluster have arrived so often.
    Cluster {
        arrivals: u32,
    },
    Done,
}

struct Frame {
    function: usize,
    next: usize,
    registers: usize,
    params: usize,
    local: usize,
}

pub(crate) struct Thread {
    pub index: u32,
    pub state: State,
    position: [u32; 3],
    frames: Vec<Frame>,
    registers: Vec<u64>,
    written: Vec<bool>,
    /// After how many `wgmma.fence` each register was written last.
    written_after: Vec<u32>,
    fences: u32,
    /// Which registers are in flight, and how.
    flying: Vec<bool>,
    flights: BTreeMap<usize, Flight>,
    /// What asynchronous instructions have to do at a wait.
    pub(crate) outstanding: Outstanding,
    params: Vec<u8>,
    local: Vec<u8>,
    local_written: Vec<bool>,
    carry: bool,
    /// Whether the last instruction accessed memory that other threads can see.
    visible: bool,
    /// Whether the last instruction waits for what others do.
    turn_ends: bool,
    /// The barrier that it has asked last, and the phase that this was in.
    question: Option<(u64, u64)>,
    /// How often it has arrived at the barrier of its cluster.
    pub cluster_arrivals: u32,
    random: Random,
}

type Result<T> = std::result::Result<T, Trouble>;

/// Between the local variables of a caller and its callee.
const LOCAL_GAP: usize = 64;
/// Far more than any thread has on a GPU.
const MOST_FRAMES: usize = 1000;

impl Thread {
    pub fn new(world: &World<'_>, index: u32, kernel: usize, arguments: &[u8], seed: u64) -> Self {
        let [x, y, _] = world.threads;
        let mut thread = Self {
            index,
            state: State::Ready,
            position: [index % x, index / x % y, index / x / y],
            frames: Vec::new(),
            registers: Vec::new(),
            written: Vec::new(),
            written_after: Vec::new(),
            fences: 0,
            flying: Vec::new(),
            flights: BTreeMap::new(),
            outstanding: Outstanding::default(),
            params: Vec::new(),
            local: Vec::new(),
            local_written: Vec::new(),
            carry: false,
            visible: false,
            turn_ends: false,
            question: None,
            cluster_arrivals: 0,
            random: Random::new(seed),
        };
        thread.enter(world.module, kernel);
        thread.params[..arguments.len()].copy_from_slice(arguments);
        thread
    }

    /// The function and instruction last executed.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.frames
            .last()
            .map(|f| (f.function, f.next.saturating_sub(1)))
    }

    fn enter(&mut self, module: &Module, function: usize) {
        let f = &module.functions[function];
        let local = self.local.len().next_multiple_of(LOCAL_GAP) + LOCAL_GAP;
        let (registers, params) = (self.registers.len(), self.params.len());
        for kind in &f.registers {
            let garbage = truncate(self.random.bits(), kind.bits());
            self.registers.push(garbage);
        }
        self.written.resize(self.registers.len(), false);
        self.written_after.resize(self.registers.len(), 0);
        self.flying.resize(self.registers.len(), false);
        self.params.resize(params + f.param_frame as usize, 0);
        self.random.fill(&mut self.params[params..]);
        self.local.resize(local + f.local_frame as usize, 0);
        self.random.fill(&mut self.local[local..]);
        self.local_written.resize(self.local.len(), false);
        self.frames.push(Frame {
            function,
            next: 0,
            registers,
            params,
            local,
        });
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("a running thread has a frame")
    }

    /// Copies the arguments into a new frame.
    fn call(&mut self, module: &Module, name: &str, arguments: &[u64]) -> Result<()> {
        if self.frames.len() >= MOST_FRAMES {
            return Err(Trouble::Undefined("too many nested calls"));
        }
        let callee = module.by_name[name];
        let from = self.frame().params;
        self.enter(module, callee);
        let to = self.frame().params;
        for (p, &argument) in module.functions[callee].parameters.iter().zip(arguments) {
            let start = from + argument as usize;
            self.params
                .copy_within(start..start + p.size, to + p.offset as usize);
        }
        Ok(())
    }

    /// Copies the results into the caller's frame.
    fn leave(&mut self, module: &Module) -> Result<()> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        if let Some(caller) = self.frames.last() {
            self.check_landed(frame.registers)?;
            let call = &module.functions[caller.function].instructions[caller.next - 1];
            if let Operation::Call { results, .. } = &call.operation {
                for (p, &result) in module.functions[frame.function].results.iter().zip(results) {
                    let start = frame.params + p.offset as usize;
                    self.params
                        .copy_within(start..start + p.size, caller.params + result as usize);
                }
            }
        } else {
            self.state = State::Done;
        }
        self.registers.truncate(frame.registers);
        self.written.truncate(frame.registers);
        self.written_after.truncate(frame.registers);
        self.flying.truncate(frame.registers);
        self.params.truncate(frame.params);
        self.local.truncate(frame.local);
        self.local_written.truncate(frame.local);
        Ok(())
    }

    pub fn get(&mut self, world: &mut World<'_>, operand: Operand) -> u64 {
        match operand {
            Operand::Register(r) => {
                let at = self.frame().registers + r as usize;
                if !self.written[at] {
                    let place = self.place().unwrap_or_default();
                    *world.report.unwritten_registers.entry(place).or_insert(0) += 1;
                }
                if self.flying[at] {
                    self.touched(world, at, false);
                }
                self.registers[at]
            }
            Operand::Immediate(value) => value,
            Operand::Special(s) => u64::from(self.special(world, s)),
            Operand::Local(offset) => LOCAL_BASE + self.frame().local as u64 + offset,
            Operand::Param(offset) => PARAM_BASE + offset,
        }
    }

    pub fn set(&mut self, world: &mut World<'_>, register: Register, value: u64) {
        let at = self.frame().registers + register as usize;
        if self.flying[at] {
            self.touched(world, at, true);
        }
        self.registers[at] = value;
        self.written[at] = true;
        self.written_after[at] = self.fences;
    }

    fn special(&self, world: &World<'_>, special: Special) -> u32 {
        let lane = self.index % 32;
        let below = (1u32 << lane) - 1;
        match special {
            Special::Thread(axis) => self.position[axis as usize],
            Special::Threads(axis) => world.threads[axis as usize],
            Special::Block(axis) => world.block[axis as usize],
            Special::Blocks(axis) => world.blocks[axis as usize],
            Special::Lane => lane,
            Special::Warp => self.index / 32,
            Special::LanesBelow => below,
            Special::LanesUpTo => below << 1 | 1,
            Special::LaneBit => 1 << lane,
            Special::LanesFrom => !below,
            Special::LanesAbove => !(below << 1 | 1),
        }
    }

    /// The bytes of an access, checked; `write` marks them as written.
    pub(crate) fn memory<'w>(
        &'w mut self,
        world: &'w mut World<'_>,
        space: Space,
        address: u64,
        bytes: usize,
        write: bool,
    ) -> Result<&'w mut [u8]> {
        aligned(address, bytes)?;
        self.plain_bytes(world, space, address, bytes, write)
    }

    /// The same for bytes that need no alignment.
    pub(crate) fn plain_bytes<'w>(
        &'w mut self,
        world: &'w mut World<'_>,
        space: Space,
        address: u64,
        bytes: usize,
        write: bool,
    ) -> Result<&'w mut [u8]> {
        let generic = space == Space::Generic;
        let (space, address) = if generic {
            resolve(address)
        } else {
            (space, within(space, address))
        };
        // What allocation adds there nobody else is to see.
        let is_spill = space == Space::Shared && address >= SPILL_BASE;
        if is_spill {
            if !world.shared.own(self.index, address, bytes, write)? {
                let place = self.place().unwrap_or_default();
                *world.report.unwritten_local.entry(place).or_insert(0) += 1;
            }
        } else if matches!(space, Space::Global | Space::Shared) {
            self.visible = true;
            world.report.access(address, bytes, write);
        }
        let outside = Trouble::OutOfBounds {
            space: space.name(),
            address,
            bytes,
        };
        match space {
            Space::Global | Space::Generic => world.memory.global.bytes(space, address, bytes),
            Space::Const if write => Err(Trouble::ReadOnly),
            Space::Const => world.memory.constant.bytes(space, address, bytes),
            Space::Shared => world.shared.bytes(space, address, bytes),
            Space::Param => {
                // Only a kernel's own parameters have generic addresses.
                let frame = if generic {
                    self.frames.first()
                } else {
                    self.frames.last()
                };
                let frame = frame.expect("a running thread has a frame");
                let f = &world.module.functions[frame.function];
                let own = f.parameters.last().map_or(0, |p| p.offset + p.size as u64);
                let offset = address.checked_sub(PARAM_BASE);
                let size = if generic { own } else { f.param_frame };
                let offset = offset.filter(|o| o.saturating_add(bytes as u64) <= size);
                let offset = offset.ok_or(outside)?;
                if write && (generic || f.kernel && offset < own) {
                    return Err(Trouble::ReadOnly);
                }
                let start = frame.params + offset as usize;
                Ok(&mut self.params[start..start + bytes])
            }
            Space::Local => {
                let start = address.wrapping_sub(LOCAL_BASE) as usize;
                let inside = self.frames.iter().any(|f| {
                    let size = world.module.functions[f.function].local_frame as usize;
                    start >= f.local && start.saturating_add(bytes) <= f.local + size
                });
                if !inside {
                    return Err(outside);
                }
                let range = start..start + bytes;
                if write {
                    self.local_written[range.clone()].fill(true);
                } else if self.local_written[range.clone()].contains(&false) {
                    let place = self.place().unwrap_or_default();
                    *world.report.unwritten_local.entry(place).or_insert(0) += 1;
                }
                Ok(&mut self.local[range])
            }
        }
    }

    pub(crate) fn address(&mut self, world: &mut World<'_>, address: Address) -> u64 {
        self.get(world, address.base)
            .wrapping_add_signed(address.offset)
    }

    /// Runs until the thread has to wait, has ended, or its turn is over.
    pub fn run(&mut self, world: &mut World<'_>) -> Result<()> {
        while self.state == State::Ready {
            if world.report.steps >= world.step_limit {
                return Err(Trouble::StepLimit);
            }
            world.report.steps += 1;
            let module = world.module;
            let frame = self.frame();
            let code = &module.functions[frame.function].instructions;
            let Some(instruction) = code.get(frame.next) else {
                return Err(Trouble::Undefined(
                    "execution runs past the end of the function",
                ));
            };
            world.report.executions[frame.function][frame.next] += 1;
            frame.next += 1;
            if let Some((register, negated)) = instruction.guard {
                let guard = self.get(world, Operand::Register(register)) & 1 == 1;
                if guard == negated {
                    continue;
                }
            }
            (self.visible, self.turn_ends) = (false, false);
            self.execute(world, &instruction.operation)?;
            // Turns end at accesses other threads can see: of these the compared
            // programs have the same, whatever else allocation added.
            if self.visible {
                world.report.visible += 1;
                if world.jitter.as_mut().is_some_and(|j| j.below(4) == 0) {
                    break;
                }
            }
            if self.turn_ends || matches!(instruction.operation, Operation::Sleep(_)) {
                break;
            }
        }
        Ok(())
    }
}
