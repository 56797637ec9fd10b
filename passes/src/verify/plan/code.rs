//! Inserted code: what each piece of it moves or computes, and whether it can.

use super::{CodeKind, Layout, SourceOperand, is_shared};
use crate::allocation::{EditKind, Sources};
use crate::function::{Instruction, InstructionFlags, MOST_SOURCES, Slot, VirtualRegister};
use crate::machine::Register;
use crate::verify::fault::{Fault, Site};
use crate::verify::rematerialisation::computes_alone;

impl Layout<'_> {
    /// Checks inserted code and finds its registers.
    pub(super) fn code(&self, site: Site, kind: EditKind) -> Result<CodeKind, Fault> {
        Ok(match kind {
            EditKind::Store { value, slot } => CodeKind::Store {
                from: self.moved_register(site, value)?,
                slot,
                size: self.check_slot(site, value, slot)?,
            },
            EditKind::Reload { value, slot } => CodeKind::Reload {
                to: self.moved_register(site, value)?,
                slot,
                size: self.check_slot(site, value, slot)?,
            },
            EditKind::Rematerialise {
                value,
                from,
                sources,
            } => CodeKind::Rematerialise {
                value: self.check_rematerialisation(site, value, from)?,
                to: self.moved_register(site, value)?,
                from,
                sources: self.check_sources(site, from, sources)?,
            },
            EditKind::Widen { to, from } => {
                self.check_conversion(site, from, to, from, to)?;
                CodeKind::Widen {
                    from: self.moved_register(site, from)?,
                    to: self.moved_register(site, to)?,
                }
            }
            EditKind::Narrow { to, from } => {
                self.check_conversion(site, to, from, from, to)?;
                CodeKind::Narrow {
                    from: self.moved_register(site, from)?,
                    to: self.moved_register(site, to)?,
                }
            }
            EditKind::Move { to, from } => {
                self.check_move(site, from, to)?;
                CodeKind::Move {
                    from: self.moved_register(site, from)?,
                    to: self.moved_register(site, to)?,
                }
            }
            EditKind::Rename { .. }
            | EditKind::Fold { .. }
            | EditKind::FoldLoad { .. }
            | EditKind::DeleteCopy
            | EditKind::DeleteDefinition => unreachable!("not code"),
        })
    }

    /// Checks that an instruction computes a value and does nothing else, into a register of a
    /// class that it can write; the value.
    fn check_rematerialisation(
        &self,
        site: Site,
        into: VirtualRegister,
        from: Instruction,
    ) -> Result<VirtualRegister, Fault> {
        let known = self.function.instructions.is_valid(from);
        let computed = known.then(|| computes_alone(self.function, from)).flatten();
        let Some(value) = computed else {
            return Err(Fault::NotRematerialisable { site, from });
        };
        let written = &self.function.instruction_operands(from)[0];
        self.check_class(site, written, into)?;
        Ok(value)
    }

    /// Checks that there is something of the right class for each value that the
    /// instruction reads, no more of it in uniform registers than it can read there;
    /// where.
    fn check_sources(
        &self,
        site: Site,
        from: Instruction,
        sources: Sources,
    ) -> Result<[Option<SourceOperand>; MOST_SOURCES], Fault> {
        let operands = &self.function.instruction_operands(from)[1..];
        let read = operands
            .iter()
            .filter_map(|operand| Some((operand, operand.virtual_register()?)));
        let given: Vec<VirtualRegister> = sources.iter().collect();
        if given.len() != operands.len() {
            return Err(Fault::NotRematerialisable { site, from });
        }
        let flags = self.function.instructions[from].flags;
        let mut may_be_shared = flags.contains(InstructionFlags::UNIFORM_SOURCE);
        let mut found = [None; MOST_SOURCES];
        for (((operand, value), source), place) in read.zip(given).zip(&mut found) {
            self.check_class(site, operand, source)?;
            let register = self.register(site, source)?;
            let class = self.known_class(site, source)?;
            if is_shared(self.machine, &self.members, class, register) {
                if !may_be_shared {
                    return Err(self.uniform_spilled(site, source, register));
                }
                may_be_shared = false;
            }
            *place = Some((value, register));
        }
        Ok(found)
    }

    /// Checks that the narrow one's class is spilled through the wide one's.
    fn check_conversion(
        &self,
        site: Site,
        narrow: VirtualRegister,
        wide: VirtualRegister,
        from: VirtualRegister,
        to: VirtualRegister,
    ) -> Result<(), Fault> {
        let wide = self.known_class(site, wide)?;
        let narrow = self.known_class(site, narrow)?;
        match self.class(narrow).spill_through == Some(wide) {
            true => Ok(()),
            false => Err(self.bad_conversion(site, from, to)?),
        }
    }

    /// Checks that both have one class, or that one has a class and the other its super-class.
    fn check_move(
        &self,
        site: Site,
        from: VirtualRegister,
        to: VirtualRegister,
    ) -> Result<(), Fault> {
        let (one, other) = (self.known_class(site, from)?, self.known_class(site, to)?);
        match self.is_within(one, other) || self.is_within(other, one) {
            true => Ok(()),
            false => Err(self.bad_conversion(site, from, to)?),
        }
    }

    fn bad_conversion(
        &self,
        site: Site,
        from: VirtualRegister,
        to: VirtualRegister,
    ) -> Result<Fault, Fault> {
        let name = |value| Ok(self.class(self.known_class(site, value)?).name.clone());
        Ok(Fault::BadConversion {
            site,
            from,
            from_class: name(from)?,
            to,
            to_class: name(to)?,
        })
    }

    /// Checks that a value can go through a slot; its size.
    pub(super) fn check_slot(
        &self,
        site: Site,
        value: VirtualRegister,
        slot: Slot,
    ) -> Result<u32, Fault> {
        let class = self.class(self.known_class(site, value)?);
        let Some(data) = self.allocation.slots.get(slot) else {
            return Err(Fault::UnknownSlot { site, slot });
        };
        if class.spill_through.is_some() || class.spill_size == 0 {
            return Err(Fault::NotStorable {
                site,
                value,
                slot,
                class: class.name.clone(),
            });
        }
        if data.size < class.spill_size || data.alignment < class.spill_alignment {
            return Err(Fault::SlotTooSmall {
                site,
                value,
                slot,
                size: class.spill_size,
                alignment: class.spill_alignment,
            });
        }
        Ok(class.spill_size)
    }

    /// The register of a value that spill code moves: none that a warp shares.
    fn moved_register(&self, site: Site, value: VirtualRegister) -> Result<Register, Fault> {
        let register = self.register(site, value)?;
        let class = self.known_class(site, value)?;
        if is_shared(self.machine, &self.members, class, register) {
            return Err(self.uniform_spilled(site, value, register));
        }
        Ok(register)
    }

    fn uniform_spilled(&self, site: Site, value: VirtualRegister, register: Register) -> Fault {
        let register = self.machine.register_name(register).to_owned();
        Fault::UniformSpilled {
            site,
            value,
            register,
        }
    }
}
