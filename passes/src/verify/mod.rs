//! A symbolic checker of a finished allocation.
//!
//! [`verify`] replays the original function with the allocation's edits and
//! keeps, for every register unit and every spill slot, the set of the
//! function's own virtual registers whose value is there. Every use has to find
//! its own value in every unit of the register it ends up naming. Where paths
//! meet, only what is true on all of them stays. The checker uses nothing that
//! the allocator computed but the allocation itself: a created virtual register
//! is not believed to carry its origin, it carries what was loaded into it; and which
//! values a warp shares, which instructions may be repeated and what is in flight, it
//! finds out by rules and code of its own, of the function alone.
//!
//! Besides values there are *fixed* contents: what physical definitions and a
//! block's live-in registers put into a unit. They never move, and a physical
//! use has to find them still there. Units that no class can allocate are left
//! to the target.
//!
//! What is taken on trust:
//! - the function. Its operands and flags are what LLVM's instructions and the texts of
//!   inline assembly were found to do; that a flag is right (an instruction depends on its
//!   operands alone, the uniform data path can execute it, its results differ between
//!   threads, it starts or awaits something) nothing here can tell. So are changes that were
//!   made to it before it was allocated: another order of instructions, classes of low
//!   halves, operands that keep registers taken behind `setmaxnreg`;
//! - the machine: registers and their units, classes, clobber masks, and the budget that
//!   was taken from it. A register outside is refused, but not what a wrong budget left in;
//! - that the threads of a warp meet again where a branch's ways do, which ptxas sees to;
//! - what happens afterwards: that the edits are carried out as they are written.
//!
//! Frequencies, hints, tuples and costs decide what is good, not what is right; they are not
//! looked at.
//!
//! The method is that of Rideau and Leroy, "Validating Register Allocation and
//! Spilling" (CC 2010), run forwards as regalloc2's checker does. A replay is
//! linear in operands, times the number of values known to be equal in one
//! register; a block is replayed again only when less is known at its start.
//!
//! The rooms: `plan` resolves operands and edits and finds what is wrong without control
//! flow, `constraints` what one instruction asks of its operands, `uniform` what may be in a
//! GPU's uniform registers, for which `divergence` finds what differs between threads and
//! `post_dominance` where these meet, `rematerialisation` what can be computed again,
//! `state` is the contents, `replay` the meaning of a block, `flow` the fixpoint,
//! `in_flight` what may not be accessed yet, `undefined` the excuse for values read before
//! they are defined.

mod constraints;
mod divergence;
mod fault;
mod flow;
mod in_flight;
mod plan;
mod post_dominance;
mod rematerialisation;
mod replay;
mod state;
mod undefined;
mod uniform;

pub use fault::{Fault, Site, Spot};

use crate::allocation::Allocation;
use crate::function::Function;
use crate::machine::Machine;

/// Checks that the allocation is right for the function, as it was before any
/// edit, on the machine.
///
/// # Errors
/// The first fault found.
pub fn verify(
    function: &Function,
    machine: &Machine,
    allocation: &Allocation,
) -> Result<(), Fault> {
    let plan = plan::Plan::new(function, machine, allocation)?;
    // What is wrong with a register in flight is mostly wrong with a value as well; this
    // says why.
    in_flight::check(&plan)?;
    flow::run(&plan, &[]).or_else(|fault| {
        // Reading a value before it is defined looks like a fault. It is rare
        // enough to look for only now.
        let undefined = undefined::values(function);
        match undefined.is_empty() {
            true => Err(fault),
            false => flow::run(&plan, &undefined),
        }
    })
}
