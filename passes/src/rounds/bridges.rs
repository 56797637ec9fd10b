//! Bridges: copies of one value that cannot be merged with it are merged with one another.
//!
//! In a chain *copy x = a, other instructions, copy y = a* of one block, a may be written
//! while x and y are still read: then neither copy goes. But y is the same as x. Where x is
//! live behind the second copy, this reads x instead, which is then the value's scratch
//! register, of its own class: the two can be merged, and one copy goes. The window of a
//! chain ends at calls and at the end of the block, and where a or x is written. ptxas puts
//! moves, byte permutations and selects on a bridge, by the file of the register; here the
//! copy is there, and what LLVM makes of one is the `mov` of its class. Values that a warp
//! shares are left alone: they may go back to the threads' registers, one without the other.
//! Requires a GPU's work function before anything is spilled. Ensures that each copy still
//! copies the same, as the checker sees for itself. Time: for each copy the open chains, and
//! the definitions and ranges of three values. Source: ptxas document, coalescing engine.

use crate::analysis::live_range::LiveRanges;
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::function::{
    Block, Function, Instruction, InstructionFlags, OperandFlags, OperandIndex, OperandRegister,
    VirtualRegister,
};
use crate::machine::Machine;
use tracing::trace;

/// A copy that others may follow.
struct Open {
    of: VirtualRegister,
    scratch: VirtualRegister,
}

/// Makes copies read other copies where that helps. `stays` says which values will not
/// change their class.
pub fn bridge(
    function: &mut Function,
    machine: &Machine,
    stays: impl Fn(&Function, VirtualRegister) -> bool,
) {
    let liveness = Liveness::new(function, machine);
    let ranges = LiveRanges::new(function, &liveness);
    let blocks = function.blocks.keys();
    let found: Vec<_> = blocks
        .flat_map(|block| in_block(function, &ranges, block, &stays))
        .collect();
    for (operand, scratch) in found {
        function.operands[operand].register = OperandRegister::Virtual(scratch);
    }
}

/// The operands of a block that are to read something else, and what.
fn in_block(
    function: &Function,
    ranges: &LiveRanges,
    block: Block,
    stays: impl Fn(&Function, VirtualRegister) -> bool,
) -> Vec<(OperandIndex, VirtualRegister)> {
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for instruction in function.block_instructions(block) {
        let data = &function.instructions[instruction];
        if data
            .flags
            .intersects(InstructionFlags::CALL | InstructionFlags::TERMINATOR)
        {
            open.clear();
        }
        let copy = function.joinable_copy(instruction);
        let copy = copy.filter(|&(to, from)| stays(function, to) && stays(function, from));
        if let Some((_, from)) = copy {
            let helps = |one: &&Open| {
                one.of == from && is_bridge(function, ranges, instruction, one.scratch)
            };
            if let Some(&Open { scratch, .. }) = open.iter().find(helps) {
                trace!(copy = %instruction, value = %from, %scratch, "bridged");
                found.push((OperandIndex::from_u32(data.operands.start + 1), scratch));
            }
        }
        for operand in function.instruction_operands(instruction) {
            let is_written =
                operand.is_definition() || operand.flags.contains(OperandFlags::IN_FLIGHT);
            if let Some(value) = operand.virtual_register().filter(|_| is_written) {
                open.retain(|one| one.of != value && one.scratch != value);
            }
        }
        if let Some((scratch, of)) = copy.filter(|(to, from)| to != from) {
            open.push(Open { of, scratch });
        }
    }
    found
}

/// Whether a copy cannot be merged with its source, but with another copy of that.
fn is_bridge(
    function: &Function,
    ranges: &LiveRanges,
    copy: Instruction,
    scratch: VirtualRegister,
) -> bool {
    let Some((to, from)) = function
        .joinable_copy(copy)
        .filter(|&(to, _)| to != scratch)
    else {
        return false;
    };
    let point = ProgramPoint::late(copy);
    is_live(ranges, scratch, point)
        && differ(ranges, to, from, None)
        && !differ(ranges, to, scratch, Some(point))
}

/// Whether one of two values is written while the other is live, and not with its value.
/// What is written at one point counts as if it were that value.
fn differ(
    ranges: &LiveRanges,
    a: VirtualRegister,
    b: VirtualRegister,
    equal_at: Option<ProgramPoint>,
) -> bool {
    let written = |value, other| {
        let mut definitions = ranges.definitions(value).iter();
        definitions.any(|one| {
            one.copy_of != Some(other)
                && Some(one.point) != equal_at
                && is_live(ranges, other, one.point)
        })
    };
    written(a, b) || written(b, a)
}

fn is_live(ranges: &LiveRanges, value: VirtualRegister, point: ProgramPoint) -> bool {
    let segments = ranges.segments(value);
    let next = segments.partition_point(|segment| segment.end <= point);
    segments.get(next).is_some_and(|one| one.start <= point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, InstructionKind, Operand};
    use crate::machine::gpu;

    /// What stands between the two copies of a chain.
    enum Between {
        Nothing,
        WritesValue,
        WritesScratch,
        Call,
    }

    /// `x = a`, something, `y = a`; then a is written while x, if it is read, and y live.
    fn bridged(between: Between, reads_x: bool, a_changes: bool) -> bool {
        let mut builder = FunctionBuilder::new("f");
        let [a, x, y] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(x, a);
        builder.plain(&[Operand::read(x)]);
        match between {
            Between::Nothing => {}
            Between::WritesValue => drop(builder.plain(&[Operand::write(a)])),
            Between::WritesScratch => drop(builder.plain(&[Operand::write(x)])),
            Between::Call => {
                let (kind, flags) = (InstructionKind::Plain, InstructionFlags::CALL);
                builder.push(kind, flags, &[], None);
            }
        }
        let copy = builder.copy(y, a);
        if a_changes {
            builder.plain(&[Operand::write(a)]);
        }
        builder.plain(&[Operand::read(a), Operand::read(y)]);
        if reads_x {
            builder.plain(&[Operand::read(x)]);
        }
        let mut function = builder.finish();
        bridge(&mut function, &gpu::machine(8), |_, _| true);
        let (_, from) = function.joinable_copy(copy).expect("a copy");
        assert!(from == a || from == x);
        from == x
    }

    #[test]
    fn a_copy_reads_another_where_the_source_changes() {
        assert!(bridged(Between::Nothing, true, true));
    }

    #[test]
    fn what_can_be_merged_needs_no_bridge() {
        assert!(!bridged(Between::Nothing, true, false));
    }

    #[test]
    fn a_scratch_that_would_live_longer_is_none() {
        assert!(!bridged(Between::Nothing, false, true));
    }

    #[test]
    fn writes_and_calls_end_a_chain() {
        for between in [Between::WritesValue, Between::WritesScratch, Between::Call] {
            assert!(!bridged(between, true, true));
        }
    }

    #[test]
    fn what_may_change_its_class_is_left_alone() {
        let mut builder = FunctionBuilder::new("f");
        let [a, x, y] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(x, a);
        builder.copy(y, a);
        builder.plain(&[Operand::write(a)]);
        builder.plain(&[a, x, y].map(Operand::read));
        let function = builder.finish();
        for (moves, expected) in [
            (None, false),
            (Some(a), true),
            (Some(x), true),
            (Some(y), true),
        ] {
            let mut changed = function.clone();
            bridge(&mut changed, &gpu::machine(8), |_, value| {
                Some(value) != moves
            });
            assert_eq!(changed == function, expected);
        }
    }
}
