//! Regions of a kernel in which its threads have other numbers of registers.
//!
//! `setmaxnreg` takes registers from one warp of a block and gives them to another, in the
//! middle of the kernel. From there on the budget is the number that it names, up to the
//! next one; where paths with different numbers meet, it is the lowest. So the function is
//! allocated within the largest of these budgets, and where there are fewer registers, the
//! others are taken: the `setmaxnreg`, or the block where paths meet, defines them, and the
//! region's end reads them. Bits of packed predicates have their register for the whole
//! kernel; there are none then. Time: the control flow graph a few times, and registers
//! times regions. Source: PTX ISA, `setmaxnreg`.

use super::extended::Added;
use crate::function::{
    Access, Block, Function, Instruction, Operand, OperandFlags, OperandRegister,
};
use crate::machine::{Machine, Register, gpu};
use cranelift_entity::SecondaryMap;

/// How many registers threads have in a function where that changes.
pub struct Regions {
    /// At the function's entry.
    first: u32,
    /// In the largest region.
    most: u32,
    at_entry: SecondaryMap<Block, u32>,
    at_exit: SecondaryMap<Block, u32>,
}

impl Regions {
    /// The regions of a function that begins with so many registers; none if nothing
    /// changes that.
    pub fn new(function: &Function, first: u32) -> Option<Self> {
        let changes = function.instructions.values();
        let most = changes.filter_map(|data| data.thread_registers).max()?;
        let mut regions = Self {
            first,
            most: first.max(u32::from(most)).min(gpu::R_SIZE),
            at_entry: SecondaryMap::with_default(u32::MAX),
            at_exit: SecondaryMap::with_default(u32::MAX),
        };
        regions.propagate(function);
        Some(regions)
    }

    /// Until nothing changes: what a block begins with is the lowest of what its
    /// predecessors end with.
    fn propagate(&mut self, function: &Function) {
        let mut changed = true;
        while changed {
            changed = false;
            for (block, data) in &function.blocks {
                let mut entry = data.predecessors.iter().map(|&one| self.at_exit[one]).min();
                if block == Block::from_u32(0) {
                    entry = Some(entry.map_or(self.first, |other| other.min(self.first)));
                }
                let Some(entry) = entry.filter(|&entry| entry != u32::MAX) else {
                    continue;
                };
                let last = last_change(function, block);
                let exit = last.map_or(entry, u32::from);
                changed |= (self.at_entry[block], self.at_exit[block]) != (entry, exit);
                self.at_entry[block] = entry;
                self.at_exit[block] = exit;
            }
        }
    }

    /// The registers of the largest region.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Takes what threads do not have: gives blocks live-in registers, and adds operands.
    pub fn take(&self, function: &mut Function, machine: &Machine, added: &mut Added) {
        let blocks: Vec<Block> = function.blocks.keys().collect();
        let begins = |block: &Block| self.begins_anew(function, *block);
        let first: Vec<Block> = blocks.iter().copied().filter(begins).collect();
        for &block in &blocks {
            let mut now = self.at_entry[block];
            let mut last = None;
            for instruction in function.block_instructions(block) {
                if let Some(next) = function.instructions[instruction].thread_registers {
                    let next = u32::from(next);
                    let operands = added.entry(instruction).or_default();
                    operands.extend(self.operands(machine, now, Access::Use));
                    operands.extend(self.operands(machine, next, Access::Definition));
                    now = next;
                }
                last = Some(instruction);
            }
            let successors = &function.blocks[block].successors;
            let ends = successors.is_empty() || successors.iter().any(|one| first.contains(one));
            if let Some(last) = last.filter(|_| ends) {
                let operands = added.entry(before_terminators(function, block, last));
                let operands = operands.or_default();
                operands.extend(self.operands(machine, now, Access::Use));
            }
        }
        for block in first {
            let missing = self.missing(machine, self.at_entry[block]);
            function.blocks[block].live_in.extend(missing);
        }
    }

    /// Whether what a block does not have is not what all of its predecessors lack.
    fn begins_anew(&self, function: &Function, block: Block) -> bool {
        let entry = self.at_entry[block];
        let mut predecessors = function.blocks[block].predecessors.iter();
        block == Block::from_u32(0) || predecessors.any(|&one| self.at_exit[one] != entry)
    }

    /// The registers of the largest region that are not there where there are so many.
    fn missing(&self, machine: &Machine, registers: u32) -> impl Iterator<Item = Register> {
        let all = &machine.classes[gpu::SINGLE32].order;
        let most = self.most as usize;
        let missing = (registers as usize).min(most)..most;
        let missing: Vec<Register> = all[missing].to_vec();
        missing.into_iter()
    }

    fn operands(
        &self,
        machine: &Machine,
        registers: u32,
        access: Access,
    ) -> impl Iterator<Item = Operand> {
        let missing = self.missing(machine, registers);
        missing.map(move |register| Operand {
            flags: OperandFlags::IMPLICIT,
            ..Operand::new(OperandRegister::Physical(register), access)
        })
    }
}

/// What a block's last change makes of the number of registers.
fn last_change(function: &Function, block: Block) -> Option<u16> {
    let instructions = function.block_instructions(block).rev();
    let mut changes = instructions.map(|one| function.instructions[one].thread_registers);
    changes.find_map(|change| change)
}

