//! Spill guidance: which values to spill, and where, so that nowhere more registers are
//! needed than there are.
//!
//! Select finds out value by value what has no register, and spills what failed; it
//! does not see that one long range would have made room for ten short ones. Guidance
//! looks at the whole function: at every point where the demand is beyond a register
//! file, something must wait in memory. What costs least for the columns it relieves
//! goes first, until the demand is met: a gap between two accesses of a value, or all
//! of it (see [`super::relief`]). Source: ptxas document, spill guidance (a queue
//! of candidates for each class and a target that retries lower); Bernstein et al. 1989
//! for the heuristic. Time: for each value the points beyond the file at which it is
//! live, times the logarithm of the gaps; above [`WORK`] such pairs it stands back.

use super::gap_costs::GapCosts;
use super::gaps::{Gap, GapFinder, Gaps};
use super::overfull::{Overfull, OverfullPoints};
use super::relief::{Between, Candidate, WithGaps, choose};
use super::split_limits::SplitLimits;
use super::work::{Spilled, Work};
use crate::analysis::demand::Demand;
use crate::analysis::in_flight::values_in_flight;
use crate::analysis::live_range::{LiveRanges, Segment};
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::assign::problem::Problem;
use crate::function::{Function, Instruction, OperandFlags, VirtualRegister};
use crate::machine::File;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;
use tracing::debug;

/// Pairs of a value and a point that are looked at.
const WORK: usize = 20_000_000;

/// What guidance knows of a function.
pub struct Guidance<'a> {
    /// The values and their costs.
    pub problem: &'a Problem<'a>,
    /// The function, and what can be rematerialised.
    pub work: &'a Work,
    /// What is live between blocks.
    pub liveness: &'a Liveness,
    /// The live ranges of the values.
    pub ranges: &'a LiveRanges<'a>,
    /// What is needed where.
    pub demand: &'a Demand,
    /// Which values may wait in memory during some gaps only.
    pub limits: SplitLimits,
    /// What is used again farthest on goes first.
    pub distance: bool,
}

/// What guidance advises.
#[derive(Debug, Default)]
pub struct Advice {
    /// What to spill.
    pub spilled: Vec<Spilled>,
    /// Somewhere the demand stays beyond the file whatever is spilled.
    pub unmet: bool,
}

/// Something that may be spilled, before its gaps are known.
struct Found {
    value: VirtualRegister,
    width: i32,
    /// The points beyond the file at which it would need no register any more.
    points: OverfullPoints,
}

impl Guidance<'_> {
    /// What to spill so that `spare` registers of each of these files stay free wherever
    /// the demand is beyond that. What is of no use unless it suffices is nothing where a file
    /// has no value to spill.
    pub fn advice(&self, files: &[File], spare: u32, must_suffice: bool) -> Advice {
        let mut advice = Advice::default();
        let is_excess = |file: &File| self.demand.excess(*file).iter().any(|&excess| excess > 0);
        let files: Vec<File> = files.iter().copied().filter(is_excess).collect();
        if files.is_empty() {
            return advice;
        }
        let accessed = accessed_points(self.work);
        let mut all = Vec::new();
        for file in files {
            let excess = self.demand.excess(file).iter();
            let (overfull, missing) = Overfull::new(excess.map(|one| one + spare as i32));
            match self.find(file, &overfull, &accessed) {
                Some(found) if !must_suffice || !found.is_empty() => {
                    all.push((file, overfull, missing, found));
                }
                _ => {
                    advice.unmet = true;
                    return advice;
                }
            }
        }
        for (file, overfull, mut missing, found) in all {
            let mut candidates = self.candidates(file, found, &overfull);
            choose(&mut candidates, &mut missing);
            let spilled = candidates.iter().filter_map(|one| self.spilled(one));
            let before = advice.spilled.len();
            advice.spilled.extend(spilled);
            let (points, values) = (overfull.count(), advice.spilled.len() - before);
            debug!(%file, points, values, "guidance advises");
            advice.unmet |= missing.iter().any(|&columns| columns > 0);
        }
        advice
    }

    /// The values that can relieve a file; none if there is too much to look at.
    fn find(
        &self,
        file: File,
        overfull: &Overfull,
        accessed: &SecondaryMap<VirtualRegister, SmallVec<[ProgramPoint; 4]>>,
    ) -> Option<Vec<Found>> {
        let problem = self.problem;
        let mut work = 0;
        let mut found = Vec::new();
        for value in problem.function.virtual_registers.keys() {
            let width = self.demand.width(problem.class[value], file) as i32;
            if width == 0 || problem.minimal[value] || !problem.costs[value].is_finite() {
                continue;
            }
            let segments = self.ranges.segments(value);
            let points = overfull.relieved(segments, &accessed[value]);
            work += points.len();
            if work > WORK {
                return None;
            }
            if !points.is_empty() {
                found.push(Found {
                    value,
                    width,
                    points,
                });
            }
        }
        Some(found)
    }

    /// Finds the values' gaps.
    fn candidates(&self, file: File, found: Vec<Found>, overfull: &Overfull) -> Vec<Candidate> {
        let (function, machine) = (self.problem.function, self.problem.machine);
        let mut wanted = SecondaryMap::new();
        for one in &found {
            let class = function.virtual_registers[one.value].class;
            let steers = self.work.steers(one.value);
            wanted[one.value] = self.limits.allow(machine, class) && !steers;
        }
        let mut finder = GapFinder::new(self.work, self.liveness, &wanted);
        let in_flight = values_in_flight(function);
        let candidate = |mut one: Found| {
            let value = one.value;
            let gaps = wanted[value].then(|| finder.gaps(value)).flatten();
            if in_flight[value] {
                // No more is relieved than the gaps that it may spend in memory.
                one.points = OverfullPoints::default();
            }
            let by_gap = gaps.as_ref().filter(|_| self.distance);
            let by_gap = by_gap.map(|gaps| distances(function, gaps));
            let gaps = gaps.map(|gaps| {
                let again = self.work.rematerialisation_cost(value).map(|cost| cost.all);
                let between = between(function, &gaps, overfull);
                let mut points = waiting(function, &gaps, overfull);
                for (gap, points) in points.iter_mut() {
                    if gaps.held[gap] {
                        *points = OverfullPoints::default();
                    }
                }
                let mut costs = GapCosts::new(gaps, again, self.work.reload_cost.reload);
                if self.work.reload_cost.pressure > 0.0 {
                    costs.add_pressure(|at| self.pressure(file, at));
                }
                WithGaps {
                    costs,
                    points,
                    between,
                }
            });
            let cost = self.problem.costs[value];
            let all = self.distance.then(|| length(self.ranges.segments(value)));
            let candidate = Candidate::new(value, cost, one.width, one.points, gaps);
            let candidate = candidate.by_distance(by_gap, all);
            // On a GPU it is ptxas that finds registers.
            match machine.limited_file() {
                None => candidate.coming_back(),
                Some(_) => candidate,
            }
        };
        found.into_iter().map(candidate).collect()
    }

    /// What is added to the cost of a reload at an instruction: where no register of the
    /// file is left another value goes, and comes back or dies.
    fn pressure(&self, file: File, at: Instruction) -> f64 {
        let excess = self.demand.excess(file)[ProgramPoint::early(at).index()];
        match excess >= 0 {
            true => self.work.reload_cost.pressure,
            false => 0.0,
        }
    }

    /// How a value is spilled, if it is.
    fn spilled(&self, candidate: &Candidate) -> Option<Spilled> {
        let value = candidate.value;
        let everywhere = Some(Spilled::everywhere(value));
        match &candidate.gaps {
            _ if candidate.whole => everywhere,
            Some(costs) if costs.is_everywhere() => everywhere,
            Some(costs) if costs.is_anywhere() => {
                let in_part = costs.total();
                match self.limits.worth_while(costs.total_everywhere(), in_part) {
                    true => Some(Spilled {
                        value,
                        pieces: Some(costs.pieces()),
                    }),
                    false => everywhere,
                }
            }
            _ => None,
        }
    }
}

