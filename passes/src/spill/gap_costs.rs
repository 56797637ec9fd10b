//! What it costs to keep a value in memory during some of its gaps.
//!
//! A reload where a gap in memory ends, a store where one begins or behind every
//! definition, whichever is cheaper; by block frequency. What one gap adds depends on
//! its neighbours alone: an access between two gaps in memory loads the value once, and
//! needs no store if it does not change it. Constant time an access or boundary at the
//! gap.

use super::cost::FOLDED;
use super::gaps::{Access, Boundary, Code, Gaps};
use super::pieces::{Pieces, memory_holds};

/// The gaps of a value, and which of them it spends in memory.
pub struct GapCosts {
    /// The gaps.
    pub gaps: Gaps,
    /// For each gap.
    pub in_memory: Vec<bool>,
    /// For each gap the accesses that begin or end it.
    accesses: Vec<Vec<u32>>,
    /// For each gap its boundaries.
    boundaries: Vec<Vec<u32>>,
    /// What a reload costs, once.
    reload: f64,
    /// It is rematerialised, never stored.
    rematerialisation: bool,
    /// Executions of its definitions that are not stored yet.
    definitions: f64,
    /// For each gap whether memory holds the value there already.
    held: Vec<bool>,
    /// The number of gaps in memory.
    chosen: u32,
    /// Cost of the reloads.
    reloads: f64,
    /// Cost of the stores, were they where gaps begin.
    stores: f64,
}

impl GapCosts {
    /// A value that is in a register all the time. `rematerialisation`: what it costs to
    /// compute it anew, if it can be.
    pub fn new(gaps: Gaps, rematerialisation: Option<f64>) -> Self {
        let count = gaps.count as usize;
        let mut accesses = vec![Vec::new(); count];
        for (index, &(before, behind)) in (0..).zip(&gaps.around) {
            let both = [before, behind.filter(|_| before != behind)];
            for gap in both.into_iter().flatten() {
                accesses[gap as usize].push(index);
            }
        }
        let mut boundaries = vec![Vec::new(); count];
        for (index, boundary) in (0..).zip(&gaps.boundaries) {
            boundaries[boundary.from as usize].push(index);
            boundaries[boundary.to as usize].push(index);
        }
        let in_memory = vec![false; count];
        let mut definitions = 0.0;
        for (index, access) in gaps.accesses.iter().enumerate() {
            let stored = |next: &Access| next.code == Some(Code::Store);
            if access.writes
                && access.code.is_none()
                && !gaps.accesses.get(index + 1).is_some_and(stored)
            {
                definitions += access.frequency;
            }
        }
        Self {
            definitions,
            held: memory_holds(&gaps, &in_memory),
            in_memory,
            accesses,
            boundaries,
            reload: rematerialisation.unwrap_or(1.0),
            rematerialisation: rematerialisation.is_some(),
            chosen: 0,
            reloads: 0.0,
            stores: 0.0,
            gaps,
        }
    }

    /// What is paid for all gaps that are in memory.
    pub fn total(&self) -> f64 {
        match (self.chosen, self.rematerialisation) {
            (0, _) => 0.0,
            (_, true) => self.reloads,
            (_, false) => self.reloads + self.stores.min(self.definitions),
        }
    }

    /// What is paid in addition if it is spilled everywhere.
    pub fn total_everywhere(&self) -> f64 {
        let paid = |access: &Access| {
            let reload = f64::from(u8::from(access.reads)) * self.reload;
            let store = f64::from(u8::from(access.writes && !self.rematerialisation));
            access.frequency
                * match access.code {
                    None => (reload + store) * self.alone(access),
                    Some(Code::Load) => -self.reload,
                    Some(Code::Store) => -1.0,
                }
        };
        self.gaps.accesses.iter().map(paid).sum()
    }

    /// Whether it is in memory wherever it can be.
    pub fn is_everywhere(&self) -> bool {
        self.chosen == self.gaps.count
    }

