//! What the caller may choose.

use crate::analysis::live_range::LiveRanges;
use crate::analysis::liveness::Liveness;
use crate::analysis::recipes::{Recipe, Recipes, recipes};
use crate::budget::limited_file;
use crate::budget::model::BudgetModel;
use crate::coalesce;
use crate::coalesce::filter::Filter;
use crate::coalesce::limits::Limits;
use crate::function::{Function, VirtualRegister};
use crate::knobs::Knobs;
use crate::machine::Machine;
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;
use crate::spill::cost::{CostModel, computation_scale, memory_latency};
use crate::spill::split_limits::SplitLimits;
use crate::spill::work::Work;
use cranelift_entity::PrimaryMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// What ptxas needs for itself where values are spilled: R1, which points to them, and some
/// for its own addresses and order. Measured (docs/techniques.md); an even number, for pairs.
const SPILL_RESERVE: u32 = 4;

/// With less than this ptxas is not asked to do: it has more, and the budget is ours alone.
const LEAST_RESERVING: u32 = 24;
/// By how much a value by which a warp finds its way costs more than another: it goes to
/// memory if nothing else can.
const STEERING_FACTOR: f64 = 1000.0;

/// The settings of one run of the allocator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Which select gives the registers.
    pub select: Select,
    /// Fat-point select first tries without spilling, pairs and quads before the rest.
    pub wide_first: bool,
    /// Fat-point select colours by where values begin, not by what they cost, where there
    /// is a budget.
    pub by_start: bool,
    /// Functions of more than one block have knob 683 on, as in ptxas.
    pub pairs_between_blocks: bool,
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
    /// Frequencies that are guesses count less: as their square roots.
    pub damp_guesses: bool,
    /// Where values are spilled: this many tries to do so at less cost.
    pub spill_retries: u32,
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

impl Default for Config {
    fn default() -> Self {
        Self {
            select: Select::Graph,
            wide_first: true,
            by_start: true,
            pairs_between_blocks: false,
            significant_degree: None,
            coalesced_weight: 1.0,
            pressure_limit: None,
            spill_reserve: 0,
            spills: Spills::Here,
            occupancy_target: None,
            budget_model: None,
            coalescing_factor: 1.0,
            coalescing_filter: Filter::PHYSICAL,
            spill_limit: None,
            class_limit: None,
            verify: false,
            measure: true,
            disabled: BTreeSet::new(),
            knobs: Knobs::default(),
            spill_cost: CostModel::Accesses,
            damp_guesses: true,
            spill_retries: 3,
            spill_space: SpillSpace::Local,
            hand_off: true,
            explain: false,
            rename_joined: false,
        }
    }
}

impl Config {
    /// How each value can be computed anew, as far as that is wanted.
    pub fn recipes(&self, function: &Function, machine: &Machine) -> Recipes {
        if !self.runs(Pass::Rematerialise) {
            return Recipes::new();
        }
        let with_sources = self.runs(Pass::RematerialiseChains) && limited_file(machine).is_some();
        let ranges = with_sources.then(|| {
            let liveness = Liveness::new(function, machine);
            LiveRanges::new(function, &liveness)
        });
        let mut found = recipes(function, ranges.as_ref());
        if let Some(most) = self.knobs.rematerialisation_threshold {
            let is_excluded = |recipe: &Rc<Recipe>| recipe.steps.len() > most as usize;
            for recipe in found.values_mut() {
                recipe.take_if(|recipe| is_excluded(recipe));
            }
        }
        found
    }

    /// What it costs to spill each value.
    pub fn spill_costs(&self, work: &Work) -> PrimaryMap<VirtualRegister, f64> {
        let anew = |value| work.anew(value);
        let mut costs = self.spill_cost.costs(&work.function, anew);
        for (value, cost) in costs.iter_mut() {
            if work.steers(value) {
                *cost *= STEERING_FACTOR;
            }
        }
        costs
    }

    /// By how much computing values anew counts more than by default.
    pub fn computation_scale(&self) -> f64 {
        computation_scale(self.knobs.spill_cost_multiplier)
    }

    /// What may be split.
    pub fn split_limits(&self) -> SplitLimits {
        match self.runs(Pass::Split) {
            true => SplitLimits::new(&self.knobs),
            false => SplitLimits::none(),
        }
    }

