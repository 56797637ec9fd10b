//! The function's blocks, instructions, operands and virtual registers.

use super::machine::{range, register};
use super::raw::FunctionTables;
use super::{ClassNumbers, malformed};
use crate::abi::*;
use crate::numbers::Numbers;
use cranelift_entity::PrimaryMap;
use passes::error::Error;
use passes::function::{
    Access, Block, BlockData, Function, InstructionData, InstructionFlags, InstructionKind,
    Operand, OperandFlags, OperandIndex, OperandRegister, VirtualRegister, VirtualRegisterData,
};
use passes::machine::{Class, ClobberMask, Machine, SubRegisterIndex};
use smallvec::SmallVec;

/// Checks and builds a function.
pub fn import(
    tables: &FunctionTables,
    machine: &Machine,
    classes: &ClassNumbers,
    numbers: &Numbers,
) -> Result<Function, Error> {
    let importer = Importer {
        tables,
        machine,
        classes,
        numbers,
    };
    Ok(Function {
        name: tables.name.clone().into_owned(),
        kernel: tables.is_kernel,
        virtual_registers: importer.virtual_registers()?,
        operands: importer.operands()?,
        instructions: importer.instructions()?,
        blocks: importer.blocks()?,
        tuples: Vec::new(),
    })
}

struct Importer<'a> {
    tables: &'a FunctionTables<'a>,
    machine: &'a Machine,
    classes: &'a ClassNumbers,
    numbers: &'a Numbers,
}

