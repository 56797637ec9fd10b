//! Where most registers are live at once, in the caller's function.
//!
//! Before spilling: what the program asks for, not what is left of it. What stays out of
//! the files looked at does not count: values in a GPU's uniform registers, and what is
//! rematerialised wherever it is read. Program points are merged by what the caller calls
//! a place, such as a line of source. A place where registers are missing goes before one
//! that is merely full. Time: that of liveness, and for each place found the values.

use crate::allocation::{Allocation, Location};
use crate::analysis::demand::Demand;
use crate::analysis::live_range::LiveRanges;
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::function::{Function, Instruction, VirtualRegister};
use crate::machine::{File, Machine};
use cranelift_entity::SecondaryMap;
use std::collections::BTreeMap;

/// A place with the fullest of its program points.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak<P> {
    /// The place.
    pub place: P,
    /// The instruction at that point.
    pub instruction: Instruction,
    /// The register file.
    pub file: File,
    /// Registers of it that values take there.
    pub live: u32,
    /// Registers of it that values could have there: behind a call, those that it keeps.
    pub available: u32,
    /// The values, in order of number, with the registers that each takes.
    pub values: Vec<(VirtualRegister, u32)>,
}

/// A point of a place.
#[derive(Clone, Copy)]
struct Point {
    file: File,
    point: ProgramPoint,
    /// Registers missing, then registers live; by these points are compared.
    fullness: (i32, i32),
    frequency: f64,
}

/// The fullest places, at most so many; of equal ones that which runs more often, then
/// the lower. On a GPU only the R file counts. The machine is the one within its budget.
pub fn peaks<P: Ord + Copy>(
    function: &Function,
    machine: &Machine,
    allocation: &Allocation,
    count: usize,
    place_of: impl Fn(Instruction) -> Option<P>,
) -> Vec<Peak<P>> {
    let files = match machine.limited_file() {
        Some(file) => vec![file],
        None => machine.files.keys().collect(),
    };
    let liveness = Liveness::new(function, machine);
    let ranges = LiveRanges::new(function, &liveness);
    let values = function.virtual_registers.keys();
    let counted: Vec<_> = values
        .filter(|&value| counts(function, machine, &files, allocation, value))
        .collect();
    let class = |value| function.virtual_registers[value].class;
    let groups = counted.iter();
    let groups = groups.map(|&value| (class(value), ranges.segments(value)));
    let demand = Demand::new(function, machine, &liveness, groups);
    let is_live = |value, point| {
        let segments = ranges.segments(value);
        let next = segments.partition_point(|segment| segment.start <= point);
        next > 0 && segments[next - 1].end > point
    };

    let mut live = SecondaryMap::new();
    for &file in &files {
        live[file] = live_columns(function, &demand, &ranges, &counted, file);
    }
    let mut fullest: BTreeMap<P, Point> = BTreeMap::new();
    for data in function.blocks.values() {
        for instruction in data.instructions.clone().map(Instruction::from_u32) {
            let Some(place) = place_of(instruction) else {
                continue;
            };
            let late = ProgramPoint::late(instruction);
            for point in [ProgramPoint::early(instruction), late] {
                for &file in &files {
                    let point = Point {
                        file,
                        point,
                        fullness: fullness(&demand, &live[file], file, point),
                        frequency: data.frequency,
                    };
                    let known = fullest.entry(place).or_insert(point);
                    if point.is_fuller(known) {
                        *known = point;
                    }
                }
            }
        }
    }
    let mut places: Vec<_> = fullest.into_iter().collect();
    places.retain(|(_, point)| point.fullness.1 > 0);
    places.sort_by(|(_, a), (_, b)| {
        let by_frequency = || b.frequency.total_cmp(&a.frequency);
        b.fullness.cmp(&a.fullness).then_with(by_frequency)
    });
    places.truncate(count);
    let peak = |(place, point): (P, Point)| {
        let live = live[point.file][point.point.index()];
        let excess = demand.excess(point.file)[point.point.index()];
        let values = counted.iter().copied();
        let width = |value| demand.width(class(value), point.file);
        Peak {
            place,
            instruction: point.point.instruction(),
            file: point.file,
            live: live as u32,
            available: (live - excess).max(0) as u32,
            values: values
                .filter(|&value| width(value) > 0 && is_live(value, point.point))
                .map(|value| (value, width(value)))
                .collect(),
        }
    };
    places.into_iter().map(peak).collect()
}

impl Point {
    fn is_fuller(&self, other: &Self) -> bool {
        let by_frequency = || self.frequency.total_cmp(&other.frequency);
        self.fullness
            .cmp(&other.fullness)
            .then_with(by_frequency)
            .is_gt()
    }
}

