//! Reads the text format: lines, and the function.

use super::line::Line;
use super::parse_machine::{Names, machine};
use super::print::{FLAGS, OPERAND_FLAGS};
use super::{Mark, ParseError};
use crate::function::validate::{Fault, Subject, check};
use crate::function::{
    Access, Block, Function, FunctionBuilder, Instruction, InstructionFlags, InstructionKind,
    Operand, OperandFlags, OperandRegister, Slot, Tuple, VirtualRegister, VirtualRegisterData,
};
use crate::machine::{ClobberMask, Machine, SubRegisterIndex};
use smallvec::SmallVec;

/// Reads a machine and a function.
pub fn parse(text: &str) -> Result<(Machine, Function), ParseError> {
    let mut lines = Lines::new(text);
    let (machine, names) = machine(&mut lines)?;
    let function = Reader::new(&machine, &names).function(&mut lines)?;
    Ok((machine, function))
}

/// The lines of a text that are not empty.
pub(super) struct Lines<'a> {
    rest: std::str::Lines<'a>,
    number: u32,
    given_back: Option<Line<'a>>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text.lines(),
            number: 0,
            given_back: None,
        }
    }

    /// The next line that is more than a comment.
    pub(super) fn next_line(&mut self) -> Result<Option<Line<'a>>, ParseError> {
        if let Some(line) = self.given_back.take() {
            return Ok(Some(line));
        }
        for text in self.rest.by_ref() {
            self.number += 1;
            let line = Line::new(self.number, text)?;
            if !line.is_at_end() {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The next line, which must be there.
    pub(super) fn require_line(&mut self, what: &str) -> Result<Line<'a>, ParseError> {
        self.next_line()?.ok_or_else(|| {
            let end = Mark {
                line: self.number + 1,
                column: 1,
            };
            ParseError::new(end, format!("expected {what}, found the end of the text"))
        })
    }

    /// Lets a line be read again, from where it has been read to.
    pub(super) fn give_back(&mut self, line: Line<'a>) {
        self.given_back = Some(line);
    }
}

/// Where the parts of the function stand, by number.
#[derive(Default)]
struct Marks {
    function: Mark,
    values: Vec<Mark>,
    blocks: Vec<Mark>,
    instructions: Vec<Mark>,
    operands: Vec<Mark>,
}

struct Reader<'a> {
    machine: &'a Machine,
    names: &'a Names,
    builder: FunctionBuilder,
    marks: Marks,
    /// Edges wait until all blocks are known.
    successors: Vec<(Block, Block, Mark)>,
    predecessors: Vec<(Block, Vec<Block>)>,
    /// Blocks with a `terminators` line, and the instruction after it.
    terminators: Vec<(Block, u32)>,
}

impl<'a> Reader<'a> {
    fn new(machine: &'a Machine, names: &'a Names) -> Self {
        Self {
            machine,
            names,
            builder: FunctionBuilder::new(""),
            marks: Marks::default(),
            successors: Vec::new(),
            predecessors: Vec::new(),
            terminators: Vec::new(),
        }
    }

    fn function(mut self, lines: &mut Lines) -> Result<Function, ParseError> {
        let mut line = lines.require_line("'function'")?;
        self.marks.function = line.at();
        if !line.take_word("function") {
            return Err(line.expected("'function'"));
        }
        let (_, name) = line.name("the function's name")?;
        let kernel = line.take_word("kernel");
        line.end()?;
        self.builder = FunctionBuilder::new(name);
        self.builder.kernel(kernel);
        while let Some(mut line) = lines.next_line()? {
            self.line(&mut line)?;
            line.end()?;
        }
        self.finish()
    }

    fn line(&mut self, line: &mut Line) -> Result<(), ParseError> {
        let at = line.at();
        if line.take_word("block") {
            return self.block(line);
        }
        let Some(block) = self.builder.function().blocks.last().map(|(key, _)| key) else {
            if line.take_word("values") {
                line.list(',', |line| self.value(line))?;
                return match line.is_at_end() {
                    true => Ok(()),
                    false => Err(line.expected("',' or the end of the line")),
                };
            }
            return Err(line.expected("'values' or 'block'"));
        };
        if line.take_word("values") {
            let message = "'values' lines come before the first block";
            return Err(ParseError::new(at, message));
        }
        if line.take_word("tuple") {
            return self.tuple(line, block, at);
        }
        if line.take_word("terminators") {
            if self.terminators.last().is_some_and(|last| last.0 == block) {
                let message = format!("'terminators' is there twice in {block}");
                return Err(ParseError::new(at, message));
            }
            let next = self.builder.function().instructions.len() as u32;
            self.terminators.push((block, next));
            return Ok(());
        }
        self.instruction(line)
    }

