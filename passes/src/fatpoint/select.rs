//! Fat-point select: colours by histograms of what is in each register along a
//! value's live range.
//!
//! For every value on the stack the primary histogram counts, slot by slot, the
//! points of its range at which the slot is occupied; the scan takes the least,
//! breaking ties by the secondary one: registers that save a copy, then those that
//! keep pairs and quads whole and new registers untouched. Only a slot that is free
//! at every point is taken, and the lists of occupants confirm that before. Where
//! none is, the cheapest occupants below the discard threshold give way if they
//! cost less than the value; what finds no register is spilled. There is no
//! interference graph. Time: for each value the chunks of its range, and the slots
//! of its class. Source: ptxas document, "core fat-point allocator" and "register
//! assignment".

use super::coalesce::GroupRanges;
use super::column_occupancy::ColumnOccupancy;
use super::columns::Columns;
use super::epochs::Epochs;
use super::histogram::{Histogram, IMPOSSIBLE};
use crate::analysis::live_range::{LiveRanges, Segment, union};
use crate::assign::colouring::{Assignments, Colouring, Surroundings};
use crate::assign::evict;
use crate::assign::groups::Member;
use crate::assign::hints::{self, Hints};
use crate::assign::problem::Problem;
use crate::assign::{exchange, tuples as wide};
use crate::error::Error;
use crate::function::VirtualRegister;
use crate::machine::{Class, Machine, Register, SubRegisterIndex};
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;
use std::borrow::Cow;

/// Secondary cost of a slot that saves no copy, where others do.
const SAVES_NO_COPY: u32 = 1024;
/// Secondary cost of a column that nothing has used yet.
const UNTOUCHED: u32 = 128;
/// Secondary cost of breaking a pair that is free, and of breaking a free quad.
const BREAKS_PAIR: u32 = 32;
const BREAKS_QUAD: u32 = 16;
/// The most that bank conflicts count: less than all else.
const MOST_CONFLICTS: u32 = 15;

/// What select is to do.
pub struct Options {
    /// Registers that save copies are known.
    pub hints: bool,
    /// Prefer the registers of copies' other ends, and move values there at the end: not
    /// with knob 638.
    pub retarget: bool,
    /// Do not break pairs and quads of free registers: knob 683.
    pub keep_pairs: bool,
    /// Prefer registers that the blocks of a value's range have used: knob 682.
    pub epochs: bool,
    /// Slots more contested than this are discarded: knob 684.
    pub threshold: u32,
}

/// Colours the tuples of these numbers, then the nodes of the stack, last first.
///
/// # Errors
/// When the values of one instruction do not fit.
pub fn select(
    problem: &Problem,
    ranges: &LiveRanges,
    groups: &GroupRanges,
    stack: &[VirtualRegister],
    tuples: &[u32],
    options: &Options,
) -> Result<Colouring, Error> {
    let mut state = FatPoint::with_tuples(problem, ranges, groups, tuples, options);
    let mut alone = Vec::new();
    for &node in stack.iter().rev() {
        if state.colouring.register(node).is_some() {
            continue;
        }
        let members = problem.groups.members(node);
        match state.choose(problem.class[node], node, members) {
            Some(register) => state.assign_group(members, register, problem.machine),
            None => alone.extend(members.iter().map(|&(value, _)| value)),
        }
    }
    state.colour_alone(alone)?;
    if let Some(hints) = state.hints.take() {
        if options.retarget {
            hints::mend_copies(problem, &mut state, &hints);
        }
        if state.colouring.failed().is_empty() {
            exchange::mend_tuples(problem, &mut state, &hints);
        }
    }
    Ok(state.colouring)
}

/// The registers that these tuples get before anything else is coloured.
pub fn precolour(
    problem: &Problem,
    ranges: &LiveRanges,
    groups: &GroupRanges,
    tuples: &[u32],
    options: &Options,
) -> Colouring {
    FatPoint::with_tuples(problem, ranges, groups, tuples, options).colouring
}

/// Whether some class has pairs, whose halves are worth keeping together.
fn has_pairs(problem: &Problem) -> bool {
    let machine = problem.machine;
    let mut classes = machine.classes.values();
    classes.any(|data| data.order.first().is_some_and(|&r| machine.width(r) > 1))
}

