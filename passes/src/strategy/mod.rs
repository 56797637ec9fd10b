//! Who spills: how a GPU's function that needs more registers than it may have comes by
//! fewer.
//!
//! ptxas allocates in the end, whatever PTX says, and it spills where it has to: after it
//! has folded constants, addresses and parameters into operands and has ordered the
//! instructions anew. What fits by that measure, or nearly so, stays as it is: there ptxas
//! finds ways that are not seen from here, and every value that we spill is one too many.
//! Where far more is live than there are registers the allocator spills better, as it
//! looks at the whole function.
//!
//! Requires a validated function. Time: that of liveness. Source: ours, by measurement
//! (docs/spills.md).

mod parameters;

use crate::budget;
use crate::config::Spills;
use crate::function::{Function, OperandFlags};
use crate::machine::Machine;
use crate::prediction::Folding;
use parameters::PARAMETERS;
use tracing::debug;

/// What is handed to ptxas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The caller's program.
    AsItIs,
    /// Its instructions in an order that needs fewer registers.
    Reordered,
    /// What the allocator makes of it within the budget.
    Here,
}

/// Chooses for a function that has to keep to so many registers of the R file.
pub fn choose(function: &Function, machine: &Machine, spills: Spills, registers: u32) -> Strategy {
    match spills {
        Spills::Here => Strategy::Here,
        Spills::Ptxas => Strategy::Reordered,
        // Values in flight can neither be stored nor make room; ptxas knows best what it
        // does around them.
        Spills::Auto if is_asynchronous(function) => Strategy::AsItIs,
        Spills::Auto => {
            let needed = needed(function, machine);
            debug!(function = function.name, needed, registers, "who spills");
            match needed * 100 >= registers * PARAMETERS.far_percent {
                true => Strategy::Here,
                false => Strategy::AsItIs,
            }
        }
    }
}

/// Whether registers are in flight somewhere.
fn is_asynchronous(function: &Function) -> bool {
    let mut operands = function.operands.values();
    operands.any(|operand| operand.flags.contains(OperandFlags::IN_FLIGHT))
}

/// The registers of the R file that the function needs at its fullest point, without what
/// ptxas folds into operands.
fn needed(function: &Function, machine: &Machine) -> u32 {
    let Some(file) = budget::limited_file(machine) else {
        return 0;
    };
    let rest = Folding::new(function).rest();
    budget::most_live(&rest, machine, file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::definitions_first;
    use crate::machine::gpu;

    #[test]
    fn what_needs_far_more_than_there_is_is_allocated_here() {
        let machine = gpu::machine(gpu::R_SIZE);
        let of = |needed, spills| choose(&definitions_first(needed), &machine, spills, 20);
        let far = 20 * PARAMETERS.far_percent / 100;
        assert_eq!(of(10, Spills::Auto), Strategy::AsItIs);
        assert_eq!(of(far - 1, Spills::Auto), Strategy::AsItIs);
        assert_eq!(of(far, Spills::Auto), Strategy::Here);
        assert_eq!(of(10, Spills::Here), Strategy::Here);
        assert_eq!(of(far, Spills::Ptxas), Strategy::Reordered);
    }
}
