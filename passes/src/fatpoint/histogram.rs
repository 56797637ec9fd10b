//! The two pressure histograms of one value: for each column how contested it is.
//!
//! The primary one counts at how many places along the value's live range the
//! column is occupied; the secondary one breaks ties. Counting adds rows of bits:
//! all columns at once, as numbers whose bits lie in different words (a vertical
//! counter), which stick at their maximum. Only then are they turned into one
//! number a column. All loops are over plain slices, so that the compiler makes
//! vector code of them; nothing is allocated after the first use. Source: ptxas
//! document, "core fat-point allocator".

use super::column_occupancy::{BLOCK_COLUMNS, Block};
use super::columns::{Contiguous, Slots};
use crate::knobs::HIGHEST_DISCARD_THRESHOLD;

/// Bits of a vertical counter.
const BITS: usize = 6;
/// Where the counters stick. Above the documented threshold (50), so that the
/// comparison with it is exact.
pub const MOST: u32 = (1 << BITS) - 1;
const _: () = assert!(MOST == HIGHEST_DISCARD_THRESHOLD);
/// Primary cost of a slot that is not to be had at all.
pub const IMPOSSIBLE: u32 = 1 << 15;
const EMPTY: Block = [0; BLOCK_COLUMNS as usize / 64];

/// The histograms, reused from value to value.
pub struct Histogram {
    /// For each block of columns the bits of their counters, the lowest first.
    counters: Vec<[Block; BITS]>,
    /// How contested each column is; 512 for each block.
    pub columns: Vec<u32>,
    /// How contested each slot of the class in question is.
    pub primary: Vec<u32>,
    /// What breaks ties between slots; less is better.
    pub secondary: Vec<u32>,
}

impl Histogram {
    /// For rows of so many blocks.
    pub fn new(blocks: usize) -> Self {
        let columns = blocks * BLOCK_COLUMNS as usize;
        Self {
            counters: vec![[EMPTY; BITS]; blocks],
            columns: vec![0; columns],
            primary: Vec::with_capacity(columns),
            secondary: Vec::with_capacity(columns),
        }
    }

    /// Starts with nothing counted.
    pub fn clear(&mut self) {
        self.counters.fill([EMPTY; BITS]);
    }

    /// Counts one for every column whose bit is set.
    pub fn count_row(&mut self, row: &[Block]) {
        'blocks: for (counters, block) in self.counters.iter_mut().zip(row) {
            let mut carry = *block;
            for bits in counters.iter_mut() {
                let mut rest = 0;
                for (bits, carry) in bits.iter_mut().zip(&mut carry) {
                    let both = *bits & *carry;
                    *bits ^= *carry;
                    *carry = both;
                    rest |= both;
                }
                if rest == 0 {
                    continue 'blocks;
                }
            }
            // What overflowed sticks at the maximum.
            for bits in counters {
                for (bits, carry) in bits.iter_mut().zip(&carry) {
                    *bits |= carry;
                }
            }
        }
    }

    /// Turns the counters into a number for each column.
    pub fn finish(&mut self) {
        self.columns.fill(0);
        let blocks = self.columns.chunks_exact_mut(BLOCK_COLUMNS as usize);
        for (columns, counters) in blocks.zip(&self.counters) {
            for (bit, words) in counters.iter().enumerate() {
                for (columns, &word) in columns.chunks_exact_mut(64).zip(words) {
                    if word != 0 {
                        for (at, column) in columns.iter_mut().enumerate() {
                            *column += ((word >> at & 1) as u32) << bit;
                        }
                    }
                }
            }
        }
    }

    /// Adds up the columns of every slot of a class: pairs take two, quads four.
    pub fn gather(&mut self, slots: &Slots) {
        self.primary.clear();
        let columns = &self.columns;
        match slots.contiguous {
            Some(contiguous) => {
                let first = contiguous.first as usize;
                let width = contiguous.width as usize;
                let all = &columns[first..first + width * slots.registers.len()];
                match width {
                    1 => self.primary.extend_from_slice(all),
                    2 => self.primary.extend(sums::<2>(all)),
                    4 => self.primary.extend(sums::<4>(all)),
                    _ => self
                        .primary
                        .extend(all.chunks_exact(width).map(|slot| slot.iter().sum::<u32>())),
                }
            }
            None => self.primary.extend((0..slots.registers.len()).map(|slot| {
                let own = slots.columns(slot).iter();
                own.map(|&column| columns[column as usize]).sum::<u32>()
            })),
        }
    }

    /// Starts the secondary cost of every slot of a class with those of its columns.
    pub fn start_secondary(&mut self, slots: &Slots, column_costs: &[u32]) {
        self.secondary.clear();
        match slots.contiguous {
            Some(Contiguous { first, width: 1 }) => {
                let first = first as usize;
                let own = &column_costs[first..first + slots.registers.len()];
                self.secondary.extend_from_slice(own);
            }
            _ => self
                .secondary
                .extend((0..slots.registers.len()).map(|slot| {
                    let own = slots.columns(slot).iter();
                    own.map(|&column| column_costs[column as usize])
                        .sum::<u32>()
                })),
        }
    }

    /// Adds `pair` to the cost of every slot that would break a free pair, and
    /// `quad` to that of every slot that would break a free quad. Groups of four
    /// columns are looked at together.
    pub fn add_breaks(&mut self, Contiguous { first, width }: Contiguous, pair: u32, quad: u32) {
        if width > 2 {
            return;
        }
        let groups = self.columns[first as usize..].chunks_exact(4);
        let slots = 4 / width as usize;
        for (costs, group) in self.secondary.chunks_mut(slots).zip(groups) {
            let free = |at: usize| u32::from(group[at] == 0);
            let pairs = [free(0) & free(1), free(2) & free(3)];
            for (slot, cost) in costs.iter_mut().enumerate() {
                let own = slot * width as usize / 2;
                let other = pairs[1 - own];
                *cost += if width == 1 {
                    // Half of a pair: the other half is free, too.
                    free(slot ^ 1) * pair + other * quad
                } else {
                    other * quad
                };
            }
        }
    }

    /// The slot of least primary, then least secondary cost, then least number,
    /// among those whose primary cost is at most `threshold`.
    pub fn minimum(&self, threshold: u32) -> Option<usize> {
        let key = |(&primary, &secondary): (&u32, &u32)| {
            primary.min(IMPOSSIBLE) << 16 | secondary.min(0xffff)
        };
        let keys = || self.primary.iter().zip(&self.secondary).map(key);
        let least = keys().min()?;
        if least >> 16 > threshold {
            return None;
        }
        keys().position(|key| key == least)
    }
}

