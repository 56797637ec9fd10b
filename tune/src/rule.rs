//! Which of several codes a kernel gets.
//!
//! A code may be chosen if it is no worse than stock in any measure: resident warps, accesses
//! to local memory and issue cycles. The latter two count by loops, those of a code whose
//! loops are others by what each does, and against it what corresponds to nothing
//! ([`machine_code::correspondence`]). Of what may be chosen, and stock always may, the one
//! with the fewest accesses to local memory is best, then the one with the fewest issue cycles
//! in percent of stock's, the most warps, the fewest issue cycles, the fewest registers, and
//! the first. So what is chosen is never worse than stock in what is measured. Linear in the
//! codes.

use crate::figures::Figures;
use std::cmp::Reverse;

/// Whether a kernel may get a code.
pub fn is_admissible(stock: &Figures, code: &Figures) -> bool {
    let beside = code.beside(stock);
    code.is_same_as(stock)
        || code.warps >= stock.warps && beside.local.is_no_more() && beside.issue.is_no_more()
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
    ranked.sort_by_cached_key(|&(number, code)| {
        let beside = code.beside(stock);
        (
            beside.local.by_loops_of_stock(),
            beside.issue.percent(),
            Reverse(code.warps),
            beside.issue.by_loops_of_stock(),
            code.registers,
            number,
        )
    });
    ranked.into_iter().map(|(number, _)| number).collect()
}

/// Why a code was chosen rather than stock, for people.
pub fn reason(stock: &Figures, chosen: &Figures) -> String {
    if chosen.is_same_as(stock) {
        return "nothing is better than stock in one measure and no worse in all others".into();
    }
    let mut said = Vec::new();
    let mut compare = |what: &str, from: u64, to: u64| {
        if from != to {
            said.push(format!("{what} {from} -> {to}"));
        }
    };
    let beside = chosen.beside(stock);
    let [local, issue] = [beside.local, beside.issue].map(|one| one.by_loops_of_stock());
    compare("local accesses by loops", stock.local, local);
    compare("issue cycles by loops", stock.issue, issue);
    compare("resident warps", stock.warps.into(), chosen.warps.into());
    compare("registers", stock.registers.into(), chosen.registers.into());
    if !beside.is_complete {
        said.push("some loops correspond to none, and count against it".into());
    }
    said.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine_code::fixed::{Count, FixedWork};
    use machine_code::work::LoopWork;

    /// A code in whose only loop there are barriers and accesses.
    fn looping(warps: u32, rounds: u64, local: u64, issue: u64) -> Figures {
        let barriers = Count {
            all: rounds,
            longest: rounds,
        };
        let of_loop = LoopWork {
            instructions: issue,
            issue,
            local,
            fixed: FixedWork::from([("BAR".to_owned(), barriers)]),
            ..LoopWork::default()
        };
        let name = format!("{warps} {rounds} {local} {issue}");
        Figures::new(vec![LoopWork::default(), of_loop], 64, warps, name)
    }

    fn code(warps: u32, local: u64, issue: u64) -> Figures {
        looping(warps, 1, local, issue)
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
    fn an_unrolled_loop_is_compared_by_what_it_does() {
        let stock = code(16, 10, 1000);
        let unrolled = |local, issue| looping(16, 4, local, issue);
        assert!(is_admissible(&stock, &unrolled(40, 4000)));
        assert!(!is_admissible(&stock, &unrolled(41, 4000)));
        assert!(!is_admissible(&stock, &unrolled(40, 4001)));
        // It has more accesses in its code, and fewer by loops.
        let codes = [stock.clone(), unrolled(11, 3999), code(16, 3, 999)];
        assert_eq!(best(&codes), 1);
        assert_eq!(
            best(&[codes[0].clone(), unrolled(13, 3999), code(16, 3, 999)]),
            2
        );
        assert!(reason(&stock, &codes[1]).starts_with("local accesses by loops 100 -> 28;"));
    }

    #[test]
    fn what_corresponds_to_nothing_counts_against_it() {
        let stock = code(16, 10, 1000);
        let mut other = code(16, 1, 100);
        other.work[1].fixed = FixedWork::new();
        // Its loop may be any, and what stock has in its own may never run.
        assert!(!is_admissible(&stock, &other));
        assert!(!is_admissible(&stock, &code_without_loops(1, 1)));
        let mut outside = stock.clone();
        outside.work[0].local = 3;
        outside.work[0].issue = 30;
        let outside = Figures::new(outside.work, 64, 16, "outside".into());
        assert!(is_admissible(&outside, &code_without_loops(3, 30)));
        assert!(!is_admissible(&outside, &code_without_loops(3, 31)));
        let why = reason(&outside, &code_without_loops(3, 30));
        assert!(why.contains("some loops correspond to none"), "{why}");
    }

    fn code_without_loops(local: u64, issue: u64) -> Figures {
        let one = LoopWork {
            instructions: issue,
            issue,
            local,
            ..LoopWork::default()
        };
        Figures::new(vec![one], 64, 16, "no loops".into())
    }

    #[test]
    fn what_was_not_compiled_is_not_chosen() {
        let (stock, good) = (code(16, 10, 1000), code(16, 1, 900));
        assert_eq!(ranked(&[Some(&stock), None, Some(&good)]), [2, 0]);
        assert!(ranked(&[None, Some(&good)]).is_empty());
    }
}
