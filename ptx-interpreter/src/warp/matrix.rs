//! Products of small matrices whose elements lie spread over the lanes of a warp.
//!
//! Lane `l` belongs to group `l / 4` and holds, of each row or column of its group, the
//! two elements from `l % 4 * 2`. Source: the fragment tables of the PTX ISA manual,
//! under `mma.m16n8k16` and `ldmatrix`.

use crate::arithmetic::{from_f32, to_f32};
use crate::convert::widened;
use crate::error::Trouble;
use crate::operation::{Address, Operand, Register};
use crate::thread::{Thread, World, from_bytes};
use crate::types::{Space, Type};

const M: usize = 16;
const N: usize = 8;
const K: usize = 16;

/// The operands of one product.
pub(super) struct Product<'o> {
    pub half: Type,
    pub d: &'o [Register; 4],
    pub a: &'o [Operand; 4],
    pub b: &'o [Operand; 2],
    pub c: &'o [Operand; 4],
}

/// The two halves of a register as numbers.
fn pair(half: Type, bits: u64) -> Result<[f64; 2], Trouble> {
    let wide = |bits| widened(half, bits).ok_or(Trouble::Undefined("no half-width type"));
    Ok([wide(bits)?.into(), wide(bits >> 16)?.into()])
}

/// D = A B + C. The products are exact and summed up in double precision, in order of
/// k, and rounded once: hardware keeps fewer bits, how many is not documented.
pub(super) fn multiply(
    world: &mut World<'_>,
    warp: &mut [Thread],
    product: &Product<'_>,
) -> Result<(), Trouble> {
    let mut a = [[0.0; K]; M];
    let mut b = [[0.0; N]; K];
    for (lane, thread) in warp.iter_mut().enumerate() {
        let (group, first) = (lane / 4, lane % 4 * 2);
        for (i, &operand) in product.a.iter().enumerate() {
            let values = pair(product.half, thread.get(world, operand))?;
            let (row, column) = (group + i % 2 * 8, first + i / 2 * 8);
            a[row][column..column + 2].copy_from_slice(&values);
        }
        for (i, &operand) in product.b.iter().enumerate() {
            let values = pair(product.half, thread.get(world, operand))?;
            for (j, value) in values.into_iter().enumerate() {
                b[first + i * 8 + j][group] = value;
            }
        }
    }
    for (lane, thread) in warp.iter_mut().enumerate() {
        let (group, first) = (lane / 4, lane % 4 * 2);
        // A register of D may be one of C: read all before the first is written.
        let sums = product.c.map(|c| f64::from(to_f32(thread.get(world, c))));
        for (i, (&to, mut sum)) in product.d.iter().zip(sums).enumerate() {
            let (row, column) = (group + i / 2 * 8, first + i % 2);
            for (x, y) in a[row].iter().zip(&b) {
                sum += x * y[column];
            }
            thread.set(world, to, from_f32(sum as f32));
        }
    }
    Ok(())
}

/// `ldmatrix`: lanes 8i to 8i + 7 hold the addresses of the rows of matrix i.
pub(super) fn load(
    world: &mut World<'_>,
    warp: &mut [Thread],
    space: Space,
    transposed: bool,
    to: &[Register],
    address: Address,
) -> Result<(), Trouble> {
    for (i, &to) in to.iter().enumerate() {
        let mut matrix = [[0; 8]; 8];
        for (row, elements) in matrix.iter_mut().enumerate() {
            let thread = &mut warp[i * 8 + row];
            let at = thread.address(world, address);
            let bytes = thread.memory(world, space, at, 16, false)?;
            for (element, bytes) in elements.iter_mut().zip(bytes.chunks(2)) {
                *element = from_bytes(bytes);
            }
        }
        for (lane, thread) in warp.iter_mut().enumerate() {
            let (group, first) = (lane / 4, lane % 4 * 2);
            let [low, high] = if transposed {
                [matrix[first][group], matrix[first + 1][group]]
            } else {
                [matrix[group][first], matrix[group][first + 1]]
            };
            thread.set(world, to, low | high << 16);
        }
    }
    Ok(())
}

/// The elements of a matrix of which each lane holds two.
fn gathered(
    world: &mut World<'_>,
    warp: &mut [Thread],
    from: Operand,
    transposed: bool,
) -> [[u64; 8]; 8] {
    let mut matrix = [[0; 8]; 8];
    for (lane, thread) in warp.iter_mut().enumerate() {
        let (group, first) = (lane / 4, lane % 4 * 2);
        let pair = thread.get(world, from);
        for (i, element) in [pair & 0xffff, pair >> 16 & 0xffff].into_iter().enumerate() {
            if transposed {
                matrix[first + i][group] = element;
            } else {
                matrix[group][first + i] = element;
            }
        }
    }
    matrix
}

/// `stmatrix`: lanes 8i to 8i + 7 hold the addresses of the rows of matrix i.
pub(super) fn store(
    world: &mut World<'_>,
    warp: &mut [Thread],
    space: Space,
    transposed: bool,
    address: Address,
    from: &[Operand],
) -> Result<(), Trouble> {
    for (i, &from) in from.iter().enumerate() {
        let matrix = gathered(world, warp, from, transposed);
        for (row, elements) in matrix.into_iter().enumerate() {
            let thread = &mut warp[i * 8 + row];
            let at = thread.address(world, address);
            let bytes = thread.memory(world, space, at, 16, true)?;
            for (element, bytes) in elements.into_iter().zip(bytes.chunks_mut(2)) {
                bytes.copy_from_slice(&(element as u16).to_le_bytes());
            }
            for (j, element) in elements.into_iter().enumerate() {
                world.report.store(at.wrapping_add(2 * j as u64), element);
            }
        }
    }
    Ok(())
}

/// `movmatrix`: each lane gets two elements of the transposed matrix.
pub(super) fn transpose(world: &mut World<'_>, warp: &mut [Thread], to: Register, from: Operand) {
    let matrix = gathered(world, warp, from, true);
    for (lane, thread) in warp.iter_mut().enumerate() {
        let (group, first) = (lane / 4, lane % 4 * 2);
        let pair = matrix[group][first] | matrix[group][first + 1] << 16;
        thread.set(world, to, pair);
    }
}
