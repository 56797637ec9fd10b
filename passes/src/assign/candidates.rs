//! Which copies are candidates for merging, and in which order.
//!
//! Without rules these are all copies that the filter leaves, the most frequent first. With
//! [`CoalescingRules::WEIGHTS`] a copy counts as many moves as its operand type makes of it,
//! one for each register of its file: two for a pair, four for a quad. What LLVM has before
//! allocation for NVPTX's `mov` between registers is a copy, of one class or, where one end
//! is narrower, of two; a shuffle takes another thread's value and is none. With
//! [`CoalescingRules::MODES`] copies of pairs and wider values come before the others, as on
//! the document's two lists, each pair of ends is looked at once, and no more copies than two
//! fewer than there are instructions. Where a circular window of copies begins that are in
//! order makes no difference: at the first. With [`CoalescingRules::SPLIT_LAST`] come last
//! those of values that were split around interference: merged they would meet it again.
//! Ensures that each copy is a candidate or in the report. Time: sorting. Source: ptxas
//! document, coalescing engine, list insertion, filter bits and merge engine.

use super::filter::Webs;
use super::merge::{Options, Refusal, Report};
use super::problem::{Copy, End, Problem};
use crate::function::OperandRegister;
use crate::settings::{CoalescingRules, Filter};
use std::collections::BTreeSet;
use std::fmt;
use tracing::trace;

/// Instructions of a function that are not in the window.
const OUTSIDE_WINDOW: usize = 2;

/// What kind of copy it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Between values of one class.
    Copy,
    /// Between two classes, or to or from a part of a value.
    Move,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Copy => "copy",
            Self::Move => "move",
        })
    }
}

/// A copy that may be merged.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The copy.
    pub copy: Copy,
    /// What kind it is.
    pub kind: Kind,
    /// Executions of the moves that it takes.
    pub weight: f64,
    /// It moves more than one register, where a rule asks for that.
    pub is_paired: bool,
    /// An end is what splitting left of a value.
    pub is_split: bool,
}

impl Candidate {
    fn new(problem: &Problem, copy: &Copy, rules: CoalescingRules) -> Self {
        let sorted =
            CoalescingRules::WEIGHTS | CoalescingRules::MODES | CoalescingRules::SPLIT_LAST;
        let moves = match rules.intersects(sorted) {
            true => moves(problem, copy),
            false => 1,
        };
        let counted = match rules.contains(CoalescingRules::WEIGHTS) {
            true => moves,
            false => 1,
        };
        let is_split = |end: End| {
            let value = end.register.virtual_register();
            value.is_some_and(|value| problem.is_piece[value])
        };
        Self {
            copy: *copy,
            kind: kind(problem, copy),
            weight: copy.weight * f64::from(counted),
            is_paired: moves > 1,
            is_split: is_split(copy.to) || is_split(copy.from),
        }
    }
}

/// The candidates in the order in which they are tried; the report has the others.
pub fn candidates(problem: &Problem, options: &Options, report: &mut Report) -> Vec<Candidate> {
    let rules = options.rules;
    let webs = Webs::new(problem.function);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for copy in &problem.copies {
        let candidate = Candidate::new(problem, copy, rules);
        let filter = Filter::of(problem, &webs, copy);
        let again = rules.contains(CoalescingRules::MODES) && !seen.insert(ends(copy));
        let refusal = filter
            .rejection(options.rejected)
            .or(again.then_some(Refusal::Repeated));
        match refusal {
            Some(why) => report.refuse(&candidate, why),
            None => found.push(candidate),
        }
    }
    sort(&mut found, rules);
    if rules.contains(CoalescingRules::MODES) {
        let instructions = problem.function.instructions.len();
        let window = instructions.saturating_sub(OUTSIDE_WINDOW);
        // A window of one copy is none.
        let window = if window > 1 { window } else { 0 };
        for candidate in found.drain(window.min(found.len())..) {
            report.refuse(&candidate, Refusal::OutsideWindow);
        }
    }
    report.candidates = found.len() as u32;
    for (position, candidate) in found.iter().enumerate().filter(|_| !rules.is_empty()) {
        trace!(
            copy = %candidate.copy.instruction,
            position,
            kind = %candidate.kind,
            weight = candidate.weight,
            paired = candidate.is_paired,
            split = candidate.is_split,
            "merge candidate"
        );
    }
    found
}

/// Copies stand by frequency and position already, which decides where nothing else does.
fn sort(candidates: &mut [Candidate], rules: CoalescingRules) {
    let modes = rules.contains(CoalescingRules::MODES);
    let split_last = rules.contains(CoalescingRules::SPLIT_LAST);
    candidates.sort_by(|a, b| {
        let class = |one: &Candidate| (split_last && one.is_split, modes && !one.is_paired);
        let by_class = class(a).cmp(&class(b));
        by_class.then_with(|| b.weight.total_cmp(&a.weight))
    });
}

fn kind(problem: &Problem, copy: &Copy) -> Kind {
    let class = |end: End| match end.register {
        OperandRegister::Virtual(value) if end.part.is_whole() => {
            Some(problem.function.virtual_registers[value].class)
        }
        _ => None,
    };
    match (class(copy.to), class(copy.from)) {
        (Some(to), Some(from)) if to == from => Kind::Copy,
        _ => Kind::Move,
    }
}

