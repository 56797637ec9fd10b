//! Arguments for kernels that Triton has compiled for tensor cores: matrix products and
//! attention, with pointers or with tensor maps. The name of a kernel says how large its
//! tiles are, as in `matmul_f16_128x64_s3`; after its own parameters Triton adds two
//! pointers to memory for its own use.

use half::{bf16, f16};

use super::{Argument, Buffer, Scenario, float, floats, garbage, halves, int, real};
use crate::module::Function;
use crate::random::Random;
use crate::tensor_map::TensorMap;

/// Shapes that these kernels are tried with.
pub(super) const SHAPES: usize = 2;

/// Bytes of Triton's own memory for each block.
const SCRATCH: u32 = 4096;
/// `elemtype` of a tensor map.
const U8: u8 = 0;
const F16: u8 = 6;
/// `swizzle_mode` of a tensor map: 128 bytes.
const SWIZZLE_128: u8 = 3;

/// What a kernel's name says.
struct Tile {
    /// Rows and columns of a block's result, or queries and keys.
    sides: [u32; 2],
    /// The size of a head in attention.
    head: u32,
}

fn tile(name: &str) -> Option<Tile> {
    let side = |part: &str| {
        let (rows, columns) = part.split_once('x')?;
        Some([rows.parse().ok()?, columns.parse().ok()?])
    };
    let mut parts = name.split('_');
    let sides = parts.clone().find_map(side)?;
    let head = parts.find_map(|part| part.strip_prefix('d')?.parse().ok());
    Some(Tile {
        sides,
        head: head.unwrap_or(0),
    })
}

/// Whether arguments are known for a kernel of that name.
pub(super) fn knows(name: &str) -> bool {
    let known = ["matmul_", "flash_", "gated_mlp_"];
    known.iter().any(|prefix| name.starts_with(prefix)) && tile(name).is_some()
}

/// Half-width numbers of the other kind.
fn brains(random: &mut Random, count: u32) -> Argument {
    let one = |_| bf16::from_f32(real(random)).to_le_bytes();
    Argument::Buffer((0..count).flat_map(one).collect())
}

/// Eight-bit numbers whose exponents are small.
fn eighths(random: &mut Random, count: u32) -> Vec<u8> {
    let one = |_| (random.bits() & 0xbf) as u8;
    (0..count).map(one).collect()
}

fn half_bytes(random: &mut Random, count: u32) -> Vec<u8> {
    let one = |_| f16::from_f32(real(random)).to_le_bytes();
    (0..count).flat_map(one).collect()
}

/// A tensor map of a matrix and what Triton passes with it: its shape and strides.
fn map(bytes: Vec<u8>, element: u8, [rows, columns]: [u32; 2], tile: [u32; 2]) -> Vec<Argument> {
    let inner = if element == U8 { 128 } else { 64 };
    let sides = [tile[1].min(inner), tile[0]];
    let map = TensorMap::of_rows(element, [columns, rows], sides, SWIZZLE_128);
    let wide = |value: u64| Argument::Bytes(value.to_le_bytes().into());
    vec![
        Argument::Structure {
            bytes: map.bytes().into(),
            pointers: vec![(0, Buffer::Whole(bytes))],
        },
        int(rows),
        int(columns),
        wide(columns.into()),
        wide(1),
    ]
}

