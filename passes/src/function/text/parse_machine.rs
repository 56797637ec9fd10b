//! Reads the machine of a text: the GPU by its name, any other by its tables.

use super::line::Line;
use super::parse::Lines;
use super::{Mark, ParseError, lexer};
use crate::machine::{
    Class, ClassData, ClobberMask, FileData, Machine, Register, RegisterData, RegisterTable,
    SubRegisterIndex, Unit, gpu,
};
use cranelift_entity::PrimaryMap;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// More units than any target has; a mistyped number must not take all memory.
const UNIT_LIMIT: u32 = 1 << 16;

/// Names that are listed in a message before it says how many more there are.
const LISTED: usize = 12;

/// The registers and classes of a machine by their names.
#[derive(Default)]
pub(super) struct Names {
    registers: FxHashMap<String, Register>,
    classes: FxHashMap<String, Class>,
    /// The names in the order of their definition, for messages.
    register_list: Vec<String>,
    class_list: Vec<String>,
}

impl Names {
    fn add_register(&mut self, at: Mark, name: &str, number: Register) -> Result<(), ParseError> {
        self.register_list.push(lexer::register(name));
        match self.registers.insert(name.to_owned(), number) {
            None => Ok(()),
            Some(_) => {
                let message = format!("register {} is there twice", lexer::register(name));
                Err(ParseError::new(at, message))
            }
        }
    }

    fn add_class(&mut self, at: Mark, name: &str, number: Class) -> Result<(), ParseError> {
        self.class_list.push(lexer::name(name));
        match self.classes.insert(name.to_owned(), number) {
            None => Ok(()),
            Some(_) => Err(ParseError::new(
                at,
                format!("class '{name}' is there twice"),
            )),
        }
    }

    /// Reads a register that must be known.
    pub(super) fn register(&self, line: &mut Line) -> Result<Register, ParseError> {
        let (at, name) = line.register()?;
        self.find_register(at, &name)
    }

    pub(super) fn find_register(&self, at: Mark, name: &str) -> Result<Register, ParseError> {
        self.registers.get(name).copied().ok_or_else(|| {
            let known = known(&self.register_list);
            let name = lexer::register(name);
            ParseError::new(at, format!("unknown register {name}; known: {known}"))
        })
    }

    /// Reads a class that must be known.
    pub(super) fn class(&self, line: &mut Line) -> Result<Class, ParseError> {
        let (at, name) = line.name("a class's name")?;
        self.find_class(at, &name)
    }

    fn find_class(&self, at: Mark, name: &str) -> Result<Class, ParseError> {
        self.classes.get(name).copied().ok_or_else(|| {
            let known = known(&self.class_list);
            ParseError::new(at, format!("unknown class '{name}'; known: {known}"))
        })
    }
}

/// The names for a message, the first few if there are many.
fn known(names: &[String]) -> String {
    match names.len() {
        0 => "none".into(),
        count if count <= LISTED => names.join(", "),
        count => format!("{} and {} more", names[..LISTED].join(", "), count - LISTED),
    }
}

/// Reads the machine, up to the first line that is not part of it.
pub(super) fn machine(lines: &mut Lines) -> Result<(Machine, Names), ParseError> {
    let mut line = lines.require_line("'machine'")?;
    if !line.take_word("machine") {
        return Err(line.expected("'machine'"));
    }
    if line.take_word("gpu") {
        return gpu_machine(&mut line);
    }
    if !line.is_at_end() {
        return Err(line.expected("'gpu' or the end of the line"));
    }
    let mut reader = Reader::default();
    let mut last = 0;
    const LINES: [&str; 4] = ["register", "class", "mask", "file"];
    while let Some(mut line) = lines.next_line()? {
        let at = line.at();
        let Some(which) = LINES.iter().position(|word| line.take_word(word)) else {
            if !line.is_word("function") {
                return Err(line.expected("'register', 'class', 'mask', 'file' or 'function'"));
            }
            lines.give_back(line);
            break;
        };
        if which < last {
            let (this, last) = (LINES[which], LINES[last]);
            let message = format!("'{this}' lines come before '{last}' lines");
            return Err(ParseError::new(at, message));
        }
        last = which;
        match which {
            0 => reader.register(&mut line)?,
            1 => reader.class(&mut line)?,
            2 => reader.mask(&mut line)?,
            _ => reader.file(&mut line)?,
        }
        line.end()?;
    }
    reader.finish()
}

