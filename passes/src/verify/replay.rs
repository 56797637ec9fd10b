//! Replays a block: what each instruction reads, destroys and writes.

use super::fault::{Fault, Site, Spot};
use super::plan::{CodeKind, Memory, OperandLocation, Plan, SourceOperand};
use super::state::{Content, Entry, Snapshot, State};
use crate::function::{
    Block, Instruction, InstructionFlags, Operand, OperandFlags, VirtualRegister,
};
use crate::machine::{Register, Unit};
use std::fmt::Write;

/// The most values that a register may hold and be told of one more copy of it.
const MOST_EQUAL: usize = 256;

/// Replays blocks of one function.
pub(super) struct Replay<'a> {
    plan: &'a Plan<'a>,
    pub state: State,
    /// What was known where control may have left the block replayed last.
    pub leaving: Vec<Snapshot>,
    /// Entries on their way from one location to another.
    carried: Vec<Entry>,
}

impl<'a> Replay<'a> {
    pub fn new(plan: &'a Plan<'a>) -> Self {
        Self {
            plan,
            state: State::new(
                plan.machine.table.unit_count,
                plan.allocation.slots.len(),
                plan.repeated.count(),
            ),
            leaving: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Turns the state at the start of a block into the one at its end, or
    /// finds a fault.
    pub fn block(&mut self, block: Block) -> Result<(), Fault> {
        let data = &self.plan.function.blocks[block];
        self.leaving.clear();
        let plan = self.plan;
        if let Some(mask) = data.clobbers {
            self.state
                .clobber(|register| plan.machine.preserves(mask, register));
        }
        for &register in &data.live_in {
            self.write_fixed(register);
        }
        let code = &self.plan.code;
        let start = u64::from(data.instructions.start) * 2;
        let mut next = code.partition_point(|code| code.at < start);
        for instruction in self.plan.function.block_instructions(block) {
            let before = u64::from(instruction.as_u32()) * 2;
            while let Some(code) = code.get(next).filter(|code| code.at <= before) {
                self.inserted(code.kind);
                next += 1;
            }
            self.instruction(block, instruction)?;
            let flags = self.plan.function.instructions[instruction].flags;
            if flags.contains(InstructionFlags::LEAVES) {
                let mut snapshot = Snapshot::new();
                self.state.save(&mut snapshot);
                self.leaving.push(snapshot);
            }
            while let Some(code) = code.get(next).filter(|code| code.at <= before + 1) {
                self.inserted(code.kind);
                next += 1;
            }
        }
        Ok(())
    }

    /// Inserted code moves values about. Whether it moves the right ones shows
    /// when they are used.
    fn inserted(&mut self, kind: CodeKind) {
        match kind {
            CodeKind::Store { from, slot, size } => {
                self.pick(from, |_| true);
                let location = self.state.slot(slot);
                self.state.clear(location);
                for &entry in &self.carried {
                    if size_of(self.plan, entry) <= size {
                        let written = None.into();
                        self.state.add(location, Entry { written, ..entry });
                    }
                }
            }
            CodeKind::Reload { to, slot, size } => {
                let plan = self.plan;
                let found = self.state.at(self.state.slot(slot));
                let fits = |entry: &&Entry| size_of(plan, **entry) <= size;
                self.carried.clear();
                self.carried.extend(found.iter().filter(fits));
                self.put(to);
            }
            CodeKind::Rematerialise {
                value,
                to,
                from,
                sources,
            } => {
                self.carried.clear();
                if self.computes_again(value, from, &sources) {
                    self.carried.push(plain(Content::Value(value)));
                }
                self.put(to);
            }
            CodeKind::Widen { from, to } => {
                self.pick(from, |entry| !entry.widened);
                self.carried
                    .iter_mut()
                    .for_each(|entry| entry.widened = true);
                self.put(to);
            }
            CodeKind::Narrow { from, to } => {
                self.pick(from, |entry| entry.widened);
                self.carried
                    .iter_mut()
                    .for_each(|entry| entry.widened = false);
                self.put(to);
            }
            CodeKind::Move { from, to } => {
                self.pick(from, |_| true);
                self.put(to);
            }
        }
    }

    /// Whether an instruction would compute the value that it computed before, of what is
    /// in these registers.
    fn computes_again(
        &self,
        value: VirtualRegister,
        from: Instruction,
        sources: &[Option<SourceOperand>],
    ) -> bool {
        let holds = |&(value, register): &SourceOperand| {
            let entry = Entry {
                written: register.into(),
                ..plain(Content::Value(value))
            };
            let mut units = self.plan.machine.units(register).iter();
            units.all(|&unit| self.state.unit(unit).contains(&entry))
        };
        let is_same = self
            .plan
            .repeated
            .definition(from)
            .is_none_or(|(number, _)| {
                let location = self.state.repeated(number);
                let same = self
                    .state
                    .at(location)
                    .contains(&plain(Content::Value(value)));
                same || self.state.is_everywhere(value)
            });
        is_same && sources.iter().flatten().all(holds)
    }

    /// A value is defined, or again: what was computed of it is so no more.
    fn forget(&mut self, value: VirtualRegister) {
        self.state.forget(value);
        for &number in self.plan.repeated.readers(value) {
            self.state.clear(self.state.repeated(number));
        }
    }

    fn instruction(&mut self, block: Block, instruction: Instruction) -> Result<(), Fault> {
        self.meaning(block, instruction)?;
        if let Some((number, value)) = self.plan.repeated.definition(instruction) {
            let location = self.state.repeated(number);
            self.state.add(location, plain(Content::Value(value)));
        }
        Ok(())
    }

    fn meaning(&mut self, block: Block, instruction: Instruction) -> Result<(), Fault> {
        let plan = self.plan;
        let data = &plan.function.instructions[instruction];
        let operands = plan.function.instruction_operands(instruction);
        let places = plan.places(instruction);
        if plan.dropped[instruction.as_u32() as usize] {
            // Defined from now on, but nowhere.
            let definitions = operands.iter().filter(|one| one.is_definition());
            let values = definitions.filter_map(Operand::virtual_register);
            values.for_each(|value| self.forget(value));
            return Ok(());
        }
        for (number, (operand, place)) in operands.iter().zip(places).enumerate() {
            if operand.reads() && !completes(operands, number) {
                let site = Site {
                    instruction,
                    block,
                    spot: Spot::Operand(number as u32),
                };
                self.read(site, operand, place)?;
            }
        }
        let copy = plan.is_copy(instruction);
        let stays = copy && places[0].part == places[1].part;
        self.carried.clear();
        if copy && !stays {
            self.pick_for_copy(operands, places);
        }
        if let Some(mask) = data.clobbers {
            self.state
                .clobber(|register| plan.machine.preserves(mask, register));
        }
        for (number, (operand, place)) in operands.iter().zip(places).enumerate() {
            if !operand.is_definition() {
                continue;
            }
            match place.value.expand() {
                Some(value) if stays && number == 0 => self.rename_in_place(value, operand, place),
                None if stays => self.add_fixed(place.part),
                Some(value) => self.write_value(value, operand, place),
                None => self.write_fixed(place.part),
            }
            if copy && number == 0 {
                for index in 0..self.carried.len() {
                    let entry = self.carried[index];
                    self.add_to_units(place.location, entry);
                }
            }
        }
        if copy && !stays {
            self.add_to_source(operands, places);
        }
        Ok(())
    }

    /// The source of a copy holds the new value as well, so that another copy of it takes
    /// that one along. Not more than [`MOST_EQUAL`]: of `n` copies of one value, each
    /// would take along all the ones before it.
    fn add_to_source(&mut self, operands: &[Operand], places: &[OperandLocation]) {
        let (plan, machine) = (self.plan, self.plan.machine);
        let (to, from) = (places[0], places[1]);
        let (Some(new), Some(old)) = (to.value.expand(), from.value.expand()) else {
            return;
        };
        let whole = operands[..2]
            .iter()
            .all(|operand| operand.sub_register.is_whole());
        if !whole
            || new == old
            || operands[1].flags.contains(OperandFlags::UNDEFINED)
            || machine.units(to.location).len() != machine.units(from.location).len()
            || plan.size(new, false) != plan.size(old, false)
        {
            return;
        }
        // It may be the instruction that destroys it.
        let held = Entry {
            written: from.location.into(),
            ..plain(Content::Value(old))
        };
        let is_there = |&unit: &Unit| {
            let set = self.state.unit(unit);
            set.len() < MOST_EQUAL && set.contains(&held)
        };
        if machine.units(from.location).iter().all(is_there) {
            self.add_to_units(from.location, plain(Content::Value(new)));
        }
    }

    /// Checks that an operand finds what it reads.
    fn read(
        &mut self,
        site: Site,
        operand: &Operand,
        place: &OperandLocation,
    ) -> Result<(), Fault> {
        let machine = self.plan.machine;
        let Some(value) = place.value.expand() else {
            for &unit in machine.units(place.part) {
                let held = self.state.unit(unit);
                if self.plan.tracked[unit.as_u32() as usize]
                    && !held.iter().any(|entry| entry.content == Content::Fixed)
                {
                    return Err(Fault::FixedOverwritten {
                        site,
                        register: machine.register_name(place.part).to_owned(),
                        holds: self.describe(unit, place.part),
                    });
                }
            }
            return Ok(());
        };
        if place.memory == Some(Memory::Load) {
            return Ok(());
        }
        if let Some(Memory::Slot(slot)) = place.memory {
            let held = self.state.at(self.state.slot(slot));
            if held.contains(&plain(Content::Value(value))) || self.state.is_everywhere(value) {
                return Ok(());
            }
            return Err(Fault::WrongSlot {
                site,
                value,
                slot,
                holds: self.list(held, None),
            });
        }
        // A definition of a part keeps the rest, so all of it has to be there.
        let register = match operand.is_definition() {
            true => place.location,
            false => place.part,
        };
        for &unit in machine.units(register) {
            let found = self.state.unit(unit).iter().find(|entry| {
                entry.content == Content::Value(value) && entry.written == place.location.into()
            });
            if found.is_some_and(|entry| !entry.widened) || self.state.is_everywhere(value) {
                continue;
            }
            let name = machine.register_name(register).to_owned();
            return Err(match found {
                Some(_) => Fault::WidenedOperand {
                    site,
                    value,
                    register: name,
                },
                None => Fault::WrongValue {
                    site,
                    value,
                    register: name,
                    holds: self.describe(unit, place.location),
                },
            });
        }
        Ok(())
    }

    /// Picks up what a copy takes along besides its own value: whatever else
    /// the source is equal to. A part, or a value that the copy cuts off, does
    /// not go along.
    fn pick_for_copy(&mut self, operands: &[Operand], places: &[OperandLocation]) {
        let (plan, machine) = (self.plan, self.plan.machine);
        let (to, from) = (places[0], places[1]);
        let whole = operands[..2]
            .iter()
            .all(|operand| operand.sub_register.is_whole());
        if !whole
            || operands[1].flags.contains(OperandFlags::UNDEFINED)
            || machine.units(to.location).len() != machine.units(from.location).len()
        {
            return;
        }
        let sizes = [to, from].map(|place| {
            let value = place.value.expand();
            value.map_or(u32::MAX, |value| plan.size(value, false))
        });
        let size = sizes[0].min(sizes[1]);
        self.pick(from.location, |entry| {
            size_of(plan, entry) <= size
                && to.value.expand().map(Content::Value) != Some(entry.content)
        });
    }

    /// Picks up the values that a register holds in all its units.
    fn pick(&mut self, register: Register, wanted: impl Fn(Entry) -> bool) {
        let (first, rest) = match self.plan.machine.units(register) {
            [] => return self.carried.clear(),
            [first, rest @ ..] => (*first, rest),
        };
        self.carried.clear();
        for &entry in self.state.unit(first) {
            if entry.content != Content::Fixed
                && entry.written == register.into()
                && wanted(entry)
                && rest
                    .iter()
                    .all(|&unit| self.state.unit(unit).contains(&entry))
            {
                self.carried.push(entry);
            }
        }
    }

    /// Puts what was picked up into a register, instead of what is there.
    fn put(&mut self, register: Register) {
        for unit in self.plan.machine.units(register) {
            self.state.clear(unit.as_u32());
        }
        for index in 0..self.carried.len() {
            let entry = self.carried[index];
            self.add_to_units(register, entry);
        }
    }

    /// Adds an entry, written as this register, to its units.
    fn add_to_units(&mut self, register: Register, entry: Entry) {
        for unit in self.plan.machine.units(register) {
            let written = register.into();
            self.state.add(unit.as_u32(), Entry { written, ..entry });
        }
    }

    /// Defines a value. The first part of a value takes all of its register,
    /// as the other parts will be put there; a later part leaves what the rest
    /// of the register holds.
    fn write_value(&mut self, value: VirtualRegister, operand: &Operand, place: &OperandLocation) {
        self.forget(value);
        if let Some(Memory::Slot(slot)) = place.memory {
            let location = self.state.slot(slot);
            self.state.clear(location);
            self.state.add(location, plain(Content::Value(value)));
            return;
        }
        let written = match operand.reads() {
            true => place.part,
            false => place.location,
        };
        for unit in self.plan.machine.units(written) {
            self.state.clear(unit.as_u32());
        }
        self.add_to_units(place.location, plain(Content::Value(value)));
    }

    /// Defines a value that is already in its place under another name, by a
    /// copy that was deleted or does nothing.
    fn rename_in_place(
        &mut self,
        value: VirtualRegister,
        operand: &Operand,
        place: &OperandLocation,
    ) {
        self.forget(value);
        if !operand.reads() {
            let machine = self.plan.machine;
            let kept = machine.units(place.part);
            for unit in machine.units(place.location) {
                if !kept.contains(unit) {
                    self.state.clear(unit.as_u32());
                }
            }
        }
        self.add_to_units(place.location, plain(Content::Value(value)));
    }

    fn write_fixed(&mut self, register: Register) {
        for unit in self.plan.machine.units(register) {
            self.state.clear(unit.as_u32());
        }
        self.add_to_units(register, plain(Content::Fixed));
    }

    /// Marks the contents of a register as fixed and keeps them, with all that was
    /// known about them.
    fn add_fixed(&mut self, register: Register) {
        let entry = Entry {
            written: register.into(),
            ..plain(Content::Fixed)
        };
        for &unit in self.plan.machine.units(register) {
            if !self.state.unit(unit).contains(&entry) {
                self.state.add(unit.as_u32(), entry);
            }
        }
    }

    /// What a unit holds, for a message about a reader of `location`.
    fn describe(&self, unit: Unit, location: Register) -> String {
        self.list(self.state.unit(unit), Some(location))
    }

    /// Entries, with the registers as which they were written, for a message about a
    /// reader of `location`.
    fn list(&self, entries: &[Entry], location: Option<Register>) -> String {
        let mut text = String::new();
        for entry in entries {
            if !text.is_empty() {
                text.push_str(", ");
            }
            match entry.content {
                Content::Value(value) => write!(text, "{value}"),
                Content::Fixed => write!(text, "a fixed value"),
            }
            .expect("writing to a string");
            if let Some(written) = entry.written.expand()
                && Some(written) != location
            {
                let name = self.plan.machine.register_name(written);
                write!(text, " (as ${name})").expect("writing to a string");
            }
        }
        if text.is_empty() {
            text.push_str("nothing");
        }
        text
    }
}

/// An entry that [`Replay::add_to_units`] completes.
fn plain(content: Content) -> Entry {
    Entry {
        content,
        written: None.into(),
        widened: false,
    }
}

/// Bytes that an entry's value takes in memory.
fn size_of(plan: &Plan, entry: Entry) -> u32 {
    match entry.content {
        Content::Value(value) => plan.size(value, entry.widened),
        Content::Fixed => 0,
    }
}

/// Whether the operand defines a part of a value of which the same instruction
/// starts a new one with another part: then it does not read the old one.
fn completes(operands: &[Operand], number: usize) -> bool {
    let operand = &operands[number];
    operand.is_definition()
        && operands.iter().any(|other| {
            other.is_definition() && other.register == operand.register && !other.reads()
        })
}
