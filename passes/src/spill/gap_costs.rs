//! What it costs to keep a value in memory during some of its gaps.
//!
//! A reload where a gap in memory ends, a store where one begins or behind every
//! definition, whichever is cheaper; by block frequency. What one gap adds depends on
//! its neighbours alone: an access between two gaps in memory loads the value once, and
//! needs no store if it does not change it. Constant time an access or boundary at the
//! gap.

use super::cost::FOLDED;
use super::gaps::{Access, AccessIndex, Boundary, Code, Gap, Gaps, each_around};
use super::pieces::{Pieces, memory_holds};
use crate::function::Instruction;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

/// The gaps of a value, and which of them it spends in memory.
pub struct GapCosts {
    /// The gaps.
    pub gaps: Gaps,
    /// For each gap.
    pub in_memory: PrimaryMap<Gap, bool>,
    /// For each gap the accesses that begin or end it.
    accesses: PrimaryMap<Gap, SmallVec<[AccessIndex; 4]>>,
    /// For each gap its boundaries.
    boundaries: PrimaryMap<Gap, SmallVec<[usize; 2]>>,
    /// What a reload costs, once.
    reload: f64,
    /// What is added to it at some accesses.
    pressure: SecondaryMap<AccessIndex, f64>,
    /// It is rematerialised, never stored.
    rematerialisation: bool,
    /// Executions of its definitions that are not stored yet.
    definitions: f64,
    /// For each gap whether memory holds the value there already.
    held: PrimaryMap<Gap, bool>,
    /// The number of gaps in memory.
    chosen: usize,
    /// Cost of the reloads.
    reloads: f64,
    /// Cost of the stores, were they where gaps begin.
    stores: f64,
}

impl GapCosts {
    /// A value that is in a register all the time. `rematerialisation`: what it costs to
    /// compute it anew, if it can be; `reload`: what a reload costs, where a store costs one.
    pub fn new(gaps: Gaps, rematerialisation: Option<f64>, reload: f64) -> Self {
        let mut accesses = gaps.each(SmallVec::<[_; 4]>::new());
        for (index, &around) in &gaps.around {
            for gap in each_around(around) {
                accesses[gap].push(index);
            }
        }
        let mut boundaries = gaps.each(SmallVec::<[_; 2]>::new());
        for (index, boundary) in gaps.boundaries.iter().enumerate() {
            boundaries[boundary.from].push(index);
            boundaries[boundary.to].push(index);
        }
        let in_memory = gaps.each(false);
        let mut definitions = 0.0;
        let mut accessed = gaps.accesses.values().peekable();
        while let Some(access) = accessed.next() {
            let stored = |next: &&Access| next.code == Some(Code::Store);
            if access.writes && access.code.is_none() && !accessed.peek().is_some_and(stored) {
                definitions += access.frequency;
            }
        }
        Self {
            definitions,
            held: memory_holds(&gaps, &in_memory),
            in_memory,
            accesses,
            boundaries,
            reload: rematerialisation.unwrap_or(reload),
            pressure: SecondaryMap::new(),
            rematerialisation: rematerialisation.is_some(),
            chosen: 0,
            reloads: 0.0,
            stores: 0.0,
            gaps,
        }
    }

