//! Arguments for the kernels of CUB in `examples/cub/`: what the library's host code
//! would pass. The kernels' names hold their template arguments, mangled.

use super::{Argument, Buffer, SHAPES, Scenario, floats, garbage, int, line, minima, zeros};
use crate::module::Function;
use crate::random::Random;

/// Items that a block handles at a time, by the tuning for these types.
const REDUCE_TILE: u32 = 4096;
const SCAN_MAX_TILE: u32 = 896;
/// Shapes for kernels that have many paths, for sizes and alignments of the input.
const MANY: usize = 8;
/// Shapes for scans, whose blocks may have to add up what many before them have found. The
/// last four are large grids.
const SCANS: usize = 16;
/// Digits of eight bits.
const BINS: u32 = 256;

/// The tuning that depends on the SM, whose number is part of the name.
struct Tuning {
    scan_tile: u32,
    onesweep_tile: u32,
}

fn tuning(name: &str) -> Tuning {
    let (scan_tile, onesweep_tile) = if name.contains("SM_90") {
        (3072, 8832)
    } else if name.contains("SM_80") {
        (3840, 8064)
    } else {
        (1920, 11776)
    };
    Tuning {
        scan_tile,
        onesweep_tile,
    }
}

/// Shapes that a kernel is tried with.
pub(super) fn shapes(name: &str) -> usize {
    let many = [
        "DeviceReduceSingleTileKernel",
        "DeviceReduceKernel",
        "DeviceScanKernel",
        "DeviceRadixSortSingleTileKernel",
        "DeviceRadixSortHistogramKernel",
        "DeviceRadixSortOnesweepKernel",
    ];
    let is = |part| name.contains(part);
    match many.into_iter().any(is) {
        true if is("KeyValuePair") => minima::SHAPES + usize::from(is("SingleTile")),
        true if is("DeviceScanKernel") => SCANS,
        // The last one has no numbers.
        true if is("DeviceReduceSingleTileKernel") => MANY + 1,
        true if is("DeviceReduceKernel") => MANY + 2,
        // The last ones have two portions.
        true if is("DeviceRadixSortHistogramKernel") => MANY + 2,
        true => MANY,
        false => SHAPES,
    }
}

