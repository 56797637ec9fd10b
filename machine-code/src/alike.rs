//! Whether loops of two codes do the same in a round, or one of them a multiple of the
//! other, by what is fixed in them ([`crate::fixed`]).
//!
//! Code that is written once for each of two ways must not look unrolled: a multiple must be
//! one of all that there is and also of the most on one way, of every kind. For equal work it
//! is enough that each kind agrees in one of the two, and some kind in both, as ptxas copies
//! the ends of ways, and merges them again.

use crate::fixed::{Count, FixedWork, GLOBAL_STORE, VAGUE_STORE};
use crate::work::LoopWork;
use std::collections::BTreeSet;

/// Of two loops in which nothing is fixed, the one with more instructions has at most so many
/// times the other's, in percent, if they are to be the same one. Unrolling doubles them.
const MOST_GROWTH: u64 = 150;

/// Whether as much is fixed in both; where nothing tells, whether they have about the same
/// size, accesses to local memory left out.
pub fn are_alike(first: &LoopWork, second: &LoopWork) -> bool {
    if first.fixed == second.fixed && !first.fixed.is_empty() {
        return true;
    }
    let counts = telling(&first.fixed, &second.fixed);
    if counts.is_empty() {
        let [one, other] = [first.size(), second.size()];
        return one.max(other) * 100 <= one.min(other) * MOST_GROWTH;
    }
    let agrees = |[one, other]: &[Count; 2]| one.all == other.all || one.longest == other.longest;
    counts.iter().all(agrees) && counts.iter().any(|[one, other]| one == other)
}

/// How much more is fixed in the second than in the first, as a fraction, if it is a whole
/// number of times as much, or the first of the second, of every kind.
pub fn ratio(first: &LoopWork, second: &LoopWork) -> Option<[u64; 2]> {
    let counts = telling(&first.fixed, &second.fixed);
    let [one, other] = counts.first()?.map(|count| count.all);
    if one == 0 || other == 0 || (one % other != 0 && other % one != 0) {
        return None;
    }
    let is_in_ratio = |[mine, theirs]: &[Count; 2]| {
        mine.all * other == theirs.all * one && mine.longest * other == theirs.longest * one
    };
    let [least, most] = [one.min(other), one.max(other)];
    let ratio = match one <= other {
        true => [most / least, 1],
        false => [1, most / least],
    };
    counts.iter().all(is_in_ratio).then_some(ratio)
}

/// How many copies of a loop's round must have come to what stands around it: `before`, done
/// so many `times`, has become `now`. None if that is no whole number above zero, or not the
/// same for every kind.
pub fn copies(before: &FixedWork, times: u64, now: &FixedWork, of_loop: &FixedWork) -> Option<u64> {
    if [before, now, of_loop]
        .iter()
        .any(|one| one.contains_key(VAGUE_STORE))
    {
        return None;
    }
    let mut copies = None;
    for kind in kinds([before, now, of_loop]) {
        let count = |one: &FixedWork| one.get(kind).copied().unwrap_or_default();
        let [before, now, each] = [before, now, of_loop].map(count);
        for [before, now, each] in [
            [before.all, now.all, each.all],
            [before.longest, now.longest, each.longest],
        ] {
            let more = now.checked_sub(before * times)?;
            let is_consistent = match each {
                0 => more == 0,
                _ => more % each == 0 && *copies.get_or_insert(more / each) == more / each,
            };
            if !is_consistent {
                return None;
            }
        }
    }
    copies.filter(|&copies| copies > 0)
}

/// What both have of each kind that tells something. A store to memory of some kind can be one
/// to global memory in the other code: neither tells then.
fn telling(first: &FixedWork, second: &FixedWork) -> Vec<[Count; 2]> {
    let both = [first, second];
    let is_vague = both.iter().any(|one| one.contains_key(VAGUE_STORE));
    let tells = |kind: &&str| !(is_vague && [VAGUE_STORE, GLOBAL_STORE].contains(kind));
    let kinds = kinds(both).into_iter().filter(tells);
    let count = |kind| both.map(|one| one.get(kind).copied().unwrap_or_default());
    kinds.map(count).collect()
}

