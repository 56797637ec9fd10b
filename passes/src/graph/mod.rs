//! The engine over the interference graph: coalescing, simplify, select.
//!
//! In this order: [`interference`] finds which values are live at once, [`degrees`] adds
//! Smith, Holloway and Ramsey's weights to the edges, [`coalesce`] merges the ends of copies
//! where [`conservative`] tests allow it and then optimistically, [`simplify`] takes nodes
//! out of the graph onto a stack (or [`smallest_last`] does, where few registers count for
//! more than spills), [`select`] gives them registers from the top of the stack. If that
//! leaves out values on a GPU, select is asked again in the order of [`last_use`], and what
//! leaves out less counts. Values with no register are left to the round, which spills them.
//! Source: cicc documents; Briggs, Cooper and Torczon 1994.

pub mod coalesce;
pub mod conservative;
mod degrees;
mod edge_set;
pub mod interference;
pub mod last_use;
pub mod select;
pub mod simplify;
pub mod smallest_last;

pub use degrees::Graph;

use crate::analysis::live_set::RegisterPools;
use crate::analysis::liveness::Liveness;
use crate::analysis::tuples::TupleMap;
use crate::assign::attempt::Attempt;
use crate::assign::colouring::Colouring;
use crate::assign::merge;
use crate::assign::problem::{Problem, Target};
use crate::assign::tuples::as_many_as_possible;
use crate::error::Error;
use crate::order::classes::in_turn;
use crate::order::lists::Criteria;
use crate::order::priority::prioritise;
use crate::settings::{Driver, Order, Pass, Settings};
use crate::spill::cost::spill_costs;
use crate::spill::work::Work;
use coalesce::{Test, coalesce};
use interference::InterferenceGraph;
use last_use::by_last_use;
use smallest_last::smallest_last;
use std::cell::OnceCell;

/// Colours one round's values. Coalescing changes the problem's groups.
///
/// # Errors
/// If the values of one instruction do not fit into the budget.
pub fn colour(
    problem: &mut Problem,
    pools: &RegisterPools,
    liveness: &Liveness,
    settings: &Settings,
    attempt: Attempt,
) -> Result<Colouring, Error> {
    let join_equal_values = settings.runs(Pass::Coalesce);
    let (function, machine) = (problem.function, problem.machine);
    let edges = InterferenceGraph::new(function, pools, liveness, join_equal_values);
    let mut graph = Graph::new(problem, edges);
    if settings.runs(Pass::Coalesce) {
        let mut tests = vec![Test::Conservative(settings.coalescing_factor)];
        if settings.runs(Pass::OptimisticCoalesce) {
            tests.push(Test::Optimistic);
        }
        let report = coalesce(problem, &mut graph, &tests, &merge::Options::new(settings));
        merge::log(problem, &report);
    }
    let options = simplify::Options {
        significant_degree: settings.significant_degree(),
        coalesced_weight: settings.coalesced_weight(),
        lists: (settings.order() == Order::Lists)
            .then(|| Criteria::new(attempt, settings, function)),
    };
    let nodes = problem.nodes();
    let mut stack = match attempt {
        Attempt::Fewer => smallest_last(problem, &graph, &nodes),
        _ => simplify::simplify(problem, &graph, &nodes, &options),
    };
    prioritise(problem, &settings.knobs, &mut stack);
    if settings.driver == Driver::GuidanceFirst {
        in_turn(problem, &mut stack, attempt);
    }
    let use_hints = settings.runs(Pass::Hints);
    let again = settings.runs(Pass::LastUses) && machine.limited_file().is_some();
    let last_uses = OnceCell::new();
    as_many_as_possible(
        problem,
        settings.knobs.precolour_reuse,
        |problem, tuples| select::precolour(problem, &graph, tuples, use_hints),
        |problem, tuples| {
            let select = |stack: &[_]| select::select(problem, &graph, stack, tuples, use_hints);
            let first = select(&stack);
            let is_complete = matches!(&first, Ok(colouring) if colouring.failed().is_empty());
            if is_complete || !again {
                return first;
            }
            let stack = last_uses.get_or_init(|| by_last_use(problem, liveness, &nodes));
            match (first, select(stack)) {
                (Ok(first), Ok(second)) => Ok(cheaper(problem, first, second)),
                (Err(_), Ok(second)) => Ok(second),
                (first, Err(_)) => first,
            }
        },
    )
}

/// The colouring of which it costs less to spill what has no register; the first of equals.
fn cheaper(problem: &Problem, first: Colouring, second: Colouring) -> Colouring {
    let cost = |colouring: &Colouring| -> f64 {
        let failed = colouring.failed().iter();
        failed.map(|&value| problem.costs[value]).sum()
    };
    match cost(&second) < cost(&first) {
        true => second,
        false => first,
    }
}

/// A finished colouring with its tuples mended, within the registers of the target.
pub fn mended(
    work: &Work,
    target: &Target,
    settings: &Settings,
    finished: &Colouring,
) -> Colouring {
    let function = &work.function;
    let Target { machine, pools, .. } = target;
    let liveness = Liveness::new(function, machine);
    let costs = spill_costs(work, settings);
    let mut problem = Problem::new(function, target, &liveness, costs);
    problem.tuples = TupleMap::new(function, machine);
    let edges = InterferenceGraph::new(function, pools, &liveness, true);
    let graph = Graph::new(&problem, edges);
    select::mend(&problem, &graph, finished)
}