fn gpu_machine(line: &mut Line) -> Result<(Machine, Names), ParseError> {
    line.require_key("limit")?;
    let range = format!("a limit of 1 to {}", gpu::R_SIZE);
    let (at, limit) = line.number::<u32>(&range)?;
    if !(1..=gpu::R_SIZE).contains(&limit) {
        return Err(ParseError::new(
            at,
            format!("expected {range}, found '{limit}'"),
        ));
    }
    line.end()?;
    let machine = gpu::machine(limit);
    let mut names = Names::default();
    for (register, data) in &machine.table.registers {
        names.add_register(at, &data.name, register)?;
    }
    for (class, data) in &machine.classes {
        names.add_class(at, &data.name, class)?;
    }
    Ok((machine, names))
}

#[derive(Default)]
struct Reader {
    names: Names,
    unit_count: u32,
    registers: PrimaryMap<Register, RegisterData>,
    classes: PrimaryMap<Class, ClassData>,
    clobber_masks: PrimaryMap<ClobberMask, FixedBitSet>,
    files: PrimaryMap<crate::machine::File, FileData>,
    /// Parts may be named before they are defined.
    parts: Vec<(Register, SubRegisterIndex, Mark, String)>,
    /// So may classes to spill through.
    through: Vec<(Class, Mark, String)>,
    /// And classes of uniform registers.
    uniform: Vec<(Class, Mark, String)>,
}

impl Reader {
    fn register(&mut self, line: &mut Line) -> Result<(), ParseError> {
        let (at, name) = line.register()?;
        let register = self.registers.next_key();
        self.names.add_register(at, &name, register)?;
        line.require_key("units")?;
        let units = match line.take_word("none") {
            true => Vec::new(),
            false => units(line)?,
        };
        let end = units.iter().map(|unit| unit.as_u32() + 1).max();
        self.unit_count = self.unit_count.max(end.unwrap_or(0));
        if line.take_key("parts")? {
            line.list(',', |line| {
                let (at, index) = line.number::<u16>("a part's number")?;
                if index == 0 {
                    let message = "parts are numbered from 1; 0 is the whole register";
                    return Err(ParseError::new(at, message));
                }
                line.require(':')?;
                let (at, part) = line.register()?;
                self.parts
                    .push((register, SubRegisterIndex(index), at, part));
                Ok(())
            })?;
        }
        self.registers.push(RegisterData {
            name,
            units: units.into(),
            parts: SmallVec::new(),
        });
        Ok(())
    }

    fn class(&mut self, line: &mut Line) -> Result<(), ParseError> {
        let (at, name) = line.name("the class's name")?;
        let class = self.classes.next_key();
        self.names.add_class(at, &name, class)?;
        line.require_key("size")?;
        let (_, spill_size) = line.number("a number of bytes")?;
        line.require_key("alignment")?;
        let (_, spill_alignment) = line.number("a number of bytes")?;
        if line.take_key("through")? {
            let (at, through) = line.name("a class's name")?;
            self.through.push((class, at, through));
        }
        if line.take_key("uniform")? {
            let (at, uniform) = line.name("a class's name")?;
            self.uniform.push((class, at, uniform));
        }
        line.require_key("order")?;
        let order = self.registers(line)?;
        self.classes.push(ClassData {
            name,
            order,
            spill_size,
            spill_alignment,
            spill_through: None,
            uniform: None,
        });
        Ok(())
    }

