//! Accesses that come too early are moved behind the wait.
//!
//! Nothing in LLVM ties what an operation in the background leaves in registers to the
//! wait for it, so LLVM places instructions that read them in front of the wait. Block by
//! block, such an access is put off until a wait has covered what it names, and with it
//! what depends on it. A block stays as it is if something would have to be put off that
//! has a part in the operations itself, or until behind the block's end: then the program
//! breaks the rules on its own account, and people are told. Time: dependences of the
//! blocks in which something comes too early. Source: ours; the rules are PTX's.

use super::dependences::{BlockDependences, Dependences};
use super::order::Order;
use crate::analysis::in_flight::{InFlight, State, step};
use crate::function::asynchronous::{Asynchronous, Operation};
use crate::function::{Block, Function, Instruction};
use bitvec::vec::BitVec;

/// What is done about accesses that come too early.
#[derive(Debug, PartialEq, Eq)]
pub struct BehindWaits {
    /// The order in which they do not; none if it is the same.
    pub order: Option<Order>,
    /// Those that cannot be moved.
    pub left: Vec<Instruction>,
}

/// Looks for an order in which nothing accesses what is in flight.
pub fn behind_waits(function: &Function, dependences: &Dependences) -> BehindWaits {
    let mut found = BehindWaits {
        order: None,
        left: Vec::new(),
    };
    let Some(in_flight) = InFlight::new(function) else {
        return found;
    };
    for block in function.blocks.keys() {
        let early = early_accesses(function, &in_flight, block);
        if early.is_empty() {
            continue;
        }
        let graph = BlockDependences::new(function, block, dependences, &[]);
        match put_off(function, &in_flight, block, &graph) {
            Some(numbers) => found
                .order
                .get_or_insert_with(|| Order::unchanged(function))
                .set(function, block, &numbers),
            None => found.left.extend(early),
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
/// What a store to tensor memory reads may be read by others.
fn is_early(function: &Function, instruction: Instruction, state: &State) -> bool {
    if state.is_empty() {
        return false;
    }
    let does = Asynchronous::new(function.instructions[instruction].flags);
    let operands = function.instruction_operands(instruction).iter();
    operands
        .filter_map(|operand| Some((operand, operand.virtual_register()?)))
        .any(|(operand, value)| {
            let has = |operation| state.contains_key(&(value, operation));
            let is_part = does.operation(operand) == Some(Operation::Multiply);
            (operand.is_definition() || operand.reads())
                && (has(Operation::Load)
                    || has(Operation::Multiply) && !is_part
                    || has(Operation::Store) && operand.is_definition())
        })
}

/// The instructions of a block but its terminators in an order without early accesses,
/// numbered from its start; none if there is no such order.
fn put_off(
    function: &Function,
    in_flight: &InFlight,
    block: Block,
    graph: &BlockDependences,
) -> Option<Vec<u32>> {
    let start = function.blocks[block].instructions.start;
    let instruction = |number: u32| Instruction::from_u32(start + number);
    let count = graph.before.len() as u32;
    let mut state = in_flight.at_start(block);
    let mut is_waiting: BitVec = BitVec::repeat(false, graph.before.len());
    let mut waiting: Vec<u32> = Vec::new();
    let mut order = Vec::with_capacity(graph.before.len());
    let must_wait = |number: u32, state: &State, is_waiting: &BitVec| {
        let mut before = graph.before[number as usize].iter();
        before.any(|&one| is_waiting[one as usize])
            || is_early(function, instruction(number), state)
    };
    for number in 0..count {
        let flags = function.instructions[instruction(number)].flags;
        let does = Asynchronous::new(flags);
        if must_wait(number, &state, &is_waiting) {
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
    is_done.then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::text::parse;

    /// The places of a block's instructions, or what is left as it is.
    fn moved(block: &str, pairs: &[(u32, u32)]) -> String {
        let values = "values v0:B32, v1:B32, v2:B32";
        let text = format!("machine gpu limit=64\nfunction f kernel\n{values}\nblock b0\n{block}");
        let (_, function) = parse(&text).expect("a function");
        let number = Instruction::from_u32;
        let pairs = pairs
            .iter()
            .map(|&(first, second)| (number(first), number(second)));
        let dependences = Dependences::new(&function, pairs.collect()).expect("pairs");
        let found = behind_waits(&function, &dependences);
        match found.order {
            Some(order) => format!("{:?}", order.instructions()),
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
