//! Pieces: what is left of a value that is in memory during some of its gaps.
//!
//! Accesses that gaps in registers connect are one piece, a virtual register of its own.
//! A piece begins with a definition or a reload. Values get into memory by stores
//! behind the definitions, or where gaps in memory begin; there none is needed where
//! memory holds the value already on all paths. Behind a definition none is needed
//! either where no path leads into memory before the next one. The cheaper way is
//! taken. Linear in gaps and accesses. Source: ptxas document, reload
//! placement and removal of what is redundant.

use super::gaps::{AccessIndex, Code, Gap, Gaps, InsertionPoint};
use crate::function::Instruction;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use petgraph::unionfind::UnionFind;

/// A piece of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u32);
entity_impl!(Piece, "piece");

/// The pieces of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pieces {
    /// How the accesses are served, in program order.
    pub accesses: PrimaryMap<AccessIndex, Served>,
    /// Code on edges between blocks, in order of place.
    pub edges: Vec<EdgeCode>,
    /// For each piece whether it is no more than one access: spilling it again would
    /// not make it shorter.
    pub minimal: PrimaryMap<Piece, bool>,
    /// Memory does not hold the value all the time.
    pub stale: bool,
    /// It is in memory wherever it can be: no piece can be spilled again.
    pub last: bool,
    /// For each gap in a register the piece that it is part of.
    of_gap: PrimaryMap<Gap, PackedOption<Piece>>,
}

/// An access, and the code around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    /// The instruction; the first of a block's terminators stands for all.
    pub instruction: Instruction,
    /// The piece that it names.
    pub piece: Piece,
    /// The piece is loaded before it.
    pub reload: bool,
    /// The piece is stored.
    pub store: Option<Store>,
    /// It is spill code that is not needed any more.
    pub needless: bool,
}

impl Served {
    /// An access to a register that is there.
    pub fn in_register(instruction: Instruction) -> Self {
        Self {
            instruction,
            piece: Piece(0),
            reload: false,
            store: None,
            needless: false,
        }
    }
}

/// When a piece is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// Before the instruction.
    Before,
    /// Behind it.
    Behind,
}

/// Code on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeCode {
    /// Where.
    pub place: InsertionPoint,
    /// Load the piece there rather than store it. Stores come first: they free
    /// registers.
    pub reload: bool,
    /// Which piece.
    pub piece: Piece,
}

impl Pieces {
    /// Makes the pieces. `rematerialisation`: nothing is ever stored.
    pub fn new(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>, rematerialisation: bool) -> Self {
        let mut pieces = Self::connect(gaps, in_memory);
        if rematerialisation {
            return pieces;
        }
        let behind_definitions = Stores::behind_definitions(gaps, in_memory);
        let before_memory = Stores::before_memory(gaps, in_memory);
        let stores = match before_memory.cost < behind_definitions.cost {
            true => before_memory,
            false => behind_definitions,
        };
        for (index, store) in stores.at_accesses {
            pieces.accesses[index].store = Some(store);
        }
        pieces.add_edges(gaps, &stores.at_boundaries, false);
        pieces.edges.sort_unstable();
        pieces.stale = gaps.accesses.iter().any(|(index, access)| {
            let served = &pieces.accesses[index];
            access.writes && access.code.is_none() && served.store != Some(Store::Behind)
        });
        pieces
    }

