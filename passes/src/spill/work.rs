//! The function that rounds of colouring work on: the caller's, with the spill code made
//! so far, and what is needed to tell the two apart.

use super::cost::COMPUTATION;
use super::gaps::Code;
use super::landing::{arrivals, can_be_stored};
use super::pieces::Pieces;
use super::rewrite::rewrite;
use crate::allocation::{Created, Position, SlotData};
use crate::analysis::loops::LoopNest;
use crate::analysis::recipes::Recipes;
use crate::function::{Function, Instruction, InstructionKind, Slot, VirtualRegister};
use crate::machine::Machine;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::cell::OnceCell;
use std::rc::Rc;

/// Where an instruction of the work function comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The caller's function.
    Original(Instruction),
    /// Spill code.
    Inserted(Position),
}

/// The function with the spill code made so far.
#[derive(Clone, Debug)]
pub struct Work {
    /// The caller's virtual registers, then the created ones.
    pub function: Function,
    /// For each instruction, where it comes from.
    pub origins: PrimaryMap<Instruction, Origin>,
    /// The created virtual registers.
    pub created: Vec<Created>,
    /// The slots made so far.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// Where each spilled value comes from.
    pub source_of: SecondaryMap<VirtualRegister, Option<Source>>,
    /// How values can be computed anew.
    pub recipes: Recipes,
    /// Number of the caller's virtual registers.
    own: u32,
    rematerialised: u32,
    /// The function's loops: spilling leaves its blocks as they are.
    loops: OnceCell<Rc<LoopNest>>,
}

/// A value to spill.
#[derive(Clone, Debug, PartialEq)]
pub struct Spilled {
    /// Which.
    pub value: VirtualRegister,
    /// What of it stays in registers; without, it has one at each access only.
    pub pieces: Option<Pieces>,
}

impl Spilled {
    /// A value that is to be in memory all the time.
    pub fn everywhere(value: VirtualRegister) -> Self {
        let pieces = None;
        Self { value, pieces }
    }
}

/// Where a spilled value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// From memory.
    Slot(Slot),
    /// From an instruction of the caller's function, repeated.
    Recipe(Instruction),
}

impl Source {
    /// What spill code of this kind accesses, and how.
    pub fn accessed(kind: InstructionKind) -> Option<(Self, Code)> {
        match kind {
            InstructionKind::Store(slot) => Some((Self::Slot(slot), Code::Store)),
            InstructionKind::Reload(slot) => Some((Self::Slot(slot), Code::Load)),
            InstructionKind::Rematerialise(from) => Some((Self::Recipe(from), Code::Load)),
            _ => None,
        }
    }
}

impl Work {
    /// The caller's function, before any spilling.
    /// `recipes` says how values can be computed anew.
    pub fn new(function: &Function, machine: &Machine, recipes: Recipes) -> Self {
        let mut function = function.clone();
        pin_terminator_definitions(&mut function);
        for arrival in arrivals(&function, machine) {
            if !can_be_stored(&function, &arrival) {
                function.virtual_registers[arrival.value].spillable = false;
            }
        }
        Self {
            origins: function.instructions.keys().map(Origin::Original).collect(),
            own: function.virtual_registers.len() as u32,
            function,
            created: Vec::new(),
            slots: PrimaryMap::new(),
            source_of: SecondaryMap::new(),
            recipes,
            rematerialised: 0,
            loops: OnceCell::new(),
        }
    }

    /// The function's loops.
    pub fn loops(&self) -> Rc<LoopNest> {
        let loops = self
            .loops
            .get_or_init(|| Rc::new(LoopNest::new(&self.function)));
        Rc::clone(loops)
    }

    /// Number of values that live in memory.
    pub fn spilled(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Whether all values have kept their registers.
    pub fn is_unspilled(&self) -> bool {
        self.slots.is_empty() && self.rematerialised == 0
    }

    /// What the stores and reloads and what is computed anew cost, for each execution of
    /// the function: an access to memory counts one.
    pub fn accesses(&self) -> f64 {
        let mut sum = 0.0;
        for (block, data) in &self.function.blocks {
            let instructions = self.function.block_instructions(block);
            let costs = instructions.map(|one| match self.function.instructions[one].kind {
                InstructionKind::Store(_) | InstructionKind::Reload(_) => 1.0,
                InstructionKind::Rematerialise(_) => COMPUTATION,
                _ => 0.0,
            });
            sum += data.frequency * costs.sum::<f64>();
        }
        sum
    }

    /// Whether spilling created the register.
    pub fn is_created(&self, value: VirtualRegister) -> bool {
        value.as_u32() >= self.own
    }

    /// The caller's virtual register that a register is a part of.
    pub fn origin(&self, value: VirtualRegister) -> VirtualRegister {
        match self.is_created(value) {
            true => self.created[(value.as_u32() - self.own) as usize].origin,
            false => value,
        }
    }

    /// Spills some values: gives each a slot, and the function its code.
    pub fn spill(&mut self, machine: &Machine, spilled: &[Spilled]) {
        for Spilled { value, pieces } in spilled {
            let source = self.source(machine, *value);
            self.source_of[*value] = Some(source);
            if let (Source::Slot(slot), Some(pieces)) = (source, pieces) {
                self.slots[slot].outdated |= pieces.stale;
            }
        }
        rewrite(self, machine, spilled);
    }

    /// What an instruction does to a value, if it is spill code of that value itself.
    pub fn spill_code(&self, instruction: Instruction, value: VirtualRegister) -> Option<Code> {
        let (source, code) = Source::accessed(self.function.instructions[instruction].kind)?;
        (self.source_of[self.origin(value)] == Some(source)).then_some(code)
    }

    /// Where a value to be spilled will come from: a piece of a value from where the
    /// others come.
    fn source(&mut self, machine: &Machine, value: VirtualRegister) -> Source {
        if let Some(source) = self.source_of[self.origin(value)] {
            return source;
        }
        if let Some(instruction) = self.recipes[value] {
            self.rematerialised += 1;
            return Source::Recipe(instruction);
        }
        let class = self.function.virtual_registers[value].class;
        let data = &machine.classes[class];
        let stored = data
            .spill_through
            .map_or(data, |class| &machine.classes[class]);
        Source::Slot(self.slots.push(SlotData {
            size: stored.spill_size,
            alignment: stored.spill_alignment,
            outdated: false,
        }))
    }
}

/// No code can follow a terminator, so what it defines cannot be stored.
fn pin_terminator_definitions(function: &mut Function) {
    for data in function.blocks.values() {
        for index in data.first_terminator..data.instructions.end {
            let range = function.instructions[Instruction::from_u32(index)]
                .operands
                .clone();
            let operands = &function.operands.as_values_slice();
            for operand in &operands[range.start as usize..range.end as usize] {
                if operand.is_definition()
                    && let Some(value) = operand.virtual_register()
                {
                    function.virtual_registers[value].spillable = false;
                }
            }
        }
    }
}
