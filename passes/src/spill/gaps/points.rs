//! The points at which a value only waits, and may be in memory.
//!
//! Linear in the parts, times the logarithm of the boundaries.

use super::{Access, AccessIndex, Boundary, Gap, Gaps, InsertionPoint, Part, PartIndex};
use crate::analysis::live_range::Segment;
use crate::analysis::program_point::ProgramPoint;
use crate::function::{Block, Function, Instruction};
use crate::spill::landing::leading_labels;
use cranelift_entity::PrimaryMap;

impl Gaps {
    /// For each part the points at which the value is only waiting: `start..end`.
    pub fn points(&self, function: &Function) -> PrimaryMap<PartIndex, Segment> {
        let mut loaded: Vec<(Gap, Block)> = Vec::new();
        for boundary in &self.boundaries {
            if let InsertionPoint::End(block) = boundary.place {
                loaded.push((boundary.from, block));
            }
        }
        loaded.sort_unstable();
        let points = self.gap_of.iter().map(|(part, &gap)| {
            let part = &self.parts[part];
            let is_loaded = loaded.binary_search(&(gap, part.block)).is_ok();
            part.points(function, &self.accesses, is_loaded)
        });
        points.collect()
    }

    /// For each boundary the points behind the place of its code, where that is the end of a
    /// block: the value only waits there if it is in memory on both sides.
    pub fn crossings<'a>(
        &'a self,
        function: &'a Function,
    ) -> impl Iterator<Item = (&'a Boundary, Segment)> {
        self.boundaries.iter().filter_map(|boundary| {
            let InsertionPoint::End(block) = boundary.place else {
                return None;
            };
            let data = &function.blocks[block];
            let start = ProgramPoint::early(Instruction::from_u32(data.first_terminator));
            let end = ProgramPoint::end_of(data).max(start);
            Some((boundary, Segment { start, end }))
        })
    }
}

impl Part {
    /// The points at which the value is only waiting. `is_loaded`: it may be loaded at
    /// the end of the block for the next one.
    fn points(
        &self,
        function: &Function,
        accesses: &PrimaryMap<AccessIndex, Access>,
        is_loaded: bool,
    ) -> Segment {
        let data = &function.blocks[self.block];
        let start = match self.after.map(|access| &accesses[access]) {
            Some(access) if access.instruction.as_u32() == data.first_terminator => {
                ProgramPoint::end_of(data)
            }
            // What is written occupies the point of the writing.
            Some(access) if access.writes => ProgramPoint::behind(access.instruction),
            Some(access) => ProgramPoint::late(access.instruction),
            None => {
                let labels = leading_labels(function, self.block);
                ProgramPoint::early(Instruction::from_u32(data.instructions.start + labels))
            }
        };
        let end = match self.before {
            Some(access) => ProgramPoint::early(accesses[access].instruction),
            None if is_loaded => ProgramPoint::early(Instruction::from_u32(data.first_terminator)),
            None => ProgramPoint::end_of(data),
        };
        let end = end.max(start);
        Segment { start, end }
    }
}