    /// Names the pieces, and loads them.
    fn connect(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>) -> Self {
        let is_in_memory = |gap: Gap| in_memory[gap];
        // Gaps, then accesses.
        let count = gaps.count() + gaps.accesses.len();
        let access = |index: AccessIndex| gaps.count() + index.index();
        let mut joined = UnionFind::<usize>::new(count);
        let mut alone: PrimaryMap<AccessIndex, bool> = gaps.around.keys().map(|_| true).collect();
        for (index, &(before, behind)) in &gaps.around {
            for gap in [before, behind].into_iter().flatten() {
                if !is_in_memory(gap) {
                    joined.union(gap.index(), access(index));
                    alone[index] = false;
                }
            }
        }
        for boundary in &gaps.boundaries {
            if !is_in_memory(boundary.from) && !is_in_memory(boundary.to) {
                joined.union(boundary.from.index(), boundary.to.index());
            }
        }
        let mut pieces = Self::default();
        let mut of_root: Vec<Option<Piece>> = vec![None; count];
        for (index, data) in &gaps.accesses {
            let of_root = &mut of_root[joined.find(access(index))];
            let piece = *of_root.get_or_insert_with(|| pieces.minimal.push(alone[index]));
            pieces.accesses.push(Served {
                instruction: data.instruction,
                piece,
                reload: data.reads && gaps.around[index].0.is_some_and(is_in_memory),
                store: None,
                needless: match data.code {
                    Some(Code::Load) => alone[index],
                    Some(Code::Store) => gaps.around[index].0.is_some_and(is_in_memory),
                    None => false,
                },
            });
        }
        for gap in gaps.keys() {
            let of_root = &mut of_root[joined.find(gap.index())];
            // One that passes by, from one loop to another, has no access.
            if of_root.is_none() && !is_in_memory(gap) {
                *of_root = Some(pieces.minimal.push(false));
            }
            pieces.of_gap.push((*of_root).into());
        }
        let loaded: Vec<_> = (0..gaps.boundaries.len())
            .filter(|&index| {
                let boundary = &gaps.boundaries[index];
                is_in_memory(boundary.from) && !is_in_memory(boundary.to)
            })
            .collect();
        pieces.add_edges(gaps, &loaded, true);
        pieces
    }

    fn add_edges(&mut self, gaps: &Gaps, boundaries: &[usize], reload: bool) {
        for &index in boundaries {
            let boundary = &gaps.boundaries[index];
            let gap = if reload { boundary.to } else { boundary.from };
            let code = |piece| EdgeCode {
                place: boundary.place,
                reload,
                piece,
            };
            self.edges.extend(self.of_gap[gap].expand().map(code));
        }
    }
}

/// Where a value is stored.
struct Stores {
    cost: f64,
    at_accesses: Vec<(AccessIndex, Store)>,
    at_boundaries: Vec<usize>,
}

