//! Where registers are taken: at which program points each unit is occupied, by values
//! that have their registers, by physical operands, or by calls that destroy it.
//!
//! Points are those of [`super::live_range`]. Time: linear in instructions, live units
//! and segments, but for sorting.

use crate::analysis::live_range::{Segment, union};
use crate::analysis::live_set::RegisterPools;
use crate::analysis::live_units::LiveUnits;
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::function::{Block, Function, Instruction, Operand};
use crate::machine::{ClobberMask, Machine, Register, Unit};
use cranelift_entity::SecondaryMap;

/// The points at which units are taken.
pub struct UnitOccupancy<'a> {
    machine: &'a Machine,
    /// Sorted, once [`UnitOccupancy::settle`] is called.
    by_unit: SecondaryMap<Unit, Vec<Segment>>,
    /// Calls and the like, ascending.
    clobbers: Vec<(ProgramPoint, ClobberMask)>,
}

impl<'a> UnitOccupancy<'a> {
    /// What the function's physical operands and calls take.
    pub fn new(
        function: &Function,
        machine: &'a Machine,
        pools: &RegisterPools,
        liveness: &Liveness,
    ) -> Self {
        let mut occupancy = Self {
            machine,
            by_unit: SecondaryMap::new(),
            clobbers: Vec::new(),
        };
        let mut live = LiveUnits::new(function, machine);
        for block in function.blocks.keys() {
            occupancy.add_entry(function, block);
            live.start(block, liveness);
            for instruction in function.block_instructions(block).rev() {
                occupancy.add_definitions(function, instruction);
                occupancy.add_live(&live, pools, ProgramPoint::late(instruction));
                live.step(instruction);
                occupancy.add_live(&live, pools, ProgramPoint::early(instruction));
            }
        }
        occupancy.clobbers.sort_unstable();
        occupancy.settle();
        occupancy
    }

    fn add_entry(&mut self, function: &Function, block: Block) {
        let data = &function.blocks[block];
        let point = ProgramPoint::start_of(data);
        for &register in &data.live_in {
            self.add(register, &[segment(point)]);
        }
        self.clobbers
            .extend(data.clobbers.map(|mask| (point, mask)));
    }

    fn add_definitions(&mut self, function: &Function, instruction: Instruction) {
        let operands = function.instruction_operands(instruction);
        let clobbers = function.instructions[instruction].clobbers;
        // What is read and needed behind the call has ended by then.
        let point = match operands.iter().any(Operand::is_live_through) {
            true => ProgramPoint::early(instruction),
            false => ProgramPoint::late(instruction),
        };
        self.clobbers.extend(clobbers.map(|mask| (point, mask)));
        for operand in operands.iter().filter(|operand| operand.is_definition()) {
            if let Some(register) = operand.physical_register() {
                let start = ProgramPoint::of_definition(instruction, operand);
                let end = ProgramPoint::behind(instruction);
                self.add(register, &[Segment { start, end }]);
            }
        }
    }

    fn add_live(&mut self, live: &LiveUnits, pools: &RegisterPools, point: ProgramPoint) {
        if !live.units().intersects(pools.units()) {
            return;
        }
        for unit in live.units().iter() {
            let segments = &mut self.by_unit[unit];
            match segments.last_mut() {
                // Blocks are walked backward.
                Some(last) if last.start == point.next() => last.start = point,
                _ => segments.push(segment(point)),
            }
        }
    }

    /// A register is taken there as well.
    pub fn add(&mut self, register: Register, segments: &[Segment]) {
        for &unit in self.machine.units(register) {
            self.by_unit[unit].extend_from_slice(segments);
        }
    }

    /// Sorts what was added.
    pub fn settle(&mut self) {
        for segments in self.by_unit.values_mut() {
            *segments = union(std::mem::take(segments));
        }
    }

    /// Sorts what was added to one register.
    pub fn settle_register(&mut self, register: Register) {
        for &unit in self.machine.units(register) {
            let segments = &mut self.by_unit[unit];
            *segments = union(std::mem::take(segments));
        }
    }

    /// How many calls and the like there are.
    pub fn clobber_count(&self) -> usize {
        self.clobbers.len()
    }

    /// Whether a register is free at all points of a segment.
    pub fn is_free(&self, register: Register, segment: Segment) -> bool {
        let Segment { start, end } = segment;
        let free = |&unit: &Unit| {
            let segments = &self.by_unit[unit];
            let next = segments.partition_point(|segment| segment.end <= start);
            segments.get(next).is_none_or(|next| next.start >= end)
        };
        let first = self.clobbers.partition_point(|&(point, _)| point < start);
        let mut clobbers = self.clobbers[first..].iter();
        self.machine.units(register).iter().all(free)
            && clobbers
                .by_ref()
                .take_while(|&&(point, _)| point < end)
                .all(|&(_, mask)| self.machine.preserves(mask, register))
    }
}

fn segment(point: ProgramPoint) -> Segment {
    let (start, end) = (point, point.next());
    Segment { start, end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{
        Access, FunctionBuilder, InstructionFlags, InstructionKind, OperandRegister,
    };
    use crate::machine::gpu;
    use fixedbitset::FixedBitSet;

    #[test]
    fn physical_operands_and_calls_take_registers() {
        let mut machine = gpu::machine(8);
        let mut preserved = FixedBitSet::with_capacity(machine.table.registers.len());
        let register = |number: usize| machine.classes[gpu::SINGLE32].order[number];
        let [fixed, kept, other] = [0, 1, 2].map(register);
        preserved.set(kept.as_u32() as usize, true);
        let mask = machine.clobber_masks.push(preserved);
        let physical = |access| Operand::new(OperandRegister::Physical(fixed), access);
        let mut builder = FunctionBuilder::new("f");
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[]);
        builder.plain(&[physical(Access::Definition)]);
        builder.plain(&[]);
        builder.plain(&[physical(Access::Use)]);
        let flags = InstructionFlags::CALL;
        builder.push(InstructionKind::Plain, flags, &[], Some(mask));
        let function = builder.finish();
        let liveness = Liveness::new(&function, &machine);
        let pools = RegisterPools::new(&machine);
        let mut occupancy = UnitOccupancy::new(&function, &machine, &pools, &liveness);
        assert!(occupancy.is_free(fixed, Segment::between(0, 3)));
        assert!(!occupancy.is_free(fixed, Segment::between(0, 4)));
        assert!(!occupancy.is_free(fixed, Segment::between(6, 7)));
        assert!(occupancy.is_free(fixed, Segment::between(7, 9)));
        assert!(!occupancy.is_free(fixed, Segment::between(7, 10)));
        assert!(occupancy.is_free(kept, Segment::between(0, 10)));
        assert!(occupancy.is_free(other, Segment::between(0, 9)));
        occupancy.add(other, &[Segment::between(5, 6)]);
        occupancy.settle_register(other);
        assert!(!occupancy.is_free(other, Segment::between(0, 9)));
        assert!(occupancy.is_free(other, Segment::between(6, 9)));
    }
}