pub(super) fn scenario(kernel: &Function, shape: usize, r: &mut Random) -> Option<Scenario> {
    let name = &kernel.name[..];
    let is = |part| name.contains(part);
    // Blocks must be as large as the kernel was compiled for.
    let threads = kernel.most_threads.unwrap_or(256) as u32;
    Some(match () {
        () if name == "sort32" => {
            let blocks = [1, 2, 1][shape];
            let (keys, values) = (keys(shape, r, blocks * 2048), garbage(r, blocks * 8192));
            line(blocks, threads, vec![keys, values])
        }
        () if name == "sort64_down" => {
            let blocks = [1, 2, 1][shape];
            // Pairs of words as keys of 64 bits.
            let (keys, values) = (keys(shape, r, blocks * 1536), garbage(r, blocks * 3072));
            line(blocks, threads, vec![keys, values])
        }
        () if is("DeviceRadixSortSingleTileKernel") => {
            let n = match shape {
                0..3 => [300, 4864, 3001][shape],
                _ => 1 + r.below(4864) as u32,
            };
            let (first_bit, end_bit) = [(0, 32), (0, 32), (4, 20), (13, 32)][shape % 4];
            let mut arguments = vec![keys(shape, r, n), garbage(r, n * 4)];
            arguments.extend([garbage(r, n * 4), garbage(r, n * 4)]);
            arguments.extend([int(n), int(first_bit), int(end_bit), empty()]);
            line(1, threads, arguments)
        }
        () if is("DeviceRadixSortHistogramKernel") && shape >= MANY => {
            two_portions(threads, [32, 24][shape - MANY], r)
        }
        () if is("DeviceRadixSortHistogramKernel") => {
            // A partial tile has a path for each of sixteen sizes.
            let (blocks, n) = match shape {
                0..3 => [(1, 700), (2, 5000), (3, 4100)][shape],
                _ => (
                    1,
                    ((shape as u32 - 3) * 3 + r.below(3) as u32) * 128 + 1 + r.below(128) as u32,
                ),
            };
            // One to four digits, whole ones and others.
            let (first_bit, end_bit) = match shape {
                0..3 => (0, 32),
                _ => [(8, 24), (3, 10), (3, 11), (0, 24), (5, 32)][shape - 3],
            };
            let mut arguments = vec![zeros(4 * BINS * 4), keys(shape, r, n)];
            arguments.extend([int(n), int(first_bit), int(end_bit), empty()]);
            line(blocks, threads, arguments)
        }
        () if is("DeviceRadixSortExclusiveSumKernel") => {
            let passes = [1, 4, 2][shape];
            let counts = words((0..passes * BINS).map(|_| r.below(1000) as u32));
            line(passes, BINS, vec![Argument::Buffer(counts)])
        }
        () if is("DeviceRadixSortOnesweepKernel") => {
            onesweep(threads, tuning(name).onesweep_tile, shape, r)
        }
        () if is("DeviceReduceSingleTileKernel") && is("KeyValuePair") => {
            let input = minima::Input::new([40, 1000, 2500], shape, r);
            let n = int(input.count());
            let input = if is("ArgIndexInputIterator") {
                input.indexed(r)
            } else {
                input.pairs(r)
            };
            let (out, start) = (garbage(r, 16), structure(&[1, f64::INFINITY.to_bits()]));
            line(1, threads, vec![input, out, n, empty(), start, empty()])
        }
        () if is("DeviceReduceSingleTileKernel") => {
            let (n, skipped) = [
                (100, 0),
                (4096, 0),
                (9500, 0),
                (3000, 0),
                (90, 1),
                (3000, 1),
                (9500, 1),
                (21_000, 3),
                (0, 0),
            ][shape];
            let (input, out) = (floats_behind(skipped, shape, r, n), garbage(r, 4));
            let start = Argument::Bytes(1.5f32.to_le_bytes().into());
            line(
                1,
                threads,
                vec![input, out, int(n), empty(), start, empty()],
            )
        }
        () if is("DeviceReduceKernel") && is("KeyValuePair") => {
            let input = minima::Input::new([700, 2500, 3700], shape, r);
            let n = input.count();
            let blocks = match shape {
                0..3 => shape as u32 + 1,
                _ => (1 + shape as u32 % 3).min(n.div_ceil(minima::TILE)),
            };
            let (input, out) = (input.indexed(r), garbage(r, blocks * 16));
            let share = even_share(n, blocks, minima::TILE);
            line(
                blocks,
                256,
                vec![input, out, int(n), share, empty(), empty()],
            )
        }
        () if is("DeviceReduceKernel") => {
            let (blocks, n, skipped) = [
                (1, 3000, 0),
                (2, 13_000, 0),
                (3, 11_000, 0),
                (1, 90, 0),
                (2, 4190, 1),
                (1, 3000, 1),
                (2, 21_000, 3),
                (2, 28_000, 0),
                (1, 70, 0),
                (3, 8192 + 200, 1),
            ][shape];
            let (input, out) = (floats_behind(skipped, shape, r, n), garbage(r, blocks * 4));
            let share = even_share(n, blocks, REDUCE_TILE);
            line(
                blocks,
                256,
                vec![input, out, int(n), share, empty(), empty()],
            )
        }
        () if is("DeviceScanInitKernel") => {
            let tiles = [1, 40, 130][shape];
            let state = pointer(garbage_bytes(r, (32 + tiles) * 16));
            line(tiles.div_ceil(64), 64, vec![state, int(tiles)])
        }
        () if is("DeviceScanKernel") && is("3Max") => {
            let tiles = scan_tiles(shape, SCAN_MAX_TILE, r);
            let mut arguments = vec![numbers(shape, r, tiles.items), garbage(r, tiles.items * 8)];
            let state = tile_state::<u64>(&tiles, 16, shape, r);
            arguments.extend([state, int(tiles.first), empty(), empty()]);
            arguments.push(tiles.count());
            tiles.launch(threads, arguments)
        }
        () if is("DeviceScanKernel") => {
            let tiles = scan_tiles(shape, tuning(name).scan_tile, r);
            let mut arguments = vec![keys(shape, r, tiles.items), garbage(r, tiles.items * 4)];
            let state = tile_state::<u32>(&tiles, 8, shape, r);
            arguments.extend([state, int(tiles.first), empty()]);
            arguments.extend([start_value(shape), tiles.count()]);
            tiles.launch(threads, arguments)
        }
        () => return None,
    })
}

