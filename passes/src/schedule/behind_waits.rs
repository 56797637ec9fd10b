//! Accesses that come too early are moved behind the wait.
//!
//! Nothing in LLVM ties what an operation in the background leaves in registers to the
//! wait for it, so LLVM places instructions that access them in front of the wait. Block by
//! block, such an access is put off until a wait has covered what it names, and with it
//! what depends on it; what only writes them may stay and be copied ([`LateCopy`]). A block
//! stays as it is if something would have to be put off that has a part in the operations
//! itself, or until behind the block's end: then the program breaks the rules on its own
//! account, and people are told. Time: dependences of the blocks in which something comes too
//! early. Source: ours; the rules are PTX's.

use super::dependences::{BlockDependences, Dependences};
use super::late_copies::{Accesses, LateCopy};
use super::order::Order;
use crate::analysis::in_flight::{InFlight, State, step};
use crate::function::asynchronous::{Asynchronous, Operation};
use crate::function::{Block, Function, Instruction, OperandIndex, VirtualRegister};
use fixedbitset::FixedBitSet;

/// What is done about accesses that come too early.
#[derive(Debug, PartialEq, Eq)]
pub struct BehindWaits {
    /// The order in which they do not; none if it is the same.
    pub order: Option<Order>,
    /// Definitions that stay in front of the wait.
    pub copies: Vec<LateCopy>,
    /// Those that cannot be moved.
    pub left: Vec<Instruction>,
}

/// Looks for an order in which nothing accesses what is in flight.
pub fn behind_waits(function: &Function, dependences: &Dependences) -> BehindWaits {
    let mut found = BehindWaits {
        order: None,
        copies: Vec::new(),
        left: Vec::new(),
    };
    let Some(in_flight) = InFlight::new(function) else {
        return found;
    };
    let mut accesses = None;
    for block in function.blocks.keys() {
        let early = early_accesses(function, &in_flight, block);
        if early.is_empty() {
            continue;
        }
        let graph = BlockDependences::new(function, block, dependences, &[]);
        let accesses = accesses.get_or_insert_with(|| Accesses::new(function));
        let Some((numbers, copies)) = put_off(function, &in_flight, block, &graph, accesses) else {
            found.left.extend(early);
            continue;
        };
        found.copies.extend(copies);
        if !numbers.is_sorted() {
            found
                .order
                .get_or_insert_with(|| Order::unchanged(function))
                .set(function, block, &numbers);
        }
    }
    found
}

/// The instructions of a block that access what is in flight.
fn early_accesses(function: &Function, in_flight: &InFlight, block: Block) -> Vec<Instruction> {
    let mut state = in_flight.at_start(block);
    let mut early = Vec::new();
    for instruction in function.block_instructions(block) {
        if is_early(function, instruction, &state) {
            early.push(instruction);
        }
        step(function, instruction, &mut state);
    }
    early
}

/// Whether an instruction accesses what is in flight without a part in the operation.
fn is_early(function: &Function, instruction: Instruction, state: &State) -> bool {
    early_operands(function, instruction, state)
        .next()
        .is_some()
}

/// What of an instruction is in flight without a part in the operation, with the operands'
/// numbers in the function. What a store to tensor memory reads may be read by others.
fn early_operands(
    function: &Function,
    instruction: Instruction,
    state: &State,
) -> impl Iterator<Item = (OperandIndex, VirtualRegister)> {
    let does = Asynchronous::new(function.instructions[instruction].flags);
    let numbers = function.instructions[instruction].operands.clone();
    let operands = numbers.zip(function.instruction_operands(instruction));
    operands
        .filter(|_| !state.is_empty())
        .filter_map(move |(number, operand)| {
            let value = operand.virtual_register()?;
            let has = |operation| state.contains_key(&(value, operation));
            let is_part = does.operation(operand) == Some(Operation::Multiply);
            let is_early = (operand.is_definition() || operand.reads())
                && (has(Operation::Load)
                    || has(Operation::Multiply) && !is_part
                    || has(Operation::Store) && operand.is_definition());
            is_early.then(|| (OperandIndex::from_u32(number), value))
        })
}

