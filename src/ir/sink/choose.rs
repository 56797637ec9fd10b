//! Which values are computed again.
//!
//! At the place in each block that needs too many registers, from the worst one on: those
//! whose copies cost least, by how often blocks run, for each register that they free, as
//! long as there are too many, and as long as they cost less than to spill what it is
//! cheapest to spill there instead of those that are still too many. What values are computed
//! of and what is not live there so far is counted once for all that are chosen together.

use crate::ir::pressure::class::Class;
use crate::ir::pressure::peaks::Peak;
use crate::ir::program::Program;
use crate::ir::recompute::{MOST_STEPS, steps};
use crate::ir::value::Value;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a spilled value costs where it is used, in operations.
const ACCESS_COST: f64 = 4.0;

/// Values that are computed of the same, some of which is not live yet.
struct Group {
    /// What becomes live.
    new: Vec<usize>,
    members: Vec<Member>,
}

/// A value that can be computed again.
struct Member {
    piece: usize,
    leaves: Vec<Value>,
    cost: f64,
}

/// A peak, and which pieces stay live there wherever they are computed again.
struct Place {
    peak: Peak,
    live_if_sunk: FixedBitSet,
}

/// The pieces that are computed again, and the values that they are computed of.
pub fn choose(program: &Program, peaks: Vec<Peak>, limit: u32) -> FxHashMap<usize, Vec<Value>> {
    let movable = movable(program);
    let mut chosen = FxHashMap::default();
    let place = |peak: Peak| Place {
        live_if_sunk: program.live_if_sunk(&peak),
        peak,
    };
    let mut places: Vec<Place> = peaks.into_iter().map(place).collect();
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(places[number].peak.registers));
    // What others are computed of stays where it is.
    let mut kept = FxHashSet::default();
    for number in order {
        if places[number].peak.registers <= limit {
            continue;
        }
        let spills = program.spills(&places[number].peak);
        let mut live_spills = Spills::new(program, &spills, &places[number].peak.live);
        for group in groups(program, &places[number], &movable) {
            let place = &places[number];
            let peak = &place.peak;
            if peak.registers <= limit {
                break;
            }
            // The fewer are too many, the cheaper is what would be spilled for the last of them.
            let excess = i64::from(peak.registers - limit);
            let highest = live_spills.dearest(excess, &[]);
            let is_free = |member: &&Member| {
                !chosen.contains_key(&member.piece)
                    && !kept.contains(&member.piece)
                    && peak.live[member.piece]
                    && member.cost <= highest * f64::from(program.values.pieces[member.piece].count)
                    && !member.leaves.iter().any(|&leaf| {
                        program
                            .values
                            .of(leaf)
                            .any(|piece| chosen.contains_key(&piece))
                    })
            };
            let free: Vec<_> = group.members.iter().filter(is_free).collect();
            if free.is_empty() {
                continue;
            }
            let members = worthwhile(program, place, &live_spills, free, &group.new, excess);
            let here = place.freed(program, &members, &group.new);
            let cost: f64 = members.iter().map(|member| member.cost).sum();
            if here <= 0 || cost > highest * here as f64 {
                continue;
            }
            let freed = |place: &Place| place.freed(program, &members, &group.new);
            let everywhere: i64 = places.iter().map(freed).sum();
            if everywhere <= 0 {
                continue;
            }
            for place in &mut places {
                place.free(program, &members, &group.new);
            }
            for member in members {
                let leaves = member.leaves.iter();
                kept.extend(leaves.flat_map(|&leaf| program.values.of(leaf)));
                chosen.insert(member.piece, member.leaves.clone());
            }
            live_spills = Spills::new(program, &spills, &places[number].peak.live);
        }
    }
    chosen
}

/// The members of a group without the dearest ones: no more than it takes, and nothing that
/// costs more than to spill what is left.
fn worthwhile<'a>(
    program: &Program,
    place: &Place,
    spills: &Spills,
    mut members: Vec<&'a Member>,
    new: &[usize],
    excess: i64,
) -> Vec<&'a Member> {
    members.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    let numbers = members.iter().map(|member| spills.number(member.piece));
    let others_than: Vec<_> = numbers.collect();
    while let [rest @ .., last] = &members[..] {
        let left = excess - place.freed(program, rest, new);
        let count = program.values.pieces[last.piece].count;
        let highest = spills.dearest(left, &others_than);
        if left > 0 && last.cost <= highest * f64::from(count) {
            break;
        }
        members.pop();
    }
    members
}

