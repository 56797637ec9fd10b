//! What the pipeline reads: a function, and what is known of it besides.

use super::narrow::Halves;
use crate::function::{Block, Function};
use crate::launch::LaunchBounds;
use crate::launch::call_graph::Caller;
use crate::machine::Machine;
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;
use crate::prediction::Setting;
use crate::prediction::meaning::Texts;
use crate::schedule::Dependences;

/// A function to be compiled.
#[derive(Clone, Debug)]
pub struct Input {
    /// The function, valid for the machine. Its blocks have the frequencies that the caller
    /// knows or guesses.
    pub function: Function,
    /// The machine, with all of its registers.
    pub machine: Machine,
    /// The frequencies were counted, not guessed.
    pub is_profiled: bool,
    /// Blocks, with those of their successors to which control goes where two numbers that are
    /// not constant are equal; not where something says how often that is.
    pub taken_if_equal: Vec<(Block, Block)>,
    /// What has to stay in order; none if instructions may not change places.
    pub dependences: Option<Dependences>,
    /// What concerns a GPU alone; none for another target.
    pub gpu: Option<Gpu>,
}

/// What is known of a function for a GPU.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Where it runs.
    pub sm: &'static StreamingMultiprocessor,
    /// Its launch bounds, if it is a kernel.
    pub launch: LaunchBounds,
    /// The kernels that reach it, if it is none itself.
    pub callers: Vec<Caller>,
    /// How much of their 64-bit sources instructions read.
    pub halves: Halves,
    /// What the texts of the instructions say to ptxas.
    pub texts: Texts,
    /// The warp is given registers, or gives some away, as it goes.
    pub moves_registers: bool,
}

impl Gpu {
    /// What the prediction goes by; with `counts_calls`, knob 649, what is called counts.
    pub fn prediction_setting(&self, counts_calls: bool) -> Setting<'_> {
        let block = self.launch.known_threads().map(|_| self.launch.block());
        Setting {
            texts: &self.texts,
            asked: self.launch.asked_registers(self.sm),
            most: block.and_then(|block| self.sm.most_registers(&block, 1)),
            sm: self.sm.version,
            moves_registers: self.moves_registers,
            counts_calls,
        }
    }
}
