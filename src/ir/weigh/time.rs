//! How long an SM takes for a kernel, roughly: to compare two forms of it.
//!
//! A warp needs what its instructions wait for one another, block by block; a scheduler
//! issues one instruction a cycle, of any of its warps. With enough warps the second is what
//! counts, with few the first, divided among them (Little's law; as in Hong and Kim, An
//! Analytical Model for a GPU Architecture, 2009). How often blocks run is what loops say,
//! or a guess. The latencies are those that measurements of Volta and later have in common.
//!
//! Both are counted on a copy that is as the back end is about to see it: with accesses to
//! memory beside one another as one.
//!
//! Copies of code have to be fetched: what does not fit into an SM's cache for instructions takes
//! longer to issue.
//!
//! What does not fit into the kernel's limit, less what ptxas needs itself, is spilled
//! ([`super::spills`]), and so is what chains of shuffles give ([`super::shuffles`]).

use super::local_memory::{LocalMemory, Pointers};
use super::{shuffles, spills};
use crate::ir::Unit;
use crate::ir::limit;
use crate::ir::loops::Loops;
use crate::ir::lowered::Lowered;
use crate::ir::pressure::live::Liveness;
use crate::ir::pressure::own_sm;
use crate::ir::pressure::peaks::most;
use crate::ir::pressure::uniform::Uniform;
use crate::ir::pressure::values::Values;
use crate::ir::unit::{has_body, instructions_of, is_kernel};
use crate::ir::value::Value;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::{AsValueRef, FunctionValue};
use passes::launch::LaunchBounds;
use passes::machine::occupancy::BlockResources;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use std::collections::BTreeMap;
use std::fmt;

/// Cycles that an instruction adds to what a warp waits: its latency, of which another
/// instruction of the same warp hides half.
const INSTRUCTION: f64 = 2.0;
/// Cycles until a load from local memory has its value, out of the first cache. What a
/// kernel waits for other memory both forms do.
const LOCAL: f64 = 30.0;
/// Cycles that an access to local memory keeps a scheduler from others.
const ACCESS: f64 = 4.0;
/// Instructions for which an SM's cache has room: 128 KiB, of 16 bytes each, since Volta (Jia et
/// al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, 2018).
pub const CACHED: usize = 8192;
/// Cycles until the next instruction that comes from the cache behind that one, which all SMs
/// share.
const FETCH: f64 = 2.0;
/// How much fewer warps count against fewer cycles: what all kernels wait for, and is not
/// known here, takes longer with fewer of them.
const WARPS: f64 = 0.25;
/// Registers of a limit that `ptxas` needs beside what is live: for addresses, for what it
/// loads ahead, and for pairs that find no two neighbours.
const BESIDE: u32 = 8;
/// The most bytes of an access, as a power of two.
const WIDEST: u32 = 4;
/// Schedulers of an SM.
const SCHEDULERS: f64 = 4.0;

/// What counts of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Time {
    /// Instructions that a warp issues.
    instructions: f64,
    /// Accesses to local memory among them.
    accesses: f64,
    /// Those of them that spilling takes at least.
    spilled: f64,
    /// Cycles that a warp by itself takes.
    latency: f64,
    /// Instructions of the code of each function that is executed.
    code: BTreeMap<LLVMValueRef, f64>,
    /// Registers of a thread.
    registers: u32,
    /// How it is launched, if it is.
    bounds: Option<LaunchBounds>,
    /// On what.
    sm: Option<u32>,
}

/// A call of a function with a body.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function, in the unit.
    pub callee: FunctionValue<'static>,
    /// How often it is executed.
    pub often: f64,
    /// The parameters that are addresses in local memory.
    pub pointers: Pointers,
}

impl Time {
    /// Counts a function of the unit, without what it calls, and what that is. `lowered` is a
    /// copy of the unit; the parameters `pointers` are addresses in local memory.
    pub fn new(
        unit: &Unit,
        lowered: &Lowered,
        function: FunctionValue,
        is_promoted: bool,
        pointers: &Pointers,
    ) -> (Self, Vec<Call>) {
        let limit = limit::registers(unit, function);
        let Some(copy) = lowered.function(function) else {
            return Default::default();
        };
        let loops = Loops::new(lowered.unit(), copy);
        let (needed, spills) = needed(lowered.unit(), copy, &loops, limit);
        let local = LocalMemory::new(copy, is_promoted, pointers);
        let mut time = Self {
            registers: needed.min(limit),
            bounds: is_kernel(function).then(|| limit::bounds(function)),
            sm: own_sm(unit, function),
            ..Self::default()
        };
        let mut calls = Vec::new();
        let mut code = 0.0;
        for block in copy.get_basic_block_iter() {
            let instructions: Vec<_> = instructions_of(block).collect();
            let often = loops.iterations(instructions[0]);
            code += time.add(&instructions, &local, often);
            calls.extend(instructions.into_iter().filter_map(|call| {
                let callee = call.callee()?;
                let name = callee.get_name().to_str().ok()?;
                let callee = unit.module().get_function(name)?;
                let pointers = local.passed_by(call);
                has_body(callee).then_some(Call {
                    callee,
                    often,
                    pointers,
                })
            }));
        }
        time.spill(spills);
        time.code.insert(function.as_value_ref(), code);
        (time, calls)
    }

