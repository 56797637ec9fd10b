//! How often the loops of a code run where those of stock's code of the same kernel run ten
//! times each.
//!
//! Both codes do the same, so what is fixed ([`crate::fixed`]) is done as often in both. The
//! loops are followed from the outside in. Within a loop and the one that it corresponds to,
//! which the kernels as a whole do to begin with, loops correspond
//!
//! - one by one, if they do the same in a round ([`crate::alike`]): they run as often;
//! - by their work, if one does a multiple of the other, as unrolling leaves it: the code's
//!   loops do together what stock's do. Where this leaves open which one does it, as with a
//!   loop and another one for the rounds that are left over, it is the one that costs most;
//! - to copies of them, if a loop is missing in one code and what stands around it there has
//!   gained what is fixed in it a whole number of times: so often it runs.
//!
//! What corresponds to nothing counts against the code: a loop of stock as if it never ran, a
//! loop of the code as if it were within all loops that stock nests, and within its own.
//!
//! So a code that comes out no worse than stock is no worse if each loop of stock runs ten
//! times, or as often as the copies show. Time: loops squared, kinds of what is fixed.

use crate::alike::{are_alike, copies, ratio};
use crate::cost::{DEEPEST, ROUNDS, weight};
use crate::work::{LoopWork, depths};

/// What runs once. A number with many divisors, as the weights of unrolled loops are parts of
/// it; what is left over is rounded up.
pub const ONCE: u64 = 5040;

/// Loops of which one does the work, by places, and how often it runs then.
type Alternatives = Vec<(usize, u64)>;

/// How often loops run in both codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correspondence {
    of_stock: Vec<u64>,
    of_code: Vec<Alternatives>,
    is_complete: bool,
}

impl Correspondence {
    /// Between stock's code and another one.
    pub fn new(stock: &[LoopWork], code: &[LoopWork]) -> Self {
        let mut search = Search {
            stock,
            code,
            within_stock: within(stock),
            within_code: within(code),
            of_stock: vec![None; stock.len()],
            of_code: Vec::new(),
            is_found: vec![false; code.len()],
        };
        search.pair([0, 0], [ONCE, ONCE]);
        let mut of_code = search.of_code;
        let most = depths(stock).into_iter().max().unwrap_or(0);
        for (place, depth) in depths(code).into_iter().enumerate() {
            if !search.is_found[place] {
                of_code.push(vec![(place, ONCE * weight(depth.max(most)))]);
            }
        }
        Self {
            is_complete: search.of_stock.iter().all(Option::is_some)
                && search.is_found.iter().all(|&is_found| is_found),
            of_stock: search
                .of_stock
                .into_iter()
                .map(Option::unwrap_or_default)
                .collect(),
            of_code,
        }
    }

    /// Whether each loop of both codes corresponds to something.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// What stock and the code cost, of what each loop has of its own, in parts of [`ONCE`].
    pub fn costs(
        &self,
        stock: &[LoopWork],
        code: &[LoopWork],
        own: impl Fn(&LoopWork) -> u64,
    ) -> [u64; 2] {
        let before = stock.iter().zip(&self.of_stock);
        let dearest = |all: &Alternatives| {
            let costs = all
                .iter()
                .map(|&(place, weight)| weight * own(&code[place]));
            costs.max()
        };
        [
            before.map(|(one, weight)| weight * own(one)).sum(),
            self.of_code.iter().filter_map(dearest).sum(),
        ]
    }
}

/// For each loop those that are in it and in no loop within it.
fn within(all: &[LoopWork]) -> Vec<Vec<usize>> {
    let mut within = vec![Vec::new(); all.len()];
    for (place, one) in all.iter().enumerate().skip(1) {
        within[one.around].push(place);
    }
    within
}

/// How often what is within a loop runs that runs so often.
fn inner(weight: u64) -> u64 {
    (weight * ROUNDS).min(weight.max(ONCE * ROUNDS.pow(DEEPEST)))
}

/// Loops of both codes, by places.
type Group = [Vec<usize>; 2];

struct Search<'a> {
    stock: &'a [LoopWork],
    code: &'a [LoopWork],
    within_stock: Vec<Vec<usize>>,
    within_code: Vec<Vec<usize>>,
    of_stock: Vec<Option<u64>>,
    of_code: Vec<Alternatives>,
    is_found: Vec<bool>,
}

