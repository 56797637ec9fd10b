//! Runs a kernel: blocks one after the other, the threads of a block in turns.
//!
//! A turn ends where the thread must wait. With a seed for the schedule it also ends at
//! random accesses to memory that other threads can see, the threads of a block take
//! turns in a random order, and a few blocks are underway at once. Blocks start in order
//! all the same: kernels that wait for the blocks before them need it.
//!
//! The random numbers of a schedule are drawn at visible accesses, waits and ends, and
//! nowhere else. Register allocation changes none of these, so both files of a comparison
//! run in the same order however many copies and spills they have. Results that depend on
//! the order, as sums by atomic additions of floats do, therefore still compare equal bit
//! by bit. [`Report::visible`] and [`Report::trace`] tell when this does not hold.

use std::collections::BTreeMap;

use crate::barrier::barriers;
use crate::error::{Fault, Trouble};
use crate::memory::{GlobalMemory, Regions, shared};
use crate::module::{Function, Module};
use crate::outstanding::BlockState;
use crate::random::Random;
use crate::thread::{State, Thread, World};
use crate::warp::rendezvous;

/// A kernel, its shape and its arguments.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks in each dimension.
    pub blocks: [u32; 3],
    /// Threads of a block in each dimension.
    pub threads: [u32; 3],
    /// If not all of the blocks are executed, how many: the first ones.
    pub executed: Option<u32>,
    /// The bytes of each parameter.
    pub arguments: Vec<Vec<u8>>,
}

/// What may differ between two runs that must agree.
#[derive(Debug, Clone)]
pub struct Options {
    /// Decides what unwritten registers and memory hold.
    pub garbage_seed: u64,
    /// Shuffles the turns of threads.
    pub schedule_seed: Option<u64>,
    /// Where a program is to be executed as it is meant, though it touches registers in
    /// flight.
    pub early: Early,
    /// The most instructions that all threads together may execute.
    pub step_limit: u64,
}

/// What happens at once rather than at the wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Early {
    /// `tcgen05.ld` delivers its registers.
    pub loads: bool,
    /// `wgmma.mma_async` reads fragments of A, which may then be overwritten.
    pub fragments: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            garbage_seed: 1,
            schedule_seed: None,
            early: Early::default(),
            step_limit: 1 << 32,
        }
    }
}

/// What a run did besides writing memory.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Instructions executed, those whose guard was false included.
    pub steps: u64,
    /// How often each instruction was executed, summed over the threads: by function, then
    /// by place. One whose guard was false counts.
    pub executions: Vec<Vec<u64>>,
    /// Accesses to memory that other threads can see.
    pub visible: u64,
    /// A hash of where these accesses are, in any order: scheduling may change that.
    pub trace: u64,
    /// A hash of what is stored there, in any order.
    pub stored: u64,
    /// How often each instruction, given by function and place, read a register that
    /// nothing had written.
    pub unwritten_registers: BTreeMap<(usize, usize), u64>,
    /// The same for bytes of local memory, and of spill slots in shared memory.
    pub unwritten_local: BTreeMap<(usize, usize), u64>,
    /// How often each instruction touched a register in flight, or used one in a product
    /// of matrices that no fence orders after what was written to it.
    pub in_flight: BTreeMap<(usize, usize), u64>,
    /// What a program would have to be executed with to have none of these, as far as that
    /// is possible.
    pub meant: Early,
}

impl Report {
    /// Nothing has been executed yet.
    fn new(module: &Module) -> Self {
        let none = |f: &Function| vec![0; f.instructions.len()];
        Self {
            executions: module.functions.iter().map(none).collect(),
            ..Self::default()
        }
    }

    /// Notes an access that other threads can see.
    pub(crate) fn access(&mut self, address: u64, bytes: usize, write: bool) {
        let hash = hash([address, (bytes as u64) << 1 | u64::from(write)]);
        self.trace = self.trace.wrapping_add(hash);
    }

    /// Notes a value that a thread stores where others can see it.
    pub(crate) fn store(&mut self, address: u64, value: u64) {
        self.stored = self.stored.wrapping_add(hash([address, value]));
    }

    /// Lines of the file where unwritten registers or local bytes are read.
    pub fn unwritten_lines(&self, module: &Module) -> Vec<u32> {
        let registers = self.unwritten_registers.keys();
        lines(module, registers.chain(self.unwritten_local.keys()))
    }

    /// Lines of the file where registers in flight are touched.
    pub fn in_flight_lines(&self, module: &Module) -> Vec<u32> {
        lines(module, self.in_flight.keys())
    }
}