impl Importer<'_> {
    fn virtual_registers(&self) -> Result<PrimaryMap<VirtualRegister, VirtualRegisterData>, Error> {
        let mut registers = PrimaryMap::with_capacity(self.numbers.count());
        for data in self.numbers.keep(self.tables.virtual_registers) {
            let hints = range(
                data.hint_begin,
                data.hint_end,
                self.tables.hints.len(),
                "the hints of a virtual register",
            )?;
            registers.push(VirtualRegisterData {
                class: self.class(data.class_index)?,
                super_class: match data.super_class_index {
                    WARPALLOC_NONE => None,
                    number => Some(self.class(number)?),
                },
                spillable: data.flags & WARPALLOC_UNSPILLABLE == 0,
                hints: self.tables.hints[hints]
                    .iter()
                    .map(|&hint| register(hint, &self.machine.table))
                    .collect::<Result<_, _>>()?,
            });
        }
        Ok(registers)
    }

    fn class(&self, number: u32) -> Result<Class, Error> {
        self.classes
            .class(number)
            .filter(|&class| self.machine.classes.is_valid(class))
            .ok_or_else(|| malformed(format!("class {number} does not exist")))
    }

    fn operands(&self) -> Result<PrimaryMap<OperandIndex, Operand>, Error> {
        let mut operands = PrimaryMap::with_capacity(self.tables.operands.len());
        for data in self.tables.operands {
            operands.push(self.operand(data)?);
        }
        Ok(operands)
    }

    fn operand(&self, data: &WarpallocOperand) -> Result<Operand, Error> {
        let has = |flag| data.flags & flag != 0;
        let mut flags = OperandFlags::empty();
        flags.set(OperandFlags::EARLY_CLOBBER, has(WARPALLOC_EARLY_CLOBBER));
        flags.set(OperandFlags::UNDEFINED, has(WARPALLOC_UNDEFINED));
        flags.set(OperandFlags::DEAD, has(WARPALLOC_DEAD));
        flags.set(OperandFlags::IMPLICIT, has(WARPALLOC_IMPLICIT));
        flags.set(OperandFlags::FOLDABLE, has(WARPALLOC_FOLDABLE));
        flags.set(OperandFlags::LOADABLE, has(WARPALLOC_LOADABLE));
        flags.set(OperandFlags::CONSTRAINED, has(WARPALLOC_CONSTRAINED));
        flags.set(OperandFlags::LIVE_THROUGH, has(WARPALLOC_LIVE_THROUGH));
        let tied_to = match data.tied_to {
            u16::MAX => None,
            position => Some(
                u8::try_from(position)
                    .map_err(|_| malformed("a tie beyond the 256th operand of an instruction"))?,
            ),
        };
        Ok(Operand {
            register: if has(WARPALLOC_PHYSICAL) {
                OperandRegister::Physical(register(data.register, &self.machine.table)?)
            } else {
                OperandRegister::Virtual(self.virtual_register(data.register)?)
            },
            sub_register: SubRegisterIndex(data.sub_register),
            access: if has(WARPALLOC_DEFINITION) {
                Access::Definition
            } else {
                Access::Use
            },
            flags,
            tied_to,
        })
    }

    fn virtual_register(&self, number: u32) -> Result<VirtualRegister, Error> {
        let ours = self.numbers.ours(number);
        ours.ok_or_else(|| malformed(format!("virtual register {number} is not one")))
    }

    fn instructions(
        &self,
    ) -> Result<PrimaryMap<passes::function::Instruction, InstructionData>, Error> {
        let mut instructions = PrimaryMap::with_capacity(self.tables.instructions.len());
        let mut end = 0;
        for data in self.tables.instructions {
            if data.operand_begin != end {
                return Err(malformed("the operands are not in the instructions' order"));
            }
            end = data.operand_end;
            instructions.push(self.instruction(data)?);
        }
        if end as usize != self.tables.operands.len() {
            return Err(malformed("operands without an instruction"));
        }
        Ok(instructions)
    }

    fn instruction(&self, data: &WarpallocInstruction) -> Result<InstructionData, Error> {
        let operands = range(
            data.operand_begin,
            data.operand_end,
            self.tables.operands.len(),
            "the operands of an instruction",
        )?;
        let operands = &self.tables.operands[operands];
        check_ties(operands)?;
        let has = |flag| data.flags & flag != 0;
        let kind = if !has(WARPALLOC_COPY) {
            InstructionKind::Plain
        } else if matches!(operands, [to, from, ..]
            if to.flags & WARPALLOC_DEFINITION != 0 && from.flags & WARPALLOC_DEFINITION == 0)
        {
            InstructionKind::Copy
        } else {
            return Err(malformed("a copy without a destination and a source"));
        };
        let mut flags = InstructionFlags::empty();
        for (bit, flag) in [
            (WARPALLOC_CALL, InstructionFlags::CALL),
            (WARPALLOC_TERMINATOR, InstructionFlags::TERMINATOR),
            (WARPALLOC_CONVERGENT, InstructionFlags::CONVERGENT),
            (
                WARPALLOC_REMATERIALISABLE,
                InstructionFlags::REMATERIALISABLE,
            ),
            (WARPALLOC_INLINE_ASSEMBLY, InstructionFlags::INLINE_ASSEMBLY),
            (
                WARPALLOC_IMPLICIT_DEFINITION,
                InstructionFlags::IMPLICIT_DEFINITION,
            ),
            (WARPALLOC_LEAVES, InstructionFlags::LEAVES),
            (WARPALLOC_LABEL, InstructionFlags::LABEL),
            (WARPALLOC_DIVERGENT, InstructionFlags::DIVERGENT),
            (WARPALLOC_UNIFORM_PATH, InstructionFlags::UNIFORM_PATH),
            (WARPALLOC_UNIFORM_SOURCE, InstructionFlags::UNIFORM_SOURCE),
            (WARPALLOC_ARGUMENT, InstructionFlags::ARGUMENT),
            (WARPALLOC_UNIFORM_LOAD, InstructionFlags::UNIFORM_LOAD),
            (WARPALLOC_RECORDS, InstructionFlags::RECORDS),
        ] {
            flags.set(flag, has(bit));
        }
        Ok(InstructionData {
            kind,
            flags,
            operands: data.operand_begin..data.operand_end,
            clobbers: self.clobber_mask(data.clobber_mask)?,
            // Its text says.
            thread_registers: None,
        })
    }

    fn clobber_mask(&self, number: u32) -> Result<Option<ClobberMask>, Error> {
        match number {
            WARPALLOC_NONE => Ok(None),
            mask if (mask as usize) < self.machine.clobber_masks.len() => {
                Ok(Some(ClobberMask::from_u32(mask)))
            }
            _ => Err(malformed("an unknown clobber mask")),
        }
    }

    fn blocks(&self) -> Result<PrimaryMap<Block, BlockData>, Error> {
        let count = self.tables.blocks.len();
        if count == 0 {
            return Err(malformed("a function without blocks"));
        }
        let mut blocks: PrimaryMap<Block, BlockData> = PrimaryMap::with_capacity(count);
        let mut end = 0;
        for data in self.tables.blocks {
            if data.instruction_begin != end {
                return Err(malformed("the instructions are not in the blocks' order"));
            }
            end = data.instruction_end;
            blocks.push(self.block(data)?);
        }
        if end as usize != self.tables.instructions.len() {
            return Err(malformed("instructions without a block"));
        }
        for number in 0..count {
            let from = Block::from_u32(number as u32);
            for index in 0..blocks[from].successors.len() {
                let to = blocks[from].successors[index];
                blocks[to].predecessors.push(from);
            }
        }
        Ok(blocks)
    }

    fn block(&self, data: &WarpallocBlock) -> Result<BlockData, Error> {
        let instructions = range(
            data.instruction_begin,
            data.instruction_end,
            self.tables.instructions.len(),
            "the instructions of a block",
        )?;
        let first_terminator = self.tables.instructions[instructions.clone()]
            .iter()
            .position(|instruction| instruction.flags & WARPALLOC_TERMINATOR != 0)
            .map_or(data.instruction_end, |at| {
                data.instruction_begin + at as u32
            });
        let edges = range(
            data.successor_begin,
            data.successor_end,
            self.tables.edges.len(),
            "the successors of a block",
        )?;
        let mut successors = SmallVec::new();
        for &number in &self.tables.edges[edges] {
            if number as usize >= self.tables.blocks.len() {
                return Err(malformed(format!("block {number} does not exist")));
            }
            let successor = Block::from_u32(number);
            if !successors.contains(&successor) {
                successors.push(successor);
            }
        }
        let live_in = range(
            data.live_in_begin,
            data.live_in_end,
            self.tables.live_ins.len(),
            "the live-in registers of a block",
        )?;
        if !data.frequency.is_finite() || data.frequency < 0.0 {
            return Err(malformed("the frequency of a block is not a number"));
        }
        Ok(BlockData {
            instructions: data.instruction_begin..data.instruction_end,
            predecessors: SmallVec::new(),
            successors,
            frequency: data.frequency,
            loop_depth: data.loop_depth,
            live_in: self.tables.live_ins[live_in]
                .iter()
                .map(|&number| register(number, &self.machine.table))
                .collect::<Result<_, _>>()?,
            landing: data.landing,
            clobbers: self.clobber_mask(data.clobber_mask)?,
            first_terminator,
        })
    }
}