impl Stores {
    /// Behind each definition from which a path leads into memory.
    fn behind_definitions(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>) -> Self {
        let mut backward = gaps.each(Vec::new());
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
    fn before_memory(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>) -> Self {
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
    let mut forward = gaps.each(Vec::new());
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
    edges: &PrimaryMap<Gap, Vec<Gap>>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Block;
    use crate::spill::gaps::samples::{around, gap, gaps};
    use crate::spill::gaps::{Access, Boundary, samples};

    fn access(number: u32, writes: bool, frequency: f64) -> Access {
        samples::access(number, !writes, writes, frequency)
    }

    fn boundary(from: u32, to: u32, frequency: f64) -> Boundary {
        let place = InsertionPoint::Start(Block::from_u32(to));
        samples::boundary(from, to, place, frequency)
    }

    fn pieces_with(gaps: &Gaps, in_memory: &[bool], rematerialisation: bool) -> Pieces {
        let in_memory = in_memory.iter().copied().collect();
        Pieces::new(gaps, &in_memory, rematerialisation)
    }

    fn stores(pieces: &Pieces) -> Vec<Option<Store>> {
        pieces
            .accesses
            .values()
            .map(|served| served.store)
            .collect()
    }

    fn pieces_of(pieces: &Pieces) -> Vec<(u32, bool)> {
        let accesses = pieces.accesses.values();
        accesses
            .map(|served| (served.piece.as_u32(), served.reload))
            .collect()
    }

    /// A definition, two reads.
    fn straight(frequencies: [f64; 3]) -> Gaps {
        let accesses = [
            (access(0, true, frequencies[0]), (None, Some(0))),
            (access(3, false, frequencies[1]), (Some(0), Some(1))),
            (access(6, false, frequencies[2]), (Some(1), None)),
        ];
        gaps(2, accesses, Vec::new())
    }

    #[test]
    fn a_piece_is_what_gaps_in_registers_connect() {
        let pieces = pieces_with(&straight([1.0; 3]), &[true, false], false);
        assert_eq!(pieces_of(&pieces), [(0, false), (1, true), (1, false)]);
        assert_eq!(pieces.minimal.values().as_slice(), [true, false]);
        assert_eq!(stores(&pieces), [Some(Store::Behind), None, None]);
        assert!(!pieces.stale);
    }

    #[test]
    fn stores_stand_where_they_are_cheaper() {
        let in_memory = [false, true];
        let pieces = pieces_with(&straight([9.0, 1.0, 1.0]), &in_memory, false);
        assert_eq!(stores(&pieces), [None, Some(Store::Before), None]);
        assert!(pieces.stale);
        let pieces = pieces_with(&straight([1.0, 9.0, 1.0]), &in_memory, false);
        assert_eq!(stores(&pieces), [Some(Store::Behind), None, None]);
    }

    #[test]
    fn what_is_in_flight_is_stored_behind_the_wait() {
        let mut gaps = straight([1.0, 9.0, 1.0]);
        gaps.held = [true, false].into_iter().collect();
        let pieces = pieces_with(&gaps, &[false, true], false);
        assert_eq!(stores(&pieces), [None, Some(Store::Behind), None]);
    }

    #[test]
    fn what_was_loaded_is_not_stored_again() {
        let mut gaps = straight([9.0, 1.0, 1.0]);
        gaps.accesses[AccessIndex::from_u32(2)].writes = true;
        gaps.accesses[AccessIndex::from_u32(2)].code = Some(Code::Load);
        gaps.accesses.push(access(9, false, 1.0));
        gaps.around[AccessIndex::from_u32(2)].1 = Some(gap(2));
        gaps.around.push(around(Some(2), None));
        gaps.held.push(false);
        let pieces = pieces_with(&gaps, &[false, true, true], false);
        assert_eq!(stores(&pieces), [None, Some(Store::Before), None, None]);
    }

    #[test]
    fn what_is_rematerialised_is_not_stored() {
        let pieces = pieces_with(&straight([1.0; 3]), &[true, true], true);
        assert_eq!(stores(&pieces), [None; 3]);
        assert_eq!(pieces.minimal.values().as_slice(), [true; 3]);
    }

    /// Paths through gaps 0 and 1 meet in gap 2, behind which gap 3 is in memory. The
    /// first path changes the value, or not.
    fn meeting(changes: bool) -> Gaps {
        let accesses = [
            (access(0, changes, 9.0), (Some(4), Some(0))),
            (access(3, true, 9.0), (None, Some(1))),
            (access(6, false, 1.0), (Some(2), Some(3))),
            (access(9, false, 1.0), (Some(3), None)),
        ];
        gaps(5, accesses, vec![boundary(0, 2, 1.0), boundary(1, 2, 1.0)])
    }

    #[test]
    fn memory_holds_a_value_only_if_it_does_on_all_paths() {
        let in_memory = [false, false, false, true, true];
        // On the second path the value is new: one path that kept it is not enough.
        let holds = memory_holds(&meeting(false), &in_memory.into_iter().collect());
        assert_eq!(holds.values().as_slice(), [true, false, false, true, true]);
        let pieces = pieces_with(&meeting(false), &in_memory, false);
        assert_eq!(stores(&pieces)[2], Some(Store::Before));
    }

    #[test]
    fn definitions_that_never_reach_memory_are_not_stored() {
        let mut gaps = straight([1.0, 9.0, 1.0]);
        gaps.accesses.push(access(8, true, 1.0));
        gaps.accesses.push(access(9, false, 1.0));
        gaps.around.push(around(None, Some(2)));
        gaps.around.push(around(Some(2), None));
        gaps.held.push(false);
        let pieces = pieces_with(&gaps, &[false, true, false], false);
        let expected = [Some(Store::Behind), None, None, None, None];
        assert_eq!(stores(&pieces), expected);
        assert!(pieces.stale);
    }

    #[test]
    fn a_gap_that_passes_by_is_a_piece() {
        let accesses = [
            (access(0, true, 1.0), (None, Some(0))),
            (access(9, false, 1.0), (Some(2), None)),
        ];
        let gaps = gaps(3, accesses, vec![boundary(0, 1, 1.0), boundary(1, 2, 1.0)]);
        let pieces = pieces_with(&gaps, &[true, false, true], false);
        let edge = EdgeCode {
            place: InsertionPoint::Start(Block::from_u32(1)),
            reload: true,
            piece: Piece::from_u32(2),
        };
        assert_eq!(pieces.edges, [edge]);
        assert_eq!(pieces.minimal.values().as_slice(), [true, true, false]);
    }
}
