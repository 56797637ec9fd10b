//! Pieces: what is left of a value that is in memory during some of its gaps.
//!
//! Accesses that gaps in registers connect are one piece, a virtual register of its own. A
//! piece begins with a definition or a reload. Values get into memory by stores behind the
//! definitions, or where gaps in memory begin; there none is needed where memory holds the
//! value already on all paths. Behind a definition none is needed either where no path leads
//! into memory before the next one. The cheaper way is taken. Where a value goes from one
//! register to another, the piece that goes on gets it from the one that ends, before the
//! access or on the edge. Linear in gaps and accesses. Source: ptxas document, reload
//! placement and removal of what is redundant.

mod stores;

use super::gaps::{AccessIndex, Boundary, Code, Gap, Gaps, InsertionPoint};
use crate::function::Instruction;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use petgraph::unionfind::UnionFind;
use stores::Stores;
pub use stores::memory_holds;

/// How much less, in part, two sums of the same frequencies may come to.
const ROUNDING: f64 = 1e-9;

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
    /// The piece gets the value from another before it.
    pub from: Option<Piece>,
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
            from: None,
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
    /// What happens there. Stores come first: they free registers.
    pub kind: EdgeKind<Piece>,
    /// Which piece.
    pub piece: Piece,
}

/// What happens to a piece on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind<Other> {
    /// It is stored.
    Store,
    /// It gets the value from another piece.
    Move(Other),
    /// It is loaded.
    Reload,
}

/// For each gap which of a value's registers it is in there, if it is in one.
pub type Homes = PrimaryMap<Gap, u8>;

impl Pieces {
    /// Makes the pieces of a value that has one register. `rematerialisation`: nothing is
    /// ever stored.
    pub fn new(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>, rematerialisation: bool) -> Self {
        Self::at_homes(gaps, in_memory, &gaps.each(0), rematerialisation)
    }

    /// The same of one that has several.
    pub fn at_homes(
        gaps: &Gaps,
        in_memory: &PrimaryMap<Gap, bool>,
        homes: &Homes,
        rematerialisation: bool,
    ) -> Self {
        let mut pieces = Self::connect(gaps, in_memory, homes);
        if rematerialisation {
            return pieces;
        }
        let behind_definitions = Stores::behind_definitions(gaps, in_memory);
        let before_memory = Stores::before_memory(gaps, in_memory);
        // The ways behind one definition run as often as that together, but for rounding, and
        // one store is less code than one on each.
        let least = before_memory.cost * (1.0 + ROUNDING);
        let stores = match least < behind_definitions.cost {
            true => before_memory,
            false => behind_definitions,
        };
        for (index, store) in stores.at_accesses {
            pieces.accesses[index].store = Some(store);
        }
        pieces.add_edges(gaps, &stores.at_boundaries, EdgeKind::Store);
        pieces.edges.sort_unstable();
        pieces.stale = gaps.accesses.iter().any(|(index, access)| {
            let served = &pieces.accesses[index];
            access.writes && access.code.is_none() && served.store != Some(Store::Behind)
        });
        pieces
    }

    /// Whether the value never goes to memory.
    pub fn are_in_registers(&self) -> bool {
        let mut served = self.accesses.values();
        let mut edges = self.edges.iter();
        served.all(|one| !one.reload && one.store.is_none() && !one.needless)
            && edges.all(|code| matches!(code.kind, EdgeKind::Move(_)))
    }

