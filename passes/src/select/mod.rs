//! Select: gives the nodes on the stack their registers.
//!
//! Each node takes a register that no neighbour occupies, best one that saves a
//! copy ([`hints`]), else the first in its class's order that no neighbour hopes
//! for. A coalesced group that gets none is taken apart and its members are
//! coloured alone (Park and Moon).
//! A value that must not be spilled takes its register from values that may be
//! ([`evict`]). What is left uncoloured is spilled. Time: the edges of the nodes.

pub mod colouring;
pub mod evict;
pub mod hints;

use crate::error::Error;
use crate::function::VirtualRegister;
use crate::machine::SubRegisterIndex;
use crate::problem::Problem;
use colouring::Colouring;
use hints::Hints;

/// Colours the nodes of the stack, last first.
///
/// # Errors
/// When the values of one instruction do not fit.
pub fn select(
    problem: &Problem,
    stack: &[VirtualRegister],
    use_hints: bool,
) -> Result<Colouring, Error> {
    let hints = use_hints.then(|| Hints::new(problem));
    let mut colouring = Colouring::new(problem);
    let mut alone = Vec::new();
    for &node in stack.iter().rev() {
        let members = problem.groups.members(node);
        if let Some(register) = choose(problem, &mut colouring, hints.as_ref(), node, members) {
            colouring.assign_group(members, register, problem.machine);
        } else {
            alone.extend(members.iter().map(|&(value, _)| value));
        }
    }
    // Values that cannot be spilled come first: they may evict the others.
    alone.sort_by_key(|&value| !problem.minimal[value]);
    for value in alone {
        let member = [(value, SubRegisterIndex::WHOLE)];
        if let Some(register) = choose(problem, &mut colouring, hints.as_ref(), value, &member) {
            colouring.assign(value, register);
        } else if problem.minimal[value] {
            evict::make_room(problem, &mut colouring, value)?;
        } else {
            colouring.fail(value);
        }
    }
    if let Some(hints) = &hints {
        hints::mend_copies(problem, &mut colouring, hints);
    }
    Ok(colouring)
}

fn choose(
    problem: &Problem,
    colouring: &mut Colouring,
    hints: Option<&Hints>,
    node: VirtualRegister,
    members: &[(VirtualRegister, SubRegisterIndex)],
) -> Option<crate::machine::Register> {
    colouring.look_around(problem, members);
    if let Some(hints) = hints {
        for register in hints.wanted(problem, colouring, node, members) {
            if colouring.is_free(problem, register, members) {
                return Some(register);
            }
        }
    }
    let class = match members {
        [(value, _)] => problem.function.virtual_registers[*value].class,
        _ => problem.class[node],
    };
    let order = &problem.machine.classes[class].order;
    let mut free = order
        .iter()
        .copied()
        .filter(|&register| colouring.is_free(problem, register, members));
    let first = free.next()?;
    let Some(hints) = hints else {
        return Some(first);
    };
    let wanted = hints.wanted_by_neighbours(problem, colouring, members);
    let is_wanted = |register| {
        wanted
            .iter()
            .any(|&one| problem.machine.alias(register, one))
    };
    let others = std::iter::once(first).chain(free);
    others
        .into_iter()
        .find(|&one| !is_wanted(one))
        .or(Some(first))
}
