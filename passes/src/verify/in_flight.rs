//! Registers in flight: what is accessed while an operation still has it.
//!
//! The rules are PTX's, and about registers, so this follows units, not values, and shares
//! nothing with the analysis that the allocator goes by. From an instruction that starts
//! an operation to a wait that covers it on every path, the units of its operands are in
//! flight: inserted code may not read or write them, and an instruction may only as far as
//! the program itself says so, by naming the value that is in flight. Multiplications may
//! go on with the same accumulators, and read the same fragments; what is only read by a
//! store to tensor memory others may read as well. Between a fence and a multiplication
//! nothing may write the units of its operands but what the program itself writes them
//! with. The program may break the rules on its own account: that is not the allocation's
//! fault. Source: PTX ISA, `wgmma.mma_async`, `wgmma.fence`, `tcgen05.wait`. Time: for each
//! block the units in flight, times the groups that may be pending.

use super::fault::{Fault, Site, Spot};
use super::plan::{CodeKind, OperandLocation, Plan};
use crate::function::asynchronous::{Asynchronous, MOST_PENDING, Operation};
use crate::function::{Block, Instruction, Operand, OperandFlags, VirtualRegister};
use crate::machine::{Register, Unit};
use cranelift_entity::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// Looks for accesses to registers in flight.
///
/// # Errors
/// The first one found, in program order.
pub(super) fn check(plan: &Plan) -> Result<(), Fault> {
    let mut instructions = plan.function.instructions.values();
    if instructions.all(|data| Asynchronous::new(data.flags) == Asynchronous::default()) {
        return Ok(());
    }
    let at_start = at_block_starts(plan);
    for block in plan.function.blocks.keys() {
        if let Some(state) = &at_start[block] {
            let mut walk = Walk {
                plan,
                state: state.clone(),
                fault: None,
            };
            walk.block(block);
            walk.fault.map_or(Ok(()), Err)?;
        }
    }
    Ok(())
}

/// What is in flight in a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flight {
    /// Groups of multiplications closed since, at least.
    groups: u8,
    /// The operation writes the unit.
    is_written: bool,
    /// The value that was given to the operation, and copies that are the same register.
    names: BTreeSet<VirtualRegister>,
}

/// Who has written a unit: the program, as a value, or inserted code.
type Writers = BTreeSet<Option<VirtualRegister>>;

/// What is known at a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    in_flight: BTreeMap<(Unit, Operation), Flight>,
    /// Who has written units since the last fence; none where a path leads here without
    /// one.
    written: Option<BTreeMap<Unit, Writers>>,
}

impl State {
    /// Adds what is known on another path; says whether that changes anything.
    fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (key, flight) in &other.in_flight {
            let known = self.in_flight.entry(*key).or_insert_with(|| flight.clone());
            known.groups = known.groups.min(flight.groups);
            known.is_written |= flight.is_written;
            known.names.extend(&flight.names);
        }
        self.written = match (self.written.take(), &other.written) {
            (Some(mut written), Some(others)) => {
                for (&unit, writers) in others {
                    written.entry(unit).or_default().extend(writers);
                }
                Some(written)
            }
            _ => None,
        };
        *self != before
    }
}

fn at_block_starts(plan: &Plan) -> SecondaryMap<Block, Option<State>> {
    let mut at_start: SecondaryMap<Block, Option<State>> = SecondaryMap::new();
    let mut waiting = BTreeSet::new();
    if let Some(entry) = plan.function.blocks.keys().next() {
        at_start[entry] = Some(State::default());
        waiting.insert(entry);
    }
    while let Some(block) = waiting.pop_first() {
        let mut walk = Walk {
            plan,
            state: at_start[block].clone().unwrap_or_default(),
            fault: None,
        };
        walk.block(block);
        for &successor in &plan.function.blocks[block].successors {
            let changed = match &mut at_start[successor] {
                Some(known) => known.join(&walk.state),
                unknown => {
                    *unknown = Some(walk.state.clone());
                    true
                }
            };
            if changed {
                waiting.insert(successor);
            }
        }
    }
    at_start
}

/// A way through a block.
struct Walk<'a> {
    plan: &'a Plan<'a>,
    state: State,
    /// The first fault. It counts only once all is known at the start of the block.
    fault: Option<Fault>,
}

