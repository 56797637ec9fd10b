//! The function as the allocator sees it: blocks of instructions whose
//! operands are virtual or physical registers.
//!
//! This is the one data type that every pass reads. It is close to LLVM's
//! machine IR after PHI elimination and two-address rewriting: no PHIs, tied
//! operands name the same virtual register, and control flow is explicit. It
//! knows neither opcodes nor immediates; what matters about an instruction is in
//! its [`InstructionKind`] and [`InstructionFlags`].
//!
//! Instructions and operands are stored in layout order: the instructions of a
//! block are consecutive, and so are the operands of an instruction. Passes that
//! add code build a new function with [`FunctionBuilder`].

pub mod asynchronous;
mod builder;
#[cfg(test)]
pub mod examples;
pub mod text;
mod tuple;
mod validate;

pub use builder::FunctionBuilder;
pub use tuple::Tuple;
pub use validate::Malformed;

use crate::machine::{Class, ClobberMask, Register, SubRegisterIndex};
use bitflags::bitflags;
use cranelift_entity::{PrimaryMap, entity_impl};
use smallvec::SmallVec;
use std::ops::Range;

/// What an instruction that is repeated reads, at most.
pub const MOST_SOURCES: usize = 3;

/// A basic block. Block 0 is the entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(u32);
entity_impl!(Block, "b");

/// An instruction, numbered in layout order over the whole function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instruction(u32);
entity_impl!(Instruction, "i");

/// A virtual register: a value, or several that share one name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VirtualRegister(u32);
entity_impl!(VirtualRegister, "v");

/// A spill slot in the stack frame or in local memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(u32);
entity_impl!(Slot, "slot");

/// An index into [`Function::operands`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperandIndex(u32);
entity_impl!(OperandIndex, "op");

/// A function to allocate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The symbol's name, used in messages only.
    pub name: String,
    /// A GPU's kernel: whole warps enter it. A function that is called may be entered
    /// by some threads of a warp alone.
    pub kernel: bool,
    /// Blocks in layout order.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// All instructions in layout order.
    pub instructions: PrimaryMap<Instruction, InstructionData>,
    /// All operands, instruction by instruction.
    pub operands: PrimaryMap<OperandIndex, Operand>,
    /// All virtual registers. One without operands needs no register.
    pub virtual_registers: PrimaryMap<VirtualRegister, VirtualRegisterData>,
    /// Operands that should lie side by side, in the order of their instructions.
    pub tuples: Vec<Tuple>,
}

/// A basic block and its edges.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockData {
    /// Instruction numbers `start..end`.
    pub instructions: Range<u32>,
    /// Predecessors, each once.
    pub predecessors: SmallVec<[Block; 2]>,
    /// Successors, each once.
    pub successors: SmallVec<[Block; 2]>,
    /// Executions per execution of the function; 1.0 for the entry.
    pub frequency: f64,
    /// Number of loops around the block.
    pub loop_depth: u32,
    /// Physical registers that hold a value on entry which no instruction
    /// defined: arguments in the entry block, exception values in landing pads.
    pub live_in: SmallVec<[Register; 4]>,
    /// Control comes here from the middle of its predecessors, from their
    /// instructions with [`InstructionFlags::LEAVES`]: a landing pad, or the
    /// target of an `asm goto`.
    pub landing: bool,
    /// Registers that are destroyed on entry: all of them where a funclet of
    /// Windows' exception handling begins.
    pub clobbers: Option<ClobberMask>,
    /// No code may be inserted at or after this instruction number, in this
    /// block; its end if there is no terminator.
    pub first_terminator: u32,
}

