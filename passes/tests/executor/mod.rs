//! Runs a function before and after allocation, side by side, along random
//! paths: the meaning is the same if everything that is read is the same.
//!
//! The original has a store of values for its virtual registers and its own
//! physical registers; the allocated code has the machine's units and slots.
//! Each definition brings contents never seen before, the same on both sides,
//! so two places hold the same only if one was copied to the other. What nobody
//! defined in the original matters to nobody. This is an operational
//! semantics, apart from the symbolic checker's, which it is there to test.

mod flight;
mod plan;
mod state;

use flight::Flight;
use passes::allocation::Allocation;
use passes::function::asynchronous::{Asynchronous, Operation};
use passes::function::{Access, Block, Function, Instruction, InstructionFlags};
use passes::machine::{ClobberMask, Machine, Register, Unit};
use passes::spill::rematerialisation::repeatable;
use plan::{Code, CodePlace, InMemory, Plan};
use smallvec::SmallVec;
use state::{Cell, Memory, Registers};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Why the allocated code does not mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// There is no such code: an operand or a store names what is not in a
    /// register of its class, or a slot that is too small.
    NoCode,
    /// An operand, counted from 0, reads something else.
    Reads(Instruction, usize),
}

/// The contents of an operand's units.
type Cells = SmallVec<[Option<Cell>; 4]>;

/// The numbers of an instruction's early clobbers among its operands.
type EarlyClobbers = SmallVec<[usize; 2]>;

/// What an instruction that can be repeated puts into a unit, by what it reads; apart from
/// all new cells. None if it reads what nobody defined.
fn computed_cell(
    instruction: Instruction,
    unit: usize,
    bytes: u32,
    read: &[Option<Cell>],
) -> Option<Cell> {
    let mut hasher = DefaultHasher::new();
    (instruction, unit).hash(&mut hasher);
    for cell in read {
        cell.filter(|cell| cell.is_plain())?
            .number()
            .hash(&mut hasher);
    }
    Some(Cell::new(hasher.finish() | 1 << 60, bytes))
}

/// A path ends after the block in which it has this many operands.
const LONGEST: usize = 1000;

/// Both forms of a function.
pub struct Executor<'a> {
    plan: Plan<'a>,
}

impl<'a> Executor<'a> {
    pub fn new(
        function: &'a Function,
        machine: &'a Machine,
        allocation: &'a Allocation,
    ) -> Result<Self, Difference> {
        let plan = Plan::new(function, machine, allocation).ok_or(Difference::NoCode)?;
        Ok(Self { plan })
    }

    /// Runs along so many random paths.
    pub fn paths(&self, count: usize, random: &mut fastrand::Rng) -> Result<(), Difference> {
        (0..count).try_for_each(|_| Run::new(&self.plan).path(random))
    }
}

