//! `wgmma`: products of matrices that four warps compute together, later.
//!
//! Of the 64 rows each warp has 16: it needs no other warp's registers, and every warp
//! carries out its part when it waits. Until then accumulators hold garbage, fragments
//! of A must stay as they are, and shared memory is not read yet.
//!
//! Complexity: rows times columns times k for each product.
//! Source: the PTX ISA manual, "Asynchronous warpgroup level matrix instructions" and
//! the figures of register fragments there.

use crate::arithmetic::{from_f32, to_f32, to_half};
use crate::convert::widened;
use crate::error::Trouble;
use crate::matrix_descriptor::MatrixDescriptor;
use crate::matrix_element::Element;
use crate::operation::{FirstFactor, Operation, Sum, WarpOperation, WarpgroupProduct};
use crate::operation::{Operand, TensorOperation};
use crate::thread::{Role, Thread, World, from_bytes};
use crate::types::{Space, Type, truncate};

/// Rows of a warp.
const ROWS: usize = 16;
/// Bytes of a row of A, or of a column of B, that one instruction takes.
const ROW_BYTES: usize = 32;

/// A product that has not been waited for.
#[derive(Debug)]
pub(crate) struct Underway {
    /// Function and instruction.
    place: (usize, usize),
    /// The first register of the frame, the same for all lanes.
    base: usize,
    a: First,
    b: MatrixDescriptor,
    adds: bool,
}

/// Where the first factor is, or what it was.
#[derive(Debug)]
enum First {
    Shared(MatrixDescriptor),
    Registers,
    Read(Vec<f64>),
}

fn instruction<'m>(world: &World<'m>, place: (usize, usize)) -> Option<&'m WarpgroupProduct> {
    let (function, at) = place;
    match &world.module.functions[function].instructions[at].operation {
        Operation::Warp(WarpOperation::Tensor(TensorOperation::Multiply(product)), _) => {
            Some(product)
        }
        _ => None,
    }
}

/// The value of an operand that must be the same in all lanes.
fn uniform(world: &mut World<'_>, warp: &mut [Thread], operand: Operand) -> Result<u64, Trouble> {
    let value = warp[0].get(world, operand);
    for thread in &mut warp[1..] {
        if thread.get(world, operand) != value {
            return Err(Trouble::Undefined("an operand differs between lanes"));
        }
    }
    Ok(value)
}

fn registers(operands: &[Operand]) -> impl Iterator<Item = u32> {
    operands.iter().filter_map(|operand| match operand {
        Operand::Register(register) => Some(*register),
        _ => None,
    })
}

/// Starts a product: its registers depart.
pub(super) fn start(
    world: &mut World<'_>,
    warp: &mut [Thread],
    product: &WarpgroupProduct,
) -> Result<(), Trouble> {
    let place = warp[0].place().unwrap_or_default();
    let base = warp[0].slot(0);
    if warp.iter_mut().any(|thread| thread.slot(0) != base) {
        return Err(Trouble::Undefined("the lanes come from different calls"));
    }
    let b = uniform(world, warp, product.b)?;
    let adds = uniform(world, warp, product.adds)? & 1 == 1;
    world.report.access(b, 1, false);
    let a = match &product.a {
        FirstFactor::Registers(fragment) => {
            for register in registers(fragment) {
                depart(world, warp, register, Role::Fragment, true);
            }
            match world.early.fragments {
                true => {
                    let read = |thread: &mut Thread, slot| thread.fragment_now(slot);
                    First::Read(rows(warp, base, fragment, product.elements[0], read))
                }
                false => First::Registers,
            }
        }
        FirstFactor::Descriptor(a) => {
            let a = uniform(world, warp, *a)?;
            world.report.access(a, 2, false);
            First::Shared(MatrixDescriptor::of_warpgroup(a)?)
        }
    };
    for &register in &product.d {
        depart(world, warp, register, Role::Accumulator, adds);
    }
    let b = MatrixDescriptor::of_warpgroup(b)?;
    warp[0].outstanding.products.push(Underway {
        place,
        base,
        a,
        b,
        adds,
    });
    Ok(())
}

/// Only what is read counts as unwritten, and of what is in flight only its own value.
fn depart(world: &mut World<'_>, warp: &mut [Thread], register: u32, role: Role, reads: bool) {
    for thread in warp {
        let slot = thread.slot(register);
        let value = thread.value_at(world, slot, reads);
        thread.depart(world, slot, role, value);
    }
}

/// Carries out the products of all groups but the latest `left`; their registers land.
pub(super) fn wait(world: &mut World<'_>, warp: &mut [Thread], left: usize) -> Result<(), Trouble> {
    let finished = warp[0].outstanding.products.finished(left);
    for underway in &finished {
        if let Some(product) = instruction(world, underway.place) {
            multiply(world, warp, product, underway)?;
        }
    }
    for underway in &finished {
        let Some(product) = instruction(world, underway.place) else {
            continue;
        };
        let fragment = match &product.a {
            FirstFactor::Registers(operands) => &operands[..],
            FirstFactor::Descriptor(_) => &[],
        };
        for register in product.d.iter().copied().chain(registers(fragment)) {
            for thread in &mut *warp {
                thread.land(underway.base + register as usize);
            }
        }
    }
    Ok(())
}

