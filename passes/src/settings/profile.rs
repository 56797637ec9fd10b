//! Sets of settings that belong together.

use super::Settings;
use super::choices::{Pass, Select, Spills, parse};
use super::models::{BudgetModel, CoalescingRules, CostModel, DocumentedCost, Driver, Filter};
use crate::machine::streaming_multiprocessor::{DEFAULT_LATENCY, StreamingMultiprocessor};
use std::str::FromStr;

/// What ptxas needs for itself where values are spilled: R1, which points to them, and some
/// for its own addresses, tuples and order. Measured (docs/spills.md); an even number, for pairs.
pub const SPILL_RESERVE: u32 = 8;
/// ptxas' default spill cost.
const DEFAULT_SPILL_COST: f64 = 15.0;
/// Attempts that ptxas' target grants beyond the first ones; how many is not shown.
const EXTRA_RETRIES: u32 = 2;

/// What no document has.
const DISCOVERED: [Pass; 2] = [Pass::InPlace, Pass::LastUses];

/// A set of settings that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The best known.
    Auto,
    /// Those of ptxas.
    Ptxas,
    /// Those of cicc.
    Cicc,
}

impl Profile {
    const NAMES: [(Self, &str); 3] = [
        (Self::Auto, "auto"),
        (Self::Ptxas, "ptxas"),
        (Self::Cicc, "cicc"),
    ];

    /// The settings. The SM is that of a GPU.
    pub fn settings(self, sm: Option<&StreamingMultiprocessor>) -> Settings {
        let documented = CostModel::Documented(DocumentedCost {
            latency: sm.map_or(DEFAULT_LATENCY, |sm| sm.memory_latency),
            ..DocumentedCost::default()
        });
        let settings = match self {
            Self::Auto => Settings {
                spill_reserve: sm.map_or(0, |_| SPILL_RESERVE),
                spills: Spills::Auto,
                // Guidance that spares registers as well has never come to less.
                spill_retries: 1,
                // What ptxas makes of tuples is the same, at twice the time; of early reloads,
                // which it schedules itself, better code for some kernels, worse for others.
                // Spills taken back one by one leave vectors of reloads apart.
                disabled: [Pass::Tuples, Pass::EarlyReloads, Pass::TakeBack].into(),
                ..Settings::default()
            },
            Self::Ptxas => Settings {
                select: Select::FatPoint,
                wide_first: false,
                by_start: false,
                forced_modes: true,
                keep_pairs: false,
                tuples_are_vectors: true,
                default_spill_cost: Some(DEFAULT_SPILL_COST),
                budget_model: Some(BudgetModel::Piecewise),
                driver: Driver::GuidanceFirst,
                disabled: DISCOVERED.into(),
                extra_retries: EXTRA_RETRIES,
                coalescing_filter: Filter::all(),
                coalescing_rules: CoalescingRules::all(),
                ..Settings::default()
            },
            Self::Cicc => Settings {
                significant_degree: Some(15),
                coalesced_weight: 2.0,
                coalescing_factor: 0.8,
                spill_cost: documented,
                damp_guesses: false,
                spill_retries: 0,
                spill_threshold: sm.map(|sm| sm.spill_threshold),
                // The factor admits what is not conservative, and select takes it apart. What
                // is taken back is so behind ptxas' retries.
                disabled: [Pass::OptimisticCoalesce, Pass::TakeBack]
                    .into_iter()
                    .chain(DISCOVERED)
                    .collect(),
                ..Settings::default()
            },
        };
        Settings {
            // On a CPU time counts more than the last reload.
            spill_retries: settings.spill_retries.min(sm.map_or(1, |_| u32::MAX)),
            extra_retries: sm.map_or(0, |_| settings.extra_retries),
            // A kernel's loops do run as often as that.
            damp_guesses: settings.damp_guesses && sm.is_none(),
            memory_latency: sm.map_or(DEFAULT_LATENCY, |sm| sm.memory_latency),
            rename_joined: sm.is_none(),
            ..settings
        }
    }
}

impl Settings {
    /// The same choices of the caller, but registers are given and values spilled as a
    /// profile does it. The SM is that of a GPU.
    pub fn in_profile(self, profile: Profile, sm: Option<&StreamingMultiprocessor>) -> Self {
        let own = profile.settings(sm);
        Self {
            pressure_limit: self.pressure_limit,
            occupancy_target: self.occupancy_target,
            spill_limit: self.spill_limit,
            class_limit: self.class_limit,
            verify: self.verify,
            measure: self.measure,
            knobs: self.knobs,
            spill_space: self.spill_space,
            hand_off: self.hand_off,
            explain: self.explain,
            ..own
        }
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "profile", &Self::NAMES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_by_architecture() {
        let latency = |sm: Option<u32>| {
            let sm = sm.map(StreamingMultiprocessor::nearest);
            Profile::Cicc.settings(sm).spill_cost
        };
        let documented = |latency| {
            CostModel::Documented(DocumentedCost {
                latency,
                ..DocumentedCost::default()
            })
        };
        assert_eq!(latency(Some(90)), documented(6.0));
        assert_eq!(latency(Some(120)), documented(10.0));
        assert_eq!(latency(None), documented(10.0));
    }
}
