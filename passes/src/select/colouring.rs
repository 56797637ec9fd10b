//! A colouring in the making: the register of each value, and what is free.

use crate::coalesce::groups::Member;
use crate::function::VirtualRegister;
use crate::machine::{Machine, Register, UnitSet};
use crate::problem::Problem;
use cranelift_entity::PrimaryMap;

/// The registers given so far.
#[derive(Clone)]
pub struct Colouring {
    register: PrimaryMap<VirtualRegister, Option<Register>>,
    failed: Vec<VirtualRegister>,
    /// For the members last looked at: the units their neighbours occupy.
    occupied: Vec<UnitSet>,
}

impl Colouring {
    /// Nothing is coloured yet.
    pub fn new(problem: &Problem) -> Self {
        let registers = problem.function.virtual_registers.keys();
        Self {
            register: registers.map(|_| None).collect(),
            failed: Vec::new(),
            occupied: Vec::new(),
        }
    }

    /// The register of a value.
    pub fn register(&self, value: VirtualRegister) -> Option<Register> {
        self.register[value]
    }

    /// Gives a value its register.
    pub fn assign(&mut self, value: VirtualRegister, register: Register) {
        self.register[value] = Some(register);
    }

    /// Gives all members of a group their parts of a register.
    pub fn assign_group(&mut self, members: &[Member], register: Register, machine: &Machine) {
        for &(value, part) in members {
            self.register[value] = machine.part(register, part);
        }
    }

    /// Takes a value's register away.
    pub fn clear(&mut self, value: VirtualRegister) {
        self.register[value] = None;
    }

    /// The value gets no register and must be spilled.
    pub fn fail(&mut self, value: VirtualRegister) {
        self.register[value] = None;
        self.failed.push(value);
    }

    /// The values to spill, in the order in which they failed.
    pub fn failed(&self) -> &[VirtualRegister] {
        &self.failed
    }

    /// Notes what the neighbours of these members occupy, for [`Self::is_free`].
    pub fn look_around(&mut self, problem: &Problem, members: &[Member]) {
        let unit_count = problem.machine.table.unit_count;
        while self.occupied.len() < members.len() {
            self.occupied.push(UnitSet::new(unit_count));
        }
        for (&(value, _), occupied) in members.iter().zip(&mut self.occupied) {
            occupied.clear();
            for &neighbour in problem.own_neighbours(value) {
                if let Some(register) = self.register[neighbour] {
                    for &unit in problem.machine.units(register) {
                        occupied.insert(unit);
                    }
                }
            }
        }
    }

    /// Whether the members last looked at can have this register.
    pub fn is_free(&self, problem: &Problem, register: Register, members: &[Member]) -> bool {
        let machine = problem.machine;
        let free = |(&(value, part), occupied): (&Member, &UnitSet)| {
            machine.part(register, part).is_some_and(|register| {
                !occupied.contains_any(machine.units(register))
                    && problem.suits_value(register, value)
            })
        };
        members.iter().zip(&self.occupied).all(free)
    }
}
