//! Register demand: at each program point, how many registers of a file are needed
//! beyond those that are there.
//!
//! Needed is what the live ranges of groups take together; there is what a value may
//! have, less the registers that are live by themselves and, behind a call, those that
//! it destroys. Alignment is left out: a file that is full to the last register may
//! still have no even pair. Points are those of [`super::live_range`]. Time: for each
//! file, linear in instructions and segments, and in the file's columns wherever a
//! physical register is live.

use super::live_range::{LiveRanges, Segment};
use super::live_units::LiveUnits;
use super::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::function::{Function, Instruction};
use crate::machine::{Class, ClobberMask, File, Machine, Register, Unit, UnitSet};
use cranelift_entity::{EntitySet, SecondaryMap};
use smallvec::SmallVec;
use std::ops::Range;

/// The demand for each register file.
pub struct Demand {
    /// How many columns of each file a value of a class takes.
    widths: SecondaryMap<Class, SecondaryMap<File, u32>>,
    /// By point: columns needed, less the columns there.
    excess: SecondaryMap<File, Vec<i32>>,
}

impl Demand {
    /// Measures the demand of some groups, each with its root's class and the segments
    /// of all its members.
    pub fn new<'a>(
        function: &Function,
        machine: &Machine,
        liveness: &Liveness,
        groups: impl Iterator<Item = (Class, &'a [Segment])>,
    ) -> Self {
        let mut demand = Self {
            widths: widths(machine),
            excess: SecondaryMap::new(),
        };
        for file in machine.files.keys() {
            // One more, for segments that end at the function's end.
            demand.excess[file] = vec![0; ProgramPoint::end_of_function(function).index() + 1];
        }
        for (class, segments) in groups {
            for file in machine.files.keys() {
                let width = demand.width(class, file) as i32;
                if width > 0 {
                    let steps = &mut demand.excess[file];
                    for segment in segments {
                        steps[segment.start.index()] += width;
                        steps[segment.end.index()] -= width;
                    }
                }
            }
        }
        for file in machine.files.keys() {
            let mut needed = 0;
            for step in &mut demand.excess[file] {
                needed += *step;
                *step = needed;
            }
        }
        demand.subtract_what_is_there(function, machine, liveness);
        demand
    }

    /// Measures the demand of all values, each by itself.
    pub fn of_values(
        function: &Function,
        machine: &Machine,
        liveness: &Liveness,
        ranges: &LiveRanges,
    ) -> Self {
        let values = function.virtual_registers.iter();
        let groups = values.map(|(value, data)| (data.class, ranges.segments(value)));
        Self::new(function, machine, liveness, groups)
    }

    /// The same for a function of which nothing but the liveness is known yet.
    pub fn of_function(function: &Function, machine: &Machine, liveness: &Liveness) -> Self {
        let ranges = LiveRanges::new(function, liveness);
        Self::of_values(function, machine, liveness, &ranges)
    }

    /// How many columns of a file a value of a class takes.
    pub fn width(&self, class: Class, file: File) -> u32 {
        self.widths[class][file]
    }

    /// For each point the columns of a file that are missing, or, negative, left.
    pub fn excess(&self, file: File) -> &[i32] {
        &self.excess[file]
    }

    /// The columns of a file that are missing at its fullest point, or, negative, left there;
    /// none if there is no point.
    pub fn most_excess(&self, function: &Function, file: File) -> Option<i32> {
        // The point behind the last instruction has no registers to count.
        let points = ProgramPoint::end_of_function(function).index();
        self.excess(file)[..points].iter().max().copied()
    }

    fn subtract_what_is_there(
        &mut self,
        function: &Function,
        machine: &Machine,
        liveness: &Liveness,
    ) {
        let files: Vec<Columns> = machine
            .files
            .keys()
            .map(|file| Columns::new(machine, file))
            .collect();
        let mut live = LiveUnits::new(function, machine);
        for block in function.blocks.keys() {
            live.start(block, liveness);
            let all = |live: &LiveUnits| -> SmallVec<[i32; 4]> {
                files.iter().map(|file| file.there(live, None)).collect()
            };
            let mut there = all(&live);
            let mut subtract = |points: Range<usize>, there: &[i32]| {
                for (columns, there) in files.iter().zip(there) {
                    let excess = &mut self.excess[columns.file][points.clone()];
                    excess.iter_mut().for_each(|one| *one -= there);
                }
            };
            let instructions = function.blocks[block].instructions.clone();
            let point = |number| ProgramPoint::early(Instruction::from_u32(number)).index();
            // Behind it everything is subtracted.
            let mut end = point(instructions.end);
            for instruction in function.block_instructions(block).rev() {
                let late = ProgramPoint::late(instruction).index();
                if let Some(mask) = function.instructions[instruction].clobbers {
                    subtract(late + 1..end, &there);
                    let preserved = files.iter().map(|file| file.there(&live, Some(mask)));
                    subtract(late..late + 1, &preserved.collect::<SmallVec<[i32; 4]>>());
                    end = late;
                }
                if live.step(instruction) {
                    subtract(late..end, &there);
                    there = all(&live);
                    end = late;
                }
            }
            subtract(point(instructions.start)..end, &there);
        }
    }
}