/// The last instruction in front of a block's terminators, or else its last one: which way
/// a branch goes is not to depend on registers that are taken. A change itself reads before
/// it defines.
fn before_terminators(function: &Function, block: Block, last: Instruction) -> Instruction {
    let data = &function.blocks[block];
    let found = match data.first_terminator > data.instructions.start {
        true => Instruction::from_u32(data.first_terminator - 1),
        false => last,
    };
    match function.instructions[found].thread_registers {
        Some(_) => last,
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use super::super::extended::{with_operands, without_operands};
    use super::*;
    use crate::allocation::Allocation;
    use crate::function::text::parse;
    use crate::search::allocate;
    use crate::settings::Settings;
    use crate::verify::verify;

    /// Values that live through all of a function whose threads have as many registers as
    /// each block says.
    fn function(values: u32, blocks: &[(&str, Option<u32>)]) -> (Machine, Function) {
        let names = (0..values).map(|number| format!("v{number}:B32"));
        let names = names.collect::<Vec<_>>().join(", ");
        let mut text = format!("machine gpu limit=255\nfunction f kernel\nvalues {names}\n");
        for (number, (to, registers)) in blocks.iter().enumerate() {
            text += &format!("block b{number} {to}\n");
            for value in (0..values).filter(|_| number == 0) {
                text += &format!("  v{value} = op\n");
            }
            if let Some(registers) = registers {
                text += &format!("  op.convergent(registers{registers})\n");
            }
            text += "  op\n";
            for value in (0..values).filter(|_| to.is_empty()) {
                text += &format!("  op v{value}\n");
            }
            text += "  terminator\n";
        }
        parse(&text).expect("it is well-formed")
    }

    fn settings(limit: u32) -> Settings {
        Settings {
            pressure_limit: Some(limit),
            verify: true,
            ..Settings::default()
        }
    }

    fn allocated(values: u32, limit: u32, blocks: &[(&str, Option<u32>)]) -> Allocation {
        let (machine, function) = function(values, blocks);
        allocate(&function, &machine, &settings(limit)).expect("it fits")
    }

    /// The same, allocated as if nothing changed, and checked with what is taken.
    fn is_wrong_without_regions(values: u32, limit: u32, blocks: &[(&str, Option<u32>)]) -> bool {
        let (machine, function) = function(values, blocks);
        let mut unchanged = function.clone();
        for data in unchanged.instructions.values_mut() {
            data.thread_registers = None;
        }
        let most = settings(255);
        let careless = allocate(&unchanged, &machine, &most).expect("it fits");
        let regions = Regions::new(&function, limit).expect("it changes");
        let mut extended = function.clone();
        let mut added = Added::new();
        regions.take(&mut extended, &machine, &mut added);
        let extended = with_operands(&extended, &added);
        let careless = without_operands(&unchanged, &unchanged, careless);
        verify(&extended, &machine, &careless).is_err()
    }

    #[test]
    fn a_region_has_the_registers_that_it_is_given() {
        let more = [("to=b1", None), ("to=b2", Some(60)), ("", None)];
        assert_eq!(allocated(40, 50, &more).statistics.spilled, 0);
        // What is live at the beginning has to fit there as well.
        assert!(allocated(40, 30, &more).statistics.spilled > 0);
        assert!(is_wrong_without_regions(40, 30, &more));
        assert!(!is_wrong_without_regions(40, 50, &more));
    }

    #[test]
    fn it_keeps_to_fewer_than_the_rest() {
        let less = [("to=b1", None), ("to=b2", Some(24)), ("", Some(60))];
        assert!(allocated(40, 60, &less).statistics.spilled > 0);
        assert!(is_wrong_without_regions(40, 60, &less));
        let last = [("to=b1", None), ("", Some(24))];
        assert!(allocated(40, 60, &last).statistics.spilled > 0);
        assert!(is_wrong_without_regions(40, 60, &last));
    }

    #[test]
    fn where_paths_meet_the_lowest_number_holds() {
        let paths = [
            ("to=b1,b2", None),
            ("to=b3", Some(24)),
            ("to=b3", Some(60)),
            ("", None),
        ];
        let (_, function) = function(20, &paths);
        let regions = Regions::new(&function, 40).expect("it changes");
        let block = Block::from_u32;
        assert_eq!(
            [0, 1, 2, 3].map(|one| regions.at_entry[block(one)]),
            [40, 40, 40, 24]
        );
        assert_eq!(
            [0, 1, 2, 3].map(|one| regions.at_exit[block(one)]),
            [40, 24, 60, 24]
        );
        assert_eq!(allocated(20, 40, &paths).statistics.spilled, 0);
        assert!(allocated(30, 40, &paths).statistics.spilled > 0);
    }

    #[test]
    fn a_loop_changes_what_it_begins_with() {
        let paths = [("to=b1", None), ("to=b1,b2", Some(32)), ("", None)];
        assert!(allocated(36, 60, &paths).statistics.spilled > 0);
        assert_eq!(allocated(20, 60, &paths).statistics.spilled, 0);
    }
}
