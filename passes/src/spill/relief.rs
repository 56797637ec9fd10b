//! The choice of what to spill: the cheapest for the registers it frees.
//!
//! Candidates are single gaps, and whole values. The cost of each depends on what was
//! chosen before: the first gap of a value pays for its stores, the second often for
//! one reload. An access that can take place in memory needs no register once its value is
//! there before and behind it, and relieves its own points then; so does the end of a block
//! where a value would be loaded for the next one. A queue holds them by cost for relief, which
//! is the sum, over the points where too much is live, of the columns that they free and that
//! are missing there. At the end what later choices made needless comes back, the dearest
//! first. Time: the points of a candidate each time it is looked at, seldom more than twice. All of
//! a value may be cheaper behind each of its gaps that is chosen, but its points are looked at
//! again only once it may be the next: what it relieves only falls, so what it relieved before
//! says what it costs at least.

mod in_part;

use super::gap_costs::GapCosts;
use super::gaps::{Around, Gap, each_around};
use super::overfull::{Missing, OverfullPoints};
use crate::function::VirtualRegister;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A value that may be spilled, or be in memory during some of its gaps.
pub struct Candidate {
    /// Which.
    pub value: VirtualRegister,
    /// It is in memory all the time.
    pub whole: bool,
    /// Its gaps; none if it cannot be in memory for a while only.
    pub gaps: Option<GapCosts>,
    /// For each gap the points beyond the file that it relieves.
    points: PrimaryMap<Gap, OverfullPoints>,
    /// What lies between its gaps.
    between: Vec<Between>,
    /// For each gap what lies before and behind it, by its number there.
    beside: SecondaryMap<Gap, SmallVec<[usize; 2]>>,
    /// Points that are relieved only if it is in memory all the time.
    others: OverfullPoints,
    width: i32,
    /// What being in memory all the time costs.
    cost: f64,
    /// What that relieved when it was looked at last: it never relieves more.
    most_relief: i64,
    /// The entry of the queue that counts for that.
    queued: Option<u64>,
    /// It comes back from memory where it need not be there.
    comes_back: bool,
    /// Where distance counts: the points of each gap, and of all of the value.
    distances: Option<(PrimaryMap<Gap, i64>, i64)>,
}

/// What needs no register if its value is in memory before and behind it.
pub struct Between {
    /// The gaps before and behind it.
    pub gaps: Around,
    /// The points beyond the file that it relieves.
    pub points: OverfullPoints,
}

/// The gaps of a value.
pub struct WithGaps {
    /// What they cost.
    pub costs: GapCosts,
    /// For each the points beyond the file that it relieves.
    pub points: PrimaryMap<Gap, OverfullPoints>,
    /// What lies between them and needs no register with both in memory.
    pub between: Vec<Between>,
}

/// What can be chosen of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    /// One of its gaps.
    Gap(Gap),
    /// All of it.
    Whole,
}

impl Candidate {
    /// A value in a register all the time, of so many columns. `points`: all that it
    /// relieves.
    pub fn new(
        value: VirtualRegister,
        cost: f64,
        width: i32,
        points: OverfullPoints,
        gaps: Option<WithGaps>,
    ) -> Self {
        let (gaps, by_gap, between) = match gaps {
            Some(gaps) => (Some(gaps.costs), gaps.points, gaps.between),
            None => Default::default(),
        };
        let joint = between.iter().map(|one| &one.points);
        let mut beside: SecondaryMap<Gap, SmallVec<[usize; 2]>> = SecondaryMap::new();
        for (number, one) in between.iter().enumerate() {
            for gap in each_around(one.gaps) {
                beside[gap].push(number);
            }
        }
        let others = points.without(by_gap.values().chain(joint));
        Self {
            value,
            whole: false,
            gaps,
            others,
            points: by_gap,
            between,
            beside,
            width,
            cost,
            most_relief: i64::MAX,
            queued: None,
            distances: None,
            comes_back: false,
        }
    }

    /// With the points of all of the value, where what is used again farthest on is to go:
    /// by those of a gap, times the columns.
    pub fn by_distance(mut self, gaps: Option<PrimaryMap<Gap, i64>>, all: Option<i64>) -> Self {
        self.distances = all.map(|all| (gaps.unwrap_or_default(), all));
        self
    }

    /// What is paid for it.
    fn paid(&self) -> f64 {
        match &self.gaps {
            _ if self.whole => self.cost,
            Some(costs) => costs.total(),
            None => 0.0,
        }
    }

