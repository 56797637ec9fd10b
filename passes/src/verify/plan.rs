//! The finished code, laid out for replaying: the register of every operand
//! after renaming, the inserted code, and the copies that are left out.
//!
//! Making the plan finds everything that is wrong without regard to control
//! flow: locations outside their class, misplaced edits, slots too small, vectors of slots that
//! are no neighbours.

mod code;
mod columns;
mod folds;
mod vectors;

use super::fault::{Fault, Site, Spot};
use super::rematerialisation::{Repeated, computes_alone};
use super::{constraints, uniform};
use crate::allocation::{Allocation, EditKind, Location, Position};
use crate::function::{
    Block, Function, Instruction, MOST_SOURCES, Operand, OperandFlags, OperandIndex,
    OperandRegister, Slot, VirtualRegister,
};
use crate::machine::{Class, ClassData, Machine, Register, SubRegisterIndex};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// A bit for each register of each class.
type Members = PrimaryMap<Class, FixedBitSet>;

/// Where an operand ends up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OperandLocation {
    /// The value, for a virtual operand: what it named before renaming.
    pub value: PackedOption<VirtualRegister>,
    /// The register that the value occupies.
    pub location: Register,
    /// The part of it that the operand names.
    pub part: Register,
    /// What the operand accesses instead of a register.
    pub memory: Option<Memory>,
}

/// What an operand accesses that is in no register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    Slot(Slot),
    /// Where its value is loaded from: there it always is.
    Load,
}

/// Inserted code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code {
    /// Twice the instruction's number, plus one if it stands after it.
    pub at: u64,
    pub kind: CodeKind,
}

/// What a repeated instruction reads: a value, and the register that is to hold it.
pub(super) type SourceOperand = (VirtualRegister, Register);

/// What inserted code does.
#[derive(Clone, Copy, Debug)]
pub(super) enum CodeKind {
    /// Writes a register to a slot; carries values of up to `size` bytes.
    Store {
        from: Register,
        slot: Slot,
        size: u32,
    },
    /// The inverse.
    Reload { to: Register, slot: Slot, size: u32 },
    /// Computes a value as an instruction does, of what is in these registers.
    Rematerialise {
        value: VirtualRegister,
        to: Register,
        from: Instruction,
        sources: [Option<SourceOperand>; MOST_SOURCES],
    },
    /// Puts a value into the form that can be stored.
    Widen { from: Register, to: Register },
    /// The inverse.
    Narrow { from: Register, to: Register },
    /// A value goes to another register of its class.
    Move { from: Register, to: Register },
}

/// The finished code.
pub(super) struct Plan<'a> {
    pub function: &'a Function,
    pub machine: &'a Machine,
    pub allocation: &'a Allocation,
    /// For each operand.
    pub places: PrimaryMap<OperandIndex, OperandLocation>,
    /// In program order.
    pub code: Vec<Code>,
    /// What of it repeats instructions that read something.
    pub repeated: Repeated,
    /// For each instruction, whether it is a copy that is left out.
    pub deleted: FixedBitSet,
    /// For each instruction, whether it is a definition that is left out.
    pub dropped: FixedBitSet,
    members: Members,
    /// For each unit, whether it can be allocated: others belong to the target
    /// alone.
    pub tracked: FixedBitSet,
}

impl<'a> Plan<'a> {
    pub fn new(
        function: &'a Function,
        machine: &'a Machine,
        allocation: &'a Allocation,
    ) -> Result<Self, Fault> {
        Layout::new(function, machine, allocation)?.plan()
    }

    /// The places of an instruction's operands.
    pub fn places(&self, instruction: Instruction) -> &[OperandLocation] {
        let range = &self.function.instructions[instruction].operands;
        &self.places.as_values_slice()[range.start as usize..range.end as usize]
    }

    /// Bytes that a spilled value takes.
    pub fn size(&self, value: VirtualRegister, widened: bool) -> u32 {
        let class = &self.machine.classes[self.function.virtual_registers[value].class];
        match class.spill_through {
            Some(through) if widened => self.machine.classes[through].spill_size,
            _ => class.spill_size,
        }
    }
}

