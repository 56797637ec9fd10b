//! Which values are in flight where, and which fences and waits they reach.
//!
//! A value that an instruction leaves in flight stays so until, on every path, a wait has
//! covered it. Multiplications are waited for by groups: a state tells for each value how
//! many groups were closed since it was last used by one, at least, on any path, so where
//! paths meet the union with the least count is kept. A wait that leaves so many groups
//! covers what has more. Backward, the values are found that a multiplication reads
//! behind a fence, without being written in between. Time: for each block the values in
//! flight there, times the groups that may be pending. Source: PTX ISA, `wgmma.fence`,
//! `wgmma.wait_group`, `tcgen05.wait`.

use crate::function::asynchronous::{Asynchronous, MOST_PENDING, Operation};
use crate::function::{Block, Function, Instruction, Operand, OperandFlags, VirtualRegister};
use cranelift_entity::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// What is in flight at a point: each value by operation, with the groups closed since;
/// more than [`MOST_PENDING`] count as one more.
pub type State = BTreeMap<(VirtualRegister, Operation), u8>;

/// What is in flight between the blocks of a function.
pub struct InFlight {
    /// At the start of each block that can be reached.
    at_start: SecondaryMap<Block, Option<State>>,
    /// The values that the next multiplication reads, at the end of each block.
    wanted_at_end: SecondaryMap<Block, Wanted>,
}

/// [`InFlight::held`] of a function; empty where nothing is in flight.
pub fn held_in_registers(function: &Function) -> Vec<(Instruction, Vec<VirtualRegister>)> {
    InFlight::new(function)
        .map(|one| one.held(function))
        .unwrap_or_default()
}

impl InFlight {
    /// Looks through a function; none where nothing is ever in flight.
    pub fn new(function: &Function) -> Option<Self> {
        let mut instructions = function.instructions.values();
        let starts = instructions.any(|data| Asynchronous::new(data.flags).starts());
        starts.then(|| {
            let before = before_blocks(function);
            let mut wanted_at_end = SecondaryMap::new();
            for block in function.blocks.keys() {
                wanted_at_end[block] = behind(function, block, &before);
            }
            Self {
                at_start: at_block_starts(function),
                wanted_at_end,
            }
        })
    }

    /// What is in flight at the start of a block.
    pub fn at_start(&self, block: Block) -> State {
        self.at_start[block].clone().unwrap_or_default()
    }

    /// Whether the next multiplication behind a block reads a value.
    pub fn is_wanted_at_end(&self, block: Block, value: VirtualRegister) -> bool {
        self.wanted_at_end[block].contains(&value)
    }

    /// The instructions of the function, in order, at which values have to be in their registers,
    /// with these: waits, with those that they cover on some path, fences, with those that a
    /// multiplication behind them reads, and where the function ends, with those that nothing has
    /// waited for: the caller may.
    pub fn held(&self, function: &Function) -> Vec<(Instruction, Vec<VirtualRegister>)> {
        let mut found: BTreeMap<Instruction, BTreeSet<VirtualRegister>> = BTreeMap::new();
        for block in function.blocks.keys() {
            let mut state = self.at_start(block);
            for instruction in function.block_instructions(block) {
                let covered = step(function, instruction, &mut state);
                if !covered.is_empty() {
                    found.entry(instruction).or_default().extend(covered);
                }
            }
            let last = function.block_instructions(block).next_back();
            if let Some(last) = last.filter(|_| function.blocks[block].successors.is_empty())
                && !state.is_empty()
            {
                let left = state.keys().map(|&(value, _)| value);
                found.entry(last).or_default().extend(left);
            }
            let mut wanted = self.wanted_at_end[block].clone();
            for instruction in function.block_instructions(block).rev() {
                if let Some(fenced) = step_back(function, instruction, &mut wanted)
                    && !fenced.is_empty()
                {
                    found.entry(instruction).or_default().extend(fenced);
                }
            }
        }
        let found = found.into_iter();
        found
            .map(|(instruction, values)| (instruction, values.into_iter().collect()))
            .collect()
    }
}

