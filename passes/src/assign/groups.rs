//! Values that are to share a register: union-find with sub-registers.
//!
//! A group has one root; every member lives in the root's register, or in a
//! fixed part of it. Every value knows its root at once: finding takes constant
//! time, and joining relabels the members that join.

use crate::function::{Function, VirtualRegister};
use crate::machine::SubRegisterIndex;
use cranelift_entity::PrimaryMap;
use smallvec::{SmallVec, smallvec};

/// A member of a group and the part of the root's register it lives in.
pub type Member = (VirtualRegister, SubRegisterIndex);

/// The groups of a function's values; at first each value is alone.
pub struct Groups {
    parent: PrimaryMap<VirtualRegister, Member>,
    members: PrimaryMap<VirtualRegister, SmallVec<[Member; 1]>>,
}

impl Groups {
    /// Every value in a group of its own.
    pub fn new(function: &Function) -> Self {
        let registers = || function.virtual_registers.keys();
        Self {
            parent: registers()
                .map(|value| (value, SubRegisterIndex::WHOLE))
                .collect(),
            members: registers()
                .map(|value| smallvec![(value, SubRegisterIndex::WHOLE)])
                .collect(),
        }
    }

    /// The root of a value's group, and the part of it that the value is.
    pub fn find(&self, value: VirtualRegister) -> Member {
        self.parent[value]
    }

    /// Whether the value is a root.
    pub fn is_root(&self, value: VirtualRegister) -> bool {
        self.parent[value].0 == value
    }

    /// The members of a root's group, the root first.
    pub fn members(&self, root: VirtualRegister) -> &[Member] {
        &self.members[root]
    }

    /// Whether all of a root's members live in the whole of its register.
    pub fn is_uniform(&self, root: VirtualRegister) -> bool {
        self.members[root].iter().all(|(_, part)| part.is_whole())
    }

    /// Puts the group of one root into that of another, as `part` of its
    /// register. Linear in the joining group. Which of two groups joins is not for
    /// its size to say: the root's class and number stay, and select goes by both.
    ///
    /// # Panics
    /// If `part` is not the whole and the joining group has parts itself.
    pub fn join(
        &mut self,
        root: VirtualRegister,
        joining: VirtualRegister,
        part: SubRegisterIndex,
    ) {
        assert!(part.is_whole() || self.is_uniform(joining));
        for (member, own) in std::mem::take(&mut self.members[joining]) {
            let part = if part.is_whole() { own } else { part };
            self.parent[member] = (root, part);
            self.members[root].push((member, part));
        }
    }
}