    fn mask(&mut self, line: &mut Line) -> Result<(), ParseError> {
        let expected = format!("'{}'", self.clobber_masks.next_key());
        let at = line.at();
        let (_, number) = line.numbered("mask", &expected)?;
        if number != self.clobber_masks.len() as u32 {
            let message = format!("expected {expected}, found 'mask{number}'");
            return Err(ParseError::new(at, message));
        }
        let preserves = line.take_key("preserves")?;
        if !preserves && !line.take_key("destroys")? {
            return Err(line.expected("'preserves=' or 'destroys='"));
        }
        let mut bits = FixedBitSet::with_capacity(self.registers.len());
        bits.set_range(.., !preserves);
        for register in self.registers(line)? {
            bits.set(register.as_u32() as usize, preserves);
        }
        self.clobber_masks.push(bits);
        Ok(())
    }

    fn file(&mut self, line: &mut Line) -> Result<(), ParseError> {
        let (_, name) = line.name("the file's name")?;
        line.require_key("size")?;
        let (_, size) = line.number("a number of registers")?;
        line.require_key("columns")?;
        let mut column_of_unit = vec![None; self.unit_count as usize];
        let mut column = 0u16;
        if !line.take_word("none") {
            line.list(',', |line| {
                let at = line.at();
                let units = match line.take_word("_") {
                    true => Vec::new(),
                    false => units(line)?,
                };
                for unit in units {
                    let number = unit.as_u32();
                    let message = match column_of_unit.get_mut(number as usize) {
                        None => format!("unit {number} belongs to no register"),
                        Some(Some(other)) => format!("unit {number} is in column {other} as well"),
                        Some(free) => {
                            *free = Some(column);
                            continue;
                        }
                    };
                    return Err(ParseError::new(at, message));
                }
                let next = column.checked_add(1);
                column = next.ok_or_else(|| ParseError::new(at, "there are too many columns"))?;
                Ok(())
            })?;
        }
        self.files.push(FileData {
            name,
            column_of_unit,
            size,
            bank_count: 1,
        });
        Ok(())
    }

    /// Registers with commas between them, or `none`.
    fn registers(&self, line: &mut Line) -> Result<Vec<Register>, ParseError> {
        if line.take_word("none") {
            return Ok(Vec::new());
        }
        line.list(',', |line| self.names.register(line))
    }

    fn finish(mut self) -> Result<(Machine, Names), ParseError> {
        for (register, index, at, name) in std::mem::take(&mut self.parts) {
            let part = self.names.find_register(at, &name)?;
            let parts = &mut self.registers[register].parts;
            match parts.binary_search_by_key(&index, |part| part.0) {
                Ok(_) => {
                    let message = format!("part {} is there twice", index.0);
                    return Err(ParseError::new(at, message));
                }
                Err(place) => parts.insert(place, (index, part)),
            }
        }
        for (class, at, name) in std::mem::take(&mut self.through) {
            self.classes[class].spill_through = Some(self.names.find_class(at, &name)?);
        }
        for (class, at, name) in std::mem::take(&mut self.uniform) {
            self.classes[class].uniform = Some(self.names.find_class(at, &name)?);
        }
        let machine = Machine {
            table: Arc::new(RegisterTable::new(self.unit_count, self.registers)),
            classes: self.classes,
            clobber_masks: self.clobber_masks,
            files: self.files,
        };
        Ok((machine, self.names))
    }
}

/// Units and ranges of units with `+` between them, ascending.
fn units(line: &mut Line) -> Result<Vec<Unit>, ParseError> {
    let mut units = Vec::new();
    line.list('+', |line| {
        let (at, first) = line.number::<u32>("a unit's number")?;
        let last = match line.take('-') {
            true => line.number::<u32>("a unit's number")?.1,
            false => first,
        };
        if last >= UNIT_LIMIT {
            let message = format!("expected a unit below {UNIT_LIMIT}, found {last}");
            return Err(ParseError::new(at, message));
        }
        let previous = units.last().map_or(0, |unit: &Unit| unit.as_u32() + 1);
        if first > last || first < previous {
            return Err(ParseError::new(at, "units must be in ascending order"));
        }
        units.extend((first..=last).map(Unit::from_u32));
        Ok(())
    })?;
    Ok(units)
}
