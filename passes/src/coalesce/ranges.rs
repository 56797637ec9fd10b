//! Coalescing over live ranges, for the fat-point path.
//!
//! Copies are taken by weight; ends whose ranges, with all that has joined them,
//! have no point in common become one group. There is no degree to be conservative
//! about: a group that gets no register is taken apart in select. Where a copy's
//! source lives on, its ranges overlap and the ends stay apart. Time: for each copy
//! the segments of both ends.

use super::{available_after, locate, relate};
use crate::analysis::live_range::{LiveRanges, Segment};
use crate::function::VirtualRegister;
use crate::problem::{Copy, Problem};
use cranelift_entity::SecondaryMap;

/// Merges what can be merged; returns the number of merges.
pub fn coalesce_ranges(problem: &mut Problem, ranges: &LiveRanges) -> u32 {
    // The ranges of roots that others have joined.
    let mut joined = SecondaryMap::new();
    let copies = std::mem::take(&mut problem.copies);
    let mut merged = 0;
    for copy in &copies {
        merged += u32::from(attempt(problem, ranges, &mut joined, copy).is_some());
    }
    problem.copies = copies;
    merged
}

fn attempt(
    problem: &mut Problem,
    ranges: &LiveRanges,
    joined: &mut SecondaryMap<VirtualRegister, Vec<Segment>>,
    copy: &Copy,
) -> Option<()> {
    let (a, b) = (locate(problem, copy.to)?, locate(problem, copy.from)?);
    if a.0 == b.0 || problem.blocked(a.0, b.0) == 0 {
        return None;
    }
    let merge = relate(problem, a, b)?;
    let available = available_after(problem, &merge);
    if available == 0 {
        return None;
    }
    let range = |root| match joined[root].is_empty() {
        true => ranges.segments(root),
        false => &joined[root][..],
    };
    let both = union(range(merge.root), range(merge.joining))?;
    joined[merge.root] = both;
    joined[merge.joining] = Vec::new();
    problem.groups.join(merge.root, merge.joining, merge.part);
    problem.available[merge.root] = available;
    Some(())
}

/// The segments of both, or None if they have a point in common.
fn union(a: &[Segment], b: &[Segment]) -> Option<Vec<Segment>> {
    let mut both = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(first), Some(second)) if first.start < second.start => a.next(),
            (_, Some(_)) => b.next(),
            (Some(_), None) => a.next(),
            (None, None) => return Some(both),
        };
        let &next = next?;
        match both.last_mut() {
            Some(Segment { end, .. }) if *end > next.start => return None,
            Some(Segment { end, .. }) if *end == next.start => *end = next.end,
            _ => both.push(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(list: &[(u32, u32)]) -> Vec<Segment> {
        let segment = |&(start, end)| Segment { start, end };
        list.iter().map(segment).collect()
    }

    #[test]
    fn ranges_that_touch_become_one_segment() {
        let a = segments(&[(1, 4), (9, 12)]);
        let b = segments(&[(4, 6), (20, 22)]);
        let both = segments(&[(1, 6), (9, 12), (20, 22)]);
        assert_eq!(union(&a, &b), Some(both.clone()));
        assert_eq!(union(&b, &a), Some(both));
    }

    #[test]
    fn ranges_with_a_common_point_have_no_union() {
        let a = segments(&[(1, 4), (9, 12)]);
        assert_eq!(union(&a, &segments(&[(11, 13)])), None);
        assert_eq!(union(&segments(&[(3, 5)]), &a), None);
        assert_eq!(union(&a, &segments(&[(0, 30)])), None);
    }
}
