//! Which of the documents' models are used; what they say is where they act.

use super::choices::parse;
use bitflags::bitflags;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// How spilling is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum CostModel {
    /// Executions of the stores and reloads that spilling adds.
    Accesses,
    /// The cicc document's product, with this many cycles to a reload.
    Documented {
        /// The document's memory latency.
        latency: f64,
    },
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