/// The accumulators that a multiplication only writes, each with the fence before it in
/// its block, which the value meets nothing else behind: fence, multiplication, the number
/// of the operand.
pub fn first_written(function: &Function) -> Vec<(Instruction, Instruction, u8)> {
    let mut found = Vec::new();
    for block in function.blocks.keys() {
        let mut fence = None;
        let mut named = BTreeSet::new();
        for instruction in function.block_instructions(block) {
            let does = Asynchronous::new(function.instructions[instruction].flags);
            let operands = function.instruction_operands(instruction);
            if does.fences {
                fence = Some(instruction);
                named.clear();
            }
            for (number, operand) in (0..=u8::MAX).zip(operands) {
                let Some(value) = operand.virtual_register() else {
                    continue;
                };
                let is_written = operand.is_definition()
                    && does.operation(operand) == Some(Operation::Multiply)
                    && !operands
                        .iter()
                        .any(|one| one.reads() && one.register == operand.register);
                if let Some(fence) = fence.filter(|&fence| fence != instruction && is_written)
                    && !named.contains(&value)
                {
                    found.push((fence, instruction, number));
                }
            }
            named.extend(operands.iter().filter_map(Operand::virtual_register));
        }
    }
    found
}

/// The values that are in flight somewhere.
pub fn values_in_flight(function: &Function) -> SecondaryMap<VirtualRegister, bool> {
    let mut found = SecondaryMap::new();
    for operand in function.operands.values() {
        if let Some(value) = operand.virtual_register()
            && operand.flags.contains(OperandFlags::IN_FLIGHT)
        {
            found[value] = true;
        }
    }
    found
}

/// Whether a value is in flight.
pub fn is_in_flight(state: &State, value: VirtualRegister) -> bool {
    let least = (value, Operation::Multiply);
    let first = state.range(least..).next();
    first.is_some_and(|((found, _), _)| *found == value)
}

/// What is in flight at the start of each block that can be reached.
fn at_block_starts(function: &Function) -> SecondaryMap<Block, Option<State>> {
    let mut at_start: SecondaryMap<Block, Option<State>> = SecondaryMap::new();
    let mut waiting = BTreeSet::new();
    if let Some(entry) = function.blocks.keys().next() {
        at_start[entry] = Some(State::new());
        waiting.insert(entry);
    }
    while let Some(block) = waiting.pop_first() {
        let mut state = at_start[block].clone().unwrap_or_default();
        for instruction in function.block_instructions(block) {
            step(function, instruction, &mut state);
        }
        for &successor in &function.blocks[block].successors {
            if meet(&mut at_start[successor], &state) {
                waiting.insert(successor);
            }
        }
    }
    at_start
}

/// Adds what is in flight on one more path; says whether that is more.
fn meet(into: &mut Option<State>, state: &State) -> bool {
    let mut changed = into.is_none();
    let into = into.get_or_insert_default();
    for (&key, &groups) in state {
        let known = into.entry(key).or_insert(u8::MAX);
        changed |= groups < *known;
        *known = groups.min(*known);
    }
    changed
}

/// Goes over an instruction; lists the values that it waits for.
pub fn step(
    function: &Function,
    instruction: Instruction,
    state: &mut State,
) -> Vec<VirtualRegister> {
    let does = Asynchronous::new(function.instructions[instruction].flags);
    if does == Asynchronous::default() {
        return Vec::new();
    }
    for operand in function.instruction_operands(instruction) {
        if let Some(value) = operand.virtual_register()
            && let Some(operation) = does.operation(operand)
        {
            state.insert((value, operation), 0);
        }
    }
    if does.commits {
        for ((_, operation), groups) in &mut *state {
            if *operation == Operation::Multiply {
                *groups = (*groups + 1).min(MOST_PENDING + 1);
            }
        }
    }
    let mut covered = Vec::new();
    state.retain(|&(value, operation), groups| {
        let is_covered = match operation {
            Operation::Multiply => does.waits_multiply.is_some_and(|pending| *groups > pending),
            Operation::Load => does.waits_load,
            Operation::Store => does.waits_store,
        };
        if is_covered {
            covered.push(value);
        }
        !is_covered
    });
    covered
}

/// The values that the next multiplication reads, before anything writes them.
type Wanted = BTreeSet<VirtualRegister>;

fn before_blocks(function: &Function) -> SecondaryMap<Block, Wanted> {
    let mut before: SecondaryMap<Block, Wanted> = SecondaryMap::new();
    let mut waiting: BTreeSet<Block> = function.blocks.keys().collect();
    while let Some(block) = waiting.pop_last() {
        let mut wanted = behind(function, block, &before);
        for instruction in function.block_instructions(block).rev() {
            step_back(function, instruction, &mut wanted);
        }
        if wanted != before[block] {
            before[block] = wanted;
            waiting.extend(&function.blocks[block].predecessors);
        }
    }
    before
}

