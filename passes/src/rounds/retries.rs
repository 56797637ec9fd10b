//! Retries: the same function with fewer stores and reloads.
//!
//! What fails in select is spilled because it comes late, not because it is the best to
//! spill. Each retry begins again with the caller's function and spills what guidance
//! advises: the first aims at all registers, each further one at one less, which leaves room
//! for pairs that find no two neighbours free. Where the first comes to hardly more accesses
//! than guidance advised, spilling what fails in select is not tried for a function of some
//! size, or one that accesses little: it brings next to nothing then, and it takes as long as
//! all else. The result with the cheapest memory accesses stays, and there a series is given
//! up as soon as it costs clearly more than that. Retries end when one is no better (the
//! stall check), when the target cannot be reached (the feasibility gate), or when they are
//! used up; what select does alone is the final fallback. Time: a series of rounds for each
//! retry. Source: ptxas document, "spill guidance" and the retry loop around it.

use super::Targets;
use super::first::exceeds;
use super::series::{Outcome, Series, Start};
use super::unspilled::Unspilled;
use crate::analysis::demand::Demand;
use crate::analysis::live_range::LiveRanges;
use crate::analysis::liveness::Liveness;
use crate::assign::attempt::Attempt;
use crate::assign::problem::{Problem, Target};
use crate::error::Error;
use crate::function::Function;
use crate::machine::{File, Machine};
use crate::settings::{Pass, Settings};
use crate::spill::cost::spill_costs;
use crate::spill::fast_path::fast_path;
use crate::spill::guidance::{Advice, Guidance};
use crate::spill::split_limits::SplitLimits;
use crate::spill::work::Work;
use tracing::debug;

/// How often guidance is asked again about what a rematerialisation kept in its register.
const MOST_REPEATED: u32 = 8;
/// Accesses over those that guidance advised, up to which a retry is as good as advised.
const AS_ADVISED: f64 = 1.1;
/// Accesses over those of what it is compared with, up to which a series goes on: what later
/// rounds spill everywhere needs fewer, and what it ends with is refined.
const REFINED: f64 = 1.05;
/// Accesses for each execution of a CPU's function of which a twentieth is not worth another
/// series. A kernel runs in thousands of threads: there each counts.
const LITTLE: f64 = 30.0;
/// Functions with no more operands are small: they are spilled in both ways, to the end, unless
/// they access little.
const SMALL: usize = 1000;
/// Functions with more operands than this are not tried again.
const LARGEST: usize = 200_000;

/// Finds an outcome with few memory accesses; counts the rounds. `alone` is the series that
/// spills what fails in select, or why there is none.
///
/// # Errors
/// Those of `alone`, if nothing else is found.
pub fn fewest_accesses<'a, 'f: 'a>(
    unspilled: &Unspilled<'f>,
    targets: Targets<'a>,
    settings: &'a Settings,
    alone: Result<Series<'a>, Error>,
    rounds: &mut u32,
) -> Result<Outcome, Error> {
    if !follows_guidance(unspilled.function, settings) {
        return alone?.run(rounds);
    }
    let target = targets.guidance;
    let whole = || Start::new(unspilled, target.machine, settings);
    let foreseen = unspilled.foreseen.take();
    let foreseen = foreseen.filter(|one| one.is_of(target.machine, settings));
    let followed = match foreseen {
        Some(Foreseen { followed, .. }) => followed,
        None => Followed::new(whole(), target, settings, 0, Bound::NONE),
    };
    let Some(Retry { advised, found }) =
        followed.coloured(targets.select, settings, f64::INFINITY, rounds)
    else {
        return alone?.run(rounds);
    };
    let is_small = is_small(unspilled.function);
    let within = |cost| most_accesses(unspilled.function, cost);
    let mut best = match found {
        None => alone?.run(rounds)?,
        Some(found) => {
            let cost = found.work.accesses();
            let is_little = cost <= LITTLE && target.machine.limited_file().is_none();
            let is_good = (is_little || !is_small) && cost <= advised * AS_ADVISED;
            match alone {
                Ok(alone) if !is_good => cheaper(alone.run_within(within(cost), rounds), found),
                _ => found,
            }
        }
    };
    for spare in 1..settings.spill_retries {
        let cost = best.work.accesses();
        let most = within(cost);
        let followed = Followed::new(whole(), target, settings, spare, Bound::NONE);
        match followed.coloured(targets.select, settings, most, rounds) {
            Some(Retry {
                found: Some(found), ..
            }) if found.work.accesses() < cost => best = found,
            _ => break,
        }
    }
    Ok(best)
}

