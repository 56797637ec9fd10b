//! Early reloads: a reload moves up, to hide its latency.
//!
//! A reload stands right before what reads the value. Where its register is free before
//! that, or another one of the class that the function uses anyway, the reload moves up, at
//! most so far as it takes to hide its latency at one instruction a cycle: within its block,
//! and from its start to the end of the dominator and up from there ([`super::ways`]), if
//! it can pass all that is between. Reloads that wait for nothing but their turn come to
//! stand together, and can be one instruction. It passes no store to its slot, nothing that
//! reads or writes its register, no call, no inline assembly, nothing that synchronises
//! threads or has to do with operations that go on in the background, and no label. Reloads
//! that follow each other stay together, in their own registers, as one instruction may do
//! several of them.
//!
//! Requires a complete colouring. Ensures another one that uses no register more, and as many
//! executions of each instruction. Time: for each block with a reload and each that one
//! passes, its instructions times what is live, and for each reload the registers of its
//! class times [`DISTANCE`]. Source: placement of reloads in the *cicc lazy reload* document,
//! phase 4; latencies from the same; a list scheduler's view of a load (Gibbons and Muchnick
//! 1986), after allocation.

use super::arrange::{arrange, layout};
use super::taken::Taken;
use super::ways::{Way, Ways};
use crate::allocation::Position;
use crate::assign::colouring::Colouring;
use crate::function::asynchronous::Asynchronous;
use crate::function::{
    Block, Function, Instruction, InstructionFlags, InstructionKind, OperandFlags, Slot,
    VirtualRegister,
};
use crate::machine::{Machine, Register, UnitSet};
use crate::spill::provenance::Origin;
use crate::spill::work::Work;
use cranelift_entity::SecondaryMap;
use std::collections::BTreeMap;
use std::ops::Range;
use tracing::trace;

/// So many instructions hide a load that finds its data in the third cache, of which the
/// document says 40 cycles.
const DISTANCE: u32 = 40;