    /// `v0:CLASS`, the number being the next one.
    fn value(&mut self, line: &mut Line) -> Result<(), ParseError> {
        let next = self.builder.function().virtual_registers.next_key();
        let (at, number) = line.numbered("v", &format!("'{next}'"))?;
        if number != next.as_u32() {
            let message = format!("expected '{next}', found 'v{number}'");
            return Err(ParseError::new(at, message));
        }
        line.require(':')?;
        let class = self.names.class(line)?;
        let super_class = match line.take_key("super")? {
            true => Some(self.names.class(line)?),
            false => None,
        };
        let spillable = !line.take_word("unspillable");
        let hints = match line.take_key("hints")? {
            true => line.list('+', |line| self.names.register(line))?,
            false => Vec::new(),
        };
        self.marks.values.push(at);
        self.builder.add_virtual_register(VirtualRegisterData {
            class,
            super_class,
            spillable,
            hints: hints.into(),
        });
        Ok(())
    }

    fn block(&mut self, line: &mut Line) -> Result<(), ParseError> {
        let next = self.builder.function().blocks.next_key();
        let (at, number) = line.numbered("b", &format!("'{next}'"))?;
        if let Some(first) = self.marks.blocks.get(number as usize) {
            let message = format!("block b{number} is there already, in line {}", first.line);
            return Err(ParseError::new(at, message));
        }
        if number != next.as_u32() {
            let message = format!("expected '{next}', found 'b{number}'");
            return Err(ParseError::new(at, message));
        }
        let frequency = match line.take_key("frequency")? {
            true => line.number("a frequency")?.1,
            false => 1.0,
        };
        let depth = match line.take_key("depth")? {
            true => line.number("a loop depth")?.1,
            false => 0,
        };
        let landing = line.take_word("landing");
        let clobbers = match line.take_key("clobbers")? {
            true => Some(self.mask(line, "a clobber mask such as 'mask0'")?),
            false => None,
        };
        let live_in = match line.take_key("live_in")? {
            true => line.list(',', |line| self.names.register(line))?,
            false => Vec::new(),
        };
        if line.take_key("from")? {
            let from = match line.take_word("none") {
                true => Vec::new(),
                false => line.list(',', block_name)?,
            };
            let from = from.into_iter().map(|(_, block)| block).collect();
            self.predecessors.push((next, from));
        }
        if line.take_key("to")? {
            for (at, to) in line.list(',', block_name)? {
                self.successors.push((next, to, at));
            }
        }
        if !line.is_at_end() {
            let keys = "'frequency=', 'depth=', 'landing', 'clobbers=', 'live_in=', 'from=', 'to=', in this order,";
            return Err(line.expected(&format!("{keys} or the end of the line")));
        }
        self.marks.blocks.push(at);
        self.builder.start_block(frequency, depth, &live_in);
        if landing {
            self.builder.landing();
        }
        self.builder.clobber_on_entry(clobbers);
        Ok(())
    }

    fn instruction(&mut self, line: &mut Line) -> Result<(), ParseError> {
        let at = line.at();
        let mut operands: SmallVec<[Operand; 8]> = SmallVec::new();
        if line.contains('=') {
            operands.extend(line.list(',', |line| self.operand(line, Access::Definition))?);
            line.require('=')?;
        }
        let mnemonic_at = line.at();
        let (mut kind, flags) = mnemonic(line)?;
        let (clobbers, thread_registers) = self.arguments(line, mnemonic_at, &mut kind)?;
        if !line.is_at_end() {
            operands.extend(line.list(',', |line| self.operand(line, Access::Use))?);
        }
        self.marks.instructions.push(at);
        self.builder.push(kind, flags, &operands, clobbers);
        if let Some(registers) = thread_registers {
            self.builder.thread_registers(registers);
        }
        Ok(())
    }

