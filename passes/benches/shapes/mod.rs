//! Functions of three shapes and any size, for the scaling benchmark.

use passes::function::{
    Function, FunctionBuilder, InstructionFlags, InstructionKind, Operand, VirtualRegister,
};
use passes::machine::gpu;

/// Values that are live side by side.
const WINDOW: usize = 48;
/// Values of one block, at most, in the shapes with many.
const BLOCK: usize = 40;
/// The fewest blocks' values that a function is cut into, so that a small one has its
/// shape too.
const LEAST_BLOCKS: usize = 5;

/// A shape of function.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// One block.
    Straight,
    /// Loops three deep, one after the other.
    LoopNests,
    /// A chain of diamonds.
    ManyBlocks,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 3] = [Self::Straight, Self::LoopNests, Self::ManyBlocks];

    /// A function with about this many virtual registers.
    pub fn function(self, values: usize) -> Function {
        let mut code = Code {
            builder: FunctionBuilder::new("scaling"),
            window: Vec::new(),
            random: fastrand::Rng::with_seed(1),
            block: BLOCK.min(values / LEAST_BLOCKS),
        };
        match self {
            Self::Straight => {
                code.builder.start_block(1.0, 0, &[]);
                code.values(values);
            }
            Self::LoopNests => code.loop_nests(values),
            Self::ManyBlocks => code.diamonds(values),
        }
        code.finish()
    }
}

struct Code {
    builder: FunctionBuilder,
    /// The values that later code may read.
    window: Vec<VirtualRegister>,
    random: fastrand::Rng,
    /// Values of one block.
    block: usize,
}

impl Code {
    /// So many definitions, each from two of the values before it; one in eight is
    /// a copy and one in four a pair.
    fn values(&mut self, count: usize) {
        for number in 0..count {
            let class = match number % 4 {
                0 => gpu::PAIR,
                _ => gpu::SINGLE32,
            };
            let value = self.builder.virtual_register(class);
            if self.window.len() < 4 {
                self.builder.plain(&[Operand::write(value)]);
                self.window.push(value);
                continue;
            }
            let [a, b] = [0; 2].map(|_| self.random.usize(0..self.window.len()));
            let (a, b) = (self.window[a], self.window[b]);
            let same_class = self.builder.function().virtual_registers[a].class == class;
            if number % 8 == 3 && same_class {
                self.builder.copy(value, a);
            } else {
                let operands = [Operand::write(value), Operand::read(a), Operand::read(b)];
                self.builder.plain(&operands);
            }
            if self.window.len() == WINDOW {
                let oldest = self.random.usize(0..WINDOW / 2);
                self.window.remove(oldest);
            }
            self.window.push(value);
        }
    }

    fn branch(&mut self) {
        let condition = Operand::read(self.window[self.window.len() - 1]);
        let flags = InstructionFlags::TERMINATOR;
        self.builder
            .push(InstructionKind::Plain, flags, &[condition], None);
    }

    fn loop_nests(&mut self, values: usize) {
        let mut before = self.builder.start_block(1.0, 0, &[]);
        self.values(self.block);
        for _ in 0..values / (4 * self.block) {
            let mut headers = Vec::new();
            for depth in 1..=3 {
                let header = self
                    .builder
                    .start_block(10f64.powi(depth), depth as u32, &[]);
                self.builder.edge(before, header);
                self.values(self.block);
                headers.push(header);
                before = header;
            }
            for (depth, header) in headers.into_iter().enumerate().rev() {
                let frequency = 10f64.powi(depth as i32 + 1);
                let latch = self.builder.start_block(frequency, depth as u32 + 1, &[]);
                self.builder.edge(before, latch);
                self.builder.edge(latch, header);
                self.values(self.block / 4);
                self.branch();
                before = latch;
            }
        }
        let exit = self.builder.start_block(1.0, 0, &[]);
        self.builder.edge(before, exit);
    }

    fn diamonds(&mut self, values: usize) {
        let mut above = self.builder.start_block(1.0, 0, &[]);
        self.values(self.block);
        for _ in 0..values / (2 * self.block) {
            self.branch();
            let outer = self.window.clone();
            let arms = [0; 2].map(|_| {
                let arm = self.builder.start_block(0.5, 0, &[]);
                self.builder.edge(above, arm);
                self.window.clone_from(&outer);
                self.values(self.block / 2);
                arm
            });
            // Below, only what was there above the arms is defined on both ways.
            self.window = outer;
            let below = self.builder.start_block(1.0, 0, &[]);
            for arm in arms {
                self.builder.edge(arm, below);
            }
            self.values(self.block);
            above = below;
        }
    }

    fn finish(mut self) -> Function {
        let last: Vec<_> = self
            .window
            .iter()
            .map(|&value| Operand::read(value))
            .collect();
        self.builder.plain(&last);
        self.builder.finish()
    }
}
