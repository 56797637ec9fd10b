//! Which repeated instructions would still compute what they did.
//!
//! The checker takes no rule of the allocator for granted here: that a value is still what
//! its definition would compute is a fact of the data flow like what a register holds. It
//! begins with the definition and ends where one of the values that this read is defined
//! again. Each definition that is repeated with sources has a location in the
//! [`super::state::State`] that holds its value as long as that is so. Linear in the
//! inserted code.

use super::plan::{Code, CodeKind};
use crate::function::{Function, Instruction, VirtualRegister};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The definitions that are repeated with sources.
#[derive(Debug, Default)]
pub(super) struct Anew {
    /// The number of each, counted from 0, and what it defines.
    definitions: BTreeMap<Instruction, (u32, VirtualRegister)>,
    /// The numbers of those that read a value.
    readers: SecondaryMap<VirtualRegister, SmallVec<[u32; 1]>>,
}

impl Anew {
    /// Looks through the inserted code.
    pub fn new(function: &Function, code: &[Code]) -> Self {
        let mut anew = Self::default();
        for code in code {
            let CodeKind::Rematerialise { value, from, .. } = code.kind else {
                continue;
            };
            let operands = function.instruction_operands(from);
            let number = anew.definitions.len() as u32;
            if operands.len() == 1 || anew.definitions.contains_key(&from) {
                continue;
            }
            anew.definitions.insert(from, (number, value));
            for read in operands[1..]
                .iter()
                .filter_map(|one| one.virtual_register())
            {
                anew.readers[read].push(number);
            }
        }
        anew
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.definitions.len()
    }

    /// The number of a definition, and what it defines.
    pub fn definition(&self, instruction: Instruction) -> Option<(u32, VirtualRegister)> {
        self.definitions.get(&instruction).copied()
    }

    /// The definitions that read a value.
    pub fn readers(&self, value: VirtualRegister) -> &[u32] {
        &self.readers[value]
    }
}
