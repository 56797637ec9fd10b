//! How many registers this function may use.
//!
//! On a GPU [`choose`] finds the budget from what the command line and the kernel's
//! launch bounds say, and the R file is cut to it: every class keeps the registers that
//! lie below it. Other files are left alone, and so are CPU machines, unless a test
//! limits the classes themselves.

pub mod callers;
mod choice;
mod launch;
pub mod model;
mod prediction;
mod shared_space;

pub use choice::{Budget, Source, asked, choose};
pub use launch::{LaunchBounds, SHARED_ALIGNMENT};
pub use prediction::{Cliff, Prediction};
pub use shared_space::{NoSharedSpace, SharedSpace, shared_space};

use crate::analysis::demand::Demand;
use crate::analysis::liveness::Liveness;
use crate::config::Config;
use crate::error::Error;
use crate::function::{Function, Instruction, Operand, VirtualRegister};
use crate::machine::{File, Machine, Register, gpu};
use std::borrow::Cow;

/// The machine with only so many registers of the limited file; for tests, with only so
/// many of each class.
pub fn restrict<'a>(
    machine: &'a Machine,
    settings: &Config,
    registers: Option<u32>,
) -> Cow<'a, Machine> {
    if let Some(limit) = settings.class_limit {
        let mut restricted = machine.clone();
        for class in restricted.classes.values_mut() {
            class.order.truncate(limit as usize);
        }
        return Cow::Owned(restricted);
    }
    match (limited_file(machine), registers) {
        (Some(file), Some(limit)) if limit < machine.files[file].size => {
            Cow::Owned(cut(machine, file, limit))
        }
        _ => Cow::Borrowed(machine),
    }
}

/// The machine within what the settings ask for by themselves.
pub fn restrict_to_asked<'a>(machine: &'a Machine, settings: &Config) -> Cow<'a, Machine> {
    let registers = asked(machine, settings).map(|budget| budget.registers);
    restrict(machine, settings, registers)
}

/// The file that a budget is about: R, on a GPU.
pub fn limited_file(machine: &Machine) -> Option<File> {
    let mut files = machine.files.iter();
    files
        .find(|(_, data)| data.name == gpu::R_NAME)
        .map(|(file, _)| file)
}

/// MaxLive: how many registers of a file the function needs at its fullest point.
pub fn most_live(function: &Function, machine: &Machine, file: File) -> u32 {
    let liveness = Liveness::new(function, machine);
    let demand = Demand::of_function(function, machine, &liveness);
    // The point behind the last instruction has no registers to count.
    let points = 2 * function.instructions.len();
    let most = demand.beyond(file)[..points].iter().max().copied();
    most.map_or(0, |beyond| {
        machine.files[file].size.saturating_add_signed(beyond)
    })
}

/// The machine with only so many registers of one file.
pub fn cut(machine: &Machine, file: File, limit: u32) -> Machine {
    let beyond = |register: Register| {
        let columns = machine.columns(file, register);
        columns
            .iter()
            .any(|&(column, _)| u32::from(column) >= limit)
    };
    let mut restricted = machine.clone();
    for class in restricted.classes.values_mut() {
        class.order.retain(|&register| !beyond(register));
    }
    restricted.files[file].size = restricted.files[file].size.min(limit);
    restricted
}

/// The machine where predicates are spilled to bits of so many registers of the R file, at
/// most of those that it has. No other machine than a GPU has them.
pub fn with_packed_predicates(machine: &Machine, words: u32) -> Cow<'_, Machine> {
    let file = limited_file(machine).filter(|_| gpu::is_gpu(machine));
    let Some(file) = file.filter(|_| words > 0) else {
        return Cow::Borrowed(machine);
    };
    let size = machine.files[file].size;
    let words = words.min(gpu::MOST_WORDS).min(size);
    let mut packed = cut(machine, file, size - words);
    gpu::add_packed_predicates(&mut packed, words);
    Cow::Owned(packed)
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

    #[test]
    fn a_limit_gives_the_smaller_machine() {
        let config = Config {
            pressure_limit: Some(40),
            ..Config::default()
        };
        assert_eq!(
            restrict_to_asked(&gpu::machine(255), &config).into_owned(),
            gpu::machine(40)
        );
    }
}
