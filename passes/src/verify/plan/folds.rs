//! Operands that access memory themselves: whether their instruction can do that.

use super::Layout;
use crate::function::{
    Instruction, InstructionFlags, InstructionKind, OperandFlags, OperandIndex, OperandRegister,
    Slot,
};
use crate::verify::fault::{Fault, Site, Spot};
use crate::verify::rematerialisation::computes_alone;
use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

impl Layout<'_> {
    /// Checks that an operand can be in a slot.
    pub(super) fn check_fold(
        &self,
        site: Site,
        operand: OperandIndex,
        slot: Slot,
    ) -> Result<(), Fault> {
        let site = self.operand_site(site, operand)?;
        let operand = &self.function.operands[operand];
        // What is stored is stored as a whole.
        let suits = self.function.instructions[site.instruction].kind == InstructionKind::Plain
            && operand.flags.contains(OperandFlags::FOLDABLE)
            && (!operand.is_definition() || operand.sub_register.is_whole());
        match operand.virtual_register() {
            Some(value) if suits => self.check_slot(site, value, slot).map(|_| ()),
            _ => Err(Fault::NotFoldable { site }),
        }
    }

    /// Checks that an operand can be loaded by its instruction, and that what it names is
    /// loaded by that one alone, which reads no register: then it finds its value wherever
    /// it stands.
    pub(super) fn check_fold_load(
        &self,
        site: Site,
        operand: OperandIndex,
        from: Instruction,
    ) -> Result<(), Fault> {
        let site = self.operand_site(site, operand)?;
        let operand = &self.function.operands[operand];
        let suits = self.function.instructions[site.instruction].kind == InstructionKind::Plain
            && operand.flags.contains(OperandFlags::LOADABLE)
            && !operand.is_definition();
        let Some(value) = operand.virtual_register().filter(|_| suits) else {
            return Err(Fault::NotFoldable { site });
        };
        let is_load = self.function.instructions.is_valid(from)
            && self.function.instruction_operands(from).len() == 1
            && computes_alone(self.function, from) == Some(value)
            && self.definitions[value] == 1;
        match is_load {
            true => Ok(()),
            false => Err(Fault::WrongLoad { site, value, from }),
        }
    }

    /// The site of an operand of an instruction.
    fn operand_site(&self, site: Site, operand: OperandIndex) -> Result<Site, Fault> {
        let range = &self.function.instructions[site.instruction].operands;
        if !range.contains(&operand.as_u32()) {
            return Err(Fault::NotFoldable { site });
        }
        let spot = Spot::Operand(operand.as_u32() - range.start);
        Ok(Site { spot, ..site })
    }

    /// Checks that an instruction with an operand in memory has the others that name its
    /// value there, and none besides unless it has room for all.
    pub(super) fn check_folded(
        &self,
        site: Site,
        named: &PrimaryMap<OperandIndex, OperandRegister>,
    ) -> Result<(), Fault> {
        let operands = || self.function.numbered_operands(site.instruction);
        let flags = self.function.instructions[site.instruction].flags;
        let has_room = flags.contains(InstructionFlags::RECORDS);
        // Values in memory, and where.
        let mut folded: SmallVec<[(OperandRegister, OperandRegister); 1]> = SmallVec::new();
        for (index, operand) in operands().filter(|&(index, _)| named[index].is_in_memory()) {
            let is_known = folded.iter().any(|&(value, _)| value == operand.register);
            if !is_known && (has_room || folded.is_empty()) {
                folded.push((operand.register, named[index]));
            }
        }
        if folded.is_empty() {
            return Ok(());
        }
        for (number, (index, operand)) in operands().enumerate() {
            let place = folded.iter().find(|(value, _)| *value == operand.register);
            let is_wrong = match place {
                Some((_, place)) => named[index] != *place,
                None => named[index].is_in_memory(),
            };
            if is_wrong {
                let spot = Spot::Operand(number as u32);
                return Err(Fault::FoldedApart {
                    site: Site { spot, ..site },
                });
            }
        }
        Ok(())
    }
}
