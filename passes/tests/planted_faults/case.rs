//! A function with its allocation, put together by hand.

use passes::allocation::{Allocation, Created, Edit, EditKind, Location, Position, SlotData};
use passes::function::{
    Access, Block, Function, FunctionBuilder, Instruction, InstructionFlags, InstructionKind,
    Operand, OperandFlags, OperandIndex, OperandRegister, Slot, VirtualRegister,
    VirtualRegisterData,
};
use passes::machine::{Class, ClobberMask, Machine, Register, SubRegisterIndex};
use passes::verify::{Fault, Site, Spot, verify};
use smallvec::SmallVec;

/// A use of a physical register.
pub fn fixed(register: Register) -> Operand {
    Operand::new(OperandRegister::Physical(register), Access::Use)
}

/// A definition of a physical register.
pub fn fixed_write(register: Register) -> Operand {
    Operand::new(OperandRegister::Physical(register), Access::Definition)
}

/// A part of an operand's register.
pub fn part(operand: Operand, sub_register: SubRegisterIndex) -> Operand {
    Operand {
        sub_register,
        ..operand
    }
}

/// An operand with flags.
pub fn flagged(operand: Operand, flags: OperandFlags) -> Operand {
    Operand { flags, ..operand }
}

/// A use tied to a definition.
pub fn tied(operand: Operand, definition: u8) -> Operand {
    Operand {
        tied_to: Some(definition),
        ..operand
    }
}

/// A function under construction, with its allocation.
pub struct Case {
    pub builder: FunctionBuilder,
    pub machine: Machine,
    pub allocation: Allocation,
}

impl Case {
    /// A function with an entry block.
    pub fn new(machine: &Machine) -> Self {
        let mut builder = FunctionBuilder::new("f");
        builder.start_block(1.0, 0, &[]);
        Self {
            builder,
            machine: machine.clone(),
            allocation: Allocation::default(),
        }
    }

    /// A value in a register.
    pub fn value(&mut self, class: Class, location: Register) -> VirtualRegister {
        let value = self.builder.virtual_register(class);
        self.place(value, location);
        value
    }

    /// A value that may have a larger class where it is not constrained.
    pub fn inflatable(
        &mut self,
        class: Class,
        super_class: Class,
        location: Register,
    ) -> VirtualRegister {
        let value = self.builder.add_virtual_register(VirtualRegisterData {
            class,
            super_class: Some(super_class),
            spillable: true,
            hints: SmallVec::new(),
        });
        self.place(value, location);
        value
    }

    /// A value in a new slot.
    pub fn spilled(&mut self, class: Class) -> (VirtualRegister, Slot) {
        let value = self.builder.virtual_register(class);
        let slot = self.slot(8);
        self.allocation.locations[value] = Location::Slot(slot);
        (value, slot)
    }

    /// A slot.
    pub fn slot(&mut self, size: u32) -> Slot {
        self.allocation.slots.push(SlotData {
            size,
            alignment: size,
            outdated: false,
            lanes: 1,
            column: None,
        })
    }

    /// Puts a value elsewhere.
    pub fn place(&mut self, value: VirtualRegister, location: Register) {
        self.allocation.locations[value] = Location::Register(location);
    }

    /// A created virtual register. To be called after all values are made.
    pub fn create(
        &mut self,
        origin: VirtualRegister,
        class: Class,
        location: Register,
    ) -> VirtualRegister {
        let count = self.builder.function().virtual_registers.len() + self.allocation.created.len();
        let register = VirtualRegister::from_u32(count as u32);
        self.allocation.created.push(Created {
            register,
            class,
            origin,
        });
        self.place(register, location);
        register
    }

    /// A plain instruction: writes the first values, reads the others.
    pub fn plain(&mut self, writes: &[VirtualRegister], reads: &[VirtualRegister]) -> Instruction {
        let writes = writes.iter().map(|&value| Operand::write(value));
        let reads = reads.iter().map(|&value| Operand::read(value));
        let operands: Vec<_> = writes.chain(reads).collect();
        self.builder.plain(&operands)
    }