    /// A tuple of the instruction above.
    fn tuple(&mut self, line: &mut Line, block: Block, at: Mark) -> Result<(), ParseError> {
        let places = line.list(',', |line| {
            if line.take_word("_") {
                return Ok(None);
            }
            let (_, number) = line.number("an operand's number or '_'")?;
            Ok(Some(number))
        })?;
        line.require_key("align")?;
        let (_, alignment) = line.number("an alignment")?;
        let accumulator = line.take_word("accumulator");
        let Some(instruction) = self.builder.function().block_instructions(block).last() else {
            return Err(ParseError::new(
                at,
                "a 'tuple' line follows its instruction",
            ));
        };
        self.builder.tuple(Tuple {
            instruction,
            places: places.into(),
            alignment,
            accumulator,
        });
        Ok(())
    }

    /// The slot, the clobber mask and the registers of a thread in parentheses.
    fn arguments(
        &mut self,
        line: &mut Line,
        at: Mark,
        kind: &mut InstructionKind,
    ) -> Result<(Option<ClobberMask>, Option<u16>), ParseError> {
        let mut slot = None;
        let mut rematerialisation = None;
        let mut clobbers = None;
        let mut thread_registers = None;
        if line.take('(') {
            line.list(',', |line| {
                let what = "a slot such as 'slot0' or a clobber mask such as 'mask0'";
                if let Ok((at, number)) = line.numbered("slot", what) {
                    slot = Some((at, Slot::from_u32(number)));
                    return Ok(());
                }
                if let Ok((_, number)) = line.numbered("i", what) {
                    rematerialisation = Some(Instruction::from_u32(number));
                    return Ok(());
                }
                if let Ok((at, number)) = line.numbered("registers", what) {
                    let registers = u16::try_from(number);
                    let too_many = |_| ParseError::new(at, "no thread has so many registers");
                    thread_registers = Some(registers.map_err(too_many)?);
                    return Ok(());
                }
                clobbers = Some(self.mask(line, what)?);
                Ok(())
            })?;
            line.require(')')?;
        }
        if let InstructionKind::Rematerialise(from) = kind {
            *from = rematerialisation
                .take()
                .ok_or_else(|| ParseError::new(at, "'again' needs an instruction: '(i0)'"))?;
        }
        if rematerialisation.is_some() {
            return Err(ParseError::new(at, "only 'again' names an instruction"));
        }
        match (kind, slot) {
            (InstructionKind::Store(to), Some((_, slot))) => *to = slot,
            (InstructionKind::Reload(from), Some((_, slot))) => *from = slot,
            (InstructionKind::Store(_) | InstructionKind::Reload(_), None) => {
                return Err(ParseError::new(
                    at,
                    "a store or reload needs a slot: '(slot0)'",
                ));
            }
            (_, Some((at, _))) => {
                return Err(ParseError::new(at, "only a store or reload has a slot"));
            }
            _ => {}
        }
        Ok((clobbers, thread_registers))
    }

    fn mask(&self, line: &mut Line, what: &str) -> Result<ClobberMask, ParseError> {
        let (at, number) = line.numbered("mask", what)?;
        let mask = ClobberMask::from_u32(number);
        if self.machine.clobber_masks.is_valid(mask) {
            return Ok(mask);
        }
        let count = self.machine.clobber_masks.len();
        let message = format!("unknown mask '{mask}'; there are {count}");
        Err(ParseError::new(at, message))
    }

