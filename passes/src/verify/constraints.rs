//! What the operands of one instruction ask of each other's registers.

use super::fault::{Fault, Site, Spot};
use super::plan::Plan;
use crate::function::{Block, Instruction, Operand, OperandFlags};
use crate::machine::Register;
use smallvec::SmallVec;

/// Checks every instruction. Faults among physical operands alone are none of
/// the allocator's business: targets describe one write in several ways.
pub(super) fn check(plan: &Plan, blocks: &[Block]) -> Result<(), Fault> {
    for instruction in plan.function.instructions.keys() {
        let check = Check {
            plan,
            instruction,
            block: blocks[instruction.as_u32() as usize],
            operands: plan.function.instruction_operands(instruction),
        };
        check.deleted_copy()?;
        check.uses()?;
        check.definitions()?;
    }
    Ok(())
}

struct Check<'a> {
    plan: &'a Plan<'a>,
    instruction: Instruction,
    block: Block,
    operands: &'a [Operand],
}

impl Check<'_> {
    /// A deleted copy leaves its destination as it is, so the source has to be
    /// there already.
    fn deleted_copy(&self) -> Result<(), Fault> {
        if !self.plan.deleted[self.instruction.as_u32() as usize] {
            return Ok(());
        }
        let places = self.plan.places(self.instruction);
        let (destination, source) = (places[0].part, places[1].part);
        if destination == source {
            return Ok(());
        }
        Err(Fault::DeletedCopyApart {
            site: self.site(Spot::Whole),
            source_register: self.name(source),
            destination: self.name(destination),
        })
    }

    /// Ties, early definitions and what has to outlive a call.
    fn uses(&self) -> Result<(), Fault> {
        let early: SmallVec<[usize; 4]> = self
            .definitions_of()
            .filter(|&number| self.operands[number].is_early_clobber())
            .collect();
        let places = self.plan.places(self.instruction);
        for (number, operand) in self.operands.iter().enumerate() {
            if operand.is_definition() {
                continue;
            }
            let used = places[number].part;
            if let Some(tied) = operand.tied_to
                && let Some(definition) = places.get(usize::from(tied))
                && (places[number].value.is_some() || definition.value.is_some())
                && (definition.part, definition.memory) != (used, places[number].memory)
            {
                return Err(Fault::TiedApart {
                    site: self.site(Spot::Operand(number as u32)),
                    used: self.name(used),
                    defined: self.name(definition.part),
                });
            }
            if operand.flags.contains(OperandFlags::UNDEFINED) {
                continue;
            }
            if let Some(value) = places[number].value.expand()
                && operand.is_live_through()
                && places[number].memory.is_none()
                && self.clobbers(used)
            {
                return Err(Fault::NotThrough {
                    site: self.site(Spot::Operand(number as u32)),
                    value,
                    register: self.name(used),
                });
            }
            for &definition in &early {
                let tied = operand.tied_to.map(usize::from) == Some(definition);
                let defined = places[definition].part;
                if !tied && self.collide(number, definition) {
                    return Err(Fault::EarlyClobber {
                        site: self.site(Spot::Operand(number as u32)),
                        used: self.name(used),
                        defined: self.name(defined),
                    });
                }
            }
        }
        Ok(())
    }

    fn clobbers(&self, register: Register) -> bool {
        let mask = self.plan.function.instructions[self.instruction].clobbers;
        mask.is_some_and(|mask| !self.plan.machine.preserves(mask, register))
    }

    /// Two definitions.
    fn definitions(&self) -> Result<(), Fault> {
        let numbers: SmallVec<[usize; 8]> = self.definitions_of().collect();
        let places = self.plan.places(self.instruction);
        for (count, &number) in numbers.iter().enumerate() {
            let (place, site) = (places[number], self.site(Spot::Operand(number as u32)));
            for &earlier in &numbers[..count] {
                let other = places[earlier];
                // The value is one: were its parts in two registers, a later
                // use could not name them both.
                if let Some(value) = place.value.expand()
                    && place.value == other.value
                    && place.location != other.location
                {
                    return Err(Fault::DefinitionsApart {
                        site,
                        value,
                        register: self.name(place.location),
                        other: self.name(other.location),
                    });
                }
                if self.collide(number, earlier) {
                    return Err(Fault::DefinitionsOverlap {
                        site,
                        register: self.name(place.part),
                        other: self.name(other.part),
                    });
                }
            }
        }
        Ok(())
    }

    /// The numbers of the definitions.
    fn definitions_of(&self) -> impl Iterator<Item = usize> {
        (0..self.operands.len()).filter(|&number| self.operands[number].is_definition())
    }

    /// Whether two operands overlap, and at least one of them was ours to place.
    fn collide(&self, a: usize, b: usize) -> bool {
        let places = self.plan.places(self.instruction);
        let (a, b) = (places[a], places[b]);
        if a.memory.is_some() || b.memory.is_some() {
            return false;
        }
        (a.value.is_some() || b.value.is_some()) && self.plan.machine.alias(a.part, b.part)
    }

    fn site(&self, spot: Spot) -> Site {
        Site {
            instruction: self.instruction,
            block: self.block,
            spot,
        }
    }

    fn name(&self, register: Register) -> String {
        self.plan.machine.register_name(register).to_owned()
    }
}
