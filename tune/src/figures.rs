//! What a kernel costs in one of its codes.

use machine_code::correspondence::{Correspondence, ONCE};
use machine_code::cost::cost;
use machine_code::work::LoopWork;
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
    /// Accesses to local memory, by the code's own loops.
    pub local: u64,
    /// The same, each counted once.
    pub local_static: u64,
    /// Cycles in which a warp alone could issue, by the code's own loops.
    pub issue: u64,
    /// Instructions, each counted once.
    pub instructions: u64,
    /// Its loops and what is done in each.
    pub work: Vec<LoopWork>,
    /// A hash of the code.
    pub code: String,
}

impl Figures {
    /// Those of a code.
    pub fn new(work: Vec<LoopWork>, registers: u32, warps: u32, code: String) -> Self {
        let cost = cost(&work);
        Self {
            registers,
            warps,
            local: cost.local,
            local_static: cost.local_static,
            issue: cost.issue,
            instructions: cost.instructions,
            work,
            code,
        }
    }

    /// What it costs where stock's loops are known to cost what they do.
    pub fn beside(&self, stock: &Self) -> Beside {
        let found = Correspondence::new(&stock.work, &self.work);
        let pair = |known, own: fn(&LoopWork) -> u64| Pair {
            known,
            parts: found.costs(&stock.work, &self.work, own),
        };
        Beside {
            local: pair(stock.local, |one| one.local),
            issue: pair(stock.issue, |one| one.issue),
            is_complete: found.is_complete(),
        }
    }

    /// Whether it is the same code for the same registers.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.code == other.code && self.registers == other.registers
    }
}

/// A code's costs beside stock's, by loops that correspond.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// Accesses to local memory.
    pub local: Pair,
    /// Cycles in which a warp alone could issue.
    pub issue: Pair,
    /// Whether each loop of one corresponds to something in the other.
    pub is_complete: bool,
}

/// A cost in both codes.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Stock's by its own loops.
    known: u64,
    /// Stock's and the code's by loops that correspond.
    parts: [u64; 2],
}

impl Pair {
    /// Whether the code costs no more than stock.
    pub fn is_no_more(&self) -> bool {
        self.parts[1] <= self.parts[0]
    }

    /// The code's cost in the unit of stock's own, rounded up.
    pub fn by_loops_of_stock(&self) -> u64 {
        match self.parts {
            [0, now] => now.div_ceil(ONCE),
            [before, now] => {
                let scaled = (u128::from(self.known) * u128::from(now)).div_ceil(before.into());
                u64::try_from(scaled).unwrap_or(u64::MAX)
            }
        }
    }

    /// The code's cost in percent of stock's, rounded up.
    pub fn percent(&self) -> u64 {
        let [before, now] = self.parts;
        (100 * now).div_ceil(before.max(1))
    }
}
