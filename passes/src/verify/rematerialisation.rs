//! Which instructions may be repeated, and which repeated ones would still compute what
//! they did.
//!
//! The checker takes no rule of the allocator for granted here. What may be repeated or left
//! out, flags and operands of the instruction say ([`computes_alone`]). That a value is still
//! what its definition would compute is a fact of the data flow like what a register holds. It
//! begins with the definition and ends where one of the values that this read is defined
//! again, or the value itself. Each definition that is repeated with sources, or is one of
//! several of its value, has a location in the
//! [`super::state::State`] that holds its value as long as that is so. Linear in the
//! inserted code.

use super::plan::{Code, CodeKind};
use crate::function::{
    Function, Instruction, InstructionFlags, InstructionKind, MOST_SOURCES, Operand, OperandFlags,
    VirtualRegister,
};
use crate::machine::SubRegisterIndex;
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The value that an instruction computes, if it does nothing else: repeated somewhere, it
/// changes nothing but its result, and left out, nothing is missing but that.
///
/// The function's word is taken that the result depends on the operands alone. Besides, the
/// instruction has no flag but those known to be no obstacle, and no operand that is more
/// than the name of a value, of all of it or, where it starts, of a part.
pub(super) fn computes_alone(
    function: &Function,
    instruction: Instruction,
) -> Option<VirtualRegister> {
    let harmless = InstructionFlags::REMATERIALISABLE
        | InstructionFlags::IMPLICIT_DEFINITION
        | InstructionFlags::DIVERGENT
        | InstructionFlags::UNIFORM_PATH
        | InstructionFlags::ARGUMENT
        | InstructionFlags::UNIFORM_SOURCE
        | InstructionFlags::PRIORITY
        | InstructionFlags::WIDE_PRIORITY;
    let data = &function.instructions[instruction];
    if !data.flags.contains(InstructionFlags::REMATERIALISABLE)
        || !harmless.contains(data.flags)
        || data.kind != InstructionKind::Plain
        || data.clobbers.is_some()
        || data.thread_registers.is_some()
    {
        return None;
    }
    let (result, read) = function.instruction_operands(instruction).split_first()?;
    let value = started_value(result)?;
    let is_source = |operand: &Operand| {
        !operand.is_definition() && whole_value(operand).is_some_and(|source| source != value)
    };
    (read.len() <= MOST_SOURCES && read.iter().all(is_source)).then_some(value)
}

/// The value that an operand defines, whatever was in its register before. What starts with a
/// part takes all of the register.
fn started_value(result: &Operand) -> Option<VirtualRegister> {
    let whole = Operand {
        sub_register: SubRegisterIndex::WHOLE,
        flags: result.flags - OperandFlags::UNDEFINED,
        ..*result
    };
    let starts = result.sub_register.is_whole() || result.flags.contains(OperandFlags::UNDEFINED);
    whole_value(&whole).filter(|_| result.is_definition() && starts)
}

/// The value that an operand reads or writes, if that is all that there is to it.
fn whole_value(operand: &Operand) -> Option<VirtualRegister> {
    let more = OperandFlags::EARLY_CLOBBER
        | OperandFlags::UNDEFINED
        | OperandFlags::IN_FLIGHT
        | OperandFlags::AWAITED;
    let is_plain = operand.sub_register.is_whole()
        && operand.tied_to.is_none()
        && !operand.flags.intersects(more);
    operand.virtual_register().filter(|_| is_plain)
}

/// The definitions that are repeated and whose values may be others at times.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    /// The number of each, counted from 0, and what it defines.
    definitions: BTreeMap<Instruction, (u32, VirtualRegister)>,
    /// The numbers of those that read a value.
    readers: SecondaryMap<VirtualRegister, SmallVec<[u32; 1]>>,
}

impl Repeated {
    /// Looks through the inserted code.
    pub fn new(
        function: &Function,
        code: &[Code],
        definitions: &SecondaryMap<VirtualRegister, u32>,
    ) -> Self {
        let mut repeated = Self::default();
        for code in code {
            let CodeKind::Rematerialise { value, from, .. } = code.kind else {
                continue;
            };
            let operands = function.instruction_operands(from);
            let number = repeated.definitions.len() as u32;
            let is_always_same = operands.len() == 1 && definitions[value] == 1;
            if is_always_same || repeated.definitions.contains_key(&from) {
                continue;
            }
            repeated.definitions.insert(from, (number, value));
            for read in operands[1..]
                .iter()
                .filter_map(|one| one.virtual_register())
            {
                repeated.readers[read].push(number);
            }
        }
        repeated
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
