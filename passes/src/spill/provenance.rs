//! What of the working function the caller knows, and what spilling made.
//!
//! Ensures that each created register leads to the caller's register that it holds, and
//! each instruction to the caller's or to the place where it is to stand. Constant time.

use crate::allocation::{Created, Position};
use crate::function::{Function, Instruction, VirtualRegister};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// Where an instruction of the working function comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The caller's function.
    Original(Instruction),
    /// Spill code.
    Inserted(Position),
}

/// Where the instructions and registers of the working function come from.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// For each instruction.
    pub instructions: PrimaryMap<Instruction, Origin>,
    /// The created virtual registers, ascending.
    pub created: Vec<Created>,
    /// Number of the caller's virtual registers.
    own: u32,
    /// For each created register the one that it is a piece of; none for a spill register.
    whole_of: SecondaryMap<VirtualRegister, PackedOption<VirtualRegister>>,
}

impl Provenance {
    /// All is the caller's.
    pub fn new(function: &Function) -> Self {
        let instructions = function.instructions.keys().map(Origin::Original);
        Self {
            instructions: instructions.collect(),
            created: Vec::new(),
            own: function.virtual_registers.len() as u32,
            whole_of: SecondaryMap::new(),
        }
    }

    /// Whether spilling created the register.
    pub fn is_created(&self, value: VirtualRegister) -> bool {
        value.as_u32() >= self.own
    }

    /// The caller's virtual register that a register is a part of.
    pub fn origin(&self, value: VirtualRegister) -> VirtualRegister {
        match self.is_created(value) {
            true => self.created[(value.as_u32() - self.own) as usize].origin,
            false => value,
        }
    }

    /// Records a register made for a part of another's live range.
    pub fn create(&mut self, created: Created, whole: VirtualRegister) {
        self.whole_of[created.register] = self.whole(whole).into();
        self.created.push(created);
    }

    /// The register that another is a piece of: one of the caller's, or a spill register.
    pub fn whole(&self, value: VirtualRegister) -> VirtualRegister {
        self.whole_of[value].expand().unwrap_or(value)
    }

    /// A piece that goes its own way: it comes from elsewhere than the others.
    pub fn part_from_whole(&mut self, piece: VirtualRegister) {
        self.whole_of[piece] = None.into();
    }
}