    /// A copy.
    pub fn copy(&mut self, to: Operand, from: Operand) -> Instruction {
        let flags = InstructionFlags::empty();
        self.builder
            .push(InstructionKind::Copy, flags, &[to, from], None)
    }

    /// A call.
    pub fn call(&mut self, operands: &[Operand], mask: ClobberMask) -> Instruction {
        let flags = InstructionFlags::CALL;
        self.builder
            .push(InstructionKind::Plain, flags, operands, Some(mask))
    }

    /// A terminator.
    pub fn terminator(&mut self, reads: &[VirtualRegister]) -> Instruction {
        let operands: Vec<_> = reads.iter().map(|&value| Operand::read(value)).collect();
        let flags = InstructionFlags::TERMINATOR;
        self.builder
            .push(InstructionKind::Plain, flags, &operands, None)
    }

    /// The next block, with an edge from each of the others.
    pub fn block(&mut self, predecessors: &[Block], live_in: &[Register]) -> Block {
        let block = self.builder.start_block(1.0, 0, live_in);
        for &predecessor in predecessors {
            self.builder.edge(predecessor, block);
        }
        block
    }

    /// Adds an edit.
    pub fn edit(&mut self, at: Position, kind: EditKind) {
        self.allocation.edits.push(Edit { at, kind });
    }

    /// Renames an operand.
    pub fn rename(&mut self, instruction: Instruction, number: u32, to: VirtualRegister) {
        let operands = &self.builder.function().instructions[instruction].operands;
        let operand = OperandIndex::from_u32(operands.start + number);
        let at = Position::Before(instruction);
        self.edit(at, EditKind::Rename { operand, to });
    }

    /// Stores after an instruction.
    pub fn store(&mut self, after: Instruction, value: VirtualRegister, slot: Slot) {
        self.edit(Position::After(after), EditKind::Store { value, slot });
    }

    /// Reloads before an instruction.
    pub fn reload(&mut self, before: Instruction, value: VirtualRegister, slot: Slot) {
        self.edit(Position::Before(before), EditKind::Reload { value, slot });
    }

    /// Deletes a copy.
    pub fn delete(&mut self, instruction: Instruction) {
        self.edit(Position::Before(instruction), EditKind::DeleteCopy);
    }

    /// Takes out the edits that the test wants gone; there must be some.
    pub fn drop_edits(&mut self, unwanted: impl Fn(&Edit) -> bool) {
        let count = self.allocation.edits.len();
        self.allocation.edits.retain(|edit| !unwanted(edit));
        assert_ne!(count, self.allocation.edits.len(), "nothing was planted");
    }

    pub fn function(&self) -> &Function {
        self.builder.function()
    }

    pub fn check(&self) -> Result<(), Fault> {
        verify(self.function(), &self.machine, &self.allocation)
    }

    /// The allocation is right.
    #[track_caller]
    pub fn accept(&self) {
        if let Err(fault) = self.check() {
            panic!("a correct allocation was refused: {fault}");
        }
    }

    /// The allocation is wrong.
    #[track_caller]
    pub fn reject(&self) -> Fault {
        let fault = self.check().expect_err("the planted fault was not found");
        assert!(!fault.to_string().is_empty());
        fault
    }

    /// The allocation is wrong: an operand does not find its value.
    #[track_caller]
    pub fn reject_value(&self, instruction: Instruction, number: u32, wanted: VirtualRegister) {
        match self.reject() {
            Fault::WrongValue { site, value, .. } => {
                assert_eq!(site, self.site(instruction, Spot::Operand(number)));
                assert_eq!(value, wanted);
            }
            fault => panic!("another fault was found: {fault}"),
        }
    }

    /// A place in the code.
    pub fn site(&self, instruction: Instruction, spot: Spot) -> Site {
        let block = self.function().instruction_blocks()[instruction.as_u32() as usize];
        Site {
            instruction,
            block,
            spot,
        }
    }
}

/// Whether an edit stores.
pub fn is_store(edit: &Edit) -> bool {
    matches!(edit.kind, EditKind::Store { .. })
}

/// Whether an edit reloads.
pub fn is_reload(edit: &Edit) -> bool {
    matches!(edit.kind, EditKind::Reload { .. })
}
