//! Redundant reloads: of what a register still holds.
//!
//! What is loaded again into the register that holds it still is not loaded: the two names
//! of the register become one. A value that only loads write, all from one source, is read
//! from another register instead if that holds the same wherever the value is read; then
//! none of its loads is left. (Where the value was loaded for a copy, there is a copy between
//! registers then, in place of the load.) A load here is a reload, a rematerialisation, or
//! the way back from a spill register. What only such loads needed goes with them.
//!
//! Requires a complete colouring. Ensures that the colouring is complete and right, that no
//! register more is used, and that there are fewer loads, if anything is found; other
//! colourings of what comes of it are as right. Time: that of [`super::holdings`], at most
//! [`MOST_ROUNDS`] times. Source: *cicc lazy reload* document, phase 4, with the meet of
//! available expressions; reads from another register are copy propagation.

use super::arrange::{Layout, arrange, layout};
use super::holdings::{Held, Holding, Holdings, Names};
use crate::assign::colouring::Colouring;
use crate::function::{
    Function, Instruction, InstructionFlags, Operand, OperandFlags, VirtualRegister,
};
use crate::machine::{Machine, Register};
use crate::spill::gaps::Code;
use crate::spill::state::ReloadSource;
use crate::spill::work::{Accessed, Work};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::collections::BTreeSet;
use tracing::trace;

/// What is found may make room for more; hardly ever twice.
const MOST_ROUNDS: u32 = 4;

/// Takes redundant loads out.
pub fn remove_redundant(work: &mut Work, machine: &Machine, colouring: &mut Colouring) {
    let mut instructions = work.function.instructions.keys();
    if !instructions.any(|one| loaded(&work.function, one).is_some()) {
        return;
    }
    for _ in 0..MOST_ROUNDS {
        let found = Found::new(work, machine, colouring);
        if found.loads.is_empty() {
            break;
        }
        for &(value, register) in &found.moved {
            colouring.set(value, Some(register));
        }
        let mut layout = layout(work);
        for instructions in layout.values_mut() {
            instructions.retain(|(one, _)| !found.loads.contains(one));
        }
        arrange(work, &layout, |value| found.names[value]);
        remove_unread(work);
    }
}

/// Takes out loads of what nothing reads.
fn remove_unread(work: &mut Work) {
    let mut layout: Layout = layout(work);
    let mut any = false;
    loop {
        let count = work.function.virtual_registers.len();
        let mut reads: SecondaryMap<VirtualRegister, bool> = SecondaryMap::with_capacity(count);
        for &(instruction, _) in layout.values().flatten() {
            let operands = work.function.instruction_operands(instruction).iter();
            for operand in operands.filter(|one| !one.is_definition() || one.reads()) {
                if let Some(value) = operand.virtual_register() {
                    reads[value] = true;
                }
            }
        }
        let is_needed = |instruction: Instruction| {
            loaded(&work.function, instruction).is_none_or(|(value, _)| reads[value])
        };
        let before: usize = layout.values().map(Vec::len).sum();
        for instructions in layout.values_mut() {
            instructions.retain(|(one, _)| is_needed(*one));
        }
        if layout.values().map(Vec::len).sum::<usize>() == before {
            break;
        }
        any = true;
    }
    if any {
        arrange(work, &layout, |value| value);
    }
}

/// What an instruction loads, and from where, if it does.
fn loaded(
    function: &Function,
    instruction: Instruction,
) -> Option<(VirtualRegister, ReloadSource)> {
    let accessed = Accessed::new(function, instruction)?;
    (accessed.code == Code::Load).then_some((accessed.value, accessed.source))
}

/// A value that only loads write, and where else it is whenever it is read.
#[derive(Clone, Debug)]
struct Loaded {
    source: ReloadSource,
    /// Other registers; none until the first instruction that reads the value.
    elsewhere: Option<Vec<Holding>>,
}

/// What is redundant.
struct Found {
    /// The loads.
    loads: BTreeSet<Instruction>,
    /// What each virtual register is called without them.
    names: PrimaryMap<VirtualRegister, VirtualRegister>,
    /// Values that are in another register from now on.
    moved: Vec<(VirtualRegister, Register)>,
}

