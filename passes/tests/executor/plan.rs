//! Where operands and inserted code find their registers.

use passes::allocation::{Allocation, EditKind, Location, Position};
use passes::function::{
    Block, Function, Instruction, Operand, OperandFlags, OperandRegister, Slot, VirtualRegister,
};
use passes::machine::{Class, Machine, Register};
use passes::spill::rematerialisation::{computed, repeatable};
use std::ops::Range;

/// Where an operand ends up.
pub struct Place {
    /// The register, or part of one, that it names in the end.
    pub part: Register,
    /// For a virtual operand, which cells of the value it names.
    pub cells: Vec<usize>,
    /// Bytes of a cell.
    pub bytes: u32,
    /// What it accesses instead.
    pub memory: Option<InMemory>,
}

/// What an operand accesses that is in no register.
pub enum InMemory {
    /// A slot, and which of its bytes, cell by cell.
    Slot(usize, Vec<Range<usize>>),
    /// What this instruction computes, and which of its cells.
    Load(Instruction, Vec<usize>),
}

/// A register that inserted code names.
#[derive(Clone, Copy)]
pub struct CodePlace {
    pub register: Register,
    /// Bytes in memory.
    size: u32,
}

impl CodePlace {
    /// Where a unit's contents go in memory, in the order of units.
    pub fn bytes(self, machine: &Machine, number: usize) -> Range<usize> {
        let units = machine.units(self.register).len();
        let at = |number: usize| self.size as usize * number / units;
        at(number)..at(number + 1)
    }
}

/// Inserted code.
#[derive(Clone)]
pub enum Code {
    Store {
        value: CodePlace,
        slot: usize,
    },
    Reload {
        value: CodePlace,
        slot: usize,
    },
    Widen {
        to: CodePlace,
        from: CodePlace,
    },
    Narrow {
        to: CodePlace,
        from: CodePlace,
    },
    Move {
        to: CodePlace,
        from: CodePlace,
    },
    Rematerialise {
        value: CodePlace,
        from: Instruction,
        sources: Vec<CodePlace>,
    },
}

/// Both forms of a function, made ready to run.
pub struct Plan<'a> {
    pub function: &'a Function,
    pub machine: &'a Machine,
    /// For each virtual register of the original, its number of cells.
    pub widths: Vec<usize>,
    /// Bytes of each slot.
    pub slots: Vec<u32>,
    places: Vec<Place>,
    /// Code before and after each instruction.
    code: Vec<Vec<Code>>,
    deleted: Vec<bool>,
}

impl<'a> Plan<'a> {
    /// None if there is no such code.
    pub fn new(
        function: &'a Function,
        machine: &'a Machine,
        allocation: &'a Allocation,
    ) -> Option<Self> {
        let maker = Maker {
            function,
            machine,
            allocation,
        };
        let mut named: Vec<OperandRegister> = function
            .operands
            .values()
            .map(|operand| operand.register)
            .collect();
        let count = function.instructions.len();
        let (mut code, mut deleted) = (vec![Vec::new(); 2 * count], vec![false; count]);
        for edit in &allocation.edits {
            let (instruction, after) = match edit.at {
                Position::Before(instruction) => (instruction.as_u32() as usize, 0),
                Position::After(instruction) => (instruction.as_u32() as usize, 1),
            };
            match edit.kind {
                EditKind::Rename { operand, to } => {
                    named[operand.as_u32() as usize] = OperandRegister::Virtual(to);
                }
                EditKind::Fold { operand, slot } => {
                    named[operand.as_u32() as usize] = OperandRegister::Slot(slot);
                }
                EditKind::FoldLoad { operand, from } => {
                    named[operand.as_u32() as usize] = OperandRegister::Loaded(from);
                }
                EditKind::DeleteCopy | EditKind::DeleteDefinition => deleted[instruction] = true,
                kind => code[2 * instruction + after].push(maker.code(kind)?),
            }
        }
        let mut places = Vec::new();
        for instruction in function.instructions.keys() {
            let number = instruction.as_u32() as usize;
            let dropped = deleted[number] && function.copy_operands(instruction).is_none();
            if dropped && repeatable(function, instruction).is_none() {
                return None;
            }
            for (index, operand) in function.numbered_operands(instruction) {
                let named = named[index.as_u32() as usize];
                places.push(match named {
                    OperandRegister::Slot(slot) => maker.folded(operand, slot)?,
                    OperandRegister::Loaded(from) => maker.loaded(operand, from)?,
                    named => maker.place(operand, named, dropped)?,
                });
            }
        }
        let width = |class: Class| machine.units(machine.classes[class].order[0]).len();
        let values = function.virtual_registers.values();
        Some(Self {
            function,
            machine,
            widths: values.map(|data| width(data.class)).collect(),
            slots: allocation.slots.values().map(|slot| slot.size).collect(),
            places,
            code,
            deleted,
        })
    }

