//! Facts about pairs of classes, computed once a function.
//!
//! `blocked(c, d)` is the q of Smith, Holloway and Ramsey ("A generalized
//! algorithm for graph-coloring register allocation", 2004): the most registers
//! of class c that one register of class d can take away. Time: for each pair,
//! the registers of d.

use super::{Class, Machine, Register, Unit};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

/// Membership and mutual blocking of a machine's classes.
pub struct ClassTable {
    members: PrimaryMap<Class, FixedBitSet>,
    blocked: Vec<u32>,
    count: usize,
    wider: SecondaryMap<Register, SmallVec<[Register; 2]>>,
    has_wider: bool,
}

impl ClassTable {
    /// Computes the table.
    pub fn new(machine: &Machine) -> Self {
        let register_count = machine.table.registers.len();
        let members = machine.classes.values().map(|data| {
            let mut set = FixedBitSet::with_capacity(register_count);
            for &register in &data.order {
                set.set(register.as_u32() as usize, true);
            }
            set
        });
        let wider = wider(machine);
        let mut table = Self {
            members: members.collect(),
            blocked: Vec::new(),
            count: machine.classes.len(),
            has_wider: wider.values().any(|wider| !wider.is_empty()),
            wider,
        };
        // Registers of one class hardly ever share a unit.
        let unit_count = machine.table.unit_count as usize;
        let mut with_unit: Vec<SmallVec<[Register; 2]>> = Vec::new();
        with_unit.resize_with(unit_count, SmallVec::new);
        // The last register of another class for which one of this class was counted.
        let mut counted_for = vec![u32::MAX; register_count];
        let mut number = 0;
        for data in machine.classes.values() {
            for &register in &data.order {
                for unit in machine.units(register) {
                    with_unit[unit.as_u32() as usize].push(register);
                }
            }
            for other in machine.classes.values() {
                let mut most = 0;
                for &register in &other.order {
                    let mut overlapped = 0;
                    let units = machine.units(register).iter();
                    for one in units.flat_map(|unit| &with_unit[unit.as_u32() as usize]) {
                        let last = &mut counted_for[one.as_u32() as usize];
                        overlapped += u32::from(*last != number);
                        *last = number;
                    }
                    number += 1;
                    most = most.max(overlapped);
                }
                table.blocked.push(most);
            }
            for unit in data.order.iter().flat_map(|&one| machine.units(one)) {
                with_unit[unit.as_u32() as usize].clear();
            }
        }
        table
    }

    /// Whether a class contains a register.
    pub fn contains(&self, class: Class, register: Register) -> bool {
        self.members[class][register.as_u32() as usize]
    }

    /// Whether any register is part of a wider one.
    pub fn has_wider(&self) -> bool {
        self.has_wider
    }

    /// The registers of more of their file that contain this one: the pair and the quad
    /// of a GPU's register.
    pub fn wider(&self, register: Register) -> &[Register] {
        &self.wider[register]
    }

    /// The most registers of `class` that one register of `other` overlaps.
    pub fn blocked(&self, class: Class, other: Class) -> u32 {
        self.blocked[class.as_u32() as usize * self.count + other.as_u32() as usize]
    }
}

/// For each register those wider ones that contain it.
fn wider(machine: &Machine) -> SecondaryMap<Register, SmallVec<[Register; 2]>> {
    let mut wider: SecondaryMap<Register, SmallVec<[Register; 2]>> = SecondaryMap::new();
    let orders = machine.classes.values().map(|data| &data.order);
    let width = |order: &Vec<Register>| order.first().map_or(0, |&first| machine.width(first));
    let orders: Vec<(&Vec<Register>, u32)> = orders.map(|order| (order, width(order))).collect();
    for &(wide, width) in orders.iter().filter(|(_, width)| *width > 1) {
        for &(narrow, _) in orders.iter().filter(|(_, own)| (1..width).contains(own)) {
            let mut of_unit: SecondaryMap<Unit, Option<Register>> = SecondaryMap::new();
            for &register in wide {
                for &unit in machine.units(register) {
                    of_unit[unit].get_or_insert(register);
                }
            }
            for &register in narrow {
                let first = machine.units(register).first();
                let Some(around) = first.and_then(|&unit| of_unit[unit]) else {
                    continue;
                };
                if !wider[register].contains(&around) {
                    wider[register].push(around);
                }
            }
        }
    }
    wider
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::gpu;

    #[test]
    fn a_pair_blocks_two_singles_and_a_single_one_pair() {
        let table = ClassTable::new(&gpu::machine(255));
        assert_eq!(table.blocked(gpu::SINGLE32, gpu::PAIR), 2);
        assert_eq!(table.blocked(gpu::PAIR, gpu::SINGLE32), 1);
        assert_eq!(table.blocked(gpu::PAIR, gpu::QUAD), 2);
        assert_eq!(table.blocked(gpu::SINGLE32, gpu::SINGLE16), 1);
        assert_eq!(table.blocked(gpu::SINGLE32, gpu::PREDICATE), 0);
    }

    #[test]
    fn a_single_is_part_of_a_pair_and_of_a_quad() {
        let machine = gpu::machine(12);
        let table = ClassTable::new(&machine);
        let names = |class, index: usize| {
            let register = machine.classes[class].order[index];
            let wider = table.wider(register).iter();
            wider
                .map(|&one| machine.register_name(one))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(gpu::SINGLE32, 7), ["RD6", "RQ4"]);
        assert_eq!(names(gpu::PAIR, 3), ["RQ4"]);
        assert!(names(gpu::QUAD, 1).is_empty());
        assert!(names(gpu::PREDICATE, 3).is_empty());
    }
}
