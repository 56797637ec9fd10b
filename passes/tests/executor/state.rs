//! What registers and slots hold.

use passes::machine::{ClobberMask, Machine, Register, Unit};
use std::ops::Range;

/// The contents of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which of all contents there have been.
    number: u64,
    /// So many low bytes of them.
    bytes: u32,
    /// In the form of the class they are spilled through.
    widened: bool,
}

impl Cell {
    pub fn new(number: u64, bytes: u32) -> Self {
        Self {
            number,
            bytes,
            widened: false,
        }
    }

    /// Which of all contents.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Whether it is as instructions read it.
    pub fn is_plain(self) -> bool {
        !self.widened
    }

    /// What is left in fewer bytes.
    pub fn cut(self, bytes: u32) -> Self {
        let bytes = self.bytes.min(bytes);
        Self { bytes, ..self }
    }

    /// Whether who wants the other finds it in this one.
    pub fn serves_for(self, wanted: Self) -> bool {
        self.cut(wanted.bytes) == wanted
    }

    pub fn widened(self) -> Option<Self> {
        let widened = Self {
            widened: true,
            ..self
        };
        (!self.widened).then_some(widened)
    }

    pub fn narrowed(self) -> Option<Self> {
        let narrowed = Self {
            widened: false,
            ..self
        };
        self.widened.then_some(narrowed)
    }
}

/// A register file. Each unit remembers the register it was written as: that is
/// what calls preserve.
pub struct Registers {
    units: Vec<Option<(Cell, Register)>>,
}

impl Registers {
    pub fn new(machine: &Machine) -> Self {
        Self {
            units: vec![None; machine.table.unit_count as usize],
        }
    }

    pub fn get(&self, unit: Unit) -> Option<Cell> {
        self.units[unit.as_u32() as usize].map(|(cell, _)| cell)
    }

    pub fn set(&mut self, unit: Unit, register: Register, cell: Option<Cell>) {
        self.units[unit.as_u32() as usize] = cell.map(|cell| (cell, register));
    }

    pub fn clobber(&mut self, machine: &Machine, mask: ClobberMask) {
        for unit in &mut self.units {
            *unit = unit.filter(|&(_, register)| machine.preserves(mask, register));
        }
    }
}

/// A slot: for each byte the contents and which of their bytes it is.
pub struct Memory {
    bytes: Vec<Option<(Cell, u32)>>,
}

impl Memory {
    pub fn new(size: u32) -> Self {
        Self {
            bytes: vec![None; size as usize],
        }
    }

    pub fn store(&mut self, range: Range<usize>, cell: Option<Cell>) {
        for (number, byte) in self.bytes[range].iter_mut().enumerate() {
            *byte = cell.map(|cell| (cell, number as u32));
        }
    }

    /// As much as is there of what the first byte begins.
    pub fn load(&self, range: Range<usize>) -> Option<Cell> {
        let bytes = &self.bytes[range];
        let (cell, _) = bytes.first().copied().flatten()?;
        let numbered = bytes.iter().zip(0u32..);
        let whole = numbered.take_while(|&(&byte, number)| byte == Some((cell, number)));
        let count = whole.count() as u32;
        (count > 0).then(|| cell.cut(count))
    }
}
