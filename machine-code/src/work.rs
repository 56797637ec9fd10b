//! What the code of a kernel does, loop by loop.
//!
//! Each loop has what stands in it and in no loop within it; what stands in none is the first
//! of the list. A function belongs to the loop of its call, of the deepest one if there are
//! several: there it runs as often. Time: that of finding loops.

use crate::fixed::{self, FixedWork};
use crate::listing::MachineKernel;
use crate::loops::{Nest, nest};
use serde::{Deserialize, Serialize};

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
        let (nest, places) = (&nests[number], &places[number]);
        for (block, innermost) in function.blocks.iter().zip(&nest.innermost) {
            let one = &mut all[places.of(*innermost)];
            let instructions = block.instructions.iter();
            for instruction in instructions.filter(|one| one.operation != "NOP") {
                one.instructions += 1;
                one.issue += instruction.stall;
                one.local += u64::from(instruction.is_local());
            }
        }
        let regions = std::iter::once(None).chain((0..nest.loops.len()).map(Some));
        for region in regions {
            let found = fixed::of_region(function, nest, region);
            fixed::add(&mut all[places.of(region)].fixed, &found);
        }
    }
    all
}

/// For each loop of a list the number of loops around it and of itself; none for the first.
pub fn depths(all: &[LoopWork]) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(all.len());
    for (place, one) in all.iter().enumerate() {
        depths.push(if place == 0 {
            0
        } else {
            depths[one.around] + 1
        });
    }
    depths
}

/// Where the code of a function is in the list.
#[derive(Default)]
struct Places {
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
fn places(kernel: &MachineKernel, nests: &[Nest], all: &mut Vec<LoopWork>) -> Vec<Places> {
    let mut places: Vec<Option<Places>> = Vec::new();
    places.resize_with(kernel.functions.len(), || None);
    let mut left: Vec<usize> = (0..kernel.functions.len()).collect();
    while !left.is_empty() {
        let is_laid = |caller: usize| places[caller].is_some();
        let is_ready = |&function: &usize| {
            let mut callers = (0..kernel.functions.len()).filter(|&caller| {
                let mut calls = kernel.functions[caller].calls.iter();
                calls.any(|&(_, callee)| callee == function)
            });
            callers.all(|caller| caller == function || is_laid(caller))
        };
        let next = left.iter().position(is_ready).unwrap_or(0);
        let function = left.remove(next);
        let calls = (0..kernel.functions.len()).flat_map(|caller| {
            let calls = kernel.functions[caller].calls.iter();
            let here = calls.filter(move |&&(_, callee)| callee == function);
            let places = &places;
            here.filter_map(move |&(block, _)| {
                let place = places[caller].as_ref()?;
                Some(place.of(nests[caller].innermost[block]))
            })
        });
        let depths = depths(all);
        // Of equally deep ones the first.
        let outside = calls.reduce(|one, other| match depths[other] > depths[one] {
            true => other,
            false => one,
        });
        let outside = outside.unwrap_or(0);
        let mut own = Places {
            outside,
            loops: vec![0; nests[function].loops.len()],
        };
        for &number in &nests[function].outer_first {
            let around = own.of(nests[function].around[number]);
            own.loops[number] = all.len();
            all.push(LoopWork {
                around,
                ..LoopWork::default()
            });
        }
        places[function] = Some(own);
    }
    places.into_iter().map(Option::unwrap_or_default).collect()
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
    fn what_is_called_is_in_the_loop_of_the_deepest_call() {
        let found = of(&[
            ("CALL.REL.NOINC `($f)", 1),
            (".L_x_1:", 0),
            ("CALL.REL.NOINC `($f)", 1),
            ("@P0 BRA `(.L_x_1)", 1),
            ("EXIT", 1),
            ("$f:", 0),
            ("LDL R1, [R2]", 1),
            (".L_x_2:", 0),
            ("@P0 BRA `(.L_x_2)", 1),
            ("CALL.REL.NOINC `($g)", 1),
            ("RET.REL.NODEC R2 `(k)", 1),
            ("$g:", 0),
            ("LDL R1, [R2]", 1),
            ("CALL.REL.NOINC `($f)", 1),
            ("RET.REL.NODEC R2 `(k)", 1),
        ]);
        let around: Vec<_> = found.iter().map(|one| one.around).collect();
        assert_eq!(around, [0, 0, 1]);
        // Both functions: they call each other, and are taken as they come.
        assert_eq!(found[1].local, 2);
    }
}