fn behind(function: &Function, block: Block, before: &SecondaryMap<Block, Wanted>) -> Wanted {
    let successors = function.blocks[block].successors.iter();
    successors.flat_map(|&one| &before[one]).copied().collect()
}

/// Goes back over an instruction; lists the values wanted behind it, if it is a fence.
fn step_back(function: &Function, instruction: Instruction, wanted: &mut Wanted) -> Option<Wanted> {
    let does = Asynchronous::new(function.instructions[instruction].flags);
    let operands = function.instruction_operands(instruction);
    for operand in operands.iter().filter(|one| one.is_definition()) {
        if let Some(value) = operand.virtual_register() {
            wanted.remove(&value);
        }
    }
    for operand in operands.iter().filter(|one| one.reads()) {
        if let Some(value) = operand.virtual_register()
            && does.operation(operand) == Some(Operation::Multiply)
        {
            wanted.insert(value);
        }
    }
    does.fences.then(|| std::mem::take(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::text::parse;

    /// What is held where.
    fn found(blocks: &str) -> String {
        let text = format!(
            "machine gpu limit=64\nfunction f kernel\nvalues v0:B32, v1:B32, v2:B32\n{blocks}"
        );
        let (_, function) = parse(&text).expect("a function");
        let held = InFlight::new(&function).map(|one| one.held(&function));
        let held = held.unwrap_or_default();
        let held = held.iter().map(|(instruction, values)| {
            let values: Vec<_> = values.iter().map(ToString::to_string).collect();
            format!("{instruction}: {}", values.join(" "))
        });
        held.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn without_operations_nothing_is_held() {
        assert_eq!(found("block b0\n v0 = op\n op v0"), "");
    }

    #[test]
    fn a_wait_holds_what_it_covers() {
        let text = "block b0
            in_flight v0 = op.loads_tensor
            op.waits_store
            op.waits_load
            op v0
            op.waits_load";
        assert_eq!(found(text), "i2: v0");
        let text = "block b0
            v1 = op
            op.stores_tensor in_flight v1
            op.waits_load
            op.waits_store";
        assert_eq!(found(text), "i3: v1");
    }

    #[test]
    fn what_nothing_waits_for_is_held_to_the_end() {
        let text = "block b0 to=b1,b2
            in_flight v0 = op.loads_tensor
            op.stores_tensor in_flight v1
            block b1
            op.waits_load
            op
            block b2
            op";
        assert_eq!(found(text), "i2: v0, i3: v1, i4: v0 v1");
    }

    #[test]
    fn a_wait_leaves_the_latest_groups() {
        let text = "block b0
            in_flight v0 = op.multiplies
            op.commits
            in_flight v1 = op.multiplies
            op.commits
            in_flight v2 = op.multiplies
            op.waits_multiply.pending_1
            op.waits_multiply
            op.commits
            op.waits_multiply";
        assert_eq!(found(text), "i5: v0, i6: v1, i8: v2");
    }

    #[test]
    fn on_paths_that_meet_the_fewest_groups_count() {
        let text = |commits: &str| {
            format!(
                "block b0 to=b1,b2
                in_flight v0 = op.multiplies
                op.commits
                block b1 to=b2
                op{commits}
                block b2
                op.waits_multiply.pending_1
                op.waits_multiply"
            )
        };
        assert_eq!(found(&text(".commits")), "i4: v0");
        let shared = "block b0 to=b1,b2
            in_flight v0 = op.multiplies
            op.commits
            block b1 to=b3
            op.commits
            block b2 to=b3
            op.commits
            block b3
            op.waits_multiply.pending_1";
        assert_eq!(found(shared), "i4: v0");
    }

    #[test]
    fn a_loop_carries_what_is_in_flight() {
        let text = "block b0 to=b1
            v0 = op
            block b1 to=b1,b2
            op.waits_multiply
            op.multiplies in_flight v0
            op.commits
            block b2
            op.waits_multiply";
        assert_eq!(found(text), "i1: v0, i4: v0");
    }

    #[test]
    fn a_fence_holds_what_is_multiplied_behind_it() {
        let text = "block b0 to=b1
            v0, v1, v2 = op
            op.fences
            v2 = op
            block b1
            in_flight v0 = op.multiplies in_flight v0(tied 0), in_flight v1, in_flight v2
            op.commits
            op.waits_multiply";
        assert_eq!(found(text), "i1: v0 v1, i5: v0 v1 v2");
    }
}
