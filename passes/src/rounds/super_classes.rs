//! Values whose class is small because of some instructions that read them get all registers of
//! their super-class elsewhere.
//!
//! `movzx %ecx, %bh` reads the second byte of a register, which four registers have on x86-64: a
//! value that it reads would be in one of those all its life, and of five such values one is
//! in memory then. Here each such instruction reads a register of its own, which the value is
//! moved into before it, and all else another one, of the super-class. Coalescing makes one of
//! both again where there is room.
//!
//! Requires that nothing is spilled yet, and of operands that are constrained that they read and
//! are in front of the terminators; values of which others are stay. Of several classes with one
//! super-class only the smallest is looked at: what is joined must have one that suits all. Ensures
//! that each constrained operand names a value of the class that it had. Linear in the function,
//! where there are such values.
//! Source: the instruction splitting of LLVM's greedy allocator, which splits what has no
//! register.

use crate::function::{
    Function, Instruction, Operand, OperandFlags, VirtualRegister, VirtualRegisterData,
};
use crate::machine::{Class, Machine};
use crate::spill::rewrite::{Inflated, Named};
use cranelift_entity::SecondaryMap;
use std::collections::BTreeMap;

/// The values that get their super-class, with their accesses. What `is_wanted` says no of stays.
pub fn super_classes(
    function: &Function,
    machine: &Machine,
    is_wanted: impl Fn(VirtualRegister) -> bool,
) -> Vec<Inflated> {
    let registers = || function.virtual_registers.iter();
    let size = |class: Class| machine.classes[class].order.len();
    // Within a budget it may have no more registers.
    let with_super_class = |data: &VirtualRegisterData| {
        let larger = |&super_class: &Class| size(super_class) > size(data.class);
        data.super_class.filter(larger).filter(|_| data.spillable)
    };
    let mut smallest: BTreeMap<Class, Class> = BTreeMap::new();
    for (_, data) in registers() {
        if let Some(super_class) = with_super_class(data) {
            let known = smallest.entry(super_class).or_insert(data.class);
            *known = std::cmp::min_by_key(*known, data.class, |&class| size(class));
        }
    }
    if smallest.is_empty() {
        return Vec::new();
    }
    let mut number: SecondaryMap<VirtualRegister, Option<usize>> = SecondaryMap::new();
    let mut found = Vec::new();
    for (value, data) in registers() {
        if let Some(class) = with_super_class(data)
            && smallest.get(&class) == Some(&data.class)
            && is_wanted(value)
        {
            number[value] = Some(found.len());
            found.push(Candidate::new(value, class));
        }
    }
    for block in function.blocks.keys() {
        let first_terminator = function.blocks[block].first_terminator;
        for instruction in function.block_instructions(block) {
            for operand in function.instruction_operands(instruction) {
                if let Some(number) = operand.virtual_register().and_then(|one| number[one]) {
                    found[number].add(instruction, operand, first_terminator);
                }
            }
        }
    }
    let is_moved = |one: &Inflated| one.accesses.iter().any(|access| access.1 == Named::Moved);
    let fit = found
        .into_iter()
        .filter(|one| one.is_fit && is_moved(&one.inflated));
    fit.map(|one| one.inflated).collect()
}

struct Candidate {
    inflated: Inflated,
    /// Whether the last access reads it.
    reads: bool,
    /// Whether that writes it.
    writes: bool,
    /// No constrained access needs more than a move before it.
    is_fit: bool,
}

impl Candidate {
    fn new(value: VirtualRegister, class: Class) -> Self {
        let accesses = Vec::new();
        Self {
            inflated: Inflated {
                value,
                class,
                accesses,
            },
            reads: false,
            writes: false,
            is_fit: true,
        }
    }

    fn add(&mut self, instruction: Instruction, operand: &Operand, first_terminator: u32) {
        let place = Instruction::from_u32(instruction.as_u32().min(first_terminator));
        let accesses = &mut self.inflated.accesses;
        if accesses.last().is_none_or(|last| last.0 != place) {
            accesses.push((place, Named::Inflated));
            (self.reads, self.writes) = (false, false);
        }
        self.reads |= operand.reads();
        self.writes |= operand.is_definition();
        let Some((_, named)) = accesses.last_mut() else {
            return;
        };
        if operand.flags.contains(OperandFlags::CONSTRAINED) || *named != Named::Inflated {
            *named = match self.reads {
                true => Named::Moved,
                false => Named::Undefined,
            };
            self.is_fit &= !self.writes && place.as_u32() < first_terminator;
        }
    }
}

#[cfg(test)]
mod tests;
