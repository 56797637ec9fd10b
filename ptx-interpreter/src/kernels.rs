//! Arguments that make kernels do real work within bounds: a table for the kernels in
//! `examples/`, and a guess for all others.

mod calls;
mod cub;
mod minima;
mod triton;

use half::f16;

use crate::memory::GlobalMemory;
use crate::module::{Function, Parameter};
use crate::random::Random;
use crate::random_kernel;

/// Shapes and arguments each kernel is tried with, at least.
pub const SHAPES: usize = 3;

/// Those of kernels about which nothing is known.
const GUESSES: usize = SHAPES + 2;

/// Shapes and arguments that a kernel is tried with.
pub fn shapes(kernel: &Function) -> usize {
    match &kernel.name[..] {
        "integrate" => calls::PROGRAMS,
        // The last one has blocks that end within a warp.
        "filter" => SHAPES + 1,
        name if triton::knows(name) => triton::SHAPES,
        _ if known(kernel, 0, &mut Random::new(0)).is_none() => GUESSES,
        name => cub::shapes(name),
    }
}

/// A kernel's argument.
#[derive(Debug, Clone)]
pub enum Argument {
    /// A pointer to a buffer of its own.
    Buffer(Vec<u8>),
    /// A pointer so many bytes into a buffer of its own.
    Inside(usize, Vec<u8>),
    /// A scalar or structure.
    Bytes(Vec<u8>),
    /// A structure with pointers to buffers in it.
    Structure {
        /// The bytes, of which the pointers' are ignored.
        bytes: Vec<u8>,
        /// Where the pointers lie, in order, and their buffers.
        pointers: Vec<(usize, Buffer)>,
    },
    /// A pointer to a buffer of which only parts are there.
    Parts(Parts),
}

/// Parts of a buffer too large to be there, each so many bytes from where it begins.
pub type Parts = Vec<(i64, Vec<u8>)>;

/// What a pointer in a structure points to.
#[derive(Debug, Clone)]
pub enum Buffer {
    /// All of it.
    Whole(Vec<u8>),
    /// Parts of it.
    Parts(Parts),
}

impl Argument {
    /// The bytes to pass. The buffers are allocated in `memory`, in order, under `name`.
    pub fn bytes(&self, name: &str, memory: &mut GlobalMemory) -> Vec<u8> {
        let address = match self {
            Self::Buffer(buffer) => memory.allocate(name, buffer.clone()),
            Self::Inside(start, buffer) => memory.allocate(name, buffer.clone()) + *start as u64,
            Self::Bytes(bytes) => return bytes.clone(),
            Self::Structure { bytes, pointers } => {
                let mut bytes = bytes.clone();
                for (at, buffer) in pointers {
                    let address = match buffer {
                        Buffer::Whole(buffer) => memory.allocate(name, buffer.clone()),
                        Buffer::Parts(parts) => memory.allocate_parts(name, parts),
                    };
                    bytes[*at..at + 8].copy_from_slice(&address.to_le_bytes());
                }
                return bytes;
            }
            Self::Parts(parts) => memory.allocate_parts(name, parts),
        };
        address.to_le_bytes().into()
    }
}

/// A launch whose buffers have no addresses yet.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Blocks in each dimension.
    pub blocks: [u32; 3],
    /// Threads of a block in each dimension.
    pub threads: [u32; 3],
    /// If not all of the blocks are executed, how many: the first ones.
    pub executed: Option<u32>,
    /// The arguments in order.
    pub arguments: Vec<Argument>,
}

fn ints(values: impl IntoIterator<Item = i32>) -> Argument {
    Argument::Bytes(values.into_iter().flat_map(i32::to_le_bytes).collect())
}

fn int(value: u32) -> Argument {
    Argument::Bytes(value.to_le_bytes().into())
}

fn float(value: f32) -> Argument {
    Argument::Bytes(value.to_le_bytes().into())
}