    fn operand(&mut self, line: &mut Line, access: Access) -> Result<Operand, ParseError> {
        let start = line.at();
        let mut flags = OperandFlags::empty();
        let mut access = access;
        loop {
            if line.take_word("def") {
                access = Access::Definition;
            } else if let Some((flag, _)) =
                OPERAND_FLAGS.iter().find(|(_, name)| line.take_word(name))
            {
                flags |= *flag;
            } else {
                break;
            }
        }
        let what = "a value such as v0 or a register such as $r0";
        let register = match line.register() {
            Ok((at, name)) => OperandRegister::Physical(self.names.find_register(at, &name)?),
            Err(_) => {
                let (at, number) = line.numbered("v", what)?;
                let value = VirtualRegister::from_u32(number);
                if !self.builder.function().virtual_registers.is_valid(value) {
                    let message =
                        format!("unknown value '{value}'; declare it: 'values {value}:CLASS'");
                    return Err(ParseError::new(at, message));
                }
                OperandRegister::Virtual(value)
            }
        };
        let mut operand = Operand::new(register, access);
        operand.flags = flags;
        if line.take('.') {
            let (_, index) = line.number("a part's number")?;
            operand.sub_register = SubRegisterIndex(index);
        }
        if line.take('(') {
            if !line.take_word("tied") {
                return Err(line.expected("'tied'"));
            }
            operand.tied_to = Some(line.number("an operand's number")?.1);
            line.require(')')?;
        }
        self.marks.operands.push(start);
        Ok(operand)
    }

    fn finish(mut self) -> Result<Function, ParseError> {
        for &(from, to, at) in &self.successors {
            let blocks = &self.builder.function().blocks;
            if !blocks.is_valid(to) {
                let message = format!("there is no block {to}");
                return Err(ParseError::new(at, message));
            }
            if blocks[from].successors.contains(&to) {
                let message = format!("{to} is there twice among the successors of {from}");
                return Err(ParseError::new(at, message));
            }
            self.builder.edge(from, to);
        }
        let mut function = self.builder.finish();
        for (block, next) in self.terminators {
            function.blocks[block].first_terminator = next;
        }
        for (block, predecessors) in self.predecessors {
            function.blocks[block].predecessors = predecessors.into();
        }
        match check(&function, self.machine) {
            Ok(()) => Ok(function),
            Err(fault) => Err(self.marks.error(fault)),
        }
    }
}

impl Marks {
    fn error(&self, fault: Fault) -> ParseError {
        let at = match fault.place {
            Subject::Function => self.function,
            Subject::Value(value) => self.values[value.as_u32() as usize],
            Subject::Block(block) => self.blocks[block.as_u32() as usize],
            Subject::Instruction(one) => self.instructions[one.as_u32() as usize],
            Subject::Operand(_, operand) => self.operands[operand.as_u32() as usize],
        };
        ParseError::new(at, fault.message)
    }
}

fn block_name(line: &mut Line) -> Result<(Mark, Block), ParseError> {
    let (at, number) = line.numbered("b", "a block such as b0")?;
    Ok((at, Block::from_u32(number)))
}

/// A kind and flags with dots between them; slots are filled in later.
fn mnemonic(line: &mut Line) -> Result<(InstructionKind, InstructionFlags), ParseError> {
    let kinds = [
        ("op", InstructionKind::Plain),
        ("copy", InstructionKind::Copy),
        ("store", InstructionKind::Store(Slot::from_u32(0))),
        ("reload", InstructionKind::Reload(Slot::from_u32(0))),
        (
            "again",
            InstructionKind::Rematerialise(Instruction::from_u32(0)),
        ),
        ("widen", InstructionKind::Widen),
        ("narrow", InstructionKind::Narrow),
        ("move", InstructionKind::Move),
    ];
    let mut kind = None;
    let mut flags = InstructionFlags::empty();
    line.list('.', |line| {
        let (at, word) = line.word("a mnemonic such as 'op' or 'copy'")?;
        let found = kinds.iter().find(|(name, _)| *name == word);
        if let Some(&(_, found)) = found.filter(|_| kind.is_none() && flags.is_empty()) {
            kind = Some(found);
        } else if let Some((flag, _)) = FLAGS.iter().find(|(_, name)| *name == word) {
            flags |= *flag;
        } else if found.is_some() {
            return Err(ParseError::new(at, format!("'{word}' must come first")));
        } else {
            let names = kinds.iter().map(|(name, _)| *name);
            let names = names.chain(FLAGS.iter().map(|(_, name)| *name));
            let names: Vec<&str> = names.collect();
            let known = names.join(", ");
            let message = format!("unknown mnemonic '{word}'; known: {known}");
            return Err(ParseError::new(at, message));
        }
        Ok(())
    })?;
    Ok((kind.unwrap_or_default(), flags))
}