/// One run of both forms.
struct Run<'a> {
    plan: &'a Plan<'a>,
    /// For each virtual register of the original, its contents.
    values: Vec<Vec<Option<Cell>>>,
    /// The original's physical registers.
    fixed: Registers,
    /// The allocated code's.
    units: Registers,
    /// What the allocated code has in flight.
    flight: Flight,
    slots: Vec<Memory>,
    fresh: u64,
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan<'a>) -> Self {
        Self {
            plan,
            values: plan.widths.iter().map(|&width| vec![None; width]).collect(),
            fixed: Registers::new(plan.machine),
            units: Registers::new(plan.machine),
            flight: Flight::default(),
            slots: plan.slots.iter().map(|&size| Memory::new(size)).collect(),
            fresh: 0,
        }
    }

    fn path(&mut self, random: &mut fastrand::Rng) -> Result<(), Difference> {
        let mut block = Block::from_u32(0);
        let mut operands = 0;
        loop {
            let next = self.block(block, random)?;
            operands += 1 + self.plan.operands(block);
            match next {
                Some(next) if operands < LONGEST => block = next,
                _ => return Ok(()),
            }
        }
    }

    /// Runs a block; the one that comes next.
    fn block(
        &mut self,
        block: Block,
        random: &mut fastrand::Rng,
    ) -> Result<Option<Block>, Difference> {
        let plan = self.plan;
        let data = &plan.function.blocks[block];
        if let Some(mask) = data.clobbers {
            self.clobber(mask);
        }
        for &register in &data.live_in {
            for &unit in plan.machine.units(register) {
                let cell = self.new_cell(u32::MAX);
                self.fixed.set(unit, register, cell);
                self.write(unit, register, cell);
            }
        }
        for instruction in plan.function.block_instructions(block) {
            self.inserted(plan.before(instruction));
            self.instruction(instruction)?;
            let flags = plan.function.instructions[instruction].flags;
            if flags.contains(InstructionFlags::LEAVES) && random.bool() {
                let successors = data.successors.iter().copied();
                let landing = successors.filter(|&next| plan.function.blocks[next].landing);
                let landing = random.choice(landing.collect::<Vec<_>>());
                if landing.is_some() {
                    return Ok(landing);
                }
            }
            self.inserted(plan.after(instruction));
        }
        Ok(random.choice(data.successors.iter().copied()))
    }

    /// Writes a unit of the allocated code.
    fn write(&mut self, unit: Unit, register: Register, cell: Option<Cell>) {
        self.units.set(unit, register, cell);
        self.flight.write(unit);
    }

    fn new_cell(&mut self, bytes: u32) -> Option<Cell> {
        self.fresh += 1;
        Some(Cell::new(self.fresh, bytes))
    }

    /// Destroys what a mask does not preserve, differently on both sides.
    fn clobber(&mut self, mask: ClobberMask) {
        self.fixed.clobber(self.plan.machine, mask);
        self.units.clobber(self.plan.machine, mask);
    }

    fn inserted(&mut self, code: &[Code]) {
        let machine = self.plan.machine;
        for code in code {
            match *code {
                Code::Store { value, slot } => {
                    for (number, &unit) in machine.units(value.register).iter().enumerate() {
                        let cell = self.units.get(unit);
                        self.slots[slot].store(value.bytes(machine, number), cell);
                    }
                }
                Code::Reload { value, slot } => {
                    for (number, &unit) in machine.units(value.register).iter().enumerate() {
                        let cell = self.slots[slot].load(value.bytes(machine, number));
                        self.write(unit, value.register, cell);
                    }
                }
                Code::Rematerialise {
                    value,
                    from,
                    ref sources,
                } => {
                    let units = sources.iter().flat_map(|one| machine.units(one.register));
                    let read: Cells = units.map(|&unit| self.units.get(unit)).collect();
                    for (number, &unit) in machine.units(value.register).iter().enumerate() {
                        let bytes = self.plan.place(from, 0).bytes;
                        let cell = computed_cell(from, number, bytes, &read);
                        self.write(unit, value.register, cell);
                    }
                }
                Code::Widen { to, from } => self.convert(to, from, Cell::widened),
                Code::Narrow { to, from } => self.convert(to, from, Cell::narrowed),
                Code::Move { to, from } => self.convert(to, from, Some),
            }
        }
    }

    fn convert(&mut self, to: CodePlace, from: CodePlace, how: fn(Cell) -> Option<Cell>) {
        let machine = self.plan.machine;
        let from = machine.units(from.register).iter();
        let cells: Cells = from.map(|&unit| self.units.get(unit)).collect();
        let cells = cells.into_iter().map(|cell| cell.and_then(how));
        // What the source has no units for holds nothing of it.
        for (&unit, cell) in machine
            .units(to.register)
            .iter()
            .zip(cells.chain([None; 4]))
        {
            self.write(unit, to.register, cell);
        }
    }

    fn instruction(&mut self, instruction: Instruction) -> Result<(), Difference> {
        let plan = self.plan;
        let data = &plan.function.instructions[instruction];
        let operands = plan.function.instruction_operands(instruction);
        let copy = plan.function.copy_operands(instruction).is_some();
        let does = Asynchronous::new(data.flags);
        if does.fences {
            self.flight.fence();
        }
        let early: EarlyClobbers = (0..operands.len())
            .filter(|&number| {
                operands[number].is_definition() && operands[number].is_early_clobber()
            })
            .collect();
        for (number, operand) in operands.iter().enumerate() {
            // What a copy carries shows when it is used.
            let moved = copy && number == 1;
            let read = operand.access == Access::Use
                && operand.reads()
                && !moved
                && !plan.is_deleted(instruction);
            if read && !self.reads_the_same(instruction, number, &early) {
                return Err(Difference::Reads(instruction, number));
            }
            if let Some(operation) = does.operation(operand)
                && read
                && operand.tied_to.is_none()
            {
                self.goes_on_reading(operation, instruction, number);
            }
        }
        let copied = copy.then(|| self.copied(instruction));
        if let Some(mask) = data.clobbers {
            self.clobber(mask);
        }
        for (number, operand) in operands.iter().enumerate() {
            let through = operand.is_live_through() && operand.reads();
            if through && !self.reads_the_same(instruction, number, &EarlyClobbers::new()) {
                return Err(Difference::Reads(instruction, number));
            }
        }
        for operand in operands {
            if operand.is_definition()
                && !operand.reads()
                && let Some(value) = operand.virtual_register()
            {
                self.values[value.as_u32() as usize].fill(None);
            }
        }
        let nothing = data.flags.contains(InstructionFlags::IMPLICIT_DEFINITION);
        for (number, operand) in operands.iter().enumerate() {
            if !operand.is_definition() {
                continue;
            }
            match &copied {
                Some((original, moved)) if number == 0 => {
                    self.define_original(instruction, number, original);
                    if !plan.is_deleted(instruction) {
                        self.define_allocated(instruction, number, moved);
                    }
                }
                _ if nothing => {}
                _ => {
                    let place = plan.place(instruction, number);
                    let count = plan.machine.units(place.part).len();
                    // What is computed of the same is the same every time.
                    let read =
                        repeatable(plan.function, instruction).map(|_| self.all_read(instruction));
                    let new: Cells = (0..count)
                        .map(|at| match &read {
                            Some(read) => computed_cell(instruction, at, place.bytes, read),
                            None => self.new_cell(place.bytes),
                        })
                        .collect();
                    self.define_original(instruction, number, &new);
                    match does.operation(operand) {
                        Some(operation) => self.will_write(operation, place.part, &new),
                        None if plan.is_deleted(instruction) => {}
                        None => self.define_allocated(instruction, number, &new),
                    }
                }
            }
        }
        self.flight.go_on(does, &mut self.units)
    }

    /// An operation reads the operand's register until it is waited for.
    fn goes_on_reading(&mut self, operation: Operation, instruction: Instruction, number: usize) {
        let original = self.original(instruction, number);
        let part = self.plan.place(instruction, number).part;
        for (&unit, cell) in self.plan.machine.units(part).iter().zip(original) {
            if let Some(cell) = cell {
                self.flight
                    .start_read(operation, unit, cell, (instruction, number));
            }
        }
    }

    /// An operation leaves garbage in a register, and its result when it is waited for.
    fn will_write(&mut self, operation: Operation, register: Register, cells: &[Option<Cell>]) {
        for (&unit, &cell) in self.plan.machine.units(register).iter().zip(cells) {
            self.units.set(unit, register, None);
            self.flight.start_write(operation, unit, register, cell);
        }
    }

    /// What an instruction whose first operand alone is a definition reads in the original.
    fn all_read(&self, instruction: Instruction) -> Cells {
        let count = self.plan.function.instruction_operands(instruction).len();
        let read = (1..count).flat_map(|number| self.original(instruction, number));
        read.collect()
    }

    /// What the operand holds in the original.
    fn original(&self, instruction: Instruction, number: usize) -> Cells {
        let plan = self.plan;
        let operand = &plan.function.instruction_operands(instruction)[number];
        match (operand.virtual_register(), operand.physical_register()) {
            (Some(value), _) => {
                let cells = &self.values[value.as_u32() as usize];
                let place = plan.place(instruction, number);
                place.cells.iter().map(|&at| cells[at]).collect()
            }
            (None, Some(register)) => {
                let units = plan.machine.units(register).iter();
                units.map(|&unit| self.fixed.get(unit)).collect()
            }
            (None, None) => Cells::new(),
        }
    }

    fn reads_the_same(
        &self,
        instruction: Instruction,
        number: usize,
        early: &EarlyClobbers,
    ) -> bool {
        let plan = self.plan;
        let operands = plan.function.instruction_operands(instruction);
        let ours = |number: usize| operands[number].virtual_register().is_some();
        let tied = operands[number].tied_to.map(usize::from);
        // The encoding has one register for a use and the definition it is tied to.
        let place = match tied {
            Some(tied) if ours(number) || ours(tied) => plan.place(instruction, tied),
            _ => plan.place(instruction, number),
        };
        let units = plan.machine.units(place.part);
        let early = early.iter().copied();
        let destroyed: SmallVec<[_; 4]> = early
            .filter(|&other| tied != Some(other) && (ours(number) || ours(other)))
            .map(|other| plan.place(instruction, other))
            .filter(|other| other.memory.is_none())
            .flat_map(|other| plan.machine.units(other.part))
            .collect();
        let flags = plan.function.instructions[instruction].flags;
        let operation = Asynchronous::new(flags).operation(&operands[number]);
        let original = self.original(instruction, number);
        original.into_iter().enumerate().all(|(at, cell)| {
            let Some(cell) = cell else {
                return true;
            };
            if let Some(memory) = &place.memory {
                let found = match memory {
                    InMemory::Slot(slot, bytes) => self.slots[*slot].load(bytes[at].clone()),
                    InMemory::Load(from, cells) => {
                        let bytes = plan.place(*from, 0).bytes;
                        computed_cell(*from, cells[at], bytes, &Cells::new())
                    }
                };
                return found.is_some_and(|found| found.serves_for(cell));
            }
            let Some(unit) = units.get(at) else {
                return false;
            };
            let found = match operation {
                Some(Operation::Multiply) => self.flight.find(*unit, &self.units),
                _ => self.units.get(*unit),
            };
            !destroyed.contains(&unit) && found.is_some_and(|found| found.serves_for(cell))
        })
    }

    /// What a copy carries in the original, and in the allocated code.
    fn copied(&self, instruction: Instruction) -> (Cells, Cells) {
        let plan = self.plan;
        let source = &plan.function.instruction_operands(instruction)[1];
        let (to, from) = (plan.place(instruction, 0), plan.place(instruction, 1));
        let bytes = to.bytes.min(from.bytes);
        let cut = |cell: Option<Cell>| cell.map(|cell| cell.cut(bytes));
        let original = match source.reads_source() {
            true => self.original(instruction, 1).into_iter().map(cut).collect(),
            false => Cells::new(),
        };
        let units = plan.machine.units(from.part).iter();
        let moved = units.map(|&unit| cut(self.units.get(unit))).collect();
        (original, moved)
    }

    fn define_original(&mut self, instruction: Instruction, number: usize, cells: &[Option<Cell>]) {
        let plan = self.plan;
        let operand = &plan.function.instruction_operands(instruction)[number];
        let cell = |at: usize| cells.get(at).copied().flatten();
        if let Some(value) = operand.virtual_register() {
            let place = plan.place(instruction, number);
            for (at, &index) in place.cells.iter().enumerate() {
                self.values[value.as_u32() as usize][index] = cell(at);
            }
        } else if let Some(register) = operand.physical_register() {
            for (at, &unit) in plan.machine.units(register).iter().enumerate() {
                self.fixed.set(unit, register, cell(at));
            }
        }
    }

    fn define_allocated(
        &mut self,
        instruction: Instruction,
        number: usize,
        cells: &[Option<Cell>],
    ) {
        let place = self.plan.place(instruction, number);
        if let Some(InMemory::Slot(slot, bytes)) = &place.memory {
            for (at, range) in bytes.iter().enumerate() {
                let cell = cells.get(at).copied().flatten();
                self.slots[*slot].store(range.clone(), cell);
            }
            return;
        }
        let register = place.part;
        for (at, &unit) in self.plan.machine.units(register).iter().enumerate() {
            let cell = cells.get(at).copied().flatten();
            self.write(unit, register, cell);
        }
    }
}
