//! What each register still holds of what was spilled.
//!
//! A register that was stored to a slot, or loaded from it, holds what the slot does until
//! one of the two is written; the same goes for a spill register, and for what is
//! rematerialised until the instruction that is repeated runs again. Where paths meet, what
//! is so on all of them stays: must-availability, as of available expressions, with
//! registers of the finished colouring as the places where expressions are. Nothing is known
//! behind calls of which no mask says what they keep, of a register that is in flight, and
//! where control enters from the middle of other blocks.
//!
//! Requires a complete colouring. Ensures that at each point that can be reached a holding
//! that is listed is so on every path there, and that what it names are all the virtual
//! registers by which it came to be so; not that all are listed. Time: for each instruction
//! that writes, the holdings that are known there, at most [`MOST_SOURCES`] a register; two or
//! three visits a block in practice.
//! Source: available expressions (Kildall 1973; Cooper and Torczon, "Engineering a
//! Compiler"); the *cicc lazy reload* document, phase 4, takes the union at joins, which is
//! wrong.

use crate::analysis::control_flow::reverse_postorder;
use crate::assign::colouring::Colouring;
use crate::function::{
    Block, Instruction, InstructionFlags, Operand, OperandFlags, OperandRegister, Slot,
    VirtualRegister,
};
use crate::machine::{Machine, Register, UnitSet};
use crate::spill::gaps::Code;
use crate::spill::provenance::Origin;
use crate::spill::state::ReloadSource;
use crate::spill::work::{Accessed, Work};
use cranelift_entity::SecondaryMap;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// From more sources than this it is not noted what a register holds. One may be stored to as
/// many slots as a kernel has sums that begin with zero, and all of them would be gone through
/// wherever something is written.
const MOST_SOURCES: usize = 16;

/// Virtual registers, ascending.
pub type Names = SmallVec<[VirtualRegister; 2]>;

/// A register holds what comes from elsewhere as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The register.
    pub register: Register,
    /// Where else it comes from.
    pub source: ReloadSource,
    /// As what the register was written, or read for storing, on the paths that lead here.
    pub names: Names,
}

/// What is held at one point.
#[derive(Clone, Debug)]
pub struct Held {
    /// Ordered by register and source.
    list: Vec<Holding>,
    /// The units of their registers, and perhaps others: most of what is written holds nothing.
    units: UnitSet,
}

impl Held {
    fn nothing(machine: &Machine) -> Self {
        Self {
            list: Vec::new(),
            units: UnitSet::new(machine.table.unit_count),
        }
    }

    /// The registers that hold what comes from a source.
    pub fn of(&self, source: ReloadSource) -> impl Iterator<Item = &Holding> {
        self.list.iter().filter(move |one| one.source == source)
    }

    /// The slots whose contents registers hold, with the names of each such register.
    pub fn slots(&self) -> impl Iterator<Item = (Slot, &Names)> {
        self.list.iter().filter_map(|one| match one.source {
            ReloadSource::Slot(slot) => Some((slot, &one.names)),
            ReloadSource::Rematerialisation(_) | ReloadSource::Register(_) => None,
        })
    }

    /// What a register holds of a source.
    pub fn in_register(&self, register: Register, source: ReloadSource) -> Option<&Holding> {
        let at = self.position(register, source).ok()?;
        Some(&self.list[at])
    }

    fn position(&self, register: Register, source: ReloadSource) -> Result<usize, usize> {
        self.list
            .binary_search_by_key(&(register, source), |one| (one.register, one.source))
    }

    fn add(
        &mut self,
        machine: &Machine,
        register: Register,
        source: ReloadSource,
        name: VirtualRegister,
    ) {
        match self.position(register, source) {
            Ok(at) => {
                add_names(&mut self.list[at].names, &[name]);
            }
            Err(_) if self.sources(register) >= MOST_SOURCES => {}
            Err(at) => {
                let names = smallvec![name];
                self.units.add(machine.unit_words(register));
                self.list.insert(
                    at,
                    Holding {
                        register,
                        source,
                        names,
                    },
                );
            }
        }
    }

