//! The columns of the histograms: one for each thing that a register can occupy.
//!
//! Units that only ever occur together in the registers of this function's classes
//! share a column; on a GPU each 32-bit register and each predicate is one. A slot
//! is a register of a class, in the class's order, with its columns.

use crate::machine::{Class, Machine, Register, Unit};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;
use std::collections::BTreeMap;

const NONE: u32 = u32::MAX;

/// The registers of one class as columns.
#[derive(Debug)]
pub struct Slots {
    /// In the class's order.
    pub registers: Vec<Register>,
    /// Columns of each register; all have as many if `width` says so.
    columns: Vec<u32>,
    /// Where the columns of each register begin in `columns`.
    begin: Vec<u32>,
    /// Set if register n has the columns `first + width * n ..`, side by side: what
    /// the minimum scan can vectorise.
    pub contiguous: Option<Contiguous>,
}

/// A class whose registers lie side by side in the histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contiguous {
    /// The first register's first column.
    pub first: u32,
    /// Columns of one register.
    pub width: u32,
}

impl Slots {
    /// The columns of the slot of this number.
    pub fn columns(&self, slot: usize) -> &[u32] {
        &self.columns[self.begin[slot] as usize..self.begin[slot + 1] as usize]
    }
}

/// The columns of one machine.
#[derive(Debug)]
pub struct Columns {
    of_unit: Vec<u32>,
    count: u32,
    slots: PrimaryMap<Class, Slots>,
}

impl Columns {
    /// Numbers the columns and lists the slots of every class.
    pub fn new(machine: &Machine) -> Self {
        let (of_unit, count) = number(machine);
        let mut columns = Self {
            of_unit,
            count,
            slots: PrimaryMap::new(),
        };
        for data in machine.classes.values() {
            let slots = columns.slots_of(machine, &data.order);
            columns.slots.push(slots);
        }
        columns
    }

    /// Number of columns.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The slots of a class.
    pub fn slots(&self, class: Class) -> &Slots {
        &self.slots[class]
    }

    /// The columns of a register, ascending, each once.
    pub fn of(&self, machine: &Machine, register: Register) -> SmallVec<[u32; 4]> {
        let units = machine.units(register).iter();
        let columns = units.map(|unit| self.of_unit[unit.as_u32() as usize]);
        let mut columns: SmallVec<[u32; 4]> = columns.filter(|&column| column != NONE).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    fn slots_of(&self, machine: &Machine, order: &[Register]) -> Slots {
        let mut columns = Vec::new();
        let mut begin = vec![0];
        for &register in order {
            columns.extend(self.of(machine, register));
            begin.push(columns.len() as u32);
        }
        let contiguous = columns.first().map(|&first| Contiguous {
            first,
            width: begin[1],
        });
        let side_by_side = |&Contiguous { first, width }: &Contiguous| {
            let mut expected = first..;
            columns
                .iter()
                .all(|&column| expected.next() == Some(column))
                && begin.windows(2).all(|pair| pair[1] - pair[0] == width)
        };
        Slots {
            registers: order.to_vec(),
            contiguous: contiguous.filter(side_by_side),
            columns,
            begin,
        }
    }
}

/// Gives units that occur in the same registers the same number.
fn number(machine: &Machine) -> (Vec<u32>, u32) {
    let mut registers_of: SecondaryMap<Unit, Vec<Register>> = SecondaryMap::new();
    for data in machine.classes.values() {
        for &register in &data.order {
            for &unit in machine.units(register) {
                registers_of[unit].push(register);
            }
        }
    }
    let mut of_unit = vec![NONE; machine.table.unit_count as usize];
    let mut known: BTreeMap<Vec<Register>, u32> = BTreeMap::new();
    for (unit, number) in of_unit.iter_mut().enumerate() {
        let registers = &mut registers_of[Unit::from_u32(unit as u32)];
        if !registers.is_empty() {
            registers.sort_unstable();
            registers.dedup();
            let next = known.len() as u32;
            *number = *known.entry(std::mem::take(registers)).or_insert(next);
        }
    }
    (of_unit, known.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::gpu;

    #[test]
    fn a_gpu_has_a_column_for_each_register() {
        let machine = gpu::machine(255);
        let columns = Columns::new(&machine);
        assert_eq!(columns.count(), 255 + 7 + 63 + 7);
        let single = columns.slots(gpu::SINGLE32).contiguous;
        assert_eq!(single, Some(Contiguous { first: 0, width: 1 }));
        let pair = columns.slots(gpu::PAIR);
        assert_eq!(pair.contiguous, Some(Contiguous { first: 0, width: 2 }));
        assert_eq!(pair.columns(3), [6, 7]);
    }

    #[test]
    fn what_is_only_used_together_shares_a_column() {
        let mut machine = gpu::machine(8);
        for class in [gpu::SINGLE16, gpu::SINGLE32, gpu::LOW_HALF, gpu::QUAD] {
            machine.classes[class].order.clear();
        }
        let columns = Columns::new(&machine);
        // Four pairs, seven predicates, the uniform registers.
        assert_eq!(columns.count(), 4 + 7 + 63 + 7);
        assert_eq!(columns.slots(gpu::PAIR).columns(3), [3]);
    }
}