fn double(value: f64) -> Argument {
    Argument::Bytes(value.to_le_bytes().into())
}

fn real(random: &mut Random) -> f32 {
    (random.below(1 << 24) as f32 / (1 << 22) as f32) - 2.0
}

/// Some of them zero.
fn floats(random: &mut Random, count: u32) -> Argument {
    buffer((0..count).map(|_| match random.below(16) {
        0 => 0.0,
        _ => real(random),
    }))
}

fn buffer(values: impl IntoIterator<Item = f32>) -> Argument {
    Argument::Buffer(values.into_iter().flat_map(f32::to_le_bytes).collect())
}

fn doubles(random: &mut Random, count: u32) -> Argument {
    Argument::Buffer(
        (0..count)
            .flat_map(|_| f64::from(real(random)).to_le_bytes())
            .collect(),
    )
}

fn garbage(random: &mut Random, bytes: u32) -> Argument {
    let mut out = vec![0; bytes as usize];
    random.fill(&mut out);
    Argument::Buffer(out)
}

fn zeros(bytes: u32) -> Argument {
    Argument::Buffer(vec![0; bytes as usize])
}

/// What to launch `kernel` with.
pub fn scenario(kernel: &Function, shape: usize, seed: u64) -> Scenario {
    let r = &mut Random::new(seed ^ 0x6172_6773);
    known(kernel, shape, r).unwrap_or_else(|| guess(kernel, shape, r))
}

/// The same for kernels of which it is known what they are for.
fn known(kernel: &Function, shape: usize, r: &mut Random) -> Option<Scenario> {
    if kernel.name.starts_with(random_kernel::PREFIX) {
        return Some(random_kernel::scenario(shape, r));
    }
    let mut scenario = example(&kernel.name, shape, r)
        .or_else(|| cub::scenario(kernel, shape, r))
        .or_else(|| triton::scenario(kernel, shape, r))?;
    // Lengths may be of 64 bits where the table has 32.
    for (p, argument) in kernel.parameters.iter().zip(&mut scenario.arguments) {
        if let Argument::Bytes(bytes) = argument
            && p.scalar.is_some_and(|kind| !kind.is_float())
            && bytes.len() < p.size
        {
            bytes.resize(p.size, 0);
        }
    }
    Some(scenario)
}

fn line(blocks: u32, threads: u32, arguments: Vec<Argument>) -> Scenario {
    Scenario {
        blocks: [blocks, 1, 1],
        threads: [threads, 1, 1],
        executed: None,
        arguments,
    }
}