fn sums<const WIDTH: usize>(columns: &[u32]) -> impl Iterator<Item = u32> {
    let slots = columns.chunks_exact(WIDTH);
    slots.map(|slot| slot.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fatpoint::columns::Columns;
    use crate::machine::gpu;

    fn counted(rows: &[&[u32]]) -> Histogram {
        let mut histogram = Histogram::new(1);
        histogram.clear();
        for columns in rows {
            let mut row = EMPTY;
            for &column in *columns {
                row[column as usize / 64] |= 1 << (column % 64);
            }
            histogram.count_row(&[row]);
        }
        histogram.finish();
        histogram
    }

    #[test]
    fn there_are_512_columns() {
        assert_eq!(Histogram::new(1).columns.len(), 512);
    }

    #[test]
    fn rows_are_counted_and_the_count_sticks() {
        let mut rows: Vec<&[u32]> = vec![&[0, 1, 70]; 3];
        rows.extend([&[1][..]; 40]);
        rows.extend([&[300][..]; 100]);
        let histogram = counted(&rows);
        let at = |column: usize| histogram.columns[column];
        assert_eq!((at(0), at(1), at(70), at(2)), (3, 43, 3, 0));
        assert_eq!(at(300), MOST);
    }

    #[test]
    fn pairs_and_quads_add_their_columns() {
        let machine = gpu::machine(16);
        let columns = Columns::new(&machine);
        let mut histogram = counted(&[&[0, 1, 2], &[1, 6]]);
        histogram.gather(columns.slots(gpu::SINGLE32));
        assert_eq!(histogram.primary[..8], [1, 2, 1, 0, 0, 0, 1, 0]);
        histogram.gather(columns.slots(gpu::PAIR));
        assert_eq!(histogram.primary, [3, 1, 0, 1, 0, 0, 0, 0]);
        histogram.gather(columns.slots(gpu::QUAD));
        assert_eq!(histogram.primary, [4, 1, 0, 0]);
    }

    #[test]
    fn ties_go_to_the_secondary_cost_then_to_the_first() {
        let machine = gpu::machine(8);
        let columns = Columns::new(&machine);
        let mut histogram = counted(&[&[0, 1, 2]]);
        let slots = columns.slots(gpu::SINGLE32);
        histogram.gather(slots);
        histogram.start_secondary(slots, &[0; 512]);
        assert_eq!(histogram.minimum(50), Some(3));
        histogram.secondary[3] = 2;
        histogram.secondary[4] = 1;
        histogram.secondary[6] = 1;
        histogram.secondary[5] = 1;
        histogram.secondary[7] = 1;
        assert_eq!(histogram.minimum(50), Some(4));
    }

    #[test]
    fn slots_above_the_threshold_are_discarded() {
        let machine = gpu::machine(2);
        let columns = Columns::new(&machine);
        let mut rows: Vec<&[u32]> = vec![&[0, 1]; 50];
        let minimum = |rows: &[&[u32]]| {
            let mut histogram = counted(rows);
            let slots = columns.slots(gpu::SINGLE32);
            histogram.gather(slots);
            histogram.start_secondary(slots, &[0; 512]);
            histogram.minimum(50)
        };
        assert_eq!(minimum(&rows), Some(0));
        rows.push(&[0]);
        assert_eq!(minimum(&rows), Some(1));
        rows.push(&[1]);
        assert_eq!(minimum(&rows), None);
    }

    #[test]
    fn breaking_what_is_free_costs() {
        let machine = gpu::machine(8);
        let columns = Columns::new(&machine);
        let mut histogram = counted(&[&[0, 1, 2]]);
        let slots = columns.slots(gpu::SINGLE32);
        histogram.gather(slots);
        histogram.start_secondary(slots, &[0; 512]);
        histogram.add_breaks(slots.contiguous.unwrap(), 10, 1);
        // R3's pair is broken already; R4 to R7 are a free quad.
        assert_eq!(histogram.secondary[3..], [0, 11, 11, 11, 11]);
        let slots = columns.slots(gpu::PAIR);
        histogram.gather(slots);
        histogram.start_secondary(slots, &[0; 512]);
        histogram.add_breaks(slots.contiguous.unwrap(), 10, 1);
        assert_eq!(histogram.secondary, [0, 0, 1, 1]);
    }
}
