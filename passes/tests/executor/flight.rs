//! What tensor cores do in the background, in the allocated code.
//!
//! A register that an operation writes holds garbage until a wait has been passed, and
//! then gets its contents, whatever was put there meanwhile; one that an operation reads
//! is read as late as at the wait. A multiplication finds what was written before the last
//! fence, and what another one before it left for it.

use super::Difference;
use super::state::{Cell, Registers};
use passes::function::Instruction;
use passes::function::asynchronous::{Asynchronous, Operation};
use passes::machine::{Register, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// What a unit gets.
struct Pending {
    register: Register,
    cell: Option<Cell>,
    groups: u8,
}

/// What is still read.
struct Read {
    unit: Unit,
    cell: Cell,
    operation: Operation,
    groups: u8,
    /// The operand that says so.
    by: (Instruction, usize),
}

/// All that is in flight.
#[derive(Default)]
pub struct Flight {
    results: BTreeMap<(Unit, Operation), Pending>,
    reads: Vec<Read>,
    /// The units written since the last fence; none before the first.
    written: Option<BTreeSet<Unit>>,
}

impl Flight {
    /// Something ordinary writes a unit.
    pub fn write(&mut self, unit: Unit) {
        if let Some(written) = &mut self.written {
            written.insert(unit);
        }
    }

    pub fn fence(&mut self) {
        self.written = Some(BTreeSet::new());
    }

    /// What a multiplication finds in a unit of one of its operands.
    pub fn find(&self, unit: Unit, units: &Registers) -> Option<Cell> {
        if let Some(result) = self.results.get(&(unit, Operation::Multiply)) {
            return result.cell;
        }
        let written = self.written.as_ref();
        match written.is_some_and(|written| written.contains(&unit)) {
            true => None,
            false => units.get(unit),
        }
    }

    /// An operation will write a unit.
    pub fn start_write(
        &mut self,
        operation: Operation,
        unit: Unit,
        register: Register,
        cell: Option<Cell>,
    ) {
        let result = Pending {
            register,
            cell,
            groups: 0,
        };
        self.results.insert((unit, operation), result);
    }

    /// An operation goes on reading a unit, in which it wants this.
    pub fn start_read(
        &mut self,
        operation: Operation,
        unit: Unit,
        cell: Cell,
        by: (Instruction, usize),
    ) {
        self.reads.push(Read {
            unit,
            cell,
            operation,
            groups: 0,
            by,
        });
    }

    /// Closes groups and waits, as an instruction does behind all else.
    pub fn go_on(&mut self, does: Asynchronous, units: &mut Registers) -> Result<(), Difference> {
        if does.commits {
            let written = self.results.iter_mut();
            let written = written.filter(|((_, operation), _)| *operation == Operation::Multiply);
            written.for_each(|(_, result)| result.groups = result.groups.saturating_add(1));
            let read = self.reads.iter_mut();
            let read = read.filter(|one| one.operation == Operation::Multiply);
            read.for_each(|one| one.groups = one.groups.saturating_add(1));
        }
        let is_covered = |operation, groups| match operation {
            Operation::Multiply => does.waits_multiply.is_some_and(|left| groups > left),
            Operation::Load => does.waits_load,
            Operation::Store => does.waits_store,
        };
        for one in &self.reads {
            let found = units.get(one.unit);
            let is_there = found.is_some_and(|found| found.serves_for(one.cell));
            if is_covered(one.operation, one.groups) && !is_there {
                let (instruction, number) = one.by;
                return Err(Difference::Reads(instruction, number));
            }
        }
        self.reads
            .retain(|one| !is_covered(one.operation, one.groups));
        self.results.retain(|&(unit, operation), result| {
            let is_covered = is_covered(operation, result.groups);
            if is_covered {
                units.set(unit, result.register, result.cell);
            }
            !is_covered
        });
        Ok(())
    }
}