fn example(name: &str, shape: usize, r: &mut Random) -> Option<Scenario> {
    Some(match name {
        "gemm" => {
            let (bx, by, k) = [(1, 1, 8), (2, 1, 16), (1, 2, 24)][shape];
            let (m, n) = (128 * by, 128 * bx);
            let (a, b, c) = (floats(r, m * k), floats(r, k * n), floats(r, m * n));
            let arguments = vec![a, b, c, int(m), int(n), int(k), float(1.5), float(-0.25)];
            Scenario {
                blocks: [bx, by, 1],
                threads: [256, 1, 1],
                executed: None,
                arguments,
            }
        }
        "softmax" => {
            let (rows, cols) = [(7, 100), (4, 256), (3, 1000)][shape];
            let (from, to) = (floats(r, rows * cols), garbage(r, rows * cols * 4));
            line(rows.div_ceil(4), 128, vec![from, to, int(rows), int(cols)])
        }
        "layernorm" => {
            let (rows, cols4, threads) = [(3, 50, 64), (2, 128, 128), (4, 33, 96)][shape];
            let x = floats(r, rows * cols4 * 4);
            let (gain, bias) = (floats(r, cols4 * 4), floats(r, cols4 * 4));
            let (y, stats) = (garbage(r, rows * cols4 * 16), garbage(r, rows * 8));
            line(
                rows,
                threads,
                vec![x, gain, bias, y, stats, int(cols4), float(1e-5)],
            )
        }
        "layernorm_backward" => {
            let (rows, cols, threads) = [(3, 200, 64), (2, 128, 128), (4, 131, 96)][shape];
            let (x, dy) = (floats(r, rows * cols), floats(r, rows * cols));
            let (gain, stats) = (floats(r, cols), floats(r, rows * 2));
            let (dx, dgain) = (garbage(r, rows * cols * 4), floats(r, cols));
            line(
                rows,
                threads,
                vec![x, dy, gain, stats, dx, dgain, floats(r, cols), int(cols)],
            )
        }
        "nbody" => {
            let n = [100, 256, 300][shape];
            let (from, to, vel) = (floats(r, n * 4), garbage(r, n * 16), floats(r, n * 4));
            line(
                n.div_ceil(256),
                128,
                vec![from, to, vel, int(n), float(0.01), float(0.1)],
            )
        }
        "sha256" => {
            let (blocks, threads) = [(1, 64), (2, 32), (1, 40)][shape];
            let digest = ints((0..8).map(|_| r.bits() as i32));
            let tail = ints((0..3).map(|_| r.bits() as i32));
            let found = garbage(r, blocks * threads * 4);
            let (first, target) = (int(r.bits() as u32), int(0x6000_0000));
            line(
                blocks,
                threads,
                vec![digest, tail, first, target, found, zeros(4)],
            )
        }
        "fft512" => {
            let blocks = [1, 2, 3][shape];
            line(
                blocks,
                64,
                vec![floats(r, blocks * 1024), garbage(r, blocks * 4096)],
            )
        }
        "wave" => {
            let (nx, ny, nz) = [(40, 16, 10), (50, 20, 11), (72, 16, 9)][shape];
            let n = nx * ny * nz;
            let mut arguments = vec![doubles(r, n), doubles(r, n), doubles(r, n), doubles(r, n)];
            arguments.extend([int(nx), int(ny), int(nz), double(0.125), double(0.75)]);
            let blocks = [(nx - 8).div_ceil(32), (ny - 8u32).div_ceil(8), 1];
            Scenario {
                blocks,
                threads: [32, 8, 1],
                executed: None,
                arguments,
            }
        }
        "mandelbrot" => {
            let (w, h, limit) = [(40, 20, 60), (33, 17, 200), (64, 8, 25)][shape];
            let keys = buffer((0..16).map(|i| (i * i) as f32 * 0.75));
            let mut arguments = vec![garbage(r, w * h * 4), int(w), int(h), float(-2.1)];
            arguments.extend([float(-1.2), float(2.5 / h as f32), int(limit), keys]);
            arguments.extend([garbage(r, 16 * 4), int(16)]);
            let blocks = [w.div_ceil(16), h.div_ceil(8), 1];
            Scenario {
                blocks,
                threads: [16, 8, 1],
                executed: None,
                arguments,
            }
        }
        "classify" => {
            let (n, m) = [(60, 50), (10, 128), (200, 33)][shape];
            let mut boxes: Vec<_> = (0..n).map(|_| a_box(r)).collect();
            boxes.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let sorted = buffer(boxes.iter().map(|b| b[0]).collect::<Vec<_>>());
            let queries = buffer((0..m).flat_map(|_| a_box(r)).collect::<Vec<_>>());
            let boxes = buffer(boxes.into_iter().flatten());
            let arguments = vec![boxes, sorted, int(n), queries, garbage(r, m * 16), int(m)];
            line(m.div_ceil(64), 64, arguments)
        }
        "integrate" => calls::integrate(shape, r),
        "histogram8" => {
            let (blocks, threads, n) = [(1, 256, 900), (2, 96, 1500), (3, 160, 100)][shape];
            let (pixels, result) = (garbage(r, n * 16), garbage(r, 1024));
            line(blocks, threads, vec![pixels, result, int(n)])
        }
        "histogram_float" => {
            let (blocks, threads, n) = [(1, 256, 1000), (2, 96, 700), (3, 160, 100)][shape];
            let (values, result) = (floats(r, n), garbage(r, 1024));
            line(
                blocks,
                threads,
                vec![values, result, int(n), float(-1.5), float(80.0)],
            )
        }
        "filter" => {
            let (blocks, threads, n) =
                [(2, 64, 100), (1, 96, 96), (3, 128, 350), (3, 80, 230)][shape];
            let (values, kept) = (floats(r, n), garbage(r, n * 4));
            line(
                blocks,
                threads,
                vec![values, kept, zeros(4), int(n), float(0.25)],
            )
        }
        "attention" => {
            let (length, heads) = [(20, 2), (70, 1), (130, 1)][shape];
            let n = length * heads * 64;
            let arguments = vec![
                floats(r, n),
                floats(r, n),
                floats(r, n),
                garbage(r, n * 4),
                int(length),
                float(0.125),
            ];
            let blocks = [length.div_ceil(128), heads, 1];
            Scenario {
                blocks,
                threads: [128, 1, 1],
                executed: None,
                arguments,
            }
        }
        "mma_gemm" => {
            let (m, n, k) = [(32, 64, 16), (64, 128, 48), (96, 64, 32)][shape];
            let warps = m / 32 * (n / 64);
            let arguments = vec![
                halves(r, m * k),
                halves(r, k * n),
                garbage(r, m * n * 4),
                int(m),
                int(n),
                int(k),
            ];
            line(warps.div_ceil(4), 128, arguments)
        }
        _ => return None,
    })
}

