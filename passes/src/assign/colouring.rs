//! The registers of values, and what each select knows about who has which.

use super::groups::Member;
use super::problem::Problem;
use crate::function::{Function, Operand, OperandFlags, OperandRegister, VirtualRegister};
use crate::machine::{Machine, Register, UnitSet, UnitWords};
use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

/// The registers given so far, and the values that are to be spilled.
pub struct Colouring {
    register: PrimaryMap<VirtualRegister, Option<Register>>,
    failed: Vec<VirtualRegister>,
}

impl Colouring {
    /// Nothing is coloured yet.
    pub fn new(function: &Function) -> Self {
        let registers = function.virtual_registers.keys();
        Self {
            register: registers.map(|_| None).collect(),
            failed: Vec::new(),
        }
    }

    /// The register of a value.
    pub fn register(&self, value: VirtualRegister) -> Option<Register> {
        self.register[value]
    }

    /// Whether both ends of a copy are the same register. A copy of nothing is kept: it
    /// defines its destination.
    pub fn makes_identity(&self, machine: &Machine, to: &Operand, from: &Operand) -> bool {
        let place = |operand: &Operand| -> Option<Register> {
            let register = match operand.register {
                OperandRegister::Virtual(value) => self.register(value)?,
                OperandRegister::Physical(register) => register,
                OperandRegister::Slot(_) | OperandRegister::Loaded(_) => return None,
            };
            machine.part(register, operand.sub_register)
        };
        !from.flags.contains(OperandFlags::UNDEFINED) && place(to) == place(from)
    }

    /// The values to spill, in the order in which they failed.
    pub fn failed(&self) -> &[VirtualRegister] {
        &self.failed
    }

    /// Values that have a register after all have not failed.
    pub fn forget_coloured(&mut self) {
        let register = &self.register;
        self.failed.retain(|&value| register[value].is_none());
    }

    /// Sets a value's register or takes it away.
    pub fn set(&mut self, value: VirtualRegister, register: Option<Register>) {
        self.register[value] = register;
    }
}

/// What keeps the members of a group from registers, as it was when they were looked at.
pub struct Surroundings<'a> {
    /// The members.
    pub members: &'a [Member],
    /// For each of them the units that its neighbours occupy, where select notes them.
    pub occupied: SmallVec<[UnitSet; 1]>,
}

impl Surroundings<'_> {
    /// Whether no neighbour of any member occupies one of these units, as far as that is noted.
    pub fn are_apart_from(&self, units: &UnitWords) -> bool {
        !self.occupied.iter().any(|set| set.has_any(units))
    }
}

/// A colouring in the making. Graph select finds conflicts among a value's
/// neighbours, fat-point select among the live ranges in a register; what is
/// built on top ([`super::evict`], [`super::hints`]) does not care.
pub trait Assignments {
    /// The colouring so far.
    fn colouring(&self) -> &Colouring;

    /// The colouring so far, to note failures in.
    fn colouring_mut(&mut self) -> &mut Colouring;

    /// Gives a value another register, or none.
    fn set(&mut self, value: VirtualRegister, register: Option<Register>);

    /// The coloured values that keep this value from having the register.
    fn occupants(&self, value: VirtualRegister, register: Register) -> Vec<VirtualRegister>;

    /// What is around these members now.
    fn surroundings<'a>(&self, members: &'a [Member]) -> Surroundings<'a>;

    /// Whether members with these surroundings can have this register.
    fn is_free(&self, register: Register, surroundings: &Surroundings) -> bool;

    /// For each register of the class of a group, in its order, whether it seems free
    /// for all members; [`Self::is_free`] has the last word.
    fn free_registers(
        &mut self,
        problem: &Problem,
        root: VirtualRegister,
        members: &[Member],
    ) -> Vec<bool> {
        let surroundings = self.surroundings(members);
        let order = problem.machine.classes[problem.class[root]].order.iter();
        order
            .map(|&register| self.is_free(register, &surroundings))
            .collect()
    }

    /// The value gets no register and must be spilled.
    fn fail(&mut self, value: VirtualRegister) {
        self.set(value, None);
        self.colouring_mut().failed.push(value);
    }

    /// Takes back all failures but the first so many.
    fn forget_failures(&mut self, keep: usize) {
        self.colouring_mut().failed.truncate(keep);
    }

    /// Gives all members of a group their parts of a register.
    fn assign_group(&mut self, members: &[Member], register: Register, machine: &Machine) {
        for &(value, part) in members {
            self.set(value, machine.part(register, part));
        }
    }
}
