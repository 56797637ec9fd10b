//! Stores to slots that nothing reads behind them go, and with them slots that nothing names.
//!
//! Ensures that each store that is left is read on some path. What is read of a slot on
//! no path before it is stored again need not be there. Linear in the function, times the
//! blocks' visits, two or three in practice. Source: liveness of slots; dead store
//! elimination (Cooper and Torczon, "Engineering a Compiler").

use super::arrange::{arrange, layout};
use crate::function::InstructionFlags;
use crate::function::{Block, Function, Instruction, InstructionKind, OperandRegister, Slot};
use crate::spill::state::ReloadSource;
use crate::spill::work::Work;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use std::collections::BTreeSet;

/// Takes them out.
pub fn remove_dead_stores(work: &mut Work) {
    let dead = dead_stores(&work.function);
    if !dead.is_empty() {
        let mut layout = layout(work);
        for instructions in layout.values_mut() {
            instructions.retain(|(one, _)| !dead.contains(one));
        }
        arrange(work, &layout, |value| value);
    }
    remove_unnamed_slots(work);
}

fn dead_stores(function: &Function) -> BTreeSet<Instruction> {
    let mut live_in: SecondaryMap<Block, Vec<bool>> = SecondaryMap::new();
    let mut waiting: BTreeSet<Block> = function.blocks.keys().collect();
    // From the last block on: most edges lead forward.
    while let Some(block) = waiting.pop_last() {
        let at_start = walk(function, block, &live_in, |_| ());
        if at_start != live_in[block] {
            live_in[block] = at_start;
            waiting.extend(function.blocks[block].predecessors.iter().copied());
        }
    }
    let mut dead = BTreeSet::new();
    for block in function.blocks.keys() {
        walk(function, block, &live_in, |store| _ = dead.insert(store));
    }
    dead
}

/// Which slots are read behind the start of a block before they are stored, by number, up to
/// the last such; visits the stores that are not read.
fn walk(
    function: &Function,
    block: Block,
    live_in: &SecondaryMap<Block, Vec<bool>>,
    mut visit: impl FnMut(Instruction),
) -> Vec<bool> {
    let mut at_end = Vec::new();
    for &successor in &function.blocks[block].successors {
        add(&mut at_end, &live_in[successor]);
    }
    let mut live = at_end.clone();
    for instruction in function.block_instructions(block).rev() {
        let data = &function.instructions[instruction];
        if data.flags.contains(InstructionFlags::LEAVES) {
            add(&mut live, &at_end);
        }
        match data.kind {
            InstructionKind::Store(slot) => {
                let is_live = live.get_mut(slot.index());
                if !is_live.is_some_and(std::mem::take) {
                    visit(instruction);
                }
            }
            InstructionKind::Reload(slot) => set(&mut live, slot),
            _ => {}
        }
        let operands = function.instruction_operands(instruction).iter();
        operands
            .filter_map(|one| one.slot())
            .for_each(|slot| set(&mut live, slot));
    }
    let length = live.iter().rposition(|&one| one).map_or(0, |last| last + 1);
    live.truncate(length);
    live
}

fn set(live: &mut Vec<bool>, slot: Slot) {
    let number = slot.index();
    live.resize(live.len().max(number + 1), false);
    live[number] = true;
}

fn add(live: &mut Vec<bool>, others: &[bool]) {
    live.resize(live.len().max(others.len()), false);
    for (one, other) in live.iter_mut().zip(others) {
        *one |= other;
    }
}

/// Numbers the slots anew, without those that nothing names. What nothing is loaded from is
/// not where a value is.
fn remove_unnamed_slots(work: &mut Work) {
    let mut named: EntitySet<Slot> = EntitySet::new();
    for data in work.function.instructions.values() {
        if let InstructionKind::Store(slot) | InstructionKind::Reload(slot) = data.kind {
            named.insert(slot);
        }
    }
    for slot in work.function.operands.values().filter_map(|one| one.slot()) {
        named.insert(slot);
    }
    let old = std::mem::take(&mut work.state.slots);
    let mut slots = PrimaryMap::new();
    let mut number: SecondaryMap<Slot, Option<Slot>> = SecondaryMap::new();
    for (slot, data) in old {
        if named.contains(slot) {
            number[slot] = Some(slots.push(data));
        }
    }
    work.state.slots = slots;
    for value in work.function.virtual_registers.keys() {
        let source = &mut work.state.source_of[value];
        if let Some(ReloadSource::Slot(slot)) = *source {
            *source = number[slot].map(ReloadSource::Slot);
        }
    }
    let renumber = |slot: &mut Slot| *slot = number[*slot].unwrap_or(*slot);
    for data in work.function.instructions.values_mut() {
        if let InstructionKind::Store(slot) | InstructionKind::Reload(slot) = &mut data.kind {
            renumber(slot);
        }
    }
    for operand in work.function.operands.values_mut() {
        if let OperandRegister::Slot(slot) = &mut operand.register {
            renumber(slot);
        }
    }
}
