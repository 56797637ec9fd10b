//! An allocation becomes the tables that the shim follows.

use crate::abi::{
    WARPALLOC_LOCATION_BIT, WARPALLOC_LOCATION_NONE, WARPALLOC_LOCATION_REGISTER,
    WARPALLOC_LOCATION_SLOT, WARPALLOC_LOCATION_UNIFORM, WARPALLOC_MOST_SOURCES, WARPALLOC_NONE,
    WarpallocCreated, WarpallocEdit, WarpallocEditKind, WarpallocLateCopy, WarpallocLocation,
    WarpallocSlot,
};
use crate::import::ClassNumbers;
use crate::remarks::remark;
use crate::spill_space;
use passes::allocation::{Allocation, Edit, EditKind, Location, Position};
use passes::function::VirtualRegister;
use passes::launch::LaunchBounds;
use passes::machine::{Register, gpu};
use std::ffi::CString;

/// The output tables.
#[derive(Debug, Default)]
pub struct Tables {
    /// The instructions' new order; empty if they stay.
    pub order: Vec<u32>,
    /// Definitions that come too early, in front of that order.
    pub late_copies: Vec<WarpallocLateCopy>,
    /// The function keeps its virtual registers, in that order.
    pub is_left: bool,
    /// Where each virtual register lives, the created ones included.
    pub locations: Vec<WarpallocLocation>,
    /// Virtual registers to create.
    pub created: Vec<WarpallocCreated>,
    /// Slots to create.
    pub slots: Vec<WarpallocSlot>,
    /// Edits, in program order.
    pub edits: Vec<WarpallocEdit>,
    /// The assembly that makes the addresses of slots in shared memory.
    pub spill_space: Option<CString>,
    /// Their number.
    pub address_count: u32,
    /// What ptxas is told, if anything.
    pub max_registers: u32,
    /// What people are told, if they listen.
    pub remarks: remark::Tables,
}

impl Tables {
    /// The tables for an allocation of a function that has
    /// `virtual_register_count` virtual registers of its own.
    pub fn new(
        allocation: &Allocation,
        virtual_register_count: usize,
        classes: &ClassNumbers,
        launch: &LaunchBounds,
    ) -> Self {
        let count = virtual_register_count + allocation.created.len();
        let strides = allocation.shared_strides();
        Self {
            order: Vec::new(),
            late_copies: Vec::new(),
            is_left: false,
            locations: (0..count as u32)
                .map(|number| location(described(allocation, number, classes), classes))
                .collect(),
            created: allocation
                .created
                .iter()
                .map(|created| WarpallocCreated {
                    origin: created.origin.as_u32(),
                    class_index: classes.number_of(created.class),
                })
                .collect(),
            slots: allocation
                .slots
                .values()
                .map(|slot| WarpallocSlot {
                    size: slot.size,
                    alignment: slot.alignment,
                    lanes: slot.lanes,
                    address: slot.column.map_or(WARPALLOC_NONE, |column| {
                        spill_space::address_number(&strides, column)
                    }),
                    offset: slot.column.map_or(0, |column| column.offset),
                })
                .collect(),
            edits: edits(allocation),
            spill_space: allocation
                .shared
                .and_then(|frame| spill_space::assembly(&frame, &strides, launch)),
            address_count: strides.len() as u32,
            max_registers: 0,
            remarks: remark::Tables::default(),
        }
    }
}

/// The location of a virtual register. What is in pieces has none on a GPU, where a slot
/// tells debuggers that the value is there all the time; nor has what is in shared memory,
/// where they look for nothing.
fn described(allocation: &Allocation, number: u32, classes: &ClassNumbers) -> Location {
    match (
        allocation.locations[VirtualRegister::from_u32(number)],
        classes,
    ) {
        (Location::Slot(slot), ClassNumbers::Gpu(_))
            if allocation.slots[slot].outdated || allocation.slots[slot].column.is_some() =>
        {
            Location::None
        }
        (location, _) => location,
    }
}

fn location(location: Location, classes: &ClassNumbers) -> WarpallocLocation {
    let (kind, index) = match location {
        Location::None => (WARPALLOC_LOCATION_NONE, WARPALLOC_NONE),
        Location::Register(register) => register_location(register, classes),
        Location::Slot(slot) => (WARPALLOC_LOCATION_SLOT, slot.as_u32()),
    };
    WarpallocLocation { kind, index }
}

