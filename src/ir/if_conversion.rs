//! `warpalloc-if-convert`: short branches become selects where many more registers are live than
//! a function may have.
//!
//! A branch ends a block, and no order of instructions reaches beyond: what each copy of an
//! unrolled loop loads in front of its branch lives until all of it is used at the end. `ptxas`
//! executes such branches as predicates, so much of what would be spilled there need not be.
//!
//! Requires: nothing. Ensures: what becomes unconditional is short, has no effect and reads no
//! memory; the branches stay, around nothing, for LLVM to remove. Complexity: that of
//! liveness. Source: Allen, Kennedy, Porterfield and Warren, "Conversion of control dependence to
//! data dependence" (1983).

use super::build::Before;
use super::in_flight::has_registers_in_flight;
use super::limit::{self, CROWDED_PERCENT};
use super::pressure::live::Liveness;
use super::pressure::peaks::peaks;
use super::pressure::uniform::Uniform;
use super::pressure::values::Values;
use super::unit::instructions_of;
use super::value::Value;
use super::{Unit, changed, pressure};
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::values::{AsValueRef, FunctionValue, InstructionOpcode, InstructionValue, IntValue};
use passes::machine::gpu::R_SIZE;
use rustc_hash::FxHashSet;

/// At most so many instructions become unconditional for a branch, with the selects in place of
/// phis: one branch less frees few registers, if any.
const MOST: usize = 10;

/// The same for each of many branches, which are those of an unrolled loop.
const MOST_OF_MANY: usize = 24;

/// So many branches are many.
const MANY: usize = 8;

/// Whether anything became unconditional.
pub fn run(unit: &Unit) -> bool {
    changed::run_and_mark(unit, |function| {
        let branches = branches(unit, function);
        if branches.is_empty() {
            return false;
        }
        for branch in branches {
            branch.convert(unit);
        }
        unit.forget(function);
        true
    })
}

/// The branches to convert.
fn branches(unit: &Unit, function: FunctionValue<'static>) -> Vec<Branch> {
    let limit = limit::registers(unit, function);
    if limit >= R_SIZE || has_registers_in_flight(function) {
        return Vec::new();
    }
    let all = function.get_basic_block_iter().filter_map(Branch::new);
    let mut short: Vec<_> = all.filter(|one| one.is_short(MOST_OF_MANY)).collect();
    // What is live takes longest to find.
    if short.is_empty() {
        return short;
    }
    let crowded = crowded_blocks(unit, function, limit);
    short.retain(|one| one.blocks.iter().all(|block| crowded.contains(block)));
    if short.len() < MANY {
        short.retain(|one| one.is_short(MOST));
    }
    short
}

/// The blocks that need so many registers that `ptxas` will hardly find an order in which the
/// function fits.
fn crowded_blocks(
    unit: &Unit,
    function: FunctionValue<'static>,
    limit: u32,
) -> FxHashSet<BasicBlock<'static>> {
    let uniform = Uniform::new(unit, function, pressure::own_sm(unit, function));
    let values = Values::new(unit, function, &uniform);
    let liveness = Liveness::new(unit, function, &values);
    let peaks = peaks(&values, &liveness, limit * CROWDED_PERCENT / 100);
    let blocks: Vec<_> = function.get_basic_block_iter().collect();
    peaks.into_iter().map(|peak| blocks[peak.block]).collect()
}

