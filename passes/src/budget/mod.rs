//! How many registers this function may use.
//!
//! On a GPU [`choose`] finds the budget from what the command line and the kernel's
//! launch bounds say, and the R file is cut to it: every class keeps the registers that
//! lie below it. Other files are left alone, and so are CPU machines, unless a test
//! limits the classes themselves.

mod choice;
pub mod model;

pub use choice::{Budget, BudgetSource, asked, choose};

use crate::error::Error;
use crate::function::{Function, Instruction, Operand, VirtualRegister};
use crate::machine::{File, Machine};
use crate::settings::Settings;
use std::borrow::Cow;

/// The machine with only so many registers of the limited file; for tests, with only so
/// many of each class.
pub fn restrict<'a>(
    machine: &'a Machine,
    settings: &Settings,
    registers: Option<u32>,
) -> Cow<'a, Machine> {
    if let Some(limit) = settings.class_limit {
        let mut restricted = machine.clone();
        for class in restricted.classes.values_mut() {
            class.order.truncate(limit as usize);
        }
        return Cow::Owned(restricted);
    }
    match (machine.limited_file(), registers) {
        (Some(file), Some(limit)) if limit < machine.files[file].size => {
            Cow::Owned(machine.restricted_to(file, limit))
        }
        _ => Cow::Borrowed(machine),
    }
}

/// The machine within what the settings ask for by themselves.
pub fn restrict_to_asked<'a>(machine: &'a Machine, settings: &Settings) -> Cow<'a, Machine> {
    let registers = asked(machine, settings).map(|budget| budget.registers);
    restrict(machine, settings, registers)
}

/// Checks that each instruction alone fits into the restricted machine.
///
/// # Errors
/// [`Error::BudgetTooSmall`] for the first instruction that does not.
pub fn check(function: &Function, machine: &Machine, restricted: &Machine) -> Result<(), Error> {
    for (file, data) in &restricted.files {
        if data.size == machine.files[file].size {
            continue;
        }
        for instruction in function.instructions.keys() {
            let needed = columns_needed(function, machine, instruction, file);
            if needed > data.size {
                return Err(Error::BudgetTooSmall {
                    file: data.name.clone(),
                    budget: data.size,
                    needed,
                    instruction: instruction.as_u32(),
                });
            }
        }
    }
    Ok(())
}

/// How many registers of a file the values that an instruction reads, or those
/// that it writes, take together.
fn columns_needed(
    function: &Function,
    machine: &Machine,
    instruction: Instruction,
    file: File,
) -> u32 {
    let width = |value: VirtualRegister| {
        let class = function.virtual_registers[value].class;
        machine.class_columns(file, class)
    };
    let total = |keep: &dyn Fn(&Operand) -> bool| {
        let operands = function.instruction_operands(instruction).iter();
        let mut values: Vec<_> = operands
            .filter(|operand| keep(operand))
            .filter_map(Operand::virtual_register)
            .collect();
        values.sort_unstable();
        values.dedup();
        values.into_iter().map(width).sum::<u32>()
    };
    let read = total(&|operand| operand.reads() || operand.is_early_clobber());
    let written = total(&|operand| operand.is_definition());
    read.max(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::gpu;

    #[test]
    fn a_limit_gives_the_smaller_machine() {
        let settings = Settings {
            pressure_limit: Some(40),
            ..Settings::default()
        };
        assert_eq!(
            restrict_to_asked(&gpu::machine(255), &settings).into_owned(),
            gpu::machine(40)
        );
    }
}
