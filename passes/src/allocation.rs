//! The result: where every value lives, and the edits that make it so.
use crate::function::{
    Instruction, MOST_SOURCES, OperandIndex, OperandRegister, Slot, VirtualRegister,
};
use crate::machine::{Class, Machine, Register};
use crate::statistics::Statistics;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::borrow::Cow;
use std::ops::Range;

/// A finished allocation of one function.
///
/// Virtual registers keep their numbers; those that spilling created follow the
/// function's own. Applied together, `edits` and `locations` leave no virtual
/// register behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Allocation {
    /// Where each virtual register lives, the created ones included.
    /// [`Location::None`] for one without operands, or rematerialised wherever it is read.
    pub locations: SecondaryMap<VirtualRegister, Location>,
    /// The virtual registers that spilling created, in order of number.
    pub created: Vec<Created>,
    /// The spill slots.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// What to change, in program order: by position, and at one position in
    /// the order in which the code is to stand.
    pub edits: Vec<Edit>,
    /// Stores, or reloads, of neighbouring slots that one instruction does: ranges of
    /// `edits`, ascending.
    pub vectors: Vec<Range<u32>>,
    /// On a GPU: what slots take of the shared memory of a block.
    pub shared: Option<SharedFrame>,
    /// On a GPU: the registers of the R file that hold spilled predicates, 32 each. They
    /// are none of those that values live in.
    pub predicate_words: u32,
    /// What was done, for people.
    pub statistics: Statistics,
}

impl Allocation {
    /// The machine that the allocation is for, given the one it was asked for: without the
    /// registers that hold predicates, but with what they hold.
    pub fn machine<'a>(&self, machine: &'a Machine) -> Cow<'a, Machine> {
        machine.with_packed_predicates(self.predicate_words)
    }

    /// The strides of the slots in shared memory, each once, ascending.
    pub fn shared_strides(&self) -> Vec<u32> {
        let columns = self.slots.values().filter_map(|data| data.column);
        let mut strides: Vec<u32> = columns.map(|column| column.stride).collect();
        strides.sort_unstable();
        strides.dedup();
        strides
    }
}

/// Where a value lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Location {
    /// Nowhere: nothing reads or writes it, once the edits are made.
    #[default]
    None,
    /// In a register, all the time.
    Register(Register),
    /// In memory; created virtual registers carry it to and from instructions.
    Slot(Slot),
}

/// A virtual register that spilling created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Created {
    /// Its number.
    pub register: VirtualRegister,
    /// Its class.
    pub class: Class,
    /// The function's own virtual register whose value it carries.
    pub origin: VirtualRegister,
}

/// A spill slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotData {
    /// Bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub alignment: u32,
    /// Somewhere its value is in a register alone, and the slot holds an older one or
    /// another value.
    pub outdated: bool,
    /// How many slots, this one the first, lie side by side: 1, 2 or 4; 0 for those that
    /// follow the first one.
    pub lanes: u32,
    /// Its place in shared memory; none if it lies in the thread's own memory.
    pub column: Option<SharedColumn>,
}

/// The shared memory of a block that slots of all its threads take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedFrame {
    /// Bytes.
    pub bytes: u32,
    /// The most threads of a block.
    pub threads: u32,
}

/// Where a slot lies in the [`SharedFrame`]: the one of thread `t`, counted through all
/// dimensions of the block, at byte `offset + t * stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedColumn {
    /// Bytes from the begin of the frame to the slot of the first thread.
    pub offset: u32,
    /// Bytes between the slots of two neighbouring threads: 4, 8 or 16.
    pub stride: u32,
}

/// Between which instructions of the original function an edit takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// Directly before the instruction, after what follows its predecessor.
    Before(Instruction),
    /// Directly after the instruction.
    After(Instruction),
}

/// One change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Where.
    pub at: Position,
    /// What.
    pub kind: EditKind,
}

/// What a repeated instruction reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources([PackedOption<VirtualRegister>; MOST_SOURCES]);

impl Sources {
    /// In order.
    pub fn iter(self) -> impl Iterator<Item = VirtualRegister> {
        self.0.into_iter().map_while(PackedOption::expand)
    }

    /// For each of them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut PackedOption<VirtualRegister>> {
        self.0.iter_mut().take_while(|source| source.is_some())
    }
}

impl FromIterator<VirtualRegister> for Sources {
    /// # Panics
    /// If there are more than [`MOST_SOURCES`].
    fn from_iter<I: IntoIterator<Item = VirtualRegister>>(values: I) -> Self {
        let mut sources = Self::default();
        for (number, value) in values.into_iter().enumerate() {
            sources.0[number] = value.into();
        }
        sources
    }
}

/// What an edit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditKind {
    /// The operand names another virtual register from now on.
    Rename {
        /// Which operand.
        operand: OperandIndex,
        /// Its new register.
        to: VirtualRegister,
    },
    /// The operand accesses a slot from now on, as do all others of the instruction that
    /// name the same virtual register.
    Fold {
        /// Which operand.
        operand: OperandIndex,
        /// What it reads or writes.
        slot: Slot,
    },
    /// The operand reads from memory what this instruction loads, as do all others of the
    /// instruction that name the same virtual register.
    FoldLoad {
        /// Which operand.
        operand: OperandIndex,
        /// The function's own instruction, which defines what the operand named.
        from: Instruction,
    },
    /// Store a virtual register.
    Store {
        /// What.
        value: VirtualRegister,
        /// Where to.
        slot: Slot,
    },
    /// Load a virtual register.
    Reload {
        /// What.
        value: VirtualRegister,
        /// Where from.
        slot: Slot,
    },
    /// Put `from` into `to`, a register of the class it is spilled through.
    Widen {
        /// Receives the value.
        to: VirtualRegister,
        /// Has it.
        from: VirtualRegister,
    },
    /// Get `to` back out of `from`.
    Narrow {
        /// Receives the value.
        to: VirtualRegister,
        /// Has it.
        from: VirtualRegister,
    },
    /// Put `from` into `to`, a register of the same class.
    Move {
        /// Receives the value.
        to: VirtualRegister,
        /// Has it.
        from: VirtualRegister,
    },
    /// Rematerialise a virtual register, as this instruction did.
    Rematerialise {
        /// What.
        value: VirtualRegister,
        /// The function's own instruction.
        from: Instruction,
        /// What stands for the values that the instruction reads, in their order.
        sources: Sources,
    },
    /// The instruction at this position defines what nothing reads any more.
    DeleteDefinition,
    /// The instruction at this position is a copy that does nothing: both of
    /// its operands live in the same register.
    DeleteCopy,
}

impl EditKind {
    /// Of a store or a reload: whether it is a store, what it moves, and where to or from.
    pub fn access(self) -> Option<(bool, VirtualRegister, Slot)> {
        match self {
            Self::Store { value, slot } => Some((true, value, slot)),
            Self::Reload { value, slot } => Some((false, value, slot)),
            _ => None,
        }
    }

    /// Which operand names something else from now on, and what.
    pub fn naming(self) -> Option<(OperandIndex, OperandRegister)> {
        match self {
            Self::Rename { operand, to } => Some((operand, OperandRegister::Virtual(to))),
            Self::Fold { operand, slot } => Some((operand, OperandRegister::Slot(slot))),
            Self::FoldLoad { operand, from } => Some((operand, OperandRegister::Loaded(from))),
            _ => None,
        }
    }
}