    /// Adds what is called so often.
    pub fn call(&mut self, callee: &Self, often: f64) {
        self.instructions += often * callee.instructions;
        self.accesses += often * callee.accesses;
        self.spilled += often * callee.spilled;
        self.latency += often * callee.latency;
        self.registers = self.registers.max(callee.registers);
        self.code.extend(&callee.code);
    }

    /// Whether this form takes longer than another. With as many warps what they wait for
    /// is hidden as well, or as badly; with fewer, something has to be gained for them. A form
    /// that accesses local memory more often takes longer whatever else it saves: what is
    /// spilled is counted as the least that it can be.
    pub fn is_longer_than(&self, other: &Self) -> bool {
        if self.accesses > other.accesses {
            return true;
        }
        let (warps, others) = (self.warps(), other.warps());
        if warps >= others {
            return self.issue() > other.issue();
        }
        let fewer = f64::from(others) / f64::from(warps.max(1));
        let gained = other.issue() / self.issue();
        self.cycles() > other.cycles() || gained < fewer.powf(WARPS)
    }

    /// Resident warps of an SM; of a full one if it is not known. What is called is not what
    /// decides about them.
    fn warps(&self) -> u32 {
        let registers = self.bounds.map_or(1, |_| self.registers.max(1));
        let bounds = self.bounds.unwrap_or_default();
        let sm = StreamingMultiprocessor::nearest(self.sm.unwrap_or(0));
        let block = BlockResources {
            registers,
            ..bounds.block()
        };
        sm.occupancy(&block).warps
    }

    /// Cycles for each warp of an SM.
    fn cycles(&self) -> f64 {
        let resident = f64::from(self.warps().max(1)) / SCHEDULERS;
        self.issue().max(self.latency / resident.max(1.0))
    }

    /// Cycles that a scheduler is busy for a warp.
    fn issue(&self) -> f64 {
        let executed = self.instructions + self.accesses * (ACCESS - 1.0);
        executed * (1.0 + self.fetched() * (FETCH - 1.0))
    }

    /// The part of the code for which there is no room in the cache.
    fn fetched(&self) -> f64 {
        let cached = CACHED as f64;
        1.0 - cached / self.code().max(cached)
    }

    /// Instructions of the code, with what is called, each once.
    fn code(&self) -> f64 {
        self.code.values().sum()
    }

    /// Adds a block; says of how many instructions its code is.
    fn add(&mut self, block: &[Value], local: &LocalMemory, frequency: f64) -> f64 {
        let mut waits = 0.0;
        let mut code = 0.0;
        for &one in block.iter().filter(|&&one| is_executed(one)) {
            let (parts, of_each) = parts(one);
            let instructions = frequency * parts * of_each;
            code += parts * of_each;
            self.instructions += instructions;
            self.latency += instructions * INSTRUCTION;
            if local.is_accessed_by(one) {
                self.accesses += frequency * parts;
                waits = LOCAL;
            }
        }
        self.latency += frequency * waits;
        code
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
            "{:.0} instructions, {:.0} of them accesses to local memory, {:.0} of those for what \
             is spilled, {:.0} cycles, code of {:.0}, {} registers and {} resident warps",
            self.instructions,
            self.accesses,
            self.spilled,
            self.latency,
            self.code(),
            self.registers,
            self.warps()
        )
    }
}

/// The registers that a function needs, and the accesses that are executed for what is
/// beyond its limit.
fn needed(unit: &Unit, function: FunctionValue, loops: &Loops, limit: u32) -> (u32, f64) {
    let uniform = Uniform::new(unit, function, own_sm(unit, function));
    let values = Values::new(unit, function, &uniform);
    let liveness = Liveness::new(unit, function, &values);
    let most = most(&values, &liveness);
    let free = limit.saturating_sub(BESIDE);
    if most <= free {
        return (most, 0.0);
    }
    let accesses = spills::accesses(&values, &liveness, loops, free)
        + shuffles::accesses(&values, &liveness, loops, limit);
    (most, accesses)
}

/// The accesses to one place that an instruction becomes, and the instructions of each: a copy
/// of constant size is a load and a store for as many bytes at once as divide it.
fn parts(value: Value) -> (f64, f64) {
    let is_copy = value.calls("llvm.memcpy.") || value.calls("llvm.memmove.");
    if !is_copy && !value.calls("llvm.memset.") {
        return (1.0, 1.0);
    }
    let bytes = value.operand(2).constant_integer().unwrap_or(0);
    let at_once = (1u64 << bytes.trailing_zeros().min(WIDEST)) as f64;
    let parts = (bytes as f64 / at_once).max(1.0);
    (parts, if is_copy { 2.0 } else { 1.0 })
}

/// Whether an instruction is one in machine code, for all that is known here.
fn is_executed(value: Value) -> bool {
    match value.opcode() {
        Some(LLVMPHI | LLVMAlloca | LLVMBitCast | LLVMFreeze) => false,
        Some(LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast) => false,
        Some(LLVMExtractValue | LLVMInsertValue) => false,
        Some(LLVMGetElementPtr) => !value.operands().skip(1).all(Value::is_constant),
        Some(LLVMCall) => !value.calls("llvm.lifetime.") && !value.calls("llvm.assume"),
        _ => true,
    }
}
