//! One round of colouring: analysis, coalescing, an order, select.
//!
//! Graph select colours what simplify takes out of the interference graph; fat-point
//! select colours by live ranges what the six lists have put in order.

use crate::analysis::crowding::CrowdingMap;
use crate::analysis::interference::InterferenceGraph;
use crate::analysis::live_range::LiveRanges;
use crate::analysis::live_set::RegisterPools;
use crate::analysis::liveness::Liveness;
use crate::analysis::register_banks::ReadTogether;
use crate::analysis::tuples::TupleMap;
use crate::budget::limited_file;
use crate::coalesce::groups::Member;
use crate::coalesce::ranges::GroupRanges;
use crate::coalesce::{Test, coalesce, copies_left};
use crate::config::{Config, Pass, Select};
use crate::error::Error;
use crate::function::{Operand, VirtualRegister};
use crate::graph::Graph;
use crate::order::{self, priority::prioritise};
use crate::problem::{Problem, Reserved, Target};
use crate::select::colouring::Colouring;
use crate::select::{self, fatpoint};
use crate::simplify::{self, smallest_last::smallest_last};
use crate::spill::around::Failure;
use crate::spill::excess::excess;
use crate::spill::work::Work;
use cranelift_entity::SecondaryMap;
use std::fmt;
use tracing::debug;

/// What came of a round.
pub enum Round {
    /// Every value has a register.
    Coloured(Colouring),
    /// Some have none.
    Failed(Failure),
    /// So many are live at once that these must go before anything is coloured.
    Crowded(Vec<VirtualRegister>),
}

/// How a round goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing may be spilled; a round that fails has no effect.
    NoSpill,
    /// The same once everything has a register, for a colouring with fewer.
    Fewer,
    /// What finds no register is spilled.
    Spill {
        /// Earlier attempts have failed.
        retry: bool,
    },
    /// As without spilling, but tuples get their registers before the other values, as many
    /// of them as can be without keeping one of these from having any.
    Tuples {
        /// Whether there is spill code.
        spilled: bool,
    },
}

impl fmt::Display for Attempt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoSpill => "nospill",
            Self::Fewer => "fewer",
            Self::Spill { retry: false } => "spill",
            Self::Spill { retry: true } => "retry",
            Self::Tuples { .. } => "tuples",
        })
    }
}

/// One round.
///
/// # Errors
/// If the values of one instruction do not fit into the budget.
pub fn round(
    work: &Work,
    target: &Target,
    config: &Config,
    attempt: Attempt,
) -> Result<Round, Error> {
    let function = &work.function;
    let Target { machine, pools, .. } = target;
    let liveness = Liveness::new(function, machine);
    let costs = config.spill_costs(work);
    if matches!(
        attempt,
        Attempt::NoSpill | Attempt::Fewer | Attempt::Spill { retry: false }
    ) {
        let values = excess(function, machine, pools, &liveness, &costs);
        if !values.is_empty() {
            debug!(values = values.len(), "spilled before colouring");
            return Ok(Round::Crowded(values));
        }
    }
    let mut problem = Problem::new(function, target, &liveness, costs);
    if config.knobs.bank_aware {
        problem.read_together = ReadTogether::new(function, machine);
    }
    if matches!(attempt, Attempt::Tuples { .. }) {
        problem.tuples = TupleMap::new(function, machine);
    }
    let colouring = match config.select {
        Select::Graph => by_graph(&mut problem, pools, &liveness, config, attempt)?,
        Select::FatPoint => by_live_ranges(&mut problem, pools, &liveness, config, attempt)?,
    };
    debug!(%attempt, failed = colouring.failed().len(), "coloured");
    Ok(match colouring.failed().is_empty() {
        true => Round::Coloured(colouring),
        false => Round::Failed(Failure {
            groups: failed_groups(&problem, &colouring),
            colouring,
        }),
    })
}

/// The failed values by their groups, in the order in which those failed.
fn failed_groups(problem: &Problem, colouring: &Colouring) -> Vec<Vec<Member>> {
    let mut number: SecondaryMap<VirtualRegister, Option<u32>> = SecondaryMap::new();
    let mut groups: Vec<Vec<Member>> = Vec::new();
    for &value in colouring.failed() {
        let (root, part) = problem.groups.find(value);
        let number = *number[root].get_or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() as u32 - 1
        });
        groups[number as usize].push((value, part));
    }
    groups
}

/// A finished colouring with its tuples mended, within the registers of the target.
pub fn mended(work: &Work, target: &Target, config: &Config, finished: &Colouring) -> Colouring {
    let function = &work.function;
    let Target { machine, pools, .. } = target;
    let liveness = Liveness::new(function, machine);
    let costs = config.spill_costs(work);
    let mut problem = Problem::new(function, target, &liveness, costs);
    problem.tuples = TupleMap::new(function, machine);
    let edges = InterferenceGraph::new(function, machine, pools, &liveness, true);
    let graph = Graph::new(&problem, edges);
    select::graph::mend(&problem, &graph, finished)
}

