//! Live ranges: for each value the program points at which it is live.
//!
//! Every instruction has two points: the early one, where it reads, and the late
//! one, where it writes; early clobbers are written at the early one. A range is a
//! sorted list of half-open segments of points. Two values that are live at one
//! point may not share a register, unless they are equal there: that is what the
//! definitions are for, each of which tells what it is a copy of. Source: the ptxas
//! document's live range infrastructure; Poletto and Sarkar 1999 for the
//! representation. Time: linear in operands and in what is live between blocks.

use super::liveness::{Liveness, Variable};
use super::program_point::ProgramPoint;
use crate::function::{Block, Function, Instruction, Operand, OperandFlags, VirtualRegister};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;
use std::cell::OnceCell;

/// Points `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The first point.
    pub start: ProgramPoint,
    /// The first point behind it.
    pub end: ProgramPoint,
}

#[cfg(test)]
impl Segment {
    /// Between points by their place in the order.
    pub fn between(start: u32, end: u32) -> Self {
        let (start, end) = (ProgramPoint::new(start), ProgramPoint::new(end));
        Self { start, end }
    }
}

/// Where a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The point at which it is written.
    pub point: ProgramPoint,
    /// The virtual register that it is a copy of, if the copy could be joined.
    pub copy_of: Option<VirtualRegister>,
}

/// The live ranges of one function.
pub struct LiveRanges<'a> {
    function: &'a Function,
    ranges: PrimaryMap<VirtualRegister, SmallVec<[Segment; 1]>>,
    /// Found when somebody asks first; most never do.
    definitions: OnceCell<Definitions>,
    points: ProgramPoint,
}

type Definitions = PrimaryMap<VirtualRegister, SmallVec<[Definition; 1]>>;

impl<'a> LiveRanges<'a> {
    /// Computes the ranges.
    pub fn new(function: &'a Function, liveness: &Liveness) -> Self {
        let count = function.virtual_registers.len();
        let mut ranges = Self {
            function,
            ranges: (0..count).map(|_| SmallVec::new()).collect(),
            definitions: OnceCell::new(),
            points: ProgramPoint::end_of_function(function),
        };
        let mut walk = Walk {
            end_of: SecondaryMap::new(),
            found: Vec::new(),
        };
        for block in function.blocks.keys() {
            walk.block(function, liveness, block);
            // Found from the end of the block to its start.
            for (value, segment) in walk.found.drain(..).rev() {
                ranges.extend(value, segment);
            }
        }
        ranges
    }

    /// Adds a segment that does not start before the last one.
    fn extend(&mut self, value: VirtualRegister, segment: Segment) {
        let range = &mut self.ranges[value];
        match range.last_mut() {
            Some(last) if segment.start <= last.end => {
                last.start = last.start.min(segment.start);
                last.end = last.end.max(segment.end);
            }
            _ if segment.start < segment.end => range.push(segment),
            _ => {}
        }
    }

    /// The segments of a value, ascending and apart from one another.
    pub fn segments(&self, value: VirtualRegister) -> &[Segment] {
        &self.ranges[value]
    }

    /// Where a value is written, ascending.
    pub fn definitions(&self, value: VirtualRegister) -> &[Definition] {
        let definitions = self.definitions.get_or_init(|| definitions(self.function));
        &definitions[value]
    }

    /// The number of points but for the last, where segments may end.
    pub fn points(&self) -> u32 {
        self.points.number()
    }
}

/// All points of a list of segments, in segments that do not touch.
pub fn union(mut segments: Vec<Segment>) -> Vec<Segment> {
    // Stable sorting merges sorted runs in linear time.
    segments.sort_by_key(|segment| segment.start);
    segments.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
    segments
}

fn definitions(function: &Function) -> Definitions {
    let values = function.virtual_registers.keys();
    let mut definitions: Definitions = values.map(|_| SmallVec::new()).collect();
    for instruction in function.instructions.keys() {
        let copy = function.joinable_copy(instruction);
        for operand in function.instruction_operands(instruction) {
            let Some(value) = operand.virtual_register() else {
                continue;
            };
            // What is in flight is as good as written: no equal value may be read from
            // the register.
            let is_in_flight = operand.flags.contains(OperandFlags::IN_FLIGHT);
            if operand.is_definition() || is_in_flight {
                definitions[value].push(Definition {
                    point: ProgramPoint::of_definition(instruction, operand),
                    copy_of: copy.map(|(_, from)| from).filter(|_| !is_in_flight),
                });
            }
        }
    }
    definitions
}

/// A backward walk through one block.
struct Walk {
    /// Where the segment of each live value ends.
    end_of: SecondaryMap<VirtualRegister, Option<ProgramPoint>>,
    found: Vec<(VirtualRegister, Segment)>,
}