/// The numbers of a matrix in shared memory, row by row of A, column by column of B.
fn read(
    world: &mut World<'_>,
    descriptor: &MatrixDescriptor,
    element: Element,
    rows: std::ops::Range<usize>,
    transposed: bool,
) -> Result<Vec<f64>, Trouble> {
    let bytes = element.bytes();
    let mut out = Vec::with_capacity(rows.len() * ROW_BYTES / bytes);
    for row in rows {
        for k in 0..ROW_BYTES / bytes {
            let address = descriptor.address(row, k, bytes, transposed);
            let bits = from_bytes(world.shared.bytes(Space::Shared, address, bytes)?);
            out.push(element.value(bits));
        }
    }
    Ok(out)
}

/// The rows of A that a warp holds in registers: register i has, of the row of its group,
/// eight rows further if i is odd, four bytes, 16 further from register 2 on.
fn rows(
    warp: &mut [Thread],
    base: usize,
    operands: &[Operand; 4],
    element: Element,
    read: impl Fn(&mut Thread, usize) -> u64,
) -> Vec<f64> {
    let bytes = element.bytes();
    let columns = ROW_BYTES / bytes;
    let mut out = vec![0.0; ROWS * columns];
    for (lane, thread) in warp.iter_mut().enumerate() {
        for (i, operand) in operands.iter().enumerate() {
            let bits = match operand {
                Operand::Register(r) => read(thread, base + *r as usize),
                Operand::Immediate(bits) => *bits,
                _ => 0,
            };
            let row = lane / 4 + i % 2 * 8;
            let first = (lane % 4 * 4 + i / 2 * 16) / bytes;
            for j in 0..4 / bytes {
                let one = truncate(bits >> (8 * bytes * j), 8 * bytes as u32);
                out[row * columns + first + j] = element.value(one);
            }
        }
    }
    out
}

fn multiply(
    world: &mut World<'_>,
    warp: &mut [Thread],
    product: &WarpgroupProduct,
    underway: &Underway,
) -> Result<(), Trouble> {
    let first = warp[0].index as usize / 32 % 4 * ROWS;
    let [a_type, b_type] = product.elements;
    let a = match (&underway.a, &product.a) {
        (First::Shared(a), _) => {
            let rows = first..first + ROWS;
            &read(world, a, a_type, rows, product.transposed[0])?
        }
        (First::Registers, FirstFactor::Registers(operands)) => {
            let read = |thread: &mut Thread, slot| thread.aboard(slot);
            &rows(warp, underway.base, operands, a_type, read)
        }
        (First::Read(a), _) => a,
        _ => return Err(Trouble::Undefined("a product without its first factor")),
    };
    let columns = 0..product.columns;
    let b = read(world, &underway.b, b_type, columns, product.transposed[1])?;
    let k = ROW_BYTES / a_type.bytes();
    let negative = product.negated[0] != product.negated[1];
    let value = |row: usize, column: usize, c: f64| {
        let factors = a[row * k..][..k].iter().zip(&b[column * k..][..k]);
        let sum: f64 = factors.map(|(x, y)| x * y).sum();
        if negative { c - sum } else { c + sum }
    };
    for (lane, thread) in warp.iter_mut().enumerate() {
        let (group, pair) = (lane / 4, lane % 4 * 2);
        for (i, &register) in product.d.iter().enumerate() {
            let slot = underway.base + register as usize;
            let old = if underway.adds {
                thread.aboard(slot)
            } else {
                0
            };
            let new = match product.sum {
                Sum::F32 => {
                    let (row, column) = (group + i / 2 % 2 * 8, i / 4 * 8 + pair + i % 2);
                    from_f32(value(row, column, to_f32(old).into()) as f32)
                }
                Sum::S32 => {
                    let (row, column) = (group + i / 2 % 2 * 8, i / 4 * 8 + pair + i % 2);
                    whole(value(row, column, (old as i32).into()), product.saturates)
                }
                Sum::F16 => {
                    let (row, column) = (group + i % 2 * 8, i / 2 * 8 + pair);
                    let half = |bits| widened(Type::F16, bits).map_or(0.0, f64::from);
                    let low = value(row, column, half(old));
                    let high = value(row, column + 1, half(old >> 16));
                    to_half(Type::F16, low) | to_half(Type::F16, high) << 16
                }
            };
            thread.carry(slot, new);
        }
    }
    Ok(())
}

/// A sum of integers: exact in double precision, for k is small.
fn whole(sum: f64, saturates: bool) -> u64 {
    if saturates {
        u64::from(sum as i32 as u32)
    } else {
        truncate(sum as i64 as u64, 32)
    }
}
