//! Retries: the same function with fewer stores and reloads.
//!
//! What failed in select was spilled because it came late, not because it was the best
//! to spill. Each retry begins again with the caller's function and spills what guidance
//! advises: the first aims at all registers, each further one at one less, which leaves
//! room for pairs that find no two neighbours free. The result with the cheapest memory
//! accesses stays. They end when one is no better (the stall check), when the target
//! cannot be reached (the feasibility gate), or when they are used up; what select did
//! alone is the final fallback. Time: a series of rounds for each retry. Source: ptxas
//! document, "spill guidance" and the retry loop around it.

use super::round::Attempt;
use super::series::{Outcome, Start, series};
use crate::analysis::demand::Demand;
use crate::analysis::live_range::LiveRanges;
use crate::analysis::liveness::Liveness;
use crate::config::{Config, Pass};
use crate::error::Error;
use crate::function::Function;
use crate::problem::{Problem, Target};
use crate::spill::guidance::Guidance;
use tracing::debug;

/// Functions with more operands than this are not tried again.
const LARGEST: usize = 200_000;

/// Tries to find an outcome with fewer memory accesses, or any if the first series found
/// none; counts the rounds.
///
/// # Errors
/// Those of the first series, if no retry does better.
pub fn fewer_accesses(
    function: &Function,
    target: &Target,
    config: &Config,
    first: Result<Outcome, Error>,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    if config.spill_retries == 0 || function.operands.len() > LARGEST {
        return first;
    }
    let mut best = first;
    let start = Start::new(function, target.machine, config);
    let function = &start.work.function;
    let liveness = Liveness::new(function, target.machine);
    let ranges = LiveRanges::new(function, &liveness);
    let costs = config.spill_costs(function);
    let problem = Problem::new(function, target, &liveness, costs);
    let values = function.virtual_registers.iter();
    let segments = values.map(|(value, data)| (data.class, ranges.segments(value)));
    let banks = &target.banks;
    let demand = Demand::new(function, target.machine, banks, &liveness, segments);
    let guidance = Guidance {
        problem: &problem,
        work: &start.work,
        liveness: &liveness,
        ranges: &ranges,
        demand: &demand,
        split: config.runs(Pass::Split),
    };
    for spare in 0..config.spill_retries {
        let advice = guidance.advice(spare);
        if advice.spilled.is_empty() || spare > 0 && advice.unmet {
            break;
        }
        let mut start = start.clone();
        start.spill(target.machine, advice.spilled);
        let advised = start.work.accesses();
        let attempt = Attempt::Spill { retry: true };
        let found = series(start, target, config, attempt, rounds);
        let accesses = |outcome: &Result<Outcome, Error>| match outcome {
            Ok(outcome) => outcome.work.accesses(),
            Err(_) => f64::INFINITY,
        };
        let (before, now) = (accesses(&best), accesses(&found));
        debug!(spare, before, advised, now, "tried with guidance");
        if now < before {
            best = found;
        } else if spare > 0 {
            break;
        }
    }
    best
}
