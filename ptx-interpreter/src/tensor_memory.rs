//! Tensor memory: 128 rows of 512 cells of 32 bits, of which blocks allocate columns.
//!
//! An address has the row in its upper half and the column in its lower one. Cells hold
//! garbage until they are written.
//!
//! Source: the PTX ISA manual, "Tensor Memory" and "Data movement" of `tcgen05`; the
//! shapes' register layouts are its figures of matrix fragments.

use crate::error::Trouble;
use crate::operation::TensorShape;
use crate::random::Random;

const ROWS: usize = 128;
const COLUMNS: usize = 512;
/// Columns are allocated in powers of two, no fewer than these.
const FEWEST: usize = 32;

/// A row and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub row: usize,
    pub column: usize,
}

impl Cell {
    /// The cell at an address.
    pub fn at(address: u64) -> Self {
        Self {
            row: (address >> 16 & 0xffff) as usize,
            column: (address & 0xffff) as usize,
        }
    }

    /// The cell so many rows and columns further.
    pub fn beyond(self, rows: usize, columns: usize) -> Self {
        Self {
            row: self.row + rows,
            column: self.column + columns,
        }
    }
}

/// A block's tensor memory.
#[derive(Debug, Default)]
pub(crate) struct TensorMemory {
    /// Empty until something is allocated.
    cells: Vec<u32>,
    /// How many stores to each cell have not been waited for.
    stores: Vec<u32>,
    /// The first column and the number of each allocation, by column.
    allocated: Vec<(usize, usize)>,
    relinquished: bool,
}

impl TensorMemory {
    /// Allocates columns, the first that are free; gives the address.
    pub fn allocate(&mut self, columns: usize, garbage: &mut Random) -> Result<u64, Trouble> {
        if !columns.is_power_of_two() || !(FEWEST..=COLUMNS).contains(&columns) {
            return Err(Trouble::Undefined("an allocation of that many columns"));
        }
        if self.relinquished {
            return Err(Trouble::Undefined(
                "an allocation after the right to it was given up",
            ));
        }
        if self.cells.is_empty() {
            let fresh = (0..ROWS * COLUMNS).map(|_| garbage.bits() as u32);
            self.cells = fresh.collect();
            self.stores = vec![0; ROWS * COLUMNS];
        }
        let mut first = 0;
        for &(start, count) in &self.allocated {
            if first + columns <= start {
                break;
            }
            first = start + count;
        }
        if first + columns > COLUMNS {
            // On a GPU it waits until another block gives columns back.
            return Err(Trouble::Undefined("tensor memory is exhausted"));
        }
        self.allocated.push((first, columns));
        self.allocated.sort_unstable();
        Ok(first as u64)
    }

    /// Gives columns back.
    pub fn deallocate(&mut self, address: u64, columns: usize) -> Result<(), Trouble> {
        let one = (Cell::at(address).column, columns);
        let found = self.allocated.iter().position(|&a| a == one);
        let found = found.ok_or(Trouble::Undefined("tensor memory that is not allocated"))?;
        self.allocated.remove(found);
        Ok(())
    }

    /// Gives up the right to allocate.
    pub fn relinquish(&mut self) {
        self.relinquished = true;
    }

    /// Where a cell is, if it is allocated.
    fn index(&self, cell: Cell) -> Result<usize, Trouble> {
        let Cell { row, column } = cell;
        let inside = |&(first, count): &(usize, usize)| (first..first + count).contains(&column);
        if row >= ROWS || !self.allocated.iter().any(inside) {
            return Err(Trouble::OutOfBounds {
                space: "tensor",
                address: (row << 16 | column) as u64,
                bytes: 4,
            });
        }
        Ok(row * COLUMNS + column)
    }

    /// The contents of a cell.
    pub fn cell(&mut self, cell: Cell) -> Result<&mut u32, Trouble> {
        let index = self.index(cell)?;
        Ok(&mut self.cells[index])
    }

    /// Begins a store to a cell, which holds garbage until it ends.
    pub fn begin_store(&mut self, cell: Cell, garbage: &mut Random) -> Result<(), Trouble> {
        let index = self.index(cell)?;
        self.stores[index] += 1;
        self.cells[index] = garbage.bits() as u32;
        Ok(())
    }

    /// Ends a store to a cell.
    pub fn end_store(&mut self, cell: Cell, value: u32) -> Result<(), Trouble> {
        let index = self.index(cell)?;
        self.stores[index] = self.stores[index].saturating_sub(1);
        self.cells[index] = value;
        Ok(())
    }

    /// Whether a store to a cell has not ended.
    pub fn is_being_stored(&self, cell: Cell) -> Result<bool, Trouble> {
        Ok(self.stores[self.index(cell)?] > 0)
    }
}

/// How many rows and columns the cell of a lane's register lies beyond the address; of a
/// register with two halves, `half` chooses one.
pub(crate) fn place(
    shape: TensorShape,
    lane: usize,
    register: usize,
    packed: bool,
    half: usize,
) -> (usize, usize) {
    // Halves come from the columns that a register would have if there were twice as many.
    let (i, high) = match packed {
        true => (register, half),
        false => (register, 0),
    };
    let scale = if packed { 2 } else { 1 };
    match shape {
        TensorShape::Rows32 => (lane, i * scale + high),
        TensorShape::Rows16Twice(split) => (
            lane % 16,
            i * scale + high + if lane < 16 { 0 } else { split as usize },
        ),
        TensorShape::Rows16(2) => (
            lane / 4 + lane % 2 * 8,
            (i * 2 + lane / 2 % 2) * scale + high,
        ),
        TensorShape::Rows16(4) => (lane / 4 + i % 2 * 8, (i / 2 * 4 + lane % 4) * scale + high),
        TensorShape::Rows16(_) => (
            lane / 4 + i / 2 % 2 * 8,
            (i / 4 * 8 + lane % 4 * 2 + i % 2) * scale + high,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Whatever the shape, the registers of a warp are as many cells, side by side.
    #[test]
    fn shapes_cover_their_cells_once() {
        let shapes = [
            (TensorShape::Rows32, 4, 32, 4),
            (TensorShape::Rows16Twice(4), 4, 16, 8),
            (TensorShape::Rows16(2), 4, 16, 8),
            (TensorShape::Rows16(4), 4, 16, 8),
            (TensorShape::Rows16(8), 4, 16, 8),
        ];
        for (shape, registers, rows, columns) in shapes {
            let all = (0..32).flat_map(|l| (0..registers).map(move |i| (l, i)));
            let cells: BTreeSet<_> = all.map(|(l, i)| place(shape, l, i, false, 0)).collect();
            let expected = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
            assert_eq!(cells, expected.collect(), "{shape:?}");
        }
    }

    #[test]
    fn columns_are_allocated_where_there_is_room() {
        let mut memory = TensorMemory::default();
        let garbage = &mut Random::new(1);
        assert_eq!(memory.allocate(64, garbage), Ok(0));
        assert_eq!(memory.allocate(128, garbage), Ok(64));
        assert!(memory.allocate(33, garbage).is_err());
        assert!(memory.cell(Cell::at(192)).is_err());
        memory.deallocate(0, 64).unwrap();
        assert!(memory.deallocate(0, 64).is_err());
        assert!(memory.cell(Cell::at(0)).is_err());
        assert_eq!(memory.allocate(32, garbage), Ok(0));
        assert_eq!(memory.allocate(64, garbage), Ok(192));
        assert!(memory.allocate(512, garbage).is_err());
        memory.relinquish();
        assert!(memory.allocate(32, garbage).is_err());
    }
}