/// The colouring in the making.
struct FatPoint<'a> {
    problem: &'a Problem<'a>,
    ranges: &'a LiveRanges<'a>,
    groups: &'a GroupRanges,
    hints: Option<Hints>,
    retarget: bool,
    threshold: u32,
    colouring: Colouring,
    columns: Columns,
    occupancy: ColumnOccupancy,
    histogram: Histogram,
    /// The cost of each column that nothing has been put into.
    untouched: Vec<u32>,
    /// Whether there are pairs, and their halves are kept together.
    has_pairs: bool,
    epochs: Option<Epochs>,
}

impl<'a> FatPoint<'a> {
    /// Only these tuples are coloured yet.
    fn with_tuples(
        problem: &'a Problem,
        ranges: &'a LiveRanges,
        groups: &'a GroupRanges,
        tuples: &[u32],
        options: &Options,
    ) -> Self {
        let columns = Columns::new(problem.machine);
        let occupancy = ColumnOccupancy::new(ranges.points(), columns.count());
        let mut state = Self {
            problem,
            ranges,
            groups,
            hints: None,
            retarget: options.retarget,
            threshold: options.threshold,
            colouring: Colouring::new(problem.function),
            histogram: Histogram::new(occupancy.blocks()),
            untouched: vec![UNTOUCHED; columns.count() as usize],
            has_pairs: options.keep_pairs && has_pairs(problem),
            epochs: options
                .epochs
                .then(|| Epochs::new(problem.function, columns.count())),
            occupancy,
            columns,
        };
        let hints = options.hints.then(|| Hints::new(problem));
        wide::place(problem, &mut state, hints.as_ref(), tuples);
        state.hints = hints;
        state
    }
}

