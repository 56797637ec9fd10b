//! Coalescing over live ranges, for the fat-point path.
//!
//! Copies are taken by weight. Their ends, with all that has joined them, become one
//! group if the members are equal wherever two of them are live. That is so as long
//! as no member is written while one of the other group is live, but by a copy of a
//! member: then the two are equal after it. There is no degree to be conservative
//! about: a group that gets no register is taken apart in select. Time: for each
//! copy the segments and definitions of the smaller group times a logarithm, the
//! larger one's copies of members in there, and where the ends join a merge of
//! sorted lists. Source: Chaitin's rule for copies, on ranges.

use crate::analysis::live_range::{Definition, LiveRanges, Segment, union};
use crate::assign::candidates::candidates;
use crate::assign::limits::Extent;
use crate::assign::merge::{
    Options, Refusal, Report, available_after, locate, raises_spill_weight, relate,
};
use crate::assign::problem::{Copy, Problem};
use crate::function::VirtualRegister;
use cranelift_entity::SecondaryMap;

/// The live ranges of groups of more than one member, by root.
#[derive(Default)]
pub struct GroupRanges {
    groups: SecondaryMap<VirtualRegister, Option<Box<Group>>>,
    extent: Extent,
    report: Report,
}

/// All members of a group together.
#[derive(Clone)]
struct Group {
    segments: Vec<Segment>,
    definitions: Vec<Definition>,
}

/// A group's lists, or a lone value's.
#[derive(Clone, Copy)]
struct Range<'a> {
    root: VirtualRegister,
    segments: &'a [Segment],
    definitions: &'a [Definition],
}

impl GroupRanges {
    /// Merges what can be merged.
    pub fn coalesce(problem: &mut Problem, ranges: &LiveRanges, options: &Options) -> Self {
        let mut groups = Self {
            extent: Extent::new(options.limits),
            ..Self::default()
        };
        let mut report = Report::default();
        for candidate in &candidates(problem, options, &mut report) {
            match groups.attempt(problem, ranges, &candidate.copy, options) {
                Ok(()) => report.accept(candidate),
                Err(why) => report.refuse(candidate, why),
            }
        }
        groups.report = report;
        groups
    }

    /// What came of it.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The segments of a root's group; of the root alone if nothing has joined it.
    pub fn segments<'a>(&'a self, ranges: &'a LiveRanges, root: VirtualRegister) -> &'a [Segment] {
        self.range(ranges, root).segments
    }

    fn range<'a>(&'a self, ranges: &'a LiveRanges, root: VirtualRegister) -> Range<'a> {
        let (segments, definitions) = match &self.groups[root] {
            Some(group) => (&group.segments[..], &group.definitions[..]),
            None => (ranges.segments(root), ranges.definitions(root)),
        };
        Range {
            root,
            segments,
            definitions,
        }
    }

    fn attempt(
        &mut self,
        problem: &mut Problem,
        ranges: &LiveRanges,
        copy: &Copy,
        options: &Options,
    ) -> Result<(), Refusal> {
        let (to, from) = (locate(problem, copy.to), locate(problem, copy.from));
        let (to, from) = to.zip(from).ok_or(Refusal::Classes)?;
        if to.0 == from.0 {
            return Err(Refusal::Together);
        }
        if problem.blocked(to.0, from.0) == 0 {
            return Err(Refusal::Classes);
        }
        let merge = relate(problem, to, from).ok_or(Refusal::Classes)?;
        // A part's range is not its group's.
        if !merge.part.is_whole() {
            return Err(Refusal::Classes);
        }
        if !self.extent.admits(problem, copy.from, &merge) {
            return Err(Refusal::Limit);
        }
        let (a, b) = (
            self.range(ranges, merge.root),
            self.range(ranges, merge.joining),
        );
        if interfere(problem, a, b) {
            return Err(Refusal::Interference);
        }
        let available = available_after(problem, &merge);
        if available == 0 {
            return Err(Refusal::NoRegister);
        }
        if raises_spill_weight(problem, options, copy.to, copy.from) {
            return Err(Refusal::SpillWeight);
        }
        let group = Group {
            segments: union([a.segments, b.segments].concat()),
            definitions: sorted(a.definitions, b.definitions),
        };
        self.extent.note(copy.from, &merge);
        self.groups[merge.joining] = None;
        self.groups[merge.root] = Some(Box::new(group));
        problem.groups.join(merge.root, merge.joining, merge.part);
        problem.available[merge.root] = available;
        Ok(())
    }
}

