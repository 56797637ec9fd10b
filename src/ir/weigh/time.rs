//! How long an SM takes for a kernel, roughly: to compare two forms of it.
//!
//! A warp needs what its instructions wait for one another, block by block; a scheduler
//! issues one instruction a cycle, of any of its warps. With enough warps the second is what
//! counts, with few the first, divided among them (Little's law; as in Hong and Kim, An
//! Analytical Model for a GPU Architecture, 2009). How often blocks run is what loops say,
//! or a guess. The latencies are those that measurements of Volta and later have in common.
//!
//! What does not fit into the kernel's limit, less what ptxas needs itself, is spilled
//! ([`super::spills`]).

use super::spills;
use crate::ir::Unit;
use crate::ir::limit;
use crate::ir::locals::{Local, Use, locals};
use crate::ir::loops::Loops;
use crate::ir::lowered::Lowered;
use crate::ir::pressure::live::Liveness;
use crate::ir::pressure::own_sm;
use crate::ir::pressure::peaks::peaks;
use crate::ir::pressure::uniform::Uniform;
use crate::ir::pressure::values::Values;
use crate::ir::unit::instructions_of;
use crate::ir::value::Value;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::FunctionValue;
use passes::machine::occupancy::BlockResources;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use std::collections::BTreeSet;
use std::fmt;

/// Cycles that an instruction adds to what a warp waits: its latency, of which another
/// instruction of the same warp hides half.
const INSTRUCTION: f64 = 2.0;
/// Cycles until a load from local memory has its value, out of the first cache. What a
/// kernel waits for other memory both forms do.
const LOCAL: f64 = 30.0;
/// Cycles that an access to local memory keeps a scheduler from others.
const ACCESS: f64 = 4.0;
/// How much fewer warps count against fewer cycles: what all kernels wait for, and is not
/// known here, takes longer with fewer of them.
const WARPS: f64 = 0.25;
/// Registers of a limit that `ptxas` needs beside what is live: for addresses, for what it
/// loads ahead, and for pairs that find no two neighbours.
const BESIDE: u32 = 8;
/// How many accesses `ptxas` makes for each that spilling takes at least.
const SPILLED: f64 = 2.0;
/// Schedulers of an SM.
const SCHEDULERS: f64 = 4.0;

/// What counts of a kernel.
#[derive(Debug, Default)]
pub struct Time {
    /// Instructions that a warp issues.
    instructions: f64,
    /// Accesses to local memory among them.
    accesses: f64,
    /// Those of them that spilling takes at least.
    spilled: f64,
    /// Cycles that a warp by itself takes.
    latency: f64,
    /// Registers of a thread.
    registers: u32,
    /// Resident warps of an SM; that of a full one if it is not known.
    warps: u32,
}

impl Time {
    /// Counts. `lowered` is a copy of the unit.
    pub fn new(unit: &Unit, lowered: &Lowered, function: FunctionValue, is_promoted: bool) -> Self {
        let limit = limit::registers(unit, function);
        let (needed, spills) = lowered
            .function(function)
            .map_or((0, 0.0), |copy| needed(lowered.unit(), copy, limit));
        let loops = Loops::new(unit, function);
        let local: BTreeSet<_> = locals(function)
            .into_iter()
            .filter(|local| stays_in_memory(local, is_promoted))
            .flat_map(|local| local.uses)
            .map(|one| one.instruction.as_ref())
            .collect();
        let mut time = Self {
            registers: needed.min(limit),
            ..Self::default()
        };
        for block in function.get_basic_block_iter() {
            let instructions: Vec<_> = instructions_of(block).collect();
            time.add(&instructions, &local, loops.iterations(instructions[0]));
        }
        time.spill(spills);
        time.warps = warps(unit, function, time.registers);
        time
    }