impl Found {
    fn new(work: &Work, machine: &Machine, colouring: &Colouring) -> Self {
        let function = &work.function;
        let mut search = Search {
            function,
            machine,
            colouring,
            repeated: Vec::new(),
            only_loaded: only_loaded(function),
        };
        let holdings = Holdings::new(work, machine, colouring);
        for block in function.blocks.keys() {
            holdings.walk(block, |instruction, held| search.visit(instruction, held));
        }
        search.decide()
    }

    /// One name for all of these.
    fn join(&mut self, value: VirtualRegister, others: &[VirtualRegister]) {
        for &other in others {
            let (one, other) = (self.find(value), self.find(other));
            self.names[one.max(other)] = one.min(other);
        }
    }

    fn find(&self, mut value: VirtualRegister) -> VirtualRegister {
        while self.names[value] != value {
            value = self.names[value];
        }
        value
    }
}

/// The values that only loads from one source write, and that may be in any register of
/// their class wherever they are read.
fn only_loaded(function: &Function) -> SecondaryMap<VirtualRegister, Option<Loaded>> {
    let count = function.virtual_registers.len();
    let mut found: SecondaryMap<VirtualRegister, Option<Loaded>> =
        SecondaryMap::with_capacity(count);
    let mut is_excluded: SecondaryMap<VirtualRegister, bool> = SecondaryMap::with_capacity(count);
    let bound = OperandFlags::IN_FLIGHT | OperandFlags::AWAITED;
    for instruction in function.instructions.keys() {
        let load = loaded(function, instruction);
        for operand in function.instruction_operands(instruction) {
            let Some(value) = operand.virtual_register() else {
                continue;
            };
            let own_load = load.filter(|(loaded, _)| *loaded == value);
            match own_load.filter(|_| operand.is_definition()) {
                Some((_, source)) => match &found[value] {
                    Some(known) => is_excluded[value] |= known.source != source,
                    None => {
                        found[value] = Some(Loaded {
                            source,
                            elsewhere: None,
                        });
                    }
                },
                None => {
                    is_excluded[value] |= operand.is_definition()
                        || operand.tied_to.is_some()
                        || operand.flags.intersects(bound);
                }
            }
        }
    }
    for value in function.virtual_registers.keys() {
        if is_excluded[value] {
            found[value] = None;
        }
    }
    found
}

/// The walk over the function.
struct Search<'a> {
    function: &'a Function,
    machine: &'a Machine,
    colouring: &'a Colouring,
    /// Loads of what is in the register already, with the names of that.
    repeated: Vec<(Instruction, VirtualRegister, Names)>,
    only_loaded: SecondaryMap<VirtualRegister, Option<Loaded>>,
}

