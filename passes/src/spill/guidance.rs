//! Spill guidance: which values to spill so that nowhere more registers are needed
//! than there are.
//!
//! Select finds out value by value what has no register, and spills what failed; it
//! does not see that one long range would have made room for ten short ones. Guidance
//! looks at the whole function: at every point where the demand is beyond a register
//! file, some group must go. The one that costs least for the columns it relieves goes
//! first, until the demand is met; then those that later ones made needless come back,
//! the dearest first. Where a spilled value is read or written it still needs a
//! register. Source: ptxas document, spill guidance (a queue of candidates for each
//! class and a target that retries lower); Bernstein et al. 1989 for the heuristic.
//! Time: for each value the points beyond the file at which it is live, times the
//! logarithm of the values; above [`WORK`] such pairs it stands back.

use crate::analysis::demand::Demand;
use crate::analysis::live_range::{LiveRanges, Segment};
use crate::coalesce::ranges::GroupRanges;
use crate::function::{Function, VirtualRegister};
use crate::machine::File;
use crate::problem::Problem;
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Pairs of a value and a point that are looked at.
const WORK: usize = 20_000_000;

/// What guidance knows of a function.
pub struct Guidance<'a> {
    /// Values, groups and costs.
    pub problem: &'a Problem<'a>,
    /// The live ranges of the values.
    pub ranges: &'a LiveRanges,
    /// And of the groups.
    pub groups: &'a GroupRanges,
    /// What is needed where.
    pub demand: &'a Demand,
    /// The groups' roots.
    pub nodes: &'a [VirtualRegister],
}

/// What guidance advises.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// The values to spill, in the order in which they were chosen.
    pub values: Vec<VirtualRegister>,
    /// Somewhere the demand stays beyond the file whatever is spilled.
    pub unmet: bool,
}

/// A group that may be spilled.
struct Candidate {
    root: VirtualRegister,
    cost: f64,
    width: i32,
    /// The points beyond the file at which it would need no register any more.
    points: Vec<u32>,
}

impl Guidance<'_> {
    /// What to spill so that `spare` registers of a file stay free wherever the demand
    /// is beyond that.
    pub fn advice(&self, spare: u32) -> Advice {
        let mut advice = Advice::default();
        let accessed = accessed_points(self.problem.function);
        for file in self.problem.machine.files.keys() {
            let mut beyond = self.demand.beyond(file).to_vec();
            if beyond.iter().all(|&beyond| beyond <= 0) {
                continue;
            }
            beyond.iter_mut().for_each(|beyond| *beyond += spare as i32);
            let Some(candidates) = self.candidates(file, &beyond, &accessed) else {
                return Advice::default();
            };
            for root in choose(&candidates, &mut beyond) {
                let members = self.problem.groups.members(root).iter();
                let values = members.map(|&(value, _)| value);
                let worth = values.filter(|&value| !self.problem.minimal[value]);
                advice.values.extend(worth);
            }
            advice.unmet |= beyond.iter().any(|&beyond| beyond > 0);
        }
        advice
    }

    /// The groups that can relieve a file; none if there is too much to look at.
    fn candidates(
        &self,
        file: File,
        beyond: &[i32],
        accessed: &SecondaryMap<VirtualRegister, SmallVec<[u32; 4]>>,
    ) -> Option<Vec<Candidate>> {
        let points = (0..).zip(beyond).filter(|(_, beyond)| **beyond > 0);
        let overfull: Vec<u32> = points.map(|(point, _)| point).collect();
        let mut work = 0;
        let mut candidates = Vec::new();
        for &root in self.nodes {
            let width = self.demand.width(self.problem.class[root], file);
            let cost = self.problem.group_cost(root);
            if width == 0 || !cost.is_finite() {
                continue;
            }
            let members = self.problem.groups.members(root).iter();
            let mut own: Vec<u32> = members
                .flat_map(|&(value, _)| accessed[value].iter().copied())
                .collect();
            own.sort_unstable();
            let segments = self.groups.segments(self.ranges, root);
            let points = relieved(segments, &overfull, &own);
            work += points.len();
            if work > WORK {
                return None;
            }
            if !points.is_empty() {
                candidates.push(Candidate {
                    root,
                    cost,
                    width: width as i32,
                    points,
                });
            }
        }
        Some(candidates)
    }
}

/// The overfull points in the segments, but for some.
fn relieved(segments: &[Segment], overfull: &[u32], but: &[u32]) -> Vec<u32> {
    let mut points = Vec::new();
    for segment in segments {
        let first = overfull.partition_point(|&point| point < segment.start);
        let inside = overfull[first..].iter().copied();
        let inside = inside.take_while(|&point| point < segment.end);
        points.extend(inside.filter(|point| but.binary_search(point).is_err()));
    }
    points
}