fn fullness(demand: &Demand, live: &[i32], file: File, point: ProgramPoint) -> (i32, i32) {
    let excess = demand.excess(file)[point.index()];
    (excess.max(0), live[point.index()])
}

/// Registers of a file that values take, at each point.
fn live_columns(
    function: &Function,
    demand: &Demand,
    ranges: &LiveRanges,
    counted: &[VirtualRegister],
    file: File,
) -> Vec<i32> {
    let mut steps = vec![0; ranges.points() as usize + 1];
    for &value in counted {
        let width = demand.width(function.virtual_registers[value].class, file) as i32;
        for segment in ranges.segments(value) {
            steps[segment.start.index()] += width;
            steps[segment.end.index()] -= width;
        }
    }
    let mut live = 0;
    for step in &mut steps {
        live += *step;
        *step = live;
    }
    steps
}

/// Whether a value takes registers of the files of its class.
fn counts(
    function: &Function,
    machine: &Machine,
    files: &[File],
    allocation: &Allocation,
    value: VirtualRegister,
) -> bool {
    let class = function.virtual_registers[value].class;
    let own = files
        .iter()
        .copied()
        .filter(|&file| machine.class_columns(file, class) > 0);
    let mut own = own.peekable();
    own.peek().is_some()
        && match allocation.locations[value] {
            Location::None => false,
            Location::Slot(_) => true,
            Location::Register(location) => {
                own.any(|file| !machine.columns(file, location).is_empty())
            }
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocate;
    use crate::budget;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;
    use crate::settings::Settings;

    /// Four values and a pair; place 0 has one value, 1 four, 2 all.
    fn function() -> (Function, [u32; 9]) {
        let mut builder = FunctionBuilder::new("f");
        let values = [(); 4].map(|()| builder.virtual_register(gpu::SINGLE32));
        let pair = builder.virtual_register(gpu::PAIR);
        builder.start_block(1.0, 0, &[]);
        for value in values {
            builder.plain(&[Operand::write(value)]);
        }
        builder.plain(&[Operand::write(pair)]);
        builder.plain(&[Operand::read(pair)]);
        for value in &values[1..] {
            builder.plain(&[Operand::read(*value)]);
        }
        builder.plain(&[Operand::read(values[0])]);
        (builder.finish(), [0, 1, 1, 1, 2, 2, 1, 1, 1])
    }

    fn found(limit: u32, count: usize) -> Vec<Peak<u32>> {
        let (function, places) = function();
        let machine = gpu::machine(gpu::R_SIZE);
        let settings = Settings {
            pressure_limit: Some(limit),
            ..Settings::default()
        };
        let allocation = allocate(&function, &machine, &settings).expect("fits");
        let machine = budget::restrict_to_asked(&machine, &settings);
        let place_of = |one: Instruction| places.get(one.as_u32() as usize).copied();
        peaks(&function, &machine, &allocation, count, place_of)
    }

    #[test]
    fn the_fullest_come_first_with_what_is_live() {
        for limit in [255, 4] {
            let found = found(limit, 2);
            let places: Vec<_> = found.iter().map(|one| (one.place, one.live)).collect();
            assert_eq!(places, [(2, 6), (1, 4)], "{limit}");
            let numbers: Vec<_> = found[0].values.iter().map(|one| one.0.as_u32()).collect();
            assert_eq!(numbers, [0, 1, 2, 3, 4]);
            assert_eq!(found[0].values[4].1, 2);
            assert_eq!(found[0].available, limit);
            assert_eq!(found[0].instruction.as_u32(), 4);
        }
        assert_eq!(found(255, 9).len(), 3);
    }

    #[test]
    fn what_has_no_place_is_left_out() {
        let (function, _) = function();
        let machine = gpu::machine(gpu::R_SIZE);
        let allocation = allocate(&function, &machine, &Settings::default()).expect("fits");
        let only = |one: Instruction| (one.as_u32() == 1).then_some(());
        let found = peaks(&function, &machine, &allocation, 3, only);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].live, 2);
        assert_eq!(
            peaks(&function, &machine, &allocation, 3, |_| None::<()>),
            []
        );
    }

    #[test]
    fn what_is_elsewhere_does_not_count() {
        let (function, places) = function();
        let machine = gpu::machine(gpu::R_SIZE);
        let mut allocation = allocate(&function, &machine, &Settings::default()).expect("fits");
        let [first, second] = [0, 1].map(VirtualRegister::from_u32);
        allocation.locations[first] = Location::None;
        allocation.locations[second] = Location::Register(machine.classes[gpu::UNIFORM].order[0]);
        let place_of = |one: Instruction| places.get(one.as_u32() as usize).copied();
        let found = peaks(&function, &machine, &allocation, 1, place_of);
        assert_eq!((found[0].place, found[0].live), (2, 4));
    }
}