impl FatPoint<'_> {
    /// The best free register for a group, if there is one.
    fn choose(
        &mut self,
        class: Class,
        node: VirtualRegister,
        members: &[Member],
    ) -> Option<Register> {
        let (ranges, groups) = (self.ranges, self.groups);
        let segments = match members {
            [(value, _)] => ranges.segments(*value),
            _ => groups.segments(ranges, node),
        };
        self.fill_primary(class, segments, members);
        self.fill_secondary(class, node, members);
        if let Some(epochs) = &self.epochs {
            let slots = self.columns.slots(class);
            epochs.add(segments, slots, &mut self.histogram.secondary);
        }
        loop {
            let slot = self.histogram.minimum(self.threshold)?;
            if self.histogram.primary[slot] != 0 {
                return None;
            }
            let register = self.columns.slots(class).registers[slot];
            // The histogram sums the members' ranges; this looks at each.
            if self.is_free(register, &self.surroundings(members)) {
                return Some(register);
            }
            self.histogram.primary[slot] = IMPOSSIBLE;
        }
    }

    /// How contested each slot of the class is along the ranges of the members.
    fn fill_primary(&mut self, class: Class, segments: &[Segment], members: &[Member]) {
        let Self {
            problem,
            histogram,
            occupancy,
            ..
        } = self;
        histogram.clear();
        for &segment in segments {
            occupancy.for_each_row(segment, |row| histogram.count_row(row));
        }
        histogram.finish();
        let slots = self.columns.slots(class);
        histogram.gather(slots);
        let is_restricted = |&(value, _): &Member| {
            problem.function.virtual_registers[value].class != class
                || problem.restrictions.restrict(value)
        };
        if problem.reserved.is_some() || members.iter().any(is_restricted) {
            for (cost, &register) in histogram.primary.iter_mut().zip(&slots.registers) {
                if !problem.suits(register, members) {
                    *cost = IMPOSSIBLE;
                }
            }
        }
    }

    /// What makes one free slot better than another.
    fn fill_secondary(&mut self, class: Class, node: VirtualRegister, members: &[Member]) {
        let slots = self.columns.slots(class);
        let histogram = &mut self.histogram;
        histogram.start_secondary(slots, &self.untouched);
        if let (true, Some(contiguous)) = (self.has_pairs, slots.contiguous) {
            histogram.add_breaks(contiguous, BREAKS_PAIR, BREAKS_QUAD);
        }
        let together = &self.problem.read_together;
        if members.iter().any(|&(value, _)| !together.is_alone(value)) {
            let register_of = |value| self.colouring.register(value);
            let costs = histogram.secondary.iter_mut();
            for (cost, &register) in costs.zip(&slots.registers) {
                let conflicts = self.problem.bank_conflicts(register, members, register_of);
                *cost += conflicts.min(MOST_CONFLICTS);
            }
        }
        if let Some(hints) = self.hints.as_ref().filter(|_| self.retarget) {
            let wanted = hints.wanted(self.problem, &self.colouring, node, members);
            if !wanted.is_empty() {
                let costs = histogram.secondary.iter_mut();
                for (cost, register) in costs.zip(&slots.registers) {
                    let rank = wanted.iter().position(|one| one == register);
                    *cost += rank.map_or(SAVES_NO_COPY, |rank| rank as u32);
                }
            }
        }
    }

    /// Whether any member of a group has this register.
    fn is_in(&self, root: VirtualRegister, register: Register) -> bool {
        let mut members = self.problem.groups.members(root).iter();
        members.any(|&(value, _)| self.colouring.register(value) == Some(register))
    }

    /// Colours what found no register, or none with its group: those first that
    /// cannot be spilled.
    fn colour_alone(&mut self, mut values: Vec<VirtualRegister>) -> Result<(), Error> {
        values.sort_by_key(|&value| !self.problem.minimal[value]);
        let mut displaced = FixedBitSet::with_capacity(self.problem.costs.len());
        let mut next = 0;
        while let Some(&value) = values.get(next) {
            next += 1;
            let class = self.problem.function.virtual_registers[value].class;
            let member = [(value, SubRegisterIndex::WHOLE)];
            if let Some(register) = self.choose(class, value, &member) {
                self.set(value, Some(register));
            } else if self.problem.minimal[value] {
                evict::make_room(self.problem, self, value)?;
            } else if let Some((register, victims)) = self.cheaper_occupants(class, value) {
                for victim in victims {
                    self.set(victim, None);
                    // It may find another register, once.
                    if displaced.put(victim.as_u32() as usize) {
                        self.fail(victim);
                    } else {
                        values.push(victim);
                    }
                }
                self.set(value, Some(register));
            } else {
                self.fail(value);
            }
        }
        Ok(())
    }

    /// The slot, of those not discarded, whose occupants cost least together, if
    /// they cost less than the value. The primary histogram is the value's.
    fn cheaper_occupants(
        &self,
        class: Class,
        value: VirtualRegister,
    ) -> Option<(Register, Vec<VirtualRegister>)> {
        let slots = self.columns.slots(class);
        let mut best = None;
        let mut least = self.problem.costs[value];
        for (slot, &register) in slots.registers.iter().enumerate() {
            if self.histogram.primary[slot] > self.threshold {
                continue;
            }
            let victims = self.occupants(value, register);
            let cost = |&victim: &VirtualRegister| match self.problem.minimal[victim] {
                true => f64::INFINITY,
                false => self.problem.costs[victim],
            };
            let cost: f64 = victims.iter().map(cost).sum();
            if cost < least {
                least = cost;
                best = Some((register, victims));
            }
        }
        best
    }
}

