//! Coalescing: values that a copy connects get one register, and the copy goes.
//!
//! First conservatively: a merge must not make the graph harder to colour, by
//! Briggs' or by George's test ([`conservative`]). Runs over all copies, the most
//! frequent first, until nothing changes. Then optimistically: what is left is
//! merged if the ends do not interfere. A group that gets no register after all
//! is taken apart again in select (Park and Moon 2004), which is what makes
//! optimism, and a coalescing factor below one, harmless. Which copies are candidates, and
//! in which order, says [`crate::assign::candidates`], how far merging may go
//! [`crate::assign::limits`]. Time: for each copy and
//! sweep, the neighbours of both ends and the members of their groups; so a chain
//! of copies of one value takes the square of its length. Source: cicc documents,
//! phase 3; Briggs, Cooper and Torczon 1994; George and Appel 1996.

use super::conservative;
use crate::assign::candidates::candidates;
use crate::assign::limits::Extent;
use crate::assign::merge::{
    Options, Refusal, Report, available_after, locate, raises_spill_weight, relate,
};
use crate::assign::problem::{Copy, Problem};
use crate::graph::Graph;

/// What became of a candidate.
enum Verdict {
    Merged,
    /// Later merges may make it possible.
    NotNow(Refusal),
    Never(Refusal),
}

/// When to merge two values that do not interfere.
#[derive(Clone, Copy, PartialEq)]
pub enum Test {
    /// If it is safe, with this weight on degrees.
    Conservative(f64),
    /// Always.
    Optimistic,
}

/// Merges what can be merged, test by test.
pub fn coalesce(
    problem: &mut Problem,
    graph: &mut Graph,
    tests: &[Test],
    options: &Options,
) -> Report {
    let mut report = Report::default();
    let mut waiting = candidates(problem, options, &mut report);
    let mut extent = Extent::new(options.limits);
    let mut refusals = Vec::new();
    for &test in tests {
        loop {
            let before = report.merged;
            refusals.clear();
            waiting.retain(|candidate| {
                match attempt(problem, graph, &candidate.copy, test, options, &mut extent) {
                    Verdict::Merged => report.accept(candidate),
                    Verdict::Never(why) => report.refuse(candidate, why),
                    Verdict::NotNow(why) => {
                        refusals.push(why);
                        return true;
                    }
                }
                false
            });
            if report.merged == before {
                break;
            }
        }
    }
    for (candidate, why) in waiting.iter().zip(refusals) {
        report.refuse(candidate, why);
    }
    report
}

