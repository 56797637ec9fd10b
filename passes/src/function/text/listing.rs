//! Writes a finished allocation for people: homes, then the code with its edits.

use super::print::Printer;
use super::reduce::Reduced;
use crate::allocation::{Allocation, Created, EditKind, Home, Position};
use crate::function::{Function, Instruction, VirtualRegister};
use crate::machine::Machine;

/// Writes where every value lives and, between the instructions in which they
/// take place, the edits, marked with `+`.
///
/// It is for reading only. The instructions are the original ones: an operand
/// that another value takes the place of is named by a `rename` edit.
pub fn listing(machine: &Machine, function: &Function, allocation: &Allocation) -> String {
    let lister = Lister {
        printer: Printer {
            machine,
            function,
            reduced: Reduced::new(machine, function),
        },
        allocation,
    };
    lister.text()
}

struct Lister<'a> {
    printer: Printer<'a>,
    allocation: &'a Allocation,
}

impl Lister<'_> {
    fn text(&self) -> String {
        let function = self.printer.function;
        let mut text = format!("allocation of {}\n", function.name);
        for value in function.virtual_registers.keys() {
            if self.allocation.homes[value] != Home::None {
                text += &format!("  {value} in {}\n", self.home(value));
            }
        }
        for Created {
            register, origin, ..
        } in &self.allocation.created
        {
            let home = self.home(*register);
            text += &format!("  {register} in {home}, carries {origin}\n");
        }
        for (slot, data) in &self.allocation.slots {
            let (size, alignment) = (data.size, data.alignment);
            text += &format!("  {slot}: {size} bytes, alignment {alignment}\n");
        }
        let mut edits = self.allocation.edits.iter().peekable();
        for block in function.blocks.keys() {
            text += &format!("{block}\n");
            for instruction in function.block_instructions(block) {
                let (before, after) = (Position::Before(instruction), Position::After(instruction));
                while let Some(edit) = edits.next_if(|edit| edit.at == before) {
                    text += &format!("      + {}\n", self.edit(instruction, edit.kind));
                }
                let code = self.printer.instruction(instruction);
                text += &format!("  {instruction:<4}{code}\n");
                while let Some(edit) = edits.next_if(|edit| edit.at == after) {
                    text += &format!("      + {}\n", self.edit(instruction, edit.kind));
                }
            }
        }
        for edit in edits {
            text += &format!("not in program order: {edit:?}\n");
        }
        text
    }

    fn home(&self, value: VirtualRegister) -> String {
        match self.allocation.homes[value] {
            Home::None => "nothing".into(),
            Home::Register(register) => self.printer.register(register),
            Home::Slot(slot) => slot.to_string(),
        }
    }

    fn edit(&self, at: Instruction, kind: EditKind) -> String {
        match kind {
            EditKind::Rename { operand, to } => {
                let first = self.printer.function.instructions[at].operands.start;
                let number = operand.as_u32().wrapping_sub(first);
                format!("rename operand {number} to {to}")
            }
            EditKind::Store { value, slot } => format!("store({slot}) {value}"),
            EditKind::Reload { value, slot } => format!("{value} = reload({slot})"),
            EditKind::Widen { to, from } => format!("{to} = widen {from}"),
            EditKind::Narrow { to, from } => format!("{to} = narrow {from}"),
            EditKind::DeleteCopy => "delete this copy".into(),
        }
    }
}