    /// What may be coalesced.
    pub fn coalescing(&self) -> coalesce::Options {
        coalesce::Options {
            rejected: self.coalescing_filter,
            limits: Limits::new(&self.knobs),
        }
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

    /// Whether fat-point select gives pairs and quads their registers first, whatever has to
    /// be spilled for them: by knob 683, or because of the function's blocks.
    pub fn paired(&self, function: &Function) -> bool {
        self.knobs.paired || self.pairs_between_blocks && function.blocks.len() > 1
    }

    /// The same settings, but an optional pass is left out.
    pub fn without(&self, pass: Pass) -> Self {
        let mut config = self.clone();
        config.disabled.insert(pass);
        config
    }

    /// Whether an optional pass runs.
    pub fn runs(&self, pass: Pass) -> bool {
        let allowed = match pass {
            Pass::Coalesce => self.knobs.coalescing,
            // The documents' costs know nothing of it.
            Pass::Steering => self.spill_cost == CostModel::Accesses,
            Pass::OptimisticCoalesce
            | Pass::Hints
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
            | Pass::SpillReserve => true,
        };
        allowed && !self.disabled.contains(&pass)
    }
}

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
    pub fn config(self, sm: Option<&StreamingMultiprocessor>) -> Config {
        let documented = CostModel::Documented {
            latency: memory_latency(sm),
        };
        match self {
            Self::Auto => Config {
                spill_reserve: sm.map_or(0, |_| SPILL_RESERVE),
                spills: Spills::Auto,
                ..Config::default()
            },
            Self::Ptxas => Config {
                select: Select::FatPoint,
                wide_first: false,
                by_start: false,
                pairs_between_blocks: true,
                budget_model: Some(BudgetModel::Piecewise),
                coalescing_filter: Filter::all(),
                ..Config::default()
            },
            Self::Cicc => Config {
                significant_degree: Some(15),
                coalesced_weight: 2.0,
                coalescing_factor: 0.8,
                spill_cost: documented,
                damp_guesses: false,
                spill_retries: 0,
                ..Config::default()
            },
        }
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "profile", &Self::NAMES)
    }
}

/// How registers are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Select {
    /// By colouring the interference graph.
    Graph,
    /// By histograms along live ranges, in the order of the six lists.
    FatPoint,
}

impl Select {
    const NAMES: [(Self, &str); 2] = [(Self::Graph, "graph"), (Self::FatPoint, "fatpoint")];
}

impl FromStr for Select {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "select", &Self::NAMES)
    }
}

/// Who spills what does not fit into a GPU's budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spills {
    /// Whoever is expected to do it at less cost.
    Auto,
    /// We: the budget is kept exactly, in our registers.
    Here,
    /// ptxas, of a program in an order that asks for fewer registers.
    Ptxas,
}

impl Spills {
    const NAMES: [(Self, &str); 3] = [
        (Self::Auto, "auto"),
        (Self::Here, "here"),
        (Self::Ptxas, "ptxas"),
    ];
}

impl FromStr for Spills {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "way to spill", &Self::NAMES)
    }
}

/// Where a GPU's spill slots lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpillSpace {
    /// In the thread's own memory.
    #[default]
    Local,
    /// In memory that a block shares, as far as there is room.
    Shared,
}

impl SpillSpace {
    const NAMES: [(Self, &str); 2] = [(Self::Local, "local"), (Self::Shared, "shared")];
}

impl FromStr for SpillSpace {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "spill space", &Self::NAMES)
    }
}

/// What an option's value names.
fn parse<T: Copy>(name: &str, kind: &str, names: &[(T, &str)]) -> Result<T, String> {
    let known = names.iter().find(|(_, known)| *known == name);
    known.map(|(value, _)| *value).ok_or_else(|| {
        let known: Vec<_> = names.iter().map(|(_, name)| *name).collect();
        format!(
            "unknown {kind} '{name}'; it can be one of: {}",
            known.join(", ")
        )
    })
}

/// A pass that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Pass {
    /// Merging of copy-related values.
    Coalesce,
    /// Merging beyond what is conservative, undone where it does not colour.
    OptimisticCoalesce,
    /// Preference for the registers of copy-related values.
    Hints,
    /// Computing values anew instead of reloading them.
    Rematerialise,
    /// The same by chains of instructions, of values that are in registers.
    RematerialiseChains,
    /// Keeping values in memory for a part of their live ranges.
    Split,
    /// Letting instructions access spilled values in memory themselves.
    Fold,
    /// Distribution of values to a GPU's uniform registers.
    Uniform,
    /// Placing the values of tuples side by side.
    Tuples,
    /// Another order of instructions, for fewer live values.
    Reorder,
    /// Storing and reloading neighbouring slots by one instruction.
    Vectors,
    /// One place in memory for values that are not needed at the same time.
    ShareSlots,
    /// One register for a GPU's 64-bit value of which only the low half is read.
    LowHalves,
    /// Spilled predicates of a GPU as bits of one register.
    PackPredicates,
    /// Leaving registers to ptxas where values are spilled.
    SpillReserve,
    /// Keeping in registers by what a GPU's warp finds its way.
    Steering,
}

impl Pass {
    const NAMES: [(Self, &str); 16] = [
        (Self::Coalesce, "coalesce"),
        (Self::OptimisticCoalesce, "optimistic-coalesce"),
        (Self::Hints, "hints"),
        (Self::Rematerialise, "remat"),
        (Self::RematerialiseChains, "remat-chains"),
        (Self::Split, "split"),
        (Self::Fold, "fold"),
        (Self::Uniform, "uniform"),
        (Self::Tuples, "tuples"),
        (Self::Reorder, "reorder"),
        (Self::Vectors, "vectors"),
        (Self::ShareSlots, "share-slots"),
        (Self::LowHalves, "low-halves"),
        (Self::PackPredicates, "pack-predicates"),
        (Self::SpillReserve, "spill-reserve"),
        (Self::Steering, "steering"),
    ];
}

impl fmt::Display for Pass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(pass, _)| pass == self);
        formatter.write_str(name.map_or("?", |(_, name)| name))
    }
}

impl FromStr for Pass {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "pass", &Self::NAMES)
    }
}