bitflags! {
    /// What else matters about an instruction.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct InstructionFlags: u32 {
        /// A call.
        const CALL = 1 << 0;
        /// A terminator.
        const TERMINATOR = 1 << 1;
        /// Depends on the set of threads that reach it: never duplicated, moved
        /// or recomputed.
        const CONVERGENT = 1 << 2;
        /// May be recomputed anywhere its operands are available.
        const REMATERIALISABLE = 1 << 3;
        /// Inline assembly.
        const INLINE_ASSEMBLY = 1 << 4;
        /// Defines an undefined value.
        const IMPLICIT_DEFINITION = 1 << 5;
        /// Control may go from here to the landing successors of its block,
        /// without what follows.
        const LEAVES = 1 << 6;
        /// Marks a place. At the beginning of a block, nothing comes before it.
        const LABEL = 1 << 7;
        /// On a GPU: what it defines, or where it branches, may differ between the
        /// threads of a warp although what it reads does not.
        const DIVERGENT = 1 << 8;
        /// On a GPU: the uniform data path can execute it, once for the whole warp.
        const UNIFORM_PATH = 1 << 9;
        /// On a GPU: executed for each thread, it can read one of its sources from a
        /// uniform register.
        const UNIFORM_SOURCE = 1 << 10;
        /// On a GPU: a multiply-accumulate, or another instruction whose operands ptxas
        /// can be told to give registers first.
        const PRIORITY = 1 << 11;
        /// On a GPU: as the one before, at knob 646 only.
        const WIDE_PRIORITY = 1 << 12;
        /// On a GPU, as [`asynchronous::Asynchronous`] says: a fence before matrix
        /// multiplications.
        const FENCES = 1 << 13;
        /// Starts a matrix multiplication that goes on behind it.
        const MULTIPLIES = 1 << 14;
        /// Starts a load of tensor memory.
        const LOADS_TENSOR = 1 << 15;
        /// Starts a store to tensor memory.
        const STORES_TENSOR = 1 << 16;
        /// Closes a group of matrix multiplications.
        const COMMITS = 1 << 17;
        /// Waits for groups of matrix multiplications.
        const WAITS_MULTIPLY = 1 << 18;
        /// Waits for loads of tensor memory.
        const WAITS_LOAD = 1 << 19;
        /// Waits for stores to tensor memory.
        const WAITS_STORE = 1 << 20;
        /// The wait for groups leaves one of the latest in flight.
        const PENDING_1 = 1 << 21;
        /// It leaves two, or two more.
        const PENDING_2 = 1 << 22;
        /// It leaves four, or four more.
        const PENDING_4 = 1 << 23;
        /// On a GPU: loads an argument of a function that is no kernel.
        const ARGUMENT = 1 << 24;
        /// On a GPU: loads from global memory; what it loads from one address can be moved to
        /// uniform registers.
        const UNIFORM_LOAD = 1 << 25;
        /// Tells others where its operands are, as a stack map does: any number of values may
        /// be in memory, not just one.
        const RECORDS = 1 << 26;
    }
}

/// What an instruction does, as far as allocation is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InstructionKind {
    /// Anything else.
    #[default]
    Plain,
    /// Operand 0 receives the value of operand 1, unchanged.
    Copy,
    /// Writes operand 0, a use, to the slot. Only the allocator makes it.
    Store(Slot),
    /// Reads the slot into operand 0, a definition. Only the allocator makes it.
    Reload(Slot),
    /// Operand 0 receives what an instruction of the caller's function computes, which
    /// has this number there. Only the allocator makes it.
    Rematerialise(Instruction),
    /// Operand 0, of the class's spill-through class, receives operand 1
    /// (see [`crate::machine::ClassData::spill_through`]). Only the allocator makes it.
    Widen,
    /// The inverse of [`InstructionKind::Widen`].
    Narrow,
    /// Operand 0 receives operand 1, and has another register: its value is read from there
    /// on. Only the allocator makes it.
    Move,
}

/// An instruction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstructionData {
    /// What it does.
    pub kind: InstructionKind,
    /// More about it.
    pub flags: InstructionFlags,
    /// Operand numbers `start..end` in [`Function::operands`].
    pub operands: Range<u32>,
    /// Registers it destroys besides its definitions.
    pub clobbers: Option<ClobberMask>,
    /// On a GPU: how many 32-bit registers each thread of the warp has behind it, if it
    /// changes that (`setmaxnreg`).
    pub thread_registers: Option<u16>,
}

/// The register an operand names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandRegister {
    /// To be allocated.
    Virtual(VirtualRegister),
    /// Already fixed, by a calling convention or an instruction's encoding.
    Physical(Register),
    /// None: the instruction accesses the slot itself. Only the allocator makes it.
    Slot(Slot),
    /// None: the instruction reads from memory what this one of the caller's function loads.
    /// Only the allocator makes it.
    Loaded(Instruction),
}

/// Whether an operand reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads its register.
    Use,
    /// Writes its register.
    Definition,
}

