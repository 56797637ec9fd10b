//! The spilled values of a finished allocation, with what each of them costs.
//!
//! Stores and reloads count as often as they are in the code, and as often as their blocks
//! run; those that one instruction does together count each. What is rematerialised has no
//! slot, and a predicate that waits in a register of another class has none either, unless
//! that register is spilled in its turn. Linear in edits and operands, but for a search in
//! the spilled values.

use crate::allocation::{Allocation, EditKind, Location, Position};
use crate::function::{Function, Instruction, Operand, Slot, VirtualRegister};
use cranelift_entity::SecondaryMap;
use std::collections::BTreeMap;

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
    /// Executions of all these for each execution of the function.
    pub cost: f64,
    /// The instructions that write the value, in order.
    pub writes: Vec<Instruction>,
    /// Those that read it and do not write it.
    pub reads: Vec<Instruction>,
}

/// All spilled values, the most expensive first; of equal ones the lower number.
pub fn spilled_values(function: &Function, allocation: &Allocation) -> Vec<SpilledValue> {
    let mut found: BTreeMap<VirtualRegister, SpilledValue> = BTreeMap::new();
    let mut owner: SecondaryMap<Slot, Option<VirtualRegister>> = SecondaryMap::new();
    for value in function.virtual_registers.keys() {
        if let Location::Slot(slot) = allocation.locations[value] {
            owner[slot].get_or_insert(value);
            found.insert(value, unaccessed(allocation, value, slot));
        }
    }
    let blocks = function.instruction_blocks();
    for edit in &allocation.edits {
        let (Position::Before(instruction) | Position::After(instruction)) = edit.at;
        let block = blocks[instruction.as_u32() as usize];
        let frequency = function.blocks[block].frequency;
        let (named, slot) = match edit.kind {
            EditKind::Store { value, slot } | EditKind::Reload { value, slot } => {
                (Some(value), slot)
            }
            EditKind::Fold { operand, slot } => {
                (function.operands[operand].virtual_register(), slot)
            }
            _ => continue,
        };
        let named = named.map(|value| origin(function, allocation, value));
        let Some(value) = spilled_value(allocation, named, owner[slot], slot) else {
            continue;
        };
        let found = found.entry(value);
        let found = found.or_insert_with(|| unaccessed(allocation, value, slot));
        match edit.kind {
            EditKind::Store { .. } => found.stores += 1,
            EditKind::Reload { .. } => found.reloads += 1,
            _ => found.folded += 1,
        }
        found.cost += frequency;
    }
    let mut values: Vec<_> = found.into_values().collect();
    find_accesses(function, &mut values);
    values.sort_by(|a, b| b.cost.total_cmp(&a.cost).then(a.value.cmp(&b.value)));
    values
}

fn unaccessed(allocation: &Allocation, value: VirtualRegister, slot: Slot) -> SpilledValue {
    SpilledValue {
        value,
        bytes: allocation.slots[slot].size,
        stores: 0,
        reloads: 0,
        folded: 0,
        cost: 0.0,
        writes: Vec::new(),
        reads: Vec::new(),
    }
}

/// The function's own virtual register that another carries.
fn origin(function: &Function, allocation: &Allocation, value: VirtualRegister) -> VirtualRegister {
    let own = function.virtual_registers.len();
    match (value.as_u32() as usize).checked_sub(own) {
        Some(number) => allocation.created[number].origin,
        None => value,
    }
}

/// The value that an access to a slot is about. What is named lives there, or it is a
/// predicate that is there by way of another register, and at location nowhere. Where one name
/// stands for all that a register holds in turn, as on CPUs, it may be none of these; but
/// there a slot has one owner.
fn spilled_value(
    allocation: &Allocation,
    named: Option<VirtualRegister>,
    owner: Option<VirtualRegister>,
    slot: Slot,
) -> Option<VirtualRegister> {
    named
        .filter(|&value| match allocation.locations[value] {
            Location::Slot(location) => location == slot,
            Location::None => true,
            Location::Register(_) => false,
        })
        .or(owner)
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
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;
    use crate::settings::{Pass, Settings};

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
            let settings = Settings {
                pressure_limit: Some(limit),
                verify: true,
                ..Settings::default()
            };
            let allocation = allocate(&function, &machine, &settings).expect("fits");
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
    fn values_in_one_slot_by_turns_stay_apart() {
        let mut builder = FunctionBuilder::new("f");
        let values = [(); 6].map(|()| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        for turn in values.chunks(3) {
            for &value in turn {
                builder.plain(&[Operand::write(value)]);
            }
            for &value in turn {
                builder.plain(&[Operand::read(value)]);
            }
        }
        let function = builder.finish();
        let settings = Settings {
            pressure_limit: Some(2),
            ..Settings::default()
        };
        let machine = gpu::machine(gpu::R_SIZE);
        let allocation = allocate(&function, &machine, &settings).expect("fits");
        let found = spilled_values(&function, &allocation);
        assert_eq!((allocation.slots.len(), found.len()), (1, 2));
        for one in &found {
            assert_eq!((one.stores, one.reloads, one.cost), (1, 1, 2.0));
        }
        let turns = found.iter().map(|one| one.value.as_u32() / 3);
        assert_eq!(turns.collect::<Vec<_>>(), [0, 1]);
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
        let spilled = |limit, packed: &[Pass]| {
            let disabled = [Pass::Rematerialise].iter().chain(packed);
            let settings = Settings {
                pressure_limit: Some(limit),
                disabled: disabled.copied().collect(),
                ..Settings::default()
            };
            let allocation = allocate(&function, &machine, &settings).expect("fits");
            spilled_values(&function, &allocation)
        };
        assert_eq!(spilled(255, &[]), []);
        assert_eq!(spilled(1, &[]), []);
        let in_memory = spilled(1, &[Pass::PackPredicates]);
        assert!(!in_memory.is_empty());
        for one in in_memory {
            let class = function.virtual_registers[one.value].class;
            assert_eq!((class, one.bytes), (gpu::PREDICATE, 4));
            assert!(one.stores > 0 && one.reloads > 0);
        }
    }
}