/// What to launch `kernel` with.
pub(super) fn scenario(kernel: &Function, shape: usize, r: &mut Random) -> Option<Scenario> {
    let name = &kernel.name[..];
    if !knows(name) {
        return None;
    }
    let tile = tile(name)?;
    let [rows, columns] = tile.sides;
    let (mut arguments, blocks) = if name.starts_with("matmul_tma_") {
        matmul_maps(name, tile.sides, shape, r)
    } else if name.starts_with("matmul_desc_") {
        let (m, n, k) = ([rows, rows + 16][shape], columns, [64, 192][shape]);
        (three_halves(r, [m, n, k]), [m.div_ceil(rows), 1])
    } else if name.starts_with("matmul_w4_") {
        four_bit(rows, columns, shape, r)
    } else if name.starts_with("matmul_") {
        matmul(name, tile.sides, shape, r)
    } else if name.starts_with("gated_mlp_") {
        let k = [64, 256][shape];
        let mut arguments = vec![brains(r, rows * k), brains(r, columns * k)];
        arguments.extend([brains(r, columns * k), garbage(r, rows * columns * 2)]);
        arguments.extend([int(rows), int(columns), int(k)]);
        (arguments, [1, 1])
    } else if name.starts_with("flash_fwd_") {
        let length = [columns + 16, 2 * columns.max(rows) - 16][shape];
        let size = length * tile.head;
        let mut arguments = vec![halves(r, size), halves(r, size), halves(r, size)];
        arguments.extend([garbage(r, size * 2), garbage(r, length * 4)]);
        arguments.extend([float(0.125), int(size), int(length)]);
        (arguments, [length.div_ceil(rows), 1])
    } else if name.starts_with("flash_tma_") {
        let length = [rows.max(columns), 2 * rows.max(columns)][shape];
        let size = [length, tile.head];
        let mut arguments = Vec::new();
        for side in [rows, columns, columns, rows] {
            let bytes = half_bytes(r, length * tile.head);
            arguments.extend(map(bytes, F16, size, [side, tile.head]));
        }
        arguments.extend([garbage(r, length * 4), float(0.125), int(length)]);
        (arguments, [length / rows, 1])
    } else if name.starts_with("flash_bwd_kv_") {
        let length = [1, 2][shape] * rows.max(columns);
        let size = length * tile.head;
        let mut arguments: Vec<_> = (0..4).map(|_| halves(r, size)).collect();
        arguments.extend([garbage(r, size * 2), garbage(r, size * 2)]);
        arguments.extend([floats(r, length), floats(r, length)]);
        arguments.extend([float(0.0625), int(length)]);
        (arguments, [length / columns, 1])
    } else {
        return None;
    };
    let scratch = blocks[0] * blocks[1] * SCRATCH;
    arguments.extend([garbage(r, scratch), garbage(r, scratch)]);
    Some(Scenario {
        blocks: [blocks[0], blocks[1], 1],
        threads: [kernel.most_threads? as u32, 1, 1],
        executed: None,
        arguments,
    })
}

fn three_halves(r: &mut Random, [m, n, k]: [u32; 3]) -> Vec<Argument> {
    let mut arguments = vec![halves(r, m * k), halves(r, n * k), garbage(r, m * n * 2)];
    arguments.extend([int(m), int(n), int(k)]);
    arguments
}

/// Row by row: A of m by k, B of k by n.
fn matmul(
    name: &str,
    [rows, columns]: [u32; 2],
    shape: usize,
    r: &mut Random,
) -> (Vec<Argument>, [u32; 2]) {
    let (m, n, k) = [(rows, columns, 80), (rows + 16, columns + 32, 224)][shape];
    let blocks = m.div_ceil(rows) * n.div_ceil(columns);
    let factor = |r: &mut Random, count| match () {
        _ if name.starts_with("matmul_tf32_") => floats(r, count),
        _ if name.starts_with("matmul_f8_") => Argument::Buffer(eighths(r, count)),
        _ => halves(r, count),
    };
    let result = if name.starts_with("matmul_tf32_") {
        4
    } else {
        2
    };
    let mut arguments = vec![factor(r, m * k), factor(r, k * n)];
    arguments.push(garbage(r, m * n * result));
    arguments.extend([m, n, k, k, n, n].map(int));
    (arguments, [blocks, 1])
}

/// A of m by k, B of n by k, both row by row. Blocks are persistent.
fn matmul_maps(
    name: &str,
    [rows, columns]: [u32; 2],
    shape: usize,
    r: &mut Random,
) -> (Vec<Argument>, [u32; 2]) {
    let small = name.contains("_fp8e4nv_");
    let (m, n, k) = [(rows, columns, 64), (rows + 16, columns, 256)][shape];
    let inner = if small { 128 } else { 64 };
    let (element, split) = (if small { U8 } else { F16 }, name.ends_with("_s1"));
    let mut arguments = Vec::new();
    for side in [[m, rows], [n, columns]] {
        let bytes = match small {
            true => eighths(r, side[0] * k),
            false => half_bytes(r, side[0] * k),
        };
        arguments.extend(map(bytes, element, [side[0], k], [side[1], inner]));
    }
    let result = half_bytes(r, m * n);
    let width = if split { columns / 2 } else { columns };
    arguments.extend(map(result, F16, [m, n], [rows, width]));
    arguments.extend([int(m), int(n), int(k)]);
    (arguments, [m.div_ceil(rows), 1])
}

/// Weights of four bits, two to a byte, scaled in groups. The name has the weights' rows
/// first.
fn four_bit(rows: u32, columns: u32, shape: usize, r: &mut Random) -> (Vec<Argument>, [u32; 2]) {
    // Groups are as long as the tile in the middle is.
    let inner = if columns == 128 { 128 } else { 64 };
    let (m, n, k) = (columns, rows, [1, 3][shape] * inner);
    let mut arguments = vec![halves(r, m * k), garbage(r, n * k / 2)];
    arguments.extend([halves(r, n * k / inner), garbage(r, m * n * 2)]);
    arguments.extend([int(m), int(n), int(k)]);
    (arguments, [1, 1])
}
