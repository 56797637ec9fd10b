//! What is in each column at each program point.
//!
//! A row of bits for each point, a bit for each column, and above every 64 points
//! two more rows: what is occupied at all of them, and what at any of them. A long
//! range touches the rows above and the few points at its ends; so does the
//! question what is in its way. Beside the bits, each column lists its occupants by
//! position: the exact answer to who is where, asked before a register is given
//! away. Time: a segment of n points takes n / 64 rows and a logarithm.

use crate::analysis::live_range::Segment;
use crate::analysis::program_point::ProgramPoint;
use crate::function::VirtualRegister;
use std::collections::BTreeMap;

/// Points under one pair of rows.
const CHUNK: u32 = 64;
/// Rows are cut into blocks of so many columns, which fill vector registers.
pub const BLOCK_COLUMNS: u32 = 512;
const WORDS: usize = BLOCK_COLUMNS as usize / 64;

/// A bit for each of 512 columns.
pub type Block = [u64; WORDS];

/// Who is where.
pub struct ColumnOccupancy {
    /// Blocks in a row.
    blocks: usize,
    /// A row for each point; without what `full` says.
    points: Vec<Block>,
    /// A row for each chunk: occupied at all its points by one value.
    full: Vec<Block>,
    /// A row for each chunk: occupied at any of its points.
    any: Vec<Block>,
    /// For each column its occupants by where they begin.
    occupants: Vec<BTreeMap<ProgramPoint, Occupant>>,
}

/// One segment of a value in one column.
#[derive(Clone, Copy)]
struct Occupant {
    end: ProgramPoint,
    value: VirtualRegister,
}

impl ColumnOccupancy {
    /// Nothing is anywhere.
    pub fn new(points: u32, columns: u32) -> Self {
        let blocks = columns.div_ceil(BLOCK_COLUMNS) as usize;
        let chunks = points.div_ceil(CHUNK) as usize;
        Self {
            blocks,
            points: vec![[0; WORDS]; points as usize * blocks],
            full: vec![[0; WORDS]; chunks * blocks],
            any: vec![[0; WORDS]; chunks * blocks],
            occupants: (0..columns).map(|_| BTreeMap::new()).collect(),
        }
    }

    /// Blocks in a row.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Puts a value's segment into a column.
    pub fn enter(&mut self, value: VirtualRegister, segment: Segment, column: u32) {
        let occupant = Occupant {
            end: segment.end,
            value,
        };
        self.occupants[column as usize].insert(segment.start, occupant);
        let (at, bit) = (BitPosition::new(column), 1 << (column % 64));
        let blocks = self.blocks;
        for_each_part(segment, |chunk, part| {
            *at.word(&mut self.any, blocks, chunk) |= bit;
            match part {
                None => *at.word(&mut self.full, blocks, chunk) |= bit,
                Some(part) => {
                    for point in part.start.number()..part.end.number() {
                        *at.word(&mut self.points, blocks, point) |= bit;
                    }
                }
            }
        });
    }

    /// Takes a value's segment out of a column that it was put into.
    pub fn leave(&mut self, segment: Segment, column: u32) {
        self.occupants[column as usize].remove(&segment.start);
        let (at, bit): (_, u64) = (BitPosition::new(column), 1 << (column % 64));
        let blocks = self.blocks;
        for_each_part(segment, |chunk, part| {
            let any = at.word(&mut self.any, blocks, chunk);
            let Some(part) = part else {
                // One value had it all.
                *any &= !bit;
                *at.word(&mut self.full, blocks, chunk) &= !bit;
                return;
            };
            for point in part.start.number()..part.end.number() {
                *at.word(&mut self.points, blocks, point) &= !bit;
            }
            let last = (chunk + 1) * CHUNK;
            let last = last.min((self.points.len() / blocks) as u32);
            let mut points = chunk * CHUNK..last;
            if !points.any(|point| *at.word(&mut self.points, blocks, point) & bit != 0) {
                *any &= !bit;
            }
        });
    }

    /// Shows every row that a segment touches: that of a point, or that of a whole
    /// chunk.
    pub fn for_each_row(&self, segment: Segment, mut visit: impl FnMut(&[Block])) {
        let blocks = self.blocks;
        for_each_part(segment, |chunk, part| {
            let above = chunk as usize * blocks..(chunk as usize + 1) * blocks;
            let Some(part) = part else {
                visit(&self.any[above]);
                return;
            };
            let full = &self.full[above];
            if full.iter().any(|block| *block != [0; WORDS]) {
                visit(full);
            }
            let rows = part.start.index() * blocks..part.end.index() * blocks;
            self.points[rows].chunks_exact(blocks).for_each(&mut visit);
        });
    }

