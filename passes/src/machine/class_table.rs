//! Facts about pairs of classes, computed once a function.
//!
//! `blocked(c, d)` is the q of Smith, Holloway and Ramsey ("A generalized
//! algorithm for graph-coloring register allocation", 2004): the most registers
//! of class c that one register of class d can take away. Time: for each pair,
//! the registers of d.

use super::{Class, Machine, Register};
use bitvec::vec::BitVec;
use cranelift_entity::PrimaryMap;

/// Membership and mutual blocking of a machine's classes.
pub struct ClassTable {
    members: PrimaryMap<Class, BitVec<u64>>,
    blocked: Vec<u32>,
    count: usize,
}

impl ClassTable {
    /// Computes the table.
    pub fn new(machine: &Machine) -> Self {
        let register_count = machine.table.registers.len();
        let members = machine.classes.values().map(|data| {
            let mut set: BitVec<u64> = BitVec::repeat(false, register_count);
            for &register in &data.order {
                set.set(register.as_u32() as usize, true);
            }
            set
        });
        let mut table = Self {
            members: members.collect(),
            blocked: Vec::new(),
            count: machine.classes.len(),
        };
        let mut with_unit: Vec<Vec<Register>> = vec![Vec::new(); machine.table.unit_count as usize];
        let mut touched = Vec::new();
        for data in machine.classes.values() {
            for list in &mut with_unit {
                list.clear();
            }
            for &register in &data.order {
                for unit in machine.units(register) {
                    with_unit[unit.as_u32() as usize].push(register);
                }
            }
            for other in machine.classes.values() {
                let mut most = 0;
                for &register in &other.order {
                    touched.clear();
                    for unit in machine.units(register) {
                        touched.extend_from_slice(&with_unit[unit.as_u32() as usize]);
                    }
                    touched.sort_unstable();
                    touched.dedup();
                    most = most.max(touched.len() as u32);
                }
                table.blocked.push(most);
            }
        }
        table
    }

    /// Whether a class contains a register.
    pub fn contains(&self, class: Class, register: Register) -> bool {
        self.members[class][register.as_u32() as usize]
    }

    /// The most registers of `class` that one register of `other` overlaps.
    pub fn blocked(&self, class: Class, other: Class) -> u32 {
        self.blocked[class.as_u32() as usize * self.count + other.as_u32() as usize]
    }
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
}
