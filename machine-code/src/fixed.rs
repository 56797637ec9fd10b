//! What in the code of a loop is fixed: neither an allocator nor ptxas adds it, leaves it out
//! or moves it into another loop, as others see it, or it takes threads together.
//!
//! So what a loop does in a round is known by it, in any code of the kernel. It is counted by
//! kinds, stores by the registers that they write, as ptxas takes those of several registers
//! apart. And it is counted twice: all of it, and the most that there is on one way through
//! the loop, so that code that is written once for each of two ways is not taken for code that
//! runs twice. Time: blocks times kinds.

use crate::listing::{MachineFunction, MachineInstruction};
use crate::loops::Nest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Instructions of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// All.
    pub all: u64,
    /// The most on one way through.
    pub longest: u64,
}

/// What is fixed, by kinds. There are no kinds of which there is nothing.
pub type FixedWork = BTreeMap<String, Count>;

/// A store of which the program does not say what kind of memory it writes to. ptxas or a
/// pass may find out, and make another of it.
pub const VAGUE_STORE: &str = "ST";
/// A store to global memory.
pub const GLOBAL_STORE: &str = "STG";

/// The kind of a fixed instruction. Shuffles are none: an allocator takes them to move a value
/// to a uniform register.
fn kind(instruction: &MachineInstruction) -> Option<&str> {
    let name = &instruction.operation[..];
    match name {
        // The same, for other memory or with a result that nobody needs.
        "ATOM" | "ATOMG" | "ATOMS" | "RED" | "REDG" => Some("ATOM"),
        "BAR" | "BGMMA" | "DMMA" | "HGMMA" | "HMMA" | "IGMMA" | "IMMA" | "LDGDEPBAR" | "LDGSTS"
        | "MATCH" | "QGMMA" | "QMMA" | "UTMALDG" | "UTMASTG" | GLOBAL_STORE | VAGUE_STORE => {
            Some(name)
        }
        _ => None,
    }
}

/// What is fixed in a loop and in none within it; without a loop, in none of the function.
pub fn of_region(function: &MachineFunction, nest: &Nest, region: Option<usize>) -> FixedWork {
    let mut all = FixedWork::new();
    if function.blocks.is_empty() {
        return all;
    }
    let ways = nest.ways(function, region);
    // From each block on to the end of a round, by kinds.
    let mut from: BTreeMap<usize, BTreeMap<&str, u64>> = BTreeMap::new();
    for (block, next) in &ways {
        let mut longest: BTreeMap<&str, u64> = BTreeMap::new();
        // A cycle that is no loop is cut where it closes.
        for (&kind, &count) in next.iter().filter_map(|one| from.get(one)).flatten() {
            let most = longest.entry(kind).or_default();
            *most = count.max(*most);
        }
        if nest.innermost[*block] == region {
            for instruction in &function.blocks[*block].instructions {
                if let Some(kind) = kind(instruction) {
                    *longest.entry(kind).or_default() += instruction.registers;
                    all.entry(kind.to_owned()).or_default().all += instruction.registers;
                }
            }
        }
        from.insert(*block, longest);
    }
    // The last one is where all ways begin.
    let begin = ways.last().and_then(|(block, _)| from.get(block));
    for (kind, count) in begin.into_iter().flatten() {
        if let Some(one) = all.get_mut(*kind) {
            one.longest = *count;
        }
    }
    all
}

/// Adds what comes after, so many times.
pub fn add(sum: &mut FixedWork, more: &FixedWork, times: u64) {
    for (kind, count) in more {
        let one = sum.entry(kind.clone()).or_default();
        one.all += times * count.all;
        one.longest += times * count.longest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::tests::listing;
    use crate::listing::kernels;
    use crate::loops::nest;

    fn of(lines: &[(&str, u64)], region: Option<usize>) -> Vec<(String, u64, u64)> {
        let kernels = kernels(&listing(lines)).unwrap();
        let function = &kernels[0].functions[0];
        let found = of_region(function, &nest(function), region);
        let count = |(kind, one): (String, Count)| (kind, one.all, one.longest);
        found.into_iter().map(count).collect()
    }

    #[test]
    fn of_two_ways_one_is_the_longest() {
        let lines = [
            ("REDG.E.ADD [R2], R3", 1),
            (".L_x_1:", 0),
            ("@P1 BRA `(.L_x_2)", 1),
            ("STG.E.64 [R4], R2", 1),
            ("BAR.SYNC 0", 1),
            ("BRA `(.L_x_3)", 1),
            (".L_x_2:", 0),
            ("STG.E [R4], R1", 1),
            ("BAR.SYNC 0", 1),
            (".L_x_3:", 0),
            ("HMMA.16816.F32 R4, R8, R2, R4", 1),
            ("SHFL.IDX PT, R1, R2, RZ, 0x1f", 1),
            ("@P0 BRA `(.L_x_1)", 1),
            ("ATOMS.ADD R1, [R2]", 1),
            ("EXIT", 1),
        ];
        let expected = [("BAR", 2, 1), ("HMMA", 1, 1), ("STG", 3, 2)];
        let expected = expected.map(|(kind, all, longest)| (kind.to_owned(), all, longest));
        assert_eq!(of(&lines, Some(0)), expected);
        assert_eq!(of(&lines, None), [("ATOM".to_owned(), 2, 2)]);
    }

    #[test]
    fn ways_pass_by_inner_loops() {
        let lines = [
            (".L_x_1:", 0),
            ("BAR.SYNC 0", 1),
            (".L_x_2:", 0),
            ("BAR.SYNC 0", 1),
            ("@P0 BRA `(.L_x_2)", 1),
            ("BAR.SYNC 0", 1),
            ("@P1 BRA `(.L_x_1)", 1),
            ("EXIT", 1),
        ];
        assert_eq!(of(&lines, Some(0)), [("BAR".to_owned(), 2, 2)]);
        assert_eq!(of(&lines, Some(1)), [("BAR".to_owned(), 1, 1)]);
        assert_eq!(of(&lines, None), []);
    }
}
