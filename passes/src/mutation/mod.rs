//! Plants a random fault in a correct allocation.
//!
//! It is there to test the tests: a net that never catches anything may be
//! torn. The symbolic checker is tried on mutated allocations of random
//! functions, and the plugin can plant a fault in the code it hands to LLVM, to
//! see whether executing the code shows it.
//!
//! Not every mutation changes what the code means: a value may be moved to a
//! register that is free, a store whose slot nobody reads may be dropped. Who
//! asks has to find out. The same seed gives the same mutation.

mod edits;
mod finished;
mod locations;
mod order;

use crate::allocation::{Allocation, Edit, EditKind, Location};
use crate::analysis::live_set::RegisterPools;
use crate::analysis::liveness::Liveness;
use crate::function::{Function, Operand, OperandIndex, Slot, VirtualRegister};
use crate::graph::interference::InterferenceGraph;
use crate::machine::{Class, Machine, Register};
use cranelift_entity::PrimaryMap;
use fastrand::Rng;
use std::fmt;

pub use order::only_reordered;

/// What a mutation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A value gets the register of a value of its class that is live at the
    /// same time, as if the interference graph lacked the edge.
    DropEdge,
    /// A value gets a register that overlaps a neighbour's, of any class.
    Overlap,
    /// A value gets another register of its class.
    MoveValue,
    /// Two values of one class get each other's registers.
    SwapValues,
    /// A location in memory becomes one in a register, or the other way round.
    ChangeLocation,
    /// A store is left out.
    DropStore,
    /// A reload, or what rematerialises a value, is left out.
    DropReload,
    /// A widening or narrowing is left out.
    DropConversion,
    /// A renaming is left out.
    DropRename,
    /// An operand in memory names its value again.
    DropFold,
    /// An operand in a register accesses a slot instead.
    Fold,
    /// An operand in a register is loaded by its instruction instead.
    FoldLoad,
    /// An operand in memory is what another instruction loads.
    ChangeLoad,
    /// A store or reload takes place earlier or later in its block.
    MoveSpill,
    /// A store or reload takes place in another block.
    MoveSpillFar,
    /// Two edits at one position change places.
    SwapEdits,
    /// A store becomes a reload, or the other way round.
    Reverse,
    /// A store or reload uses another slot.
    ChangeSlot,
    /// Everything in one slot goes to another as well.
    ShareSlot,
    /// A slot gets smaller or less aligned.
    ShrinkSlot,
    /// A store or reload moves another value of the class.
    ChangeValue,
    /// An operand names another value of the class.
    Rename,
    /// A copy between two registers is deleted.
    DeleteCopy,
    /// A copy that does nothing is kept.
    KeepCopy,
    /// A value is rematerialised by another instruction.
    ChangeRematerialisation,
    /// A repeated instruction reads another register.
    ChangeSource,
    /// A definition is deleted.
    DeleteDefinition,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 27] = [
        Self::DropEdge,
        Self::Overlap,
        Self::MoveValue,
        Self::SwapValues,
        Self::ChangeLocation,
        Self::DropStore,
        Self::DropReload,
        Self::DropConversion,
        Self::DropRename,
        Self::DropFold,
        Self::Fold,
        Self::FoldLoad,
        Self::ChangeLoad,
        Self::MoveSpill,
        Self::MoveSpillFar,
        Self::SwapEdits,
        Self::Reverse,
        Self::ChangeSlot,
        Self::ShareSlot,
        Self::ShrinkSlot,
        Self::ChangeValue,
        Self::Rename,
        Self::DeleteCopy,
        Self::KeepCopy,
        Self::ChangeRematerialisation,
        Self::ChangeSource,
        Self::DeleteDefinition,
    ];
}

/// A mutated allocation.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The allocation, in all else as it was.
    pub allocation: Allocation,
    /// What kind of fault it is.
    pub kind: Kind,
    /// What was done, for people.
    pub description: String,
}

impl fmt::Display for Mutation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {}", self.kind, self.description)
    }
}

/// Makes mutations of one allocation.
pub struct Mutator<'a> {
    function: &'a Function,
    machine: &'a Machine,
    allocation: &'a Allocation,
    /// The operands after renaming.
    operands: PrimaryMap<OperandIndex, Operand>,
    /// The code with all edits, which tells the classes of created values.
    finished: Function,
    graph: InterferenceGraph,
    /// The values that the finished code names, all of them in registers.
    named: Vec<VirtualRegister>,
}

impl<'a> Mutator<'a> {
    /// Finds out which values are live together. The allocation must be correct.
    pub fn new(function: &'a Function, machine: &'a Machine, allocation: &'a Allocation) -> Self {
        let operands = finished::renamed(function, allocation);
        let finished = finished::finished(function, allocation, &operands);
        let liveness = Liveness::new(&finished, machine);
        let pools = RegisterPools::new(machine);
        let graph = InterferenceGraph::new(&finished, &pools, &liveness, true);
        let values = finished.operands.values();
        let mut named: Vec<_> = values.filter_map(Operand::virtual_register).collect();
        named.sort_unstable();
        named.dedup();
        Self {
            function,
            machine,
            allocation,
            operands,
            finished,
            graph,
            named,
        }
    }

