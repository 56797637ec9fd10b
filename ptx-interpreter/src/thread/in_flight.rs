//! Registers in flight: what an asynchronous instruction still reads or writes.
//!
//! From the instruction to the wait that covers it nobody else may touch such a register.
//! One that is to be written holds garbage until then. Whoever writes to one in between
//! spoils it: what is then read from it, or delivered to it, is garbage too. Every touch
//! is counted in [`Report::in_flight`](crate::Report::in_flight).
//!
//! Source: the PTX ISA manual, "Asynchronous operations", `wgmma.mma_async`,
//! `wgmma.fence`, `tcgen05.wait`.

use super::{Result, Thread, World};
use crate::error::Trouble;
use crate::operation::Register;
use crate::types::truncate;

/// What still happens to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is written at the wait.
    Result,
    /// It is read until the wait.
    Source,
    /// It is read and written by products of matrices.
    Accumulator,
    /// It is read by products of matrices: not even reading it is allowed.
    Fragment,
}

pub(super) struct Flight {
    role: Role,
    /// What is read from it or delivered to it.
    value: u64,
    spoilt: bool,
    /// Instructions that have not been waited for.
    instructions: u32,
}

impl Thread {
    /// Where a register of the current frame is among all of the thread's.
    pub fn slot(&mut self, register: Register) -> usize {
        self.frame().registers + register as usize
    }

    /// Whether all that wrote the register is ordered before products of matrices.
    fn is_fenced(&self, slot: usize) -> bool {
        self.written_after[slot] < self.fences
    }

    /// `wgmma.fence`: orders what was written to registers before what follows.
    pub fn fence_registers(&mut self) {
        self.fences += 1;
    }

    /// Garbage as wide as registers of tensor instructions are.
    pub fn garbage(&mut self) -> u64 {
        truncate(self.random.bits(), 32)
    }

    /// Notes that a register in flight has been touched.
    pub(super) fn touched(&mut self, world: &mut World<'_>, slot: usize, write: bool) {
        let Some(flight) = self.flights.get_mut(&slot) else {
            return;
        };
        let role = flight.role;
        flight.spoilt |= write && !(role == Role::Fragment && world.early.fragments);
        if write || role != Role::Source {
            self.note(world, role);
        }
    }

    fn note(&mut self, world: &mut World<'_>, role: Role) {
        match role {
            Role::Result => world.report.meant.loads = true,
            Role::Fragment => world.report.meant.fragments = true,
            Role::Source | Role::Accumulator => {}
        }
        let place = self.place().unwrap_or_default();
        *world.report.in_flight.entry(place).or_insert(0) += 1;
    }

    /// Sends a register on its flight, with the value it will get or has. What is in
    /// flight may only be taken by an instruction that does the same with it: a second
    /// store reads it, a second product of matrices adds to it or multiplies it.
    pub fn depart(&mut self, world: &mut World<'_>, slot: usize, role: Role, value: u64) {
        let products = matches!(role, Role::Accumulator | Role::Fragment);
        if let Some(flight) = self.flights.get_mut(&slot) {
            flight.instructions += 1;
            if role == Role::Result || flight.role != role {
                flight.spoilt = true;
                self.note(world, role);
                self.registers[slot] = self.garbage();
            }
            return;
        }
        let mut spoilt = false;
        if products && !self.is_fenced(slot) {
            self.note(world, role);
            spoilt = true;
        }
        let flight = Flight {
            role,
            value,
            spoilt,
            instructions: 1,
        };
        self.flights.insert(slot, flight);
        self.flying[slot] = true;
        if matches!(role, Role::Result | Role::Accumulator) {
            self.registers[slot] = self.garbage();
        }
    }

    /// What a register holds for an asynchronous instruction that begins; if `reads`, it is
    /// noted when nothing has written it.
    pub fn value_at(&mut self, world: &mut World<'_>, slot: usize, reads: bool) -> u64 {
        if reads && !self.written[slot] && !self.flying[slot] {
            let place = self.place().unwrap_or_default();
            *world.report.unwritten_registers.entry(place).or_insert(0) += 1;
        }
        self.registers[slot]
    }

    /// What a fragment of A holds that is read at once.
    pub fn fragment_now(&mut self, slot: usize) -> u64 {
        match self.is_fenced(slot) {
            true => self.registers[slot],
            false => self.garbage(),
        }
    }

    /// What a register in flight holds for the instruction that it belongs to.
    pub fn aboard(&mut self, slot: usize) -> u64 {
        match self.flights.get(&slot) {
            Some(flight) if !flight.spoilt => flight.value,
            _ => self.garbage(),
        }
    }

    /// What the instruction has computed; delivered when the register lands.
    pub fn carry(&mut self, slot: usize, value: u64) {
        if let Some(flight) = self.flights.get_mut(&slot) {
            flight.value = value;
        }
    }

    /// Ends one instruction's use of a register, and its flight with the last one's.
    pub fn land(&mut self, slot: usize) {
        let Some(flight) = self.flights.get_mut(&slot) else {
            return;
        };
        flight.instructions -= 1;
        if flight.instructions > 0 {
            return;
        }
        let value = self.aboard(slot);
        let role = self.flights.remove(&slot).map(|flight| flight.role);
        self.flying[slot] = false;
        match role {
            Some(Role::Result) => {
                self.registers[slot] = value;
                self.written[slot] = true;
                self.written_after[slot] = self.fences;
            }
            // The next product of matrices needs no fence for it.
            Some(Role::Accumulator) => {
                self.registers[slot] = value;
                self.written[slot] = true;
            }
            Some(Role::Source | Role::Fragment) | None => {}
        }
    }

    /// Checks that nothing of a frame is in flight when it goes.
    pub(super) fn check_landed(&self, first: usize) -> Result<()> {
        match self.flights.range(first..).next() {
            None => Ok(()),
            Some(_) => Err(Trouble::Undefined(
                "a function returns while registers of it are in flight",
            )),
        }
    }
}
