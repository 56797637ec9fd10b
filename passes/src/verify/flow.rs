//! Carries the state over the control flow graph to a fixpoint.

use super::fault::Fault;
use super::plan::Plan;
use super::replay::Replay;
use super::state::Snapshot;
use crate::function::{Block, Function, VirtualRegister};
use cranelift_entity::SecondaryMap;
use std::collections::BTreeSet;

/// Replays all blocks that can be reached until nothing changes. Blocks that
/// cannot be reached do not run, whatever they read.
///
/// A landing block starts with what is known both at the ends of its
/// predecessors and where control may leave them.
///
/// What is known at a block's start only ever shrinks, so what is missing in
/// one visit is missing in all later ones, and a fault is final when it is
/// first seen. `undefined` are values that may be read where they were not yet
/// defined; there, any register will do for them.
pub(super) fn run(plan: &Plan, undefined: &[VirtualRegister]) -> Result<(), Fault> {
    let function = plan.function;
    let order = reverse_postorder(function);
    let mut numbers = SecondaryMap::with_default(u32::MAX);
    for (number, &block) in order.iter().enumerate() {
        numbers[block] = number as u32;
    }
    let mut replay = Replay::new(plan);
    let mut at_start: Vec<Option<Snapshot>> = vec![None; order.len()];
    let mut at_end = Snapshot::new();
    let mut waiting = BTreeSet::new();
    if !order.is_empty() {
        for &value in undefined {
            replay.state.add_everywhere(value);
        }
        let mut entry = Snapshot::new();
        replay.state.save(&mut entry);
        at_start[0] = Some(entry);
        waiting.insert(0);
    }
    while let Some(number) = waiting.pop_first() {
        let block = order[number as usize];
        let start = at_start[number as usize].as_ref();
        replay.state.load(start.expect("a block that was reached"));
        replay.block(block)?;
        replay.state.save(&mut at_end);
        for &successor in &function.blocks[block].successors {
            let number = numbers[successor];
            let early: &[Snapshot] = match function.blocks[successor].landing {
                true => &replay.leaving,
                false => &[],
            };
            for from in early.iter().chain([&at_end]) {
                let changed = match &mut at_start[number as usize] {
                    Some(start) => replay.state.meet(start, from),
                    start => {
                        *start = Some(from.clone());
                        true
                    }
                };
                if changed {
                    waiting.insert(number);
                }
            }
        }
    }
    Ok(())
}

/// The blocks that can be reached, each before its successors where there is
/// no loop.
pub(super) fn reverse_postorder(function: &Function) -> Vec<Block> {
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut seen = SecondaryMap::with_default(false);
    let mut path: Vec<(Block, usize)> = Vec::new();
    if let Some(entry) = function.blocks.keys().next() {
        seen[entry] = true;
        path.push((entry, 0));
    }
    while let Some((block, next)) = path.last_mut() {
        let block = *block;
        match function.blocks[block].successors.get(*next) {
            Some(&successor) => {
                *next += 1;
                if !seen[successor] {
                    seen[successor] = true;
                    path.push((successor, 0));
                }
            }
            None => {
                path.pop();
                order.push(block);
            }
        }
    }
    order.reverse();
    order
}
