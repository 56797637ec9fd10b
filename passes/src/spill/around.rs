//! Splitting around interference: what finds no register may have one for a while.
//!
//! When select fails, most values have their registers. For a group without one, each
//! register of its class is free during some of its gaps and taken in others. The one
//! is chosen for which it costs least to be in memory where it is taken; an access at
//! which it is taken gets a short range of its own. If that is not cheaper than being
//! in memory all the time, the group is. On a CPU a value alone goes on in another register
//! where one is free (see [`super::placement`]); on a GPU it is ptxas that finds registers,
//! and moves are nothing to it. Source: the split modes of LLVM's greedy allocator, whose
//! regions these gaps replace. Time: for each failed group, registers of its class times calls
//! and parts of its gaps, times the logarithm of what is in a register; above [`WORK`] of these
//! the rest is spilled everywhere.

use super::gap_costs::GapCosts;
use super::gaps::{Access, AccessIndex, Gap, GapFinder, Part, each_around};
use super::placement::Placement;
use super::split_limits::SplitLimits;
use super::unit_occupancy::UnitOccupancy;
use super::work::{Spilled, Work};
use crate::analysis::live_range::{LiveRanges, Segment};
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::assign::colouring::Colouring;
use crate::assign::groups::Member;
use crate::assign::problem::Target;
use crate::function::{Function, VirtualRegister};
use crate::machine::{Class, Register};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

/// Parts and calls that are looked at, for each register again.
const WORK: usize = 100_000_000;

/// What select left behind.
pub struct Failure {
    /// The registers of all others.
    pub colouring: Colouring,
    /// What is live where.
    pub liveness: Liveness,
    /// The failed values, those of a group together, each with its part of the group's
    /// register.
    pub groups: Vec<Vec<Member>>,
}

/// How to spill what failed.
pub fn around(
    work: &Work,
    target: &Target,
    limits: &SplitLimits,
    failure: &Failure,
) -> Vec<Spilled> {
    let function = &work.function;
    let liveness = &failure.liveness;
    let ranges = LiveRanges::new(function, liveness);
    let mut occupancy = UnitOccupancy::new(function, target.machine, &target.pools, liveness);
    for value in function.virtual_registers.keys() {
        if let Some(register) = failure.colouring.register(value) {
            occupancy.add(register, ranges.segments(value));
        }
    }
    occupancy.settle();
    let mut wanted = SecondaryMap::new();
    for &(value, _) in failure.groups.iter().flatten() {
        let class = function.virtual_registers[value].class;
        wanted[value] = limits.allow(target.machine, class);
    }
    let mut splitter = Splitter {
        work,
        target,
        occupancy,
        limits,
        finder: GapFinder::new(work, liveness, &wanted),
        left: WORK,
    };
    let mut spilled = Vec::new();
    for group in &failure.groups {
        match group.iter().all(|&(value, _)| wanted[value]) {
            true => spilled.extend(splitter.group(group)),
            false => spilled.extend(everywhere(group)),
        }
    }
    spilled
}

fn everywhere(group: &[Member]) -> impl Iterator<Item = Spilled> {
    group.iter().map(|&(value, _)| Spilled::everywhere(value))
}

struct Splitter<'a> {
    work: &'a Work,
    target: &'a Target<'a>,
    limits: &'a SplitLimits,
    occupancy: UnitOccupancy<'a>,
    finder: GapFinder<'a>,
    left: usize,
}

/// A member of a group, with its gaps.
struct Waiting {
    value: VirtualRegister,
    costs: GapCosts,
}

