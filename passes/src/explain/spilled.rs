//! The spilled values of a finished allocation, with what each of them costs.
//!
//! A slot belongs to one value. Stores and reloads count as often as they are in the
//! code, and as often as their blocks run. What is computed anew has no slot, and a
//! predicate that waits in a register of another class has none either, unless that
//! register is spilled in its turn. Linear in edits and operands.

use crate::allocation::{Allocation, EditKind, Home, Position};
use crate::function::{Function, Instruction, Operand, Slot, VirtualRegister};
use crate::spill::cost::FOLDED;
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// A value that lives in memory, for all of its live range or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpilledValue {
    /// Which of the function's own.
    pub value: VirtualRegister,
    /// Bytes of its slot.
    pub bytes: u32,
    /// Stores in the code.
    pub stores: u32,
    /// Reloads in the code.
    pub reloads: u32,
    /// Operands that access the slot themselves.
    pub folded: u32,
    /// Executions of all these for each execution of the function; an access that is part
    /// of an instruction there is anyway counts half.
    pub cost: f64,
    /// The instructions that write the value, in order.
    pub writes: Vec<Instruction>,
    /// Those that read it and do not write it.
    pub reads: Vec<Instruction>,
}

/// All spilled values, the most expensive first; of equal ones the lower number.
pub fn spilled_values(function: &Function, allocation: &Allocation) -> Vec<SpilledValue> {
    let mut values = values_of_slots(function, allocation);
    let blocks = function.instruction_blocks();
    for edit in &allocation.edits {
        let (Position::Before(instruction) | Position::After(instruction)) = edit.at;
        let block = blocks[instruction.as_u32() as usize];
        let frequency = function.blocks[block].frequency;
        let (slot, cost) = match edit.kind {
            EditKind::Store { slot, .. } | EditKind::Reload { slot, .. } => (slot, 1.0),
            EditKind::Fold { slot, .. } => (slot, FOLDED),
            _ => continue,
        };
        let Some(found) = &mut values[slot] else {
            continue;
        };
        match edit.kind {
            EditKind::Store { .. } => found.stores += 1,
            EditKind::Reload { .. } => found.reloads += 1,
            _ => found.folded += 1,
        }
        found.cost += cost * frequency;
    }
    let mut values: Vec<_> = values.into_iter().filter_map(|(_, value)| value).collect();
    find_accesses(function, &mut values);
    values.sort_by(|a, b| b.cost.total_cmp(&a.cost).then(a.value.cmp(&b.value)));
    values
}

/// For each slot the value that lives there, so far without accesses.
fn values_of_slots(
    function: &Function,
    allocation: &Allocation,
) -> PrimaryMap<Slot, Option<SpilledValue>> {
    let mut values: PrimaryMap<Slot, Option<VirtualRegister>> =
        allocation.slots.values().map(|_| None).collect();
    for value in function.virtual_registers.keys() {
        if let Home::Slot(slot) = allocation.homes[value] {
            values[slot].get_or_insert(value);
        }
    }
    // A predicate's carrier that is spilled is nobody's home.
    let own = function.virtual_registers.len();
    for edit in &allocation.edits {
        if let EditKind::Store { value, slot } | EditKind::Reload { value, slot } = edit.kind {
            let origin = match (value.as_u32() as usize).checked_sub(own) {
                Some(number) => allocation.created[number].origin,
                None => value,
            };
            values[slot].get_or_insert(origin);
        }
    }
    let slots = values.into_iter().map(|(slot, value)| {
        Some(SpilledValue {
            value: value?,
            bytes: allocation.slots[slot].size,
            stores: 0,
            reloads: 0,
            folded: 0,
            cost: 0.0,
            writes: Vec::new(),
            reads: Vec::new(),
        })
    });
    slots.collect()
}