    /// Whether it is in memory at all.
    pub fn is_anywhere(&self) -> bool {
        self.chosen > 0
    }

    /// The pieces that are left.
    pub fn pieces(&self) -> Pieces {
        Pieces::new(&self.gaps, &self.in_memory, self.rematerialisation)
    }

    /// What would be paid in addition, or less, if a gap were spent elsewhere.
    pub fn change(&mut self, gap: u32) -> f64 {
        let before = self.total();
        self.flip(gap);
        let behind = self.total();
        self.flip(gap);
        behind - before
    }

    /// What would be paid if just these gaps were in memory, and now none is.
    pub fn total_with(&mut self, gaps: &[u32]) -> f64 {
        gaps.iter().for_each(|&gap| self.flip(gap));
        let total = match self.is_everywhere() {
            true => self.total_everywhere(),
            false => self.total(),
        };
        gaps.iter().for_each(|&gap| self.flip(gap));
        total
    }

    /// Puts a gap into memory, or takes it back.
    pub fn flip(&mut self, gap: u32) {
        let (reloads, stores) = self.at(gap);
        let now = !self.in_memory[gap as usize];
        self.in_memory[gap as usize] = now;
        self.chosen = if now {
            self.chosen + 1
        } else {
            self.chosen - 1
        };
        let (new_reloads, new_stores) = self.at(gap);
        self.reloads += new_reloads - reloads;
        self.stores += new_stores - stores;
    }

    /// The gaps whose cost depends on this one.
    pub fn neighbours(&self, gap: u32) -> impl Iterator<Item = u32> {
        let accesses = self.accesses[gap as usize].iter();
        let around = accesses.map(|&access| self.gaps.around[access as usize]);
        let beside = around
            .flat_map(|(before, behind)| [before, behind])
            .flatten();
        let boundaries = self.boundaries[gap as usize].iter();
        let boundaries = boundaries.map(|&index| &self.gaps.boundaries[index as usize]);
        let across = boundaries.flat_map(|boundary| [boundary.from, boundary.to]);
        beside.chain(across).filter(move |&other| other != gap)
    }

    /// The reloads and stores that a gap has to do with.
    fn at(&self, gap: u32) -> (f64, f64) {
        let (mut reloads, mut stores) = (0.0, 0.0);
        for &index in &self.accesses[gap as usize] {
            let (reload, store) = self.at_access(index);
            reloads += reload;
            stores += store;
        }
        for &index in &self.boundaries[gap as usize] {
            let Boundary {
                from,
                to,
                frequency,
                ..
            } = self.gaps.boundaries[index as usize];
            match (self.is_in_memory(from), self.is_in_memory(to)) {
                (true, false) => reloads += frequency * self.reload,
                (false, true) if !self.held[from as usize] => stores += frequency,
                _ => {}
            }
        }
        (reloads, stores)
    }

    fn at_access(&self, index: u32) -> (f64, f64) {
        let Access {
            reads,
            writes,
            frequency,
            code,
            ..
        } = self.gaps.accesses[index as usize];
        let (before, behind) = self.gaps.around[index as usize];
        let resident = |gap: Option<u32>| gap.is_some_and(|gap| !self.is_in_memory(gap));
        match code {
            // It goes where nothing needs it any more.
            Some(Code::Load) if resident(behind) => return (frequency * self.reload, 0.0),
            Some(Code::Store) if resident(before) => return (frequency, 0.0),
            Some(Code::Store) if resident(behind) => return (frequency * self.reload, 0.0),
            Some(_) => return (0.0, 0.0),
            None => {}
        }
        let loaded = reads && before.is_some_and(|gap| self.is_in_memory(gap));
        let held = loaded || before.is_some_and(|gap| self.held[gap as usize]);
        let stored = behind.is_some_and(|gap| self.is_in_memory(gap)) && (writes || !held);
        let frequency = match resident(before) || resident(behind) {
            true => frequency,
            false => frequency * self.alone(&self.gaps.accesses[index as usize]),
        };
        (
            f64::from(u8::from(loaded)) * frequency * self.reload,
            f64::from(u8::from(stored)) * frequency,
        )
    }

