//! Early reloads: within its block a reload moves up, to hide its latency.
//!
//! A reload stands right before what reads the value. Where its register is free before
//! that, or another one of the class that the function uses anyway, the reload moves up, at
//! most so far as it takes to hide its latency at one instruction a cycle. Reloads that wait
//! for nothing but their turn come to stand together, and can be one instruction. It passes no store to its slot, nothing that reads or writes its register, no
//! call, no inline assembly, nothing that synchronises threads or has to do with operations
//! that go on in the background, and no label. Reloads that follow each other stay together,
//! in their own registers, as one instruction may do several of them.
//!
//! Requires a complete colouring. Ensures another one that uses no register more, and as many
//! executions of each instruction. Time: for each block with a reload, its instructions times
//! what is live, and for each reload the registers of its class times [`DISTANCE`]. Source:
//! placement of reloads in the *cicc lazy reload* document, phase 4; latencies from the same;
//! a list scheduler's view of a load (Gibbons and Muchnick 1986), after allocation.

use super::arrange::{arrange, layout};
use crate::allocation::Position;
use crate::analysis::live_set::{LiveSet, RegisterPools};
use crate::analysis::liveness::Liveness;
use crate::assign::colouring::Colouring;
use crate::function::asynchronous::Asynchronous;
use crate::function::{
    Block, Function, Instruction, InstructionFlags, InstructionKind, Operand, OperandFlags,
    OperandRegister, Slot, VirtualRegister,
};
use crate::machine::{Machine, Register, Unit, UnitSet};
use crate::spill::provenance::Origin;
use crate::spill::work::Work;
use cranelift_entity::SecondaryMap;
use std::collections::BTreeMap;
use tracing::trace;

/// So many instructions hide a load that finds its data in the third cache, of which the
/// document says 40 cycles.
const DISTANCE: u32 = 40;

/// Moves reloads up.
pub fn move_up(work: &mut Work, machine: &Machine, colouring: &mut Colouring) {
    let mut moved: BTreeMap<Instruction, Instruction> = BTreeMap::new();
    {
        let function = &work.function;
        let liveness = Liveness::new(function, machine);
        let pools = RegisterPools::new(machine);
        let mut live = LiveSet::new(function, machine, &pools);
        let mut mover = Mover {
            function,
            machine,
            used: used(function, machine, colouring),
            single: single_loads(function),
            colouring,
            first: 0,
            taken: Vec::new(),
        };
        for block in function.blocks.keys() {
            let reloads = |one: Instruction| reloaded(function, one).is_some();
            if function.block_instructions(block).any(reloads) {
                live.start(block, &liveness);
                mover.look_at(block, &mut live);
                mover.block(block, &mut moved);
            }
        }
    }
    if moved.is_empty() {
        return;
    }
    let mut layout = layout(work);
    for instructions in layout.values_mut() {
        let mut arriving: BTreeMap<Instruction, Vec<Instruction>> = BTreeMap::new();
        for (one, _) in instructions.iter() {
            if let Some(&before) = moved.get(one) {
                arriving.entry(before).or_default().push(*one);
            }
        }
        if arriving.is_empty() {
            continue;
        }
        let old = std::mem::take(instructions);
        for (instruction, origin) in old {
            let at = match origin {
                Origin::Original(original) => Position::Before(original),
                Origin::Inserted(at) => at,
            };
            let arriving = arriving.remove(&instruction).unwrap_or_default();
            instructions.extend(arriving.into_iter().map(|one| (one, Origin::Inserted(at))));
            if !moved.contains_key(&instruction) {
                instructions.push((instruction, origin));
            }
        }
    }
    arrange(work, &layout, |value| value);
}

/// What an instruction reloads, and from where, if it does.
fn reloaded(function: &Function, instruction: Instruction) -> Option<(VirtualRegister, Slot)> {
    let InstructionKind::Reload(slot) = function.instructions[instruction].kind else {
        return None;
    };
    let operand = function.instruction_operands(instruction).first()?;
    Some((operand.virtual_register()?, slot))
}