/// Finds who writes and reads the values.
fn find_accesses(function: &Function, values: &mut [SpilledValue]) {
    let mut place: SecondaryMap<VirtualRegister, Option<usize>> = SecondaryMap::new();
    for (number, found) in values.iter().enumerate() {
        place[found.value] = Some(number);
    }
    for instruction in function.instructions.keys() {
        let operands = function.instruction_operands(instruction);
        // Definitions first, so that what does both counts as one.
        for writes in [true, false] {
            let wanted = operands.iter().filter(|one| one.is_definition() == writes);
            let named = wanted.filter_map(Operand::virtual_register);
            for found in named.filter_map(|value| place[value]) {
                let found = &mut values[found];
                let is_known = found.writes.last() == Some(&instruction)
                    || found.reads.last() == Some(&instruction);
                match writes {
                    _ if is_known => {}
                    true => found.writes.push(instruction),
                    false => found.reads.push(instruction),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocate;
    use crate::config::{Config, Pass};
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    /// Six values, the last ones read in a loop that runs ten times.
    fn six_values() -> Function {
        let mut builder = FunctionBuilder::new("f");
        let values = [(); 6].map(|()| builder.virtual_register(gpu::SINGLE32));
        let before = builder.start_block(1.0, 0, &[]);
        for value in values {
            builder.plain(&[Operand::write(value)]);
        }
        let within = builder.start_block(10.0, 1, &[]);
        for value in &values[3..] {
            builder.plain(&[Operand::read(*value)]);
        }
        let behind = builder.start_block(1.0, 0, &[]);
        for value in &values[..3] {
            builder.plain(&[Operand::read(*value)]);
        }
        builder.edge(before, within);
        builder.edge(within, within);
        builder.edge(within, behind);
        builder.finish()
    }

    #[test]
    fn costs_add_up_to_those_of_the_statistics() {
        let function = six_values();
        let machine = gpu::machine(gpu::R_SIZE);
        for limit in 1..6 {
            let config = Config {
                pressure_limit: Some(limit),
                verify: true,
                ..Config::default()
            };
            let allocation = allocate(&function, &machine, &config).expect("fits");
            let values = spilled_values(&function, &allocation);
            let statistics = &allocation.statistics;
            assert_eq!(values.len() as u32, statistics.spilled);
            assert!(values.len() as u32 >= 6 - limit);
            let stores: u32 = values.iter().map(|one| one.stores).sum();
            let reloads: u32 = values.iter().map(|one| one.reloads).sum();
            assert_eq!((stores, reloads), (statistics.stores, statistics.reloads));
            let cost: f64 = values.iter().map(|one| one.cost).sum();
            assert_eq!(cost, statistics.spill_cost);
            assert!(values.is_sorted_by(|a, b| a.cost >= b.cost));
            for one in &values {
                let number = one.value.as_u32();
                assert_eq!(one.writes, [Instruction::from_u32(number)]);
                let reader = if number < 3 { number + 9 } else { number + 3 };
                assert_eq!(one.reads, [Instruction::from_u32(reader)]);
                assert_eq!(one.bytes, 4);
            }
        }
    }

    #[test]
    fn a_predicate_in_a_register_is_not_spilled() {
        let mut builder = FunctionBuilder::new("f");
        let values = [(); 9].map(|()| builder.virtual_register(gpu::PREDICATE));
        builder.start_block(1.0, 0, &[]);
        for value in values {
            builder.plain(&[Operand::write(value)]);
        }
        for value in values {
            builder.plain(&[Operand::read(value)]);
        }
        let function = builder.finish();
        let machine = gpu::machine(gpu::R_SIZE);
        let spilled = |limit| {
            let config = Config {
                pressure_limit: Some(limit),
                disabled: [Pass::Rematerialise].into_iter().collect(),
                ..Config::default()
            };
            let allocation = allocate(&function, &machine, &config).expect("fits");
            spilled_values(&function, &allocation)
        };
        assert_eq!(spilled(255), []);
        let in_memory = spilled(1);
        assert!(!in_memory.is_empty());
        for one in in_memory {
            let class = function.virtual_registers[one.value].class;
            assert_eq!((class, one.bytes), (gpu::PREDICATE, 4));
            assert!(one.stores > 0 && one.reloads > 0);
        }
    }
}
