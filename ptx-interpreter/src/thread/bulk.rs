//! `cp.async.bulk` and `cp.async.bulk.tensor`: large copies between global and shared
//! memory, of bytes that follow each other or of boxes of arrays.
//!
//! What goes to shared memory comes when somebody asks a barrier for it; what goes to
//! global memory is read and written when its group is waited for, or when the thread
//! ends.
//!
//! Source: the PTX ISA manual, "Bulk copy" and "Tensor copy".

use super::copy::{in_shared, note, spoil};
use super::{Result, Thread, World};
use crate::error::Trouble;
use crate::mbarrier::Event;
use crate::memory::aligned;
use crate::operation::{Address, Operand};
use crate::tensor_map::{BYTES, TensorMap};
use crate::types::Space;

/// Copies to global memory that have not been waited for: of so many bytes from shared to
/// global memory.
#[derive(Debug)]
pub(crate) struct BulkStore {
    pieces: Vec<(u64, u64, usize)>,
}

/// What a swizzle leaves together.
const PIECE: usize = 16;

impl Thread {
    /// The bytes of a tensor map at a generic address.
    fn tensor_map(&mut self, world: &mut World<'_>, map: Address) -> Result<TensorMap> {
        let address = self.address(world, map);
        let mut bytes = [0; BYTES];
        for (i, half) in bytes.chunks_mut(BYTES / 2).enumerate() {
            let address = address.wrapping_add((i * BYTES / 2) as u64);
            half.copy_from_slice(self.memory(world, Space::Generic, address, BYTES / 2, false)?);
        }
        Ok(TensorMap::read(&bytes))
    }

    fn coordinates(&mut self, world: &mut World<'_>, operands: &[Operand]) -> Vec<i32> {
        let one = |operand: &Operand| self.get(world, *operand) as i32;
        operands.iter().map(one).collect()
    }

    pub(super) fn load_bulk(
        &mut self,
        world: &mut World<'_>,
        [to, from, barrier]: [Address; 3],
        bytes: Operand,
    ) -> Result<()> {
        let to = self.address(world, to);
        let to = in_shared(Space::Shared, to)?;
        let from = self.address(world, from);
        let bytes = self.get(world, bytes) as usize;
        let (to, from) = (sixteenth(to, bytes)?, sixteenth(from, bytes)?);
        let data = self.plain_bytes(world, Space::Global, from, bytes, false)?;
        let pieces = vec![(to, data.to_vec())];
        self.transfer(world, barrier, pieces)
    }

    pub(super) fn load_tensor(
        &mut self,
        world: &mut World<'_>,
        [to, map, barrier]: [Address; 3],
        coordinates: &[Operand],
    ) -> Result<()> {
        let to = self.address(world, to);
        let to = in_shared(Space::Shared, to)?;
        aligned(to, 128)?;
        let map = self.tensor_map(world, map)?;
        let (width, swizzle) = map.check(coordinates.len())?;
        let coordinates = self.coordinates(world, coordinates);
        let mut pieces = Vec::new();
        for (i, row) in map.rows(&coordinates).into_iter().enumerate() {
            // What lies outside of the array is zero.
            let mut bytes = vec![0; width];
            if let Some(address) = row.address {
                let from = self.plain_bytes(world, Space::Global, address, row.present, false)?;
                bytes[row.before..row.before + row.present].copy_from_slice(from);
            }
            for (j, piece) in bytes.chunks(PIECE).enumerate() {
                let place = swizzle.applied(to + (i * width + j * PIECE) as u64);
                pieces.push((place, piece.to_vec()));
            }
        }
        self.transfer(world, barrier, pieces)
    }