/// The units that values are in.
fn used(function: &Function, machine: &Machine, colouring: &Colouring) -> UnitSet {
    let mut used = UnitSet::new(machine.table.unit_count);
    for operand in function.operands.values() {
        let register = operand
            .virtual_register()
            .and_then(|one| colouring.register(one));
        for &unit in register.map_or(&[][..], |register| machine.units(register)) {
            used.insert(unit);
        }
    }
    used
}

/// The values that one instruction writes, and the others read in any register: for each of
/// them the last of those, in layout order.
fn single_loads(function: &Function) -> SecondaryMap<VirtualRegister, Option<Instruction>> {
    let mut last: SecondaryMap<VirtualRegister, Option<Instruction>> = SecondaryMap::new();
    let mut writes: SecondaryMap<VirtualRegister, u32> = SecondaryMap::new();
    let bound = OperandFlags::IN_FLIGHT | OperandFlags::AWAITED;
    let mut is_bound: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    for instruction in function.instructions.keys() {
        let is_copy = function.copy_operands(instruction).is_some();
        let is_in_tuple = !function.instruction_tuples(instruction).is_empty();
        for operand in function.instruction_operands(instruction) {
            if let Some(value) = operand.virtual_register() {
                last[value] = Some(instruction);
                writes[value] += u32::from(operand.is_definition());
                is_bound[value] |= is_copy
                    || is_in_tuple
                    || operand.tied_to.is_some()
                    || operand.flags.intersects(bound);
            }
        }
    }
    for value in function.virtual_registers.keys() {
        if writes[value] != 1 || is_bound[value] {
            last[value] = None;
        }
    }
    last
}

/// What moves reloads of one block after the other.
struct Mover<'a> {
    function: &'a Function,
    machine: &'a Machine,
    colouring: &'a mut Colouring,
    used: UnitSet,
    single: SecondaryMap<VirtualRegister, Option<Instruction>>,
    /// The first instruction of the block.
    first: u32,
    /// For each of its instructions the units that are live before or behind it, or written.
    taken: Vec<UnitSet>,
}

