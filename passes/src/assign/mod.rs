//! What the two engines, [`crate::graph`] and [`crate::fatpoint`], have in common.
//!
//! - [`problem`]: one round's facts, [`groups`]: which values are to share a register;
//! - [`filter`], [`limits`], [`merge`]: which copies may be coalesced and how far that goes,
//!   and how two groups become one;
//! - [`colouring`]: which registers values have got; [`hints`]: which ones would save
//!   copies; [`tuples`], [`exchange`]: how the values of a wide access come to lie side by
//!   side; [`evict`]: how one that cannot be spilled gets a register all the same.

pub mod attempt;
pub mod candidates;
pub mod colouring;
pub mod evict;
pub mod exchange;
pub mod filter;
pub mod groups;
pub mod hints;
pub mod limits;
pub mod merge;
pub mod problem;
pub mod tuples;

use crate::error::Error;
use crate::function::VirtualRegister;
use crate::machine::{Register, SubRegisterIndex};
use colouring::Assignments;
use groups::Member;
use problem::Problem;

/// Colours the members of groups that found no register together, one by one.
/// Values that cannot be spilled come first: they may evict the others. On a CPU these are
/// asked again in the end, as they may have classes with other registers.
pub(crate) fn colour_alone<A: Assignments>(
    problem: &Problem,
    state: &mut A,
    mut values: Vec<VirtualRegister>,
    mut choose: impl FnMut(&mut A, VirtualRegister, &[Member]) -> Option<Register>,
) -> Result<(), Error> {
    values.sort_by_key(|&value| !problem.minimal[value]);
    let mut evicts = false;
    for value in values {
        let alone = [(value, SubRegisterIndex::WHOLE)];
        if let Some(register) = choose(state, value, &alone) {
            state.set(value, Some(register));
        } else if problem.minimal[value] {
            evict::make_room(problem, state, value)?;
            evicts = true;
        } else {
            state.fail(value);
        }
    }
    if evicts && problem.machine.limited_file().is_none() {
        for value in state.colouring().failed().to_vec() {
            let alone = [(value, SubRegisterIndex::WHOLE)];
            if let Some(register) = choose(state, value, &alone) {
                state.set(value, Some(register));
            }
        }
        state.colouring_mut().forget_coloured();
    }
    Ok(())
}