    /// All that can be chosen of it.
    fn choices(&self) -> Vec<Choice> {
        let gaps = self.points.keys().map(Choice::Gap);
        gaps.chain([Choice::Whole]).collect()
    }

    fn in_memory(&self, gap: Gap) -> bool {
        let gaps = self.gaps.as_ref();
        gaps.is_some_and(|costs| costs.in_memory[gap])
    }

    fn is_chosen(&self, choice: Choice) -> bool {
        match choice {
            Choice::Whole => self.whole,
            Choice::Gap(gap) => self.whole || self.in_memory(gap),
        }
    }

    /// Chooses; lists what may have become cheaper by that.
    fn choose(&mut self, choice: Choice) -> Vec<Choice> {
        let (Choice::Gap(gap), Some(costs)) = (choice, &mut self.gaps) else {
            self.whole = true;
            return Vec::new();
        };
        let first = !costs.is_anywhere();
        costs.flip(gap);
        if first {
            // The stores are paid for.
            return self.choices();
        }
        let neighbours = costs.neighbours(gap).map(Choice::Gap);
        neighbours.chain([Choice::Whole]).collect()
    }

    /// Undoes a choice.
    fn undo(&mut self, choice: Choice) {
        match (choice, &mut self.gaps) {
            (Choice::Gap(gap), Some(costs)) => costs.flip(gap),
            _ => self.whole = false,
        }
    }

    /// The points that a choice relieves; of the whole, those that no gap relieves yet.
    fn points(&self, choice: Choice) -> impl Iterator<Item = &OverfullPoints> {
        let whole = choice == Choice::Whole;
        let (one, all) = match choice {
            Choice::Gap(gap) => (Some(gap), None),
            Choice::Whole => (None, Some(self.points.keys())),
        };
        let resident = all.into_iter().flatten();
        let resident = resident.filter(|&gap| !self.in_memory(gap));
        let gaps = one.into_iter().chain(resident);
        let others = whole.then_some(&self.others);
        let beside = one.map_or(&[][..], |gap| &self.beside[gap]);
        let beside = beside.iter().map(|&number| &self.between[number]);
        let all = if whole { &self.between[..] } else { &[] };
        let between = beside.chain(all).filter(move |between| {
            let (before, behind) = between.gaps;
            let mut sides = [before, behind].into_iter().flatten();
            match choice {
                Choice::Gap(gap) => sides.all(|side| side == gap || self.in_memory(side)),
                Choice::Whole => sides.any(|side| !self.in_memory(side)),
            }
        });
        let between = between.map(|one| &one.points);
        gaps.map(|gap| &self.points[gap])
            .chain(others)
            .chain(between)
    }

    /// What a choice costs in addition to what is paid already.
    fn cost(&mut self, choice: Choice) -> f64 {
        match (choice, &mut self.gaps) {
            (Choice::Gap(gap), Some(costs)) => costs.change(gap),
            _ => self.cost - self.paid(),
        }
    }

    /// What undoing a choice would save.
    fn saving(&mut self, choice: Choice) -> f64 {
        self.undo(choice);
        let saving = self.cost(choice);
        self.choose(choice);
        saving
    }

    /// The columns that a choice frees, over the points at which they are missing.
    fn relief(&mut self, choice: Choice, missing: &Missing) -> i64 {
        let points = self.points(choice);
        let relief = points.map(|one| one.relief(missing, self.width)).sum();
        if choice == Choice::Whole {
            self.most_relief = relief;
        }
        relief
    }

    /// What a choice relieves, or no less than that for all of the value.
    fn most_relief(&mut self, choice: Choice, missing: &Missing) -> i64 {
        match choice {
            Choice::Whole => self.most_relief,
            Choice::Gap(_) => self.relief(choice, missing),
        }
    }

    /// Cost for relief, as bits, which are in the order of what is not negative; none
    /// without relief.
    fn ratio(&mut self, choice: Choice, relief: i64) -> Option<u64> {
        let width = self.width;
        let measure = match (&self.distances, choice) {
            (None, _) => relief,
            (Some((_, all)), Choice::Whole) => all * i64::from(width),
            (Some((gaps, _)), Choice::Gap(gap)) => gaps[gap] * i64::from(width),
        };
        (relief > 0).then(|| (self.cost(choice).max(0.0) / measure.max(1) as f64).to_bits())
    }

    /// Whether an entry of the queue with this ratio still counts; if so, it is no longer there.
    fn take(&mut self, choice: Choice, ratio: u64) -> bool {
        choice != Choice::Whole || self.queued.take_if(|queued| *queued == ratio).is_some()
    }

