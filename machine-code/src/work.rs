//! What the code of a kernel does, loop by loop.
//!
//! Each loop has what stands in it and in no loop within it; what stands in none is the first
//! of the list. A function is what its calls are replaced by: it is in the loop of each call,
//! once for each, with loops of its own for each loop that it is called in. Time: that of
//! finding loops, for each loop that a function is called in.

use crate::cost::DEEPEST;
use crate::fixed::{self, FixedWork};
use crate::listing::{MachineFunction, MachineKernel};
use crate::loops::{Nest, nest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What stands in a loop and in none within it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopWork {
    /// The place of the loop around it, which comes before it; the first one's is its own.
    pub around: usize,
    /// Instructions.
    pub instructions: u64,
    /// Cycles in which a warp alone could issue them.
    pub issue: u64,
    /// Those that access local memory.
    pub local: u64,
    /// Those that nobody adds or leaves out.
    pub fixed: FixedWork,
    /// Instructions of which the code's text is made up: those of a function count in one place.
    pub text: u64,
    /// Those of them that access local memory.
    pub local_text: u64,
}

impl LoopWork {
    /// Its instructions but for those that access local memory.
    pub fn size(&self) -> u64 {
        self.instructions.saturating_sub(self.local)
    }
}

/// The work of a kernel and of all that it calls.
pub fn work(kernel: &MachineKernel) -> Vec<LoopWork> {
    let nests: Vec<_> = kernel.functions.iter().map(nest).collect();
    let mut all = vec![LoopWork::default()];
    let places = places(kernel, &nests, &mut all);
    for (number, function) in kernel.functions.iter().enumerate() {
        add(function, &nests[number], &places[number], &mut all);
    }
    all
}

/// Adds what a function does, at all places where it is in the list; its text at the first.
fn add(function: &MachineFunction, nest: &Nest, copies: &[Places], all: &mut [LoopWork]) {
    for (block, &innermost) in function.blocks.iter().zip(&nest.innermost) {
        let instructions = block.instructions.iter();
        for instruction in instructions.filter(|one| one.operation != "NOP") {
            let local = u64::from(instruction.is_local());
            for places in copies {
                let one = &mut all[places.of(innermost)];
                one.instructions += places.calls;
                one.issue += places.calls * instruction.stall;
                one.local += places.calls * local;
            }
            if let Some(first) = copies.first() {
                let one = &mut all[first.of(innermost)];
                one.text += 1;
                one.local_text += local;
            }
        }
    }
    let regions = std::iter::once(None).chain((0..nest.loops.len()).map(Some));
    for region in regions {
        let found = fixed::of_region(function, nest, region);
        for places in copies {
            fixed::add(&mut all[places.of(region)].fixed, &found, places.calls);
        }
    }
}

/// For each loop of a list the number of loops around it and of itself; none for the first.
pub fn depths(all: &[LoopWork]) -> Vec<u32> {
    (0..all.len()).map(|place| depth(all, place)).collect()
}

/// The number of loops around what is at a place.
fn depth(all: &[LoopWork], mut place: usize) -> u32 {
    let mut depth = 0;
    while place != 0 {
        place = all[place].around;
        depth += 1;
    }
    depth
}

/// Where the code of a function is in the list, for calls in one loop.
struct Places {
    /// How many calls these are.
    calls: u64,
    /// What is in none of its loops.
    outside: usize,
    loops: Vec<usize>,
}

impl Places {
    fn of(&self, region: Option<usize>) -> usize {
        region.map_or(self.outside, |number| self.loops[number])
    }
}

/// Lays out the loops of all functions, callers first; of functions that call each other in a
/// circle one is as if the kernel called it.
fn places(kernel: &MachineKernel, nests: &[Nest], all: &mut Vec<LoopWork>) -> Vec<Vec<Places>> {
    let mut places: Vec<Vec<Places>> = Vec::new();
    places.resize_with(kernel.functions.len(), Vec::new);
    let mut left: Vec<usize> = (0..kernel.functions.len()).collect();
    while !left.is_empty() {
        let is_ready = |&function: &usize| {
            let mut callers = (0..kernel.functions.len()).filter(|&caller| {
                let mut calls = kernel.functions[caller].calls.iter();
                calls.any(|&(_, callee)| callee == function)
            });
            callers.all(|caller| caller == function || !left.contains(&caller))
        };
        let next = left.iter().position(is_ready).unwrap_or(0);
        let function = left.remove(next);
        let nest = &nests[function];
        for (outside, calls) in calls_of(function, kernel, nests, &places) {
            let loops = lay_out(nest, outside, all);
            places[function].push(Places {
                calls,
                outside,
                loops,
            });
        }
    }
    places
}

/// The loops that a function is called in, with the number of its calls. One that is not
/// called by what has been laid out is as if the kernel called it.
fn calls_of(
    function: usize,
    kernel: &MachineKernel,
    nests: &[Nest],
    places: &[Vec<Places>],
) -> BTreeMap<usize, u64> {
    let mut found = BTreeMap::new();
    for (caller, nest) in nests.iter().enumerate() {
        let calls = kernel.functions[caller].calls.iter();
        for &(block, _) in calls.filter(|&&(_, callee)| callee == function) {
            for one in &places[caller] {
                let place = one.of(nest.innermost[block]);
                let sum: &mut u64 = found.entry(place).or_default();
                *sum = sum.saturating_add(one.calls);
            }
        }
    }
    if found.is_empty() {
        found.insert(0, 1);
    }
    found
}

/// The places of a function's loops if it is called in the loop at `outside`. Within a loop
/// those that weigh as much as what they are in are not told apart, which bounds how many there
/// can be.
fn lay_out(nest: &Nest, outside: usize, all: &mut Vec<LoopWork>) -> Vec<usize> {
    let mut loops = vec![outside; nest.loops.len()];
    for &number in &nest.outer_first {
        let around = nest.around[number].map_or(outside, |one| loops[one]);
        loops[number] = around;
        if outside == 0 || depth(all, around) < DEEPEST {
            loops[number] = all.len();
            all.push(LoopWork {
                around,
                ..LoopWork::default()
            });
        }
    }
    loops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::tests::listing;
    use crate::listing::kernels;

    fn of(lines: &[(&str, u64)]) -> Vec<LoopWork> {
        work(&kernels(&listing(lines)).unwrap()[0])
    }

    #[test]
    fn loops_have_their_own_code_alone() {
        let found = of(&[
            ("MOV R1, R2", 2),
            (".L_x_1:", 0),
            ("LDL R1, [R2]", 3),
            (".L_x_2:", 0),
            ("STG.E.128 [R4], R8", 4),
            ("@P0 BRA `(.L_x_2)", 5),
            ("NOP", 9),
            ("BAR.SYNC 0", 1),
            ("@P1 BRA `(.L_x_1)", 5),
            ("EXIT", 1),
        ]);
        let around: Vec<_> = found.iter().map(|one| one.around).collect();
        assert_eq!(around, [0, 0, 1]);
        assert_eq!(depths(&found), [0, 1, 2]);
        let sizes: Vec<_> = found.iter().map(|one| one.instructions).collect();
        assert_eq!(sizes, [2, 3, 2]);
        assert_eq!([found[1].issue, found[1].local], [9, 1]);
        assert_eq!(found[1].fixed.keys().collect::<Vec<_>>(), ["BAR"]);
        assert_eq!(found[2].fixed["STG"].all, 4);
    }

    #[test]
    fn what_is_called_is_where_each_call_is() {
        let found = of(&[
            ("CALL.REL.NOINC `($f)", 1),
            (".L_x_1:", 0),
            ("CALL.REL.NOINC `($f)", 1),
            ("CALL.REL.NOINC `($f)", 1),
            ("@P0 BRA `(.L_x_1)", 1),
            ("EXIT", 1),
            ("$f:", 0),
            ("LDL R1, [R2]", 3),
            ("STG.E [R4], R1", 1),
            (".L_x_2:", 0),
            ("@P0 BRA `(.L_x_2)", 1),
            ("CALL.REL.NOINC `($g)", 1),
            ("RET.REL.NODEC R2 `(k)", 1),
            ("$g:", 0),
            ("LDL R1, [R2]", 3),
            ("CALL.REL.NOINC `($f)", 1),
            ("RET.REL.NODEC R2 `(k)", 1),
        ]);
        let around: Vec<_> = found.iter().map(|one| one.around).collect();
        assert_eq!(around, [0, 0, 0, 1]);
        // Both functions: they call each other, and are taken as they come.
        let local: Vec<_> = found.iter().map(|one| one.local).collect();
        assert_eq!(local, [2, 4, 0, 0]);
        assert_eq!(found[1].issue, 3 + 2 * (3 + 1 + 1 + 1 + 3 + 1 + 1));
        assert_eq!(found[1].fixed["STG"].all, 2);
        let text: Vec<_> = found.iter().map(|one| (one.text, one.local_text)).collect();
        assert_eq!(text, [(9, 2), (3, 0), (1, 0), (0, 0)]);
    }

    #[test]
    fn loops_that_weigh_no_more_are_one_where_they_are_called() {
        let mut lines = Vec::new();
        let labels = [".L_x_1", ".L_x_2", ".L_x_3", ".L_x_4"];
        let headers = labels.map(|label| format!("{label}:"));
        let branches = labels.map(|label| format!("@P0 BRA `({label})"));
        lines.extend(
            headers
                .iter()
                .flat_map(|one| [(&one[..], 0), ("MOV R1, R2", 1)]),
        );
        lines.push(("CALL.REL.NOINC `($f)", 1));
        lines.extend(branches.iter().rev().map(|one| (&one[..], 1)));
        lines.extend([("EXIT", 1), ("$f:", 0), (".L_x_5:", 0), ("LDL R1, [R2]", 1)]);
        lines.extend([("@P0 BRA `(.L_x_5)", 1), ("RET.REL.NODEC R2 `(k)", 1)]);
        let found = of(&lines);
        assert_eq!(depths(&found), [0, 1, 2, 3, 4]);
        assert_eq!(found[4].local, 1);
    }
}