/// Coalescing, simplify and select over the interference graph.
fn by_graph(
    problem: &mut Problem,
    pools: &RegisterPools,
    liveness: &Liveness,
    config: &Config,
    attempt: Attempt,
) -> Result<Colouring, Error> {
    let join_equal_values = config.runs(Pass::Coalesce);
    let (function, machine) = (problem.function, problem.machine);
    let edges = InterferenceGraph::new(function, machine, pools, liveness, join_equal_values);
    let mut graph = Graph::new(problem, edges);
    if config.runs(Pass::Coalesce) {
        let mut tests = vec![Test::Conservative(config.coalescing_factor)];
        if config.runs(Pass::OptimisticCoalesce) {
            tests.push(Test::Optimistic);
        }
        let merged = coalesce(problem, &mut graph, &tests, &config.coalescing());
        log_coalesced(problem, merged);
    }
    let options = simplify::Options {
        significant_degree: config.significant_degree,
        coalesced_weight: config.coalesced_weight,
    };
    let nodes = nodes(problem);
    let mut stack = match attempt {
        Attempt::Fewer => smallest_last(problem, &graph, &nodes),
        _ => simplify::simplify(problem, &graph, &nodes, &options),
    };
    prioritise(problem, &config.knobs, &mut stack);
    let use_hints = config.runs(Pass::Hints);
    as_many_tuples_as_possible(
        problem,
        config.knobs.precolour_reuse,
        |problem, tuples| select::graph::precolour(problem, &graph, tuples, use_hints),
        |problem, tuples| select::graph::select(problem, &graph, &stack, tuples, use_hints),
    )
}

/// Selects with all tuples placed first; if that leaves a value without a register, with
/// the first half of them, and so on down to none. Unless `reuse`, no other value may have
/// a register that they have got.
fn as_many_tuples_as_possible(
    problem: &mut Problem,
    reuse: bool,
    precolour: impl Fn(&Problem, &[u32]) -> Colouring,
    select: impl Fn(&Problem, &[u32]) -> Result<Colouring, Error>,
) -> Result<Colouring, Error> {
    let order = problem.tuples.order(problem.function);
    let mut count = order.len();
    loop {
        let first = &order[..count];
        problem.reserved = None;
        if !reuse && count > 0 {
            let precolouring = precolour(problem, first);
            problem.reserved = Some(Reserved::new(problem, |value| precolouring.register(value)));
        }
        let colouring = select(problem, first);
        let failed = colouring.as_ref().map(|one| one.failed().len());
        debug!(tuples = count, failed = failed.unwrap_or(0), "placed first");
        if count == 0 || matches!(failed, Ok(0)) {
            return colouring;
        }
        count /= 2;
    }
}

/// Coalescing, ordering and fat-point select over live ranges.
fn by_live_ranges(
    problem: &mut Problem,
    pools: &RegisterPools,
    liveness: &Liveness,
    config: &Config,
    attempt: Attempt,
) -> Result<Colouring, Error> {
    let (function, machine) = (problem.function, problem.machine);
    let ranges = LiveRanges::new(function, liveness);
    let mut groups = GroupRanges::default();
    if config.runs(Pass::Coalesce) && config.runs(Pass::OptimisticCoalesce) {
        groups = GroupRanges::coalesce(problem, &ranges, &config.coalescing());
        log_coalesced(problem, groups.merged());
    }
    let crowding = CrowdingMap::new(function, machine, problem.classes, pools, &ranges);
    let has_budget = limited_file(machine).is_some();
    let ordering = order::Options {
        wide_first: match attempt {
            Attempt::NoSpill | Attempt::Tuples { spilled: false } => {
                config.wide_first || config.paired(function)
            }
            Attempt::Fewer => true,
            Attempt::Spill { .. } | Attempt::Tuples { spilled: true } => config.paired(function),
        },
        by_start: attempt == Attempt::Fewer || config.by_start && has_budget,
        retry: attempt == (Attempt::Spill { retry: true }),
        cost_threshold: None,
    };
    let mut stack = order::order(problem, &ranges, &crowding, &nodes(problem), &ordering);
    prioritise(problem, &config.knobs, &mut stack);
    let options = fatpoint::Options {
        hints: config.runs(Pass::Hints),
        retarget: !config.knobs.no_retarget_preferences,
        threshold: config.knobs.discard_threshold,
    };
    as_many_tuples_as_possible(
        problem,
        config.knobs.precolour_reuse,
        |problem, tuples| fatpoint::precolour(problem, &ranges, &groups, tuples, &options),
        |problem, tuples| fatpoint::select(problem, &ranges, &groups, &stack, tuples, &options),
    )
}

fn log_coalesced(problem: &Problem, merged: u32) {
    debug!(
        copies = problem.copies.len(),
        merged,
        left = copies_left(problem),
        "coalesced"
    );
}

/// The roots that some operand names.
fn nodes(problem: &Problem) -> Vec<VirtualRegister> {
    let function = problem.function;
    let mut named: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    let operands = function.operands.values();
    for value in operands.filter_map(Operand::virtual_register) {
        named[problem.groups.find(value).0] = true;
    }
    let values = function.virtual_registers.keys();
    values.filter(|&value| named[value]).collect()
}