/// The kind of location and the register's number there.
fn register_location(register: Register, classes: &ClassNumbers) -> (u32, u32) {
    match classes {
        ClassNumbers::Same => (WARPALLOC_LOCATION_REGISTER, register.as_u32()),
        ClassNumbers::Gpu(_) => {
            let index = gpu::index_in_file(register);
            match register {
                one if gpu::is_uniform(one) => (WARPALLOC_LOCATION_UNIFORM, index),
                one if gpu::is_packed(one) => (WARPALLOC_LOCATION_BIT, gpu::bit_of_packed(one)),
                _ => (WARPALLOC_LOCATION_REGISTER, index),
            }
        }
    }
}

fn edits(allocation: &Allocation) -> Vec<WarpallocEdit> {
    let mut edits: Vec<_> = allocation.edits.iter().map(edit).collect();
    for vector in &allocation.vectors {
        edits[vector.start as usize].lanes = vector.end - vector.start;
    }
    edits
}

fn edit(edit: &Edit) -> WarpallocEdit {
    let (instruction, after) = match edit.at {
        Position::Before(instruction) => (instruction, false),
        Position::After(instruction) => (instruction, true),
    };
    let mut sources = [WARPALLOC_NONE; WARPALLOC_MOST_SOURCES];
    let (kind, a, b) = match edit.kind {
        EditKind::Rename { operand, to } => {
            (WarpallocEditKind::Rename, operand.as_u32(), to.as_u32())
        }
        EditKind::Fold { operand, slot } => {
            (WarpallocEditKind::Fold, operand.as_u32(), slot.as_u32())
        }
        EditKind::FoldLoad { operand, from } => {
            (WarpallocEditKind::FoldLoad, operand.as_u32(), from.as_u32())
        }
        EditKind::Store { value, slot } => {
            (WarpallocEditKind::Store, value.as_u32(), slot.as_u32())
        }
        EditKind::Reload { value, slot } => {
            (WarpallocEditKind::Reload, value.as_u32(), slot.as_u32())
        }
        EditKind::Widen { to, from } => (WarpallocEditKind::Widen, to.as_u32(), from.as_u32()),
        EditKind::Narrow { to, from } => (WarpallocEditKind::Narrow, to.as_u32(), from.as_u32()),
        EditKind::Move { to, from } => (WarpallocEditKind::Move, to.as_u32(), from.as_u32()),
        EditKind::Rematerialise {
            value,
            from,
            sources: read,
        } => {
            for (source, read) in sources.iter_mut().zip(read.iter()) {
                *source = read.as_u32();
            }
            (
                WarpallocEditKind::Rematerialise,
                value.as_u32(),
                from.as_u32(),
            )
        }
        EditKind::DeleteDefinition => (
            WarpallocEditKind::DeleteDefinition,
            WARPALLOC_NONE,
            WARPALLOC_NONE,
        ),
        EditKind::DeleteCopy => (
            WarpallocEditKind::DeleteCopy,
            WARPALLOC_NONE,
            WARPALLOC_NONE,
        ),
    };
    WarpallocEdit {
        instruction: instruction.as_u32(),
        after,
        kind,
        a,
        b,
        lanes: 1,
        sources,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_registers_and_bits_are_locations_of_their_own() {
        let machine = gpu::machine(gpu::R_SIZE);
        let machine = machine.with_packed_predicates(1);
        let classes = ClassNumbers::Gpu(Vec::new());
        for (class, kind, index) in [
            (gpu::SINGLE32, WARPALLOC_LOCATION_REGISTER, 3),
            (gpu::PAIR, WARPALLOC_LOCATION_REGISTER, 6),
            (gpu::PREDICATE, WARPALLOC_LOCATION_REGISTER, 3),
            (gpu::UNIFORM, WARPALLOC_LOCATION_UNIFORM, 3),
            (gpu::UNIFORM_PAIR, WARPALLOC_LOCATION_UNIFORM, 6),
            (gpu::UNIFORM_PREDICATE, WARPALLOC_LOCATION_UNIFORM, 3),
            (gpu::PACKED_PREDICATE, WARPALLOC_LOCATION_BIT, 3),
        ] {
            let register = machine.classes[class].order[3];
            let location = location(Location::Register(register), &classes);
            assert_eq!(location, WarpallocLocation { kind, index });
        }
    }
}
