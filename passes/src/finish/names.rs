//! One name for values that share a register.
//!
//! When a copy is deleted, its ends hold one value in one register and may be
//! live at once. Where LLVM tracks live ranges by virtual register, such ends
//! must become one virtual register. Near-linear: union-find over the copies, with path
//! halving.

use crate::assign::colouring::Colouring;
use crate::function::VirtualRegister;
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
    /// which is the caller's if there is one. Where a value was moved from its super-class to its
    /// own, the name is one of that class, which suits all that name any of them.
    pub fn of_joined(work: &Work, colouring: &Colouring) -> Self {
        let function = &work.function;
        let class = |value: VirtualRegister| function.virtual_registers[value].class;
        let moves = function.instructions.keys();
        let moves = moves.filter(|&one| function.is_moved_to_class(one));
        let targets = moves.filter_map(|one| function.moved(one));
        let small: BTreeSet<Class> = targets.map(|(to, _)| class(to)).collect();
        let mut names = Self::unchanged(work);
        for instruction in work.function.instructions.keys() {
            if let Some((to, from)) = work.function.joinable_copy(instruction)
                && colouring.register(to) == colouring.register(from)
            {
                let (to, from) = (names.find(to), names.find(from));
                let name =
                    std::cmp::min_by_key(to, from, |&one| (!small.contains(&class(one)), one));
                names.parent[to] = name;
                names.parent[from] = name;
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