/// A branch whose ways meet again behind at most one block each.
struct Branch {
    condition: IntValue<'static>,
    /// The block in front and the join.
    blocks: [BasicBlock<'static>; 2],
    end: Value,
    /// The ways to the join if the condition is true, and if it is false.
    ways: [Way; 2],
    /// What takes different values from the two ways, each with the numbers of these.
    phis: Vec<(Value, [usize; 2])>,
}

/// From a branch to the join.
struct Way {
    /// What is executed on it alone.
    inside: Vec<Value>,
    /// The last instruction in front of the join.
    end: Value,
}

impl Branch {
    fn new(block: BasicBlock<'static>) -> Option<Self> {
        let last = block.get_terminator()?;
        let [yes, no] = two_successors(last)?;
        // Which of the ways goes through a block of its own, and where they meet.
        let (through, join) = match (only_successor(yes), only_successor(no)) {
            (Some(one), Some(other)) if one == other => ([true, true], one),
            (Some(one), _) if one == no => ([true, false], no),
            (_, Some(other)) if other == yes => ([false, true], yes),
            _ => return None,
        };
        if join == block {
            return None;
        }
        let end = value(last);
        let way = |arm: BasicBlock<'static>, is_through| match is_through {
            true => Way::through(arm),
            false => Some(Way {
                inside: Vec::new(),
                end,
            }),
        };
        let ways = [way(yes, through[0])?, way(no, through[1])?];
        let phis = instructions_of(join).take_while(|one| one.is(LLVMPHI));
        let phis = phis.filter_map(|phi| {
            let from = |way: &Way| phi.incoming().position(|(_, end)| end == way.end);
            let numbers = [from(&ways[0])?, from(&ways[1])?];
            let [yes, no] = numbers.map(|number| phi.operand(number));
            (yes != no).then_some((phi, numbers))
        });
        Some(Self {
            // SAFETY: the condition of a branch is an integer.
            condition: unsafe { IntValue::new(end.operand(0).as_ref()) },
            blocks: [block, join],
            phis: phis.collect(),
            end,
            ways,
        })
    }

    /// Whether little becomes unconditional, at most so many instructions.
    fn is_short(&self, most: usize) -> bool {
        let mut inside = self.ways.iter().flat_map(|way| &way.inside);
        let count = inside.clone().count();
        count > 0 && count + self.phis.len() <= most && inside.all(|&one| is_cheap(one))
    }

    fn convert(self, unit: &Unit) {
        for &one in self.ways.iter().flat_map(|way| &way.inside) {
            one.move_before(self.end);
        }
        for (phi, numbers) in self.phis {
            let [yes, no] = numbers.map(|number| phi.operand(number).basic());
            let chosen = Before::new(unit, self.end).select(self.condition, yes, no);
            // SAFETY: a value of the function.
            let chosen = unsafe { Value::new(chosen.as_value_ref()) };
            for number in numbers {
                phi.set_operand(number, chosen);
            }
        }
    }
}

impl Way {
    /// Through a block that is entered from the branch alone.
    fn through(block: BasicBlock<'static>) -> Option<Self> {
        let first = block.get_first_use()?;
        let mut inside: Vec<_> = instructions_of(block).collect();
        let end = inside.pop()?;
        first
            .get_next_use()
            .is_none()
            .then_some(Self { inside, end })
    }
}

/// Whether an instruction may be executed where it was not, in little time.
fn is_cheap(value: Value) -> bool {
    let others = [
        LLVMICmp,
        LLVMFCmp,
        LLVMFPToSI,
        LLVMFPToUI,
        LLVMFreeze,
        LLVMBitCast,
        LLVMPtrToInt,
        LLVMIntToPtr,
        LLVMExtractValue,
        LLVMInsertValue,
        LLVMExtractElement,
        LLVMInsertElement,
        LLVMShuffleVector,
    ];
    value.is_pure() || others.into_iter().any(|opcode| value.is(opcode))
}

/// Where a conditional branch leads if its condition is true, and if it is false.
fn two_successors(end: InstructionValue<'static>) -> Option<[BasicBlock<'static>; 2]> {
    // A branch names them from the last.
    let block = |number| end.get_operand(number).and_then(|operand| operand.block());
    match (end.get_opcode(), end.get_num_operands()) {
        (InstructionOpcode::Br, 3) => Some([block(2)?, block(1)?]),
        _ => None,
    }
}

fn only_successor(block: BasicBlock<'static>) -> Option<BasicBlock<'static>> {
    let end = block.get_terminator()?;
    match (end.get_opcode(), end.get_num_operands()) {
        (InstructionOpcode::Br, 1) => end.get_operand(0)?.block(),
        _ => None,
    }
}

fn value(instruction: InstructionValue<'static>) -> Value {
    // SAFETY: an instruction of the function.
    unsafe { Value::new(instruction.as_value_ref()) }
}
