//! What the texts of instructions say that ptxas makes use of.

use super::calls::CallSites;
use super::expansion::Expansions;
use crate::function::{Instruction, OperandIndex};
use cranelift_entity::SecondaryMap;
use serde::{Deserialize, Serialize};

/// How a result is computed of the only register that is read, where ptxas may compute it
/// again at its uses, or has no need to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// The sum of the register and a constant.
    Sum,
    /// The register, and zeros above it.
    ZeroExtension,
    /// The register, and its sign above it.
    SignExtension,
    /// A 64-bit product or shift by a constant.
    Multiple,
    /// One half of a 32-bit register, or both of them.
    Halves32,
    /// One half of a 64-bit register, or both of them.
    Halves64,
    /// Another cheap operation on an integer, the rest of which is constant.
    Cheap,
}

/// What memory an access may concern. The generic space counts as the global one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Space {
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
    /// The thread's own memory.
    Local,
    /// Constants and parameters, which nobody writes.
    Constant,
}

impl Space {
    /// How many there are.
    pub const COUNT: usize = 4;
}

/// What must stay in order with an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// Nothing but what computes its operands.
    #[default]
    None,
    /// Stores to the space.
    Load(Space),
    /// Loads from the space and stores to it.
    Store(Space),
    /// All accesses: a barrier, a fence, an asynchronous operation.
    Everything,
}

/// What one instruction means to ptxas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meaning {
    /// How its result is computed, if in one of these ways.
    pub form: Option<Form>,
    /// What it does to memory.
    pub access: Access,
    /// Whether it adds, so that it can multiply one of its sources first.
    pub adds: bool,
}

/// The meanings of a function's instructions.
pub type Meanings = SecondaryMap<Instruction, Meaning>;

/// What the texts of a function's instructions say.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// Which instructions are expanded.
    pub expansions: Expansions,
    /// What each instruction means.
    pub meanings: Meanings,
    /// Which operands are addresses, to which the access can add a constant.
    pub addresses: SecondaryMap<OperandIndex, bool>,
    /// Which instructions call what.
    pub calls: CallSites,
}