/// Floats behind some that the kernel does not see: a pointer that is not aligned. In the
/// last shapes they are so small that to add any garbage to them shows.
fn floats_behind(skipped: u32, shape: usize, r: &mut Random, count: u32) -> Argument {
    let bytes = match shape {
        0..MANY => match floats(r, skipped + count) {
            Argument::Buffer(bytes) => bytes,
            other => return other,
        },
        _ => words((0..skipped + count).map(|_| r.below(1 << 12) as u32)),
    };
    Argument::Inside(4 * skipped as usize, bytes)
}

/// An object without members, which C++ gives a byte.
fn empty() -> Argument {
    Argument::Bytes(vec![0])
}

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn structure(values: &[u64]) -> Argument {
    Argument::Bytes(values.iter().flat_map(|v| v.to_le_bytes()).collect())
}

fn pointer(buffer: Vec<u8>) -> Argument {
    Argument::Structure {
        bytes: vec![0; 8],
        pointers: vec![(0, Buffer::Whole(buffer))],
    }
}

fn garbage_bytes(r: &mut Random, bytes: u32) -> Vec<u8> {
    let mut out = vec![0; bytes as usize];
    r.fill(&mut out);
    out
}

/// Any words; in every third shape few different ones.
fn key(shape: usize, r: &mut Random) -> u32 {
    match shape % 3 {
        2 => r.below(5) as u32 * 0x0001_0110,
        _ => r.bits() as u32,
    }
}

fn keys(shape: usize, r: &mut Random, count: u32) -> Argument {
    Argument::Buffer(words((0..count).map(|_| key(shape, r))))
}

fn numbers(shape: usize, r: &mut Random, count: u32) -> Argument {
    let number = |_| minima::number(shape, r).to_le_bytes();
    Argument::Buffer((0..count).flat_map(number).collect())
}

/// The kernel counts 2^30 keys at a time, a tile of them in each block of so large a grid.
/// The first two blocks are executed; in the second portion they have a whole tile and a
/// part of one.
fn two_portions(threads: u32, end_bit: u32, r: &mut Random) -> Scenario {
    const PORTION: u32 = 1 << 30;
    const TILE: u32 = 2048;
    let behind = 2 * TILE - 1 - r.below(127) as u32;
    let keys = [2 * TILE, behind].map(|n| words((0..n).map(|_| key(0, r))));
    let keys = [0, 4 * i64::from(PORTION)].into_iter().zip(keys).collect();
    let mut arguments = vec![zeros(4 * BINS * 4), Argument::Parts(keys)];
    arguments.extend([int(PORTION + behind), int(0), int(end_bit), empty()]);
    Scenario {
        executed: Some(2),
        ..line(PORTION / TILE, threads, arguments)
    }
}

/// `GridEvenShare`: how the tiles are dealt out to the blocks. Some get one more.
fn even_share(n: u32, blocks: u32, tile: u32) -> Argument {
    let tiles = n.div_ceil(tile);
    let (each, big) = (tiles / blocks * tile, tiles % blocks);
    let fields = [
        tiles,
        big,
        each + tile,
        each,
        big * tile,
        n,
        blocks,
        n,
        n,
        0,
    ];
    Argument::Bytes(words(fields))
}

/// What one launch of a scan does.
struct ScanTiles {
    /// All items, or those that there are buffers for.
    items: u32,
    /// Tiles before this one have been done by an earlier launch.
    first: u32,
    blocks: u32,
    /// Items beyond the buffers, for blocks that are not executed.
    beyond: u32,
    tile: u32,
}

impl ScanTiles {
    /// The number of items, as the kernel gets it.
    fn count(&self) -> Argument {
        int(self.items + self.beyond)
    }

    fn launch(&self, threads: u32, arguments: Vec<Argument>) -> Scenario {
        let beyond = self.beyond.div_ceil(self.tile);
        Scenario {
            executed: (beyond > 0).then_some(self.blocks),
            ..line(self.blocks + beyond, threads, arguments)
        }
    }
}