/// The instructions of a block but its terminators in an order without early accesses,
/// numbered from its start, and those that are early but for copies; none if there is no such
/// order.
fn put_off(
    function: &Function,
    in_flight: &InFlight,
    block: Block,
    graph: &BlockDependences,
    accesses: &Accesses,
) -> Option<(Vec<u32>, Vec<LateCopy>)> {
    let start = function.blocks[block].instructions.start;
    let instruction = |number: u32| Instruction::from_u32(start + number);
    let count = graph.before.len() as u32;
    let mut state = in_flight.at_start(block);
    let mut is_waiting: FixedBitSet = FixedBitSet::with_capacity(graph.before.len());
    let mut waiting: Vec<u32> = Vec::new();
    let mut order = Vec::with_capacity(graph.before.len());
    let mut copies = Vec::new();
    let depends = |number: u32, is_waiting: &FixedBitSet| {
        let mut before = graph.before[number as usize].iter();
        before.any(|&one| is_waiting[one as usize])
    };
    let must_wait = |number: u32, state: &State, is_waiting: &FixedBitSet| {
        depends(number, is_waiting) || is_early(function, instruction(number), state)
    };
    for number in 0..count {
        let flags = function.instructions[instruction(number)].flags;
        let does = Asynchronous::new(flags);
        let place = (block, instruction(number));
        let copied = match does == Asynchronous::default() && !depends(number, &is_waiting) {
            true => {
                let early = early_operands(function, instruction(number), &state);
                accesses.copies(function, place, early, &state)
            }
            false => None,
        };
        let is_copied = copied.is_some();
        copies.extend(copied.into_iter().flatten());
        if !is_copied && must_wait(number, &state, &is_waiting) {
            if does != Asynchronous::default() {
                return None;
            }
            is_waiting.set(number as usize, true);
            waiting.push(number);
            continue;
        }
        order.push(number);
        step(function, instruction(number), &mut state);
        if does.waits() {
            waiting.retain(|&one| {
                let stays = must_wait(one, &state, &is_waiting);
                if !stays {
                    is_waiting.set(one as usize, false);
                    order.push(one);
                }
                stays
            });
        }
    }
    let last = function.block_instructions(block).skip(count as usize);
    let is_done =
        waiting.is_empty() && !last.into_iter().any(|one| is_early(function, one, &state));
    is_done.then_some((order, copies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::text::parse;

    /// The places of a block's instructions, or what is left as it is.
    fn moved(block: &str, pairs: &[(u32, u32)]) -> String {
        moved_in("", block, pairs)
    }

    fn moved_in(successors: &str, block: &str, pairs: &[(u32, u32)]) -> String {
        let values = "values v0:B32, v1:B32, v2:B32";
        let text = format!(
            "machine gpu limit=64\nfunction f kernel\n{values}\nblock b0{successors}\n{block}"
        );
        let (_, function) = parse(&text).expect("a function");
        let number = Instruction::from_u32;
        let pairs = pairs
            .iter()
            .map(|&(first, second)| (number(first), number(second)));
        let dependences = Dependences::new(&function, pairs.collect()).expect("pairs");
        let found = behind_waits(&function, &dependences);
        match found.order {
            Some(order) => format!("{:?}", order.instructions()),
            None if !found.copies.is_empty() => format!("copies {:?}", found.copies),
            None => format!("left {:?}", found.left),
        }
    }

    const EARLY: &str = "in_flight v0 = op.loads_tensor
        v1 = op v0
        op v1
        v2 = op
        op.waits_load
        op v2";

    #[test]
    fn an_access_and_what_depends_on_it_go_behind_the_wait() {
        assert_eq!(moved(EARLY, &[]), "[i0, i3, i4, i1, i2, i5]");
        // A wait that stores what was computed too early cannot come first.
        assert_eq!(moved(EARLY, &[(2, 4)]), "left [i1]");
    }

    #[test]
    fn what_is_in_order_stays() {
        let text = "in_flight v0 = op.loads_tensor
            v1 = op
            op.waits_load
            op v0, v1";
        assert_eq!(moved(text, &[]), "left []");
    }

    #[test]
    fn without_a_wait_in_the_block_all_stays() {
        let text = "in_flight v0 = op.loads_tensor
            op v0
            terminator";
        assert_eq!(moved(text, &[]), "left [i1]");
    }

    #[test]
    fn what_is_written_for_behind_the_wait_stays_unless_it_depends_on_what_is_put_off() {
        let body = |access: &str, operand: &str| {
            let start = "op\nblock b1 to=b1,b2\n";
            let multiply = "op.multiplies in_flight v0\nop.commits\nblock b2\nop";
            moved_in(
                " to=b1",
                &format!(
                    "{start}v1 = op {access}\nv0 = op {operand}\nop.waits_multiply\n{multiply}"
                ),
                &[],
            )
        };
        let copied = "copies [LateCopy { definition: op1, wait: i3 }]";
        assert_eq!(body("", ""), copied);
        assert_eq!(body("", "v1"), copied);
        assert_eq!(body("v0", "v1"), "[i0, i3, i1, i2, i4, i5, i6]");
    }

    #[test]
    fn what_a_store_reads_may_be_read_but_not_written() {
        let text = |access: &str| {
            format!(
                "v0 = op
                op.stores_tensor in_flight v0
                {access}
                op.waits_store
                op v0"
            )
        };
        assert_eq!(moved(&text("op v0"), &[]), "left []");
        assert_eq!(moved(&text("v0 = op"), &[]), "[i0, i1, i3, i2, i4]");
    }
}
