//! The set of live values while a block is walked backward. Physical registers are
//! [`super::live_units`]'.
//!
//! Insertion, removal and listing take constant time an element (Briggs and
//! Torczon's sparse set), one list for each pool of registers that cannot
//! interfere with the others.

use super::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Instruction, VirtualRegister};
use crate::machine::{Class, Machine, Register, Unit, UnitSet};
use cranelift_entity::{PrimaryMap, SecondaryMap};

const ABSENT: u32 = u32::MAX;

/// For each class the number of its pool: classes of different pools share no
/// unit, directly or through other classes. (The banks of a GPU's registers are
/// something else: see [`super::register_banks`].)
#[derive(Clone, Debug)]
pub struct RegisterPools {
    of_class: SecondaryMap<Class, u32>,
    /// The units that some class has.
    units: UnitSet,
    /// For each pool those of its classes.
    of_pool: Vec<UnitSet>,
}

impl RegisterPools {
    /// Finds the pools of a machine's classes.
    pub fn new(machine: &Machine) -> Self {
        let mut pool_of_unit = vec![ABSENT; machine.table.unit_count as usize];
        let mut parent: Vec<u32> = Vec::new();
        let mut of_class = SecondaryMap::new();
        for (class, data) in &machine.classes {
            let own = parent.len() as u32;
            parent.push(own);
            for unit in data.order.iter().flat_map(|&r| machine.units(r)) {
                let pool = &mut pool_of_unit[unit.as_u32() as usize];
                if *pool == ABSENT {
                    *pool = own;
                } else {
                    let (a, b) = (find(&parent, *pool), find(&parent, own));
                    parent[a.max(b) as usize] = a.min(b);
                }
            }
            of_class[class] = own;
        }
        let mut dense = vec![ABSENT; parent.len()];
        let mut count = 0;
        for class in machine.classes.keys() {
            let root = find(&parent, of_class[class]) as usize;
            if dense[root] == ABSENT {
                dense[root] = count;
                count += 1;
            }
            of_class[class] = dense[root];
        }
        let mut units = UnitSet::new(machine.table.unit_count);
        let mut of_pool = vec![units.clone(); count as usize];
        for (unit, own) in (0..).map(Unit::from_u32).zip(pool_of_unit) {
            if own != ABSENT {
                units.insert(unit);
                of_pool[dense[find(&parent, own) as usize] as usize].insert(unit);
            }
        }
        Self {
            of_class,
            units,
            of_pool,
        }
    }

    /// Number of pools.
    pub fn count(&self) -> usize {
        self.of_pool.len()
    }

    /// The pools whose values can have a part of a register; none for the flags and the
    /// like, which no class has.
    pub fn with(&self, machine: &Machine, register: Register) -> impl Iterator<Item = u32> {
        let units = machine.unit_words(register);
        let pools = (0..).zip(&self.of_pool);
        pools.filter_map(|(pool, own)| own.has_any(units).then_some(pool))
    }

    /// The units that some class has.
    pub fn units(&self) -> &UnitSet {
        &self.units
    }

    /// The pool of a class.
    pub fn pool(&self, class: Class) -> u32 {
        self.of_class[class]
    }
}

/// Without path compression: there are no more nodes than classes.
fn find(parent: &[u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        at = parent[at as usize];
    }
    at
}

/// What is live at one point.
pub struct LiveSet<'a> {
    function: &'a Function,
    pool_of: PrimaryMap<VirtualRegister, u32>,
    members: Vec<Vec<VirtualRegister>>,
    position: PrimaryMap<VirtualRegister, u32>,
}

impl<'a> LiveSet<'a> {
    /// An empty set for the values of a function.
    pub fn new(function: &'a Function, pools: &RegisterPools) -> Self {
        let registers = function.virtual_registers.values();
        Self {
            function,
            pool_of: registers.map(|data| pools.pool(data.class)).collect(),
            members: vec![Vec::new(); pools.count()],
            position: function.virtual_registers.keys().map(|_| ABSENT).collect(),
        }
    }

    /// Starts at the end of a block.
    pub fn start(&mut self, block: Block, liveness: &Liveness) {
        for members in &mut self.members {
            for register in members.drain(..) {
                self.position[register] = ABSENT;
            }
        }
        let live = liveness.live_out(block);
        for register in live.filter_map(Variable::virtual_register) {
            self.insert(register);
        }
    }

    /// Moves from after the instruction to before it.
    pub fn step(&mut self, instruction: Instruction) {
        let operands = self.function.instruction_operands(instruction).iter();
        let values = operands.filter_map(|one| Some((one, one.virtual_register()?)));
        for (_, value) in values.clone().filter(|(one, _)| one.is_definition()) {
            self.remove(value);
        }
        for (_, value) in values.filter(|(one, _)| one.reads()) {
            self.insert(value);
        }
    }

    /// The live values of the pool with this number.
    pub fn in_pool(&self, pool: u32) -> &[VirtualRegister] {
        &self.members[pool as usize]
    }

    /// The live values of the pool that a value belongs to.
    pub fn in_pool_of(&self, register: VirtualRegister) -> &[VirtualRegister] {
        &self.members[self.pool_of[register] as usize]
    }

    /// Whether two values could ever share a register.
    pub fn same_pool(&self, a: VirtualRegister, b: VirtualRegister) -> bool {
        self.pool_of[a] == self.pool_of[b]
    }

    /// All live values.
    pub fn iter(&self) -> impl Iterator<Item = VirtualRegister> {
        self.members.iter().flatten().copied()
    }

    /// Whether a value is live.
    pub fn contains(&self, register: VirtualRegister) -> bool {
        self.position[register] != ABSENT
    }

    fn insert(&mut self, register: VirtualRegister) {
        if self.position[register] == ABSENT {
            let members = &mut self.members[self.pool_of[register] as usize];
            self.position[register] = members.len() as u32;
            members.push(register);
        }
    }

    fn remove(&mut self, register: VirtualRegister) {
        let at = std::mem::replace(&mut self.position[register], ABSENT);
        if at != ABSENT {
            let members = &mut self.members[self.pool_of[register] as usize];
            members.swap_remove(at as usize);
            if let Some(&moved) = members.get(at as usize) {
                self.position[moved] = at;
            }
        }
    }
}