/// The points at which a value has a register although it is spilled.
fn accessed_points(function: &Function) -> SecondaryMap<VirtualRegister, SmallVec<[u32; 4]>> {
    let mut accessed: SecondaryMap<_, SmallVec<[u32; 4]>> = SecondaryMap::new();
    for instruction in function.instructions.keys() {
        let early = 2 * instruction.as_u32();
        for operand in function.instruction_operands(instruction) {
            if let Some(value) = operand.virtual_register() {
                if operand.reads() || operand.is_early_clobber() {
                    accessed[value].push(early);
                }
                if operand.is_definition() {
                    accessed[value].push(early + 1);
                }
            }
        }
    }
    accessed
}

/// The candidates to spill; takes their width off the demand.
fn choose(candidates: &[Candidate], beyond: &mut [i32]) -> Vec<VirtualRegister> {
    let mut queue: BinaryHeap<_> = (0..candidates.len())
        .filter_map(|index| Some(Reverse((candidates[index].ratio(beyond)?, index))))
        .collect();
    let mut chosen = Vec::new();
    while let Some(Reverse((_, index))) = queue.pop() {
        let candidate = &candidates[index];
        // Relief only falls, so the ratio only rises.
        let Some(ratio) = candidate.ratio(beyond) else {
            continue;
        };
        if queue
            .peek()
            .is_some_and(|&Reverse(next)| (ratio, index) > next)
        {
            queue.push(Reverse((ratio, index)));
            continue;
        }
        candidate.add(-candidate.width, beyond);
        chosen.push(index);
    }
    let mut dearest = chosen.clone();
    dearest.sort_by(|&a, &b| candidates[b].cost.total_cmp(&candidates[a].cost));
    for index in dearest {
        let candidate = &candidates[index];
        let fits = |&point: &u32| beyond[point as usize] + candidate.width <= 0;
        if candidate.points.iter().all(fits) {
            candidate.add(candidate.width, beyond);
            chosen.retain(|&other| other != index);
        }
    }
    let roots = chosen.into_iter().map(|index| candidates[index].root);
    roots.collect()
}

impl Candidate {
    /// Cost for relief, as bits, which are in the order of what is not negative; none
    /// without relief.
    fn ratio(&self, beyond: &[i32]) -> Option<u64> {
        let points = self.points.iter();
        let relief = points.map(|&point| i64::from(beyond[point as usize].clamp(0, self.width)));
        let relief: i64 = relief.sum();
        (relief > 0).then(|| (self.cost / relief as f64).to_bits())
    }

    fn add(&self, width: i32, beyond: &mut [i32]) {
        for &point in &self.points {
            beyond[point as usize] += width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: usize = 10;

    fn candidate(root: u32, cost: f64, width: i32, points: &[u32]) -> Candidate {
        Candidate {
            root: VirtualRegister::from_u32(root),
            cost,
            width,
            points: points.to_vec(),
        }
    }

    fn chosen(candidates: &[Candidate], beyond: &mut [i32; POINTS]) -> Vec<u32> {
        let roots = choose(candidates, beyond).into_iter();
        roots.map(VirtualRegister::as_u32).collect()
    }

    #[test]
    fn one_long_range_goes_rather_than_two_short_ones() {
        let candidates = [
            candidate(0, 2.0, 1, &[1, 2]),
            candidate(1, 3.0, 1, &[1, 2, 5, 6]),
            candidate(2, 2.0, 1, &[5, 6]),
        ];
        let mut beyond = [0, 1, 1, 0, 0, 1, 1, 0, 0, 0];
        assert_eq!(chosen(&candidates, &mut beyond), [1]);
        assert_eq!(beyond, [0; POINTS]);
    }

    #[test]
    fn what_later_choices_make_needless_comes_back() {
        // The first is the cheapest for its relief, but the second must go anyway.
        let candidates = [
            candidate(0, 1.0, 1, &[1, 2]),
            candidate(1, 9.0, 1, &[1, 2, 3]),
        ];
        let mut beyond = [0, 1, 1, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(chosen(&candidates, &mut beyond), [1]);
        assert_eq!(beyond, [0; POINTS]);
    }

    #[test]
    fn a_wide_value_relieves_no_more_than_is_beyond() {
        let candidates = [candidate(0, 3.0, 2, &[1, 2]), candidate(1, 2.0, 1, &[1, 2])];
        assert_eq!(
            chosen(&candidates, &mut [0, 1, 1, 0, 0, 0, 0, 0, 0, 0]),
            [1]
        );
        assert_eq!(
            chosen(&candidates, &mut [0, 2, 2, 0, 0, 0, 0, 0, 0, 0]),
            [0]
        );
    }

    #[test]
    fn points_of_access_are_not_relieved() {
        let segments = [Segment { start: 1, end: 4 }, Segment { start: 6, end: 8 }];
        assert_eq!(relieved(&segments, &[0, 1, 2, 3, 4, 7, 9], &[2]), [1, 3, 7]);
    }
}
