//! The fat-point engine: no interference graph, but live ranges and histograms of what is in
//! each register along them.
//!
//! In this order: [`coalesce`] joins the ends of copies by their ranges, the six lists
//! ([`crate::order`]) say in which order values are coloured, [`select`] colours them: it
//! keeps what is in each of a file's [`columns`] ([`column_occupancy`]) and counts, for each
//! value, the points of its range at which they are taken ([`histogram`]). Source: ptxas
//! document.

pub mod coalesce;
pub mod column_occupancy;
pub mod columns;
mod epochs;
pub mod histogram;
pub mod select;

use crate::analysis::live_range::LiveRanges;
use crate::analysis::live_set::RegisterPools;
use crate::analysis::liveness::Liveness;
use crate::assign::attempt::Attempt;
use crate::assign::colouring::Colouring;
use crate::assign::merge;
use crate::assign::problem::Problem;
use crate::assign::tuples::as_many_as_possible;
use crate::error::Error;
use crate::order;
use crate::order::classes::in_turn;
use crate::order::interference_estimate::InterferenceEstimate;
use crate::order::lists::Criteria;
use crate::order::priority::prioritise;
use crate::settings::{Driver, Order, Pass, Settings};
use coalesce::GroupRanges;

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
    let (function, machine) = (problem.function, problem.machine);
    let ranges = LiveRanges::new(function, liveness);
    let mut groups = GroupRanges::default();
    if settings.runs(Pass::Coalesce) {
        groups = GroupRanges::coalesce(problem, &ranges, &merge::Options::new(settings));
        merge::log(problem, groups.report());
    }
    let interference =
        InterferenceEstimate::new(function, machine, problem.classes, pools, &ranges);
    let has_budget = machine.limited_file().is_some();
    let lists = settings.order() == Order::Lists;
    let ordering = order::Options {
        wide_first: match attempt {
            Attempt::NoSpill | Attempt::Tuples { spilled: false } => lists && settings.wide_first,
            Attempt::Fewer => true,
            Attempt::Spill { .. } | Attempt::Tuples { spilled: true } => false,
        },
        by_start: attempt == Attempt::Fewer || lists && settings.by_start && has_budget,
        criteria: Criteria::new(attempt, settings, function),
        order: settings.order(),
    };
    let mut stack = order::order(problem, &ranges, &interference, &problem.nodes(), &ordering);
    prioritise(problem, &settings.knobs, &mut stack);
    if settings.driver == Driver::GuidanceFirst {
        in_turn(problem, &mut stack, attempt);
    }
    let options = select::Options {
        hints: settings.runs(Pass::Hints),
        retarget: !settings.knobs.no_retarget_preferences,
        keep_pairs: settings.keeps_pairs(function),
        epochs: settings.is_epoch_aware(function),
        threshold: settings.knobs.discard_threshold,
    };
    as_many_as_possible(
        problem,
        settings.knobs.precolour_reuse,
        |problem, tuples| select::precolour(problem, &ranges, &groups, tuples, &options),
        |problem, tuples| select::select(problem, &ranges, &groups, &stack, tuples, &options),
    )
}