    /// What an access to memory counts where the value is there before and behind it.
    fn alone(&self, access: &Access) -> f64 {
        match access.folds && !self.rematerialisation {
            true => FOLDED,
            false => 1.0,
        }
    }

    fn is_in_memory(&self, gap: u32) -> bool {
        self.in_memory[gap as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Block;
    use crate::function::Instruction;
    use crate::spill::cost::COMPUTATION;
    use crate::spill::gaps::InsertionPoint;

    fn access(number: u32, reads: bool, writes: bool, frequency: f64) -> Access {
        Access {
            instruction: Instruction::from_u32(number),
            reads,
            writes,
            code: None,
            folds: false,
            leaves_in_flight: false,
            is_fenced: false,
            frequency,
        }
    }

    /// Defined once, read twice, with a loop between the reads that reads it too.
    fn gaps() -> Gaps {
        let boundary = |from, to| Boundary {
            from,
            to,
            place: InsertionPoint::End(Block::from_u32(0)),
            frequency: 1.0,
        };
        Gaps {
            accesses: vec![
                access(0, false, true, 1.0),
                access(3, true, false, 1.0),
                access(6, true, false, 100.0),
                access(9, true, false, 1.0),
            ],
            around: vec![
                (None, Some(0)),
                (Some(0), Some(1)),
                (Some(2), Some(2)),
                (Some(3), None),
            ],
            count: 4,
            boundaries: vec![boundary(1, 2), boundary(2, 3)],
            ..Gaps::default()
        }
    }

    #[test]
    fn the_first_gap_pays_for_the_store() {
        let mut costs = GapCosts::new(gaps(), None);
        assert_eq!(costs.change(0), 2.0);
        assert_eq!(costs.change(1), 2.0);
        assert_eq!(costs.change(2), 102.0);
        costs.flip(0);
        assert_eq!(costs.total(), 2.0);
        assert_eq!(costs.change(1), 1.0);
        assert_eq!(costs.change(0), -2.0);
        // Beyond the loop; the way out needs no reload in it.
        assert_eq!(costs.change(3), 1.0);
    }

    #[test]
    fn what_is_accessed_in_memory_costs_less() {
        let mut folding = gaps();
        folding.accesses[2].folds = true;
        let mut costs = GapCosts::new(folding, None);
        costs.flip(1);
        assert_eq!(costs.change(2), FOLDED * 100.0);
        assert_eq!(costs.total_everywhere(), 3.0 + FOLDED * 100.0);
    }

    #[test]
    fn between_two_gaps_in_memory_there_is_no_boundary() {
        let mut costs = GapCosts::new(gaps(), None);
        costs.flip(1);
        // The reload on the way in goes; in the loop there is one, and one on the way out.
        assert_eq!(costs.total(), 2.0);
        assert_eq!(costs.change(2), 100.0);
    }

    #[test]
    fn what_is_rematerialised_is_never_stored() {
        let mut costs = GapCosts::new(gaps(), Some(COMPUTATION));
        assert_eq!(costs.change(0), COMPUTATION);
        costs.flip(0);
        costs.flip(1);
        assert_eq!(costs.total(), 2.0 * COMPUTATION);
        assert_eq!(costs.total_with(&[]), 2.0 * COMPUTATION);
    }

    #[test]
    fn spill_code_goes_where_nothing_needs_it() {
        let mut loaded = gaps();
        loaded.accesses[0].code = Some(Code::Load);
        let mut costs = GapCosts::new(loaded, None);
        // The load moves down; memory holds the value.
        assert_eq!(costs.change(0), 0.0);
        assert_eq!(costs.total_everywhere(), 101.0);
    }
}
