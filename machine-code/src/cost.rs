//! What a kernel's machine code costs by its own schedule, without a GPU: each instruction
//! weighed by the loops around it.
//!
//! A loop counts as ten rounds, also one that holds the call of the function in question.
//! Such weights compare two codes that have the same loops; for others see
//! [`crate::correspondence`]. Source: the stall cycles that ptxas writes into each
//! instruction. Time: linear in the loops.

use crate::work::{LoopWork, depths};

/// Rounds of a loop.
pub const ROUNDS: u64 = 10;
/// Loops within more than these count no more.
pub const DEEPEST: u32 = 4;

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
}

/// The cost of what a kernel does.
pub fn cost(work: &[LoopWork]) -> Cost {
    let mut sum = Cost::default();
    for (one, depth) in work.iter().zip(depths(work)) {
        sum.issue += weight(depth) * one.issue;
        sum.local += weight(depth) * one.local;
        sum.local_static += one.local_text;
        sum.instructions += one.text;
    }
    sum
}

/// What an instruction counts within so many loops.
pub fn weight(loops: u32) -> u64 {
    ROUNDS.pow(loops.min(DEEPEST))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::listing::kernels;
    use crate::work::work;

    #[test]
    fn loops_beyond_the_fourth_weigh_no_more() {
        assert_eq!([0, 2, 4, 7].map(weight), [1, 100, 10_000, 10_000]);
    }

    /// An instruction with so many stall cycles, as nvdisasm prints it.
    fn line(text: &str, stall: u64) -> String {
        let high = stall << 41;
        format!("        /*0000*/  {text} ; /* 0x0000000000000001 */\n  /* 0x{high:016x} */\n")
    }

    /// A kernel's listing, of instructions with stall cycles and labels.
    pub(crate) fn listing(lines: &[(&str, u64)]) -> String {
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
        cost(&work(&kernels[0]))
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
}