impl Walk {
    fn block(&mut self, function: &Function, liveness: &Liveness, block: Block) {
        let data = &function.blocks[block];
        for value in liveness
            .live_out(block)
            .filter_map(Variable::virtual_register)
        {
            self.end_of[value] = Some(ProgramPoint::end_of(data));
        }
        for instruction in function.block_instructions(block).rev() {
            let operands = function.instruction_operands(instruction);
            for operand in operands.iter().filter(|operand| operand.is_definition()) {
                if let Some(value) = operand.virtual_register() {
                    let start = ProgramPoint::of_definition(instruction, operand);
                    self.close(value, start, ProgramPoint::behind(instruction));
                }
            }
            for operand in operands.iter().filter(|operand| !operand.is_definition()) {
                self.read(operand, instruction);
            }
            for operand in operands.iter().filter(|operand| operand.is_definition()) {
                if operand.reads() {
                    self.read(operand, instruction);
                }
            }
        }
        for value in liveness
            .live_in(block)
            .filter_map(Variable::virtual_register)
        {
            let start = ProgramPoint::start_of(data);
            self.close(value, start, start);
        }
    }

    /// The value is written here; if nothing reads it, it lives to `least`.
    fn close(&mut self, value: VirtualRegister, start: ProgramPoint, least: ProgramPoint) {
        let end = self.end_of[value].take().unwrap_or(least);
        self.found.push((value, Segment { start, end }));
    }

    fn read(&mut self, operand: &Operand, instruction: Instruction) {
        let Some(value) = operand.virtual_register() else {
            return;
        };
        if self.end_of[value].is_some() {
            return;
        }
        if operand.reads() {
            self.end_of[value] = Some(ProgramPoint::late(instruction));
        } else {
            // An undefined operand still needs a register that is its own where
            // the instruction writes early.
            let segment = Segment {
                start: ProgramPoint::early(instruction),
                end: ProgramPoint::late(instruction),
            };
            self.found.push((value, segment));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;
    use crate::machine::gpu;

    fn segments(list: &[(u32, u32)]) -> Vec<Segment> {
        let segment = |&(start, end): &(u32, u32)| Segment::between(start, end);
        list.iter().map(segment).collect()
    }

    #[test]
    fn a_union_has_all_points_once() {
        let both = segments(&[(1, 6), (9, 12), (20, 22)]);
        let touching = segments(&[(1, 4), (9, 12), (4, 6), (20, 22)]);
        assert_eq!(union(touching), both);
        let overlapping = segments(&[(2, 6), (20, 22), (1, 4), (9, 12)]);
        assert_eq!(union(overlapping), both);
        let inside = segments(&[(1, 4), (9, 12), (0, 30)]);
        assert_eq!(union(inside), segments(&[(0, 30)]));
    }

    fn values<const N: usize>(builder: &mut FunctionBuilder) -> [VirtualRegister; N] {
        std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32))
    }

    fn ranges(function: &Function) -> LiveRanges<'_> {
        let liveness = Liveness::new(function, &gpu::machine(8));
        LiveRanges::new(function, &liveness)
    }

    fn flagged(operand: Operand, flags: OperandFlags) -> Operand {
        Operand { flags, ..operand }
    }

    #[test]
    fn segments_go_from_writes_to_last_reads() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, dead, early, undefined] = values(&mut builder);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.plain(&[Operand::write(dead), Operand::read(a)]);
        let early_write = flagged(Operand::write(early), OperandFlags::EARLY_CLOBBER);
        builder.plain(&[early_write, Operand::write(b), Operand::read(a)]);
        builder.plain(&[Operand::write(a), Operand::read(early)]);
        builder.plain(&[
            Operand::read(a),
            Operand::read(b),
            flagged(Operand::read(undefined), OperandFlags::UNDEFINED),
        ]);
        let function = builder.finish();
        let ranges = ranges(&function);
        assert_eq!(ranges.points(), 10);
        // Read by instruction 2, written again by instruction 3.
        assert_eq!(ranges.segments(a), segments(&[(1, 5), (7, 9)]));
        assert_eq!(ranges.segments(b), segments(&[(5, 9)]));
        assert_eq!(ranges.segments(dead), segments(&[(3, 4)]));
        assert_eq!(ranges.segments(early), segments(&[(4, 7)]));
        assert_eq!(ranges.segments(undefined), segments(&[(8, 9)]));
    }

    #[test]
    fn what_is_live_around_a_loop_is_live_in_all_of_it() {
        let mut builder = FunctionBuilder::new("f");
        let [through, inside] = values(&mut builder);
        let entry = builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(through)]);
        let body = builder.start_block(8.0, 1, &[]);
        builder.plain(&[Operand::write(inside), Operand::read(through)]);
        builder.plain(&[Operand::read(inside)]);
        let exit = builder.start_block(1.0, 0, &[]);
        builder.plain(&[]);
        builder.edge(entry, body);
        builder.edge(body, body);
        builder.edge(body, exit);
        let function = builder.finish();
        let ranges = ranges(&function);
        // To the end of the loop, not beyond.
        assert_eq!(ranges.segments(through), segments(&[(1, 6)]));
        assert_eq!(ranges.segments(inside), segments(&[(3, 5)]));
    }

    #[test]
    fn definitions_know_what_they_copy() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = values(&mut builder);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        let early = flagged(Operand::write(b), OperandFlags::EARLY_CLOBBER);
        builder.plain(&[early, Operand::read(a)]);
        let function = builder.finish();
        let ranges = ranges(&function);
        let definition = |point, copy_of| Definition {
            point: ProgramPoint::new(point),
            copy_of,
        };
        assert_eq!(ranges.definitions(a), [definition(1, None)]);
        let of_b = [definition(3, Some(a)), definition(4, None)];
        assert_eq!(ranges.definitions(b), of_b);
    }
}