    /// A mutation of one of the kinds; none if none of them is possible.
    pub fn mutate(&self, kinds: &[Kind], seed: u64) -> Option<Mutation> {
        let mut random = Rng::with_seed(seed);
        let mut kinds = kinds.to_vec();
        random.shuffle(&mut kinds);
        kinds.into_iter().find_map(|kind| {
            let mut allocation = self.allocation.clone();
            // Edits change places: each has to stand for itself.
            allocation.vectors.clear();
            let description = self.apply(kind, &mut random, &mut allocation)?;
            Some(Mutation {
                allocation,
                kind,
                description,
            })
        })
    }

    fn apply(&self, kind: Kind, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        match kind {
            Kind::DropEdge => self.drop_edge(random, into),
            Kind::Overlap => self.overlap(random, into),
            Kind::MoveValue => self.move_value(random, into),
            Kind::SwapValues => self.swap_values(random, into),
            Kind::ChangeLocation => self.change_location(random, into),
            Kind::DropStore => {
                drop_edit(random, into, |kind| matches!(kind, EditKind::Store { .. }))
            }
            Kind::DropReload => drop_edit(random, into, |kind| {
                matches!(
                    kind,
                    EditKind::Reload { .. } | EditKind::Rematerialise { .. }
                )
            }),
            Kind::DropConversion => drop_edit(random, into, |kind| {
                matches!(
                    kind,
                    EditKind::Widen { .. } | EditKind::Narrow { .. } | EditKind::Move { .. }
                )
            }),
            Kind::DropRename => {
                drop_edit(random, into, |kind| matches!(kind, EditKind::Rename { .. }))
            }
            Kind::DropFold => drop_edit(random, into, is_fold),
            Kind::Fold => self.fold(random, into),
            Kind::FoldLoad => self.fold_load(random, into),
            Kind::ChangeLoad => self.change_load(random, into),
            Kind::KeepCopy => drop_edit(random, into, |kind| *kind == EditKind::DeleteCopy),
            Kind::MoveSpill => self.move_spill(random, into, false),
            Kind::MoveSpillFar => self.move_spill(random, into, true),
            Kind::SwapEdits => edits::swap(random, into),
            Kind::Reverse => edits::reverse(random, into),
            Kind::ChangeSlot => edits::change_slot(random, into),
            Kind::ShareSlot => edits::share_slot(random, into),
            Kind::ShrinkSlot => edits::shrink_slot(random, into),
            Kind::ChangeValue => self.change_value(random, into),
            Kind::Rename => self.rename(random, into),
            Kind::DeleteCopy => self.delete_copy(random, into),
            Kind::ChangeRematerialisation => self.change_rematerialisation(random, into),
            Kind::ChangeSource => self.change_source(random, into),
            Kind::DeleteDefinition => self.delete_definition(random, into),
        }
    }

    fn class(&self, value: VirtualRegister) -> Class {
        self.finished.virtual_registers[value].class
    }

    /// The registers that a value may live in.
    fn order(&self, value: VirtualRegister) -> &[Register] {
        &self.machine.classes[self.class(value)].order
    }

    /// The register that a value lives in.
    fn register(&self, value: VirtualRegister) -> Option<Register> {
        match self.allocation.locations[value] {
            Location::Register(register) => Some(register),
            Location::Slot(_) | Location::None => None,
        }
    }

    fn name(&self, register: Register) -> &str {
        self.machine.register_name(register)
    }

    /// Another value of the class that code may name.
    fn other_of_class(&self, random: &mut Rng, value: VirtualRegister) -> Option<VirtualRegister> {
        let others = self.named.iter().copied();
        let others = others.filter(|&other| {
            other != value
                && self.class(other) == self.class(value)
                && self.register(other).is_some()
        });
        pick(random, others)
    }
}

/// One of the items.
fn pick<T>(random: &mut Rng, items: impl Iterator<Item = T>) -> Option<T> {
    random.choice(items.collect::<Vec<_>>())
}

/// The number of an edit that is wanted.
fn pick_edit(
    random: &mut Rng,
    allocation: &Allocation,
    wanted: impl Fn(&EditKind) -> bool,
) -> Option<usize> {
    let edits = allocation.edits.iter().enumerate();
    let wanted = edits.filter(|(_, edit)| wanted(&edit.kind));
    pick(random, wanted.map(|(number, _)| number))
}

fn drop_edit(
    random: &mut Rng,
    into: &mut Allocation,
    wanted: impl Fn(&EditKind) -> bool,
) -> Option<String> {
    let number = pick_edit(random, into, wanted)?;
    let Edit { at, kind } = into.edits.remove(number);
    Some(format!("dropped {kind:?} at {at:?}"))
}

/// The slot that code accesses.
fn slot_of(kind: &mut EditKind) -> Option<&mut Slot> {
    match kind {
        EditKind::Store { slot, .. }
        | EditKind::Reload { slot, .. }
        | EditKind::Fold { slot, .. } => Some(slot),
        _ => None,
    }
}

fn is_fold(kind: &EditKind) -> bool {
    matches!(kind, EditKind::Fold { .. } | EditKind::FoldLoad { .. })
}

fn is_spill(kind: &EditKind) -> bool {
    matches!(kind, EditKind::Store { .. } | EditKind::Reload { .. })
}
