//! Builds a [`Function`] front to back, keeping instructions and operands in
//! layout order.

use super::{
    Block, BlockData, Function, Instruction, InstructionData, InstructionFlags, InstructionKind,
    Operand, Tuple, VirtualRegister, VirtualRegisterData,
};
use crate::machine::{Class, ClobberMask, Register};
use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

/// Appends blocks, and instructions to the last block.
pub struct FunctionBuilder {
    function: Function,
}

impl FunctionBuilder {
    /// Starts an empty function.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            function: Function::new(name),
        }
    }

    /// Starts a function that will be about as large as another, which saves growing.
    pub fn about_as_large(function: &Function) -> Self {
        let mut builder = Self::new(function.name.clone());
        let empty = &mut builder.function;
        let more = |count: usize| count + count / 8;
        empty.blocks = PrimaryMap::with_capacity(function.blocks.len());
        empty.instructions = PrimaryMap::with_capacity(more(function.instructions.len()));
        empty.operands = PrimaryMap::with_capacity(more(function.operands.len()));
        empty.virtual_registers = PrimaryMap::with_capacity(more(function.virtual_registers.len()));
        builder
    }

    /// Says whether this is a kernel.
    pub fn kernel(&mut self, kernel: bool) {
        self.function.kernel = kernel;
    }

    /// Adds a spillable virtual register without hints.
    pub fn virtual_register(&mut self, class: Class) -> VirtualRegister {
        self.add_virtual_register(VirtualRegisterData {
            class,
            super_class: None,
            spillable: true,
            hints: SmallVec::new(),
        })
    }

    /// Adds a virtual register.
    pub fn add_virtual_register(&mut self, data: VirtualRegisterData) -> VirtualRegister {
        self.function.virtual_registers.push(data)
    }

    /// Starts the next block.
    pub fn start_block(&mut self, frequency: f64, loop_depth: u32, live_in: &[Register]) -> Block {
        let at = self.function.instructions.len() as u32;
        self.function.blocks.push(BlockData {
            instructions: at..at,
            predecessors: SmallVec::new(),
            successors: SmallVec::new(),
            frequency,
            loop_depth,
            live_in: SmallVec::from_slice(live_in),
            landing: false,
            clobbers: None,
            first_terminator: at,
        })
    }

    /// Makes the last block one that control enters from the middle of its
    /// predecessors.
    pub fn landing(&mut self) {
        if let Some((_, block)) = self.function.blocks.last_mut() {
            block.landing = true;
        }
    }

    /// Makes entering the last block destroy registers.
    pub fn clobber_on_entry(&mut self, mask: Option<ClobberMask>) {
        if let Some((_, block)) = self.function.blocks.last_mut() {
            block.clobbers = mask;
        }
    }

    /// Appends an instruction to the last block.
    ///
    /// # Panics
    /// If there is no block.
    pub fn push(
        &mut self,
        kind: InstructionKind,
        flags: InstructionFlags,
        operands: &[Operand],
        clobbers: Option<ClobberMask>,
    ) -> Instruction {
        let start = self.function.operands.len() as u32;
        for operand in operands {
            self.function.operands.push(*operand);
        }
        let instruction = self.function.instructions.push(InstructionData {
            kind,
            flags,
            operands: start..self.function.operands.len() as u32,
            clobbers,
            thread_registers: None,
        });
        let (_, block) = self.function.blocks.last_mut().expect("a block");
        let terminated = block.first_terminator < block.instructions.end;
        block.instructions.end += 1;
        if !terminated && !flags.contains(InstructionFlags::TERMINATOR) {
            block.first_terminator = block.instructions.end;
        }
        instruction
    }

    /// Makes the last instruction one behind which threads have so many registers.
    pub fn thread_registers(&mut self, registers: u16) {
        if let Some((_, data)) = self.function.instructions.last_mut() {
            data.thread_registers = Some(registers);
        }
    }

    /// Appends a plain instruction.
    pub fn plain(&mut self, operands: &[Operand]) -> Instruction {
        self.push(
            InstructionKind::Plain,
            InstructionFlags::empty(),
            operands,
            None,
        )
    }

    /// Appends a copy of a whole virtual register.
    pub fn copy(&mut self, to: VirtualRegister, from: VirtualRegister) -> Instruction {
        self.push(
            InstructionKind::Copy,
            InstructionFlags::empty(),
            &[Operand::write(to), Operand::read(from)],
            None,
        )
    }

    /// Adds a tuple of an instruction that has been appended, none of whose followers has
    /// one yet.
    pub fn tuple(&mut self, tuple: Tuple) {
        self.function.tuples.push(tuple);
    }

    /// Adds an edge; a second one between the same blocks is left out.
    pub fn edge(&mut self, from: Block, to: Block) {
        let blocks = &mut self.function.blocks;
        if !blocks[from].successors.contains(&to) {
            blocks[from].successors.push(to);
            blocks[to].predecessors.push(from);
        }
    }

    /// What has been built so far.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        self.function
    }
}