/// The work of making a plan.
struct Layout<'a> {
    function: &'a Function,
    machine: &'a Machine,
    allocation: &'a Allocation,
    blocks: Vec<Block>,
    /// The class of each virtual register that exists.
    classes: SecondaryMap<VirtualRegister, PackedOption<Class>>,
    /// The classes of the function's own with their super-classes.
    super_classes: BTreeSet<(Class, Class)>,
    /// How many instructions define each virtual register.
    definitions: SecondaryMap<VirtualRegister, u32>,
    members: Members,
    tracked: FixedBitSet,
}

impl<'a> Layout<'a> {
    fn new(
        function: &'a Function,
        machine: &'a Machine,
        allocation: &'a Allocation,
    ) -> Result<Self, Fault> {
        let mut tracked = FixedBitSet::with_capacity(machine.table.unit_count as usize);
        let mut members = PrimaryMap::with_capacity(machine.classes.len());
        for class in machine.classes.values() {
            let mut set = FixedBitSet::with_capacity(machine.table.registers.len());
            for &register in &class.order {
                set.set(register.as_u32() as usize, true);
                for unit in machine.units(register) {
                    tracked.set(unit.as_u32() as usize, true);
                }
            }
            members.push(set);
        }
        let mut layout = Self {
            function,
            machine,
            allocation,
            blocks: function.instruction_blocks(),
            classes: SecondaryMap::new(),
            super_classes: BTreeSet::new(),
            definitions: SecondaryMap::new(),
            members,
            tracked,
        };
        for operand in function.operands.values() {
            if let Some(value) = operand.virtual_register() {
                layout.definitions[value] += u32::from(operand.is_definition());
            }
        }
        layout.learn_classes()?;
        layout.check_locations()?;
        layout.check_lanes()?;
        layout.check_columns()?;
        layout.check_vectors()?;
        Ok(layout)
    }

    /// Collects the classes of all virtual registers, checking the created ones.
    fn learn_classes(&mut self) -> Result<(), Fault> {
        for (value, data) in &self.function.virtual_registers {
            self.classes[value] = data.class.into();
            let pair = data
                .super_class
                .map(|super_class| (data.class, super_class));
            self.super_classes.extend(pair);
        }
        for created in &self.allocation.created {
            let value = created.register;
            let Some(origin) = self.function.virtual_registers.get(created.origin) else {
                return Err(Fault::BadCreated { value });
            };
            if self.classes[value].is_some() || !self.machine.classes.is_valid(created.class) {
                return Err(Fault::BadCreated { value });
            }
            let through = self.machine.classes[origin.class].spill_through;
            let classes = [Some(origin.class), origin.super_class, through];
            if !classes.contains(&Some(created.class)) {
                return Err(Fault::ClassMismatch {
                    value,
                    class: self.class(created.class).name.clone(),
                    original: created.origin,
                    wanted: self.class(origin.class).name.clone(),
                });
            }
            self.classes[value] = created.class.into();
        }
        Ok(())
    }

    /// Checks that every location fits its class.
    fn check_locations(&self) -> Result<(), Fault> {
        for value in self.classes.keys() {
            let (Some(class), Location::Register(register)) = (
                self.classes[value].expand(),
                self.allocation.locations[value],
            ) else {
                continue;
            };
            // Whether a value may be in a uniform register is looked at later.
            let own = self.function.virtual_registers.is_valid(value);
            let uniform = self.machine.classes[class].uniform.filter(|_| own);
            let classes = [Some(class), uniform].into_iter().flatten();
            let index = register.as_u32() as usize;
            let mut members = classes.map(|class| self.members[class].contains(index));
            if !members.any(|is_member| is_member) {
                let register = match self.machine.table.registers.get(register) {
                    Some(data) => data.name.clone(),
                    None => register.to_string(),
                };
                return Err(Fault::OutsideClass {
                    value,
                    register,
                    class: self.class(class).name.clone(),
                });
            }
        }
        Ok(())
    }