/// The pieces that can be computed again wherever another block uses them.
fn movable(program: &Program) -> FixedBitSet {
    let values = program.values;
    let is_cheap = |&piece: &usize| {
        let data = &values.pieces[piece];
        let is_whole = values.of(data.owner).count() == 1;
        data.class == Class::R && is_whole && steps(data.owner).is_some()
    };
    let mut movable = FixedBitSet::with_capacity(values.pieces.len());
    movable.extend((0..values.pieces.len()).filter(is_cheap));
    for block in 0..program.frequencies.len() {
        for one in program.uses_in(block) {
            let owner = values.pieces[one.piece].owner;
            if movable[one.piece] && !names(program, one.value, owner) {
                movable.set(one.piece, false);
            }
        }
    }
    movable
}

/// Whether `value` is `owner`, or a name for it that can be written anywhere.
fn names(program: &Program, mut value: Value, owner: Value) -> bool {
    while value != owner {
        if program.values.is_computed(value) || steps(value).is_none() {
            return false;
        }
        value = value.operand(0);
    }
    true
}

/// What can be computed again at a peak, the cheapest for a register first.
fn groups(program: &Program, place: &Place, movable: &FixedBitSet) -> Vec<Group> {
    let peak = &place.peak;
    let mut groups: Vec<Group> = Vec::new();
    let mut numbers = FxHashMap::default();
    for piece in peak.live.ones().filter(|&piece| movable[piece]) {
        if place.live_if_sunk[piece] {
            continue;
        }
        let (leaves, steps) = leaves(program, piece, &peak.live);
        let of = leaves.iter().flat_map(|&leaf| program.values.of(leaf));
        let is_new =
            |&piece: &usize| program.values.pieces[piece].class == Class::R && !peak.live[piece];
        let mut new: Vec<usize> = of.filter(is_new).collect();
        new.sort_unstable();
        new.dedup();
        let member = Member {
            piece,
            leaves,
            cost: program.frequency_elsewhere(piece) * f64::from(steps),
        };
        // Those that need nothing new need not be chosen together.
        let number = match new.is_empty() {
            true => groups.len(),
            false => *numbers.entry(new.clone()).or_insert(groups.len()),
        };
        if number == groups.len() {
            groups.push(Group {
                new,
                members: Vec::new(),
            });
        }
        groups[number].members.push(member);
    }
    let price = |group: &Group| {
        let members: Vec<_> = group.members.iter().collect();
        let cost: f64 = members.iter().map(|member| member.cost).sum();
        cost / place.freed(program, &members, &group.new).max(1) as f64
    };
    let mut priced: Vec<_> = groups
        .into_iter()
        .map(|group| (price(&group), group))
        .collect();
    priced.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    priced.into_iter().map(|(_, group)| group).collect()
}

/// What a piece is computed of, down to what is live or not cheap, and in how many
/// operations.
fn leaves(program: &Program, piece: usize, live: &FixedBitSet) -> (Vec<Value>, u32) {
    let values = program.values;
    let mut leaves = Vec::new();
    let mut total = 0;
    let mut work = vec![values.pieces[piece].owner];
    while let Some(one) = work.pop() {
        let is_live = values.of(one).all(|part| part != piece && live[part]);
        let steps = steps(one).filter(|steps| total + steps <= MOST_STEPS);
        let must = values.of(one).any(|part| part == piece);
        match steps {
            Some(steps) if must || !is_live => {
                if values.is_computed(one) {
                    total += steps;
                }
                work.extend(one.operands().filter(|part| part.opcode().is_some()));
            }
            _ if !leaves.contains(&one) => leaves.push(one),
            _ => {}
        }
    }
    (leaves, total)
}

/// What can be spilled at a place, the cheapest first.
struct Spills {
    those: Vec<Spill>,
    numbers: FxHashMap<usize, usize>,
}

struct Spill {
    /// The registers of those before it.
    before: i64,
    /// Its own.
    count: i64,
    /// What each of them costs, by how often blocks run.
    price: f64,
}

