//! Register files that guidance skips: those into which everything fits at once.
//!
//! Where all values of a file and all registers that the function names could be live at one
//! point, no point can be overfull, and there is nothing to advise. To see that takes a count
//! of operands; to find the demand at each point takes liveness and live ranges. Most
//! functions have a file or more of this kind, and small ones have no other.
//!
//! Ensures that the demand for a file with the flag is nowhere beyond the file. Linear in
//! operands. Source: ptxas document, extraction of spill marks, which a class of the fast
//! path skips; by what it is set there is not shown.

use crate::analysis::demand::widths;
use crate::function::{Function, OperandRegister, VirtualRegister};
use crate::machine::{File, Machine, Register, Unit, UnitSet};
use cranelift_entity::{EntitySet, SecondaryMap};

/// The flag of each file.
pub fn fast_path(function: &Function, machine: &Machine) -> SecondaryMap<File, bool> {
    let mut values: EntitySet<VirtualRegister> = EntitySet::new();
    let mut named = UnitSet::new(machine.table.unit_count);
    let mut name = |register: Register| named.add(machine.unit_words(register));
    for operand in function.operands.values() {
        match operand.register {
            OperandRegister::Virtual(value) => _ = values.insert(value),
            OperandRegister::Physical(register) => name(register),
            OperandRegister::Slot(_) | OperandRegister::Loaded(_) => {}
        }
    }
    for block in function.blocks.values() {
        block.live_in.iter().copied().for_each(&mut name);
    }
    // Behind a call there is what it preserves, which need not be all.
    let calls = function
        .instructions
        .values()
        .any(|one| one.clobbers.is_some());
    let widths = widths(machine);
    let mut flags = SecondaryMap::new();
    for (file, data) in &machine.files {
        let width = |value| widths[function.virtual_registers[value].class][file];
        let needed: u32 = values.keys().map(width).sum();
        let units = data.column_of_unit.iter().enumerate();
        let taken = units.filter(|&(unit, column)| {
            column.is_some() && named.contains(Unit::from_u32(unit as u32))
        });
        let fits = needed + taken.count() as u32 <= allocatable(machine, file);
        flags[file] = needed == 0 || fits && !calls;
    }
    flags
}

/// How many registers of a file some class has.
fn allocatable(machine: &Machine, file: File) -> u32 {
    let column_of_unit = &machine.files[file].column_of_unit;
    let mut is_there = vec![false; column_of_unit.len()];
    let orders = machine.classes.values().flat_map(|data| &data.order);
    for unit in orders.flat_map(|&register| machine.units(register)) {
        if let Some(column) = column_of_unit[unit.as_u32() as usize] {
            is_there[usize::from(column)] = true;
        }
    }
    is_there.into_iter().filter(|&one| one).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::demand::Demand;
    use crate::analysis::liveness::Liveness;
    use crate::function::examples::live_across;
    use crate::function::{FunctionBuilder, InstructionFlags, InstructionKind, Operand};
    use crate::machine::{ClobberMask, gpu};
    use fixedbitset::FixedBitSet;

    /// The names of the files with the flag; nowhere may more be needed than these have.
    fn flagged(function: &Function, machine: &Machine) -> Vec<String> {
        let flags = fast_path(function, machine);
        let liveness = Liveness::new(function, machine);
        let demand = Demand::of_function(function, machine, &liveness);
        let files = machine.files.iter().filter(|&(file, _)| flags[file]);
        files
            .map(|(file, data)| {
                let most = demand.excess(file).iter().max();
                assert!(most.is_none_or(|&most| most <= 0), "{}", data.name);
                data.name.clone()
            })
            .collect()
    }

    #[test]
    fn a_file_for_all_values_at_once_has_a_fast_path() {
        let machine = gpu::machine(4);
        assert_eq!(
            flagged(&live_across(4, 0), &machine),
            ["R", "P", "UR", "UP"]
        );
        assert_eq!(flagged(&live_across(5, 0), &machine), ["P", "UR", "UP"]);
    }

    #[test]
    fn registers_that_no_class_has_do_not_count() {
        let mut machine = gpu::machine(4);
        for data in machine.classes.values_mut() {
            let is_low = |unit: &Unit| unit.as_u32() < 2;
            let registers = &machine.table.registers;
            data.order
                .retain(|&one| registers[one].units.iter().all(is_low));
        }
        assert_eq!(machine.files.values().next().map(|file| file.size), Some(4));
        assert_eq!(flagged(&live_across(2, 0), &machine)[..1], ["R"]);
        assert_eq!(flagged(&live_across(3, 0), &machine)[..1], ["P"]);
    }

    #[test]
    fn pairs_and_named_registers_take_their_columns() {
        let machine = gpu::machine(4);
        let with = |singles: usize, named: usize| {
            let mut builder = FunctionBuilder::new("f");
            let pair = builder.virtual_register(gpu::PAIR);
            builder.start_block(1.0, 0, &[]);
            for &register in &machine.classes[gpu::SINGLE32].order[..named] {
                builder.plain(&[Operand {
                    register: OperandRegister::Physical(register),
                    ..Operand::write(pair)
                }]);
            }
            builder.plain(&[Operand::write(pair)]);
            for _ in 0..singles {
                let value = builder.virtual_register(gpu::SINGLE32);
                builder.plain(&[Operand::write(value), Operand::read(pair)]);
            }
            flagged(&builder.finish(), &machine)
        };
        assert_eq!(with(2, 0), ["R", "P", "UR", "UP"]);
        assert_eq!(with(3, 0), ["P", "UR", "UP"]);
        assert_eq!(with(1, 1), ["R", "P", "UR", "UP"]);
        assert_eq!(with(1, 2), ["P", "UR", "UP"]);
    }

    #[test]
    fn calls_leave_the_fast_path_to_files_without_values() {
        let mut machine = gpu::machine(4);
        let none = FixedBitSet::with_capacity(machine.table.registers.len());
        let mask: ClobberMask = machine.clobber_masks.push(none);
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(value)]);
        let (kind, call) = (InstructionKind::Plain, InstructionFlags::CALL);
        builder.push(kind, call, &[], Some(mask));
        builder.plain(&[Operand::read(value)]);
        assert_eq!(flagged(&builder.finish(), &machine), ["P", "UR", "UP"]);
    }
}