/// How many columns of each file a value of each class takes.
pub fn widths(machine: &Machine) -> SecondaryMap<Class, SecondaryMap<File, u32>> {
    let mut widths: SecondaryMap<Class, SecondaryMap<File, u32>> = SecondaryMap::new();
    for class in machine.classes.keys() {
        for file in machine.files.keys() {
            widths[class][file] = machine.class_columns(file, class);
        }
    }
    widths
}

/// What of one file may be allocated.
struct Columns {
    file: File,
    /// How many there are.
    count: u32,
    /// A unit of each.
    units: UnitSet,
    preserved: SecondaryMap<ClobberMask, i32>,
}

impl Columns {
    fn new(machine: &Machine, file: File) -> Self {
        let orders = machine.classes.values().flat_map(|data| &data.order);
        // The first unit of each column, and the columns of each register, in one list.
        let mut first: Vec<Option<Unit>> = Vec::new();
        let mut covered = Vec::new();
        let mut seen: EntitySet<Register> = EntitySet::new();
        for &register in orders {
            if !seen.insert(register) {
                continue;
            }
            for (column, unit) in machine.columns(file, register) {
                let column = usize::from(column);
                covered.push((register, column));
                first.resize(first.len().max(column + 1), None);
                first[column] = Some(first[column].map_or(unit, |other| other.min(unit)));
            }
        }
        let mut units = UnitSet::new(machine.table.unit_count);
        first.iter().flatten().for_each(|&unit| units.insert(unit));
        let mut preserved = SecondaryMap::new();
        for mask in machine.clobber_masks.keys() {
            let mut is_there = vec![false; first.len()];
            for &(register, column) in &covered {
                is_there[column] |= machine.preserves(mask, register);
            }
            preserved[mask] = is_there.iter().filter(|&&one| one).count() as i32;
        }
        Self {
            file,
            count: first.iter().flatten().count() as u32,
            units,
            preserved,
        }
    }

    /// The columns there for values that live on behind what destroys others.
    fn there(&self, live: &LiveUnits, mask: Option<ClobberMask>) -> i32 {
        let preserved = mask.map_or(i32::MAX, |mask| self.preserved[mask]);
        let taken = self.units.count_common(live.units());
        preserved.min((self.count - taken) as i32)
    }
}

/// MaxLive: how many registers of a file the function needs at its fullest point.
pub fn most_live(function: &Function, machine: &Machine, file: File) -> u32 {
    most_live_of(function, machine, [file])[file]
}

/// MaxLive of some files. Those of others are zero.
pub fn most_live_of(
    function: &Function,
    machine: &Machine,
    files: impl IntoIterator<Item = File>,
) -> SecondaryMap<File, u32> {
    let liveness = Liveness::new(function, machine);
    let demand = Demand::of_function(function, machine, &liveness);
    let mut most = SecondaryMap::new();
    for file in files {
        most[file] = demand.most_excess(function, file).map_or(0, |excess| {
            machine.files[file].size.saturating_add_signed(excess)
        });
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    fn demand(function: &Function, machine: &Machine) -> Demand {
        Demand::of_function(function, machine, &Liveness::new(function, machine))
    }

    fn file(machine: &Machine, name: &str) -> File {
        let mut files = machine.files.iter();
        files.find(|(_, data)| data.name == name).expect("a file").0
    }

    #[test]
    fn a_pair_takes_two_of_its_file_and_none_of_others() {
        let machine = gpu::machine(4);
        let mut builder = FunctionBuilder::new("f");
        let pair = builder.virtual_register(gpu::PAIR);
        let single = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(pair)]);
        builder.plain(&[Operand::write(single)]);
        builder.plain(&[Operand::read(single), Operand::read(pair)]);
        let demand = demand(&builder.finish(), &machine);
        let (r, p) = (file(&machine, "R"), file(&machine, "P"));
        assert_eq!(demand.width(gpu::PAIR, r), 2);
        assert_eq!(demand.width(gpu::PAIR, p), 0);
        assert_eq!(demand.excess(r)[..6], [-4, -2, -2, -1, -1, -4]);
        assert_eq!(demand.excess(p)[..6], [-7; 6]);
    }
}