/// Half-precision numbers from -2 to 2.
fn halves(random: &mut Random, count: u32) -> Argument {
    let half = |_| f16::from_f32(real(random)).to_le_bytes();
    Argument::Buffer((0..count).flat_map(half).collect())
}

/// Lower corner, then upper corner.
fn a_box(r: &mut Random) -> [f32; 6] {
    let low = [real(r), real(r), real(r)];
    let high = low.map(|x| x + 0.25 * (real(r) + 2.1));
    [low[0], low[1], low[2], high[0], high[1], high[2]]
}

/// Pointers get a buffer with small numbers, scalars are small numbers: in the last shapes
/// multiples of sixteen, as lengths and strides often must be, and blocks are as large as
/// the kernel was compiled for.
fn guess(kernel: &Function, shape: usize, r: &mut Random) -> Scenario {
    let (blocks, threads) = [(1, 32), (2, 64), (1, 96), (2, 64), (1, 96)][shape];
    let most = kernel.most_threads.map(|most| most as u32);
    let is_round = shape >= SHAPES;
    let argument = |p: &Parameter, r: &mut Random| match (p.pointer, p.scalar) {
        (true, _) => Argument::Buffer(
            (0..16384)
                .flat_map(|_| (r.below(7) as u32).to_le_bytes())
                .collect(),
        ),
        (false, Some(kind)) if kind.is_float() && p.size == 4 => float(real(r)),
        (false, Some(kind)) if kind.is_float() && p.size == 8 => double(real(r).into()),
        (false, Some(_)) => {
            let value = match is_round {
                true => 16 * (1 + r.below(2)),
                false => 1 + shape as u64 * 3 + r.below(3),
            };
            Argument::Bytes(value.to_le_bytes()[..p.size].into())
        }
        (false, None) => {
            let mut bytes = vec![0; p.size];
            r.fill(&mut bytes);
            Argument::Bytes(bytes)
        }
    };
    let arguments = kernel.parameters.iter().map(|p| argument(p, r)).collect();
    let threads = match most {
        Some(most) if is_round => most,
        most => threads.min(most.unwrap_or(1024)),
    };
    line(blocks, threads, arguments)
}
