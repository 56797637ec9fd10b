//! Select: gives the nodes on the assignment stack their registers.
//!
//! Two selects: [`graph`] colours the interference graph, [`fatpoint`] scans
//! histograms of what is in each register along a live range. Both take the stack
//! from the top, prefer registers that save copies ([`hints`]) after tuples have got
//! theirs ([`tuples`], [`exchange`]), take groups apart
//! that get no register, make room for values that cannot be spilled ([`evict`]),
//! and leave uncoloured what is to be spilled.

pub mod colouring;
pub mod evict;
pub mod exchange;
pub mod fatpoint;
pub mod graph;
pub mod hints;
pub mod tuples;

use crate::coalesce::groups::Member;
use crate::error::Error;
use crate::function::VirtualRegister;
use crate::machine::{Register, SubRegisterIndex};
use crate::problem::Problem;
use colouring::Assignments;

/// Colours the members of groups that found no register together, one by one.
/// Values that cannot be spilled come first: they may evict the others.
fn colour_alone<A: Assignments>(
    problem: &Problem,
    state: &mut A,
    mut values: Vec<VirtualRegister>,
    mut choose: impl FnMut(&mut A, VirtualRegister, &[Member]) -> Option<Register>,
) -> Result<(), Error> {
    values.sort_by_key(|&value| !problem.minimal[value]);
    for value in values {
        let alone = [(value, SubRegisterIndex::WHOLE)];
        if let Some(register) = choose(state, value, &alone) {
            state.set(value, Some(register));
        } else if problem.minimal[value] {
            evict::make_room(problem, state, value)?;
        } else {
            state.fail(value);
        }
    }
    Ok(())
}
