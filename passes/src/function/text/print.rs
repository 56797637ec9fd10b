//! Writes the text format.

use super::lexer;
use super::reduce::Reduced;
use crate::function::{
    Block, Function, Instruction, InstructionFlags, InstructionKind, Operand, OperandFlags,
    OperandRegister, Tuple, VirtualRegister,
};
use crate::machine::{FileData, Machine, Register, Unit, gpu};
use cranelift_entity::SecondaryMap;
use std::fmt::Display;

/// Lists of values are broken before this column.
const WIDTH: usize = 100;

/// The names of the flags, in the order in which they are printed.
pub(super) const FLAGS: [(InstructionFlags, &str); 27] = [
    (InstructionFlags::CALL, "call"),
    (InstructionFlags::TERMINATOR, "terminator"),
    (InstructionFlags::CONVERGENT, "convergent"),
    (InstructionFlags::REMATERIALISABLE, "remat"),
    (InstructionFlags::INLINE_ASSEMBLY, "asm"),
    (InstructionFlags::IMPLICIT_DEFINITION, "implicit_def"),
    (InstructionFlags::LEAVES, "leaves"),
    (InstructionFlags::LABEL, "label"),
    (InstructionFlags::DIVERGENT, "divergent"),
    (InstructionFlags::UNIFORM_PATH, "uniform"),
    (InstructionFlags::UNIFORM_SOURCE, "uniform_source"),
    (InstructionFlags::UNIFORM_LOAD, "uniform_load"),
    (InstructionFlags::PRIORITY, "priority"),
    (InstructionFlags::WIDE_PRIORITY, "wide_priority"),
    (InstructionFlags::FENCES, "fences"),
    (InstructionFlags::MULTIPLIES, "multiplies"),
    (InstructionFlags::LOADS_TENSOR, "loads_tensor"),
    (InstructionFlags::STORES_TENSOR, "stores_tensor"),
    (InstructionFlags::COMMITS, "commits"),
    (InstructionFlags::WAITS_MULTIPLY, "waits_multiply"),
    (InstructionFlags::WAITS_LOAD, "waits_load"),
    (InstructionFlags::WAITS_STORE, "waits_store"),
    (InstructionFlags::PENDING_1, "pending_1"),
    (InstructionFlags::PENDING_2, "pending_2"),
    (InstructionFlags::PENDING_4, "pending_4"),
    (InstructionFlags::ARGUMENT, "argument"),
    (InstructionFlags::RECORDS, "records"),
];

/// The names of operands' flags, in the order in which they are printed; `def` is behind the
/// first.
pub(super) const OPERAND_FLAGS: [(OperandFlags, &str); 10] = [
    (OperandFlags::IMPLICIT, "implicit"),
    (OperandFlags::EARLY_CLOBBER, "early"),
    (OperandFlags::DEAD, "dead"),
    (OperandFlags::UNDEFINED, "undef"),
    (OperandFlags::FOLDABLE, "foldable"),
    (OperandFlags::LOADABLE, "loadable"),
    (OperandFlags::CONSTRAINED, "constrained"),
    (OperandFlags::LIVE_THROUGH, "live_through"),
    (OperandFlags::IN_FLIGHT, "in_flight"),
    (OperandFlags::AWAITED, "awaited"),
];

/// Flags that stand for `op` as well.
const NAMES_ENOUGH: InstructionFlags = InstructionFlags::CALL
    .union(InstructionFlags::TERMINATOR)
    .union(InstructionFlags::IMPLICIT_DEFINITION)
    .union(InstructionFlags::LABEL);

/// Writes a machine and a function in the text format.
///
/// Of the machine only what the function can need is left: the registers of
/// its classes and those it names. Reading the text gives back an equal
/// function, but for the numbers of registers that follow one left out.
///
/// # Panics
/// If the function is not valid for the machine ([`Function::validate`]).
pub fn print(machine: &Machine, function: &Function) -> String {
    let printer = Printer {
        machine,
        function,
        reduced: Reduced::new(machine, function),
    };
    let mut text = String::new();
    match gpu_limit(machine) {
        Some(limit) => text += &format!("machine gpu limit={limit}\n"),
        None => printer.machine(&mut text),
    }
    text.push('\n');
    printer.function(&mut text);
    text
}

/// The limit of a machine that [`gpu::machine`] made.
fn gpu_limit(machine: &Machine) -> Option<u32> {
    let limit = machine.files.values().next()?.size;
    ((1..=gpu::R_SIZE).contains(&limit) && *machine == gpu::machine(limit)).then_some(limit)
}

/// The items with `separator` between them, or `none`.
fn joined(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.is_empty() {
        true => "none".into(),
        false => items.join(separator),
    }
}

pub(crate) struct Printer<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) function: &'a Function,
    pub(crate) reduced: Reduced,
}