impl Spills {
    /// Those of some that are live.
    fn new(program: &Program, spills: &[(f64, usize)], live: &FixedBitSet) -> Self {
        let mut found = Self {
            those: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let mut before = 0;
        for &(price, piece) in spills.iter().filter(|&&(_, piece)| live[piece]) {
            let count = i64::from(program.values.pieces[piece].count);
            found.numbers.insert(piece, found.those.len());
            found.those.push(Spill {
                before,
                count,
                price,
            });
            before += count;
        }
        found
    }

    /// Which one a piece is; past all of them if it is none.
    fn number(&self, piece: usize) -> usize {
        self.numbers
            .get(&piece)
            .copied()
            .unwrap_or(self.those.len())
    }

    /// What the dearest register costs, in operations, of as many as are too many, if those
    /// others than some are spilled for which that is cheapest.
    fn dearest(&self, excess: i64, others_than: &[usize]) -> f64 {
        let (mut spilled, mut skipped) = (0, 0);
        loop {
            let needed = |one: &Spill| one.before < excess + skipped;
            let next = self.those.partition_point(needed);
            if next == spilled {
                break;
            }
            spilled = next;
            let others = others_than.iter().filter(|&&number| number < spilled);
            skipped = others.map(|&number| self.those[number].count).sum();
        }
        let mut last = (0..spilled)
            .rev()
            .filter(|number| !others_than.contains(number));
        last.next()
            .map_or(0.0, |number| ACCESS_COST * self.those[number].price)
    }
}

impl Place {
    /// The registers that are free here if the members are computed again.
    fn freed(&self, program: &Program, members: &[&Member], new: &[usize]) -> i64 {
        let live = &self.peak.live;
        let count = |piece: usize| i64::from(program.values.pieces[piece].count);
        let (mut any, mut less) = (false, 0);
        for member in members.iter().filter(|member| live[member.piece]) {
            any = true;
            if !self.live_if_sunk[member.piece] {
                less += count(member.piece);
            }
        }
        let new = new.iter().filter(|&&piece| any && !live[piece]);
        less - new.map(|&piece| count(piece)).sum::<i64>()
    }

    /// Takes the members out of what is live here.
    fn free(&mut self, program: &Program, members: &[&Member], new: &[usize]) {
        let less = self.freed(program, members, new);
        let peak = &mut self.peak;
        if !members.iter().any(|member| peak.live[member.piece]) {
            return;
        }
        peak.registers = u32::try_from(i64::from(peak.registers) - less).unwrap_or(0);
        for member in members {
            if !self.live_if_sunk[member.piece] {
                peak.live.set(member.piece, false);
            }
        }
        for &piece in new {
            peak.live.set(piece, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spills(counts_and_prices: &[(i64, f64)]) -> Spills {
        let mut before = 0;
        let those = counts_and_prices.iter().map(|&(count, price)| {
            before += count;
            Spill {
                before: before - count,
                count,
                price,
            }
        });
        Spills {
            those: those.collect(),
            numbers: FxHashMap::default(),
        }
    }

    #[test]
    fn as_many_are_spilled_as_are_too_many() {
        let spills = spills(&[(2, 1.0), (1, 2.0), (2, 3.0)]);
        let prices = [0, 1, 2, 3, 4, 5, 6].map(|excess| spills.dearest(excess, &[]));
        let expected = [0.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0];
        assert_eq!(prices, expected.map(|price| ACCESS_COST * price));
    }

    #[test]
    fn what_is_computed_again_is_not_spilled() {
        let spills = spills(&[(1, 1.0), (2, 2.0), (1, 3.0), (1, 4.0)]);
        let price = |excess, others_than: &[usize]| spills.dearest(excess, others_than);
        assert_eq!(price(1, &[0]), ACCESS_COST * 2.0);
        assert_eq!(price(2, &[1]), ACCESS_COST * 3.0);
        assert_eq!(price(3, &[0, 2]), ACCESS_COST * 4.0);
        assert_eq!(price(1, &[3]), ACCESS_COST * 1.0);
        assert_eq!(price(1, &[0, 1, 2, 3]), 0.0);
        // One that is no spill is past all of them.
        assert_eq!(price(4, &[4]), ACCESS_COST * 3.0);
    }
}
