//! One round of colouring: analysis, then one of the two engines.

use crate::analysis::in_place::in_place;
use crate::analysis::liveness::Liveness;
use crate::analysis::register_banks::ReadTogether;
use crate::analysis::tuples::{TupleMap, vector_widths};
use crate::assign::attempt::Attempt;
use crate::assign::colouring::Colouring;
use crate::assign::groups::Member;
use crate::assign::problem::{Problem, Target};
use crate::error::Error;
use crate::fatpoint;
use crate::function::VirtualRegister;
use crate::graph;
use crate::settings::{CoalescingRules, Pass, Select, Settings};
use crate::spill::around::Failure;
use crate::spill::cost::spill_costs;
use crate::spill::excess::excess;
use crate::spill::work::Work;
use cranelift_entity::SecondaryMap;
use tracing::debug;

/// What came of a round.
pub enum Round {
    /// Every value has a register.
    Coloured(Colouring),
    /// Some have none.
    Failed(Failure),
    /// So many are live at once that these must go before anything is coloured.
    Oversubscribed(Vec<VirtualRegister>),
}

/// One round.
///
/// # Errors
/// If the values of one instruction do not fit into the budget.
pub fn round(
    work: &Work,
    target: &Target,
    settings: &Settings,
    attempt: Attempt,
) -> Result<Round, Error> {
    let function = &work.function;
    let Target { machine, pools, .. } = target;
    let liveness = Liveness::new(function, machine);
    let costs = spill_costs(work, settings);
    if matches!(
        attempt,
        Attempt::NoSpill | Attempt::Fewer | Attempt::Spill { retry: false }
    ) {
        let values = excess(function, machine, pools, &liveness, &costs);
        if !values.is_empty() {
            debug!(values = values.len(), "spilled before colouring");
            return Ok(Round::Oversubscribed(values));
        }
    }
    let mut problem = Problem::new(function, target, &liveness, costs);
    if settings.knobs.bank_aware {
        problem.read_together = ReadTogether::new(function, machine);
    }
    if settings.tuples_are_vectors {
        problem.vector_width = vector_widths(function, machine);
    }
    if settings.runs(Pass::InPlace) && machine.limited_file().is_some() {
        problem.in_place = in_place(function);
    }
    if matches!(attempt, Attempt::Tuples { .. }) {
        problem.tuples = TupleMap::new(function, machine);
    }
    if settings
        .coalescing_rules
        .contains(CoalescingRules::SPLIT_LAST)
    {
        for created in &work.provenance.created {
            let value = created.register;
            problem.is_piece[value] = !problem.minimal[value];
        }
    }
    let colouring = match settings.select {
        Select::Graph => graph::colour(&mut problem, pools, &liveness, settings, attempt)?,
        Select::FatPoint => fatpoint::colour(&mut problem, pools, &liveness, settings, attempt)?,
    };
    debug!(%attempt, failed = colouring.failed().len(), "coloured");
    Ok(match colouring.failed().is_empty() {
        true => Round::Coloured(colouring),
        false => Round::Failed(Failure {
            groups: failed_groups(&problem, &colouring),
            colouring,
            liveness,
        }),
    })
}

/// The failed values by their groups, in the order in which those failed.
fn failed_groups(problem: &Problem, colouring: &Colouring) -> Vec<Vec<Member>> {
    let mut number: SecondaryMap<VirtualRegister, Option<u32>> = SecondaryMap::new();
    let mut groups: Vec<Vec<Member>> = Vec::new();
    for &value in colouring.failed() {
        let (root, part) = problem.groups.find(value);
        let number = *number[root].get_or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() as u32 - 1
        });
        groups[number as usize].push((value, part));
    }
    groups
}