impl Printer<'_> {
    /// The register's name with its `$`.
    pub(crate) fn register(&self, register: Register) -> String {
        let name = self.reduced.name(register);
        lexer::register(name.unwrap_or(self.machine.register_name(register)))
    }

    fn registers<'a>(&self, registers: impl IntoIterator<Item = &'a Register>) -> String {
        let registers = registers.into_iter();
        joined(registers.map(|&register| self.register(register)), ",")
    }

    fn machine(&self, text: &mut String) {
        *text += "machine\n";
        for &register in &self.reduced.registers {
            let data = &self.machine.table.registers[register];
            let units = self.unit_ranges(data.units.iter().copied());
            *text += &format!("register {} units={units}", self.register(register));
            let parts: Vec<String> = data
                .parts
                .iter()
                .filter(|(_, part)| self.reduced.name(*part).is_some())
                .map(|(index, part)| format!("{}:{}", index.0, self.register(*part)))
                .collect();
            if !parts.is_empty() {
                *text += &format!(" parts={}", parts.join(","));
            }
            text.push('\n');
        }
        for (class, data) in &self.machine.classes {
            *text += &format!(
                "class {} size={} alignment={}",
                lexer::name(&self.reduced.classes[class]),
                data.spill_size,
                data.spill_alignment
            );
            if let Some(through) = data.spill_through {
                let through = &self.reduced.classes[through];
                *text += &format!(" through={}", lexer::name(through));
            }
            if let Some(uniform) = data.uniform {
                let uniform = &self.reduced.classes[uniform];
                *text += &format!(" uniform={}", lexer::name(uniform));
            }
            *text += &format!(" order={}\n", self.registers(&data.order));
        }
        for mask in self.machine.clobber_masks.keys() {
            let (preserved, destroyed): (Vec<Register>, Vec<Register>) = self
                .reduced
                .registers
                .iter()
                .partition(|&&register| self.machine.preserves(mask, register));
            let (verb, registers) = match preserved.len() <= destroyed.len() {
                true => ("preserves", preserved),
                false => ("destroys", destroyed),
            };
            *text += &format!("mask {mask} {verb}={}\n", self.registers(&registers));
        }
        for data in self.machine.files.values() {
            let (name, columns) = (lexer::name(&data.name), self.columns(data));
            *text += &format!("file {name} size={} columns={columns}\n", data.size);
        }
    }

    /// The units of each column.
    fn columns(&self, file: &FileData) -> String {
        let mut columns: Vec<Vec<Unit>> = Vec::new();
        for (unit, column) in file.column_of_unit.iter().enumerate() {
            let unit = Unit::from_u32(unit as u32);
            if let (Some(column), Some(_)) = (column, self.reduced.units[unit]) {
                let column = usize::from(*column);
                columns.resize(columns.len().max(column + 1), Vec::new());
                columns[column].push(unit);
            }
        }
        let columns = columns.into_iter().map(|units| match units.is_empty() {
            true => "_".into(),
            false => self.unit_ranges(units),
        });
        joined(columns, ",")
    }

    /// New numbers of units, ascending: `0-3+7`.
    fn unit_ranges(&self, units: impl IntoIterator<Item = Unit>) -> String {
        let units = units
            .into_iter()
            .filter_map(|unit| self.reduced.units[unit]);
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for unit in units {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == unit => *last = unit,
                _ => ranges.push((unit, unit)),
            }
        }
        let ranges = ranges.iter().map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        });
        joined(ranges, "+")
    }

    fn function(&self, text: &mut String) {
        *text += &format!("function {}", lexer::name(&self.function.name));
        *text += if self.function.kernel {
            " kernel\n"
        } else {
            "\n"
        };
        self.values(text);
        let in_block_order = predecessors_in_block_order(self.function);
        for block in self.function.blocks.keys() {
            self.block_header(text, block, &in_block_order[block]);
            let data = &self.function.blocks[block];
            let terminator = self.function.block_instructions(block).find(|&one| {
                let flags = self.function.instructions[one].flags;
                flags.contains(InstructionFlags::TERMINATOR)
            });
            let expected = terminator.map_or(data.instructions.end, Instruction::as_u32);
            let marked = Some(data.first_terminator).filter(|&at| at != expected);
            for instruction in self.function.block_instructions(block) {
                if marked == Some(instruction.as_u32()) {
                    *text += "terminators\n";
                }
                let operands = self.function.instruction_operands(instruction);
                *text += &format!("  {}\n", self.instruction(instruction, operands));
                for tuple in self.function.instruction_tuples(instruction) {
                    *text += &format!("    {}\n", tuple_line(tuple));
                }
            }
            if marked == Some(data.instructions.end) {
                *text += "terminators\n";
            }
        }
    }

    fn values(&self, text: &mut String) {
        let mut line = String::new();
        for value in self.function.virtual_registers.keys() {
            let item = self.value(value);
            if !line.is_empty() && line.len() + item.len() + 2 > WIDTH {
                *text += &format!("{line}\n");
                line.clear();
            }
            line += if line.is_empty() { "values " } else { ", " };
            line += &item;
        }
        if !line.is_empty() {
            *text += &format!("{line}\n");
        }
        text.push('\n');
    }

    fn value(&self, value: VirtualRegister) -> String {
        let data = &self.function.virtual_registers[value];
        let class = &self.reduced.classes[data.class];
        let mut text = format!("{value}:{}", lexer::name(class));
        if let Some(super_class) = data.super_class {
            let class = &self.reduced.classes[super_class];
            text += &format!(" super={}", lexer::name(class));
        }
        if !data.spillable {
            text += " unspillable";
        }
        if !data.hints.is_empty() {
            let hints = data.hints.iter().map(|&register| self.register(register));
            text += &format!(" hints={}", joined(hints, "+"));
        }
        text
    }

    fn block_header(&self, text: &mut String, block: Block, in_block_order: &[Block]) {
        let data = &self.function.blocks[block];
        // Debug is the shortest text that reads back as the same number.
        let (frequency, depth) = (data.frequency, data.loop_depth);
        *text += &format!("block {block} frequency={frequency:?} depth={depth}");
        if data.landing {
            *text += " landing";
        }
        if let Some(mask) = data.clobbers {
            *text += &format!(" clobbers={mask}");
        }
        if !data.live_in.is_empty() {
            *text += &format!(" live_in={}", self.registers(&data.live_in));
        }
        if data.predecessors[..] != *in_block_order {
            *text += &format!(" from={}", joined(&data.predecessors, ","));
        }
        if !data.successors.is_empty() {
            *text += &format!(" to={}", joined(&data.successors, ","));
        }
        text.push('\n');
    }

    /// One instruction without indentation, with its own operands or others.
    pub(crate) fn instruction(&self, instruction: Instruction, operands: &[Operand]) -> String {
        let data = &self.function.instructions[instruction];
        let left = operands.iter().take_while(|one| one.is_definition());
        let (definitions, rest) = operands.split_at(left.count());
        let mut text = String::new();
        if !definitions.is_empty() {
            let definitions = definitions.iter().map(|one| self.operand(one, false));
            text += &format!("{} = ", joined(definitions, ", "));
        }
        let mut mnemonic = Vec::new();
        let mut slot = None;
        match data.kind {
            InstructionKind::Plain if data.flags.intersects(NAMES_ENOUGH) => {}
            InstructionKind::Plain => mnemonic.push("op"),
            InstructionKind::Copy => mnemonic.push("copy"),
            InstructionKind::Widen => mnemonic.push("widen"),
            InstructionKind::Narrow => mnemonic.push("narrow"),
            InstructionKind::Move => mnemonic.push("move"),
            InstructionKind::Rematerialise(from) => {
                mnemonic.push("again");
                slot = Some(from.to_string());
            }
            InstructionKind::Store(to) => {
                mnemonic.push("store");
                slot = Some(to.to_string());
            }
            InstructionKind::Reload(from) => {
                mnemonic.push("reload");
                slot = Some(from.to_string());
            }
        }
        let flags = FLAGS.iter().filter(|(flag, _)| data.flags.contains(*flag));
        mnemonic.extend(flags.map(|(_, name)| name));
        text += &mnemonic.join(".");
        let mask = data.clobbers.map(|mask| mask.to_string());
        let registers = data.thread_registers;
        let registers = registers.map(|count| format!("registers{count}"));
        let arguments: Vec<String> = slot.into_iter().chain(mask).chain(registers).collect();
        if !arguments.is_empty() {
            text += &format!("({})", arguments.join(", "));
        }
        if !rest.is_empty() {
            let rest = rest.iter().map(|one| self.operand(one, true));
            text += &format!(" {}", joined(rest, ", "));
        }
        text
    }

    /// An operand; a definition says so if it stands among the uses.
    fn operand(&self, operand: &Operand, among_uses: bool) -> String {
        let mut text = String::new();
        for (flag, name) in OPERAND_FLAGS {
            if operand.flags.contains(flag) {
                text += name;
                text += " ";
            }
            if flag == OperandFlags::IMPLICIT && among_uses && operand.is_definition() {
                text += "def ";
            }
        }
        text += &match operand.register {
            OperandRegister::Virtual(value) => value.to_string(),
            OperandRegister::Physical(register) => self.register(register),
            OperandRegister::Slot(slot) => slot.to_string(),
            OperandRegister::Loaded(from) => format!("load({from})"),
        };
        if !operand.sub_register.is_whole() {
            text += &format!(".{}", operand.sub_register.0);
        }
        if let Some(definition) = operand.tied_to {
            text += &format!("(tied {definition})");
        }
        text
    }
}

/// The line of a tuple, behind its instruction's.
fn tuple_line(tuple: &Tuple) -> String {
    let places = tuple.places.iter();
    let places = places.map(|place| place.map_or("_".into(), |number| number.to_string()));
    let kind = if tuple.accumulator {
        " accumulator"
    } else {
        ""
    };
    format!(
        "tuple {} align={}{kind}",
        joined(places, ","),
        tuple.alignment
    )
}

/// The predecessor lists that follow from the successor lists.
fn predecessors_in_block_order(function: &Function) -> SecondaryMap<Block, Vec<Block>> {
    let mut predecessors: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    for (block, data) in &function.blocks {
        for &successor in &data.successors {
            predecessors[successor].push(block);
        }
    }
    predecessors
}
