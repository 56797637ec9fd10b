//! Launch bounds: what a kernel promises about its blocks, and what it wants of them.
//!
//! The names are those of LLVM's function attributes, which become PTX's directives
//! `.maxnreg`, `.maxntid`, `.reqntid` and `.minnctapersm`.

pub mod call_graph;
pub mod occupancy;

use crate::machine::occupancy::BlockResources;
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Threads of a block where the kernel does not say.
pub const ASSUMED_THREADS: u32 = 256;

/// The largest alignment of what lies in shared memory: that of the widest access.
pub const SHARED_ALIGNMENT: u32 = 16;

/// What the attributes of a function say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchBounds {
    /// `nvvm.maxnreg`: at most so many registers a thread.
    pub registers: Option<u32>,
    /// `nvvm.maxntid`: at most so many threads a block.
    pub most_threads: Option<u32>,
    /// `nvvm.reqntid`: just so many.
    pub threads: Option<u32>,
    /// The same for each dimension.
    pub dimensions: Option<[u32; 3]>,
    /// `nvvm.minctasm`: at least so many resident blocks. As in PTX this says nothing
    /// without a block size.
    pub blocks: Option<u32>,
    /// Bytes of shared memory that the function is known to use.
    pub shared_memory: u32,
    /// The function has an array in shared memory whose size the launch decides.
    pub dynamic_shared_memory: bool,
    /// Inline assembly may use shared memory that nothing else knows of.
    pub hidden_shared_memory: bool,
    /// The function calls others, and other modules define functions of the program: ptxas
    /// compiles each by itself, and the linker refuses a kernel with fewer registers than one that
    /// it calls.
    pub linked_calls: bool,
    /// ptxas refuses a lower bound on registers, because of the instructions of the function;
    /// 0 if none of them asks for many at once.
    pub fewest_registers: u32,
}

impl LaunchBounds {
    /// Threads of the largest block, if the kernel says.
    pub fn known_threads(&self) -> Option<u32> {
        self.threads.or(self.most_threads)
    }

    /// Where an array more would begin in shared memory, in bytes.
    pub fn free_shared_memory(&self) -> u32 {
        let begin = self
            .shared_memory
            .checked_next_multiple_of(SHARED_ALIGNMENT);
        begin.unwrap_or(u32::MAX)
    }

    /// Adds an array to the shared memory.
    pub fn add_shared_memory(&mut self, bytes: u32) {
        self.shared_memory = self.free_shared_memory().saturating_add(bytes);
    }

    /// The largest block, so far without registers.
    pub fn block(&self) -> BlockResources {
        BlockResources {
            threads: self.known_threads().unwrap_or(ASSUMED_THREADS),
            registers: 0,
            shared_memory: self.shared_memory,
        }
    }

    /// The most registers a thread may have with as many blocks resident as the kernel asks
    /// for; none if it does not ask.
    pub fn asked_registers(&self, sm: &StreamingMultiprocessor) -> Option<u32> {
        self.known_threads()?;
        let blocks = self.blocks.filter(|&blocks| blocks > 0)?;
        sm.most_registers(&self.block(), blocks)
    }

    /// The resident blocks that have so many percent of the warps that an SM can hold.
    pub fn blocks_for(&self, sm: &StreamingMultiprocessor, percent: u32) -> u32 {
        let warps = (percent * sm.warps).div_ceil(100);
        warps.div_ceil(self.block().warps())
    }

    /// The lowest bound on registers a thread that ptxas keeps; it warns of lower ones, or
    /// refuses them.
    pub fn lowest_bound(&self, sm: &StreamingMultiprocessor) -> u32 {
        self.fewest_registers.max(sm.least_registers_per_thread)
    }

    /// Where the block size comes from, for messages.
    pub fn block_size(&self) -> impl fmt::Display + use<> {
        match (self.threads, self.most_threads) {
            (Some(threads), _) => format!("nvvm.reqntid={threads}"),
            (None, Some(threads)) => format!("nvvm.maxntid={threads}"),
            (None, None) => format!("blocks of {ASSUMED_THREADS} threads"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_asked_for_with_a_size() {
        let sm = StreamingMultiprocessor::nearest(90);
        let asked = |threads, blocks| {
            let bounds = LaunchBounds {
                most_threads: threads,
                blocks,
                ..LaunchBounds::default()
            };
            bounds.asked_registers(sm)
        };
        assert_eq!(asked(Some(256), Some(1)), Some(255));
        assert_eq!(asked(Some(256), Some(4)), Some(64));
        assert_eq!(asked(Some(256), None), None);
        assert_eq!(asked(Some(256), Some(0)), None);
        assert_eq!(asked(None, Some(1)), None);
    }
}