impl Walk<'_> {
    fn block(&mut self, block: Block) {
        let (function, code) = (self.plan.function, &self.plan.code);
        let start = u64::from(function.blocks[block].instructions.start) * 2;
        let mut next = code.partition_point(|code| code.at < start);
        for instruction in function.block_instructions(block) {
            let before = u64::from(instruction.as_u32()) * 2;
            for (last, spot) in [(before, Spot::Before), (before + 1, Spot::After)] {
                let site = Site {
                    instruction,
                    block,
                    spot,
                };
                if spot == Spot::After {
                    self.instruction(block, instruction);
                }
                while let Some(code) = code.get(next).filter(|code| code.at <= last) {
                    self.inserted(site, code.kind);
                    next += 1;
                }
            }
        }
    }

    fn inserted(&mut self, site: Site, kind: CodeKind) {
        let (written, read) = match kind {
            CodeKind::Store { from, .. } => (None, vec![from]),
            CodeKind::Reload { to, .. } => (Some(to), Vec::new()),
            CodeKind::Rematerialise { to, sources, .. } => {
                let sources = sources.iter().flatten();
                (Some(to), sources.map(|&(_, register)| register).collect())
            }
            CodeKind::Widen { from, to }
            | CodeKind::Narrow { from, to }
            | CodeKind::Move { from, to } => (Some(to), vec![from]),
        };
        for register in read {
            self.access(site, register, None, false);
        }
        if let Some(register) = written {
            self.access(site, register, None, true);
            self.write(register, None);
        }
    }

    fn instruction(&mut self, block: Block, instruction: Instruction) {
        let plan = self.plan;
        let number = instruction.as_u32() as usize;
        if plan.dropped[number] {
            return;
        }
        let operands = plan.function.instruction_operands(instruction);
        let places = plan.places(instruction);
        if plan.deleted[number] {
            return self.rename(places);
        }
        let does = Asynchronous::new(plan.function.instructions[instruction].flags);
        let all = || {
            (0..)
                .zip(operands.iter().zip(places))
                .filter(|(_, (operand, place))| {
                    !operand.flags.contains(OperandFlags::AWAITED) && place.memory.is_none()
                })
        };
        for (number, (operand, place)) in all() {
            let site = Site {
                instruction,
                block,
                spot: Spot::Operand(number),
            };
            match does.operation(operand) {
                Some(Operation::Multiply) => self.multiply(site, operands, operand, place),
                _ if operand.is_definition() || operand.reads_source() => {
                    let value = place.value.expand();
                    self.access(site, place.part, value, operand.is_definition());
                }
                _ => {}
            }
        }
        if does.fences {
            self.state.written = Some(BTreeMap::new());
        }
        for (_, (operand, place)) in all() {
            let operation = does.operation(operand);
            if operand.is_definition() && operation != Some(Operation::Multiply) {
                self.write(place.part, place.value.expand());
            }
            if let (Some(operation), Some(value)) = (operation, place.value.expand()) {
                let is_written = operation == Operation::Load
                    || operation == Operation::Multiply && is_accumulator(operands, operand);
                self.start(place.part, operation, value, is_written);
            }
        }
        if let [to, from, ..] = places
            && plan.is_copy(instruction)
            && to.part == from.part
        {
            self.rename(places);
        }
        self.go_on(does);
    }

    /// A copy that does nothing: its register has one more name.
    fn rename(&mut self, places: &[OperandLocation]) {
        let [to, from, ..] = places else { return };
        let (Some(new), Some(old)) = (to.value.expand(), from.value.expand()) else {
            return;
        };
        for &unit in self.plan.machine.units(to.part) {
            for operation in [Operation::Multiply, Operation::Load, Operation::Store] {
                if let Some(flight) = self.state.in_flight.get_mut(&(unit, operation))
                    && flight.names.contains(&old)
                {
                    flight.names.insert(new);
                }
            }
        }
        self.write(to.part, Some(new));
    }

    /// Closes groups, and waits.
    fn go_on(&mut self, does: Asynchronous) {
        if does.commits {
            for ((_, operation), flight) in &mut self.state.in_flight {
                if *operation == Operation::Multiply && flight.groups <= MOST_PENDING {
                    flight.groups += 1;
                }
            }
        }
        self.state
            .in_flight
            .retain(|&(_, operation), flight| match operation {
                Operation::Multiply => does.waits_multiply.is_none_or(|left| flight.groups <= left),
                Operation::Load => !does.waits_load,
                Operation::Store => !does.waits_store,
            });
    }

    fn start(
        &mut self,
        register: Register,
        operation: Operation,
        value: VirtualRegister,
        is_written: bool,
    ) {
        for &unit in self.plan.machine.units(register) {
            let flight = self.state.in_flight.entry((unit, operation));
            let flight = flight.or_insert_with(|| Flight {
                groups: 0,
                is_written: false,
                names: BTreeSet::new(),
            });
            flight.groups = 0;
            flight.is_written |= is_written;
            flight.names.insert(value);
        }
    }

    fn write(&mut self, register: Register, writer: Option<VirtualRegister>) {
        if let Some(written) = &mut self.state.written {
            for &unit in self.plan.machine.units(register) {
                written.insert(unit, BTreeSet::from([writer]));
            }
        }
    }

    /// An ordinary access; the value is the one that the program names.
    fn access(
        &mut self,
        site: Site,
        register: Register,
        value: Option<VirtualRegister>,
        writes: bool,
    ) {
        for &unit in self.plan.machine.units(register) {
            for operation in [Operation::Multiply, Operation::Load, Operation::Store] {
                let Some(flight) = self.state.in_flight.get(&(unit, operation)) else {
                    continue;
                };
                let is_own = value.is_some_and(|value| flight.names.contains(&value));
                if !is_own && (writes || operation != Operation::Store) {
                    let names = flight.names.clone();
                    self.report(site, register, &names, writes);
                }
            }
        }
    }

    /// An operand that a multiplication takes: one of its accumulators or fragments.
    fn multiply(
        &mut self,
        site: Site,
        operands: &[Operand],
        operand: &Operand,
        place: &OperandLocation,
    ) {
        let value = place.value.expand();
        let writes = is_accumulator(operands, operand);
        for &unit in self.plan.machine.units(place.part) {
            if let Some(flight) = self.state.in_flight.get(&(unit, Operation::Multiply)) {
                let is_own = value.is_some_and(|value| flight.names.contains(&value));
                if !is_own && flight.is_written != writes {
                    let names = flight.names.clone();
                    self.report(site, place.part, &names, writes);
                }
            }
            let written = self.state.written.as_ref();
            let writers = written.and_then(|written| written.get(&unit));
            if let (Some(writers), Some(value)) = (writers, value)
                && writers.iter().any(|&writer| writer != Some(value))
            {
                let register = self.plan.machine.register_name(place.part).to_owned();
                let fault = Fault::WrittenBehindFence {
                    site,
                    value,
                    register,
                };
                self.fault.get_or_insert(fault);
            }
        }
        for operation in [Operation::Load, Operation::Store] {
            self.access_of(site, place, operation, writes);
        }
    }

    /// The access of a multiplication to what another operation has in flight.
    fn access_of(
        &mut self,
        site: Site,
        place: &OperandLocation,
        operation: Operation,
        writes: bool,
    ) {
        let value = place.value.expand();
        for &unit in self.plan.machine.units(place.part) {
            let flight = self.state.in_flight.get(&(unit, operation));
            let is_others = |flight: &&Flight| {
                let is_own = value.is_some_and(|value| flight.names.contains(&value));
                !is_own && (writes || operation != Operation::Store)
            };
            if let Some(flight) = flight.filter(is_others) {
                let names = flight.names.clone();
                self.report(site, place.part, &names, writes);
            }
        }
    }

    fn report(
        &mut self,
        site: Site,
        register: Register,
        names: &BTreeSet<VirtualRegister>,
        writes: bool,
    ) {
        if let Some(&value) = names.first() {
            let register = self.plan.machine.register_name(register).to_owned();
            self.fault.get_or_insert(Fault::InFlight {
                site,
                value,
                register,
                writes,
            });
        }
    }
}

/// Whether an operand of a multiplication is a register that it writes.
fn is_accumulator(operands: &[Operand], operand: &Operand) -> bool {
    operands
        .iter()
        .any(|other| other.is_definition() && other.register == operand.register)
}
