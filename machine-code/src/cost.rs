//! What a kernel's machine code costs by its own schedule, without a GPU: each instruction
//! weighed by the loops around it.
//!
//! A loop counts as ten rounds, also one that holds the call of the function in question.
//! Such weights compare two codes that have the same loops; [`same_loops`] tells whether they
//! have. Source: the stall cycles that ptxas writes into each instruction. Time: linear, but
//! for finding loops.

use crate::listing::{MachineFunction, MachineKernel};
use crate::loops::{Loop, depths, natural_loops};

/// Rounds of a loop.
const ROUNDS: u64 = 10;
/// Loops within more than these count no more.
const DEEPEST: u32 = 4;
/// What neither an allocator nor ptxas adds, leaves out or moves into another loop: others
/// see it, or it takes threads together.
const FIXED: [&str; 18] = [
    "ATOM", "ATOMG", "ATOMS", "BAR", "BGMMA", "DMMA", "HGMMA", "HMMA", "IGMMA", "IMMA", "MATCH",
    "QGMMA", "QMMA", "RED", "REDG", "SHFL", "ST", "STG",
];
/// Of two loops that are the same one, the one with more of these has at most so many times the
/// other's, in percent: ptxas takes a store of several registers apart where these do not lie
/// side by side. Unrolling at least doubles them.
const MOST_FIXED_GROWTH: u64 = 110;
/// The same of all instructions, where there is nothing fixed by which to tell.
const MOST_GROWTH: u64 = 150;

/// Sums over a kernel and what it calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    /// Cycles in which a warp alone could issue, by loops.
    pub issue: u64,
    /// Accesses to local memory, by loops.
    pub local: u64,
    /// The same, each counted once.
    pub local_static: u64,
    /// Instructions, each counted once.
    pub instructions: u64,
    /// Its loops, sorted.
    pub loops: Vec<LoopShape>,
}

/// What a loop is known by in another code of the same kernel.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoopShape {
    /// Loops around it.
    pub depth: u32,
    /// Instructions that no allocator adds or leaves out.
    pub fixed: u64,
    /// All its instructions but for accesses to local memory.
    pub instructions: u64,
}

/// The cost of a kernel.
pub fn cost(kernel: &MachineKernel) -> Cost {
    let loops: Vec<_> = kernel.functions.iter().map(natural_loops).collect();
    let own: Vec<_> = kernel
        .functions
        .iter()
        .zip(&loops)
        .map(|(function, loops)| depths(function, loops))
        .collect();
    let around = around(kernel, &own);
    let mut sum = Cost::default();
    for (number, function) in kernel.functions.iter().enumerate() {
        for (block, depth) in function.blocks.iter().zip(&own[number]) {
            let weight = weight(depth + around[number]);
            for one in block
                .instructions
                .iter()
                .filter(|one| one.operation != "NOP")
            {
                sum.issue += weight * one.stall;
                sum.instructions += 1;
                if one.is_local() {
                    sum.local += weight;
                    sum.local_static += 1;
                }
            }
        }
        for one in &loops[number] {
            let depth = own[number][one.header] - 1 + around[number];
            sum.loops.push(shape(function, one, depth));
        }
    }
    sum.loops.sort();
    sum
}

/// For each function the loops around its calls, of the deepest one.
fn around(kernel: &MachineKernel, own: &[Vec<u32>]) -> Vec<u32> {
    let mut around = vec![0; kernel.functions.len()];
    // As often as a chain of calls can be long; recursion ends there.
    for _ in &kernel.functions {
        let before = around.clone();
        for (caller, function) in kernel.functions.iter().enumerate() {
            for &(block, callee) in &function.calls {
                let depth = (before[caller] + own[caller][block]).min(DEEPEST);
                around[callee] = around[callee].max(depth);
            }
        }
        if around == before {
            break;
        }
    }
    around
}

fn shape(function: &MachineFunction, one: &Loop, depth: u32) -> LoopShape {
    let blocks = one.blocks.iter().map(|&block| &function.blocks[block]);
    let all = blocks.flat_map(|block| &block.instructions);
    let (mut fixed, mut instructions) = (0, 0);
    for instruction in all {
        fixed += u64::from(FIXED.contains(&&instruction.operation[..]));
        instructions += u64::from(!instruction.is_local() && instruction.operation != "NOP");
    }
    LoopShape {
        depth,
        fixed,
        instructions,
    }
}

/// The most that an instruction counts among such loops.
pub fn most_weight(loops: &[LoopShape]) -> u64 {
    let nested = loops.iter().map(|one| one.depth + 1).max();
    weight(nested.unwrap_or(0))
}

/// What an instruction counts within so many loops.
fn weight(loops: u32) -> u64 {
    ROUNDS.pow(loops.min(DEEPEST))
}

