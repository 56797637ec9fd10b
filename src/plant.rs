//! Plants a fault in a correct allocation, to see whether tests find it.

use passes::allocation::Allocation;
use passes::function::Function;
use passes::machine::Machine;
use passes::mutation::{Kind, Mutator};
use passes::verify::verify;

/// What shows in executed code, if it is executed: see [`Kind`].
const KINDS: [Kind; 2] = [Kind::DropEdge, Kind::MoveSpill];

/// Changes the allocation, and says what was done and whether the checker sees
/// a fault.
pub fn plant(
    function: &Function,
    machine: &Machine,
    allocation: &mut Allocation,
    seed: u64,
) -> String {
    let mutation = Mutator::new(function, machine, allocation).mutate(&KINDS, seed);
    let Some(mutation) = mutation else {
        return "planted nothing".into();
    };
    let opinion = match verify(function, machine, &mutation.allocation) {
        Ok(()) => "accepted".into(),
        Err(fault) => format!("rejected: {fault}"),
    };
    let message = format!("planted {mutation} (checker: {opinion})");
    *allocation = mutation.allocation;
    message
}
