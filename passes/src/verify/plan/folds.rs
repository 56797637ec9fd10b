//! Operands that access memory themselves: whether their instruction can do that.

use super::Layout;
use crate::function::{InstructionKind, OperandFlags, OperandIndex, OperandRegister, Slot};
use crate::verify::fault::{Fault, Site, Spot};
use cranelift_entity::PrimaryMap;

impl Layout<'_> {
    /// Checks that an operand can be in a slot.
    pub(super) fn check_fold(
        &self,
        site: Site,
        operand: OperandIndex,
        slot: Slot,
    ) -> Result<(), Fault> {
        let range = &self.function.instructions[site.instruction].operands;
        if !range.contains(&operand.as_u32()) {
            return Err(Fault::NotFoldable { site });
        }
        let spot = Spot::Operand(operand.as_u32() - range.start);
        let site = Site { spot, ..site };
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

    /// Checks that an instruction with an operand in memory has the others that name its
    /// value there, and none besides.
    pub(super) fn check_folded(
        &self,
        site: Site,
        named: &PrimaryMap<OperandIndex, OperandRegister>,
    ) -> Result<(), Fault> {
        let operands = || self.function.numbered_operands(site.instruction);
        let folded =
            operands().find(|&(index, _)| matches!(named[index], OperandRegister::Slot(_)));
        let Some((first, folded)) = folded else {
            return Ok(());
        };
        for (number, (index, operand)) in operands().enumerate() {
            let together = operand.register == folded.register;
            let is_folded = matches!(named[index], OperandRegister::Slot(_));
            if together != is_folded || is_folded && named[index] != named[first] {
                let spot = Spot::Operand(number as u32);
                return Err(Fault::FoldedApart {
                    site: Site { spot, ..site },
                });
            }
        }
        Ok(())
    }
}