/// Whether two codes of one kernel have the same loops: as many, as deep, with about as many
/// instructions that nobody adds, and of those that have none of these none of another size.
/// One that is unrolled differently has not.
pub fn same_loops(first: &[LoopShape], second: &[LoopShape]) -> bool {
    let is_near = |[one, other]: [u64; 2], percent| {
        let [least, most] = [one.min(other), one.max(other)];
        most * 100 <= least * percent
    };
    let is_same = |(one, other): (&LoopShape, &LoopShape)| {
        let fixed = [one.fixed, other.fixed];
        one.depth == other.depth
            && match fixed {
                [0, 0] => is_near([one.instructions, other.instructions], MOST_GROWTH),
                _ => is_near(fixed, MOST_FIXED_GROWTH),
            }
    };
    first.len() == second.len() && first.iter().zip(second).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::kernels;

    #[test]
    fn loops_beyond_the_fourth_weigh_no_more() {
        let nested = |depth| LoopShape {
            depth,
            fixed: 0,
            instructions: 1,
        };
        assert_eq!(most_weight(&[]), 1);
        assert_eq!(most_weight(&[nested(0), nested(2), nested(1)]), 1000);
        assert_eq!(most_weight(&[nested(7)]), 10_000);
    }

    /// An instruction with so many stall cycles, as nvdisasm prints it.
    fn line(text: &str, stall: u64) -> String {
        let high = stall << 41;
        format!("        /*0000*/  {text} ; /* 0x0000000000000001 */\n  /* 0x{high:016x} */\n")
    }

    fn listing(lines: &[(&str, u64)]) -> String {
        let mut text = "//---- .text.k ----\n".to_owned();
        for &(one, stall) in lines {
            match one.strip_suffix(':') {
                Some(label) => text += &format!("{label}:\n"),
                None => text += &line(one, stall),
            }
        }
        text
    }

    fn of(lines: &[(&str, u64)]) -> Cost {
        let kernels = kernels(&listing(lines)).unwrap();
        cost(&kernels[0])
    }

    #[test]
    fn loops_weigh_ten() {
        let found = of(&[
            ("MOV R1, R2", 2),
            (".L_x_1:", 0),
            ("LDL R1, [R2]", 3),
            ("NOP", 9),
            ("STG [R4], R1", 4),
            ("@P0 BRA `(.L_x_1)", 5),
            ("STL [R1], R2", 0),
            ("EXIT", 1),
        ]);
        assert_eq!(found.issue, 2 + 10 * (3 + 4 + 5) + 1 + 1);
        assert_eq!((found.local, found.local_static), (11, 2));
        assert_eq!(found.instructions, 6);
        let shape = LoopShape {
            depth: 0,
            fixed: 1,
            instructions: 2,
        };
        assert_eq!(found.loops, [shape]);
    }

    #[test]
    fn what_is_called_in_a_loop_runs_as_often() {
        let found = of(&[
            (".L_x_1:", 0),
            ("CALL.REL.NOINC `($f)", 1),
            ("@P0 BRA `(.L_x_1)", 1),
            ("EXIT", 1),
            ("$f:", 0),
            ("LDL R1, [R2]", 1),
            ("RET.REL.NODEC R2 `(k)", 1),
        ]);
        assert_eq!((found.local, found.local_static), (10, 1));
        assert_eq!(found.issue, 10 + 10 + 1 + 10 + 10);
    }

    #[test]
    fn what_a_loop_is_left_to_by_a_call_is_behind_it() {
        // As ptxas 13.0.88 ends loops for sm_80: nothing comes back from the label.
        let found = of(&[
            ("@P0 BRA `(.L_x_0)", 1),
            (".L_x_1:", 0),
            ("LDL R1, [R2]", 1),
            ("@!P3 CALL.REL.NOINC `(.L_x_0)", 1),
            ("BRA `(.L_x_1)", 1),
            (".L_x_0:", 0),
            ("STL [R1], R2", 1),
            ("EXIT", 1),
        ]);
        assert_eq!((found.local, found.local_static), (11, 2));
        assert_eq!(found.issue, 1 + 10 * 3 + 2);
        assert_eq!(found.instructions, 6);
    }

    #[test]
    fn spills_leave_a_loop_the_same_and_unrolling_does_not() {
        let turns = |rounds: usize, spills: usize| {
            let mut lines = vec![(".L_x_1:", 0)];
            for _ in 0..rounds {
                lines.extend([("STG [R4], R1", 1), ("FADD R1, R1, R2", 1)]);
            }
            lines.extend(vec![("LDL R1, [R2]", 1); spills]);
            lines.extend([("@P0 BRA `(.L_x_1)", 1), ("EXIT", 1)]);
            of(&lines).loops
        };
        assert!(same_loops(&turns(2, 0), &turns(2, 9)));
        assert!(!same_loops(&turns(2, 0), &turns(4, 0)));
        assert!(!same_loops(&turns(2, 0), &[]));
        // Nothing in it tells but its size.
        let plain = |instructions| LoopShape {
            depth: 0,
            fixed: 0,
            instructions,
        };
        assert!(same_loops(&[plain(10)], &[plain(15)]));
        assert!(!same_loops(&[plain(10)], &[plain(16)]));
        let fixed = |fixed, instructions| LoopShape {
            fixed,
            ..plain(instructions)
        };
        assert!(same_loops(&[fixed(1, 10)], &[fixed(1, 16)]));
        assert!(!same_loops(&[fixed(1, 10)], &[fixed(2, 10)]));
        assert!(!same_loops(&[fixed(1, 10)], &[plain(10)]));
        // A store that was taken apart.
        assert!(same_loops(&[fixed(40, 50)], &[fixed(44, 50)]));
        assert!(!same_loops(&[fixed(40, 50)], &[fixed(45, 50)]));
    }
}