/// Beyond the first shapes, one or two blocks with many tiles before them: they look
/// back over more than one window of 32. The last ones belong to a grid so large that its
/// blocks sleep while they wait.
fn scan_tiles(shape: usize, tile: u32, r: &mut Random) -> ScanTiles {
    let (first, items) = match shape {
        0..3 => (0, [100, tile, 3 * tile + 50][shape]),
        // The last tile counts as a part even if it is whole.
        3 => (0, tile + 1 + r.below(tile.into()) as u32),
        _ => {
            let first = [5, 33, 40, 70][shape % 4];
            // A tile and a part, or a few items of one.
            let more = match shape % 2 {
                0 => tile + r.below(tile.into()) as u32,
                _ => r.below(31) as u32,
            };
            (first, first * tile + 1 + more)
        }
    };
    let mut tiles = ScanTiles {
        items,
        first,
        blocks: items.div_ceil(tile) - first,
        beyond: 0,
        tile,
    };
    if shape >= SCANS - 4 {
        tiles.items = (first + tiles.blocks) * tile;
        tiles.beyond = 600 * tile;
    }
    tiles
}

/// `ScanTileState` as the init kernel leaves it: pairs of a status and a value. The
/// first 32 stand for what lies before the first tile. Of the tiles that have been done,
/// most know their own sum only, one in 40 also that of all before it.
fn tile_state<Status>(tiles: &ScanTiles, size: usize, shape: usize, r: &mut Random) -> Argument {
    let count = tiles.first + tiles.blocks;
    let mut state = vec![0; (32 + count as usize) * size];
    debug_assert_eq!(size, 2 * size_of::<Status>());
    const NOT_YET: u8 = 99;
    const PARTIAL: u8 = 100;
    const INCLUSIVE: u8 = 101;
    for (tile, entry) in (0..).zip(state.chunks_mut(size).skip(32)) {
        entry[0] = match tile < tiles.first {
            true if tile % 40 == 0 => INCLUSIVE,
            true => PARTIAL,
            false => NOT_YET,
        };
        if tile < tiles.first {
            // Behind, among or before the block's own numbers, if these are doubles.
            let more = [1e3, 0.0, -1e3][shape % 3];
            let value = (minima::number(0, r) + more).to_le_bytes();
            entry[size / 2..].copy_from_slice(&value[8 - size / 2..]);
        }
    }
    pointer(state)
}

/// `InputValue<int>`: a number, zero in every other shape, or a pointer to one.
fn start_value(shape: usize) -> Argument {
    let mut bytes = vec![0; 16];
    if shape % 5 != 1 {
        let value: u32 = [0, 1000][shape % 2];
        bytes[8..12].copy_from_slice(&value.to_le_bytes());
        return Argument::Bytes(bytes);
    }
    bytes[0] = 1;
    Argument::Structure {
        bytes,
        pointers: vec![(8, Buffer::Whole(77u32.to_le_bytes().into()))],
    }
}

/// One pass of the sort: the bins must start where the counts of smaller digits end.
/// In the third shape all digits are equal, for which the kernel has a short cut.
fn onesweep(threads: u32, tile: u32, shape: usize, r: &mut Random) -> Scenario {
    let (n, bit) = match shape {
        0..3 => [(500, 0), (tile + 1000, 8), (2 * tile, 24)][shape],
        // A partial tile has a path for each number of items in its last warp, and code
        // for each of a thread's items.
        3..5 => (1 + r.below(tile.into()) as u32, 16),
        // All digits are equal here as well.
        5 => (tile - 1 - r.below(32) as u32, 24),
        6 => (tile - 1 - r.below(threads.into()) as u32, 8),
        _ => (2 * tile - 1 - r.below(threads.into()) as u32, 16),
    };
    let keys: Vec<_> = (0..n).map(|_| key(shape, r)).collect();
    let mut starts = [0; BINS as usize];
    for key in &keys {
        let digit = (key >> bit & (BINS - 1)) as usize;
        starts[digit + 1..].iter_mut().for_each(|start| *start += 1);
    }
    let tiles = n.div_ceil(tile);
    let arguments = vec![
        zeros(tiles * BINS * 4),
        zeros(4),
        garbage(r, BINS * 4),
        Argument::Buffer(words(starts)),
        garbage(r, n * 4),
        Argument::Buffer(words(keys)),
        garbage(r, n * 4),
        garbage(r, n * 4),
        int(n),
        int(bit),
        int(8),
        empty(),
    ];
    line(tiles, threads, arguments)
}