/// Whether a member of one group is written while one of the other is live, and not
/// with its value.
fn interfere(problem: &Problem, a: Range, b: Range) -> bool {
    let (small, large) = match a.segments.len() <= b.segments.len() {
        true => (a, b),
        false => (b, a),
    };
    let differs = |definition: &Definition| {
        let source = definition.copy_of.map(|value| problem.groups.find(value).0);
        !source.is_some_and(|root| root == a.root || root == b.root)
    };
    let written_in_small = small.segments.iter().any(|segment| {
        let first = large
            .definitions
            .partition_point(|one| one.point < segment.start);
        let inside = large.definitions[first..].iter();
        let mut inside = inside.take_while(|one| one.point < segment.end);
        inside.any(differs)
    });
    written_in_small
        || small.definitions.iter().any(|definition| {
            let next = large
                .segments
                .partition_point(|segment| segment.end <= definition.point);
            let is_live = large.segments.get(next);
            let is_live = is_live.is_some_and(|segment| segment.start <= definition.point);
            is_live && differs(definition)
        })
}

fn sorted(a: &[Definition], b: &[Definition]) -> Vec<Definition> {
    let mut both = [a, b].concat();
    // Stable sorting merges two sorted runs in linear time.
    both.sort_by_key(|one| one.point);
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::assign::limits::Limits;
    use crate::assign::problem::Target;
    use crate::function::{
        Access, Function, FunctionBuilder, Operand, OperandFlags, OperandRegister,
    };
    use crate::machine::{Machine, gpu};
    use crate::settings::{CoalescingRules, CostModel};

    fn merges(function: &Function) -> u32 {
        merges_with(function, 8)
    }

    fn merges_with(function: &Function, registers: u32) -> u32 {
        merges_within(function, &gpu::machine(registers), &Options::default())
    }

    fn merges_within(function: &Function, machine: &Machine, options: &Options) -> u32 {
        let target = Target::new(machine);
        let liveness = Liveness::new(function, machine);
        let costs = CostModel::Accesses.costs(function, |_| None);
        let mut problem = Problem::new(function, &target, &liveness, costs);
        let ranges = LiveRanges::new(function, &liveness);
        GroupRanges::coalesce(&mut problem, &ranges, options)
            .report()
            .merged
    }

    #[test]
    fn a_copy_of_a_value_that_lives_on_is_merged() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.copy(c, b);
        builder.plain(&[Operand::read(a), Operand::read(b), Operand::read(c)]);
        assert_eq!(merges(&builder.finish()), 2);
    }

    #[test]
    fn a_source_that_changes_while_the_copy_lives_is_not_merged() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.plain(&[Operand::write(a)]);
        builder.plain(&[Operand::read(a), Operand::read(b)]);
        assert_eq!(merges(&builder.finish()), 0);
    }

    #[test]
    fn a_copy_that_changes_while_the_source_lives_is_not_merged() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.plain(&[Operand::read(b)]);
        builder.plain(&[Operand::write(b)]);
        builder.plain(&[Operand::read(a), Operand::read(b)]);
        assert_eq!(merges(&builder.finish()), 0);
    }

    #[test]
    fn a_second_copy_merges_nothing_more() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.copy(b, a);
        builder.plain(&[Operand::read(b)]);
        assert_eq!(merges(&builder.finish()), 1);
    }

    /// The copy is written again by the last reader of its source: late, when the
    /// source is dead, or early, when it is not.
    #[test]
    fn a_copy_may_change_as_its_source_dies() {
        for (flags, expected) in [(OperandFlags::empty(), 1), (OperandFlags::EARLY_CLOBBER, 0)] {
            let mut builder = FunctionBuilder::new("f");
            let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
            builder.start_block(1.0, 0, &[]);
            builder.plain(&[Operand::write(a)]);
            builder.copy(b, a);
            let write = Operand {
                flags,
                ..Operand::write(b)
            };
            builder.plain(&[write, Operand::read(a)]);
            builder.plain(&[Operand::read(b)]);
            assert_eq!(merges(&builder.finish()), expected);
        }
    }

    #[test]
    fn what_is_written_in_a_hole_of_the_other_is_merged() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.plain(&[Operand::read(a), Operand::read(b)]);
        for value in [b, a, b] {
            builder.plain(&[Operand::write(value)]);
            builder.plain(&[Operand::read(value)]);
        }
        assert_eq!(merges(&builder.finish()), 1);
    }

    #[test]
    fn a_copy_of_a_third_value_is_another_value() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a), Operand::write(c)]);
        builder.copy(b, a);
        builder.plain(&[Operand::read(b)]);
        builder.copy(b, c);
        builder.plain(&[a, b, c].map(Operand::read));
        assert_eq!(merges(&builder.finish()), 0);
    }

    #[test]
    fn writes_of_all_members_count() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.plain(&[Operand::read(b)]);
        builder.copy(c, a);
        builder.plain(&[Operand::write(a)]);
        builder.plain(&[Operand::read(a), Operand::read(c)]);
        assert_eq!(merges(&builder.finish()), 1);
    }

    #[test]
    fn a_group_must_have_a_register_left() {
        let machine = gpu::machine(8);
        let physical = |number: usize| {
            let register = machine.classes[gpu::SINGLE32].order[number];
            Operand::new(OperandRegister::Physical(register), Access::Definition)
        };
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.plain(&[physical(0)]);
        builder.copy(b, a);
        builder.plain(&[physical(1)]);
        builder.plain(&[Operand::read(b)]);
        let function = builder.finish();
        assert_eq!(merges_with(&function, 2), 0);
        assert_eq!(merges_with(&function, 3), 1);
    }

    #[test]
    fn limits_bound_what_is_merged() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c, d] = std::array::from_fn(|_| builder.virtual_register(gpu::PAIR));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.copy(c, b);
        builder.copy(d, a);
        builder.plain(&[a, b, c, d].map(Operand::read));
        let function = builder.finish();
        let within = |depth, width, fan_out| {
            let limits = Limits {
                depth,
                width,
                fan_out,
            };
            let options = Options {
                limits,
                ..Options::default()
            };
            merges_within(&function, &gpu::machine(8), &options)
        };
        assert_eq!(within(None, None, None), 3);
        assert_eq!(within(Some(2), None, None), 2);
        assert_eq!(within(None, Some(1), None), 0);
        assert_eq!(within(None, Some(2), None), 3);
        assert_eq!(within(None, None, Some(1)), 2);
    }
    /// A value that is read often is not merged with one that is read once, in the direction
    /// that the rule refuses; what costs the same is.
    #[test]
    fn what_costs_more_to_spill_is_not_merged_into() {
        let merged = |reads_of_target: usize, rules| {
            let mut builder = FunctionBuilder::new("f");
            let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
            builder.start_block(1.0, 0, &[]);
            builder.plain(&[Operand::write(a)]);
            builder.copy(b, a);
            for _ in 0..reads_of_target {
                builder.plain(&[Operand::read(b)]);
            }
            let options = Options {
                rules,
                ..Options::default()
            };
            let function = builder.finish();
            merges_within(&function, &gpu::machine(8), &options)
        };
        assert_eq!(merged(1, CoalescingRules::SPILL_WEIGHTS), 1);
        assert_eq!(merged(2, CoalescingRules::SPILL_WEIGHTS), 0);
        assert_eq!(merged(2, CoalescingRules::empty()), 1);
    }
}