    /// Hands bytes to a barrier; where they will be is garbage.
    fn transfer(
        &mut self,
        world: &mut World<'_>,
        barrier: Address,
        pieces: Vec<(u64, Vec<u8>)>,
    ) -> Result<()> {
        let mut total = 0;
        for (to, bytes) in &pieces {
            self.plain_bytes(world, Space::Shared, *to, bytes.len(), true)?;
            spoil(world, *to, bytes.len())?;
            note(world, *to, bytes);
            total += bytes.len() as u64;
        }
        let barrier = self.address(world, barrier);
        let barrier = in_shared(Space::Shared, barrier)?;
        let barriers = &mut world.state.barriers;
        barriers.send(barrier, Event::Bytes(pieces, total))
    }

    pub(super) fn store_bulk(
        &mut self,
        world: &mut World<'_>,
        [to, from]: [Address; 2],
        bytes: Operand,
    ) -> Result<()> {
        let to = self.address(world, to);
        let from = self.address(world, from);
        let from = in_shared(Space::Shared, from)?;
        let bytes = self.get(world, bytes) as usize;
        let pieces = vec![(sixteenth(from, bytes)?, sixteenth(to, bytes)?, bytes)];
        self.send(world, pieces)
    }

    pub(super) fn store_tensor(
        &mut self,
        world: &mut World<'_>,
        [map, from]: [Address; 2],
        coordinates: &[Operand],
    ) -> Result<()> {
        let from = self.address(world, from);
        let from = in_shared(Space::Shared, from)?;
        aligned(from, 128)?;
        let map = self.tensor_map(world, map)?;
        let (width, swizzle) = map.check(coordinates.len())?;
        let coordinates = self.coordinates(world, coordinates);
        let mut pieces = Vec::new();
        for (i, row) in map.rows(&coordinates).into_iter().enumerate() {
            let Some(mut to) = row.address else {
                continue;
            };
            let (mut at, end) = (row.before, row.before + row.present);
            while at < end {
                let count = (PIECE - at % PIECE).min(end - at);
                let place = swizzle.applied(from + (i * width + at) as u64);
                pieces.push((place, to, count));
                (at, to) = (at + count, to + count as u64);
            }
        }
        self.send(world, pieces)
    }

    /// Checks what will be read and written later.
    fn send(&mut self, world: &mut World<'_>, pieces: Vec<(u64, u64, usize)>) -> Result<()> {
        for &(from, to, count) in &pieces {
            self.plain_bytes(world, Space::Shared, from, count, false)?;
            self.plain_bytes(world, Space::Global, to, count, true)?;
        }
        self.outstanding.bulk.push(BulkStore { pieces });
        Ok(())
    }

    pub(super) fn finish_bulk(
        &mut self,
        world: &mut World<'_>,
        stores: Vec<BulkStore>,
    ) -> Result<()> {
        for (from, to, count) in stores.into_iter().flat_map(|store| store.pieces) {
            let bytes = world.shared.bytes(Space::Shared, from, count)?.to_vec();
            let place = world.memory.global.bytes(Space::Global, to, count)?;
            place.copy_from_slice(&bytes);
            note(world, to, &bytes);
        }
        Ok(())
    }

    /// A tensor map made in shared memory becomes one in global memory.
    pub(crate) fn copy_tensor_map(
        &mut self,
        world: &mut World<'_>,
        to: Address,
        from: Address,
    ) -> Result<()> {
        let (to, from) = (self.address(world, to), self.address(world, from));
        aligned(to, BYTES)?;
        let bytes = self
            .memory(world, Space::Shared, from, BYTES, false)?
            .to_vec();
        self.memory(world, Space::Global, to, BYTES, true)?
            .copy_from_slice(&bytes);
        note(world, to, &bytes);
        Ok(())
    }
}

/// Sizes and addresses of bulk copies are multiples of 16.
fn sixteenth(address: u64, bytes: usize) -> Result<u64> {
    aligned(address, PIECE)?;
    match bytes % PIECE {
        0 => Ok(address),
        _ => Err(Trouble::Undefined(
            "a bulk copy that is no multiple of 16 bytes",
        )),
    }
}
