//! Which values are the same in all threads of a warp.
//!
//! A virtual register is uniform if each of its definitions is: made by an instruction
//! that is not a source of divergence itself, from uniform values, in a block that all
//! threads of the warp execute together. As the function is not in SSA form, the last
//! condition stands for what divergence does at PHIs, and at loops that threads leave
//! at different times: all blocks of such a loop depend on its exit. What a thread
//! reads after it has gone its own way is still uniform, if it was before.
//!
//! Only in a kernel is anything uniform: another function may be called by some threads
//! of a warp alone.
//!
//! Source: Karrenberg and Hack, "Improving performance of OpenCL on CPUs" (2012), for
//! the sources and their spreading. Time: near-linear; each value and each block is
//! found divergent once.

use super::control_dependence::DivergentBlocks;
use super::mentions::Mentions;
use crate::function::{Block, Function, Instruction, InstructionFlags, Operand, VirtualRegister};
use cranelift_entity::SecondaryMap;

/// The uniform values of one function.
pub struct Uniformity {
    kernel: bool,
    divergent: SecondaryMap<VirtualRegister, bool>,
    parted: SecondaryMap<Block, bool>,
}

impl Uniformity {
    /// Finds them.
    pub fn new(function: &Function) -> Self {
        let mut divergent = SecondaryMap::new();
        let mut parted = SecondaryMap::new();
        if function.kernel {
            let mut spreading = Spreading::new(function);
            spreading.run();
            divergent = spreading.divergent;
            for block in function.blocks.keys() {
                parted[block] = spreading.blocks.contains(block);
            }
        }
        Self {
            kernel: function.kernel,
            divergent,
            parted,
        }
    }

    /// Whether all threads of a warp that still run execute a block together.
    pub fn is_together(&self, block: Block) -> bool {
        self.kernel && !self.parted[block]
    }

    /// Whether all threads of a warp have the same value, whenever they read it.
    pub fn is_uniform(&self, value: VirtualRegister) -> bool {
        self.kernel && !self.divergent[value]
    }
}

/// Divergence, from its sources to wherever it spreads.
struct Spreading<'a> {
    function: &'a Function,
    readers: Mentions,
    block_of: Vec<Block>,
    blocks: DivergentBlocks<'a>,
    divergent: SecondaryMap<VirtualRegister, bool>,
    /// Divergent values whose readers have not been looked at.
    waiting: Vec<VirtualRegister>,
}

impl<'a> Spreading<'a> {
    fn new(function: &'a Function) -> Self {
        Self {
            function,
            readers: Mentions::new(function, Operand::reads),
            block_of: function.instruction_blocks(),
            blocks: DivergentBlocks::new(function),
            divergent: SecondaryMap::new(),
            waiting: Vec::new(),
        }
    }

    fn run(&mut self) {
        let function = self.function;
        for (instruction, data) in &function.instructions {
            let operands = function.instruction_operands(instruction).iter();
            let mut read = operands.filter(|operand| operand.reads());
            let physical = read.any(|operand| operand.physical_register().is_some());
            if data.flags.contains(InstructionFlags::DIVERGENT) || physical {
                self.diverge(instruction);
            }
        }
        for block in function.blocks.keys() {
            if !self.reads_at_end(block) {
                self.part(block);
            }
        }
        while let Some(value) = self.waiting.pop() {
            for number in self.readers.numbers(value) {
                self.diverge(self.readers.instruction(number));
            }
        }
    }

    /// Whether it is known what the block's branch depends on.
    fn reads_at_end(&self, block: Block) -> bool {
        let mut ends = self.function.block_instructions(block);
        ends.any(|instruction| {
            let operands = self.function.instruction_operands(instruction);
            self.is_branch(instruction) && operands.iter().any(Operand::reads)
        })
    }

    fn is_branch(&self, instruction: Instruction) -> bool {
        let branches = InstructionFlags::TERMINATOR | InstructionFlags::LEAVES;
        let data = &self.function.instructions[instruction];
        data.flags.intersects(branches)
    }

    /// An instruction has divergent results.
    fn diverge(&mut self, instruction: Instruction) {
        for operand in self.function.instruction_operands(instruction) {
            if let Some(value) = operand.virtual_register()
                && operand.is_definition()
            {
                self.add(value);
            }
        }
        if self.is_branch(instruction) {
            self.part(self.block_of[instruction.as_u32() as usize]);
        }
    }

    /// The threads part at the end of a block.
    fn part(&mut self, block: Block) {
        for block in self.blocks.diverge(block) {
            for instruction in self.function.block_instructions(block) {
                self.diverge(instruction);
            }
        }
    }

