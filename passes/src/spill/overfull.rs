//! The points at which more is live than a register file has, and sets of them.
//!
//! Guidance asks of every value which of these points it would relieve, and again what that
//! is worth whenever it chooses something. The points have numbers of their own, without
//! those between them, and what a value relieves is mostly a few stretches: so a set is a
//! list of ranges, and what is missing lies side by side in memory, and once more as bits, of
//! which a word is counted at once. Time: linear in the segments to build a set, in the ranges
//! to subtract one, in the words of points, times the columns, to see what it relieves, in the
//! points to add.

use crate::analysis::live_range::Segment;
use crate::analysis::program_point::ProgramPoint;
use crate::bits;
use smallvec::SmallVec;
use std::ops::Range;

/// The points beyond a file.
pub struct Overfull {
    /// For each point of the function, and behind the last, how many overfull ones come before.
    before: Vec<u32>,
}

/// A set of overfull points, by their numbers among these: ranges in order, none empty, none
/// touching the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverfullPoints {
    ranges: SmallVec<[Range<u32>; 2]>,
}

/// What is missing at the overfull points.
pub struct Missing<'a> {
    /// The columns, by the points' numbers; what is negative is left.
    columns: &'a mut [i32],
    /// For each number below the widest value's columns, the points at which more than that is
    /// missing.
    beyond: Vec<Vec<u64>>,
    /// The points at which something is missing.
    points: u32,
}

impl<'a> Missing<'a> {
    /// So many columns at each point; relief is asked for values of up to `widest`.
    pub fn new(columns: &'a mut [i32], widest: i32) -> Self {
        let words = bits::words(columns.len());
        let count = widest.max(0) as usize;
        let all = 0..columns.len() as u32;
        let mut missing = Self {
            columns,
            beyond: vec![vec![0; words]; count],
            points: 0,
        };
        missing.note(all);
        missing
    }

    /// Whether nothing is missing any more.
    pub fn is_met(&self) -> bool {
        self.points == 0
    }

    /// Brings the bits of some points up to date.
    fn note(&mut self, range: Range<u32>) {
        let mut start = range.start as usize;
        while start < range.end as usize {
            let (index, first) = bits::place(start);
            let end = bits::end_of_word(index).min(range.end as usize);
            let columns = &self.columns[start..end];
            let all = u64::MAX >> (u64::BITS - columns.len() as u32);
            for (less, beyond) in (0..).zip(&mut self.beyond) {
                let set = bits::from_flags(columns.iter().map(|&column| column > less));
                let word = &mut beyond[index];
                let before = *word;
                *word = (before & !(all * first)) | (set * first);
                if less == 0 {
                    self.points = self.points + word.count_ones() - before.count_ones();
                }
            }
            start = end;
        }
    }
}

impl Overfull {
    /// The points at which something is missing, and how many columns, by their numbers.
    pub fn new(excess: impl IntoIterator<Item = i32>) -> (Self, Vec<i32>) {
        let mut before = vec![0];
        let mut missing = Vec::new();
        for excess in excess {
            if excess > 0 {
                missing.push(excess);
            }
            before.push(missing.len() as u32);
        }
        (Self { before }, missing)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.before.last().map_or(0, |&count| count as usize)
    }

    /// The number of a point, if it is one of them.
    pub fn at(&self, point: ProgramPoint) -> Range<u32> {
        self.before[point.index()]..self.before[point.index() + 1]
    }

    /// Those within a segment.
    pub fn within(&self, segment: Segment) -> Range<u32> {
        let number = |end: ProgramPoint| self.before[end.index()];
        number(segment.start)..number(segment.end)
    }

    /// Those within the segments, which are in order, but for the points of a list in order.
    pub fn relieved(&self, segments: &[Segment], but: &[ProgramPoint]) -> OverfullPoints {
        let mut relieved = OverfullPoints::default();
        for &segment in segments {
            let Range { mut start, end } = self.within(segment);
            let first = but.partition_point(|&point| point < segment.start);
            for &point in but[first..].iter().take_while(|&&one| one < segment.end) {
                let [number, next] = [0, 1].map(|one| self.before[point.index() + one]);
                if number < next {
                    relieved.push(start..number);
                    start = next;
                }
            }
            relieved.push(start..end);
        }
        relieved
    }
}