fn kinds<const MANY: usize>(all: [&FixedWork; MANY]) -> BTreeSet<&str> {
    let names = all.into_iter().flat_map(|one| one.keys());
    names.map(String::as_str).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A loop of some size with so many of each kind, in all and on one way.
    pub(crate) fn round(instructions: u64, fixed: &[(&str, u64, u64)]) -> LoopWork {
        let count =
            |&(kind, all, longest): &(&str, u64, u64)| (kind.to_owned(), Count { all, longest });
        LoopWork {
            instructions,
            fixed: fixed.iter().map(count).collect(),
            ..LoopWork::default()
        }
    }

    #[test]
    fn nothing_but_size_tells_where_nothing_is_fixed() {
        assert!(are_alike(&round(10, &[]), &round(15, &[])));
        assert!(!are_alike(&round(10, &[]), &round(16, &[])));
        assert!(!are_alike(&round(10, &[]), &round(10, &[("BAR", 1, 1)])));
        let with_spills = LoopWork {
            instructions: 30,
            local: 20,
            ..LoopWork::default()
        };
        assert!(are_alike(&round(10, &[]), &with_spills));
        assert_eq!(ratio(&round(10, &[]), &round(20, &[])), None);
    }

    #[test]
    fn equal_work_may_be_arranged_differently() {
        let plain = round(90, &[("BAR", 1, 1), ("STG", 4, 4)]);
        let apart = round(90, &[("BAR", 2, 1), ("STG", 4, 4)]);
        assert!(are_alike(&plain, &apart));
        // Nothing is certain: it may be half the rounds, or a copied end.
        let nothing = round(90, &[("BAR", 2, 1), ("STG", 8, 4)]);
        assert!(!are_alike(&plain, &nothing));
        assert!(!are_alike(&plain, &round(90, &[("BAR", 1, 1)])));
    }

    #[test]
    fn a_multiple_is_one_on_every_way_and_of_every_kind() {
        let plain = round(90, &[("BAR", 1, 1), ("HMMA", 8, 8)]);
        let unrolled = round(200, &[("BAR", 4, 4), ("HMMA", 32, 32)]);
        assert_eq!(ratio(&plain, &unrolled), Some([4, 1]));
        assert_eq!(ratio(&unrolled, &plain), Some([1, 4]));
        let one_of_two_ways = round(200, &[("BAR", 4, 1), ("HMMA", 32, 8)]);
        assert_eq!(ratio(&plain, &one_of_two_ways), None);
        let one_kind_alone = round(200, &[("BAR", 1, 1), ("HMMA", 32, 32)]);
        assert_eq!(ratio(&plain, &one_kind_alone), None);
        let part = round(90, &[("BAR", 2, 2), ("HMMA", 12, 12)]);
        assert_eq!(ratio(&plain, &part), None);
    }

    #[test]
    fn what_may_be_anything_tells_nothing() {
        let vague = round(90, &[("BAR", 1, 1), ("ST", 2, 2), ("STG", 2, 2)]);
        assert!(are_alike(
            &vague,
            &round(90, &[("BAR", 1, 1), ("STG", 4, 4)])
        ));
        assert!(are_alike(&vague, &vague));
        let stores = round(10, &[("ST", 1, 1)]);
        assert!(are_alike(&stores, &stores));
        assert_eq!(ratio(&stores, &round(20, &[("STG", 2, 2)])), None);
    }

    #[test]
    fn copies_account_for_all_that_has_come() {
        let around = round(0, &[("BAR", 1, 1)]).fixed;
        let of_loop = round(0, &[("HMMA", 2, 2), ("BAR", 1, 1)]).fixed;
        let unrolled = round(0, &[("HMMA", 8, 8), ("BAR", 5, 5)]).fixed;
        assert_eq!(copies(&around, 1, &unrolled, &of_loop), Some(4));
        let doubled = round(0, &[("HMMA", 16, 16), ("BAR", 10, 10)]).fixed;
        assert_eq!(copies(&around, 2, &doubled, &of_loop), Some(8));
        let of_two_ways = round(0, &[("HMMA", 8, 2), ("BAR", 5, 2)]).fixed;
        assert_eq!(copies(&around, 1, &of_two_ways, &of_loop), None);
        let one_kind_alone = round(0, &[("HMMA", 8, 8), ("BAR", 1, 1)]).fixed;
        assert_eq!(copies(&around, 1, &one_kind_alone, &of_loop), None);
        assert_eq!(copies(&around, 1, &around, &of_loop), None);
    }
}
