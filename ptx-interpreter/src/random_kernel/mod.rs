//! Random kernels in LLVM IR, for comparing what they compute before and after
//! register allocation.
//!
//! A kernel has a set of variables of several types. Each statement changes some of
//! them, most often in a way that can be undone, so that an early mistake is not
//! forgotten; at the end all of them are stored. So all are live all the time, and
//! a budget below their number needs spills.
//!
//! Nothing in a kernel is undefined: shifts and divisors are in range,
//! floating-point numbers stay finite and small enough to be converted to integers,
//! indices are masked. Each thread writes its own part of global memory. Shared
//! memory is written and read by turns with barriers between, and barriers, shuffles
//! and votes stand where all threads of a block come together: outside of branches
//! and loops that depend on the thread.
//!
//! The parameters are those of [`scenario`]: [`IN_BYTES`] to read, [`OUT_BYTES`] a
//! thread to write, and four scalars.

mod assign;
mod statement;
mod text;

use crate::kernels::{Argument, Scenario};
use crate::random::Random;
use text::{Body, Kind, Variable};

/// Bytes of the buffer that a kernel reads, a power of two.
pub const IN_BYTES: u32 = 1 << 16;
/// Bytes that each thread may write.
pub const OUT_BYTES: u32 = 512;
/// Names of kernels begin so.
pub const PREFIX: &str = "random_kernel_";

/// Blocks and threads of the launches: always whole warps.
const SHAPES: [(u32, u32); crate::kernels::SHAPES] = [(2, 64), (4, 96), (3, 128)];
/// The most threads in a block.
const MOST_THREADS: u32 = 128;
/// Words of shared memory for each thread.
const SHARED_WORDS: u32 = 4;
/// Words in a local array, a power of two.
const LOCAL_WORDS: u32 = 16;
/// About so many statements are executed by a thread in each function, at most.
const MOST_COST: u64 = 1000;

/// What to launch a random kernel with.
pub fn scenario(shape: usize, random: &mut Random) -> Scenario {
    let (blocks, threads) = SHAPES[shape];
    let mut garbage = |bytes: u32| {
        let mut out = vec![0; bytes as usize];
        random.fill(&mut out);
        out
    };
    let (from, to) = (garbage(IN_BYTES), garbage(OUT_BYTES * blocks * threads));
    let (n, m) = (garbage(4), garbage(8));
    let (x, y) = (1.5 + shape as f32 * 0.25, -2.75 + shape as f64);
    Scenario {
        blocks: [blocks, 1, 1],
        executed: None,
        threads: [threads, 1, 1],
        arguments: vec![
            Argument::Buffer(from),
            Argument::Buffer(to),
            Argument::Bytes(n),
            Argument::Bytes(m),
            Argument::Bytes(x.to_le_bytes().into()),
            Argument::Bytes(y.to_le_bytes().into()),
        ],
    }
}

/// A function that kernels call.
#[derive(Clone)]
struct Callee {
    name: String,
    parameters: Vec<Kind>,
    result: Kind,
    /// Statements that it executes.
    cost: u64,
}

/// A module with one kernel, `random_kernel_SEED`.
pub fn random_kernel(seed: u64) -> String {
    let random = Random::new(seed ^ 0x006b_6572_6e65_6c73);
    let mut module = Generator {
        random,
        callees: Vec::new(),
        kernel: false,
        size: 1,
        cost: 0,
        rounds: 1,
    };
    module.size = 1 + module.random.below(3);
    let mut out = format!(
        "; Random kernel {seed}\n\
         target triple = \"nvptx64-nvidia-cuda\"\n\n\
         @shared = internal addrspace(3) global [{} x i32] undef, align 16\n",
        MOST_THREADS * SHARED_WORDS
    );
    for number in 0..module.random.below(4) {
        out += &module.function(number);
    }
    out += &module.kernel(&format!("{PREFIX}{seed}"));
    out += text::DECLARATIONS;
    out
}

struct Generator {
    random: Random,
    callees: Vec<Callee>,
    /// Whether the body is the kernel's.
    kernel: bool,
    /// How many variables and statements there are, from 1 to 3.
    size: u64,
    /// Statements that the function executes as far as it is written.
    cost: u64,
    /// How often a statement written now is executed.
    rounds: u64,
}

impl Generator {
    fn below(&mut self, end: u64) -> u64 {
        self.random.below(end)
    }

    fn once_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// A function of a few parameters and one result.
    fn function(&mut self, number: u64) -> String {
        self.kernel = false;
        self.cost = 0;
        let kinds = [Kind::I32, Kind::I64, Kind::F32, Kind::F64, Kind::I32];
        let mut parameters = vec![Kind::I32];
        for _ in 0..1 + self.below(4) {
            parameters.push(self.pick(&kinds));
        }
        let result = self.pick(&kinds);
        let mut body = Body::default();
        for (index, &kind) in parameters.iter().enumerate() {
            let name = format!("%p{index}");
            body.variables.push(Variable::new(kind, name));
        }
        // Each type occurs, so that expressions find their operands.
        for kind in Kind::ALL {
            let value = self.converted(&mut body, kind);
            body.variables.push(Variable::new(kind, value));
        }
        if self.once_in(2) {
            self.local_array(&mut body);
        }
        for _ in 0..3 + self.below(6) {
            self.statement(&mut body, 1, false);
        }
        let mixed = self.mixed(&mut body, result);
        let name = format!("device_{number}");
        let list: Vec<_> = parameters
            .iter()
            .enumerate()
            .map(|(index, kind)| format!("{kind} %p{index}"))
            .collect();
        let text = format!(
            "\ndefine internal {result} @{name}({}) noinline {{\nentry:\n{}  ret {result} {mixed}\n}}\n",
            list.join(", "),
            body.text
        );
        self.callees.push(Callee {
            name,
            parameters,
            result,
            cost: self.cost,
        });
        text
    }

    fn kernel(&mut self, name: &str) -> String {
        self.kernel = true;
        self.cost = 0;
        let mut body = Body::default();
        body.text += text::PROLOGUE;
        for (kind, name) in [
            (Kind::I32, "%n"),
            (Kind::I64, "%m"),
            (Kind::F32, "%x"),
            (Kind::F64, "%y"),
            (Kind::I32, "%global"),
        ] {
            body.variables.push(Variable::new(kind, name.to_owned()));
        }
        for _ in 0..1 + 2 * self.size {
            self.load_vector(&mut body);
        }
        for kind in Kind::ALL {
            let count = match kind {
                Kind::I1 => 2 + self.below(4 * self.size),
                Kind::I16 => 1 + self.below(2 * self.size),
                Kind::F64 | Kind::I64 => 2 + self.below(3 * self.size),
                Kind::I32 => 0,
                Kind::F32 => 2 + self.below(4 * self.size),
            };
            for _ in 0..count {
                let value = self.converted(&mut body, kind);
                body.variables.push(Variable::new(kind, value));
            }
        }
        if !self.once_in(3) {
            self.local_array(&mut body);
        }
        for _ in 0..4 + self.below(6 * self.size) {
            self.statement(&mut body, 0, true);
        }
        for callee in 0..self.callees.len() {
            if !body
                .text
                .contains(&format!("@{}(", self.callees[callee].name))
            {
                self.call(&mut body, callee);
            }
        }
        self.store_all(&mut body);
        format!(
            "\ndefine ptx_kernel void @{name}(ptr %in, ptr %out, i32 %n, i64 %m, float %x, double %y) {{\n\
             entry:\n{}  ret void\n}}\n",
            body.text
        )
    }
}