    fn plan(self) -> Result<Plan<'a>, Fault> {
        let mut named: PrimaryMap<OperandIndex, OperandRegister> = self
            .function
            .operands
            .values()
            .map(|operand| operand.register)
            .collect();
        let none: FixedBitSet = FixedBitSet::with_capacity(self.function.instructions.len());
        let (mut deleted, mut dropped) = (none.clone(), none);
        let (mut code, mut folds) = (Vec::new(), Vec::new());
        let mut last = 0;
        for edit in &self.allocation.edits {
            let (at, site) = self.position(edit.at)?;
            if at < last {
                return Err(Fault::EditOutOfOrder { site });
            }
            last = at;
            match edit.kind {
                EditKind::Rename { operand, to } => {
                    let range = &self.function.instructions[site.instruction].operands;
                    if !range.contains(&operand.as_u32()) {
                        return Err(Fault::MisplacedRename { site });
                    }
                    self.check_class(site, &self.function.operands[operand], to)?;
                    named[operand] = OperandRegister::Virtual(to);
                }
                EditKind::Fold { operand, slot } => {
                    self.check_fold(site, operand, slot)?;
                    named[operand] = OperandRegister::Slot(slot);
                    folds.push(site);
                }
                EditKind::FoldLoad { operand, from } => {
                    self.check_fold_load(site, operand, from)?;
                    named[operand] = OperandRegister::Loaded(from);
                    folds.push(site);
                }
                EditKind::DeleteCopy => {
                    if self.function.copy_operands(site.instruction).is_none() {
                        let spot = Spot::Whole;
                        return Err(Fault::NotACopy {
                            site: Site { spot, ..site },
                        });
                    }
                    deleted.set(site.instruction.as_u32() as usize, true);
                }
                EditKind::DeleteDefinition => {
                    if computes_alone(self.function, site.instruction).is_none() {
                        let spot = Spot::Whole;
                        return Err(Fault::NotADefinition {
                            site: Site { spot, ..site },
                        });
                    }
                    dropped.set(site.instruction.as_u32() as usize, true);
                }
                kind => {
                    // Where the terminators start is twice their number, so
                    // this is only right in front of the first.
                    let terminator = self.function.blocks[site.block].first_terminator;
                    if at > u64::from(terminator) * 2 {
                        return Err(Fault::EditAfterTerminator { site });
                    }
                    let kind = self.code(site, kind)?;
                    code.push(Code { at, kind });
                }
            }
        }
        for &site in &folds {
            self.check_folded(site, &named)?;
        }
        let places = self.places(&named, &dropped)?;
        let blocks = self.blocks;
        let plan = Plan {
            function: self.function,
            machine: self.machine,
            allocation: self.allocation,
            places,
            repeated: Repeated::new(self.function, &code, &self.definitions),
            code,
            deleted,
            dropped,
            members: self.members,
            tracked: self.tracked,
        };
        constraints::check(&plan, &blocks)?;
        uniform::check(&plan, &blocks)?;
        Ok(plan)
    }

    /// The order number and the site of an edit.
    fn position(&self, position: Position) -> Result<(u64, Site), Fault> {
        let (instruction, spot) = match position {
            Position::Before(instruction) => (instruction, Spot::Before),
            Position::After(instruction) => (instruction, Spot::After),
        };
        let Some(&block) = self.blocks.get(instruction.as_u32() as usize) else {
            return Err(Fault::EditOutsideFunction { instruction });
        };
        let at = u64::from(instruction.as_u32()) * 2 + u64::from(spot == Spot::After);
        let site = Site {
            instruction,
            block,
            spot,
        };
        Ok((at, site))
    }

    /// Checks that a virtual register has a class that an operand takes: that of the operand's
    /// own one. Where it is not constrained also that one's super-class, or one of which the
    /// larger of both is the super-class.
    fn check_class(
        &self,
        site: Site,
        operand: &Operand,
        value: VirtualRegister,
    ) -> Result<(), Fault> {
        let Some(original) = operand.virtual_register() else {
            return Err(Fault::MisplacedRename { site });
        };
        let class = self.known_class(site, value)?;
        let own = &self.function.virtual_registers[original];
        let is_constrained = operand.flags.contains(OperandFlags::CONSTRAINED);
        let largest = own.super_class.unwrap_or(own.class);
        if class == own.class || !is_constrained && self.is_within(class, largest) {
            return Ok(());
        }
        Err(Fault::ClassMismatch {
            value,
            class: self.class(class).name.clone(),
            original,
            wanted: self.class(own.class).name.clone(),
        })
    }

    /// Whether a class is another one, or has it for super-class.
    fn is_within(&self, class: Class, other: Class) -> bool {
        class == other || self.super_classes.contains(&(class, other))
    }

    /// Finds the registers of all operands.
    fn places(
        &self,
        named: &PrimaryMap<OperandIndex, OperandRegister>,
        dropped: &FixedBitSet,
    ) -> Result<PrimaryMap<OperandIndex, OperandLocation>, Fault> {
        let mut places = PrimaryMap::with_capacity(named.len());
        for instruction in self.function.instructions.keys() {
            for (number, (index, operand)) in
                self.function.numbered_operands(instruction).enumerate()
            {
                let site = Site {
                    instruction,
                    block: self.blocks[instruction.as_u32() as usize],
                    spot: Spot::Operand(number as u32),
                };
                places.push(match named[index] {
                    // Nowhere; nobody asks.
                    OperandRegister::Virtual(_) if dropped[instruction.as_u32() as usize] => {
                        OperandLocation {
                            value: operand.virtual_register().into(),
                            location: Register::from_u32(0),
                            part: Register::from_u32(0),
                            memory: None,
                        }
                    }
                    OperandRegister::Slot(slot) => in_memory(operand, Memory::Slot(slot)),
                    OperandRegister::Loaded(_) => in_memory(operand, Memory::Load),
                    OperandRegister::Physical(register) => OperandLocation {
                        value: None.into(),
                        location: register,
                        part: register,
                        memory: None,
                    },
                    OperandRegister::Virtual(value) => {
                        if self.allocation.locations[value] == Location::None {
                            return Err(Fault::MissingLocation { value });
                        }
                        let location = self.register(site, value)?;
                        OperandLocation {
                            value: operand.virtual_register().into(),
                            location,
                            part: self.part(site, value, location, operand.sub_register)?,
                            memory: None,
                        }
                    }
                });
            }
        }
        Ok(places)
    }

    fn part(
        &self,
        site: Site,
        value: VirtualRegister,
        location: Register,
        index: SubRegisterIndex,
    ) -> Result<Register, Fault> {
        let part = self.machine.part(location, index);
        part.ok_or_else(|| Fault::NoSuchPart {
            site,
            value,
            register: self.machine.register_name(location).to_owned(),
            part: index.0,
        })
    }

    /// The register that a virtual one lives in.
    fn register(&self, site: Site, value: VirtualRegister) -> Result<Register, Fault> {
        self.known_class(site, value)?;
        match self.allocation.locations[value] {
            Location::Register(register) => Ok(register),
            location => Err(Fault::NotInRegister {
                site,
                value,
                location,
            }),
        }
    }

    /// The class of a virtual register that an edit names.
    fn known_class(&self, site: Site, value: VirtualRegister) -> Result<Class, Fault> {
        let class = self.classes.get(value).and_then(|class| class.expand());
        class.ok_or(Fault::UnknownRegister { site, value })
    }

    fn class(&self, class: Class) -> &ClassData {
        &self.machine.classes[class]
    }
}

impl Plan<'_> {
    /// Whether a value is in a register that all threads of a warp share, instead of one
    /// of its class.
    pub fn is_shared(&self, value: VirtualRegister, location: Register) -> bool {
        let class = self.function.virtual_registers[value].class;
        is_shared(self.machine, &self.members, class, location)
    }

    /// Whether the instruction is a copy with both its operands.
    pub fn is_copy(&self, instruction: Instruction) -> bool {
        self.function.copy_operands(instruction).is_some()
    }
}

/// An operand without a register.
fn in_memory(operand: &Operand, memory: Memory) -> OperandLocation {
    OperandLocation {
        value: operand.virtual_register().into(),
        location: Register::from_u32(0),
        part: Register::from_u32(0),
        memory: Some(memory),
    }
}

fn is_shared(machine: &Machine, members: &Members, class: Class, location: Register) -> bool {
    let uniform = machine.classes[class].uniform;
    uniform.is_some_and(|uniform| members[uniform][location.as_u32() as usize])
}
