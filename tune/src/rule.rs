//! Which of several codes a kernel gets.
//!
//! A code that has stock's loops may be chosen if it is no worse than stock in any measure:
//! resident warps, accesses to local memory and issue cycles, both by loops. Where promotion
//! or ptxas has unrolled other loops the weights compare nothing; such a code may be chosen
//! only if, besides that, stock has accesses to local memory and it has no more even if each
//! of its own were within all loops that stock nests, and so it is ranked. Of what may be
//! chosen, and stock always may, the one with the fewest accesses to local memory is best,
//! then the one with the fewest issue cycles in percent of stock's, the most warps, the fewest
//! issue cycles, the fewest registers, and the first. So what is chosen is never worse than
//! stock in what is measured. Linear in the codes.

use crate::figures::Figures;
use std::cmp::Reverse;

/// Whether a kernel may get a code.
pub fn is_admissible(stock: &Figures, code: &Figures) -> bool {
    let is_fewer = stock.local > 0 && code.local_by_loops_of(stock) <= stock.local;
    code.is_no_worse_than(stock) && (code.compares_with(stock) || is_fewer)
}

/// Codes that may be chosen, best first, by their numbers; stock is the first of `codes`,
/// and those that were not compiled are none.
pub fn ranked(codes: &[Option<&Figures>]) -> Vec<usize> {
    let Some(stock) = codes.first().copied().flatten() else {
        return Vec::new();
    };
    let mut ranked: Vec<_> = codes
        .iter()
        .enumerate()
        .filter_map(|(number, code)| Some((number, (*code)?)))
        .filter(|(number, code)| *number == 0 || is_admissible(stock, code))
        .collect();
    ranked.sort_by_key(|&(number, code)| {
        let percent = (100 * code.issue).div_ceil(stock.issue.max(1));
        let warps = Reverse(code.warps);
        (
            code.local_by_loops_of(stock),
            percent,
            warps,
            code.issue,
            code.registers,
            number,
        )
    });
    ranked.into_iter().map(|(number, _)| number).collect()
}

/// Why a code was chosen rather than stock, for people.
pub fn reason(stock: &Figures, chosen: &Figures) -> String {
    if chosen.code == stock.code && chosen.registers == stock.registers {
        return "nothing is better than stock in one measure and no worse in all others".into();
    }
    let mut said = Vec::new();
    let mut compare = |what: &str, from: u64, to: u64| {
        if from != to {
            said.push(format!("{what} {from} -> {to}"));
        }
    };
    compare("local accesses by loops", stock.local, chosen.local);
    compare("issue cycles by loops", stock.issue, chosen.issue);
    compare("resident warps", stock.warps.into(), chosen.warps.into());
    compare("registers", stock.registers.into(), chosen.registers.into());
    if !chosen.compares_with(stock) {
        said.push(format!(
            "its loops are others; accesses to local memory in the code {} -> {}",
            stock.local_static, chosen.local_static
        ));
    }
    said.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(warps: u32, local: u64, issue: u64) -> Figures {
        Figures {
            registers: 64,
            warps,
            local,
            local_static: local,
            issue,
            instructions: issue,
            loops: Vec::new(),
            code: format!("{warps} {local} {issue}"),
        }
    }

    fn best(codes: &[Figures]) -> usize {
        ranked(&codes.iter().map(Some).collect::<Vec<_>>())[0]
    }

    #[test]
    fn nothing_that_is_worse_in_one_measure() {
        let stock = code(16, 10, 1000);
        for worse in [code(12, 0, 1), code(64, 11, 1), code(64, 0, 1001)] {
            assert!(!is_admissible(&stock, &worse));
            assert_eq!(best(&[stock.clone(), worse]), 0);
        }
        assert!(is_admissible(&stock, &stock));
    }

    #[test]
    fn local_accesses_count_most_then_cycles_then_warps() {
        let stock = code(16, 10, 1000);
        let fewer = code(16, 9, 1000);
        let faster = code(32, 10, 10);
        assert_eq!(best(&[stock.clone(), faster, fewer]), 2);
        let more_warps = code(32, 5, 895);
        let hardly_faster = code(16, 5, 893);
        assert_eq!(best(&[stock.clone(), hardly_faster, more_warps]), 2);
        assert_eq!(best(&[stock.clone(), code(16, 10, 1000)]), 0);
    }

    #[test]
    fn other_loops_must_leave_few_local_accesses() {
        // One loop in another, of ten rounds each by the weights.
        let stock = Figures {
            loops: vec![(0, 1, 20), (1, 1, 10)],
            ..code(16, 1000, 1000)
        };
        let unrolled = |local| code(16, local, 10);
        assert!(!is_admissible(&stock, &unrolled(11)));
        assert!(is_admissible(&stock, &unrolled(10)));
        assert!(is_admissible(&stock, &unrolled(0)));
        // What is known to be fewer is better than what may be as many.
        let same = |local| Figures {
            local,
            ..stock.clone()
        };
        let codes = |local| [stock.clone(), unrolled(5), same(local)];
        assert_eq!(best(&codes(499)), 2);
        assert_eq!(best(&codes(501)), 1);
        // Where there were none to begin with, none can be fewer.
        let without = Figures {
            local: 0,
            ..stock.clone()
        };
        assert!(!is_admissible(&without, &unrolled(0)));
        assert!(reason(&stock, &unrolled(0)).contains("its loops are others"));
    }

    #[test]
    fn what_was_not_compiled_is_not_chosen() {
        let (stock, good) = (code(16, 10, 1000), code(16, 1, 900));
        assert_eq!(ranked(&[Some(&stock), None, Some(&good)]), [2, 0]);
        assert!(ranked(&[None, Some(&good)]).is_empty());
    }
}