    /// Adds to what a reload costs at the accesses of these instructions.
    pub fn add_pressure(&mut self, of: impl Fn(Instruction) -> f64) {
        for (index, access) in &self.gaps.accesses {
            self.pressure[index] = of(access.instruction);
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
        self.gaps.accesses.values().map(paid).sum()
    }

    /// Whether it is in memory wherever it can be.
    pub fn is_everywhere(&self) -> bool {
        self.chosen == self.gaps.count()
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
    pub fn change(&mut self, gap: Gap) -> f64 {
        let before = self.total();
        let here = self.at(gap);
        let there = self.turn(gap, here);
        let behind = self.total();
        self.set(gap, there, here);
        behind - before
    }

    /// What would be paid if just these gaps were in memory, and now none is.
    pub fn total_with(&mut self, gaps: &[Gap]) -> f64 {
        let (reloads, stores) = (self.reloads, self.stores);
        gaps.iter().for_each(|&gap| self.flip(gap));
        let total = match self.is_everywhere() {
            true => self.total_everywhere(),
            false => self.total(),
        };
        gaps.iter().for_each(|&gap| self.in_memory[gap] = false);
        self.chosen = 0;
        (self.reloads, self.stores) = (reloads, stores);
        total
    }

    /// Puts a gap into memory, or takes it back.
    pub fn flip(&mut self, gap: Gap) {
        let here = self.at(gap);
        self.turn(gap, here);
    }

    /// Turns over a gap that has to do with `here`; with what it has then.
    fn turn(&mut self, gap: Gap, here: (f64, f64)) -> (f64, f64) {
        self.in_memory[gap] = !self.in_memory[gap];
        let there = self.at(gap);
        self.in_memory[gap] = !self.in_memory[gap];
        self.set(gap, here, there);
        there
    }

    /// Turns over a gap whose reloads and stores are known for both of its places.
    fn set(&mut self, gap: Gap, from: (f64, f64), to: (f64, f64)) {
        let now = !self.in_memory[gap];
        self.in_memory[gap] = now;
        self.chosen = if now {
            self.chosen + 1
        } else {
            self.chosen - 1
        };
        self.reloads += to.0 - from.0;
        self.stores += to.1 - from.1;
    }

    /// The gaps whose cost depends on this one.
    pub fn neighbours(&self, gap: Gap) -> impl Iterator<Item = Gap> {
        let accesses = self.accesses[gap].iter();
        let around = accesses.map(|&access| self.gaps.around[access]);
        let beside = around
            .flat_map(|(before, behind)| [before, behind])
            .flatten();
        let boundaries = self.boundaries[gap].iter();
        let boundaries = boundaries.map(|&index| &self.gaps.boundaries[index]);
        let across = boundaries.flat_map(|boundary| [boundary.from, boundary.to]);
        beside.chain(across).filter(move |&other| other != gap)
    }

    /// The reloads and stores that a gap has to do with.
    fn at(&self, gap: Gap) -> (f64, f64) {
        let (mut reloads, mut stores) = (0.0, 0.0);
        for &index in &self.accesses[gap] {
            let (reload, store) = self.at_access(index);
            reloads += reload;
            stores += store;
        }
        for &index in &self.boundaries[gap] {
            let Boundary {
                from,
                to,
                frequency,
                ..
            } = self.gaps.boundaries[index];
            match (self.is_in_memory(from), self.is_in_memory(to)) {
                (true, false) => reloads += frequency * self.reload,
                (false, true) if !self.held[from] => stores += frequency,
                _ => {}
            }
        }
        (reloads, stores)
    }

    fn at_access(&self, index: AccessIndex) -> (f64, f64) {
        let Access {
            reads,
            writes,
            frequency,
            code,
            ..
        } = self.gaps.accesses[index];
        let (before, behind) = self.gaps.around[index];
        let resident = |gap: Option<Gap>| gap.is_some_and(|gap| !self.is_in_memory(gap));
        match code {
            // It goes where nothing needs it any more.
            Some(Code::Load) if resident(behind) => return (frequency * self.reload, 0.0),
            Some(Code::Store) if resident(before) => return (frequency, 0.0),
            Some(Code::Store) if resident(behind) => return (frequency * self.reload, 0.0),
            Some(_) => return (0.0, 0.0),
            None => {}
        }
        let loaded = reads && before.is_some_and(|gap| self.is_in_memory(gap));
        let held = loaded || before.is_some_and(|gap| self.held[gap]);
        let stored = behind.is_some_and(|gap| self.is_in_memory(gap)) && (writes || !held);
        let frequency = match resident(before) || resident(behind) {
            true => frequency,
            false => frequency * self.alone(&self.gaps.accesses[index]),
        };
        (
            f64::from(u8::from(loaded)) * frequency * (self.reload + self.pressure[index]),
            f64::from(u8::from(stored)) * frequency,
        )
    }

    /// What an access to memory counts where the value is there before and behind it.
    fn alone(&self, access: &Access) -> f64 {
        match access.folds {
            true => FOLDED,
            false => 1.0,
        }
    }

    fn is_in_memory(&self, gap: Gap) -> bool {
        self.in_memory[gap]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Block;
    use crate::spill::cost::COMPUTATION;
    use crate::spill::gaps::InsertionPoint;
    use crate::spill::gaps::samples::{access, boundary, gap, gaps};

    /// Defined once, read twice, with a loop between the reads that reads it too.
    fn with_loop() -> Gaps {
        let boundary = |from, to| {
            let place = InsertionPoint::End(Block::from_u32(0));
            boundary(from, to, place, 1.0)
        };
        let accesses = [
            (access(0, false, true, 1.0), (None, Some(0))),
            (access(3, true, false, 1.0), (Some(0), Some(1))),
            (access(6, true, false, 100.0), (Some(2), Some(2))),
            (access(9, true, false, 1.0), (Some(3), None)),
        ];
        gaps(4, accesses, vec![boundary(1, 2), boundary(2, 3)])
    }

    #[test]
    fn the_first_gap_pays_for_the_store() {
        let mut costs = GapCosts::new(with_loop(), None, 1.0);
        assert_eq!(costs.change(gap(0)), 2.0);
        assert_eq!(costs.change(gap(1)), 2.0);
        assert_eq!(costs.change(gap(2)), 102.0);
        costs.flip(gap(0));
        assert_eq!(costs.total(), 2.0);
        assert_eq!(costs.change(gap(1)), 1.0);
        assert_eq!(costs.change(gap(0)), -2.0);
        // Beyond the loop; the way out needs no reload in it.
        assert_eq!(costs.change(gap(3)), 1.0);
    }

    #[test]
    fn what_is_accessed_in_memory_costs_less() {
        let mut folding = with_loop();
        folding.accesses[AccessIndex::from_u32(2)].folds = true;
        let mut costs = GapCosts::new(folding, None, 1.0);
        costs.flip(gap(1));
        assert_eq!(costs.change(gap(2)), FOLDED * 100.0);
        assert_eq!(costs.total_everywhere(), 3.0 + FOLDED * 100.0);
    }

    #[test]
    fn between_two_gaps_in_memory_there_is_no_boundary() {
        let mut costs = GapCosts::new(with_loop(), None, 1.0);
        costs.flip(gap(1));
        // The reload on the way in goes; in the loop there is one, and one on the way out.
        assert_eq!(costs.total(), 2.0);
        assert_eq!(costs.change(gap(2)), 100.0);
    }

    #[test]
    fn what_is_rematerialised_is_never_stored() {
        let mut costs = GapCosts::new(with_loop(), Some(COMPUTATION), 1.0);
        assert_eq!(costs.change(gap(0)), COMPUTATION);
        costs.flip(gap(0));
        costs.flip(gap(1));
        assert_eq!(costs.total(), 2.0 * COMPUTATION);
        assert_eq!(costs.total_with(&[]), 2.0 * COMPUTATION);
    }

    #[test]
    fn spill_code_goes_where_nothing_needs_it() {
        let mut loaded = with_loop();
        loaded.accesses[AccessIndex::from_u32(0)].code = Some(Code::Load);
        let mut costs = GapCosts::new(loaded, None, 1.0);
        // The load moves down; memory holds the value.
        assert_eq!(costs.change(gap(0)), 0.0);
        assert_eq!(costs.total_everywhere(), 101.0);
    }
}
