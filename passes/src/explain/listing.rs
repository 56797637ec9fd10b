//! Writes a finished allocation for people: locations, then the code with its edits.

use crate::allocation::{Allocation, Created, Edit, EditKind, Location, Position};
use crate::function::text::{Printer, Reduced};
use crate::function::{Function, Instruction, VirtualRegister};
use crate::machine::Machine;

/// Writes where every value lives, and the code with the values that spilling
/// put into it. The added instructions are marked with `+`, deleted copies
/// with `-`.
///
/// It is for reading only.
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
            if self.allocation.locations[value] != Location::None {
                text += &format!("  {value} in {}\n", self.location(value));
            }
        }
        for Created {
            register, origin, ..
        } in &self.allocation.created
        {
            let location = self.location(*register);
            text += &format!("  {register} in {location}, carries {origin}\n");
        }
        for (slot, data) in &self.allocation.slots {
            let (size, alignment) = (data.size, data.alignment);
            text += &format!("  {slot}: {size} bytes, alignment {alignment}\n");
        }
        let mut edits = self.allocation.edits.iter().peekable();
        for block in function.blocks.keys() {
            text += &format!("{block}\n");
            for instruction in function.block_instructions(block) {
                let at = [Position::Before(instruction), Position::After(instruction)];
                let own = std::iter::from_fn(|| edits.next_if(|edit| at.contains(&edit.at)));
                text += &self.instruction(instruction, &own.collect::<Vec<_>>());
            }
        }
        for edit in edits {
            text += &format!("not in program order: {edit:?}\n");
        }
        text
    }

    /// An instruction between the edits at it.
    fn instruction(&self, instruction: Instruction, edits: &[&Edit]) -> String {
        let function = self.printer.function;
        let mut operands = function.instruction_operands(instruction).to_vec();
        let mut mark = ' ';
        let mut before = String::new();
        let mut after = String::new();
        for edit in edits {
            if let Some((operand, register)) = edit.kind.naming() {
                let first = function.instructions[instruction].operands.start;
                let number = operand.as_u32().wrapping_sub(first);
                if let Some(operand) = operands.get_mut(number as usize) {
                    operand.register = register;
                }
            }
            let added = match edit.kind {
                EditKind::Rename { .. } | EditKind::Fold { .. } | EditKind::FoldLoad { .. } => {
                    continue;
                }
                EditKind::DeleteCopy | EditKind::DeleteDefinition => {
                    mark = '-';
                    continue;
                }
                EditKind::Store { value, slot } => format!("store({slot}) {value}"),
                EditKind::Reload { value, slot } => format!("{value} = reload({slot})"),
                EditKind::Rematerialise {
                    value,
                    from,
                    sources,
                } => {
                    let sources: Vec<String> = sources.iter().map(|one| one.to_string()).collect();
                    let text = format!("{value} = again({from}) {}", sources.join(", "));
                    text.trim_end().to_owned()
                }
                EditKind::Widen { to, from } => format!("{to} = widen {from}"),
                EditKind::Narrow { to, from } => format!("{to} = narrow {from}"),
                EditKind::Move { to, from } => format!("{to} = move {from}"),
            };
            let text = match edit.at {
                Position::Before(_) => &mut before,
                Position::After(_) => &mut after,
            };
            *text += &format!("       + {added}\n");
        }
        let number = instruction.to_string();
        let code = self.printer.instruction(instruction, &operands);
        format!("{before}  {number:<5}{mark} {code}\n{after}")
    }

    fn location(&self, value: VirtualRegister) -> String {
        match self.allocation.locations[value] {
            Location::None => "nothing".into(),
            Location::Register(register) => self.printer.register(register),
            Location::Slot(slot) => slot.to_string(),
        }
    }
}