/// For each gap the overfull points at which its value only waits.
fn waiting(
    function: &Function,
    gaps: &Gaps,
    overfull: &Overfull,
) -> PrimaryMap<Gap, OverfullPoints> {
    let mut points = gaps.each(OverfullPoints::default());
    for (part, segment) in gaps.points(function) {
        points[gaps.gap_of[part]].push(overfull.within(segment));
    }
    points
}

/// What the value needs no register for where it is in memory before and behind it: accesses
/// that can take place there, and the ends of blocks where it would be loaded otherwise.
fn between(function: &Function, gaps: &Gaps, overfull: &Overfull) -> Vec<Between> {
    let folding = gaps.accesses.iter().filter(|(_, access)| access.folds);
    let accesses = folding.map(|(index, access)| {
        let mut points = OverfullPoints::default();
        for point in access.points() {
            points.push(overfull.at(point));
        }
        Between {
            gaps: gaps.around[index],
            points,
        }
    });
    let crossings = gaps.crossings(function).map(|(boundary, segment)| {
        let mut points = OverfullPoints::default();
        points.push(overfull.within(segment));
        Between {
            gaps: (Some(boundary.from), Some(boundary.to)),
            points,
        }
    });
    let between = accesses.chain(crossings);
    between.filter(|one| !one.points.is_empty()).collect()
}

/// For each gap the points from one access to the next.
fn distances(function: &Function, gaps: &Gaps) -> PrimaryMap<Gap, i64> {
    let mut distances = gaps.each(0);
    for (part, segment) in gaps.points(function) {
        distances[gaps.gap_of[part]] += length(&[segment]);
    }
    distances
}

/// The points of the segments.
fn length(segments: &[Segment]) -> i64 {
    let lengths = segments
        .iter()
        .map(|one| i64::from(one.end.number() - one.start.number()));
    lengths.sum()
}

/// The points at which a value has a register although it is spilled: those of its accesses,
/// but for what takes place in memory then.
fn accessed_points(work: &Work) -> SecondaryMap<VirtualRegister, SmallVec<[ProgramPoint; 4]>> {
    let function = &work.function;
    let in_memory = OperandFlags::FOLDABLE | OperandFlags::LOADABLE;
    let mut accessed: SecondaryMap<_, SmallVec<[ProgramPoint; 4]>> = SecondaryMap::new();
    for instruction in function.instructions.keys() {
        for operand in function.instruction_operands(instruction) {
            if let Some(value) = operand.virtual_register() {
                let folds = operand.flags.intersects(in_memory);
                if folds && work.can_fold(instruction, value) {
                    continue;
                }
                if operand.reads() || operand.is_early_clobber() {
                    accessed[value].push(ProgramPoint::early(instruction));
                }
                if operand.is_definition() {
                    accessed[value].push(ProgramPoint::late(instruction));
                }
            }
        }
    }
    // Definitions stand before uses, in an instruction.
    accessed
        .values_mut()
        .for_each(|points| points.sort_unstable());
    accessed
}
