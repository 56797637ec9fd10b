//! `cp.async`: copies to shared memory that come at the wait. Until then garbage is there.
//!
//! Source: the PTX ISA manual, "Non-bulk copy".

use super::{Result, Thread, World};
use crate::error::Trouble;
use crate::memory::{resolve, within};
use crate::operation::{Address, Operand};
use crate::types::Space;

/// A copy that has not been waited for.
#[derive(Debug)]
pub(crate) struct Copy {
    to: u64,
    bytes: Vec<u8>,
}

/// The operands of a copy.
pub(super) struct Operands {
    pub to: Address,
    pub from: Address,
    pub bytes: usize,
    pub present: Option<Operand>,
    pub ignored: Option<(Operand, bool)>,
}

/// The address in shared memory of one in `space`.
pub(super) fn in_shared(space: Space, address: u64) -> Result<u64> {
    match space {
        Space::Shared => Ok(within(space, address)),
        _ => match resolve(address) {
            (Space::Shared, address) => Ok(address),
            // Where only shared memory is meant its own addresses are understood as well.
            (Space::Global, address) if address >> 32 == 0 => Ok(address),
            _ => Err(Trouble::WrongSpace {
                space: Space::Shared.name(),
                address,
            }),
        },
    }
}

impl Thread {
    pub(super) fn start_copy(&mut self, world: &mut World<'_>, copy: &Operands) -> Result<()> {
        let to = self.address(world, copy.to);
        let to = within(Space::Shared, to);
        let from = self.address(world, copy.from);
        let mut present = match copy.present {
            Some(operand) => self.get(world, operand) as usize,
            None => copy.bytes,
        };
        if present > copy.bytes {
            return Err(Trouble::Undefined(
                "a copy of more bytes than there is room for",
            ));
        }
        if let Some((predicate, negated)) = copy.ignored
            && (self.get(world, predicate) & 1 == 1) != negated
        {
            present = 0;
        }
        let mut bytes = vec![0; copy.bytes];
        if present > 0 {
            crate::memory::aligned(from, copy.bytes)?;
            let from = self.plain_bytes(world, Space::Global, from, present, false)?;
            bytes[..present].copy_from_slice(from);
        }
        // What is written there meanwhile is seen by nobody in the end, either.
        self.memory(world, Space::Shared, to, copy.bytes, true)?;
        spoil(world, to, copy.bytes)?;
        self.outstanding.copies.push(Copy { to, bytes });
        Ok(())
    }

    pub(super) fn finish_copies(&mut self, world: &mut World<'_>, copies: Vec<Copy>) -> Result<()> {
        for copy in copies {
            deliver(world, copy.to, &copy.bytes)?;
        }
        Ok(())
    }
}

/// Puts garbage where bytes are to come.
pub(super) fn spoil(world: &mut World<'_>, to: u64, bytes: usize) -> Result<()> {
    let to = world.shared.bytes(Space::Shared, to, bytes)?;
    world.state.garbage.fill(to);
    Ok(())
}

/// Writes bytes to shared memory and notes what they are.
pub(super) fn deliver(world: &mut World<'_>, to: u64, bytes: &[u8]) -> Result<()> {
    let place = world.shared.bytes(Space::Shared, to, bytes.len())?;
    place.copy_from_slice(bytes);
    note(world, to, bytes);
    Ok(())
}

/// Notes what is stored somewhere.
pub(super) fn note(world: &mut World<'_>, address: u64, bytes: &[u8]) {
    for (i, word) in bytes.chunks(8).enumerate() {
        let place = address.wrapping_add(8 * i as u64);
        world.report.store(place, super::from_bytes(word));
    }
}
