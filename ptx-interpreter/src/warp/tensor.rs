//! `tcgen05.ld`, `.st`, `.wait` and `.alloc`: what the threads of a warp do with tensor
//! memory.
//!
//! A load takes the cells at once and delivers them at `tcgen05.wait::ld`; a store reads
//! its registers at `tcgen05.wait::st`, and until then its cells hold garbage.

use super::warpgroup;
use crate::error::Trouble;
use crate::operation::{Operand, TensorAccess, TensorOperation, TensorShape};
use crate::tensor_memory::{Cell, place};
use crate::thread::{Role, Thread, World};

/// A register of a store that has not been waited for.
#[derive(Debug)]
pub(crate) struct Stored {
    slot: Option<usize>,
    /// What an operand that is no register holds.
    value: u64,
    cells: [Option<Cell>; 2],
}

/// Carries out one operation of a whole warp.
pub(super) fn carry_out(
    world: &mut World<'_>,
    warp: &mut [Thread],
    operation: &TensorOperation,
) -> Result<(), Trouble> {
    match operation {
        TensorOperation::FenceRegisters => warp.iter_mut().for_each(Thread::fence_registers),
        TensorOperation::Multiply(product) => warpgroup::start(world, warp, product)?,
        TensorOperation::CommitProducts => warp[0].outstanding.products.commit(),
        TensorOperation::WaitForProducts(left) => warpgroup::wait(world, warp, *left as usize)?,
        TensorOperation::Load(access) => load(world, warp, access)?,
        TensorOperation::Store(access) => store(world, warp, access)?,
        TensorOperation::WaitForLoads => {
            for thread in warp {
                for slot in std::mem::take(&mut thread.outstanding.loads) {
                    thread.land(slot);
                }
            }
        }
        TensorOperation::WaitForStores => wait_for_stores(world, warp)?,
        TensorOperation::Allocate(space, to, columns) => {
            let columns = warp[0].get(world, *columns) as usize;
            let address = world
                .state
                .tensor
                .allocate(columns, &mut world.state.garbage)?;
            let to = warp[0].address(world, *to);
            let bytes = warp[0].memory(world, *space, to, 4, true)?;
            bytes.copy_from_slice(&(address as u32).to_le_bytes());
        }
        TensorOperation::Deallocate(address, columns) => {
            let address = warp[0].get(world, *address);
            let columns = warp[0].get(world, *columns) as usize;
            world.state.tensor.deallocate(address, columns)?;
        }
        TensorOperation::Relinquish => world.state.tensor.relinquish(),
    }
    Ok(())
}

/// The cell at the address, which must be the same in all lanes and of the warp's rows.
fn first_cell(
    world: &mut World<'_>,
    warp: &mut [Thread],
    access: &TensorAccess,
) -> Result<Cell, Trouble> {
    let address = warp[0].address(world, access.address);
    for thread in &mut *warp {
        if thread.address(world, access.address) != address {
            return Err(Trouble::Undefined("an operand differs between lanes"));
        }
    }
    let cell = Cell::at(address);
    let rows = if access.shape == TensorShape::Rows32 {
        32
    } else {
        16
    };
    if cell.row / 32 != warp[0].index as usize / 32 % 4 || !cell.row.is_multiple_of(rows) {
        return Err(Trouble::Undefined(
            "rows of tensor memory that are not the warp's",
        ));
    }
    Ok(cell)
}

/// The cells of a lane's register: a second one for its upper half.
fn cells(access: &TensorAccess, first: Cell, lane: usize, register: usize) -> [Option<Cell>; 2] {
    let cell = |half| {
        let (rows, columns) = place(access.shape, lane, register, access.packed, half);
        first.beyond(rows, columns)
    };
    [Some(cell(0)), access.packed.then(|| cell(1))]
}

fn load(world: &mut World<'_>, warp: &mut [Thread], access: &TensorAccess) -> Result<(), Trouble> {
    let first = first_cell(world, warp, access)?;
    for (lane, thread) in warp.iter_mut().enumerate() {
        for (i, operand) in access.registers.iter().enumerate() {
            let Operand::Register(register) = *operand else {
                continue;
            };
            let [low, high] = cells(access, first, lane, i);
            let mut cell = |cell: Option<Cell>| match cell {
                Some(cell) => world.state.tensor.cell(cell).map(|c| u64::from(*c)),
                None => Ok(0),
            };
            let (low, high) = (cell(low)?, cell(high)?);
            let value = match access.packed {
                true => low & 0xffff | (high & 0xffff) << 16,
                false => low,
            };
            if world.early.loads {
                thread.set(world, register, value);
                continue;
            }
            let slot = thread.slot(register);
            thread.depart(world, slot, Role::Result, value);
            thread.outstanding.loads.push(slot);
        }
    }
    Ok(())
}

fn store(world: &mut World<'_>, warp: &mut [Thread], access: &TensorAccess) -> Result<(), Trouble> {
    let first = first_cell(world, warp, access)?;
    for (lane, thread) in warp.iter_mut().enumerate() {
        for (i, operand) in access.registers.iter().enumerate() {
            let value = thread.get(world, *operand);
            let slot = match *operand {
                Operand::Register(register) => Some(thread.slot(register)),
                _ => None,
            };
            if let Some(slot) = slot {
                thread.depart(world, slot, Role::Source, value);
            }
            let cells = cells(access, first, lane, i);
            for cell in cells.into_iter().flatten() {
                let state = &mut world.state;
                state.tensor.begin_store(cell, &mut state.garbage)?;
            }
            thread
                .outstanding
                .stores
                .push(Stored { slot, value, cells });
        }
    }
    Ok(())
}

fn wait_for_stores(world: &mut World<'_>, warp: &mut [Thread]) -> Result<(), Trouble> {
    for thread in warp {
        let stores = std::mem::take(&mut thread.outstanding.stores);
        for stored in &stores {
            let value = match stored.slot {
                Some(slot) => thread.aboard(slot),
                None => stored.value,
            };
            for (half, cell) in stored.cells.into_iter().enumerate() {
                if let Some(cell) = cell {
                    let packed = stored.cells[1].is_some();
                    let value = if packed {
                        value >> (16 * half) & 0xffff
                    } else {
                        value
                    };
                    world.state.tensor.end_store(cell, value as u32)?;
                }
            }
        }
        for slot in stores.iter().filter_map(|stored| stored.slot) {
            thread.land(slot);
        }
    }
    Ok(())
}
