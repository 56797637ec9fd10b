//! Ordering: in which order fat-point select colours, by the six lists. (Graph select's
//! [`crate::graph::simplify`] uses the same lists as its worklists.)
//!
//! Every node goes onto one list ([`lists`] has the criteria). The lists are
//! drained onto one assignment stack: Unconstrained, VeryHigh (with LargeVec) and
//! High, what begins last first; then LowConf and LowLate, always the node with the
//! lowest ratio of spill cost to interference. Select takes the stack from the top,
//! so what drains last is coloured first: the values that it would hurt to spill,
//! before those that find a place anywhere. On a GPU guidance decides beforehand what is
//! spilled, in all series of rounds but the first, and costs say nothing any more: there
//! the nodes of the last three lists are coloured as they begin, which takes no more
//! registers than are live at once in straight code. Time: a logarithm for each node.
//! Source: ptxas document, "six-list classification"; the order by beginnings is that of
//! interval graphs.

pub mod classes;
pub mod interference_estimate;
pub mod lists;
pub mod priority;

use crate::analysis::live_range::LiveRanges;
use crate::assign::problem::Problem;
use crate::function::VirtualRegister;
use crate::order::interference_estimate::InterferenceEstimate;
use crate::settings::Order;
use lists::{Criteria, Facts, List, classify};
use tracing::trace;

/// What ordering is to do.
pub struct Options {
    /// Drain VeryHigh last, so that pairs and quads are coloured before what could
    /// break them: fewer registers, where none has to be spilled.
    pub wide_first: bool,
    /// Colour those of High, LowConf and LowLate in the order of their beginnings.
    pub by_start: bool,
    /// What decides about the lists besides the nodes.
    pub criteria: Criteria,
    /// Whether there are lists: without them all nodes go by degree and cost alone, what
    /// finds a register whatever the others take first. Pairs and quads are wide all the
    /// same, where these are coloured first.
    pub order: Order,
}

/// A node on its list.
struct Entry {
    node: VirtualRegister,
    list: List,
    ratio: f64,
    /// Where the node's range begins.
    start: u32,
}

/// The assignment stack: the first to be coloured last.
pub fn order(
    problem: &Problem,
    ranges: &LiveRanges,
    interference: &InterferenceEstimate,
    nodes: &[VirtualRegister],
    options: &Options,
) -> Vec<VirtualRegister> {
    let mut entries: Vec<Entry> = nodes
        .iter()
        .map(|&node| entry(problem, ranges, interference, node, options))
        .collect();
    entries.sort_by(|a, b| {
        let drained = |entry: &Entry| match entry.list {
            List::VeryHigh | List::LargeVec if options.wide_first => u32::MAX,
            List::LowConf | List::LowLate if options.by_start => List::High.drained(),
            list => list.drained(),
        };
        drained(a).cmp(&drained(b)).then_with(|| match a.list {
            List::LowConf | List::LowLate if !options.by_start => {
                a.ratio.total_cmp(&b.ratio).then(a.node.cmp(&b.node))
            }
            // What begins last goes first onto the stack, so that select takes nodes in
            // the order of their beginnings.
            _ => b.start.cmp(&a.start).then(b.node.cmp(&a.node)),
        })
    });
    for (position, entry) in entries.iter().enumerate() {
        trace!(
            value = %entry.node,
            list = ?entry.list,
            position,
            ratio = entry.ratio,
            "ordered"
        );
    }
    entries.iter().map(|entry| entry.node).collect()
}

