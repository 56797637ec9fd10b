//! What the caller may choose: plain data, which changes no more once it is resolved.
//!
//! Each room takes from here what it needs; nothing here knows how it is used.

mod choices;
mod models;
mod profile;

pub use choices::{Order, Pass, Select, SpillSpace, Spills};
pub use models::{
    BudgetModel, CoalescingRules, CostModel, DocumentedCost, Driver, Filter, ReloadCost,
};
pub use profile::{Profile, SPILL_RESERVE};

use crate::function::Function;
use crate::knobs::Knobs;
use crate::machine::streaming_multiprocessor::DEFAULT_LATENCY;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// With less than this ptxas is not asked to do: it has more, and the budget is ours alone.
const LEAST_RESERVING: u32 = 24;
/// ptxas' default spill cost "in certain architecture modes": read as those that spill to
/// shared memory.
const SHARED_SPILL_COST: f64 = 3.0;

/// The settings of one run of the allocator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Which select gives the registers.
    pub select: Select,
    /// In which order they are given; the select's usual one without it.
    pub order: Option<Order>,
    /// Fat-point select first tries without spilling, pairs and quads before the rest.
    pub wide_first: bool,
    /// Fat-point select colours by where values begin, not by what they cost, where there
    /// is a budget.
    pub by_start: bool,
    /// Functions of more than one block have knobs 619, 682 and 683 on, as in ptxas.
    pub forced_modes: bool,
    /// Fat-point select keeps pairs and quads of free registers whole, without knob 683, too.
    pub keep_pairs: bool,
    /// Values of a tuple that is wider than four registers count as large vectors.
    pub tuples_are_vectors: bool,
    /// Spill cost above which a value is dear; none is without it.
    pub default_spill_cost: Option<f64>,
    /// A node of the interference graph is significant from this degree on, even if
    /// it has more registers to choose from; none of ours, 15 in cicc.
    pub significant_degree: Option<u32>,
    /// What the spill cost of a node that others have joined counts.
    pub coalesced_weight: f64,
    /// At most this many registers of a GPU's R file; the file's own size
    /// without it.
    pub pressure_limit: Option<u32>,
    /// So many registers of a GPU's R file are left to ptxas where values are spilled.
    pub spill_reserve: u32,
    /// Who spills what does not fit into a GPU's budget.
    pub spills: Spills,
    /// Percent of the warps that an SM can hold: what a GPU's budget has to leave room
    /// for.
    pub occupancy_target: Option<u32>,
    /// ptxas' model of what fraction of the registers may be in use, in its profile.
    pub budget_model: Option<BudgetModel>,
    /// Weight on degrees in the conservative coalescing test. 1.0 is
    /// conservative; less admits more, and is undone where it does not colour.
    pub coalescing_factor: f64,
    /// A copy with any of these is not coalesced.
    pub coalescing_filter: Filter,
    /// ptxas' rules about merging that are followed.
    pub coalescing_rules: CoalescingRules,
    /// Give up after this many spilled values.
    pub spill_limit: Option<u32>,
    /// Use only this many registers of each class, the first in its order: a way
    /// to make everything spill, for tests.
    pub class_limit: Option<u32>,
    /// Run the symbolic checker on the result.
    pub verify: bool,
    /// Count the registers that the result occupies, for the statistics.
    pub measure: bool,
    /// Optional passes to leave out.
    pub disabled: BTreeSet<Pass>,
    /// The knobs of ptxas' allocator.
    pub knobs: Knobs,
    /// What spilling a value costs.
    pub spill_cost: CostModel,
    /// Cycles of a reload on the target.
    pub memory_latency: f64,
    /// Frequencies that are guesses count less (`analysis::frequency::damp`).
    pub damp_guesses: bool,
    /// How colouring and spilling alternate.
    pub driver: Driver,
    /// Where values are spilled: this many tries to do so at less cost.
    pub spill_retries: u32,
    /// So many more of them where they may still bring something.
    pub extra_retries: u32,
    /// Percent of a GPU's registers that are filled before values are spilled.
    pub spill_threshold: Option<u32>,
    /// Where a GPU's spill slots lie.
    pub spill_space: SpillSpace,
    /// ptxas is told of a budget that was asked for.
    pub hand_off: bool,
    /// Somebody reads remarks: what they say is predicted.
    pub explain: bool,
    /// Give values that a deleted copy leaves in one register one name. LLVM's
    /// matrix of live ranges holds each register once; where we rewrite the code
    /// ourselves there is no need.
    pub rename_joined: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            select: Select::Graph,
            order: None,
            wide_first: true,
            by_start: true,
            forced_modes: false,
            keep_pairs: true,
            tuples_are_vectors: false,
            default_spill_cost: None,
            significant_degree: None,
            coalesced_weight: 1.0,
            pressure_limit: None,
            spill_reserve: 0,
            spills: Spills::Here,
            occupancy_target: None,
            budget_model: None,
            coalescing_factor: 1.0,
            coalescing_filter: Filter::PHYSICAL,
            coalescing_rules: CoalescingRules::empty(),
            spill_limit: None,
            class_limit: None,
            verify: false,
            measure: true,
            disabled: BTreeSet::new(),
            knobs: Knobs::default(),
            spill_cost: CostModel::Accesses,
            memory_latency: DEFAULT_LATENCY,
            damp_guesses: true,
            driver: Driver::SelectFirst,
            spill_retries: 3,
            extra_retries: 0,
            spill_threshold: None,
            spill_space: SpillSpace::Local,
            hand_off: true,
            explain: false,
            rename_joined: false,
        }
    }
}

