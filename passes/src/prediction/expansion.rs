//! What ptxas makes several instructions of.

use crate::function::Instruction;
use cranelift_entity::SecondaryMap;
use serde::{Deserialize, Serialize};

/// An instruction of PTX that no single one of the hardware does. The registers that its
/// sequence needs beside the operands do not stand in PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expansion {
    /// A shuffle: where threads may have parted, a path of its own passes its operands
    /// in registers.
    Shuffle,
    /// A 32-bit floating-point division, root or reciprocal, correctly rounded.
    RoundedSingle,
    /// A 64-bit floating-point division.
    DivisionDouble,
    /// A 64-bit floating-point root.
    RootDouble,
    /// A 64-bit floating-point reciprocal.
    ReciprocalDouble,
    /// An integer division or remainder of up to 32 bits.
    DivisionInteger,
    /// A 64-bit integer division or remainder.
    DivisionLong,
    /// An atomic operation with a result.
    Atomic,
    /// A transcendental function, with its scaling.
    Transcendental,
    /// An access to the thread's own memory.
    Local,
    /// A load from other memory. Where ptxas unrolls the loop around it there are several.
    Load,
}

/// The instructions of a function that are expanded.
pub type Expansions = SecondaryMap<Instruction, Option<Expansion>>;