    /// From how many sources a register holds something.
    fn sources(&self, register: Register) -> usize {
        let first = self.list.partition_point(|one| one.register < register);
        let own = |one: &Holding| one.register == register;
        self.list[first..].partition_point(own)
    }

    fn keep(&mut self, is_kept: impl Fn(&Holding) -> bool) {
        self.list.retain(is_kept);
    }

    /// A register is written.
    fn forget_register(&mut self, machine: &Machine, register: Register) {
        let units = machine.unit_words(register);
        if self.units.has_any(units) {
            self.keep(|one| !machine.alias(one.register, register));
            self.units.subtract(units);
        }
    }

    /// What comes from a source is something else from now on.
    fn forget_source(&mut self, source: ReloadSource) {
        self.keep(|one| one.source != source);
    }

    /// Keeps what is held on another path as well; says whether anything changed.
    fn meet(&mut self, other: &Self) -> bool {
        let mut changed = false;
        self.list.retain_mut(|one| {
            let same = other.in_register(one.register, one.source);
            changed |= same.is_none_or(|same| add_names(&mut one.names, &same.names));
            same.is_some()
        });
        changed
    }
}

/// Says whether any was new.
fn add_names(names: &mut Names, others: &[VirtualRegister]) -> bool {
    let before = names.len();
    for &other in others {
        if let Err(at) = names.binary_search(&other) {
            names.insert(at, other);
        }
    }
    names.len() > before
}

/// What registers hold, over a function.
pub struct Holdings<'a> {
    work: &'a Work,
    machine: &'a Machine,
    colouring: &'a Colouring,
    /// The caller's instructions that are repeated somewhere.
    repeated: SecondaryMap<Instruction, bool>,
    /// Spill registers.
    carries: SecondaryMap<VirtualRegister, bool>,
    /// At the start of each block that can be reached.
    at_start: SecondaryMap<Block, Option<Held>>,
}

impl<'a> Holdings<'a> {
    /// Finds what is held.
    pub fn new(work: &'a Work, machine: &'a Machine, colouring: &'a Colouring) -> Self {
        let mut repeated = SecondaryMap::new();
        let mut carries = SecondaryMap::new();
        for instruction in work.function.instructions.keys() {
            match Accessed::new(&work.function, instruction).map(|one| one.source) {
                Some(ReloadSource::Rematerialisation(from)) => repeated[from] = true,
                Some(ReloadSource::Register(spill_register)) => carries[spill_register] = true,
                Some(ReloadSource::Slot(_)) | None => {}
            }
        }
        let mut holdings = Self {
            work,
            machine,
            colouring,
            repeated,
            carries,
            at_start: SecondaryMap::with_capacity(work.function.blocks.len()),
        };
        holdings.propagate();
        holdings
    }

    /// Until nothing changes: what is held at a block's start only ever shrinks.
    fn propagate(&mut self) {
        let function = &self.work.function;
        let order = reverse_postorder(function);
        let mut numbers = SecondaryMap::with_default(u32::MAX);
        for (number, &block) in (0..).zip(&order) {
            numbers[block] = number;
        }
        let mut waiting = BTreeSet::new();
        if let Some(&entry) = order.first() {
            self.at_start[entry] = Some(Held::nothing(self.machine));
            waiting.insert(0);
        }
        while let Some(number) = waiting.pop_first() {
            let block = order[number as usize];
            let at_end = self.walk(block, |_, _| ());
            for &successor in &function.blocks[block].successors {
                let is_entry = function.blocks[successor].landing || numbers[successor] == 0;
                let from = match is_entry {
                    true => Held::nothing(self.machine),
                    false => at_end.clone(),
                };
                let changed = match &mut self.at_start[successor] {
                    Some(known) => known.meet(&from),
                    unknown => {
                        *unknown = Some(from);
                        true
                    }
                };
                if changed {
                    waiting.insert(numbers[successor]);
                }
            }
        }
    }