/// The blocks with a successor that is taken where two numbers are equal.
pub fn taken_if_equal(tables: &FunctionTables) -> Result<Vec<(Block, Block)>, Error> {
    let mut pairs = Vec::new();
    for (number, data) in (0..).zip(tables.blocks) {
        if data.equal_successor == WARPALLOC_NONE {
            continue;
        }
        let edges = data.successor_begin as usize..data.successor_end as usize;
        let successors = tables.edges.get(edges);
        let equal = successors.and_then(|list| list.get(data.equal_successor as usize));
        let Some(&equal) = equal.filter(|&&equal| (equal as usize) < tables.blocks.len()) else {
            return Err(malformed("a block has no successor for what is equal"));
        };
        pairs.push((Block::from_u32(number), Block::from_u32(equal)));
    }
    Ok(pairs)
}

/// A tie goes from a use to a definition of the same instruction.
fn check_ties(operands: &[WarpallocOperand]) -> Result<(), Error> {
    for operand in operands {
        if operand.tied_to == u16::MAX {
            continue;
        }
        let definition = operands
            .get(operand.tied_to as usize)
            .is_some_and(|other| other.flags & WARPALLOC_DEFINITION != 0);
        if !definition || operand.flags & WARPALLOC_DEFINITION != 0 {
            return Err(malformed(
                "a tie that is not between a use and a definition",
            ));
        }
    }
    Ok(())
}
