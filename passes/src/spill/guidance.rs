//! Spill guidance: which values to spill, and where, so that nowhere more registers are
//! needed than there are.
//!
//! Select finds out value by value what has no register, and spills what failed; it
//! does not see that one long range would have made room for ten short ones. Guidance
//! looks at the whole function: at every point where the demand is beyond a register
//! file, something must wait in memory. What costs least for the columns it relieves
//! goes first, until the demand is met: a gap between two accesses of a value, or all
//! of a group (see [`super::relief`]). Source: ptxas document, spill guidance (a queue
//! of candidates for each class and a target that retries lower); Bernstein et al. 1989
//! for the heuristic. Time: for each value the points beyond the file at which it is
//! live, times the logarithm of the gaps; above [`WORK`] such pairs it stands back.

use super::gap_costs::GapCosts;
use super::gaps::{GapFinder, Gaps};
use super::relief::{Candidate, Member, choose};
use super::work::{Spilled, Work};
use crate::analysis::demand::Demand;
use crate::analysis::live_range::{LiveRanges, Segment};
use crate::analysis::liveness::Liveness;
use crate::coalesce::ranges::GroupRanges;
use crate::function::{Function, VirtualRegister};
use crate::machine::File;
use crate::problem::Problem;
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// Pairs of a value and a point that are looked at.
const WORK: usize = 20_000_000;

/// What guidance knows of a function.
pub struct Guidance<'a> {
    /// Values, groups and costs.
    pub problem: &'a Problem<'a>,
    /// What is live between blocks.
    pub liveness: &'a Liveness,
    /// The live ranges of the values.
    pub ranges: &'a LiveRanges,
    /// And of the groups.
    pub groups: &'a GroupRanges,
    /// What is needed where.
    pub demand: &'a Demand,
    /// The function, and what can be computed anew.
    pub work: &'a Work,
    /// The groups' roots.
    pub nodes: &'a [VirtualRegister],
    /// Values may wait in memory during some gaps only.
    pub split: bool,
}

/// What guidance advises.
#[derive(Debug, Default)]
pub struct Advice {
    /// What to spill, in the order of the groups.
    pub spilled: Vec<Spilled>,
    /// Somewhere the demand stays beyond the file whatever is spilled.
    pub unmet: bool,
}

/// Something that may be spilled, before its gaps are known.
struct Found {
    root: VirtualRegister,
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
            let points = (0..).zip(&beyond).filter(|(_, beyond)| **beyond > 0);
            let overfull: Vec<u32> = points.map(|(point, _)| point).collect();
            let Some(found) = self.find(file, &overfull, &accessed) else {
                return Advice::default();
            };
            let mut candidates = self.candidates(found, &overfull);
            choose(&mut candidates, &mut beyond);
            for candidate in candidates {
                let members = candidate.members.into_iter();
                advice.spilled.extend(members.filter_map(spilled));
            }
            advice.unmet |= beyond.iter().any(|&beyond| beyond > 0);
        }
        advice
    }

    /// The groups that can relieve a file; none if there is too much to look at.
    fn find(
        &self,
        file: File,
        overfull: &[u32],
        accessed: &SecondaryMap<VirtualRegister, SmallVec<[u32; 4]>>,
    ) -> Option<Vec<Found>> {
        let mut work = 0;
        let mut found = Vec::new();
        for &root in self.nodes {
            let width = self.demand.width(self.problem.class[root], file) as i32;
            if width == 0 || !self.problem.group_cost(root).is_finite() {
                continue;
            }
            let members = self.problem.groups.members(root).iter();
            let mut own: Vec<u32> = members
                .flat_map(|&(value, _)| accessed[value].iter().copied())
                .collect();
            own.sort_unstable();
            let segments = self.groups.segments(self.ranges, root);
            let points = relieved(segments, overfull, &own);
            work += points.len();
            if work > WORK {
                return None;
            }
            if !points.is_empty() {
                found.push(Found {
                    root,
                    width,
                    points,
                });
            }
        }
        Some(found)
    }

    /// Finds the gaps of the groups' members.
    fn candidates(&self, found: Vec<Found>, overfull: &[u32]) -> Vec<Candidate> {
        let problem = self.problem;
        let mut wanted = SecondaryMap::new();
        for one in &found {
            for &(value, _) in problem.groups.members(one.root) {
                wanted[value] = self.may_split(value);
            }
        }
        let mut finder = GapFinder::new(self.work, self.liveness, &wanted);
        let candidate = |one: Found| {
            let members = problem.groups.members(one.root);
            let values = members.iter().map(|&(value, _)| value);
            let worth = values.filter(|&value| !problem.minimal[value]);
            let members: Vec<_> = worth
                .map(|value| {
                    let gaps = match wanted[value] {
                        true => finder.gaps(value),
                        false => None,
                    };
                    let costs = gaps.map(|gaps| {
                        let points = self.waiting(&gaps, value, members, overfull);
                        (
                            GapCosts::new(gaps, self.work.recipes[value].is_some()),
                            points,
                        )
                    });
                    Member::new(value, problem.costs[value], costs)
                })
                .collect();
            Candidate::new(one.width, members, one.points)
        };
        found.into_iter().map(candidate).collect()
    }

    /// Whether a value may be in memory and in registers by turns.
    fn may_split(&self, value: VirtualRegister) -> bool {
        let class = self.problem.function.virtual_registers[value].class;
        self.split && !self.problem.minimal[value] && self.problem.machine.can_split(class)
    }

    /// For each gap the overfull points at which its value is the only one of its group
    /// that needs the register.
    fn waiting(
        &self,
        gaps: &Gaps,
        value: VirtualRegister,
        members: &[(VirtualRegister, crate::machine::SubRegisterIndex)],
        overfull: &[u32],
    ) -> Vec<Vec<u32>> {
        let others = || {
            let others = members.iter().map(|&(other, _)| other);
            others.filter(|&other| other != value)
        };
        let alone = |point: u32| {
            !others().any(|other| {
                let segments = self.ranges.segments(other);
                let at = segments.partition_point(|segment| segment.end <= point);
                segments.get(at).is_some_and(|one| one.start <= point)
            })
        };
        let mut points = vec![Vec::new(); gaps.count as usize];
        for (part, &gap) in gaps.parts.iter().zip(&gaps.gap_of) {
            let (start, end) = part.points(self.problem.function, &gaps.accesses);
            let first = overfull.partition_point(|&point| point < start);
            let inside = overfull[first..].iter().copied();
            let inside = inside.take_while(|&point| point < end);
            points[gap as usize].extend(inside.filter(|&point| alone(point)));
        }
        points
    }
}

/// How a member is spilled, if it is.
fn spilled(member: Member) -> Option<Spilled> {
    let Member {
        value, whole, gaps, ..
    } = member;
    let pieces = match gaps {
        _ if whole => None,
        Some((costs, _)) if costs.is_everywhere() => None,
        Some((costs, _)) if costs.is_anywhere() => Some(costs.pieces()),
        _ => return None,
    };
    Some(Spilled { value, pieces })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_access_are_not_relieved() {
        let segments = [Segment { start: 1, end: 4 }, Segment { start: 6, end: 8 }];
        assert_eq!(relieved(&segments, &[0, 1, 2, 3, 4, 7, 9], &[2]), [1, 3, 7]);
    }
}