/// How many moves of one register a copy takes: as many as its narrower end has.
fn moves(problem: &Problem, copy: &Copy) -> u32 {
    let machine = problem.machine;
    let width = |end: End| {
        let register = match end.register {
            OperandRegister::Physical(register) => Some(register),
            OperandRegister::Virtual(value) => {
                let class = problem.function.virtual_registers[value].class;
                machine.classes[class].order.first().copied()
            }
            OperandRegister::Slot(_) | OperandRegister::Loaded(_) => None,
        };
        let part = register.and_then(|register| machine.part(register, end.part));
        part.map_or(1, |part| machine.width(part).max(1))
    };
    width(copy.to).min(width(copy.from))
}

/// What tells a copy's ends from those of another.
fn ends(copy: &Copy) -> [(u8, u32, u32); 2] {
    [copy.to, copy.from].map(|end| {
        let (kind, number) = match end.register {
            OperandRegister::Virtual(value) => (0, value.as_u32()),
            OperandRegister::Physical(register) => (1, register.as_u32()),
            OperandRegister::Slot(slot) => (2, slot.as_u32()),
            OperandRegister::Loaded(from) => (3, from.as_u32()),
        };
        (kind, number, end.part.0.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::assign::problem::Target;
    use crate::function::{Function, FunctionBuilder, Operand};
    use crate::machine::gpu;
    use crate::settings::CostModel;

    /// A copy of a predicate, of a single register, of a quad, of a pair, of a single one
    /// again and once more of the same two, all equally frequent but the first.
    fn function() -> Function {
        let mut builder = FunctionBuilder::new("f");
        let classes = [
            gpu::PREDICATE,
            gpu::SINGLE32,
            gpu::QUAD,
            gpu::PAIR,
            gpu::SINGLE16,
        ];
        let values: Vec<_> = classes
            .iter()
            .map(|&class| [(); 2].map(|()| builder.virtual_register(class)))
            .collect();
        builder.start_block(3.0, 0, &[]);
        builder.plain(&[Operand::write(values[0][0])]);
        builder.copy(values[0][1], values[0][0]);
        builder.start_block(1.0, 0, &[]);
        for &[to, from] in &values[1..] {
            builder.plain(&[Operand::write(from)]);
            builder.copy(to, from);
        }
        let [to, from] = values[1];
        builder.copy(to, from);
        builder.finish()
    }

    /// Numbers of the candidates' instructions, and what came of the others.
    fn ordered(function: &Function, rules: CoalescingRules) -> (Vec<u32>, Report) {
        let machine = gpu::machine(64);
        let target = Target::new(&machine);
        let liveness = Liveness::new(function, &machine);
        let costs = CostModel::Accesses.costs(function, |_| None);
        let mut problem = Problem::new(function, &target, &liveness, costs);
        if let Some((to, _)) = function.joinable_copy(problem.copies[1].instruction) {
            problem.is_piece[to] = true;
        }
        let options = Options {
            rules,
            ..Options::default()
        };
        let mut report = Report::default();
        let found = candidates(&problem, &options, &mut report);
        let numbers = found.iter().map(|one| one.copy.instruction.as_u32());
        (numbers.collect(), report)
    }

    #[test]
    fn copies_are_ordered_by_the_rules() {
        let order = |rules| ordered(&function(), rules).0;
        assert_eq!(order(CoalescingRules::empty()), [1, 3, 5, 7, 9, 10]);
        // Four moves, three executions of one, two moves, one.
        assert_eq!(order(CoalescingRules::WEIGHTS), [5, 1, 7, 3, 9, 10]);
        // Pairs and wider first; the last copies the same as one before.
        assert_eq!(order(CoalescingRules::MODES), [5, 7, 1, 3, 9]);
        assert_eq!(order(CoalescingRules::SPLIT_LAST), [1, 5, 7, 9, 3, 10]);
    }

    #[test]
    fn a_repeated_copy_is_looked_at_once() {
        let (_, report) = ordered(&function(), CoalescingRules::MODES);
        assert_eq!(report.refusals[&Refusal::Repeated], 1);
        assert_eq!(report.candidates, 5);
    }

    #[test]
    fn the_window_has_two_copies_fewer_than_instructions() {
        let copies = |count: usize| {
            let mut builder = FunctionBuilder::new("f");
            let values: Vec<_> = (0..=count)
                .map(|_| builder.virtual_register(gpu::SINGLE32))
                .collect();
            builder.start_block(1.0, 0, &[]);
            builder.plain(&[Operand::write(values[0])]);
            for pair in values.windows(2) {
                builder.copy(pair[1], pair[0]);
            }
            builder.finish()
        };
        // A window of one copy is none.
        for (count, expected) in [(2, 0), (3, 2), (4, 3)] {
            let (found, report) = ordered(&copies(count), CoalescingRules::MODES);
            assert_eq!(found.len(), expected);
            let outside = report.refusals[&Refusal::OutsideWindow];
            assert_eq!(outside as usize, count - expected);
            assert_eq!(
                ordered(&copies(count), CoalescingRules::WEIGHTS).0.len(),
                count
            );
        }
    }
}
