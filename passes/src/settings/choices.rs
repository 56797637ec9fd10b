//! Settings that are one of several, by name.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How registers are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Select {
    /// By colouring the interference graph.
    Graph,
    /// By histograms along live ranges.
    FatPoint,
}

impl Select {
    const NAMES: [(Self, &str); 2] = [(Self::Graph, "graph"), (Self::FatPoint, "fatpoint")];

    /// The order that a select has where none is asked for.
    pub fn usual_order(self) -> Order {
        match self {
            Self::Graph => Order::Degrees,
            Self::FatPoint => Order::Lists,
        }
    }
}

impl FromStr for Select {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "select", &Self::NAMES)
    }
}

/// In which order values are put onto the assignment stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// By the six lists of ptxas.
    Lists,
    /// By degree and spill cost alone, as Briggs, Cooper and Torczon.
    Degrees,
}

impl Order {
    const NAMES: [(Self, &str); 2] = [(Self::Lists, "lists"), (Self::Degrees, "degrees")];
}

impl FromStr for Order {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name, "order", &Self::NAMES)
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
pub(super) fn parse<T: Copy>(name: &str, kind: &str, names: &[(T, &str)]) -> Result<T, String> {
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
    /// Preference of a GPU's results for the registers of operands.
    InPlace,
    /// Colouring a GPU's values by their last uses where simplify's order leaves some out.
    LastUses,
    /// Rematerialising values instead of reloading them.
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
    /// Leaving out loads of what a register still holds.
    RedundantReloads,
    /// Taking spills back where a register was free all along.
    TakeBack,
    /// Reloading values before they are read, where their registers are free.
    EarlyReloads,
    /// On a CPU, another register for a value from where a call is ahead.
    MoveBeforeCalls,
    /// On a CPU, all registers of its super-class for a value that a few instructions read from a
    /// smaller class.
    SuperClasses,
}

impl Pass {
    const NAMES: [(Self, &str); 23] = [
        (Self::Coalesce, "coalesce"),
        (Self::OptimisticCoalesce, "optimistic-coalesce"),
        (Self::Hints, "hints"),
        (Self::InPlace, "in-place"),
        (Self::LastUses, "last-uses"),
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
        (Self::RedundantReloads, "redundant-reloads"),
        (Self::TakeBack, "take-back"),
        (Self::EarlyReloads, "early-reloads"),
        (Self::MoveBeforeCalls, "move-before-calls"),
        (Self::SuperClasses, "super-classes"),
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