fn entry(
    problem: &Problem,
    ranges: &LiveRanges,
    interference: &InterferenceEstimate,
    node: VirtualRegister,
    options: &Options,
) -> Entry {
    let (mut degree, mut start) = (0, u32::MAX);
    for &(value, _) in problem.groups.members(node) {
        degree += interference.degree(problem.function, ranges, value);
        let first = ranges.segments(value).first();
        start = start.min(first.map_or(u32::MAX, |segment| segment.start.number()));
    }
    let facts = Facts::new(problem, node, degree, options.criteria);
    let list = match (classify(&facts), options.order) {
        (list, Order::Lists) | (list @ List::Unconstrained, Order::Degrees) => list,
        (list @ (List::VeryHigh | List::LargeVec), _) if options.wide_first => list,
        (_, Order::Degrees) => List::LowConf,
    };
    Entry {
        node,
        list,
        ratio: facts.cost / f64::from(degree.max(1)),
        start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::assign::problem::Target;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    const OPTIONS: Options = Options {
        wide_first: false,
        by_start: false,
        criteria: Criteria {
            retry: false,
            cost_threshold: None,
        },
        order: Order::Lists,
    };

    /// Two predicates that find a place anywhere, a pair, a single that spilling
    /// would not make shorter, and two singles with these costs, on a GPU with four
    /// registers.
    fn ordered(costs: [f64; 2], options: &Options) -> Vec<&'static str> {
        let mut builder = FunctionBuilder::new("f");
        let mut value = |class| builder.virtual_register(class);
        let names = ["first", "second", "pair", "minimal", "x", "y"];
        let [first, second] = [0, 1].map(|_| value(gpu::PREDICATE));
        let pair = value(gpu::PAIR);
        let [minimal, x, y] = [0, 1, 2].map(|_| value(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[first, x, y].map(Operand::write));
        builder.plain(&[second, pair].map(Operand::write));
        builder.plain(&[Operand::write(minimal)]);
        builder.plain(&[Operand::read(minimal)]);
        builder.plain(&[first, second, x, y, pair].map(Operand::read));
        let function = builder.finish();
        let machine = gpu::machine(4);
        let target = Target::new(&machine);
        let liveness = Liveness::new(&function, &machine);
        let ranges = LiveRanges::new(&function, &liveness);
        let interference =
            InterferenceEstimate::new(&function, &machine, &target.classes, &target.pools, &ranges);
        let costs = [1.0, 1.0, 1.0, 1.0, costs[0], costs[1]].into_iter();
        let problem = Problem::new(&function, &target, &liveness, costs.collect());
        let nodes: Vec<_> = function.virtual_registers.keys().collect();
        let order = order(&problem, &ranges, &interference, &nodes, options);
        let name = |node: VirtualRegister| names[node.as_u32() as usize];
        order.into_iter().map(name).collect()
    }

    #[test]
    fn lists_drain_one_after_the_other() {
        let order = ["second", "first", "pair", "minimal", "x", "y"];
        assert_eq!(ordered([10.0, 20.0], &OPTIONS), order);
        assert_eq!(ordered([10.0, 10.0], &OPTIONS), order);
        let order = ["second", "first", "pair", "minimal", "y", "x"];
        assert_eq!(ordered([20.0, 10.0], &OPTIONS), order);
    }

    #[test]
    fn wide_values_drain_last_if_so_wanted() {
        let options = Options {
            wide_first: true,
            ..OPTIONS
        };
        let order = ["second", "first", "minimal", "x", "y", "pair"];
        assert_eq!(ordered([10.0, 20.0], &options), order);
    }

    #[test]
    fn where_costs_say_nothing_the_last_lists_are_coloured_as_they_begin() {
        let options = Options {
            by_start: true,
            ..OPTIONS
        };
        let order = ["second", "first", "pair", "minimal", "y", "x"];
        for costs in [[10.0, 20.0], [20.0, 10.0]] {
            assert_eq!(ordered(costs, &options), order);
        }
    }

    #[test]
    fn without_lists_the_cheapest_goes_first() {
        let options = Options {
            order: Order::Degrees,
            ..OPTIONS
        };
        let order = ["second", "first", "pair", "x", "y", "minimal"];
        assert_eq!(ordered([10.0, 20.0], &options), order);
        let order = ["second", "first", "pair", "y", "x", "minimal"];
        assert_eq!(ordered([20.0, 10.0], &options), order);
    }

    #[test]
    fn without_lists_wide_values_drain_last_if_so_wanted() {
        let options = Options {
            wide_first: true,
            by_start: true,
            order: Order::Degrees,
            ..OPTIONS
        };
        let order = ["second", "first", "minimal", "y", "x", "pair"];
        for costs in [[10.0, 20.0], [20.0, 10.0]] {
            assert_eq!(ordered(costs, &options), order);
        }
    }

    #[test]
    fn a_dear_value_goes_with_those_that_cannot_be_spilled() {
        let options = Options {
            criteria: Criteria {
                cost_threshold: Some(15.0),
                ..OPTIONS.criteria
            },
            ..OPTIONS
        };
        // First in, first out, by where they start; equals by number.
        let order = ["second", "first", "pair", "minimal", "x", "y"];
        assert_eq!(ordered([20.0, 10.0], &options), order);
        let order = ["second", "first", "pair", "minimal", "y", "x"];
        assert_eq!(ordered([10.0, 20.0], &options), order);
    }
}
