//! What a kernel costs in one of its codes.

use machine_code::cost::{Cost, LoopShape, most_weight, same_loops};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kernels of a module by name.
pub type Kernels = BTreeMap<String, Figures>;

/// What ptxas makes of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Registers of a thread.
    pub registers: u32,
    /// Warps that are resident on an SM.
    pub warps: u32,
    /// Accesses to local memory, by loops.
    pub local: u64,
    /// The same, each counted once.
    pub local_static: u64,
    /// Cycles in which a warp alone could issue, by loops.
    pub issue: u64,
    /// Instructions, each counted once.
    pub instructions: u64,
    /// Depth, instructions that nobody adds, and all instructions of each loop.
    pub loops: Vec<(u32, u64, u64)>,
    /// A hash of the code.
    pub code: String,
}

impl Figures {
    /// Those of a code.
    pub fn new(cost: &Cost, registers: u32, warps: u32, code: String) -> Self {
        let shape = |one: &LoopShape| (one.depth, one.fixed, one.instructions);
        Self {
            registers,
            warps,
            local: cost.local,
            local_static: cost.local_static,
            issue: cost.issue,
            instructions: cost.instructions,
            loops: cost.loops.iter().map(shape).collect(),
            code,
        }
    }

    /// Whether both have the same loops, so that their weights compare them.
    pub fn compares_with(&self, other: &Self) -> bool {
        same_loops(&self.shapes(), &other.shapes())
    }

    /// Its accesses to local memory, by another code's loops. Where the loops are not the
    /// same, the most that these can be: each within as many loops as the other has around
    /// anything, however often it has been copied.
    pub fn local_by_loops_of(&self, other: &Self) -> u64 {
        match self.compares_with(other) {
            true => self.local,
            false => self.local_static * most_weight(&other.shapes()),
        }
    }

    fn shapes(&self) -> Vec<LoopShape> {
        let shape = |&(depth, fixed, instructions): &(u32, u64, u64)| LoopShape {
            depth,
            fixed,
            instructions,
        };
        self.loops.iter().map(shape).collect()
    }

    /// Whether it is no worse than another in any measure.
    pub fn is_no_worse_than(&self, other: &Self) -> bool {
        self.warps >= other.warps && self.local <= other.local && self.issue <= other.issue
    }
}
