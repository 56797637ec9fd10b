//! What one round of colouring works on: the function, the groups that coalescing
//! made, and what each group may be coloured with. What interferes with what is
//! beside it: a [`crate::graph::Graph`], or live ranges in the fat-point path.

use super::groups::{Groups, Member};
use crate::analysis::live_set::RegisterPools;
use crate::analysis::liveness::Liveness;
use crate::analysis::register_banks::ReadTogether;
use crate::analysis::restrictions::Restrictions;
use crate::analysis::tuples::TupleMap;
use crate::function::{Function, Instruction, Operand, OperandRegister, VirtualRegister};
use crate::machine::{
    Class, ClassTable, ClobberMask, Machine, Register, SubRegisterIndex, UnitSet, UnitWords,
};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;

/// The machine and what is computed once of it.
pub struct Target<'a> {
    /// The machine, within a budget.
    pub machine: &'a Machine,
    /// Facts about its classes.
    pub classes: ClassTable,
    /// Which classes share registers.
    pub pools: RegisterPools,
}

impl<'a> Target<'a> {
    /// Computes it.
    pub fn new(machine: &'a Machine) -> Self {
        Self {
            machine,
            classes: ClassTable::new(machine),
            pools: RegisterPools::new(machine),
        }
    }
}

/// One round's facts. After [`Problem::new`] three things change: the round adds
/// `read_together`, `tuples`, `in_place` and `is_piece`, where they count; coalescing joins
/// `groups`, and with them what is `available` to their roots; and `reserved` is set anew
/// before each attempt of select at tuples. Simplify, ordering and select only read.
pub struct Problem<'a> {
    /// The function with the spill code of earlier rounds.
    pub function: &'a Function,
    /// The machine, within its budget.
    pub machine: &'a Machine,
    /// Values that are read together, where that matters.
    pub read_together: ReadTogether,
    /// Values that belong side by side, where that counts.
    pub tuples: TupleMap,
    /// Operands with the results that could be in their place, where that counts.
    pub in_place: Vec<(VirtualRegister, VirtualRegister)>,
    /// What only pre-coloured values may have, where their registers are not reused.
    pub reserved: Option<Reserved>,
    /// What splitting around interference left of a value, where that counts.
    pub is_piece: SecondaryMap<VirtualRegister, bool>,
    /// Class facts.
    pub classes: &'a ClassTable,
    /// Registers that values may not have.
    pub restrictions: Restrictions,
    /// Coalesced values.
    pub groups: Groups,
    /// Spill cost of each value.
    pub costs: PrimaryMap<VirtualRegister, f64>,
    /// Values that spilling would not make shorter, or that cannot be spilled.
    pub minimal: PrimaryMap<VirtualRegister, bool>,
    /// For each value the registers of the widest tuple that it belongs to; nothing where
    /// tuples do not count as vectors.
    pub vector_width: SecondaryMap<VirtualRegister, u32>,
    /// All copies, the most frequent first.
    pub copies: Vec<Copy>,
    /// For each root the class whose order it is coloured from: its own. Of two groups
    /// that join, the one whose class has fewer registers keeps its root.
    pub class: PrimaryMap<VirtualRegister, Class>,
    /// For each root the number of registers it may have, were it alone: the p
    /// of the <p,q> test.
    pub available: PrimaryMap<VirtualRegister, u32>,
}

/// The registers of pre-coloured values, where nothing else may have them.
pub struct Reserved {
    units: UnitSet,
    precoloured: SecondaryMap<VirtualRegister, bool>,
}

impl Reserved {
    /// Those of all values that have a register.
    pub fn new(
        problem: &Problem,
        register_of: impl Fn(VirtualRegister) -> Option<Register>,
    ) -> Self {
        let mut reserved = Self {
            units: UnitSet::new(problem.machine.table.unit_count),
            precoloured: SecondaryMap::new(),
        };
        for value in problem.function.virtual_registers.keys() {
            if let Some(register) = register_of(value) {
                reserved.precoloured[value] = true;
                reserved.units.add(problem.machine.unit_words(register));
            }
        }
        reserved
    }

    fn refuses(&self, value: VirtualRegister, units: &UnitWords) -> bool {
        !self.precoloured[value] && self.units.has_any(units)
    }
}

/// One end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The register.
    pub register: OperandRegister,
    /// The part of it.
    pub part: SubRegisterIndex,
}

/// A copy instruction.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// Where it is.
    pub instruction: Instruction,
    /// Receives the value.
    pub to: End,
    /// Has the value.
    pub from: End,
    /// Executions per execution of the function.
    pub weight: f64,
}

impl From<&Operand> for End {
    fn from(operand: &Operand) -> Self {
        Self {
            register: operand.register,
            part: operand.sub_register,
        }
    }
}

impl<'a> Problem<'a> {
    /// Collects the facts; every value is in a group of its own.
    pub fn new(
        function: &'a Function,
        target: &'a Target,
        liveness: &Liveness,
        costs: PrimaryMap<VirtualRegister, f64>,
    ) -> Self {
        let Target {
            machine,
            classes,
            pools,
        } = target;
        let restrictions = Restrictions::new(function, machine, pools, liveness);
        let registers = &function.virtual_registers;
        let mut problem = Self {
            function,
            machine,
            read_together: ReadTogether::default(),
            tuples: TupleMap::default(),
            vector_width: SecondaryMap::new(),
            in_place: Vec::new(),
            reserved: None,
            is_piece: SecondaryMap::new(),
            classes,
            groups: Groups::new(function),
            costs,
            minimal: minimal_values(function),
            copies: copies(function),
            class: registers.values().map(|data| data.class).collect(),
            available: registers.keys().map(|_| 0).collect(),
            restrictions,
        };
        // Most values that are restricted at all are live across calls of one kind.
        let mut across_one: FxHashMap<(Class, ClobberMask), u32> = FxHashMap::default();
        for value in registers.keys() {
            let class = problem.class[value];
            let count = || problem.count_alone(value);
            let restrictions = &problem.restrictions;
            let is_forbidden = restrictions.forbidden(value).is_some();
            let available = match restrictions.crossed(value) {
                &[mask] if !is_forbidden => *across_one.entry((class, mask)).or_insert_with(count),
                _ => count(),
            };
            problem.available[value] = available;
        }
        problem
    }

