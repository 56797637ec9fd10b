//! Lines and variables of the source, as far as debug information knows them.

use crate::numbers::Numbers;
use passes::function::{Function, Instruction, VirtualRegister};
use passes::schedule::Order;
use std::collections::BTreeMap;

/// A place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceLine {
    /// The file's name as debug information has it.
    pub file: String,
    /// The line; 0 where it is not known.
    pub line: u32,
    /// The location where the code was inlined, which has a lower number.
    pub inlined_at: Option<usize>,
}

/// What a virtual register holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The variable's name.
    pub name: String,
    /// The first bit and the number of bits, if it is a part of the variable.
    pub fragment: Option<(u32, u32)>,
}

/// Debug information of one function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DebugInformation {
    /// All places.
    pub locations: Vec<SourceLine>,
    /// The place of each instruction.
    pub of_instruction: Vec<Option<usize>>,
    /// What each virtual register holds.
    pub variables: Vec<Option<Variable>>,
    /// Virtual registers with one address in different forms: the generic one, and that
    /// within an address space.
    pub conversions: Vec<(VirtualRegister, VirtualRegister)>,
    /// What LLVM calls the virtual registers.
    pub numbers: Numbers,
    /// The function was allocated before, and now once more with spill code in it.
    pub is_again: bool,
}

impl Variable {
    /// The first byte of the variable that is there, if it is a part that begins with a
    /// byte.
    pub fn first_byte(&self) -> Option<u32> {
        let (first, _) = self.fragment?;
        (first % 8 == 0).then_some(first / 8)
    }
}

impl DebugInformation {
    /// Follows the instructions into another order.
    pub fn reorder(&mut self, order: &Order) {
        let instructions = order.instructions().iter();
        let known = |one: &Instruction| self.of_instruction.get(one.as_u32() as usize).copied();
        self.of_instruction = instructions.map(|one| known(one).flatten()).collect();
    }

    /// Gives the ends of copies and conversions one name, where only one end has any and
    /// all that reach it agree.
    pub fn name_copies(&mut self, function: &Function) {
        let instructions = function.instructions.keys();
        let copies = instructions.filter_map(|one| function.joinable_copy(one));
        let mut pairs: Vec<_> = copies.chain(self.conversions.iter().copied()).collect();
        // Each time names reach one end further.
        loop {
            let mut found: BTreeMap<usize, Option<Variable>> = BTreeMap::new();
            for &(to, from) in &pairs {
                for (one, other) in [(to, from), (from, to)] {
                    let (None, Some(name)) = (self.variable(one), self.variable(other)) else {
                        continue;
                    };
                    let known = found.entry(one.as_u32() as usize);
                    let known = known.or_insert_with(|| Some(name.clone()));
                    if known.as_ref() != Some(name) {
                        *known = None;
                    }
                }
            }
            if found.values().all(Option::is_none) {
                return;
            }
            for (value, name) in found {
                self.variables[value] = name;
            }
            pairs
                .retain(|&(to, from)| self.variable(to).is_none() || self.variable(from).is_none());
        }
    }

    /// What a virtual register holds, if that is known.
    pub fn variable(&self, value: VirtualRegister) -> Option<&Variable> {
        self.variables.get(value.as_u32() as usize)?.as_ref()
    }

    /// The number that LLVM prints for a virtual register.
    pub fn number(&self, value: VirtualRegister) -> u32 {
        self.numbers.shims(value.as_u32())
    }

    /// Whether any variable is known.
    pub fn has_variables(&self) -> bool {
        self.variables.iter().any(Option::is_some)
    }

    /// The place of an instruction, if its line is known.
    pub fn location(&self, instruction: Instruction) -> Option<&SourceLine> {
        let number = (*self.of_instruction.get(instruction.as_u32() as usize)?)?;
        self.locations.get(number).filter(|one| one.line > 0)
    }

    /// Where the outermost of the calls stands that were replaced by their callee's code.
    pub fn inlined_at(&self, location: &SourceLine) -> Option<&SourceLine> {
        let mut outermost = None;
        let mut next = location.inlined_at;
        while let Some(outer) = next.and_then(|number| self.locations.get(number)) {
            outermost = Some(outer);
            next = outer.inlined_at;
        }
        outermost.filter(|one| one.line > 0)
    }

    /// For each instruction a location that stands for its line: the same one for all code
    /// of that line, wherever it was inlined. Code without a line counts to what stands
    /// before it in its block.
    pub fn lines(&self, function: &Function) -> Vec<Option<usize>> {
        let mut first: BTreeMap<(&str, u32), usize> = BTreeMap::new();
        for (number, location) in self.locations.iter().enumerate() {
            let line = (location.file.as_str(), location.line);
            first.entry(line).or_insert(number);
        }
        let mut lines = vec![None; function.instructions.len()];
        for block in function.blocks.keys() {
            let mut last = None;
            for instruction in function.block_instructions(block) {
                if let Some(SourceLine { file, line, .. }) = self.location(instruction) {
                    last = first.get(&(file.as_str(), *line)).copied();
                }
                lines[instruction.as_u32() as usize] = last;
            }
        }
        lines
    }
}