impl Search<'_> {
    /// Two loops that correspond, and how often each runs.
    fn pair(&mut self, [stock, code]: [usize; 2], weights: [u64; 2]) {
        self.of_stock[stock] = Some(weights[0]);
        self.found(vec![(code, weights[1])]);
        let (mut missing, mut new) = (Vec::new(), Vec::new());
        for group in self.groups([stock, code]) {
            match group {
                [of_stock, of_code] if of_code.is_empty() => missing.extend(of_stock),
                [of_stock, of_code] if of_stock.is_empty() => new.extend(of_code),
                group => match self.pairs(&group).filter(|_| weights[0] == weights[1]) {
                    Some(pairs) => {
                        for pair in pairs {
                            self.pair(pair, [inner(weights[0]); 2]);
                        }
                    }
                    None => self.by_work(&group, inner(weights[0])),
                },
            }
        }
        match (&missing[..], &new[..]) {
            (&[one], []) => self.copied_in_code([stock, code], one, weights),
            ([], &[one]) if weights[0] == weights[1] => {
                self.copied_in_stock([stock, code], one, weights[1]);
            }
            _ => (),
        }
    }

    fn found(&mut self, alternatives: Alternatives) {
        for &(place, _) in &alternatives {
            self.is_found[place] = true;
        }
        self.of_code.push(alternatives);
    }

    /// What may correspond within two loops: loops with all that do the same or a multiple.
    fn groups(&self, [stock, code]: [usize; 2]) -> Vec<Group> {
        let alone = |&one: &usize| [vec![one], Vec::new()];
        let mut groups: Vec<Group> = self.within_stock[stock].iter().map(alone).collect();
        for &other in &self.within_code[code] {
            let is_near = |&one: &usize| {
                let (one, other) = (&self.stock[one], &self.code[other]);
                are_alike(one, other) || ratio(one, other).is_some()
            };
            let mut joined = [Vec::new(), vec![other]];
            groups.retain_mut(|[of_stock, of_code]| {
                let is_apart = !of_stock.iter().any(is_near);
                if !is_apart {
                    joined[0].append(of_stock);
                    joined[1].append(of_code);
                }
                is_apart
            });
            joined.iter_mut().for_each(|one| one.sort_unstable());
            groups.push(joined);
        }
        groups
    }

    /// The loops of both one by one, if there are as many and each does the same as one of
    /// the other code; of several the one that is nearest in size.
    fn pairs(&self, [of_stock, of_code]: &Group) -> Option<Vec<[usize; 2]>> {
        let mut left = of_code.clone();
        let mut pairs = Vec::new();
        for &one in of_stock {
            let is_alike = |&other: &usize| are_alike(&self.stock[one], &self.code[other]);
            let distance = |other: usize| self.stock[one].size().abs_diff(self.code[other].size());
            let numbers = (0..left.len()).filter(|&number| is_alike(&left[number]));
            let nearest = numbers.min_by_key(|&number| distance(left[number]))?;
            pairs.push([one, left.remove(nearest)]);
        }
        left.is_empty().then_some(pairs)
    }

    /// Loops that do together what others do, these so often each.
    fn by_work(&mut self, [of_stock, of_code]: &Group, weight: u64) {
        let mut alternatives = Alternatives::new();
        for &other in of_code {
            // So often it runs if it does all of it.
            let mut rounds = 0;
            for &one in of_stock {
                let Some([more, less]) = ratio(&self.stock[one], &self.code[other]) else {
                    return;
                };
                rounds += (weight * less).div_ceil(more);
            }
            alternatives.push((other, rounds));
        }
        if let (&[one], &[(other, rounds)]) = (&of_stock[..], &alternatives[..]) {
            return self.pair([one, other], [weight, rounds]);
        }
        // Which loop within is in which way round is open then.
        let is_innermost = |within: &[Vec<usize>], all: &[usize]| {
            all.iter().all(|&place| within[place].is_empty())
        };
        if is_innermost(&self.within_stock, of_stock) && is_innermost(&self.within_code, of_code) {
            for &one in of_stock {
                self.of_stock[one] = Some(weight);
            }
            self.found(alternatives);
        }
    }

    /// A loop of stock that the code may have unrolled completely.
    fn copied_in_code(&mut self, [stock, code]: [usize; 2], one: usize, weights: [u64; 2]) {
        let [before, now] = weights;
        if now == 0 || before % now != 0 || !self.within_stock[one].is_empty() {
            return;
        }
        let (stock, code) = (&self.stock[stock].fixed, &self.code[code].fixed);
        if let Some(copies) = copies(stock, before / now, code, &self.stock[one].fixed) {
            self.of_stock[one] = Some(now * copies);
        }
    }

    /// A loop of the code that stock has unrolled completely.
    fn copied_in_stock(&mut self, [stock, code]: [usize; 2], one: usize, weight: u64) {
        let (stock, code) = (&self.stock[stock].fixed, &self.code[code].fixed);
        let copies = copies(code, 1, stock, &self.code[one].fixed);
        if let Some(copies) = copies.filter(|_| self.within_code[one].is_empty()) {
            self.found(vec![(one, weight * copies)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alike::tests::round;

    /// A loop of some size with tensor operations and local accesses, within another one.
    fn work(around: usize, operations: u64, local: u64) -> LoopWork {
        let one = [("HMMA", operations, operations)];
        LoopWork {
            around,
            local,
            ..round(100, if operations == 0 { &[] } else { &one })
        }
    }

    /// Local accesses of both, and whether all loops correspond.
    fn compare(stock: &[LoopWork], code: &[LoopWork]) -> ([u64; 2], bool) {
        let found = Correspondence::new(stock, code);
        let costs = found.costs(stock, code, |one| one.local);
        (costs.map(|cost| cost.div_ceil(ONCE)), found.is_complete())
    }

    #[test]
    fn loops_that_do_the_same_run_as_often() {
        let stock = [work(0, 1, 1), work(0, 4, 3), work(1, 8, 5)];
        let code = [work(0, 1, 2), work(0, 4, 1), work(1, 8, 0)];
        assert_eq!(compare(&stock, &code), ([531, 12], true));
        assert_eq!(compare(&code, &stock), ([12, 531], true));
    }

    #[test]
    fn loops_are_told_apart_by_what_they_do() {
        let stock = [work(0, 0, 0), work(0, 3, 3), work(0, 6, 0), work(2, 1, 1)];
        let code = [work(0, 0, 0), work(0, 6, 0), work(0, 3, 3), work(1, 1, 1)];
        assert_eq!(compare(&stock, &code), ([130, 130], true));
    }

    #[test]
    fn an_unrolled_loop_runs_less_often() {
        let stock = [work(0, 0, 0), work(0, 4, 3)];
        let code = |local| [work(0, 0, 0), work(0, 16, local)];
        assert_eq!(compare(&stock, &code(4)), ([30, 10], true));
        assert_eq!(compare(&stock, &code(12)), ([30, 30], true));
        assert_eq!(compare(&code(4), &stock), ([40, 120], true));
        // Also if it is a part of one that is unrolled with it.
        let nested = [work(0, 0, 0), work(0, 2, 0), work(1, 4, 3)];
        let jammed = [work(0, 0, 0), work(0, 4, 0), work(1, 8, 3)];
        assert_eq!(compare(&nested, &jammed), ([300, 150], true));
    }

    #[test]
    fn of_a_loop_and_what_is_left_over_the_dearer_one_does_all() {
        let stock = [work(0, 0, 0), work(0, 4, 3)];
        let code = |main, left| [work(0, 0, 0), work(0, 16, main), work(0, 4, left)];
        assert_eq!(compare(&stock, &code(8, 1)), ([30, 20], true));
        assert_eq!(compare(&stock, &code(0, 4)), ([30, 40], true));
    }

    #[test]
    fn copies_show_how_often_a_loop_ran() {
        // Three rounds: stock's loop has twelve accesses, not forty.
        let stock = [work(0, 1, 0), work(0, 4, 4)];
        let code = |local| [work(0, 13, local)];
        assert_eq!(compare(&stock, &code(12)), ([12, 12], true));
        assert_eq!(compare(&code(12), &stock), ([12, 12], true));
    }

    #[test]
    fn what_only_looks_unrolled_runs_as_often_as_anything_may() {
        // Twice as many operations, but on two ways of which a round takes one.
        let stock = [work(0, 0, 0), work(0, 4, 3), work(1, 1, 0)];
        let hidden = LoopWork {
            local: 4,
            ..round(100, &[("HMMA", 8, 4)])
        };
        let code = [work(0, 0, 0), hidden, work(1, 1, 0)];
        // It agrees on one way, but nothing makes sure of it.
        assert_eq!(compare(&stock, &code), ([0, 400], false));
        // Barriers that are not more say that it is not unrolled.
        let fixed = |operations| round(100, &[("BAR", 1, 1), ("HMMA", operations, operations)]);
        let before = LoopWork {
            local: 3,
            ..fixed(4)
        };
        let after = LoopWork {
            local: 3,
            ..fixed(8)
        };
        let root = work(0, 0, 0);
        assert_eq!(
            compare(&[root.clone(), before], &[root, after]),
            ([0, 30], false)
        );
    }

    #[test]
    fn copies_on_two_ways_are_no_rounds() {
        let stock = [work(0, 0, 0), work(0, 4, 4)];
        let code = [LoopWork {
            local: 3,
            ..round(100, &[("HMMA", 8, 4)])
        }];
        assert_eq!(compare(&stock, &code), ([0, 3], false));
    }

    #[test]
    fn what_is_in_no_loop_of_stock_counts_most() {
        let stock = [work(0, 0, 0), work(0, 4, 5), work(1, 2, 5), work(0, 0, 0)];
        // One loop more, of which nothing tells what it is.
        let extra = [
            work(0, 0, 0),
            work(0, 4, 1),
            work(1, 2, 1),
            work(0, 0, 1),
            work(0, 0, 1),
        ];
        assert_eq!(compare(&stock, &extra), ([550, 310], false));
        let deep = [work(0, 0, 0), work(0, 1, 0), work(1, 1, 0), work(2, 1, 7)];
        assert_eq!(compare(&stock[..1], &deep), ([0, 7000], false));
    }
}