impl OverfullPoints {
    /// Adds points behind all that are there.
    pub fn push(&mut self, range: Range<u32>) {
        match self.ranges.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.ranges.push(range),
        }
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(ExactSizeIterator::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Those that are in none of the others.
    pub fn without<'a>(self, others: impl IntoIterator<Item = &'a Self>) -> Self {
        let others = others.into_iter().flat_map(|other| &other.ranges);
        let mut others: Vec<&Range<u32>> = others.collect();
        others.sort_unstable_by_key(|range| range.start);
        let mut left = Self::default();
        let mut first = 0;
        for Range { mut start, end } in self.ranges {
            while others.get(first).is_some_and(|other| other.end <= start) {
                first += 1;
            }
            for other in others[first..].iter().take_while(|one| one.start < end) {
                left.push(start..other.start.max(start));
                start = start.max(other.end);
            }
            left.push(start..end.max(start));
        }
        left
    }

    /// The columns that a value of this width frees of what is missing, summed up.
    pub fn relief(&self, missing: &Missing, width: i32) -> i64 {
        let beyond = &missing.beyond[..width as usize];
        let of_range = |range: &Range<u32>| -> u32 {
            let range = range.start as usize..range.end as usize;
            let counts = beyond.iter().map(|one| bits::count(one, range.clone()));
            counts.sum()
        };
        self.ranges
            .iter()
            .map(|range| i64::from(of_range(range)))
            .sum()
    }

    /// Adds to what is missing.
    pub fn add(&self, missing: &mut Missing, width: i32) {
        for range in &self.ranges {
            let columns = &mut missing.columns[range.start as usize..range.end as usize];
            columns.iter_mut().for_each(|one| *one += width);
            missing.note(range.clone());
        }
    }

    /// Whether nothing would be missing at any of them if so much more were needed.
    pub fn has_room(&self, missing: &Missing, width: i32) -> bool {
        self.ranges.iter().all(|range| {
            let columns = &missing.columns[range.start as usize..range.end as usize];
            columns.iter().all(|one| one + width <= 0)
        })
    }
}

impl FromIterator<Range<u32>> for OverfullPoints {
    fn from_iter<I: IntoIterator<Item = Range<u32>>>(ranges: I) -> Self {
        let mut points = Self::default();
        ranges.into_iter().for_each(|range| points.push(range));
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(ranges: &[[u32; 2]]) -> OverfullPoints {
        ranges.iter().map(|&[start, end]| start..end).collect()
    }

    #[test]
    fn points_of_access_are_not_relieved() {
        // Overfull are the points 0 to 4, 7 and 9.
        let (overfull, missing) = Overfull::new([1, 1, 2, 1, 1, 0, -1, 3, 0, 1]);
        assert_eq!(missing, [1, 1, 2, 1, 1, 3, 1]);
        let segments = [Segment::between(1, 4), Segment::between(6, 8)];
        let relieved = |but: &[u32]| {
            let but: Vec<_> = but.iter().copied().map(ProgramPoint::new).collect();
            overfull.relieved(&segments, &but)
        };
        assert_eq!(relieved(&[2]), points(&[[1, 2], [3, 4], [5, 6]]));
        assert_eq!(relieved(&[1, 3, 6, 7]), points(&[[2, 3]]));
        assert_eq!(relieved(&[]), points(&[[1, 4], [5, 6]]));
    }

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(
            points(&[[1, 2], [2, 2], [2, 4], [5, 6]]),
            points(&[[1, 4], [5, 6]])
        );
        assert_eq!(points(&[[1, 4], [5, 6]]).len(), 4);
    }

    /// By every subset of a few points.
    #[test]
    fn subtraction_leaves_what_is_in_no_other() {
        let set = |bits: u32| -> OverfullPoints {
            let numbers = (0..6).filter(|number| bits >> number & 1 == 1);
            numbers.map(|number| number..number + 1).collect()
        };
        for all in 0..64 {
            for [one, other] in (0..64).map(|bits| [bits & 0b01_1011, bits & 0b10_0110]) {
                let left = set(all).without(&[set(one), set(other)]);
                assert_eq!(left, set(all & !one & !other));
            }
        }
    }

    #[test]
    fn a_value_frees_no_more_than_its_width() {
        let mut columns = [2, 1, 0, 3];
        let mut missing = Missing::new(&mut columns, 2);
        let all = points(&[[0, 2], [3, 4]]);
        assert_eq!(all.relief(&missing, 1), 3);
        assert_eq!(all.relief(&missing, 2), 5);
        all.add(&mut missing, -2);
        assert_eq!(missing.columns, [0, -1, 0, 1]);
        assert_eq!([1, 2].map(|width| all.relief(&missing, width)), [1, 1]);
        assert!(points(&[[0, 2]]).has_room(&missing, 0));
        assert!(!points(&[[0, 2]]).has_room(&missing, 1));
        assert!(!all.has_room(&missing, 0));
    }
}
