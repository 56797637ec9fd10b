//! Operations that the threads of a warp do together. A thread that reaches one waits
//! until all threads that its membermask names wait at the same instruction.

mod matrix;
mod tensor;
mod warpgroup;

pub(crate) use tensor::Stored;
pub(crate) use warpgroup::Underway;

use crate::atomic::updated;
use crate::error::Trouble;
use crate::operation::{Operation, ShuffleMode, VoteMode, WarpOperation};
use crate::thread::{State, Thread, World};
use matrix::Product;

/// Carries out what the waiting threads of `warp` can do; whether there was anything.
/// An error comes with the lane to blame.
pub(crate) fn rendezvous(
    world: &mut World<'_>,
    warp: &mut [Thread],
) -> Result<bool, (usize, Trouble)> {
    let existing = if warp.len() == 32 {
        u32::MAX
    } else {
        (1 << warp.len()) - 1
    };
    let mut progress = false;
    for first in 0..warp.len() {
        let State::Warp { mask } = warp[first].state else {
            continue;
        };
        let place = warp[first].place();
        let lanes: Vec<_> = (0..warp.len())
            .filter(|l| mask & existing & 1 << l != 0)
            .collect();
        if lanes.iter().any(|&l| warp[l].state == State::Done) {
            // On a GPU it depends on the generation whether this hangs.
            return Err((
                first,
                Trouble::Undefined("the membermask names an exited thread"),
            ));
        }
        let all_here =
            |l: &usize| warp[*l].state == State::Warp { mask } && warp[*l].place() == place;
        if !lanes.iter().all(all_here) {
            continue;
        }
        together(world, warp, &lanes).map_err(|trouble| (first, trouble))?;
        for &l in &lanes {
            warp[l].state = State::Ready;
        }
        progress = true;
    }
    Ok(progress)
}

fn together(world: &mut World<'_>, warp: &mut [Thread], lanes: &[usize]) -> Result<(), Trouble> {
    let module = world.module;
    let Some((function, at)) = warp[lanes[0]].place() else {
        return Ok(());
    };
    let Operation::Warp(operation, _) = &module.functions[function].instructions[at].operation
    else {
        return Ok(());
    };
    let whole = || match lanes.len() {
        32 => Ok(()),
        _ => Err(Trouble::Undefined("the warp is not complete")),
    };
    match *operation {
        WarpOperation::Sync => {}
        WarpOperation::Reduce {
            how,
            kind,
            to,
            value,
        } => {
            let values: Vec<_> = lanes.iter().map(|&l| warp[l].get(world, value)).collect();
            let combine = |a, b| updated(how, kind, a, b, 0).unwrap_or(a);
            let result = values.into_iter().reduce(combine).unwrap_or(0);
            for &l in lanes {
                warp[l].set(world, to, result);
            }
        }
        WarpOperation::MultiplyMatrices {
            half,
            ref d,
            ref a,
            ref b,
            ref c,
        } => {
            whole()?;
            matrix::multiply(world, warp, &Product { half, d, a, b, c })?;
        }
        WarpOperation::LoadMatrices {
            space,
            transposed,
            ref to,
            address,
        } => {
            whole()?;
            matrix::load(world, warp, space, transposed, to, address)?;
        }
        WarpOperation::StoreMatrices {
            space,
            transposed,
            address,
            ref from,
        } => {
            whole()?;
            matrix::store(world, warp, space, transposed, address, from)?;
        }
        WarpOperation::TransposeMatrix(to, from) => {
            whole()?;
            matrix::transpose(world, warp, to, from);
        }
        WarpOperation::Elect(lowest, elected) => {
            for &l in lanes {
                if let Some(lowest) = lowest {
                    warp[l].set(world, lowest, lanes[0] as u64);
                }
                warp[l].set(world, elected, u64::from(l == lanes[0]));
            }
        }
        WarpOperation::CopyTensorMap(to, from) => {
            whole()?;
            warp[0].copy_tensor_map(world, to, from)?;
        }
        WarpOperation::Tensor(ref operation) => {
            whole()?;
            tensor::carry_out(world, warp, operation)?;
        }
        WarpOperation::Shuffle {
            mode,
            to,
            in_range,
            value,
            lane,
            clamp,
        } => {
            let values: Vec<_> = (0..warp.len())
                .map(|l| lanes.contains(&l).then(|| warp[l].get(world, value)))
                .collect();
            for &l in lanes {
                let b = warp[l].get(world, lane) as u32;
                let c = warp[l].get(world, clamp) as u32;
                let (source, ok) = source_lane(mode, l as u32, b, c);
                let missing = Trouble::Undefined("a shuffle from a thread that takes no part");
                let value = values
                    .get(source as usize)
                    .copied()
                    .flatten()
                    .ok_or(missing)?;
                warp[l].set(world, to, value);
                if let Some(in_range) = in_range {
                    warp[l].set(world, in_range, u64::from(ok));
                }
            }
        }
        WarpOperation::Vote {
            mode,
            to,
            value,
            negated,
        } => {
            let mut ballot = 0u32;
            for &l in lanes {
                if (warp[l].get(world, value) & 1 == 1) != negated {
                    ballot |= 1 << l;
                }
            }
            let votes = ballot.count_ones() as usize;
            let result = match mode {
                VoteMode::Ballot => u64::from(ballot),
                VoteMode::All => u64::from(votes == lanes.len()),
                VoteMode::Any => u64::from(votes > 0),
                VoteMode::Uniform => u64::from(votes == 0 || votes == lanes.len()),
            };
            for &l in lanes {
                warp[l].set(world, to, result);
            }
        }
    }
    Ok(())
}

/// The lane that `lane` reads, and whether that was in range. The third operand holds
/// two fields: five bits of clamp, and at bit 8 five bits that choose the segment.
pub(crate) fn source_lane(mode: ShuffleMode, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (b, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let limit = lane & segment | clamp & !segment;
    let (source, ok) = match mode {
        // Below lane zero it wraps to a large number, hence the signed comparison.
        ShuffleMode::Up => {
            let source = lane as i32 - b as i32;
            (source as u32, source >= limit as i32)
        }
        ShuffleMode::Down => (lane + b, lane + b <= limit),
        ShuffleMode::Butterfly => (lane ^ b, lane ^ b <= limit),
        ShuffleMode::Index => {
            let source = lane & segment | b & !segment;
            (source, source <= limit)
        }
    };
    if ok { (source, true) } else { (lane, false) }
}