    /// The values in a column at any of the segment's points, by position.
    pub fn occupants(
        &self,
        segment: Segment,
        column: u32,
    ) -> impl Iterator<Item = VirtualRegister> {
        let occupants = &self.occupants[column as usize];
        let before = occupants.range(..segment.start).next_back();
        let before = before.filter(move |(_, occupant)| occupant.end > segment.start);
        let inside = occupants.range(segment.start..segment.end);
        before.into_iter().chain(inside).map(|(_, o)| o.value)
    }
}

/// Where a column's bit is in a row.
struct BitPosition {
    block: usize,
    word: usize,
}

impl BitPosition {
    fn new(column: u32) -> Self {
        Self {
            block: (column / BLOCK_COLUMNS) as usize,
            word: (column % BLOCK_COLUMNS / 64) as usize,
        }
    }

    fn word<'a>(&self, rows: &'a mut [Block], blocks: usize, row: u32) -> &'a mut u64 {
        &mut rows[row as usize * blocks + self.block][self.word]
    }
}

/// Cuts a segment at the borders of chunks: each piece with its chunk, or just the
/// chunk where the segment covers all of it.
fn for_each_part(segment: Segment, mut visit: impl FnMut(u32, Option<Segment>)) {
    let mut start = segment.start.number();
    while start < segment.end.number() {
        let chunk = start / CHUNK;
        let border = (chunk + 1) * CHUNK;
        let end = segment.end.number().min(border);
        let is_whole = end - start == CHUNK;
        let part = Segment {
            start: ProgramPoint::new(start),
            end: ProgramPoint::new(end),
        };
        visit(chunk, (!is_whole).then_some(part));
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns that the rows over a segment show as occupied.
    fn seen(occupancy: &ColumnOccupancy, segment: Segment) -> Vec<u32> {
        let mut sum = vec![0; occupancy.blocks() * WORDS];
        occupancy.for_each_row(segment, |row| {
            for (sum, word) in sum.iter_mut().zip(row.as_flattened()) {
                *sum |= word;
            }
        });
        let is_set = |&column: &u32| sum[column as usize / 64] >> (column % 64) & 1 != 0;
        (0..64 * sum.len() as u32).filter(is_set).collect()
    }

    /// Rows and lists agree with a table of all points, whatever enters and leaves.
    #[test]
    fn rows_and_occupants_agree_with_a_plain_table() {
        const POINTS: u32 = 400;
        const COLUMNS: u32 = 600;
        let mut random = fastrand::Rng::with_seed(7);
        let mut occupancy = ColumnOccupancy::new(POINTS, COLUMNS);
        let mut table = vec![[None; COLUMNS as usize]; POINTS as usize];
        let mut entered: Vec<(VirtualRegister, Segment, u32)> = Vec::new();
        for number in 0..4000 {
            let start = random.u32(0..POINTS);
            let length = if random.bool() { 8 } else { 300 };
            let part = Segment::between(start, (start + random.u32(1..length)).min(POINTS));
            let column = random.u32(0..COLUMNS);
            let points = part.start.index()..part.end.index();
            let value = VirtualRegister::from_u32(number);
            let mut there: Vec<_> = table[points.clone()]
                .iter()
                .filter_map(|row| row[column as usize])
                .collect();
            there.dedup();
            let found: Vec<_> = occupancy.occupants(part, column).collect();
            assert_eq!(found, there);
            assert_eq!(seen(&occupancy, part).contains(&column), !there.is_empty());
            if there.is_empty() {
                occupancy.enter(value, part, column);
                table[points].fill_with_column(column, Some(value));
                entered.push((value, part, column));
            } else if random.u32(0..3) == 0 {
                let (_, part, column) = entered.swap_remove(random.usize(0..entered.len()));
                occupancy.leave(part, column);
                table[part.start.index()..part.end.index()].fill_with_column(column, None);
            }
        }
        assert!(entered.len() > 100);
    }

    trait FillColumn {
        fn fill_with_column(&mut self, column: u32, value: Option<VirtualRegister>);
    }

    impl<const N: usize> FillColumn for [[Option<VirtualRegister>; N]] {
        fn fill_with_column(&mut self, column: u32, value: Option<VirtualRegister>) {
            for row in self {
                row[column as usize] = value;
            }
        }
    }
}