    /// The roots that some operand names.
    pub fn nodes(&self) -> Vec<VirtualRegister> {
        let function = self.function;
        let mut named: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
        let operands = function.operands.values();
        for value in operands.filter_map(Operand::virtual_register) {
            named[self.groups.find(value).0] = true;
        }
        let values = function.virtual_registers.keys();
        values.filter(|&value| named[value]).collect()
    }

    /// How many of one root's registers another root takes at most.
    pub fn blocked(&self, root: VirtualRegister, other: VirtualRegister) -> u32 {
        self.classes.blocked(self.class[root], self.class[other])
    }

    /// The registers of a class that suit all members, apart from neighbours.
    pub fn count_available(&self, class: Class, members: &[Member]) -> u32 {
        let order = &self.machine.classes[class].order;
        if self.suit_all(class, members) {
            return order.len() as u32;
        }
        let suits = |&&register: &&Register| self.suits(register, members);
        order.iter().filter(suits).count() as u32
    }

    /// The registers of its class that suit a value.
    fn count_alone(&self, value: VirtualRegister) -> u32 {
        let order = &self.machine.classes[self.class[value]].order;
        if !self.restrictions.restrict(value) {
            return order.len() as u32;
        }
        let allows =
            |&&register: &&Register| self.restrictions.allow(self.machine, value, register);
        order.iter().filter(allows).count() as u32
    }

    /// Whether all registers of a class suit all members, as nothing restricts them.
    pub fn suit_all(&self, class: Class, members: &[Member]) -> bool {
        let unconstrained = |&(value, part): &Member| {
            part.is_whole()
                && self.function.virtual_registers[value].class == class
                && !self.restrictions.restrict(value)
        };
        members.iter().all(unconstrained)
    }

    /// Whether a register suits all members of a group, apart from neighbours.
    pub fn suits(&self, register: Register, members: &[Member]) -> bool {
        members.iter().all(|&(value, part)| {
            self.machine
                .part(register, part)
                .is_some_and(|register| self.suits_value(register, value))
        })
    }

    /// Whether a register suits one value, apart from neighbours.
    pub fn suits_value(&self, register: Register, value: VirtualRegister) -> bool {
        let class = self.function.virtual_registers[value].class;
        let units = self.machine.unit_words(register);
        let reserved = self.reserved.as_ref();
        self.classes.contains(class, register)
            && !reserved.is_some_and(|reserved| reserved.refuses(value, units))
            && self.restrictions.allow(self.machine, value, register)
    }

    /// The bank conflicts that a group would have in a register, as far as the values
    /// read beside its members have theirs.
    pub fn bank_conflicts(
        &self,
        register: Register,
        members: &[Member],
        register_of: impl Fn(VirtualRegister) -> Option<Register>,
    ) -> u32 {
        let conflicts = members.iter().map(|&(value, _)| {
            let together = &self.read_together;
            together.conflicts(self.machine, value, register, &register_of)
        });
        conflicts.sum()
    }

    /// What it costs to spill a group: its members that are worth it, as the
    /// others keep their short ranges.
    pub fn group_cost(&self, root: VirtualRegister) -> f64 {
        let members = self.groups.members(root).iter();
        let costs = members
            .filter(|(value, _)| !self.minimal[*value])
            .map(|(value, _)| self.costs[*value]);
        costs
            .reduce(|sum, cost| sum + cost)
            .unwrap_or(f64::INFINITY)
    }
}

/// All copies by weight, then by position.
fn copies(function: &Function) -> Vec<Copy> {
    let mut copies = Vec::new();
    for (block, data) in &function.blocks {
        for instruction in function.block_instructions(block) {
            if let Some((to, from)) = function.coalescible(instruction)
                && from.reads_source()
            {
                copies.push(Copy {
                    instruction,
                    to: to.into(),
                    from: from.into(),
                    weight: data.frequency,
                });
            }
        }
    }
    copies.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    copies
}

/// Values defined and used within two consecutive instructions: the ranges that
/// spill code would make for them are no shorter.
fn minimal_values(function: &Function) -> PrimaryMap<VirtualRegister, bool> {
    let registers = &function.virtual_registers;
    let mut extent: PrimaryMap<VirtualRegister, (u32, u32)> =
        registers.keys().map(|_| (u32::MAX, 0)).collect();
    for data in function.blocks.values() {
        for instruction in data.instructions.clone().map(Instruction::from_u32) {
            for operand in function.instruction_operands(instruction) {
                if let Some(value) = operand.virtual_register() {
                    let (first, last) = &mut extent[value];
                    *first = (*first).min(instruction.as_u32());
                    *last = (*last).max(instruction.as_u32());
                }
            }
        }
    }
    let blocks = function.instruction_blocks();
    let is_minimal = |(first, last): (u32, u32)| {
        first == u32::MAX || last - first <= 1 && blocks[first as usize] == blocks[last as usize]
    };
    registers
        .iter()
        .map(|(value, data)| !data.spillable || is_minimal(extent[value]))
        .collect()
}