impl Settings {
    /// In which order registers are given.
    pub fn order(&self) -> Order {
        self.order.unwrap_or(self.select.usual_order())
    }

    /// Whether somebody wants fewer registers than a GPU's function would take.
    pub fn asks_for_fewer_registers(&self) -> bool {
        let knobs = [self.knobs.secondary_budget, self.knobs.tertiary_budget];
        self.pressure_limit.is_some()
            || self.occupancy_target.is_some()
            || knobs.iter().any(|&limit| limit > 0)
    }

    /// How many of so many registers are left to ptxas where values are spilled.
    pub fn reserve(&self, registers: u32) -> u32 {
        let wanted = self.runs(Pass::SpillReserve) && self.class_limit.is_none();
        match wanted && registers >= LEAST_RESERVING {
            true => self.spill_reserve,
            false => 0,
        }
    }

    /// Whether the function's blocks switch on what ptxas has on between blocks.
    fn has_forced_modes(&self, function: &Function) -> bool {
        self.forced_modes && function.blocks.len() > 1
    }

    /// Whether fat-point select keeps pairs and quads of free registers whole: knob 683.
    pub fn keeps_pairs(&self, function: &Function) -> bool {
        self.keep_pairs || self.knobs.paired || self.has_forced_modes(function)
    }

    /// Whether fat-point select prefers the registers that a block has used: knob 682.
    pub fn is_epoch_aware(&self, function: &Function) -> bool {
        self.knobs.epoch_aware || self.has_forced_modes(function)
    }

    /// Where the function's spill slots lie: knob 619, unless the ABI is kept to (649).
    pub fn spill_space(&self, function: &Function) -> SpillSpace {
        match self.has_forced_modes(function) && !self.knobs.abi_compatibility {
            true => SpillSpace::Shared,
            false => self.spill_space,
        }
    }

    /// The model that says what fits, if one is asked.
    pub fn budget_model(&self) -> Option<BudgetModel> {
        self.budget_model
            .map(|model| match self.knobs.budget_linear {
                true => BudgetModel::Linear,
                false => model,
            })
    }

    /// Spill cost above which a value is dear. Shared memory is nearer than local memory.
    pub fn dear(&self, function: &Function) -> Option<f64> {
        let own = match self.spill_space(function) {
            SpillSpace::Local => self.default_spill_cost,
            SpillSpace::Shared => self.default_spill_cost.map(|_| SHARED_SPILL_COST),
        };
        self.knobs.default_spill_cost.or(own)
    }

    /// From this degree on a node of the interference graph is significant.
    pub fn significant_degree(&self) -> Option<u32> {
        self.knobs.significant_degree.or(self.significant_degree)
    }

    /// What the spill cost of a node that others have joined counts.
    pub fn coalesced_weight(&self) -> f64 {
        self.knobs.coalesced_weight.unwrap_or(self.coalesced_weight)
    }

    /// What a reload costs, where a store costs one.
    pub fn reload_cost(&self) -> ReloadCost {
        let latency = self.knobs.reload_latency.unwrap_or(self.memory_latency);
        match self.knobs.reload_cost_in_cycles {
            true => ReloadCost::in_cycles(latency),
            false => ReloadCost::ACCESS,
        }
    }

    /// Percent of a GPU's registers that are filled before values are spilled.
    pub fn spill_threshold(&self) -> Option<u32> {
        let own = self.spill_threshold;
        own.map(|own| self.knobs.spill_threshold.unwrap_or(own))
    }

    /// The same settings, but an optional pass is left out.
    pub fn without(&self, pass: Pass) -> Self {
        let mut settings = self.clone();
        settings.disabled.insert(pass);
        settings
    }

    /// Whether an optional pass runs.
    pub fn runs(&self, pass: Pass) -> bool {
        let allowed = match pass {
            Pass::Coalesce => self.knobs.coalescing,
            // The documents' costs know nothing of it.
            Pass::Steering => self.spill_cost == CostModel::Accesses,
            Pass::OptimisticCoalesce
            | Pass::Hints
            | Pass::InPlace
            | Pass::LastUses
            | Pass::Rematerialise
            | Pass::RematerialiseChains
            | Pass::Split
            | Pass::Fold
            | Pass::Uniform
            | Pass::Tuples
            | Pass::Reorder
            | Pass::Vectors
            | Pass::ShareSlots
            | Pass::LowHalves
            | Pass::PackPredicates
            | Pass::SpillReserve
            | Pass::RedundantReloads
            | Pass::TakeBack
            | Pass::EarlyReloads
            | Pass::MoveBeforeCalls
            | Pass::SuperClasses => true,
        };
        allowed && !self.disabled.contains(&pass)
    }
}