fn lines<'p>(module: &Module, places: impl Iterator<Item = &'p (usize, usize)>) -> Vec<u32> {
    let line = |&(f, at): &(usize, usize)| module.functions[f].instructions[at].line;
    let mut lines: Vec<_> = places.map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// FNV-1a, a word at a time.
fn hash(words: [u64; 2]) -> u64 {
    words.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ word).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Blocks that are underway at once in a jittered schedule.
const RESIDENT: usize = 3;

struct Block {
    position: [u32; 3],
    shared: Regions,
    state: BlockState,
    threads: Vec<Thread>,
}

/// Runs `launch` to its end; `memory` then holds what the kernel wrote.
pub fn launch(
    module: &Module,
    memory: &mut GlobalMemory,
    launch: &Launch,
    options: &Options,
) -> Result<Report, Fault> {
    let (kernel, arguments) = prepare(module, launch)?;
    let mut world = World {
        module,
        memory,
        shared: Default::default(),
        state: BlockState::new(0),
        block: [0; 3],
        threads: launch.threads,
        blocks: launch.blocks,
        report: Report::new(module),
        step_limit: options.step_limit,
        early: options.early,
        jitter: options.schedule_seed.map(Random::new),
    };
    let [x, y, z] = launch.blocks;
    let count = launch.threads.iter().product::<u32>();
    let mut garbage = Random::new(options.garbage_seed);
    let mut waiting = 0..launch.executed.unwrap_or(x * y * z);
    let mut resident: Vec<Block> = Vec::new();
    let most = if world.jitter.is_some() { RESIDENT } else { 1 };
    loop {
        while resident.len() < most
            && let Some(index) = waiting.next()
        {
            world.block = [index % x, index / x % y, index / x / y];
            let mut thread = |i| Thread::new(&world, i, kernel, &arguments, garbage.bits());
            let threads = (0..count).map(&mut thread).collect();
            resident.push(Block {
                position: world.block,
                shared: shared(module, &mut garbage),
                state: BlockState::new(garbage.bits()),
                threads,
            });
        }
        if resident.is_empty() {
            return Ok(world.report);
        }
        let which = match &mut world.jitter {
            Some(jitter) => jitter.below(resident.len() as u64) as usize,
            None => 0,
        };
        let block = &mut resident[which];
        world.block = block.position;
        std::mem::swap(&mut world.shared, &mut block.shared);
        std::mem::swap(&mut world.state, &mut block.state);
        let done = round(&mut world, &mut block.threads).map_err(|(thread, trouble)| {
            let place = block.threads[thread].place();
            let (function, line) = place.map_or((launch.kernel.clone(), 0), |(f, at)| {
                let f = &module.functions[f];
                (f.name.clone(), f.instructions.get(at).map_or(0, |i| i.line))
            });
            Fault {
                function,
                line,
                block: block.position,
                thread: thread as u32,
                trouble,
            }
        })?;
        std::mem::swap(&mut world.shared, &mut block.shared);
        std::mem::swap(&mut world.state, &mut block.state);
        if done {
            resident.remove(which);
        }
    }
}

/// Checks the launch; gives the kernel and its parameters as they lie in its frame.
fn prepare(module: &Module, launch: &Launch) -> Result<(usize, Vec<u8>), Fault> {
    let fail = |reason: &str| Fault {
        function: launch.kernel.clone(),
        line: 0,
        block: [0; 3],
        thread: 0,
        trouble: Trouble::Launch(reason.to_owned()),
    };
    let found = module.by_name.get(&launch.kernel).copied();
    let index = found.filter(|&i| module.functions[i].kernel);
    let index = index.ok_or_else(|| fail("no such kernel"))?;
    let kernel = &module.functions[index];
    let threads: u64 = launch.threads.iter().map(|&n| u64::from(n)).product();
    if threads == 0 || threads > kernel.most_threads.unwrap_or(1024) {
        return Err(fail("too many or no threads in a block"));
    }
    if kernel.parameters.len() != launch.arguments.len() {
        return Err(fail("another number of arguments"));
    }
    let mut bytes = Vec::new();
    for (p, argument) in kernel.parameters.iter().zip(&launch.arguments) {
        if p.size != argument.len() {
            return Err(fail("an argument of another size"));
        }
        bytes.resize(p.offset as usize, 0);
        bytes.extend_from_slice(argument);
    }
    Ok((index, bytes))
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i as u64 + 1) as usize);
    }
}

/// Lets all threads of a block take a turn; whether all are done. An error names the
/// thread.
fn round(world: &mut World<'_>, threads: &mut [Thread]) -> Result<bool, (usize, Trouble)> {
    let mut order: Vec<_> = (0..threads.len()).collect();
    if let Some(jitter) = &mut world.jitter {
        shuffle(&mut order, jitter);
    }
    let mut progress = false;
    for i in order {
        if threads[i].state == State::Ready {
            threads[i].run(world).map_err(|trouble| (i, trouble))?;
            progress = true;
        }
    }
    for (w, warp) in threads.chunks_mut(32).enumerate() {
        progress |= rendezvous(world, warp).map_err(|(lane, t)| (w * 32 + lane, t))?;
    }
    progress |= barriers(world, threads)?;
    match threads.iter().position(|t| t.state != State::Done) {
        None => Ok(true),
        Some(waiting) if !progress => Err((waiting, Trouble::Deadlock)),
        Some(_) => Ok(false),
    }
}