    /// Whether this form takes longer than another. With as many warps what they wait for
    /// is hidden as well, or as badly; with fewer, something has to be gained for them. Where
    /// nothing is spilled in the other form, what would be in this one has to be less than
    /// what that accesses, as `ptxas` comes to.
    pub fn is_longer_than(&self, other: &Self) -> bool {
        if other.spilled == 0.0 && self.spilled * SPILLED > other.accesses {
            return true;
        }
        if self.warps >= other.warps {
            return self.issue() > other.issue();
        }
        let fewer = f64::from(other.warps) / f64::from(self.warps.max(1));
        let gained = other.issue() / self.issue();
        self.cycles() > other.cycles() || gained < fewer.powf(WARPS)
    }

    /// Cycles for each warp of an SM.
    fn cycles(&self) -> f64 {
        let resident = f64::from(self.warps.max(1)) / SCHEDULERS;
        self.issue().max(self.latency / resident.max(1.0))
    }

    /// Cycles that a scheduler is busy for a warp.
    fn issue(&self) -> f64 {
        self.instructions + self.accesses * (ACCESS - 1.0)
    }

    fn add(&mut self, block: &[Value], local: &BTreeSet<LLVMValueRef>, frequency: f64) {
        let mut waits = 0.0;
        for &one in block.iter().filter(|&&one| is_executed(one)) {
            self.instructions += frequency;
            self.latency += frequency * INSTRUCTION;
            if local.contains(&one.as_ref()) {
                self.accesses += frequency;
                waits = LOCAL;
            }
        }
        self.latency += frequency * waits;
    }

    fn spill(&mut self, accesses: f64) {
        self.instructions += accesses;
        self.accesses += accesses;
        self.spilled += accesses;
        self.latency += accesses * INSTRUCTION;
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{:.0} instructions, {:.0} of them accesses to local memory, {:.0} cycles, {} \
             registers and {} resident warps",
            self.instructions, self.accesses, self.latency, self.registers, self.warps
        )
    }
}

/// The registers that a function needs, and the accesses that are executed for what is
/// beyond its limit.
fn needed(unit: &Unit, function: FunctionValue, limit: u32) -> (u32, f64) {
    let uniform = Uniform::new(unit, function, own_sm(unit, function));
    let values = Values::new(unit, function, &uniform);
    let liveness = Liveness::new(unit, function, &values);
    let peaks = peaks(&values, &liveness, 0);
    // The first of equal ones.
    let Some(highest) = peaks.iter().rev().max_by_key(|peak| peak.registers) else {
        return (0, 0.0);
    };
    let free = limit.saturating_sub(BESIDE);
    if highest.registers <= free {
        return (highest.registers, 0.0);
    }
    let loops = Loops::new(unit, function);
    let accesses = spills::accesses(&values, &liveness, &loops, free);
    (highest.registers, accesses)
}

/// Whether `ptxas` leaves a variable in memory. It splits those whose places are constant.
/// What promotion leaves chooses between whole variables at most, which it splits as well.
fn stays_in_memory(local: &Local, is_promoted: bool) -> bool {
    let counts = |value: &Value| !is_promoted || value.integer_width().is_some();
    let is_unknown = |one: &Use| one.depends_on.iter().any(counts);
    !local.is_private() || local.uses.iter().any(is_unknown)
}

/// Whether an instruction is one in machine code, for all that is known here.
fn is_executed(value: Value) -> bool {
    match value.opcode() {
        Some(LLVMPHI | LLVMAlloca | LLVMBitCast | LLVMFreeze) => false,
        Some(LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast) => false,
        Some(LLVMExtractValue | LLVMInsertValue) => false,
        Some(LLVMGetElementPtr) => !value.operands().skip(1).all(Value::is_constant),
        Some(LLVMCall) => !value.callee().is_some_and(|callee| {
            let name = callee.get_name().to_bytes();
            name.starts_with(b"llvm.lifetime.") || name.starts_with(b"llvm.assume")
        }),
        _ => true,
    }
}

fn warps(unit: &Unit, function: FunctionValue, registers: u32) -> u32 {
    let sm = own_sm(unit, function).unwrap_or(0);
    let block = BlockResources {
        registers: registers.max(1),
        ..limit::bounds(function).block()
    };
    StreamingMultiprocessor::nearest(sm).occupancy(&block).warps
}