bitflags! {
    /// Details of an operand.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct OperandFlags: u16 {
        /// A definition written before the instruction's uses are read.
        const EARLY_CLOBBER = 1 << 0;
        /// A use whose value does not matter, or a definition of a
        /// sub-register that does not keep the rest.
        const UNDEFINED = 1 << 1;
        /// A definition that nothing reads.
        const DEAD = 1 << 2;
        /// Not part of the instruction's encoding.
        const IMPLICIT = 1 << 3;
        /// The instruction can access the value in memory instead: one value, or several of
        /// one that [records](InstructionFlags::RECORDS), if all operands that name it say so.
        const FOLDABLE = 1 << 4;
        /// What the instruction starts goes on with the register behind it, until that is
        /// waited for.
        const IN_FLIGHT = 1 << 5;
        /// A use that keeps a value in its register up to a fence or a wait. Only the
        /// allocator makes it.
        const AWAITED = 1 << 6;
        /// A use of a value with one definition, a load that could be repeated: the
        /// instruction can read from there itself, if all operands that name the value say
        /// so, and nothing else from memory then.
        const LOADABLE = 1 << 7;
        /// The instruction takes registers of the value's class alone here, not all of its
        /// [super-class](VirtualRegisterData::super_class).
        const CONSTRAINED = 1 << 8;
        /// A use whose value is needed behind what the instruction destroys as well: not in a
        /// register that it clobbers. LLVM's live-through uses: what a call records for whoever
        /// returns into its caller in another way.
        const LIVE_THROUGH = 1 << 9;
    }
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The register.
    pub register: OperandRegister,
    /// The part of a virtual register that is accessed;
    /// [`SubRegisterIndex::WHOLE`] for all of it.
    pub sub_register: SubRegisterIndex,
    /// Read or write.
    pub access: Access,
    /// Details.
    pub flags: OperandFlags,
    /// For a use: the number, within the instruction, of the definition that
    /// must get the same register.
    pub tied_to: Option<u8>,
}

/// A virtual register.
#[derive(Clone, Debug, PartialEq)]
pub struct VirtualRegisterData {
    /// Where it may live.
    pub class: Class,
    /// Where it may live but for the operands that are [`OperandFlags::CONSTRAINED`]: a larger
    /// class, as large in memory.
    pub super_class: Option<Class>,
    /// False for the short ranges around spill code, and for values that
    /// cannot be stored.
    pub spillable: bool,
    /// Registers the target would like it in, best first.
    pub hints: SmallVec<[Register; 2]>,
}

impl OperandRegister {
    /// The virtual register, if it is one.
    pub fn virtual_register(self) -> Option<VirtualRegister> {
        match self {
            Self::Virtual(register) => Some(register),
            Self::Physical(_) | Self::Slot(_) | Self::Loaded(_) => None,
        }
    }

    /// Whether there is none, and memory is accessed instead.
    pub fn is_in_memory(self) -> bool {
        matches!(self, Self::Slot(_) | Self::Loaded(_))
    }
}

impl Operand {
    /// A plain use of a virtual register.
    pub fn read(register: VirtualRegister) -> Self {
        Self::new(OperandRegister::Virtual(register), Access::Use)
    }

    /// A plain definition of a virtual register.
    pub fn write(register: VirtualRegister) -> Self {
        Self::new(OperandRegister::Virtual(register), Access::Definition)
    }

    /// An operand without sub-register, flags or ties.
    pub fn new(register: OperandRegister, access: Access) -> Self {
        Self {
            register,
            sub_register: SubRegisterIndex::WHOLE,
            access,
            flags: OperandFlags::empty(),
            tied_to: None,
        }
    }

    /// The virtual register, if it is one.
    pub fn virtual_register(&self) -> Option<VirtualRegister> {
        self.register.virtual_register()
    }

    /// The physical register, if it is one.
    pub fn physical_register(&self) -> Option<Register> {
        match self.register {
            OperandRegister::Physical(register) => Some(register),
            OperandRegister::Virtual(_) | OperandRegister::Slot(_) | OperandRegister::Loaded(_) => {
                None
            }
        }
    }

    /// The slot, if the instruction accesses one.
    pub fn slot(&self) -> Option<Slot> {
        match self.register {
            OperandRegister::Slot(slot) => Some(slot),
            OperandRegister::Virtual(_)
            | OperandRegister::Physical(_)
            | OperandRegister::Loaded(_) => None,
        }
    }

    /// The load of the caller's function, if the instruction does what that does.
    pub fn load(&self) -> Option<Instruction> {
        match self.register {
            OperandRegister::Loaded(from) => Some(from),
            OperandRegister::Virtual(_)
            | OperandRegister::Physical(_)
            | OperandRegister::Slot(_) => None,
        }
    }

    /// Whether the instruction accesses memory instead of a register.
    pub fn is_in_memory(&self) -> bool {
        self.register.is_in_memory()
    }

    /// Whether this is a definition.
    pub fn is_definition(&self) -> bool {
        self.access == Access::Definition
    }

    /// Whether the instruction needs the old value: a use, or the definition of
    /// a part that keeps the rest.
    pub fn reads(&self) -> bool {
        !self.flags.contains(OperandFlags::UNDEFINED)
            && (self.access == Access::Use || !self.sub_register.is_whole())
    }