impl Mover<'_> {
    /// Finds what is taken where.
    fn look_at(&mut self, block: Block, live: &mut LiveSet) {
        let instructions = self.function.blocks[block].instructions.clone();
        self.first = instructions.start;
        let none = UnitSet::new(self.machine.table.unit_count);
        self.taken = vec![none; instructions.len()];
        let (machine, colouring) = (self.machine, &*self.colouring);
        let add_live = |taken: &mut UnitSet, live: &LiveSet| {
            taken.union(&live.units);
            let registers = live.iter().filter_map(|value| colouring.register(value));
            for &unit in registers.flat_map(|register| machine.units(register)) {
                taken.insert(unit);
            }
        };
        for instruction in self.function.block_instructions(block).rev() {
            let taken = &mut self.taken[(instruction.as_u32() - instructions.start) as usize];
            add_live(taken, live);
            for operand in self.function.instruction_operands(instruction) {
                for &unit in units(machine, colouring, operand) {
                    taken.insert(unit);
                }
            }
            live.step(instruction);
            add_live(taken, live);
        }
    }

    fn taken(&mut self, instruction: u32) -> &mut UnitSet {
        &mut self.taken[(instruction - self.first) as usize]
    }

    /// Moves the reloads of a block: for each, what it is to stand before.
    fn block(&mut self, block: Block, moved: &mut BTreeMap<Instruction, Instruction>) {
        let end = self.function.blocks[block].instructions.end;
        let mut begin = self.first;
        while begin < end {
            let run: Vec<_> = (begin..end)
                .map_while(|one| reloaded(self.function, Instruction::from_u32(one)))
                .collect();
            if run.is_empty() {
                begin += 1;
                continue;
            }
            let own: Option<Vec<Register>> = run
                .iter()
                .map(|&(value, _)| self.colouring.register(value))
                .collect();
            let Some(mut registers) = own else { break };
            let mut place = self.highest(begin, &run, &registers);
            if let [(value, _)] = run[..]
                && let Some((higher, register)) = self.elsewhere(begin, value, &run, place)
            {
                (place, registers[0]) = (higher, register);
                self.colouring.set(value, Some(register));
                let last = self.single[value].map_or(begin, Instruction::as_u32);
                for number in begin..=last {
                    self.take(number, register);
                }
            }
            let count = run.len() as u32;
            if place < begin {
                for (number, ((value, slot), register)) in (begin..).zip(run.iter().zip(registers))
                {
                    let distance = begin - place;
                    let register_name = self.machine.register_name(register);
                    trace!(%value, %slot, register_name, distance, "reloaded early");
                    moved.insert(Instruction::from_u32(number), Instruction::from_u32(place));
                    for passed in place..begin {
                        self.take(passed, register);
                    }
                }
            }
            begin += count;
        }
    }

    fn take(&mut self, instruction: u32, register: Register) {
        let machine = self.machine;
        for &unit in machine.units(register) {
            self.taken(instruction).insert(unit);
        }
    }

    /// How far up reloads can stand that do so now before this instruction.
    fn highest(&self, begin: u32, run: &[(VirtualRegister, Slot)], registers: &[Register]) -> u32 {
        let least = begin.saturating_sub(DISTANCE).max(self.first);
        let mut place = begin;
        while place > least && self.can_pass(place - 1, run, registers) {
            place -= 1;
        }
        place
    }

    fn can_pass(
        &self,
        instruction: u32,
        run: &[(VirtualRegister, Slot)],
        registers: &[Register],
    ) -> bool {
        let taken = &self.taken[(instruction - self.first) as usize];
        let instruction = Instruction::from_u32(instruction);
        let data = &self.function.instructions[instruction];
        let obstacles = InstructionFlags::CALL
            | InstructionFlags::CONVERGENT
            | InstructionFlags::INLINE_ASSEMBLY
            | InstructionFlags::LEAVES
            | InstructionFlags::LABEL
            | InstructionFlags::TERMINATOR;
        let is_obstacle = data.flags.intersects(obstacles)
            || data.clobbers.is_some()
            || Asynchronous::new(data.flags) != Asynchronous::default();
        let operands = self.function.instruction_operands(instruction);
        let is_written = |slot: Slot| {
            data.kind == InstructionKind::Store(slot)
                || operands.iter().any(|one| one.slot() == Some(slot))
        };
        let is_taken = |&register: &Register| taken.contains_any(self.machine.units(register));
        !is_obstacle
            && !run.iter().any(|&(_, slot)| is_written(slot))
            && !registers.iter().any(is_taken)
    }

    /// Another register in which the value can be reloaded earlier than at `place`, if it is
    /// read in this block only, and where.
    fn elsewhere(
        &self,
        begin: u32,
        value: VirtualRegister,
        run: &[(VirtualRegister, Slot)],
        place: u32,
    ) -> Option<(u32, Register)> {
        let last = self.single[value]?.as_u32();
        let in_block = last >= begin && ((last - self.first) as usize) < self.taken.len();
        if !in_block || place + DISTANCE == begin {
            return None;
        }
        let class = self.function.virtual_registers[value].class;
        let is_free = |register: &Register| {
            let units = self.machine.units(*register);
            units.iter().all(|&unit| self.used.contains(unit))
                && (begin..=last).all(|one| {
                    let taken = &self.taken[(one - self.first) as usize];
                    !taken.contains_any(units)
                })
        };
        let order = self.machine.classes[class].order.iter().copied();
        let places = order
            .filter(is_free)
            .map(|register| (self.highest(begin, run, &[register]), register));
        // The first of the best.
        places
            .min_by_key(|&(place, _)| place)
            .filter(|&(other, _)| other < place)
    }
}

/// The units that an operand names.
fn units<'a>(machine: &'a Machine, colouring: &Colouring, operand: &Operand) -> &'a [Unit] {
    let register = match operand.register {
        OperandRegister::Virtual(value) => colouring.register(value),
        OperandRegister::Physical(register) => Some(register),
        OperandRegister::Slot(_) => None,
    };
    register.map_or(&[], |register| machine.units(register))
}
