//! Which of the documents' models are used; what they say is where they act.

use super::choices::parse;
use crate::knobs::Knobs;
use crate::machine::streaming_multiprocessor::DEFAULT_LATENCY;
use bitflags::bitflags;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Cycles of an access to the first-level cache (cicc documents).
const NEAREST_LEVEL: f64 = 4.0;

/// How spilling is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum CostModel {
    /// Executions of the stores and reloads that spilling adds.
    Accesses,
    /// The cicc document's product.
    Documented(DocumentedCost),
}

/// The numbers of the cicc document's spill cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentedCost {
    /// Cycles of a reload.
    pub latency: f64,
    /// By how much a use counts more for each loop around it.
    pub loop_base: f64,
    /// By how much a value with many uses counts more.
    pub many_uses_factor: f64,
}

impl Default for DocumentedCost {
    fn default() -> Self {
        let Knobs {
            loop_base,
            many_uses_factor,
            ..
        } = Knobs::default();
        Self {
            latency: DEFAULT_LATENCY,
            loop_base,
            many_uses_factor,
        }
    }
}

impl CostModel {
    /// With the numbers that knobs set.
    pub fn with(self, knobs: &Knobs) -> Self {
        match self {
            Self::Accesses => self,
            Self::Documented(own) => Self::Documented(DocumentedCost {
                latency: knobs.reload_latency.unwrap_or(own.latency),
                loop_base: knobs.loop_base,
                many_uses_factor: knobs.many_uses_factor,
            }),
        }
    }
}

/// What a reload and a computation cost, where a store costs one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReloadCost {
    /// A reload.
    pub reload: f64,
    /// What is added to it where the registers are full, and another value has to go.
    pub pressure: f64,
    /// By how much a computation counts more than where accesses are counted.
    pub computation: f64,
}

impl ReloadCost {
    /// Accesses are counted.
    pub const ACCESS: Self = Self {
        reload: 1.0,
        pressure: 0.0,
        computation: 1.0,
    };

    /// In cycles, with so many to a reload. A store and a computation take those of the
    /// nearest level. What has to go is reloaded or dies, which of them is not known.
    pub fn in_cycles(latency: f64) -> Self {
        let reload = latency / NEAREST_LEVEL;
        Self {
            reload,
            pressure: reload / 2.0,
            computation: 4.0,
        }
    }
}

/// How colouring and spilling alternate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Driver {
    /// Select spills what has no register; then guidance is asked how to do better.
    SelectFirst,
    /// That of ptxas: the register classes in turn; attempts without spilling, unless the
    /// budget model expects that values are spilled, then attempts with guidance.
    GuidanceFirst,
}

/// Which form of ptxas' budget model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BudgetModel {
    /// Four breakpoints, the default.
    Piecewise,
    /// Two.
    Linear,
}

bitflags! {
    /// What is known of a copy whose ends could be merged; the bits are those of the document.
    /// Where they come from says [`crate::assign::filter`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct Filter: u8 {
        /// An end is live across a call.
        const CROSSES_CALL = 0x01;
        /// There is a copy: true of each candidate, and never against it.
        const HAS_COPY = 0x02;
        /// The value that the copy makes is live across a call, so it belongs into a
        /// register that calls keep. The document has this against selects alone.
        const CALLEE_SAVED = 0x04;
        /// The copy is done under a predicate. No copy that LLVM exports is.
        const PREDICATED = 0x08;
        /// An end is a physical register: of the calling convention, or coloured before.
        /// There is nothing to merge; a hint saves the copy.
        const PHYSICAL = 0x10;
        /// The copy belongs to the web of a PHI: it is not the only definition of its
        /// destination. Never against it.
        const PHI_WEB = 0x20;
        /// An end can have one register only: on a GPU, quads under the smallest budgets.
        const PINNED = 0x80;
    }
}

bitflags! {
    /// Rules of ptxas about which copies are merged, and in which order.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct CoalescingRules: u8 {
        /// A copy weighs as many moves as its kind and its type make of it.
        const WEIGHTS = 0x01;
        /// Copies of pairs and wider values before all others, each pair of ends once, and
        /// within a window.
        const MODES = 0x02;
        /// What receives a value may not cost more to spill than where that comes from.
        const SPILL_WEIGHTS = 0x04;
        /// A copy whose source it cannot be merged with reads another copy of the same.
        const BRIDGES = 0x08;
        /// Copies of what was split around interference come last.
        const SPLIT_LAST = 0x10;
    }
}

impl CoalescingRules {
    const NAMES: [(Self, &str); 5] = [
        (Self::WEIGHTS, "copy-weights"),
        (Self::MODES, "copy-modes"),
        (Self::SPILL_WEIGHTS, "spill-weights"),
        (Self::BRIDGES, "copy-bridges"),
        (Self::SPLIT_LAST, "split-last"),
    ];

    /// The names of all rules.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().map(|&(_, name)| name)
    }
}

impl FromStr for CoalescingRules {
    type Err = String;

    /// One rule by its name.
    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "rule", &Self::NAMES)
    }
}