    /// Whether the value that a copy's source operand names matters.
    pub fn reads_source(&self) -> bool {
        !self.flags.contains(OperandFlags::UNDEFINED)
    }

    /// Whether a definition is written before the uses are read.
    pub fn is_early_clobber(&self) -> bool {
        self.flags.contains(OperandFlags::EARLY_CLOBBER)
    }

    /// Whether a use needs its value behind what the instruction destroys as well.
    pub fn is_live_through(&self) -> bool {
        self.flags.contains(OperandFlags::LIVE_THROUGH)
    }
}

impl Function {
    /// An empty function.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Whether anything is called.
    pub fn calls(&self) -> bool {
        let mut instructions = self.instructions.values();
        instructions.any(|data| data.flags.contains(InstructionFlags::CALL))
    }

    /// The instructions of a block, in order.
    pub fn block_instructions(
        &self,
        block: Block,
    ) -> impl DoubleEndedIterator<Item = Instruction> + use<> {
        self.blocks[block]
            .instructions
            .clone()
            .map(Instruction::from_u32)
    }

    /// The instructions of a block that destroy registers, in order: its calls.
    pub fn block_clobbers(&self, block: Block) -> impl Iterator<Item = Instruction> {
        let destroys = |one: &Instruction| self.instructions[*one].clobbers.is_some();
        self.block_instructions(block).filter(destroys)
    }

    /// The operands of an instruction.
    pub fn instruction_operands(&self, instruction: Instruction) -> &[Operand] {
        let range = &self.instructions[instruction].operands;
        &self.operands.as_values_slice()[range.start as usize..range.end as usize]
    }

    /// The operands of an instruction with their numbers in the function.
    pub fn numbered_operands(
        &self,
        instruction: Instruction,
    ) -> impl Iterator<Item = (OperandIndex, &Operand)> {
        let range = self.instructions[instruction].operands.clone();
        range
            .map(OperandIndex::from_u32)
            .zip(self.instruction_operands(instruction))
    }

    /// Destination and source operand of a copy.
    pub fn copy_operands(&self, instruction: Instruction) -> Option<(&Operand, &Operand)> {
        match (
            self.instructions[instruction].kind,
            self.instruction_operands(instruction),
        ) {
            (InstructionKind::Copy, [destination, source, ..]) => Some((destination, source)),
            _ => None,
        }
    }

    /// Destination and source of a copy whose ends have one value: whole virtual registers of one
    /// class, and a source that is defined. Or of a move between a class and its super-class.
    pub fn joinable_copy(
        &self,
        instruction: Instruction,
    ) -> Option<(VirtualRegister, VirtualRegister)> {
        let (to, from) = self.coalescible(instruction)?;
        let whole = to.sub_register.is_whole() && from.sub_register.is_whole();
        let ends = (to.virtual_register()?, from.virtual_register()?);
        let class = |value| self.virtual_registers[value].class;
        let is_move = self.instructions[instruction].kind == InstructionKind::Move;
        let suits = is_move || class(ends.0) == class(ends.1);
        (whole && from.reads_source() && suits).then_some(ends)
    }

    /// Where an instruction moves a value to, and from where.
    pub fn moved(&self, instruction: Instruction) -> Option<(VirtualRegister, VirtualRegister)> {
        let operands = self.instruction_operands(instruction);
        match (self.instructions[instruction].kind, operands) {
            (InstructionKind::Move, [to, from]) => {
                Some((to.virtual_register()?, from.virtual_register()?))
            }
            _ => None,
        }
    }

    /// Whether an instruction moves a value from a register of one class to one of another.
    pub fn is_moved_to_class(&self, instruction: Instruction) -> bool {
        let class = |value: VirtualRegister| self.virtual_registers[value].class;
        let moved = self.moved(instruction);
        moved.is_some_and(|(to, from)| class(to) != class(from))
    }

    /// Destination and source operand of a copy, or of a move between classes.
    pub fn coalescible(&self, instruction: Instruction) -> Option<(&Operand, &Operand)> {
        match (
            self.instructions[instruction].kind,
            self.instruction_operands(instruction),
        ) {
            (InstructionKind::Copy, [to, from, ..]) => Some((to, from)),
            (InstructionKind::Move, [to, from]) if self.is_moved_to_class(instruction) => {
                Some((to, from))
            }
            _ => None,
        }
    }

    /// The block of each instruction.
    pub fn instruction_blocks(&self) -> Vec<Block> {
        let mut blocks = vec![Block::from_u32(0); self.instructions.len()];
        for (block, data) in &self.blocks {
            blocks[data.instructions.start as usize..data.instructions.end as usize].fill(block);
        }
        blocks
    }
}