/// Moves reloads up.
pub fn move_up(work: &mut Work, machine: &Machine, colouring: &mut Colouring) {
    let mut instructions = work.function.instructions.keys();
    if !instructions.any(|one| reloaded(&work.function, one).is_some()) {
        return;
    }
    let mut moved: BTreeMap<Instruction, Instruction> = BTreeMap::new();
    {
        let function = &work.function;
        let mut mover = Mover {
            function,
            machine,
            used: used(function, machine, colouring),
            single: single_loads(function),
            taken: Taken::new(function, machine),
            ways: Ways::new(function),
            colouring,
        };
        for block in function.blocks.keys() {
            let reloads = |one: Instruction| reloaded(function, one).is_some();
            if function.block_instructions(block).any(reloads) {
                mover.block(block, &mut moved);
            }
        }
    }
    if moved.is_empty() {
        return;
    }
    let mut layout = layout(work);
    let mut arriving: BTreeMap<Instruction, Vec<Instruction>> = BTreeMap::new();
    for (&one, &before) in &moved {
        arriving.entry(before).or_default().push(one);
    }
    for instructions in layout.values_mut() {
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
pub(super) fn used(function: &Function, machine: &Machine, colouring: &Colouring) -> UnitSet {
    let mut used = UnitSet::new(machine.table.unit_count);
    for operand in function.operands.values() {
        let register = operand
            .virtual_register()
            .and_then(|one| colouring.register(one));
        if let Some(register) = register {
            used.add(machine.unit_words(register));
        }
    }
    used
}

/// The values that one instruction writes, and the others read in any register: for each of
/// them the first and the last that name it, in layout order. (Blocks need not stand in the
/// order in which they run: the first may be a read.)
pub(super) fn single_loads(
    function: &Function,
) -> SecondaryMap<VirtualRegister, Option<(Instruction, Instruction)>> {
    let mut named: SecondaryMap<VirtualRegister, Option<(Instruction, Instruction)>> =
        SecondaryMap::new();
    let mut writes: SecondaryMap<VirtualRegister, u32> = SecondaryMap::new();
    let bound = OperandFlags::IN_FLIGHT | OperandFlags::AWAITED;
    let mut is_bound: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    for instruction in function.instructions.keys() {
        let is_copy = function.copy_operands(instruction).is_some();
        let is_in_tuple = !function.instruction_tuples(instruction).is_empty();
        for operand in function.instruction_operands(instruction) {
            if let Some(value) = operand.virtual_register() {
                let first = named[value].map_or(instruction, |(first, _)| first);
                named[value] = Some((first, instruction));
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
            named[value] = None;
        }
    }
    named
}

/// What stands together, with the registers that it is loaded into.
type Run<'a> = (&'a [(VirtualRegister, Slot)], &'a [Register]);

/// Where reloads can stand.
struct Place {
    /// In this block.
    block: Block,
    /// Before this instruction.
    before: u32,
    /// So many instructions before where they stand now.
    distance: u32,
    /// The blocks between here and there.
    crossed: Vec<Block>,
}

/// What moves reloads of one block after the other.
struct Mover<'a> {
    function: &'a Function,
    machine: &'a Machine,
    colouring: &'a mut Colouring,
    used: UnitSet,
    single: SecondaryMap<VirtualRegister, Option<(Instruction, Instruction)>>,
    taken: Taken<'a>,
    ways: Ways<'a>,
}

impl Mover<'_> {
    /// Moves the reloads of a block: for each, what it is to stand before.
    fn block(&mut self, block: Block, moved: &mut BTreeMap<Instruction, Instruction>) {
        let Range { start, end } = self.function.blocks[block].instructions;
        let mut begin = start;
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
            let mut place = self.climb(block, begin, (&run, &registers));
            if let [(value, _)] = run[..]
                && let Some((higher, register)) = self.elsewhere(block, begin, &run, &place)
            {
                (place, registers[0]) = (higher, register);
                self.colouring.set(value, Some(register));
                let last = self.single[value].map_or(begin, |(_, last)| last.as_u32());
                self.taken.take(block, begin..last + 1, register);
            }
            let count = run.len() as u32;
            if place.distance > 0 {
                for (number, ((value, slot), register)) in (begin..).zip(run.iter().zip(registers))
                {
                    let distance = place.distance;
                    let register_name = self.machine.register_name(register);
                    trace!(%value, %slot, register_name, distance, "reloaded early");
                    let before = Instruction::from_u32(place.before);
                    moved.insert(Instruction::from_u32(number), before);
                    self.take(block, begin, &place, register);
                }
            }
            begin += count;
        }
    }

    /// Takes a register on all ways from a place to an instruction.
    fn take(&mut self, block: Block, begin: u32, place: &Place, register: Register) {
        let blocks = &self.function.blocks;
        if place.block == block {
            self.taken.take(block, place.before..begin, register);
            return;
        }
        let start = blocks[block].instructions.start;
        self.taken.take(block, start..begin, register);
        for &crossed in &place.crossed {
            let all = blocks[crossed].instructions.clone();
            self.taken.take(crossed, all, register);
        }
        let end = blocks[place.block].instructions.end;
        self.taken.take(place.block, place.before..end, register);
    }

    /// How far up reloads can stand that do so now before this instruction.
    fn climb(&mut self, block: Block, begin: u32, run: Run) -> Place {
        self.taken.look_at(block, self.colouring);
        let here = Place {
            block,
            before: begin,
            distance: 0,
            crossed: Vec::new(),
        };
        let mut place = self.up(here, run);
        while place.before == self.function.blocks[place.block].instructions.start {
            let way = self.ways.to(place.block);
            let higher = way.and_then(|way| self.cross(&place, block, &way, run));
            let Some(higher) = higher else { break };
            place = higher;
        }
        place
    }

    /// From a place up, within its block.
    fn up(&self, mut place: Place, run: Run) -> Place {
        let start = self.function.blocks[place.block].instructions.start;
        while place.distance < DISTANCE
            && place.before > start
            && self.can_pass(place.block, place.before - 1, run, false)
        {
            place.before -= 1;
            place.distance += 1;
        }
        place
    }

    /// From the start of a block up into its dominator, if nothing is in the way.
    fn cross(&mut self, place: &Place, origin: Block, way: &Way, run: Run) -> Option<Place> {
        let blocks = &self.function.blocks;
        let mut distance = place.distance;
        for &block in &way.between {
            distance += blocks[block].instructions.len() as u32;
            if distance > DISTANCE {
                return None;
            }
            self.taken.look_at(block, self.colouring);
            let mut instructions = blocks[block].instructions.clone();
            if !instructions.all(|one| self.can_pass(block, one, run, true)) {
                return None;
            }
        }
        let above = &blocks[way.above];
        let mut terminators = above.first_terminator..above.instructions.end;
        distance += terminators.len() as u32;
        self.taken.look_at(way.above, self.colouring);
        let passes = terminators.all(|one| self.can_pass(way.above, one, run, true));
        if distance > DISTANCE || !passes {
            return None;
        }
        let mut crossed = place.crossed.clone();
        crossed.extend(Some(place.block).filter(|&block| block != origin));
        crossed.extend_from_slice(&way.between);
        let bottom = Place {
            block: way.above,
            before: above.first_terminator,
            distance,
            crossed,
        };
        // Edits stand before instructions: in a block without terminators at least one has
        // to be passed.
        Some(self.up(bottom, run)).filter(|top| top.before < above.instructions.end)
    }

    fn can_pass(
        &self,
        block: Block,
        number: u32,
        (run, registers): Run,
        terminators: bool,
    ) -> bool {
        let instruction = Instruction::from_u32(number);
        let data = &self.function.instructions[instruction];
        let mut obstacles = InstructionFlags::CALL
            | InstructionFlags::CONVERGENT
            | InstructionFlags::INLINE_ASSEMBLY
            | InstructionFlags::LEAVES
            | InstructionFlags::LABEL;
        obstacles.set(InstructionFlags::TERMINATOR, !terminators);
        let is_obstacle = data.flags.intersects(obstacles)
            || data.clobbers.is_some()
            || Asynchronous::new(data.flags) != Asynchronous::default();
        let operands = self.function.instruction_operands(instruction);
        let is_written = |slot: Slot| {
            data.kind == InstructionKind::Store(slot)
                || operands.iter().any(|one| one.slot() == Some(slot))
        };
        let is_taken = |&register: &Register| self.taken.is_taken(block, number, register);
        !is_obstacle
            && !run.iter().any(|&(_, slot)| is_written(slot))
            && !registers.iter().any(is_taken)
    }

    /// Another register in which the value can be reloaded earlier than at `best`, if it is
    /// read in this block only, and where.
    fn elsewhere(
        &mut self,
        block: Block,
        begin: u32,
        run: &[(VirtualRegister, Slot)],
        best: &Place,
    ) -> Option<(Place, Register)> {
        let (value, _) = run[0];
        let (first, last) = self.single[value]?;
        let (first, last) = (first.as_u32(), last.as_u32());
        let end = self.function.blocks[block].instructions.end;
        if first != begin || last >= end || best.distance == DISTANCE {
            return None;
        }
        let class = self.function.virtual_registers[value].class;
        let mut found: Option<(Place, Register)> = None;
        for &register in &self.machine.classes[class].order {
            let is_used = |&unit| self.used.contains(unit);
            let is_free = self.machine.units(register).iter().all(is_used)
                && (begin..=last).all(|one| !self.taken.is_taken(block, one, register));
            if !is_free {
                continue;
            }
            let place = self.climb(block, begin, (run, &[register]));
            let least = found
                .as_ref()
                .map_or(best.distance, |(found, _)| found.distance);
            // The first of the best.
            if place.distance > least {
                found = Some((place, register));
            }
        }
        found
    }
}