/// What is in the registers. The members of a group that share a register are one
/// occupant, named by their root: where two of them are live at once they are equal.
impl FatPoint<'_> {
    /// Where the members of a group that have this register are live.
    fn segments_in(&self, root: VirtualRegister, register: Register) -> Cow<'_, [Segment]> {
        let members = self.problem.groups.members(root);
        if let [(value, _)] = members {
            return Cow::Borrowed(self.ranges.segments(*value));
        }
        let is_there = |&&(value, _): &&Member| self.colouring.register(value) == Some(register);
        let there = members.iter().filter(is_there);
        if there.clone().count() == members.len() {
            return Cow::Borrowed(self.groups.segments(self.ranges, root));
        }
        let segments = there.flat_map(|&(value, _)| self.ranges.segments(value));
        Cow::Owned(union(segments.copied().collect()))
    }

    /// Takes a group's members out of a register, as far as they are in it.
    fn leave(&mut self, root: VirtualRegister, register: Register) {
        let segments = self.segments_in(root, register).into_owned();
        for column in self.columns.of(self.problem.machine, register) {
            for &segment in &segments {
                self.occupancy.leave(segment, column);
            }
        }
    }

    /// Puts those of a group's members into a register that have it.
    fn enter(&mut self, root: VirtualRegister, register: Register) {
        let segments = self.segments_in(root, register).into_owned();
        for column in self.columns.of(self.problem.machine, register) {
            self.untouched[column as usize] = 0;
            if let Some(epochs) = &mut self.epochs {
                epochs.touch(&segments, column);
            }
            for &segment in &segments {
                self.occupancy.enter(root, segment, column);
            }
        }
    }

    /// The values that are in a column at any point of the segment.
    fn values_in(
        &self,
        segment: Segment,
        column: u32,
    ) -> impl Iterator<Item = VirtualRegister> + use<'_> {
        let roots = self.occupancy.occupants(segment, column);
        let members = roots.flat_map(|root| self.problem.groups.members(root));
        members.map(|&(value, _)| value).filter(move |&value| {
            let register = self.colouring.register(value);
            let columns = register.map(|one| self.columns.of(self.problem.machine, one));
            let is_there = columns.is_some_and(|columns| columns.contains(&column));
            let mut segments = self.ranges.segments(value).iter();
            is_there && segments.any(|one| one.start < segment.end && segment.start < one.end)
        })
    }
}

impl Assignments for FatPoint<'_> {
    fn colouring(&self) -> &Colouring {
        &self.colouring
    }

    fn colouring_mut(&mut self) -> &mut Colouring {
        &mut self.colouring
    }

    fn set(&mut self, value: VirtualRegister, register: Option<Register>) {
        let (root, _) = self.problem.groups.find(value);
        let before = self.colouring.register(value);
        for register in [before, register].into_iter().flatten() {
            if self.is_in(root, register) {
                self.leave(root, register);
            }
        }
        self.colouring.set(value, register);
        for register in [before, register].into_iter().flatten() {
            if self.is_in(root, register) {
                self.enter(root, register);
            }
        }
    }

    fn assign_group(&mut self, members: &[Member], register: Register, machine: &Machine) {
        let [(root, _), rest @ ..] = members else {
            return;
        };
        let before = self.colouring.register(*root);
        let together = |&(value, _): &Member| self.colouring.register(value) == before;
        if !rest.iter().all(together) {
            for &(value, part) in members {
                self.set(value, machine.part(register, part));
            }
            return;
        }
        if let Some(before) = before {
            self.leave(*root, before);
        }
        for &(value, part) in members {
            self.colouring.set(value, machine.part(register, part));
        }
        self.enter(*root, register);
    }

    fn occupants(&self, value: VirtualRegister, register: Register) -> Vec<VirtualRegister> {
        let mut occupants = Vec::new();
        for column in self.columns.of(self.problem.machine, register) {
            for &segment in self.ranges.segments(value) {
                occupants.extend(self.values_in(segment, column));
            }
        }
        occupants.sort_unstable();
        occupants.dedup();
        occupants.retain(|&occupant| occupant != value);
        occupants
    }

    /// What no column's histogram has anything in.
    fn free_registers(
        &mut self,
        problem: &Problem,
        root: VirtualRegister,
        members: &[Member],
    ) -> Vec<bool> {
        let (ranges, groups) = (self.ranges, self.groups);
        let segments = match members {
            [(value, _)] => ranges.segments(*value),
            _ => groups.segments(ranges, root),
        };
        self.fill_primary(problem.class[root], segments, members);
        let primary = self.histogram.primary.iter();
        primary.map(|&count| count == 0).collect()
    }

    /// The members alone: the columns are asked each time.
    fn surroundings<'a>(&self, members: &'a [Member]) -> Surroundings<'a> {
        Surroundings {
            members,
            occupied: SmallVec::new(),
        }
    }

    fn is_free(&self, register: Register, surroundings: &Surroundings) -> bool {
        let members = surroundings.members;
        let machine = self.problem.machine;
        let columns = self.columns.of(machine, register);
        let is_member = |other| members.iter().any(|&(member, _)| member == other);
        self.problem.suits(register, members)
            && columns.iter().all(|&column| {
                let segments = |&(value, _): &Member| self.ranges.segments(value).iter();
                let mut segments = members.iter().flat_map(segments);
                segments.all(|&segment| self.values_in(segment, column).all(is_member))
            })
    }
}
