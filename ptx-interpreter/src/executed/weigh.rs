//! Adds up what a kernel executes: every machine instruction as often as its block runs.
//!
//! What an instruction tells of its block is the count of the PTX instruction that it comes
//! from. Most weight has what is neither moved nor doubled: conditional branches, stores that
//! others can see, barriers, exchange among the threads of a warp. Least has what comes from
//! one PTX instruction as other blocks do, which then share its count in a way that is not
//! known, and what has a predicate. The way through a function that ptxas brings along is not
//! known at all, nor whether the part of an instruction that calls such a function for rare
//! operands is needed: it counts as not run where there is a way around it.
//!
//! A function runs as often as it is called. Complexity: that of
//! [`inference`](super::inference).

use std::collections::BTreeMap;

use serde::Serialize;

use super::inference::{Evidence, Node, runs};
use super::machine_code::{Block, MachineFunction, MachineKernel};
use super::numbered::Numbered;
use crate::module::Module;

/// Of what stands where its PTX instruction does.
const FIXED: u64 = 100;
/// Of any other instruction.
const MOVABLE: u64 = 10;
/// Of what may belong elsewhere or not take place.
const DOUBTFUL: u64 = 1;

/// How often PTX instructions run.
#[derive(Debug, Clone)]
pub struct Counts {
    /// By function and place.
    executions: Vec<Vec<u64>>,
    threads: u64,
}

impl Counts {
    /// Nothing has run.
    pub fn none(module: &Module) -> Self {
        let zeros = |f: &crate::module::Function| vec![0; f.instructions.len()];
        Self {
            executions: module.functions.iter().map(zeros).collect(),
            threads: 0,
        }
    }

    /// Adds a launch with that many threads.
    pub fn add(&mut self, executions: &[Vec<u64>], threads: u64) {
        for (sum, more) in self.executions.iter_mut().zip(executions) {
            for (sum, more) in sum.iter_mut().zip(more) {
                *sum += more;
            }
        }
        self.threads += threads;
    }

    fn of(&self, file: &Numbered, number: Option<u32>) -> Option<u64> {
        let (function, at) = file.place(number?)?;
        Some(self.executions[function][at])
    }
}

/// What all threads of a kernel execute.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Executed {
    /// PTX instructions, as the interpreter counts them.
    pub ptx: u64,
    /// Machine instructions.
    pub instructions: u64,
    /// Cycles in which a warp issues nothing else, were it alone.
    pub stall_cycles: u64,
    /// Accesses to local memory: spills and the program's own arrays.
    pub local: u64,
    /// Those of the instructions whose PTX instruction runs exactly as often as they do.
    pub exact: u64,
}

/// What a kernel executes. Padding is no instruction.
pub fn weigh(kernel: &MachineKernel, file: &Numbered, counts: &Counts) -> Executed {
    let mut executed = Executed {
        ptx: counts.executions.iter().flatten().sum(),
        ..Executed::default()
    };
    let mut entered = vec![0; kernel.functions.len()];
    entered[0] = counts.threads;
    for index in call_order(kernel) {
        let function = &kernel.functions[index];
        let nodes = nodes(function, file, counts);
        let runs = runs(&nodes, entered[index]);
        for &(block, callee) in &function.calls {
            entered[callee] += runs[block];
        }
        for (block, &runs) in function.blocks.iter().zip(&runs) {
            for instruction in block.instructions.iter().filter(|i| i.operation != "NOP") {
                executed.instructions += runs;
                executed.stall_cycles += runs * instruction.stall;
                executed.local += if instruction.is_local() { runs } else { 0 };
                let own = counts.of(file, instruction.number);
                executed.exact += if own == Some(runs) { runs } else { 0 };
            }
        }
    }
    executed
}

/// Callers before what they call, as far as that is possible.
fn call_order(kernel: &MachineKernel) -> Vec<usize> {
    fn visit(kernel: &MachineKernel, index: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[index], true) {
            return;
        }
        for &(_, callee) in &kernel.functions[index].calls {
            visit(kernel, callee, seen, order);
        }
        order.push(index);
    }
    let mut order = Vec::new();
    let mut seen = vec![false; kernel.functions.len()];
    visit(kernel, 0, &mut seen, &mut order);
    order.reverse();
    order
}

fn nodes(function: &MachineFunction, file: &Numbered, counts: &Counts) -> Vec<Node> {
    // The first two blocks in which each PTX instruction has machine instructions.
    let mut homes: BTreeMap<u32, (usize, bool)> = BTreeMap::new();
    for (index, block) in function.blocks.iter().enumerate() {
        for number in block.instructions.iter().filter_map(|i| i.number) {
            let home = homes.entry(number).or_insert((index, true));
            home.1 &= home.0 == index;
        }
    }
    let node = |(index, block): (usize, &Block)| {
        let is_rare = function.calls.iter().any(|&(caller, _)| caller == index);
        let mut evidence = Vec::new();
        for instruction in &block.instructions {
            let Some(count) = counts.of(file, instruction.number) else {
                continue;
            };
            let single = instruction.number.is_some_and(|number| homes[&number].1);
            let weight = match () {
                () if !single && is_rare => continue,
                () if !single || instruction.predicated => DOUBTFUL,
                () if instruction.is_fixed() => FIXED,
                () => MOVABLE,
            };
            evidence.push(Evidence { count, weight });
        }
        Node {
            evidence,
            successors: block.successors.clone(),
            exits: block.exits,
            length: block.instructions.len() as u64,
        }
    };
    function.blocks.iter().enumerate().map(node).collect()
}