impl Search<'_> {
    fn visit(&mut self, instruction: Instruction, held: &Held) {
        if let Some((value, source)) = loaded(self.function, instruction)
            && let Some(register) = self.colouring.register(value)
            && let Some(same) = held.in_register(register, source)
            && self.are_of_one_class(value, &same.names)
        {
            self.repeated.push((instruction, value, same.names.clone()));
        }
        for operand in self.function.instruction_operands(instruction) {
            if let Some(value) = operand.virtual_register()
                && !operand.is_definition()
            {
                self.read(instruction, value, held);
            }
        }
    }

    /// The value has to be elsewhere here as well.
    fn read(&mut self, instruction: Instruction, value: VirtualRegister, held: &Held) {
        let Some(Loaded { source, elsewhere }) = &self.only_loaded[value] else {
            return;
        };
        let own = self.colouring.register(value);
        let before = |register| match elsewhere {
            Some(before) => before.iter().find(|one| one.register == register),
            None => None,
        };
        let suits = |one: &&Holding| {
            Some(one.register) != own
                && (elsewhere.is_none() || before(one.register).is_some())
                && self.are_of_one_class(value, &one.names)
                && !self.is_copied_in_place(instruction, value, *source)
                && !self.is_overwritten_early(instruction, one.register)
        };
        let now: Vec<Holding> = held
            .of(*source)
            .filter(suits)
            .map(|one| {
                let mut one = one.clone();
                if let Some(before) = before(one.register) {
                    one.names.extend_from_slice(&before.names);
                    one.names.sort_unstable();
                    one.names.dedup();
                }
                one
            })
            .collect();
        match now.is_empty() {
            true => self.only_loaded[value] = None,
            false => {
                if let Some(loaded) = &mut self.only_loaded[value] {
                    loaded.elsewhere = Some(now);
                }
            }
        }
    }

    /// One name can stand for all of these.
    fn are_of_one_class(&self, value: VirtualRegister, names: &[VirtualRegister]) -> bool {
        let class = |value| self.function.virtual_registers[value].class;
        names.iter().all(|&name| class(name) == class(value))
    }

    /// Whether the instruction is a copy that does nothing as long as the value is in its
    /// register, and would cost as much as what it saves elsewhere.
    fn is_copied_in_place(
        &self,
        instruction: Instruction,
        value: VirtualRegister,
        source: ReloadSource,
    ) -> bool {
        let copy = self.function.copy_operands(instruction);
        let is_memory = matches!(source, ReloadSource::Slot(_));
        copy.is_some_and(|(to, from)| {
            !is_memory
                && from.virtual_register() == Some(value)
                && self.colouring.makes_identity(self.machine, to, from)
        })
    }

    /// Whether an instruction may write a register before it has read all that it reads.
    fn is_overwritten_early(&self, instruction: Instruction, register: Register) -> bool {
        let data = &self.function.instructions[instruction];
        let is_one = !data
            .flags
            .intersects(InstructionFlags::INLINE_ASSEMBLY | InstructionFlags::CALL);
        let is_destroyed = |operand: &Operand| {
            let place = match operand.virtual_register() {
                Some(value) => self.colouring.register(value),
                None => operand.physical_register(),
            };
            operand.is_definition()
                && (!is_one || operand.is_early_clobber())
                && place.is_some_and(|place| self.machine.alias(place, register))
        };
        let operands = self.function.instruction_operands(instruction);
        let mask = data.clobbers;
        mask.is_some_and(|mask| !self.machine.preserves(mask, register))
            || operands.iter().any(is_destroyed)
    }

    /// What goes, none of which rests on something else that goes.
    fn decide(self) -> Found {
        let keys = self.function.virtual_registers.keys();
        let mut found = Found {
            loads: BTreeSet::new(),
            names: keys.collect(),
            moved: Vec::new(),
        };
        // What has to be where it is; what is elsewhere from now on.
        let mut stays: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
        let mut leaves: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
        for (instruction, value, names) in &self.repeated {
            trace!(%value, from = ?names.as_slice(), "loaded again");
            found.loads.insert(*instruction);
            found.join(*value, names);
            for &name in names.iter().chain([value]) {
                stays[name] = true;
            }
        }
        let mut gone: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
        for value in self.function.virtual_registers.keys() {
            let Some(Loaded {
                elsewhere: Some(elsewhere),
                ..
            }) = &self.only_loaded[value]
            else {
                continue;
            };
            let is_settled = |one: &&Holding| one.names.iter().all(|&name| !leaves[name]);
            let Some(place) = elsewhere.iter().find(is_settled).filter(|_| !stays[value]) else {
                continue;
            };
            let register = self.machine.register_name(place.register);
            trace!(%value, register, "read from where it still is");
            leaves[value] = true;
            gone[value] = true;
            for &name in &place.names {
                stays[name] = true;
            }
            found.join(value, &place.names);
            found.moved.push((value, place.register));
        }
        for instruction in self.function.instructions.keys() {
            if loaded(self.function, instruction).is_some_and(|(value, _)| gone[value]) {
                found.loads.insert(instruction);
            }
        }
        for value in self.function.virtual_registers.keys() {
            let name = found.find(value);
            found.names[value] = name;
        }
        found
    }
}
