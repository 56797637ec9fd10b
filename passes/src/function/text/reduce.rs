//! Which part of a machine a function's text needs.
//!
//! A CPU has hundreds of registers that the function at hand neither names nor
//! may be given. Leaving them out renumbers registers and units, in the same
//! order, which changes nothing for the allocator.

use crate::function::Function;
use crate::machine::{Class, Machine, Register, SubRegisterIndex, Unit};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// The registers and units that are printed.
pub(crate) struct Reduced {
    /// Ascending.
    pub(super) registers: Vec<Register>,
    /// The new number of each unit that is left.
    pub(super) units: SecondaryMap<Unit, Option<u32>>,
    /// A unique name for each register that is left.
    names: SecondaryMap<Register, Option<String>>,
    /// A unique name for each class.
    pub(super) classes: SecondaryMap<Class, String>,
}

impl Reduced {
    /// The registers of classes, of hints, and those the function names, and
    /// of those the parts that it accesses.
    pub(crate) fn new(machine: &Machine, function: &Function) -> Self {
        let mut names: SecondaryMap<Register, Option<String>> = SecondaryMap::new();
        let mut todo = named_registers(machine, function);
        let mut indices: Vec<SubRegisterIndex> = function
            .operands
            .values()
            .map(|operand| operand.sub_register)
            .filter(|index| !index.is_whole())
            .collect();
        indices.sort_unstable();
        indices.dedup();
        while let Some(register) = todo.pop() {
            if names[register].is_none() {
                names[register] = Some(machine.register_name(register).to_owned());
                todo.extend(
                    indices
                        .iter()
                        .filter_map(|&part| machine.part(register, part)),
                );
            }
        }
        let mut units = SecondaryMap::new();
        let mut taken = FxHashSet::default();
        let mut registers = Vec::new();
        for register in machine.table.registers.keys() {
            let Some(name) = &mut names[register] else {
                continue;
            };
            *name = unique(name, &mut taken);
            registers.push(register);
            for &unit in machine.units(register) {
                units[unit] = Some(0);
            }
        }
        let kept = units.values_mut().filter(|unit| unit.is_some());
        for (number, unit) in kept.enumerate() {
            *unit = Some(number as u32);
        }
        taken.clear();
        let mut classes = SecondaryMap::new();
        for (class, data) in &machine.classes {
            classes[class] = unique(&data.name, &mut taken);
        }
        Self {
            registers,
            units,
            names,
            classes,
        }
    }

    /// The name of a register, if it is printed.
    pub(super) fn name(&self, register: Register) -> Option<&str> {
        self.names[register].as_deref()
    }
}

/// The name, with primes if it is taken.
fn unique(name: &str, taken: &mut FxHashSet<String>) -> String {
    let mut name = name.to_owned();
    while !taken.insert(name.clone()) {
        name.push('\'');
    }
    name
}

fn named_registers(machine: &Machine, function: &Function) -> Vec<Register> {
    let orders = machine.classes.values().flat_map(|class| &class.order);
    let values = function.virtual_registers.values();
    let hints = values.flat_map(|value| &value.hints);
    let live_in = function.blocks.values().flat_map(|block| &block.live_in);
    let operands = function.operands.values();
    let operands = operands.filter_map(|operand| operand.physical_register());
    orders
        .chain(hints)
        .chain(live_in)
        .copied()
        .chain(operands)
        .collect()
}
