//! Inserted code: what each piece of it moves or computes, and whether it can.

use super::{CodeKind, Layout, is_shared};
use crate::allocation::EditKind;
use crate::analysis::recipes::{Recipes, computed};
use crate::function::{Instruction, Slot, VirtualRegister};
use crate::machine::Register;
use crate::verify::fault::{Fault, Site};

impl Layout<'_> {
    /// Checks inserted code and finds its registers.
    pub(super) fn code(
        &self,
        site: Site,
        kind: EditKind,
        recipes: &Recipes,
    ) -> Result<CodeKind, Fault> {
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
            EditKind::Rematerialise { value, from } => {
                let computed = self.check_recipe(site, value, from, recipes)?;
                CodeKind::Rematerialise {
                    value: computed,
                    to: self.moved_register(site, value)?,
                }
            }
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
            EditKind::Rename { .. }
            | EditKind::Fold { .. }
            | EditKind::DeleteCopy
            | EditKind::DeleteDefinition => unreachable!("not code"),
        })
    }

    /// Checks that an instruction computes a value of the class out of nothing, and that
    /// nothing else defines that value; the value.
    fn check_recipe(
        &self,
        site: Site,
        into: VirtualRegister,
        from: Instruction,
        recipes: &Recipes,
    ) -> Result<VirtualRegister, Fault> {
        let known = self.function.instructions.is_valid(from);
        let computed = known.then(|| computed(self.function, from)).flatten();
        let Some(value) = computed.filter(|&value| recipes[value] == Some(from)) else {
            return Err(Fault::NoRecipe { site, from });
        };
        self.check_class(site, into, value)?;
        Ok(value)
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
        if self.class(narrow).spill_through == Some(wide) {
            return Ok(());
        }
        let name = |value| Ok(self.class(self.known_class(site, value)?).name.clone());
        Err(Fault::BadConversion {
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
        if class.spill_through.is_some() {
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
            let register = self.machine.register_name(register).to_owned();
            return Err(Fault::UniformSpilled {
                site,
                value,
                register,
            });
        }
        Ok(register)
    }
}