    fn add(&self, choice: Choice, width: i32, missing: &mut Missing) {
        for points in self.points(choice) {
            points.add(missing, width);
        }
    }
}

/// What waits in the queue: cost for relief, value and choice. One choice may be there
/// several times; the least counts.
type Entry = Reverse<(u64, u32, Choice)>;

/// Chooses until the demand is met, or nothing is left that helps. `missing`: the columns that
/// are, by the numbers of overfull points; what is left of it stays there.
pub fn choose(candidates: &mut [Candidate], missing: &mut [i32]) {
    let widths = candidates.iter().map(|candidate| candidate.width);
    let missing = &mut Missing::new(missing, widths.max().unwrap_or(0));
    let mut queue: BinaryHeap<Entry> = BinaryHeap::new();
    for (index, candidate) in (0..).zip(candidates.iter_mut()) {
        let choices = candidate.choices();
        enqueue(&mut queue, index, candidate, choices, missing);
    }
    let mut chosen = Vec::new();
    while !missing.is_met()
        && let Some(Reverse((before, index, choice))) = queue.pop()
    {
        let candidate = &mut candidates[index as usize];
        if !candidate.take(choice, before) || candidate.is_chosen(choice) {
            continue;
        }
        let relief = candidate.relief(choice, missing);
        let Some(ratio) = candidate.ratio(choice, relief) else {
            continue;
        };
        // Relief only falls, so the ratio mostly rises. Equals go by their numbers.
        let entry = Reverse((ratio, index, choice));
        if queue.peek().is_some_and(|&next| entry < next) {
            push(&mut queue, index, candidate, choice, ratio);
            continue;
        }
        candidate.add(choice, -candidate.width, missing);
        chosen.push((index, choice));
        let cheaper = candidate.choose(choice);
        enqueue(&mut queue, index, candidate, cheaper, missing);
    }
    take_back(candidates, &chosen, missing);
    let whole = candidates.iter_mut();
    let whole = whole.filter(|candidate| candidate.whole && candidate.comes_back);
    whole.for_each(|candidate| candidate.keep_in_part(missing));
}

fn enqueue(
    queue: &mut BinaryHeap<Entry>,
    index: u32,
    candidate: &mut Candidate,
    choices: Vec<Choice>,
    missing: &Missing,
) {
    for choice in choices {
        if candidate.is_chosen(choice) {
            continue;
        }
        let most = candidate.most_relief(choice, missing);
        if let Some(ratio) = candidate.ratio(choice, most) {
            push(queue, index, candidate, choice, ratio);
        }
    }
}

/// Adds an entry, but for all of a value if one with a lower ratio is there.
fn push(
    queue: &mut BinaryHeap<Entry>,
    index: u32,
    candidate: &mut Candidate,
    choice: Choice,
    ratio: u64,
) {
    if choice == Choice::Whole {
        if candidate.queued.is_some_and(|queued| queued <= ratio) {
            return;
        }
        candidate.queued = Some(ratio);
    }
    queue.push(Reverse((ratio, index, choice)));
}

