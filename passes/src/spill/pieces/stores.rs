//! Where a value goes to memory: behind its definitions, or where it is in memory from then on.
//!
//! Linear in gaps and accesses.

use super::Store;
use crate::spill::gaps::{AccessIndex, Gap, Gaps};
use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

/// Where a value is stored.
pub(super) struct Stores {
    pub cost: f64,
    pub at_accesses: Vec<(AccessIndex, Store)>,
    pub at_boundaries: Vec<usize>,
}

impl Stores {
    /// Behind each definition from which a path leads into memory.
    pub fn behind_definitions(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>) -> Self {
        let mut backward = gaps.each(SmallVec::new());
        for (from, to) in flows(gaps) {
            backward[to].push(from);
        }
        let wanted = spread(in_memory.clone(), &backward, |_| true);
        let mut stores = Self::none();
        for (index, access) in &gaps.accesses {
            let behind = gaps.around[index].1;
            let wanted = behind.is_some_and(|gap| wanted[gap]);
            if access.writes && access.code.is_none() && wanted {
                stores.at_accesses.push((index, Store::Behind));
                // What is in flight cannot be stored yet.
                stores.cost += match behind.is_some_and(|gap| gaps.held[gap]) {
                    true => f64::INFINITY,
                    false => access.frequency,
                };
            }
        }
        stores
    }

    /// Where gaps in memory begin, if memory may hold something older.
    pub fn before_memory(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>) -> Self {
        let holds = memory_holds(gaps, in_memory);
        let mut stores = Self::none();
        for (index, &(before, behind)) in &gaps.around {
            let access = &gaps.accesses[index];
            if !behind.is_some_and(|gap| in_memory[gap]) {
                continue;
            }
            let held = before.is_some_and(|gap| holds[gap]);
            let store = match (access.writes, held) {
                _ if access.code.is_some() => continue,
                (true, _) => Store::Behind,
                (false, false) if before.is_some_and(|gap| gaps.held[gap]) => Store::Behind,
                (false, false) => Store::Before,
                (false, true) => continue,
            };
            stores.at_accesses.push((index, store));
            stores.cost += access.frequency;
        }
        for (index, boundary) in gaps.boundaries.iter().enumerate() {
            if !holds[boundary.from] && in_memory[boundary.to] {
                stores.at_boundaries.push(index);
                stores.cost += boundary.frequency;
            }
        }
        stores
    }

    fn none() -> Self {
        Self {
            cost: 0.0,
            at_accesses: Vec::new(),
            at_boundaries: Vec::new(),
        }
    }
}

/// For each gap whether memory holds the value there, whatever path led to it.
pub fn memory_holds(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>) -> PrimaryMap<Gap, bool> {
    let in_register = |gap: Gap| !in_memory[gap];
    let mut older = gaps.each(false);
    for (index, &(before, behind)) in &gaps.around {
        let access = &gaps.accesses[index];
        let new = access.code.is_none() && (access.writes || before.is_none());
        if let Some(behind) = behind.filter(|&gap| new && in_register(gap)) {
            older[behind] = true;
        }
    }
    let mut forward = gaps.each(SmallVec::new());
    for (from, to) in flows(gaps) {
        forward[from].push(to);
    }
    let older = spread(older, &forward, in_register);
    older.values().map(|older| !older).collect()
}

/// From which gap to which a value goes without being changed, stored or loaded.
fn flows(gaps: &Gaps) -> impl Iterator<Item = (Gap, Gap)> {
    let across = gaps.around.iter().filter(|&(index, _)| {
        let access = &gaps.accesses[index];
        !access.writes && access.code.is_none()
    });
    let across = across.filter_map(|(_, &(before, behind))| Some((before?, behind?)));
    let boundaries = gaps.boundaries.iter();
    across.chain(boundaries.map(|boundary| (boundary.from, boundary.to)))
}

/// Spreads a mark over edges, to gaps that take it.
fn spread(
    mut marked: PrimaryMap<Gap, bool>,
    edges: &PrimaryMap<Gap, SmallVec<[Gap; 4]>>,
    takes: impl Fn(Gap) -> bool,
) -> PrimaryMap<Gap, bool> {
    let mut work: Vec<Gap> = marked.keys().filter(|&gap| marked[gap]).collect();
    while let Some(gap) = work.pop() {
        for &next in &edges[gap] {
            if takes(next) && !std::mem::replace(&mut marked[next], true) {
                work.push(next);
            }
        }
    }
    marked
}