    fn add(&mut self, value: VirtualRegister) {
        if !std::mem::replace(&mut self.divergent[value], true) {
            self.waiting.push(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{
        Access, FunctionBuilder, InstructionKind, OperandFlags, OperandRegister,
    };
    use crate::machine::gpu;

    /// A kernel under construction.
    struct Case(FunctionBuilder);

    impl Case {
        fn new() -> Self {
            let mut builder = FunctionBuilder::new("f");
            builder.kernel(true);
            builder.start_block(1.0, 0, &[]);
            Self(builder)
        }

        fn values<const N: usize>(&mut self) -> [VirtualRegister; N] {
            std::array::from_fn(|_| self.0.virtual_register(gpu::SINGLE32))
        }

        fn block(&mut self, predecessors: &[Block]) -> Block {
            let block = self.0.start_block(1.0, 0, &[]);
            for &predecessor in predecessors {
                self.0.edge(predecessor, block);
            }
            block
        }

        fn op(&mut self, writes: VirtualRegister, reads: &[VirtualRegister]) {
            self.flagged(InstructionFlags::empty(), writes, reads);
        }

        /// As a read of %tid.
        fn thread_index(&mut self, writes: VirtualRegister) {
            self.flagged(InstructionFlags::DIVERGENT, writes, &[]);
        }

        fn flagged(
            &mut self,
            flags: InstructionFlags,
            writes: VirtualRegister,
            reads: &[VirtualRegister],
        ) {
            let reads = reads.iter().map(|&value| Operand::read(value));
            let operands: Vec<_> = [Operand::write(writes)].into_iter().chain(reads).collect();
            self.0.push(InstructionKind::Plain, flags, &operands, None);
        }

        fn branch(&mut self, reads: &[VirtualRegister]) {
            let operands: Vec<_> = reads.iter().map(|&value| Operand::read(value)).collect();
            let flags = InstructionFlags::TERMINATOR;
            self.0.push(InstructionKind::Plain, flags, &operands, None);
        }

        fn uniform<const N: usize>(self, values: [VirtualRegister; N]) -> [bool; N] {
            let uniformity = Uniformity::new(&self.0.finish());
            values.map(|value| uniformity.is_uniform(value))
        }
    }

    fn entry() -> Block {
        Block::from_u32(0)
    }

    #[test]
    fn divergence_spreads_through_operands() {
        let mut case = Case::new();
        let [parameter, index, sum, twice, other] = case.values();
        case.op(parameter, &[]);
        case.thread_index(index);
        case.op(sum, &[parameter, index]);
        case.op(twice, &[sum]);
        case.op(other, &[parameter, parameter]);
        let values = [parameter, index, sum, twice, other];
        assert_eq!(case.uniform(values), [true, false, false, false, true]);
    }

    #[test]
    fn only_kernels_have_uniform_values() {
        let mut case = Case::new();
        let [value] = case.values();
        case.op(value, &[]);
        case.0.kernel(false);
        assert_eq!(case.uniform([value]), [false]);
    }

    #[test]
    fn one_divergent_definition_of_several_is_enough() {
        let mut case = Case::new();
        let [value] = case.values();
        case.op(value, &[]);
        case.thread_index(value);
        assert_eq!(case.uniform([value]), [false]);
    }

    #[test]
    fn undefined_operands_do_not_count_and_kept_parts_do() {
        let mut case = Case::new();
        let [index, ignoring, keeping] = case.values();
        case.thread_index(index);
        let undefined = Operand {
            flags: OperandFlags::UNDEFINED,
            ..Operand::read(index)
        };
        case.0.plain(&[Operand::write(ignoring), undefined]);
        let part = Operand {
            sub_register: crate::machine::SubRegisterIndex(1),
            ..Operand::write(keeping)
        };
        case.thread_index(keeping);
        case.0.plain(&[part]);
        let values = [index, ignoring, keeping];
        assert_eq!(case.uniform(values), [false, true, false]);
    }

    #[test]
    fn nothing_is_known_about_physical_registers() {
        let mut case = Case::new();
        let [value] = case.values();
        let register = gpu::machine(8).classes[gpu::SINGLE32].order[0];
        let physical = Operand::new(OperandRegister::Physical(register), Access::Use);
        case.0.plain(&[Operand::write(value), physical]);
        assert_eq!(case.uniform([value]), [false]);
    }

    #[test]
    fn what_is_defined_under_a_divergent_branch_is_divergent() {
        let mut case = Case::new();
        let [index, before, inside, after] = case.values();
        case.thread_index(index);
        case.op(before, &[]);
        case.branch(&[index]);
        let arm = case.block(&[entry()]);
        case.op(inside, &[before]);
        let join = case.block(&[entry(), arm]);
        case.op(after, &[before]);
        case.branch(&[]);
        assert_eq!(join.as_u32(), 2);
        let values = [before, inside, after];
        assert_eq!(case.uniform(values), [true, false, true]);
    }

    #[test]
    fn under_a_uniform_branch_values_stay_uniform() {
        let mut case = Case::new();
        let [condition, inside] = case.values();
        case.op(condition, &[]);
        case.branch(&[condition]);
        let arm = case.block(&[entry()]);
        case.op(inside, &[]);
        case.block(&[entry(), arm]);
        case.op(inside, &[]);
        assert_eq!(case.uniform([condition, inside]), [true, true]);
    }

    #[test]
    fn a_branch_that_reads_nothing_or_is_flagged_is_not_trusted() {
        for flags in [
            InstructionFlags::TERMINATOR,
            InstructionFlags::TERMINATOR | InstructionFlags::DIVERGENT,
        ] {
            let mut case = Case::new();
            let [condition, inside] = case.values();
            case.op(condition, &[]);
            let operands = [Operand::read(condition)];
            let read = usize::from(flags.contains(InstructionFlags::DIVERGENT));
            let kind = InstructionKind::Plain;
            case.0.push(kind, flags, &operands[..read], None);
            let arm = case.block(&[entry()]);
            case.op(inside, &[]);
            case.block(&[entry(), arm]);
            case.branch(&[inside]);
            assert_eq!(case.uniform([condition, inside]), [true, false]);
        }
    }

    /// A loop that counts; `exit` tells what its exit depends on.
    fn counting(exit: impl Fn(VirtualRegister, VirtualRegister) -> VirtualRegister) -> [bool; 2] {
        let mut case = Case::new();
        let [index, counter, limit, again] = case.values();
        case.thread_index(index);
        case.op(counter, &[]);
        case.op(limit, &[]);
        let around = case.block(&[entry()]);
        case.op(counter, &[counter]);
        case.op(again, &[counter, exit(index, limit)]);
        case.branch(&[again]);
        case.0.edge(around, around);
        case.block(&[around]);
        case.branch(&[counter]);
        case.uniform([counter, limit])
    }

    #[test]
    fn a_loop_left_together_counts_uniformly() {
        assert_eq!(counting(|_, limit| limit), [true, true]);
    }

    #[test]
    fn a_loop_left_one_by_one_leaves_different_counts_behind() {
        assert_eq!(counting(|index, _| index), [false, true]);
    }

    #[test]
    fn divergence_comes_back_through_branches_and_around_loops() {
        // The branch of the second block depends on a value of the arm of the first,
        // which a later turn of the loop has made divergent.
        let mut case = Case::new();
        let [flag, index, inside, more] = case.values();
        case.op(flag, &[]);
        let header = case.block(&[entry()]);
        case.branch(&[flag]);
        let arm = case.block(&[header]);
        case.op(inside, &[]);
        let latch = case.block(&[header, arm]);
        case.thread_index(index);
        case.op(flag, &[index]);
        case.op(more, &[]);
        case.branch(&[more]);
        case.0.edge(latch, header);
        case.block(&[latch]);
        case.branch(&[inside]);
        let values = [flag, inside, more];
        assert_eq!(case.uniform(values), [false, false, true]);
    }

    #[test]
    fn cycles_with_two_entries_follow_the_same_rules() {
        for divergent in [false, true] {
            let mut case = Case::new();
            let [condition, index, counter] = case.values();
            case.op(condition, &[]);
            case.thread_index(index);
            case.op(counter, &[]);
            case.branch(&[condition]);
            let one = case.block(&[entry()]);
            case.op(counter, &[counter]);
            let other = case.block(&[entry(), one]);
            case.op(counter, &[counter]);
            case.branch(&[if divergent { index } else { counter }]);
            case.0.edge(other, one);
            case.block(&[other]);
            case.branch(&[counter]);
            assert_eq!(case.uniform([counter]), [!divergent]);
        }
    }

    #[test]
    fn a_kernels_guard_keeps_the_rest_together() {
        let mut case = Case::new();
        let [index, rest] = case.values();
        case.thread_index(index);
        case.branch(&[index]);
        let body = case.block(&[entry()]);
        case.op(rest, &[]);
        case.branch(&[]);
        let exit = case.block(&[entry(), body]);
        case.branch(&[]);
        assert_eq!(exit.as_u32(), 2);
        assert_eq!(case.uniform([index, rest]), [false, true]);
    }
}
