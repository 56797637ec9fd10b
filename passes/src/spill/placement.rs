//! Where a value is, gap by gap: in one of several registers, or in memory.
//!
//! A value for which no register is free all the time may have one where that is free and
//! another elsewhere: on a CPU a move costs less than memory. In each gap it is in the first of
//! its registers that is free there, in memory where none is. Registers are added one by one,
//! each time the one that makes it cheapest, up to [`MOST_REGISTERS`]. Time: for each register
//! added, the registers times the gaps. Source: the region splitting of LLVM's greedy
//! allocator, which connects regions by copies.

use super::cost::MOVE;
use super::gap_costs::GapCosts;
use super::gaps::{Gap, Gaps};
use super::pieces::{Homes, Pieces, moves};
use cranelift_entity::PrimaryMap;

/// Registers that one value may have.
const MOST_REGISTERS: usize = 4;

/// Where a value is.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Its registers, as numbers of those that were looked at.
    pub registers: Vec<usize>,
    /// For each gap in which of them it is, if it is not in memory.
    pub homes: Homes,
    /// For each gap.
    pub in_memory: PrimaryMap<Gap, bool>,
    /// What that costs: accesses to memory and moves, by their executions.
    pub cost: f64,
}

impl Placement {
    /// The cheapest that is found; none if being in memory all the time is. `taken`: for each
    /// register the gaps in which it is not free. Requires that the value is in no gap in
    /// memory yet.
    pub fn cheapest(costs: &mut GapCosts, taken: &[PrimaryMap<Gap, bool>]) -> Option<Self> {
        let mut chosen: Option<Self> = None;
        for count in 1..=MOST_REGISTERS {
            let (known, in_memory, mut least) = match &chosen {
                Some(one) => (one.registers.clone(), one.in_memory.clone(), one.cost),
                None => (Vec::new(), costs.gaps.each(true), costs.total_everywhere()),
            };
            // One that is free in no gap in memory changes nothing.
            let is_free_in_some = |&other: &usize| {
                let mut gaps = in_memory.iter();
                gaps.any(|(gap, &in_memory)| in_memory && !taken[other][gap])
            };
            for other in (0..taken.len()).filter(is_free_in_some) {
                let mut registers = known.clone();
                registers.push(other);
                let placement = Self::new(costs, registers, taken);
                if placement.is_split() && placement.cost < least {
                    least = placement.cost;
                    chosen = Some(placement);
                }
            }
            if chosen
                .as_ref()
                .is_none_or(|one| one.registers.len() < count)
            {
                break;
            }
        }
        chosen
    }

    fn new(costs: &mut GapCosts, registers: Vec<usize>, taken: &[PrimaryMap<Gap, bool>]) -> Self {
        let home = |gap: Gap| registers.iter().position(|&one| !taken[one][gap]);
        let homes: PrimaryMap<Gap, Option<usize>> = costs.gaps.keys().map(home).collect();
        let mut placement = Self {
            in_memory: homes.values().map(Option::is_none).collect(),
            homes: homes.values().map(|home| home.unwrap_or(0) as u8).collect(),
            registers,
            cost: f64::INFINITY,
        };
        let is_in_memory = |gap: &Gap| placement.in_memory[*gap];
        let in_memory: Vec<Gap> = costs.gaps.keys().filter(is_in_memory).collect();
        if !in_memory.iter().any(|&gap| costs.gaps.held[gap]) {
            placement.cost = costs.total_with(&in_memory) + placement.moved(&costs.gaps) * MOVE;
        }
        placement
    }

    /// Whether the value is not in one register all the time, where select found none for it.
    fn is_split(&self) -> bool {
        self.registers.len() > 1 || self.in_memory.values().any(|&one| one)
    }

    /// Executions of the moves.
    fn moved(&self, gaps: &Gaps) -> f64 {
        let moves = |from, to| moves(&self.in_memory, &self.homes, from, to);
        let at_accesses = gaps.around.iter().filter_map(|(index, &(before, behind))| {
            moves(before?, behind?).then_some(gaps.accesses[index].frequency)
        });
        let on_edges = gaps.boundaries.iter();
        let on_edges = on_edges.filter(|boundary| moves(boundary.from, boundary.to));
        at_accesses.sum::<f64>() + on_edges.map(|boundary| boundary.frequency).sum::<f64>()
    }

    /// The pieces that this leaves. `rematerialisation`: nothing is ever stored.
    pub fn pieces(&self, gaps: &Gaps, rematerialisation: bool) -> Pieces {
        Pieces::at_homes(gaps, &self.in_memory, &self.homes, rematerialisation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::gaps::samples::{access, gaps};

    /// A definition and three reads.
    fn costs() -> GapCosts {
        let accesses = [
            (access(0, false, true, 1.0), (None, Some(0))),
            (access(3, true, false, 8.0), (Some(0), Some(1))),
            (access(6, true, false, 1.0), (Some(1), Some(2))),
            (access(9, true, false, 8.0), (Some(2), None)),
        ];
        GapCosts::new(gaps(3, accesses, Vec::new()), None, 1.0)
    }

    fn cheapest(taken: &[[bool; 3]]) -> Option<Placement> {
        let taken: Vec<_> = taken
            .iter()
            .map(|one| one.iter().copied().collect())
            .collect();
        Placement::cheapest(&mut costs(), &taken)
    }

    #[test]
    fn a_value_moves_to_a_register_that_is_free_behind() {
        let placement = cheapest(&[[false, false, true], [true, true, false]]).unwrap();
        assert_eq!(placement.registers, [0, 1]);
        assert_eq!(placement.homes.values().as_slice(), [0, 0, 1]);
        assert_eq!(placement.cost, MOVE);
    }

    #[test]
    fn where_no_register_is_free_it_is_in_memory() {
        let placement = cheapest(&[[false, true, true], [true, true, false]]).unwrap();
        assert_eq!(
            placement.in_memory.values().as_slice(),
            [false, true, false]
        );
        // Stored behind the definition, loaded at the third access: no move is left.
        assert_eq!(placement.cost, 2.0);
    }

    #[test]
    fn a_register_is_added_that_is_free_where_none_is_yet() {
        let beside = [
            [false, false, true],
            [false, true, true],
            [true, true, false],
        ];
        let placement = cheapest(&beside).unwrap();
        assert_eq!(placement.registers, [0, 2]);
        assert_eq!(
            Some(placement.cost),
            cheapest(&[beside[0], beside[2]]).map(|one| one.cost)
        );
    }

    #[test]
    fn where_none_ever_is_nothing_is_found() {
        assert_eq!(cheapest(&[[true; 3]]), None);
        // Free all the time: select knows why the value has not got it.
        assert_eq!(cheapest(&[[false; 3]]), None);
    }
}
