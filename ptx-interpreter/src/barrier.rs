//! Barriers of a block, and the reductions that some of them carry out.

use crate::error::Trouble;
use crate::operation::{BarrierReduction, Operation, Reduction};
use crate::thread::{State, Thread, World};

/// Opens the barriers that enough threads have reached; whether there were any.
/// Threads that have ended are not waited for. An error comes with the thread to blame.
pub(crate) fn barriers(
    world: &mut World<'_>,
    threads: &mut [Thread],
) -> Result<bool, (usize, Trouble)> {
    let alive = threads.iter().filter(|t| t.state != State::Done).count();
    let alive_one = |t: &&Thread| t.state != State::Done;
    let arrived = threads
        .iter()
        .filter(alive_one)
        .map(|t| t.cluster_arrivals)
        .min();
    let mut progress = false;
    for thread in &mut *threads {
        if let State::Cluster { arrivals } = thread.state
            && arrived >= Some(arrivals)
        {
            thread.state = State::Ready;
            progress = true;
        }
    }
    for barrier in 0..16 {
        let here: Vec<_> = (0..threads.len())
            .filter(|&t| matches!(threads[t].state, State::Barrier { id, .. } if id == barrier))
            .collect();
        let Some(&first) = here.first() else {
            continue;
        };
        let enough = match threads[first].state {
            State::Barrier { count: Some(n), .. } => n as usize,
            _ => alive,
        };
        if here.len() >= enough {
            reduce(world, threads, &here)?;
            here.iter().for_each(|&t| threads[t].state = State::Ready);
            progress = true;
        }
    }
    Ok(progress)
}

fn reduction(world: &World<'_>, thread: &Thread) -> Option<BarrierReduction> {
    let (function, at) = thread.place()?;
    match &world.module.functions[function].instructions[at].operation {
        Operation::Barrier { reduction, .. } => *reduction,
        _ => None,
    }
}

/// Gives every thread the reduction of all predicates.
fn reduce(
    world: &mut World<'_>,
    threads: &mut [Thread],
    here: &[usize],
) -> Result<(), (usize, Trouble)> {
    let Some(BarrierReduction { how, .. }) = reduction(world, &threads[here[0]]) else {
        // None must reduce, then.
        let mixed = here
            .iter()
            .find(|&&t| reduction(world, &threads[t]).is_some());
        return mixed.map_or(Ok(()), |&t| Err((t, MIXED)));
    };
    let mut votes = 0;
    for &t in here {
        let r = reduction(world, &threads[t]).filter(|r| r.how == how);
        let r = r.ok_or((t, MIXED))?;
        votes += usize::from((threads[t].get(world, r.value) & 1 == 1) != r.negated);
    }
    let result = match how {
        Reduction::And => u64::from(votes == here.len()),
        Reduction::Or => u64::from(votes > 0),
        Reduction::Count => votes as u64,
    };
    for &t in here {
        if let Some(r) = reduction(world, &threads[t]) {
            threads[t].set(world, r.to, result);
        }
    }
    Ok(())
}

const MIXED: Trouble = Trouble::Undefined("threads do different things at one barrier");
