//! Which slots are to lie side by side.
//!
//! Slots gain from being neighbours as often as they are accessed in one run. The pairs
//! that gain most are formed first, and then, where the slots are small enough, pairs of
//! pairs; a slot that is accessed alone loses nothing by it. A greedy matching, half as
//! good as the best one at worst. Which of two slots comes first, and whether their
//! registers are neighbours too, makes no difference to what ptxas comes out with. Time:
//! for each access those near to it in its run, and sorting.

use super::{Group, Run, WIDEST, group_numbers, shape};
use crate::allocation::{Allocation, Location};
use crate::function::Slot;
use smallvec::smallvec;
use std::collections::BTreeMap;

/// How far apart in a run two accesses may be, so that long runs take linear time.
const NEAR: usize = 16;
/// Bytes of the narrowest values that are joined; others are rare.
const NARROWEST: u32 = 4;

/// What two groups, the one with the lower number first, gain from being neighbours:
/// executions of vector instructions.
type Gains = BTreeMap<(usize, usize), f64>;

/// All slots in groups of one, two or four.
pub(super) fn groups(allocation: &Allocation, runs: &[Run]) -> Vec<Group> {
    let slots: Vec<Group> = allocation
        .slots
        .keys()
        .map(|slot| smallvec![slot])
        .collect();
    let pairs = paired(&slots, &gains(allocation, runs, &slots));
    paired(&pairs, &gains(allocation, runs, &pairs))
}

/// What groups gain that are accessed as a whole in one run.
fn gains(allocation: &Allocation, runs: &[Run], groups: &[Group]) -> Gains {
    let group_of = group_numbers(groups);
    let shape = |number: usize| shape(allocation, &groups[number]);
    let mut gains = Gains::new();
    for run in runs {
        let locations: BTreeMap<Slot, Location> = run
            .accesses
            .iter()
            .map(|&(value, slot)| (slot, allocation.locations[value]))
            .collect();
        let mut whole: Vec<(usize, Location)> = Vec::new();
        for &(_, slot) in &run.accesses {
            let number = group_of[slot];
            let group = &groups[number];
            let (size, len) = shape(number);
            let fits = size >= NARROWEST && 2 * size * len as u32 <= WIDEST;
            if slot == group[0] && fits && group.iter().all(|lane| locations.contains_key(lane)) {
                whole.push((number, locations[&slot]));
            }
        }
        for (position, &(one, location)) in whole.iter().enumerate() {
            for &(other, other_location) in whole[position + 1..].iter().take(NEAR) {
                // Two of one value would need a copy.
                if one != other && location != other_location && shape(one) == shape(other) {
                    let pair = (one.min(other), one.max(other));
                    *gains.entry(pair).or_default() += run.frequency;
                }
            }
        }
    }
    gains
}

/// Joins the groups that gain most, two by two; the others stay as they are. Of equal
/// gains those that are near in number come first: the code was written so.
fn paired(groups: &[Group], gains: &Gains) -> Vec<Group> {
    let mut wanted: Vec<_> = gains.iter().collect();
    wanted.sort_by(|(pair, gain), (other_pair, other_gain)| {
        let near = |pair: &(usize, usize)| (pair.1 - pair.0, pair.0);
        let gains = other_gain.total_cmp(gain);
        gains.then_with(|| near(pair).cmp(&near(other_pair)))
    });
    let mut joined: Vec<Option<Group>> = groups.iter().cloned().map(Some).collect();
    let mut is_taken = vec![false; groups.len()];
    for (&(one, other), _) in wanted {
        if !is_taken[one] && !is_taken[other] {
            (is_taken[one], is_taken[other]) = (true, true);
            joined[other] = None;
            let lanes = groups[one].iter().chain(&groups[other]);
            joined[one] = Some(lanes.copied().collect());
        }
    }
    joined.into_iter().flatten().collect()
}
