//! Coalescing: values that a copy connects get one register, and the copy goes.
//!
//! First conservatively: a merge must not make the graph harder to colour, by
//! Briggs' or by George's test ([`conservative`]). Runs over all copies, the most
//! frequent first, until nothing changes. Then optimistically: what is left is
//! merged if the ends do not interfere. A group that gets no register after all
//! is taken apart again in select (Park and Moon 2004), which is what makes
//! optimism, and a coalescing factor below one, harmless. Time: for each copy and
//! sweep, the neighbours of both ends. Source: cicc documents, phase 3; Briggs,
//! Cooper and Torczon 1994; George and Appel 1996.

pub mod conservative;
pub mod groups;
pub mod ranges;

use crate::function::{OperandRegister, VirtualRegister};
use crate::graph::Graph;
use crate::machine::SubRegisterIndex;
use crate::problem::{End, Problem};

/// How two roots would be merged.
#[derive(Clone, Copy, Debug)]
pub struct Merge {
    /// Stays a root.
    pub root: VirtualRegister,
    /// Joins it.
    pub joining: VirtualRegister,
    /// The part of the root's register that it joins as.
    pub part: SubRegisterIndex,
}

/// What became of a candidate.
enum Verdict {
    Merged,
    /// Later merges may make it possible.
    NotNow,
    Never,
}

/// When to merge two values that do not interfere.
#[derive(Clone, Copy, PartialEq)]
pub enum Test {
    /// If it is safe, with this weight on degrees.
    Conservative(f64),
    /// Always.
    Optimistic,
}

/// Merges what can be merged, test by test; returns the number of merges.
pub fn coalesce(problem: &mut Problem, graph: &mut Graph, tests: &[Test]) -> u32 {
    let mut candidates: Vec<(End, End)> = problem
        .copies
        .iter()
        .map(|copy| (copy.to, copy.from))
        .collect();
    let mut merged = 0;
    for &test in tests {
        loop {
            let before = merged;
            candidates.retain(
                |&(to, from)| match attempt(problem, graph, to, from, test) {
                    Verdict::Merged => {
                        merged += 1;
                        false
                    }
                    Verdict::NotNow => true,
                    Verdict::Never => false,
                },
            );
            if merged == before {
                break;
            }
        }
    }
    merged
}

/// How many copies have ends that need not get the same register.
pub fn copies_left(problem: &Problem) -> usize {
    let together = |to: End, from: End| {
        let (to, from) = (locate(problem, to), locate(problem, from));
        to.is_some() && to == from
    };
    let copies = problem.copies.iter();
    copies.filter(|copy| !together(copy.to, copy.from)).count()
}

fn attempt(problem: &mut Problem, graph: &mut Graph, to: End, from: End, test: Test) -> Verdict {
    let (Some((a, a_part)), Some((b, b_part))) = (locate(problem, to), locate(problem, from))
    else {
        return Verdict::Never;
    };
    if a == b || graph.interfere(a, b) || problem.blocked(a, b) == 0 {
        return Verdict::Never;
    }
    let Some(merge) = relate(problem, (a, a_part), (b, b_part)) else {
        return Verdict::Never;
    };
    let available = available_after(problem, &merge);
    if available == 0 {
        return Verdict::Never;
    }
    if let Test::Conservative(factor) = test
        && !conservative::is_safe(problem, graph, &merge, available, factor)
    {
        return Verdict::NotNow;
    }
    graph.merge(problem, &merge);
    problem.groups.join(merge.root, merge.joining, merge.part);
    problem.available[merge.root] = available;
    Verdict::Merged
}

/// The root behind one end of a copy, and which part of the root's register the
/// copy touches. None for physical registers and for parts of parts.
fn locate(problem: &Problem, end: End) -> Option<(VirtualRegister, SubRegisterIndex)> {
    let OperandRegister::Virtual(value) = end.register else {
        return None;
    };
    let (root, part) = problem.groups.find(value);
    match (part.is_whole(), end.part.is_whole()) {
        (true, _) => Some((root, end.part)),
        (false, true) => Some((root, part)),
        (false, false) => None,
    }
}

/// Which of two roots becomes part of the other.
fn relate(
    problem: &Problem,
    (a, a_part): (VirtualRegister, SubRegisterIndex),
    (b, b_part): (VirtualRegister, SubRegisterIndex),
) -> Option<Merge> {
    let as_part = |root, joining, part| {
        let merge = Merge {
            root,
            joining,
            part,
        };
        problem.groups.is_uniform(joining).then_some(merge)
    };
    if a_part == b_part {
        // The one with the smaller class leads, so that its order is used.
        let size = |root: VirtualRegister| problem.machine.classes[problem.class[root]].order.len();
        let (root, joining) = if size(b) < size(a) { (b, a) } else { (a, b) };
        Some(Merge {
            root,
            joining,
            part: SubRegisterIndex::WHOLE,
        })
    } else if b_part.is_whole() {
        as_part(a, b, a_part)
    } else if a_part.is_whole() {
        as_part(b, a, b_part)
    } else {
        None
    }
}

fn available_after(problem: &Problem, merge: &Merge) -> u32 {
    let mut members = problem.groups.members(merge.root).to_vec();
    let joining = problem.groups.members(merge.joining);
    members.extend(joining.iter().map(|&(value, own)| {
        let part = if merge.part.is_whole() {
            own
        } else {
            merge.part
        };
        (value, part)
    }));
    problem.count_available(problem.class[merge.root], &members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::interference::InterferenceGraph;
    use crate::analysis::liveness::Liveness;
    use crate::analysis::recipes::Recipes;
    use crate::function::{Function, FunctionBuilder, Operand};
    use crate::machine::gpu;
    use crate::problem::Target;
    use crate::spill::cost::CostModel;

    /// Merges made in a function on a machine with so many registers.
    fn merges(function: &Function, registers: u32, factor: f64) -> u32 {
        let machine = gpu::machine(registers);
        let target = Target::new(&machine);
        let liveness = Liveness::new(function, &machine);
        let costs = CostModel::Accesses.costs(function, &Recipes::new());
        let mut problem = Problem::new(function, &target, &liveness, costs);
        let edges = InterferenceGraph::new(function, &machine, &target.banks, &liveness, true);
        let mut graph = Graph::new(&problem, edges);
        coalesce(&mut problem, &mut graph, &[Test::Conservative(factor)])
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

    #[test]
    fn chains_merge_into_one_group() {
        let mut builder = FunctionBuilder::new("f");
        let chain: [_; 5] = std::array::from_fn(|_| builder.virtual_register(gpu::PAIR));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(chain[0])]);
        for pair in chain.windows(2) {
            builder.copy(pair[1], pair[0]);
        }
        builder.plain(&[Operand::read(chain[4])]);
        assert_eq!(merges(&builder.finish(), 2, 1.0), 4);
    }
}