    /// Names the pieces, loads and moves them.
    fn connect(gaps: &Gaps, in_memory: &PrimaryMap<Gap, bool>, homes: &Homes) -> Self {
        let moves = |from, to| moves(in_memory, homes, from, to);
        let is_in_memory = |gap: Gap| in_memory[gap];
        // Gaps, then accesses.
        let count = gaps.count() + gaps.accesses.len();
        let access = |index: AccessIndex| gaps.count() + index.index();
        let mut joined = UnionFind::<usize>::new(count);
        let mut alone: PrimaryMap<AccessIndex, bool> = gaps.around.keys().map(|_| true).collect();
        for (index, &(before, behind)) in &gaps.around {
            let moved = before.zip(behind).is_some_and(|(from, to)| moves(from, to));
            for gap in [before.filter(|_| !moved), behind].into_iter().flatten() {
                if !is_in_memory(gap) {
                    joined.union(gap.index(), access(index));
                    alone[index] = false;
                }
            }
        }
        for boundary in &gaps.boundaries {
            let Boundary { from, to, .. } = *boundary;
            if !is_in_memory(from) && !is_in_memory(to) && !moves(from, to) {
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
                from: None,
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
        for (index, &(before, behind)) in &gaps.around {
            if let (Some(from), Some(to)) = (before, behind)
                && moves(from, to)
            {
                pieces.accesses[index].from = pieces.of_gap[from].expand();
            }
        }
        let loaded: Vec<_> = (0..gaps.boundaries.len())
            .filter(|&index| {
                let boundary = &gaps.boundaries[index];
                is_in_memory(boundary.from) && !is_in_memory(boundary.to)
            })
            .collect();
        pieces.add_edges(gaps, &loaded, EdgeKind::Reload);
        for boundary in &gaps.boundaries {
            let [from, to] = [boundary.from, boundary.to].map(|gap| pieces.of_gap[gap].expand());
            if let (Some(from), Some(piece)) = (from, to)
                && moves(boundary.from, boundary.to)
            {
                pieces.edges.push(EdgeCode {
                    place: boundary.place,
                    kind: EdgeKind::Move(from),
                    piece,
                });
            }
        }
        pieces
    }

    fn add_edges(&mut self, gaps: &Gaps, boundaries: &[usize], kind: EdgeKind<Piece>) {
        for &index in boundaries {
            let boundary = &gaps.boundaries[index];
            let gap = match kind {
                EdgeKind::Store => boundary.from,
                EdgeKind::Move(_) | EdgeKind::Reload => boundary.to,
            };
            let code = |piece| EdgeCode {
                place: boundary.place,
                kind,
                piece,
            };
            self.edges.extend(self.of_gap[gap].expand().map(code));
        }
    }
}

/// Whether a value that goes from one gap to another goes to another register.
pub fn moves(in_memory: &PrimaryMap<Gap, bool>, homes: &Homes, from: Gap, to: Gap) -> bool {
    !in_memory[from] && !in_memory[to] && homes[from] != homes[to]
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
    fn what_is_less_by_rounding_is_not_cheaper() {
        let frequencies = [0.687_500_000_000_000_1, 0.687_499_999_999_999_3, 1.0];
        let pieces = pieces_with(&straight(frequencies), &[false, true], false);
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
    fn a_piece_gets_the_value_from_the_one_that_ends() {
        let accesses = [
            (access(0, true, 1.0), (None, Some(0))),
            (access(3, false, 1.0), (Some(0), Some(1))),
            (access(9, false, 1.0), (Some(2), None)),
        ];
        let gaps = gaps(3, accesses, vec![boundary(1, 2, 1.0)]);
        let in_memory = gaps.each(false);
        let at_homes = |homes: [u8; 3]| {
            let homes = homes.into_iter().collect();
            Pieces::at_homes(&gaps, &in_memory, &homes, false)
        };
        let pieces = at_homes([0, 1, 2]);
        assert_eq!(pieces_of(&pieces), [(0, false), (1, false), (2, false)]);
        let from: Vec<_> = pieces.accesses.values().map(|one| one.from).collect();
        assert_eq!(from, [None, Some(Piece::from_u32(0)), None]);
        let edge = EdgeCode {
            place: InsertionPoint::Start(Block::from_u32(2)),
            kind: EdgeKind::Move(Piece::from_u32(1)),
            piece: Piece::from_u32(2),
        };
        assert_eq!(pieces.edges, [edge]);
        assert!(pieces.are_in_registers());
        assert_eq!(at_homes([0; 3]).minimal.len(), 1);
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
            kind: EdgeKind::Reload,
            piece: Piece::from_u32(2),
        };
        assert_eq!(pieces.edges, [edge]);
        assert_eq!(pieces.minimal.values().as_slice(), [true, true, false]);
    }
}
