//! Registers in flight that are written too early, for what comes behind the wait.
//!
//! Where a loop leaves multiplications pending, LLVM computes the fragments of the next ones
//! into registers that those may still read. ptxas sees two values there, whatever their
//! register is called. So such a definition may write another register, which is copied to its
//! own behind the wait: to put the definition off instead would make its operands live longer.
//!
//! Requires a block of a function with values in flight. Ensures: a value that is copied has one
//! definition, and what reads it stands behind the wait in the same block. Time: the length of the
//! block for each of its early definitions. Source: ours; the rules are PTX's.

use crate::analysis::in_flight::{State, is_in_flight, step};
use crate::function::{Block, Function, Instruction, Operand, OperandIndex, VirtualRegister};
use cranelift_entity::SecondaryMap;
use std::ops::Range;

/// A definition that writes another register than its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateCopy {
    /// The operand.
    pub definition: OperandIndex,
    /// The wait behind which its register gets the value.
    pub wait: Instruction,
}

/// Where the values of a function are accessed.
pub struct Accesses {
    definitions: SecondaryMap<VirtualRegister, u32>,
    reads: SecondaryMap<VirtualRegister, Vec<Instruction>>,
}

impl Accesses {
    /// Lists them.
    pub fn new(function: &Function) -> Self {
        let mut found = Self {
            definitions: SecondaryMap::new(),
            reads: SecondaryMap::new(),
        };
        for instruction in function.instructions.keys() {
            for operand in function.instruction_operands(instruction) {
                let Some(value) = operand.virtual_register() else {
                    continue;
                };
                found.definitions[value] += u32::from(operand.is_definition());
                if operand.reads() {
                    found.reads[value].push(instruction);
                }
            }
        }
        found
    }

    /// The copies that let an instruction of a block stay where so much is in flight, `early` of
    /// it among its operands; none if some of that cannot be copied.
    pub fn copies(
        &self,
        function: &Function,
        (block, instruction): (Block, Instruction),
        early: impl Iterator<Item = (OperandIndex, VirtualRegister)>,
        state: &State,
    ) -> Option<Vec<LateCopy>> {
        let end = function.blocks[block].instructions.end;
        let copy = |(definition, value)| {
            let operand: &Operand = &function.operands[definition];
            if !operand.is_definition() || self.definitions[value] > 1 {
                return None;
            }
            let behind = instruction.as_u32() + 1..end;
            let wait = covering(function, behind, state.clone(), value)?;
            let behind = wait.as_u32() + 1..end;
            let mut reads = self.reads[value].iter();
            let is_late = reads.all(|read| behind.contains(&read.as_u32()));
            is_late.then_some(LateCopy { definition, wait })
        };
        early.map(copy).collect()
    }
}

/// The first of some instructions that waits for a value, if so much is in flight before them.
fn covering(
    function: &Function,
    mut instructions: Range<u32>,
    mut state: State,
    value: VirtualRegister,
) -> Option<Instruction> {
    let covers = |one: &Instruction| {
        step(function, *one, &mut state);
        !is_in_flight(&state, value)
    };
    instructions
        .by_ref()
        .map(Instruction::from_u32)
        .find(covers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::in_flight::InFlight;
    use crate::function::text::parse;

    /// The copies that an instruction of a loop's block needs: the operand's number, and the wait.
    fn copied(block: &str, instruction: u32) -> Option<Vec<(u32, u32)>> {
        let values = "values v0:B32, v1:B32, v2:B32";
        let text = format!(
            "machine gpu limit=64\nfunction f kernel\n{values}\nblock b0 to=b0,b1\n{block}\nblock b1\nop"
        );
        let (_, function) = parse(&text).expect("a function");
        let in_flight = InFlight::new(&function).expect("something is in flight");
        let block = Block::from_u32(0);
        let mut state = in_flight.at_start(block);
        for before in 0..instruction {
            step(&function, Instruction::from_u32(before), &mut state);
        }
        let instruction = Instruction::from_u32(instruction);
        let numbers = function.instructions[instruction].operands.clone();
        let operands = numbers.map(OperandIndex::from_u32);
        let early = operands.filter_map(|one| {
            let value = function.operands[one].virtual_register()?;
            is_in_flight(&state, value).then_some((one, value))
        });
        let place = (block, instruction);
        let copies = Accesses::new(&function).copies(&function, place, early, &state)?;
        let numbers = copies
            .iter()
            .map(|one| (one.definition.as_u32(), one.wait.as_u32()));
        Some(numbers.collect())
    }

    #[test]
    fn what_only_the_iteration_before_reads_in_flight_is_copied_behind_the_wait_for_that() {
        let body = "v0 = op
            op.waits_multiply
            op.fences
            op.multiplies in_flight v0
            op.commits
            terminator";
        assert_eq!(copied(body, 0), Some(vec![(0, 1)]));
        let pending = body.replace("waits_multiply", "waits_multiply.pending_1");
        assert_eq!(copied(&pending, 0), None);
    }

    #[test]
    fn nothing_is_copied_that_is_read_before_or_written_twice() {
        let body = |first: &str, last: &str| {
            format!(
                "v0 = op\n{first}\nop.waits_multiply\nop.multiplies in_flight v0\nop.commits\n{last}"
            )
        };
        assert_eq!(copied(&body("op", "op"), 0), Some(vec![(0, 2)]));
        assert_eq!(copied(&body("op v0", "op"), 0), None);
        assert_eq!(copied(&body("op", "v0 = op"), 0), None);
    }

    #[test]
    fn what_reads_what_is_in_flight_cannot_stay() {
        let body = "v1 = op v0
            op.waits_multiply
            v0 = op v1
            op.multiplies in_flight v0
            op.commits";
        assert_eq!(copied(body, 0), None);
    }

    #[test]
    fn what_accesses_nothing_in_flight_needs_no_copy() {
        let body = "v1 = op\nop.waits_multiply\nv0 = op v1\nop.multiplies in_flight v0\nop.commits";
        assert_eq!(copied(body, 0), Some(Vec::new()));
    }
}