/// Undoes choices that nothing needs any more, the dearest first.
fn take_back(candidates: &mut [Candidate], chosen: &[(u32, Choice)], missing: &mut Missing) {
    let mut dearest: Vec<_> = chosen
        .iter()
        .map(|&(index, choice)| (candidates[index as usize].saving(choice), index, choice))
        .collect();
    dearest.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, index, choice) in dearest {
        let candidate = &mut candidates[index as usize];
        if candidate.whole && choice != Choice::Whole || candidate.saving(choice) < 0.0 {
            continue;
        }
        candidate.undo(choice);
        let width = candidate.width;
        let mut points = candidate.points(choice);
        let needless = points.all(|points| points.has_room(missing, width));
        drop(points);
        match needless {
            true => candidate.add(choice, width, missing),
            false => {
                candidate.choose(choice);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::gaps::samples::{access, gap, gaps};

    const POINTS: usize = 10;

    fn candidate(number: u32, cost: f64, width: i32, points: &[u32]) -> Candidate {
        let points = points.iter().map(|&point| point..point + 1).collect();
        let value = VirtualRegister::from_u32(number);
        Candidate::new(value, cost, width, points, None)
    }

    fn chosen(mut candidates: Vec<Candidate>, excess: &mut [i32; POINTS]) -> Vec<u32> {
        choose(&mut candidates, excess);
        let chosen = candidates.iter().filter(|candidate| candidate.whole);
        chosen.map(|candidate| candidate.value.as_u32()).collect()
    }

    #[test]
    fn one_long_range_goes_rather_than_two_short_ones() {
        let candidates = vec![
            candidate(0, 2.0, 1, &[1, 2]),
            candidate(1, 3.0, 1, &[1, 2, 5, 6]),
            candidate(2, 2.0, 1, &[5, 6]),
        ];
        let mut excess = [0, 1, 1, 0, 0, 1, 1, 0, 0, 0];
        assert_eq!(chosen(candidates, &mut excess), [1]);
        assert_eq!(excess, [0; POINTS]);
    }

    #[test]
    fn what_later_choices_make_needless_comes_back() {
        // The first is the cheapest for its relief, but the second must go anyway.
        let candidates = vec![
            candidate(0, 1.0, 1, &[1, 2]),
            candidate(1, 9.0, 1, &[1, 2, 3]),
        ];
        let mut excess = [0, 1, 1, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(chosen(candidates, &mut excess), [1]);
        assert_eq!(excess, [0; POINTS]);
    }

    #[test]
    fn an_access_in_memory_relieves_its_points_with_the_second_gap() {
        let access = |number| access(number, true, number == 0, 1.0);
        let mut around = [
            (access(0), (None, Some(0))),
            (access(3), (Some(0), Some(1))),
            (access(6), (Some(1), None)),
        ];
        around[1].0.folds = true;
        let costs = GapCosts::new(gaps(2, around, Vec::new()), None, 1.0);
        let set =
            |points: &[u32]| -> OverfullPoints { points.iter().map(|&one| one..one + 1).collect() };
        let [first, second, fold, all] = [&[1, 2][..], &[4, 5], &[3], &[1, 2, 3, 4, 5]].map(set);
        let with_gaps = WithGaps {
            costs,
            points: [first, second].into_iter().collect(),
            between: vec![Between {
                gaps: (Some(gap(0)), Some(gap(1))),
                points: fold,
            }],
        };
        let value = VirtualRegister::from_u32(0);
        let mut candidate = Candidate::new(value, 9.0, 1, all, Some(with_gaps));
        let count = |candidate: &Candidate, choice| -> usize {
            candidate.points(choice).map(OverfullPoints::len).sum()
        };
        let (one, other) = (Choice::Gap(gap(0)), Choice::Gap(gap(1)));
        assert_eq!(count(&candidate, one), 2);
        assert_eq!(count(&candidate, Choice::Whole), 5);
        candidate.choose(one);
        assert_eq!(count(&candidate, other), 3);
        assert_eq!(count(&candidate, Choice::Whole), 3);
        candidate.choose(other);
        assert_eq!(count(&candidate, Choice::Whole), 0);
    }

    #[test]
    fn all_of_a_value_is_looked_at_again_behind_its_gaps() {
        // The gaps are cheaper for what they relieve, but leave one point to all of it.
        let access = |number| access(number, number > 0, number == 0, 1.0);
        let around = [
            (access(0), (None, Some(0))),
            (access(3), (Some(0), Some(1))),
            (access(6), (Some(1), None)),
        ];
        let set =
            |points: &[u32]| -> OverfullPoints { points.iter().map(|&one| one..one + 1).collect() };
        let with_gaps = WithGaps {
            costs: GapCosts::new(gaps(2, around, Vec::new()), None, 1.0),
            points: [set(&[1, 2]), set(&[4, 5])].into_iter().collect(),
            between: Vec::new(),
        };
        let value = VirtualRegister::from_u32(0);
        let all = set(&[1, 2, 4, 5, 8]);
        let mut candidates = vec![Candidate::new(value, 8.0, 1, all, Some(with_gaps))];
        let mut excess = [0, 1, 1, 0, 1, 1, 0, 0, 1, 0];
        choose(&mut candidates, &mut excess);
        assert!(candidates[0].gaps.as_ref().unwrap().is_anywhere());
        assert!(candidates[0].whole);
        assert_eq!(excess, [0; POINTS]);
    }

    #[test]
    fn a_wide_value_relieves_no_more_than_is_beyond() {
        let candidates = || vec![candidate(0, 3.0, 2, &[1, 2]), candidate(1, 2.0, 1, &[1, 2])];
        let mut excess = [0, 1, 1, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(chosen(candidates(), &mut excess), [1]);
        let mut excess = [0, 2, 2, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(chosen(candidates(), &mut excess), [0]);
    }
}
