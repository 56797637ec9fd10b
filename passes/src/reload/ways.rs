//! The ways from a block's immediate dominator to the block.
//!
//! What stands at the start of a block can stand at the end of the dominator as well if no
//! block between the two is in its way: all paths to the block lead through the dominator,
//! and then through those only. Paths may leave it for elsewhere; the dominator must run no
//! more often than the block, so that nothing is executed for their sake. Nothing moves out
//! of a loop: what is between would contain the block itself. Where control may come
//! from the middle of a block, or registers are set on entry, there is no way.
//!
//! Time: dominators once, and for each block that is asked for at most [`MOST_BETWEEN`]
//! blocks. Source: Cooper, Harvey and Kennedy 2001 for the dominators.

use crate::analysis::control_flow::immediate_dominators;
use crate::function::{Block, Function};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use std::rc::Rc;

/// More blocks than this between a dominator and a block are too many to look at.
const MOST_BETWEEN: usize = 16;
/// How much more often a dominator may run: frequencies are rounded where paths part.
const ROUNDING: f64 = 1.001;

/// The way to a block.
pub struct Way {
    /// Its immediate dominator.
    pub above: Block,
    /// The blocks on paths from there.
    pub between: Vec<Block>,
}

/// The ways that were asked for.
pub struct Ways<'a> {
    function: &'a Function,
    dominators: SecondaryMap<Block, PackedOption<Block>>,
    known: SecondaryMap<Block, Option<Option<Rc<Way>>>>,
}

impl<'a> Ways<'a> {
    /// None is known.
    pub fn new(function: &'a Function) -> Self {
        Self {
            function,
            dominators: immediate_dominators(function),
            known: SecondaryMap::new(),
        }
    }

    /// The way to a block, if there is one.
    pub fn to(&mut self, block: Block) -> Option<Rc<Way>> {
        if self.known[block].is_none() {
            self.known[block] = Some(self.find(block).map(Rc::new));
        }
        self.known[block].clone().flatten()
    }

    fn find(&self, block: Block) -> Option<Way> {
        let blocks = &self.function.blocks;
        let above = self.dominators[block].expand()?;
        if blocks[above].frequency > blocks[block].frequency * ROUNDING {
            return None;
        }
        let is_plain = |block: Block| {
            let data = &blocks[block];
            !data.landing && data.clobbers.is_none() && data.live_in.is_empty()
        };
        let mut between: Vec<Block> = Vec::new();
        let mut waiting = vec![block];
        while let Some(one) = waiting.pop() {
            if !is_plain(one) || between.len() > MOST_BETWEEN {
                return None;
            }
            for &from in &blocks[one].predecessors {
                // Blocks that nothing reaches lead to others all the same.
                if from == block || from != above && self.dominators[from].is_none() {
                    return None;
                }
                if from != above && !between.contains(&from) {
                    between.push(from);
                    waiting.push(from);
                }
            }
        }
        Some(Way { above, between })
    }
}