    /// How many operands the block's instructions have.
    pub fn operands(&self, block: Block) -> usize {
        let first = |instruction| match self.function.instructions.get(instruction) {
            Some(data) => data.operands.start as usize,
            None => self.function.operands.len(),
        };
        let range = &self.function.blocks[block].instructions;
        first(Instruction::from_u32(range.end)) - first(Instruction::from_u32(range.start))
    }

    pub fn place(&self, instruction: Instruction, number: usize) -> &Place {
        let start = self.function.instructions[instruction].operands.start as usize;
        &self.places[start + number]
    }

    pub fn before(&self, instruction: Instruction) -> &[Code] {
        &self.code[2 * instruction.as_u32() as usize]
    }

    pub fn after(&self, instruction: Instruction) -> &[Code] {
        &self.code[2 * instruction.as_u32() as usize + 1]
    }

    pub fn is_deleted(&self, instruction: Instruction) -> bool {
        self.deleted[instruction.as_u32() as usize]
    }
}

struct Maker<'a> {
    function: &'a Function,
    machine: &'a Machine,
    allocation: &'a Allocation,
}

impl Maker<'_> {
    fn class(&self, value: VirtualRegister) -> Option<Class> {
        let own = self.function.virtual_registers.get(value);
        let created = || {
            let mut created = self.allocation.created.iter();
            created.find(|created| created.register == value)
        };
        own.map(|data| data.class)
            .or_else(|| created().map(|created| created.class))
    }

    /// The class from which the operand may have a register as well.
    fn super_class(&self, operand: &Operand, value: VirtualRegister) -> Option<Class> {
        let is_constrained = operand.flags.contains(OperandFlags::CONSTRAINED);
        let data = &self.function.virtual_registers[value];
        data.super_class.filter(|_| !is_constrained)
    }

    /// The register of a value, if it is one of the class's.
    fn register(&self, value: VirtualRegister, class: Class) -> Option<Register> {
        match self.allocation.locations[value] {
            Location::Register(register) => {
                let order = &self.machine.classes[class].order;
                order.contains(&register).then_some(register)
            }
            Location::Slot(_) | Location::None => None,
        }
    }

    /// The register of one of the function's own values, if it is one that a GPU's warp
    /// shares. Here each thread has its own, which makes no difference to it.
    fn shared_register(&self, value: VirtualRegister, class: Class) -> Option<Register> {
        let own = self.function.virtual_registers.is_valid(value);
        let uniform = self.machine.classes[class].uniform.filter(|_| own)?;
        self.register(value, uniform)
    }

    fn code_place(&self, value: VirtualRegister) -> Option<CodePlace> {
        let class = self.class(value)?;
        Some(CodePlace {
            register: self.register(value, class)?,
            size: self.machine.classes[class].spill_size,
        })
    }

    /// The place of what a repeated instruction reads, which may be a uniform register.
    fn source_place(&self, value: VirtualRegister) -> Option<CodePlace> {
        let class = self.class(value)?;
        let register = self.register(value, class);
        Some(CodePlace {
            register: register.or_else(|| self.shared_register(value, class))?,
            size: self.machine.classes[class].spill_size,
        })
    }

    /// What moves a value to or from a slot.
    fn spill(&self, value: VirtualRegister, slot: Slot) -> Option<(CodePlace, usize)> {
        let class = &self.machine.classes[self.class(value)?];
        let data = self.allocation.slots.get(slot)?;
        let fits = class.spill_through.is_none()
            && data.size >= class.spill_size
            && data.alignment >= class.spill_alignment;
        fits.then_some((self.code_place(value)?, slot.as_u32() as usize))
    }

    fn code(&self, kind: EditKind) -> Option<Code> {
        Some(match kind {
            EditKind::Store { value, slot } => {
                let (value, slot) = self.spill(value, slot)?;
                Code::Store { value, slot }
            }
            EditKind::Reload { value, slot } => {
                let (value, slot) = self.spill(value, slot)?;
                Code::Reload { value, slot }
            }
            EditKind::Widen { to, from } => Code::Widen {
                to: self.code_place(to)?,
                from: self.code_place(from)?,
            },
            EditKind::Narrow { to, from } => Code::Narrow {
                to: self.code_place(to)?,
                from: self.code_place(from)?,
            },
            EditKind::Move { to, from } => Code::Move {
                to: self.code_place(to)?,
                from: self.code_place(from)?,
            },
            EditKind::Rematerialise {
                value,
                from,
                sources,
            } => {
                let computed = repeatable(self.function, from)?;
                let operands = &self.function.instruction_operands(from)[1..];
                let read = operands.iter().filter_map(Operand::virtual_register);
                let sources: Vec<_> = sources.iter().collect();
                if self.class(value)? != self.class(computed)?
                    || operands.len() != sources.len()
                    || !read
                        .zip(&sources)
                        .all(|(read, &one)| self.class(read) == self.class(one))
                {
                    return None;
                }
                let sources = sources.iter().map(|&one| self.source_place(one));
                Code::Rematerialise {
                    value: self.code_place(value)?,
                    from,
                    sources: sources.collect::<Option<_>>()?,
                }
            }
            EditKind::Rename { .. }
            | EditKind::Fold { .. }
            | EditKind::FoldLoad { .. }
            | EditKind::DeleteCopy
            | EditKind::DeleteDefinition => return None,
        })
    }

    /// The place of an operand that names this in the end; one of a definition that is
    /// dropped is as good as any.
    fn place(&self, operand: &Operand, named: OperandRegister, dropped: bool) -> Option<Place> {
        let value = match (operand.register, named) {
            (OperandRegister::Virtual(value), _) => value,
            (OperandRegister::Physical(register), _) => {
                return Some(Place {
                    part: register,
                    cells: Vec::new(),
                    bytes: u32::MAX,
                    memory: None,
                });
            }
            (OperandRegister::Slot(_) | OperandRegister::Loaded(_), _) => return None,
        };
        let class = self.class(value)?;
        let OperandRegister::Virtual(named) = named else {
            return None;
        };
        let location = match dropped {
            true => *self.machine.classes[class].order.first()?,
            false => {
                let location = self.register(named, class);
                let location = location.or_else(|| self.shared_register(named, class));
                location.or_else(|| self.register(named, self.super_class(operand, value)?))?
            }
        };
        let data = &self.machine.classes[class];
        let index = operand.sub_register;
        // Which cells a part is does not depend on the register.
        let mut order = data.order.iter();
        let (whole, part) =
            order.find_map(|&one| self.machine.part(one, index).map(|part| (one, part)))?;
        let whole = self.machine.units(whole);
        let at = |unit| whole.iter().position(|one| one == unit);
        Some(Place {
            part: self.machine.part(location, index)?,
            cells: self.machine.units(part).iter().filter_map(at).collect(),
            bytes: data.spill_size / whole.len() as u32,
            memory: None,
        })
    }

    /// The place of an operand that accesses a slot.
    fn folded(&self, operand: &Operand, slot: Slot) -> Option<Place> {
        let value = operand.virtual_register()?;
        let class = self.class(value)?;
        let data = &self.machine.classes[class];
        let there = self.allocation.slots.get(slot)?;
        let fits = operand.flags.contains(OperandFlags::FOLDABLE)
            && data.spill_through.is_none()
            && there.size >= data.spill_size
            && there.alignment >= data.spill_alignment;
        // Where in memory the parts are does not depend on the register.
        let named = self
            .place(operand, operand.register, true)
            .filter(|_| fits)?;
        let whole = CodePlace {
            register: *data.order.first()?,
            size: data.spill_size,
        };
        let cells = named.cells.iter();
        let bytes = cells.map(|&cell| whole.bytes(self.machine, cell)).collect();
        Some(Place {
            memory: Some(InMemory::Slot(slot.as_u32() as usize, bytes)),
            ..named
        })
    }

    /// The place of an operand whose instruction loads what another one computes.
    fn loaded(&self, operand: &Operand, from: Instruction) -> Option<Place> {
        let value = operand.virtual_register()?;
        let computed = computed(self.function, from)?;
        let fits = operand.flags.contains(OperandFlags::LOADABLE)
            && !operand.is_definition()
            && operand.tied_to.is_none()
            && self.class(value)? == self.class(computed)?;
        let named = self
            .place(operand, operand.register, true)
            .filter(|_| fits)?;
        let cells = named.cells.clone();
        Some(Place {
            memory: Some(InMemory::Load(from, cells)),
            ..named
        })
    }
}