fn attempt(
    problem: &mut Problem,
    graph: &mut Graph,
    &Copy {
        instruction,
        to,
        from,
        ..
    }: &Copy,
    test: Test,
    options: &Options,
    extent: &mut Extent,
) -> Verdict {
    let (Some((a, a_part)), Some((b, b_part))) = (locate(problem, to), locate(problem, from))
    else {
        return Verdict::Never(Refusal::Classes);
    };
    if a == b {
        return Verdict::Never(Refusal::Together);
    }
    if problem.blocked(a, b) == 0 {
        return Verdict::Never(Refusal::Classes);
    }
    if graph.interfere(a, b) {
        return Verdict::Never(Refusal::Interference);
    }
    let (first, second) = ((a, a_part), (b, b_part));
    // What a value is moved to before an access joins the value, which has more edges.
    let merge = match problem.function.is_moved_to_class(instruction) {
        true => relate(problem, second, first),
        false => relate(problem, first, second),
    };
    let Some(merge) = merge else {
        return Verdict::Never(Refusal::Classes);
    };
    let available = available_after(problem, &merge);
    if available == 0 {
        return Verdict::Never(Refusal::NoRegister);
    }
    if !extent.admits(problem, from, &merge) {
        return Verdict::Never(Refusal::Limit);
    }
    if raises_spill_weight(problem, options, to, from) {
        return Verdict::Never(Refusal::SpillWeight);
    }
    if let Test::Conservative(factor) = test
        && !conservative::is_safe(problem, graph, &merge, available, factor)
    {
        return Verdict::NotNow(Refusal::Unsafe);
    }
    graph.merge(problem, &merge);
    extent.note(from, &merge);
    problem.groups.join(merge.root, merge.joining, merge.part);
    problem.available[merge.root] = available;
    Verdict::Merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::assign::limits::Limits;
    use crate::assign::problem::Target;
    use crate::function::{Function, FunctionBuilder, Operand};
    use crate::graph::interference::InterferenceGraph;
    use crate::machine::gpu;
    use crate::settings::{CoalescingRules, CostModel};

    /// Merges made in a function on a machine with so many registers.
    fn merges(function: &Function, registers: u32, factor: f64) -> u32 {
        let test = Test::Conservative(factor);
        merges_within(function, registers, test, &Options::default())
    }

    fn merges_within(function: &Function, registers: u32, test: Test, options: &Options) -> u32 {
        report_of(function, registers, test, options).merged
    }

    fn report_of(function: &Function, registers: u32, test: Test, options: &Options) -> Report {
        let machine = gpu::machine(registers);
        let target = Target::new(&machine);
        let liveness = Liveness::new(function, &machine);
        let costs = CostModel::Accesses.costs(function, |_| None);
        let mut problem = Problem::new(function, &target, &liveness, costs);
        let edges = InterferenceGraph::new(function, &target.pools, &liveness, true);
        let mut graph = Graph::new(&problem, edges);
        coalesce(&mut problem, &mut graph, &[test], options)
    }

    /// `b = a`, where a lives with x, b with y, and x with y elsewhere: merging
    /// makes a triangle.
    fn triangle() -> Function {
        let mut builder = FunctionBuilder::new("f");
        let [x, y, a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(x)]);
        builder.plain(&[Operand::write(y)]);
        builder.plain(&[Operand::read(x), Operand::read(y)]);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(x)]);
        builder.plain(&[Operand::write(a)]);
        builder.plain(&[Operand::read(x)]);
        builder.copy(b, a);
        builder.plain(&[Operand::write(y)]);
        builder.plain(&[Operand::read(b), Operand::read(y)]);
        builder.finish()
    }

    #[test]
    fn a_merge_that_needs_another_register_is_refused() {
        assert_eq!(merges(&triangle(), 2, 1.0), 0);
        assert_eq!(merges(&triangle(), 3, 1.0), 1);
    }

    #[test]
    fn a_factor_below_one_admits_more() {
        assert_eq!(merges(&triangle(), 2, 0.8), 1);
    }

    #[test]
    fn values_that_interfere_are_never_merged() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.plain(&[Operand::write(a)]);
        builder.plain(&[Operand::read(a), Operand::read(b)]);
        assert_eq!(merges(&builder.finish(), 8, 0.1), 0);
    }

    /// George's test admits a merge with a value that has the same neighbours,
    /// however many those are.
    #[test]
    fn a_value_with_the_same_neighbours_is_merged() {
        let mut builder = FunctionBuilder::new("f");
        let around: [_; 4] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        for value in around {
            builder.plain(&[Operand::write(value)]);
        }
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.plain(&[Operand::read(b)]);
        for value in around {
            builder.plain(&[Operand::read(value)]);
        }
        assert_eq!(merges(&builder.finish(), 2, 1.0), 1);
    }

    /// Pairs copied from one to the next, each from the one before or all from the first.
    fn copies(count: usize, from_first: bool) -> Function {
        let mut builder = FunctionBuilder::new("f");
        let values: Vec<_> = (0..=count)
            .map(|_| builder.virtual_register(gpu::PAIR))
            .collect();
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(values[0])]);
        for pair in values.windows(2) {
            let from = if from_first { values[0] } else { pair[0] };
            builder.copy(pair[1], from);
        }
        let reads: Vec<_> = values.iter().copied().map(Operand::read).collect();
        builder.plain(&reads[count..]);
        builder.finish()
    }

    #[test]
    fn chains_merge_into_one_group() {
        assert_eq!(merges(&copies(4, false), 2, 1.0), 4);
    }

    #[test]
    fn limits_bound_what_is_merged() {
        let within = |function: &Function, limits| {
            let options = Options {
                limits,
                ..Options::default()
            };
            merges_within(function, 16, Test::Optimistic, &options)
        };
        let (chain, star) = (copies(4, false), copies(4, true));
        let depth = |limit| Limits {
            depth: Some(limit),
            ..Limits::default()
        };
        // With two, the rest of the chain is a group of its own.
        for (limit, expected) in [(0, 0), (1, 2), (2, 3), (4, 4)] {
            assert_eq!(within(&chain, depth(limit)), expected);
        }
        let fan_out = |limit| Limits {
            fan_out: Some(limit),
            ..Limits::default()
        };
        for (limit, expected) in [(0, 0), (2, 2), (4, 4), (9, 4)] {
            assert_eq!(within(&star, fan_out(limit)), expected);
        }
        assert_eq!(within(&chain, fan_out(1)), 4);
        for (limit, expected) in [(1, 0), (2, 4)] {
            let width = Limits {
                width: Some(limit),
                ..Limits::default()
            };
            assert_eq!(within(&chain, width), expected);
        }
    }

    /// Two groups of two values each become one of depth two.
    #[test]
    fn depth_is_that_of_the_deeper_group() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c, d] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        // The most frequent copies are merged first.
        builder.start_block(2.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.plain(&[Operand::read(b)]);
        builder.plain(&[Operand::write(c)]);
        builder.copy(d, c);
        builder.plain(&[Operand::read(d)]);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(b)]);
        builder.copy(c, b);
        builder.plain(&[Operand::read(c)]);
        let function = builder.finish();
        for (depth, expected) in [(1, 2), (2, 3)] {
            let limits = Limits {
                depth: Some(depth),
                ..Limits::default()
            };
            let options = Options {
                limits,
                ..Options::default()
            };
            let merges = merges_within(&function, 8, Test::Optimistic, &options);
            assert_eq!(merges, expected);
        }
    }
    /// What a loop reads, out of a copy of what comes before it and of a value of its own.
    #[test]
    fn what_costs_more_to_spill_is_not_merged_into() {
        let mut builder = FunctionBuilder::new("f");
        let [before, inside, next] =
            std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(before)]);
        builder.copy(inside, before);
        builder.start_block(4.0, 1, &[]);
        builder.plain(&[Operand::write(next), Operand::read(inside)]);
        builder.plain(&[Operand::read(next)]);
        builder.copy(inside, next);
        let function = builder.finish();
        let report = |rules| {
            let options = Options {
                rules,
                ..Options::default()
            };
            report_of(&function, 8, Test::Conservative(1.0), &options)
        };
        let found = report(CoalescingRules::SPILL_WEIGHTS);
        assert_eq!(
            (found.merged, found.cost, found.refused_cost),
            (1, 4.0, 1.0)
        );
        assert_eq!(found.refusals, [(Refusal::SpillWeight, 1)].into());
        assert_eq!(report(CoalescingRules::empty()).merged, 2);
    }
}