impl Splitter<'_> {
    fn group(&mut self, group: &[Member]) -> Vec<Spilled> {
        let is_for_ptxas = self.target.machine.limited_file().is_some();
        let split = match group {
            &[(value, part)] if part.is_whole() && !is_for_ptxas => {
                self.in_registers(value).map(|one| vec![one])
            }
            _ => self.split(group),
        };
        split.unwrap_or_else(|| everywhere(group).collect())
    }

    /// The members in pieces, if that helps.
    fn split(&mut self, group: &[Member]) -> Option<Vec<Spilled>> {
        let mut members = Vec::new();
        for &(value, part) in group {
            members.push(self.waiting(value).filter(|_| part.is_whole())?);
        }
        let register = self.best(&mut members)?;
        let mut spilled = Vec::new();
        for member in &mut members {
            for gap in self.in_the_way(member, register) {
                member.costs.flip(gap);
            }
            let in_memory = &member.costs.in_memory;
            let segments = member.resident(&self.work.function, |gap| !in_memory[gap]);
            self.occupancy.add(register, &segments);
            let (value, costs) = (member.value, &member.costs);
            if costs.is_everywhere() {
                spilled.push(Spilled::everywhere(value));
            } else if costs.is_anywhere() {
                let pieces = Some(costs.pieces());
                spilled.push(Spilled { value, pieces });
            }
        }
        self.occupancy.settle_register(register);
        Some(spilled)
    }

    /// A value in several registers, and in memory where none of them is free.
    fn in_registers(&mut self, value: VirtualRegister) -> Option<Spilled> {
        let mut member = self.waiting(value)?;
        let gaps = &member.costs.gaps;
        let class = self.work.function.virtual_registers[value].class;
        let registers = &self.target.machine.classes[class].order;
        let parts = gaps.parts.len() + self.occupancy.clobber_count();
        self.left = self.left.checked_sub(parts * registers.len())?;
        let taken = registers.iter();
        let taken = taken.map(|&register| self.taken(&member, register));
        let taken: Vec<_> = taken.collect();
        let everywhere = member.costs.total_everywhere();
        let placement = Placement::cheapest(&mut member.costs, &taken)?;
        if !self.limits.worth_while(everywhere, placement.cost) {
            return None;
        }
        for (home, &register) in (0..).zip(&placement.registers) {
            let is_there = |gap| !placement.in_memory[gap] && placement.homes[gap] == home;
            let segments = member.resident(&self.work.function, is_there);
            self.occupancy.add(registers[register], &segments);
            self.occupancy.settle_register(registers[register]);
        }
        let rematerialisation = self.work.rematerialisation_cost(value).is_some();
        let pieces = Some(placement.pieces(&member.costs.gaps, rematerialisation));
        Some(Spilled { value, pieces })
    }

    fn waiting(&mut self, value: VirtualRegister) -> Option<Waiting> {
        let gaps = self.finder.gaps(value)?;
        let rematerialisation = self.work.rematerialisation_cost(value).map(|cost| cost.all);
        let costs = GapCosts::new(gaps, rematerialisation, self.work.reload_cost.reload);
        Some(Waiting { value, costs })
    }

    /// The register for which it costs least to be in memory where it is taken; none if
    /// being there everywhere is cheaper, or nothing is in its way.
    fn best(&mut self, members: &mut [Waiting]) -> Option<Register> {
        let costs = members.iter().map(|member| member.costs.total_everywhere());
        let everywhere: f64 = costs.sum();
        let mut least = everywhere;
        let class = |value| self.work.function.virtual_registers[value].class;
        let classes: SmallVec<[Class; 4]> = members.iter().map(|one| class(one.value)).collect();
        let mut best = None;
        for &register in &self.target.machine.classes[*classes.first()?].order {
            let contains = |&class: &Class| self.target.classes.contains(class, register);
            if !classes.iter().all(contains) {
                continue;
            }
            let mut cost = 0.0;
            let mut split = false;
            for member in &mut *members {
                let parts = member.costs.gaps.parts.len() + self.occupancy.clobber_count();
                self.left = self.left.checked_sub(parts)?;
                let gaps = self.in_the_way(member, register);
                if gaps.iter().any(|&gap| member.costs.gaps.held[gap]) {
                    cost = f64::INFINITY;
                    break;
                }
                split |= !gaps.is_empty();
                cost += member.costs.total_with(&gaps);
                if cost >= least {
                    break;
                }
            }
            if split && cost < least && self.limits.worth_while(everywhere, cost) {
                least = cost;
                best = Some(register);
            }
        }
        best
    }

    /// The gaps during which the register is taken, or which end at accesses at which
    /// it is.
    fn in_the_way(&self, member: &Waiting, register: Register) -> Vec<Gap> {
        let is_taken = self.taken(member, register);
        is_taken.keys().filter(|&gap| is_taken[gap]).collect()
    }

    /// For each gap whether it is in the way.
    fn taken(&self, member: &Waiting, register: Register) -> PrimaryMap<Gap, bool> {
        let gaps = &member.costs.gaps;
        let function = &self.work.function;
        let mut is_taken = gaps.each(false);
        for (part, &gap) in &gaps.gap_of {
            if !is_taken[gap] {
                let segment = occupied(function, &gaps.parts[part], &gaps.accesses);
                is_taken[gap] = !self.occupancy.is_free(register, segment);
            }
        }
        for (access, &around) in &gaps.around {
            if each_around(around).all(|gap| is_taken[gap]) {
                continue;
            }
            let access = &gaps.accesses[access];
            let segment = Segment {
                start: ProgramPoint::early(access.instruction),
                end: ProgramPoint::behind(access.instruction),
            };
            if !self.occupancy.is_free(register, segment) {
                each_around(around).for_each(|gap| is_taken[gap] = true);
            }
        }
        is_taken
    }
}

impl Waiting {
    /// The points at which it has a register, its accesses included. `is_there`: during a gap.
    fn resident(&self, function: &Function, is_there: impl Fn(Gap) -> bool) -> Vec<Segment> {
        let gaps = &self.costs.gaps;
        let parts = gaps.gap_of.iter();
        let parts = parts.filter(|&(_, &gap)| is_there(gap));
        parts
            .map(|(part, _)| occupied(function, &gaps.parts[part], &gaps.accesses))
            .collect()
    }
}

/// The points at which a value that stays in a register occupies it, from one access to
/// the next.
fn occupied(
    function: &Function,
    part: &Part,
    accesses: &PrimaryMap<AccessIndex, Access>,
) -> Segment {
    let data = &function.blocks[part.block];
    let point = |access: AccessIndex| ProgramPoint::late(accesses[access].instruction);
    let (start, end) = (part.after.map(point), part.before.map(point));
    Segment {
        start: start.unwrap_or(ProgramPoint::start_of(data)),
        end: end.unwrap_or(ProgramPoint::end_of(data)),
    }
}
