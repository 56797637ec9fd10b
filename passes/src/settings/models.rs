//! Which of the documents' models are used; what they say is where they act.

use bitflags::bitflags;
use serde::{Deserialize, Serialize};

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
    /// What may speak against merging the ends of a copy; the bits are those of the
    /// document.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct Filter: u8 {
        /// An end is live across a call that overwrites registers. PTX has no such call.
        const CROSSES_CALL = 0x01;
        /// An end is a physical register: of the calling convention, or coloured before.
        /// There is nothing to merge; a hint saves the copy.
        const PHYSICAL = 0x10;
        /// An end can have one register only: on a GPU, quads under the smallest budgets.
        const PINNED = 0x80;
    }
}