/// Whether a first round without spilling is sure to fail, and may not be needed: what fails in
/// it is spilled only where guidance finds nothing good.
pub fn fails_first(function: &Function, target: &Target, settings: &Settings) -> bool {
    follows_guidance(function, settings) && !is_small(function) && exceeds(function, target)
}

/// Whether guidance is followed at all.
fn follows_guidance(function: &Function, settings: &Settings) -> bool {
    settings.spill_retries > 0 && function.operands.len() <= LARGEST
}

/// Whether trying or asking once more takes hardly any time.
pub fn is_small(function: &Function) -> bool {
    function.operands.len() <= SMALL
}

/// What the stores and reloads of a series may cost until it is given up, where those of the
/// best so far cost this.
pub fn most_accesses(function: &Function, best: f64) -> f64 {
    match is_small(function) {
        true => f64::INFINITY,
        false => best * REFINED,
    }
}

/// A function in which what guidance advises is spilled.
pub(super) struct Followed<'a> {
    start: Start<'a>,
    /// Registers that guidance was to spare.
    spare: u32,
    advised: Advised,
}

/// What was followed to see what it would cost: most often it is followed next.
pub(super) struct Foreseen<'a> {
    machine: Machine,
    chains: bool,
    followed: Followed<'a>,
}

impl Foreseen<'_> {
    /// The function with what is spilled.
    pub(super) fn work(&self) -> &Work {
        &self.followed.start.work
    }

    fn is_of(&self, machine: &Machine, settings: &Settings) -> bool {
        self.chains == settings.runs(Pass::RematerialiseChains) && self.machine == *machine
    }
}

/// What following guidance's advice came to.
struct Retry {
    /// What spilling costs that guidance advised.
    advised: f64,
    /// Select may have spilled more; none if it found nothing that costs little enough.
    found: Option<Outcome>,
}

impl<'a> Followed<'a> {
    /// Spills what guidance advises with so many registers to spare, within a bound.
    fn new(
        mut start: Start<'a>,
        target: &Target,
        settings: &Settings,
        spare: u32,
        bound: Bound,
    ) -> Self {
        let advised = follow_advice(&mut start, target, settings, spare, bound);
        Self {
            start,
            spare,
            advised,
        }
    }

    /// Colours what is left; none if nothing was advised, or not as many could be spared.
    /// Where stores and reloads cost more than `most` it is given up.
    fn coloured(
        self,
        target: &'a Target<'a>,
        settings: &'a Settings,
        most: f64,
        rounds: &mut u32,
    ) -> Option<Retry> {
        let Self { start, spare, .. } = self;
        let Advised { any, unmet } = self.advised;
        if !any || spare > 0 && unmet {
            return None;
        }
        let advised = start.work.accesses();
        let series = Series::new(start, target, settings, Attempt::Spill { retry: true });
        let found = series.run_within(most, rounds).ok().flatten();
        let now = found.as_ref().map(|found| found.work.accesses());
        debug!(spare, advised, now, "tried with guidance");
        Some(Retry { advised, found })
    }
}

/// The one with fewer accesses; of equal ones that of select alone.
fn cheaper(alone: Result<Option<Outcome>, Error>, found: Outcome) -> Outcome {
    match alone {
        Ok(Some(alone)) if alone.work.accesses() <= found.work.accesses() => alone,
        _ => found,
    }
}

