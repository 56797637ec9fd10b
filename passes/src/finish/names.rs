//! One name for values that share a register.
//!
//! When a copy is deleted, its ends hold one value in one register and may be
//! live at once. Where LLVM tracks live ranges by virtual register, such ends
//! must become one virtual register. Near-linear: union-find over the copies, with path
//! halving.

use crate::assign::colouring::Colouring;
use crate::function::{VirtualRegister, VirtualRegisterData};
use crate::machine::Class;
use crate::spill::work::Work;
use cranelift_entity::PrimaryMap;
use std::collections::BTreeSet;

/// The name of each virtual register of a work function.
pub struct Names {
    /// Of each register one with its name; once all are joined, the name itself.
    parent: PrimaryMap<VirtualRegister, VirtualRegister>,
}

impl Names {
    /// Every register keeps its name.
    pub fn unchanged(work: &Work) -> Self {
        Self {
            parent: work.function.virtual_registers.keys().collect(),
        }
    }

    /// The ends of a copy within one register get the lowest of their names,
    /// which is the caller's if there is one. Where a value is moved between a class and its
    /// super-class, the name is one of the class, which suits all that name any of them.
    pub fn of_joined(work: &Work, colouring: &Colouring) -> Self {
        let registers = &work.function.virtual_registers;
        let class = |value: VirtualRegister| registers[value].class;
        let pair = |data: &VirtualRegisterData| Some((data.class, data.super_class?));
        let super_classes: BTreeSet<(Class, Class)> = registers.values().filter_map(pair).collect();
        let mut names = Self::unchanged(work);
        for instruction in work.function.instructions.keys() {
            if let Some((to, from)) = work.function.joinable_copy(instruction)
                && colouring.register(to) == colouring.register(from)
            {
                let (to, from) = (names.find(to), names.find(from));
                let (low, high) = (to.min(from), to.max(from));
                match super_classes.contains(&(class(high), class(low))) {
                    true => names.parent[low] = high,
                    false => names.parent[high] = low,
                }
            }
        }
        for value in work.function.virtual_registers.keys() {
            names.parent[value] = names.find(value);
        }
        names
    }

    /// The name of a register.
    pub fn name(&self, value: VirtualRegister) -> VirtualRegister {
        self.parent[value]
    }

    /// The best of the names joined so far.
    fn find(&mut self, mut value: VirtualRegister) -> VirtualRegister {
        while self.parent[value] != value {
            self.parent[value] = self.parent[self.parent[value]];
            value = self.parent[value];
        }
        value
    }
}
