//! What need not be in memory of a value that is there everywhere.
//!
//! A gap by itself often costs more than all of the value: it would be loaded where the gap ends
//! and stored where it begins, and where control goes from one gap to others each of them pays.
//! So all of a value is chosen, though it is in the way in a part of the function only, and a
//! loop elsewhere would read it from memory. Here it comes back where there is room, if that
//! costs less: gaps between the same accesses together, then each alone. Requires that choices
//! are made. Ensures that nowhere more is missing than there is room for, and that no value costs
//! more. Time: for each such value the points of its gaps, twice. Source: the region splitting of
//! LLVM's greedy allocator, which leaves a value in its register outside of the region where that
//! is taken.

use super::{Candidate, Choice};
use crate::spill::gap_costs::GapCosts;
use crate::spill::gaps::Gap;
use crate::spill::overfull::Missing;

impl Candidate {
    /// A value that comes back from memory where it need not be there.
    pub fn coming_back(self) -> Self {
        Self {
            comes_back: true,
            ..self
        }
    }

    /// Takes back what need not be in memory.
    pub(super) fn keep_in_part(&mut self, missing: &mut Missing) {
        let Some(costs) = self.gaps.as_mut().filter(|_| self.others.is_empty()) else {
            return;
        };
        let everywhere = costs.total_everywhere();
        let before = costs.in_memory.clone();
        let resident: Vec<Gap> = before.keys().filter(|&gap| !before[gap]).collect();
        resident.iter().for_each(|&gap| costs.flip(gap));
        let together = costs.gaps.connected();
        let alone = before.keys().map(|gap| vec![gap]);
        let groups = together.into_iter().chain(alone);
        let groups: Vec<Vec<Gap>> = groups.collect();
        self.whole = false;
        let mut least = everywhere;
        for group in groups {
            least = self.without(&group, least, missing);
        }
        if let Some(costs) = self.gaps.as_mut().filter(|_| least >= everywhere) {
            resident.iter().for_each(|&gap| costs.flip(gap));
            self.whole = true;
        }
    }

    /// Takes gaps back if there is room and that costs less than this; what it costs then.
    fn without(&mut self, group: &[Gap], most: f64, missing: &mut Missing) -> f64 {
        let width = self.width;
        let mut back = Vec::new();
        for &gap in group {
            if !self.in_memory(gap) {
                continue;
            }
            let choice = Choice::Gap(gap);
            let mut points = self.points(choice);
            let has_room = points.all(|points| points.has_room(missing, width));
            drop(points);
            if !has_room {
                break;
            }
            self.add(choice, width, missing);
            self.undo(choice);
            back.push(gap);
        }
        let is_all = group.iter().all(|&gap| !self.in_memory(gap));
        let cost = self.gaps.as_ref().map_or(f64::INFINITY, GapCosts::total);
        if is_all && !back.is_empty() && cost < most {
            return cost;
        }
        for &gap in back.iter().rev() {
            let choice = Choice::Gap(gap);
            self.choose(choice);
            self.add(choice, -width, missing);
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{Block, VirtualRegister};
    use crate::spill::gaps::InsertionPoint;
    use crate::spill::gaps::samples::{access, boundary, gaps};
    use crate::spill::overfull::OverfullPoints;
    use crate::spill::relief::{WithGaps, choose};

    /// Defined, accessed in a loop, and read behind it, where other points are beyond the file:
    /// what is chosen, after `adjust`. `extra` is missing in the loop.
    fn chosen(adjust: fn(Candidate) -> Candidate, extra: i32) -> (bool, Vec<bool>) {
        let place = |block| InsertionPoint::Start(Block::from_u32(block));
        let around = [
            (access(0, false, true, 1.0), (None, Some(0))),
            (access(3, true, false, 9.0), (Some(1), Some(2))),
            (access(6, true, true, 9.0), (Some(2), Some(1))),
            (access(9, true, false, 1.0), (Some(3), None)),
        ];
        let boundaries = vec![boundary(0, 1, place(1), 1.0), boundary(1, 3, place(2), 1.0)];
        let points = |numbers: &[u32]| -> OverfullPoints {
            numbers.iter().map(|&one| one..one + 1).collect()
        };
        let with_gaps = WithGaps {
            costs: GapCosts::new(gaps(4, around, boundaries), None, 1.0),
            points: [points(&[]), points(&[1]), points(&[]), points(&[2, 3])]
                .into_iter()
                .collect(),
            between: Vec::new(),
        };
        let value = VirtualRegister::from_u32(0);
        let all = points(&[1, 2, 3]);
        let candidate = adjust(Candidate::new(value, 20.0, 1, all, Some(with_gaps)));
        let mut candidates = [Candidate {
            // As if all of it had been the cheapest.
            whole: true,
            ..candidate
        }];
        let mut missing = [0, extra - 1, 0, 0];
        choose(&mut candidates, &mut missing);
        let [candidate] = candidates;
        let in_memory = candidate.gaps.expect("it has gaps").in_memory;
        (candidate.whole, in_memory.values().copied().collect())
    }

    #[test]
    fn a_loop_with_room_has_the_value_in_its_register() {
        let in_part = (false, vec![false, false, false, true]);
        assert_eq!(chosen(Candidate::coming_back, 0), in_part);
    }

    #[test]
    fn where_there_is_no_room_it_stays_in_memory() {
        let (_, in_memory) = chosen(Candidate::coming_back, 1);
        assert!(in_memory[1] && in_memory[3]);
    }

    #[test]
    fn what_does_not_come_back_stays_in_memory() {
        let (whole, _) = chosen(|candidate| candidate, 0);
        assert!(whole);
    }
}