    /// Visits the instructions of a block with what is held before each; what is held at its
    /// end. Nothing is held in a block that cannot be reached.
    pub fn walk(&self, block: Block, mut visit: impl FnMut(Instruction, &Held)) -> Held {
        let data = &self.work.function.blocks[block];
        let known = self.at_start[block].clone();
        let mut held = known.unwrap_or_else(|| Held::nothing(self.machine));
        if let Some(mask) = data.clobbers {
            held.keep(|one| self.machine.preserves(mask, one.register));
        }
        for &register in &data.live_in {
            held.forget_register(self.machine, register);
        }
        for instruction in self.work.function.block_instructions(block) {
            visit(instruction, &held);
            self.step(instruction, &mut held);
        }
        held
    }

    fn step(&self, instruction: Instruction, held: &mut Held) {
        let function = &self.work.function;
        let data = &function.instructions[instruction];
        let origin = self.work.provenance.instructions[instruction];
        if let Origin::Original(original) = origin
            && self.repeated[original]
        {
            held.forget_source(ReloadSource::Rematerialisation(original));
        }
        let is_opaque = data.flags.contains(InstructionFlags::CALL) && data.clobbers.is_none();
        if is_opaque {
            held.keep(|_| false);
        }
        let copied = self.copied(instruction, held);
        let is_identity = function
            .coalescible(instruction)
            .is_some_and(|(to, from)| self.colouring.makes_identity(self.machine, to, from));
        if let Some(mask) = data.clobbers {
            held.keep(|one| self.machine.preserves(mask, one.register));
        }
        for operand in function.instruction_operands(instruction) {
            self.forget_written(operand, is_identity && copied.is_some(), held);
        }
        match Accessed::new(function, instruction) {
            Some(Accessed {
                value,
                source,
                code,
            }) => {
                if code == Code::Store {
                    held.forget_source(source);
                }
                self.add(value, source, held);
            }
            None => self.add_computed(instruction, origin, held),
        }
        if let Some((to, sources)) = copied {
            for source in sources {
                self.add(to, source, held);
            }
        }
    }

    /// What a copy between whole registers of one class takes along, and what it writes.
    fn copied(
        &self,
        instruction: Instruction,
        held: &Held,
    ) -> Option<(VirtualRegister, SmallVec<[ReloadSource; 2]>)> {
        let (to, from) = self.work.function.joinable_copy(instruction)?;
        let from = self.colouring.register(from)?;
        let sources = held.list.iter().filter(|one| one.register == from);
        Some((to, sources.map(|one| one.source).collect()))
    }

    /// Forgets what an operand overwrites, if it does.
    fn forget_written(&self, operand: &Operand, stays: bool, held: &mut Held) {
        let is_definition = operand.is_definition();
        if !is_definition && !operand.flags.contains(OperandFlags::IN_FLIGHT) {
            return;
        }
        match operand.register {
            OperandRegister::Virtual(value) => {
                if let Some(register) = self.colouring.register(value).filter(|_| !stays) {
                    held.forget_register(self.machine, register);
                }
                if is_definition && self.carries[value] {
                    held.forget_source(ReloadSource::Register(value));
                }
            }
            OperandRegister::Physical(register) => held.forget_register(self.machine, register),
            OperandRegister::Slot(slot) => held.forget_source(ReloadSource::Slot(slot)),
            // Never written.
            OperandRegister::Loaded(_) => {}
        }
    }

    /// What an instruction that is repeated elsewhere computes here.
    fn add_computed(&self, instruction: Instruction, origin: Origin, held: &mut Held) {
        let operands = self.work.function.instruction_operands(instruction);
        if let (Origin::Original(original), [result, rest @ ..]) = (origin, operands)
            && self.repeated[original]
            && result.is_definition()
            && !rest.iter().any(Operand::is_definition)
            && let Some(value) = result.virtual_register()
        {
            self.add(value, ReloadSource::Rematerialisation(original), held);
        }
    }

    fn add(&self, value: VirtualRegister, source: ReloadSource, held: &mut Held) {
        if let Some(register) = self.colouring.register(value) {
            held.add(self.machine, register, source, value);
        }
    }
}