/// What guidance expects spilling to cost, as executions of stores and reloads; none where
/// what it advises does not suffice, or where it is not followed. What is beyond a bound is
/// not followed to its end: it costs at least what is returned then.
pub fn predicted_accesses(
    unspilled: &Unspilled,
    machine: &Machine,
    settings: &Settings,
    bound: Bound,
) -> Option<f64> {
    if !follows_guidance(unspilled.function, settings) {
        return None;
    }
    let target = Target::new(machine);
    let start = Start::new(unspilled, target.machine, settings);
    let followed = Followed::new(start, &target, settings, 0, bound);
    let accesses = followed.start.work.accesses();
    let suffices = !followed.advised.unmet;
    if accesses <= bound.most && (suffices || !bound.must_suffice) {
        unspilled.foreseen.replace(Some(Foreseen {
            machine: machine.clone(),
            chains: settings.runs(Pass::RematerialiseChains),
            followed,
        }));
    }
    suffices.then_some(accesses)
}

/// How far guidance is followed.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Until stores and reloads cost more than this.
    pub most: f64,
    /// No further than to where its advice does not suffice.
    pub must_suffice: bool,
}

impl Bound {
    /// To the end.
    pub const NONE: Self = Self {
        most: f64::INFINITY,
        must_suffice: false,
    };

    fn is_passed(self, start: &Start, advised: &Advised) -> bool {
        let costs_too_much = self.most.is_finite() && start.work.accesses() > self.most;
        costs_too_much || self.must_suffice && advised.unmet
    }
}

/// What following guidance's advice came to.
pub struct Advised {
    /// Something is spilled.
    pub any: bool,
    /// Somewhere the demand stays beyond a file.
    pub unmet: bool,
}

/// Spills what guidance advises, within a bound. What leaves a file for registers of another
/// comes first: it adds to the demand for these.
pub fn follow_advice(
    start: &mut Start,
    target: &Target,
    settings: &Settings,
    spare: u32,
    bound: Bound,
) -> Advised {
    let machine = target.machine;
    let files = machine.files.keys();
    let (carried, others) = files.partition::<Vec<File>, _>(|&file| machine.is_carried(file));
    let mut stages = &[carried, others][..];
    let mut advised = Advised {
        any: false,
        unmet: false,
    };
    let mut repeated = 0;
    while !stages.is_empty() && !bound.is_passed(start, &advised) {
        let (advice, done) = first_advice(&start.work, target, settings, stages, spare, bound);
        advised.unmet |= advice.unmet;
        advised.any |= !advice.spilled.is_empty();
        // What has to stay for the sake of others leaves too much live: there is more to
        // be advised.
        let all = advice.spilled.is_empty() || start.spill(machine, advice.spilled);
        if all || repeated == MOST_REPEATED {
            stages = &stages[done..];
            repeated = 0;
        } else {
            repeated += 1;
        }
    }
    advised
}

/// What is advised for the first of these stages for which something is to be spilled,
/// and how many stages that settles.
fn first_advice(
    work: &Work,
    target: &Target,
    settings: &Settings,
    stages: &[Vec<File>],
    spare: u32,
    bound: Bound,
) -> (Advice, usize) {
    let Target { machine, .. } = target;
    let function = &work.function;
    let is_fast = fast_path(function, machine);
    let stages = stages.iter().map(|files| -> Vec<File> {
        let files = files.iter().copied();
        files.filter(|&file| !is_fast[file]).collect()
    });
    let stages: Vec<_> = stages.collect();
    if stages.iter().all(Vec::is_empty) {
        return (Advice::default(), stages.len());
    }
    let liveness = Liveness::new(function, machine);
    let ranges = LiveRanges::new(function, &liveness);
    let costs = spill_costs(work, settings);
    let problem = Problem::new(function, target, &liveness, costs);
    let demand = Demand::of_values(function, machine, &liveness, &ranges);
    let guidance = Guidance {
        problem: &problem,
        work,
        liveness: &liveness,
        ranges: &ranges,
        demand: &demand,
        limits: SplitLimits::new(settings),
        distance: settings.knobs.next_use_distance,
    };
    let mut unmet = false;
    for (done, files) in (1..).zip(&stages) {
        let advice = guidance.advice(files, spare, bound.must_suffice);
        unmet |= advice.unmet;
        if !advice.spilled.is_empty() || bound.must_suffice && unmet {
            return (Advice { unmet, ..advice }, done);
        }
    }
    let spilled = Vec::new();
    (Advice { spilled, unmet }, stages.len())
}
