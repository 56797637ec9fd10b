//! Checks that a function keeps the promises the passes rely on.
//!
//! One walk over blocks, instructions and operands. Every fault has a
//! [`Subject`], so that the text format's parser can point at the line.

use super::{
    Access, Block, Function, Instruction, InstructionKind, MOST_SOURCES, Operand, OperandFlags,
    OperandIndex, OperandRegister, Tuple, VirtualRegister,
};
use crate::machine::{Class, ClassData, Machine, Register, SubRegisterIndex};
use smallvec::SmallVec;
use std::fmt;
use thiserror::Error;

/// What is wrong with a function, and where.
pub(super) struct Fault {
    pub(super) place: Subject,
    pub(super) message: String,
}

/// The part of a function that is at fault.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    Function,
    Value(VirtualRegister),
    Block(Block),
    Instruction(Instruction),
    Operand(Instruction, OperandIndex),
}

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function => formatter.write_str("function"),
            Self::Value(value) => write!(formatter, "{value}"),
            Self::Block(block) => write!(formatter, "{block}"),
            Self::Instruction(instruction) => write!(formatter, "{instruction}"),
            Self::Operand(instruction, operand) => write!(formatter, "{instruction}, {operand}"),
        }
    }
}

/// Why a function is none that could be allocated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("malformed input: {0}")]
pub struct Malformed(pub String);

impl Function {
    /// Checks the structure: ranges follow one another, edges are symmetric,
    /// numbers are in bounds for the machine, operands fit their instructions,
    /// and every register that needs a location has a class with registers.
    ///
    /// It does not check that values are defined before they are used.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn validate(&self, machine: &Machine) -> Result<(), Malformed> {
        check(self, machine)
            .map_err(|fault| Malformed(format!("{}: {}", fault.place, fault.message)))
    }
}

/// Finds the first fault.
pub(super) fn check(function: &Function, machine: &Machine) -> Result<(), Fault> {
    let mut checker = Checker {
        function,
        machine,
        place: Subject::Function,
        checked_parts: SmallVec::new(),
    };
    checker.machine()?;
    checker.values()?;
    checker.blocks()?;
    checker.edges()?;
    checker.instructions()?;
    checker.tuples()
}

struct Checker<'a> {
    function: &'a Function,
    machine: &'a Machine,
    place: Subject,
    /// Classes whose registers are known to have a part with the index.
    checked_parts: SmallVec<[(Class, SubRegisterIndex); 16]>,
}

impl Checker<'_> {
    /// The condition, or a fault at the current place.
    fn require(&self, condition: bool, message: impl FnOnce() -> String) -> Result<(), Fault> {
        if condition {
            return Ok(());
        }
        Err(Fault {
            place: self.place,
            message: message(),
        })
    }

    fn register(&self, register: Register) -> Result<(), Fault> {
        let known = self.machine.table.registers.is_valid(register);
        self.require(known, || format!("there is no register {register}"))
    }

    fn class(&self, class: Class) -> Result<(), Fault> {
        let known = self.machine.classes.is_valid(class);
        self.require(known, || format!("there is no class {class}"))
    }

    fn super_class(&self, super_class: Class, class: Class) -> Result<(), Fault> {
        let (large, small) = (
            &self.machine.classes[super_class],
            &self.machine.classes[class],
        );
        let in_memory =
            |data: &ClassData| (data.spill_size, data.spill_alignment, data.spill_through);
        let mut registers = small.order.iter();
        let suits =
            registers.all(|one| large.order.contains(one)) && in_memory(large) == in_memory(small);
        self.require(suits, || {
            format!("{} is no super-class of {}", large.name, small.name)
        })
    }

    fn machine(&self) -> Result<(), Fault> {
        let registers = self.machine.table.registers.len();
        for data in self.machine.classes.values() {
            data.order.iter().try_for_each(|&one| self.register(one))?;
            let others = [data.spill_through, data.uniform];
            let mut others = others.into_iter().flatten();
            others.try_for_each(|one| self.class(one))?;
        }
        for (mask, bits) in &self.machine.clobber_masks {
            self.require(bits.len() >= registers, || {
                format!("{mask} has {} bits for {registers} registers", bits.len())
            })?;
        }
        Ok(())
    }

    fn values(&mut self) -> Result<(), Fault> {
        for (value, data) in &self.function.virtual_registers {
            self.place = Subject::Value(value);
            self.class(data.class)?;
            if let Some(super_class) = data.super_class {
                self.class(super_class)?;
                self.super_class(super_class, data.class)?;
            }
            data.hints.iter().try_for_each(|&one| self.register(one))?;
        }
        Ok(())
    }

    fn blocks(&mut self) -> Result<(), Fault> {
        let function = self.function;
        self.place = Subject::Function;
        self.require(!function.blocks.is_empty(), || "there are no blocks".into())?;
        let mut end = 0;
        for (block, data) in &function.blocks {
            self.place = Subject::Block(block);
            let range = &data.instructions;
            let follows = range.start == end && range.start <= range.end;
            self.require(follows, || {
                format!("its instructions {range:?} do not follow instruction {end}")
            })?;
            let terminator = data.first_terminator;
            self.require(range.start <= terminator && terminator <= range.end, || {
                format!("its first terminator {terminator} is not within {range:?}")
            })?;
            let frequency = data.frequency;
            self.require(frequency.is_finite() && frequency >= 0.0, || {
                format!("its frequency {frequency} is not a finite number of at least 0")
            })?;
            if let Some(mask) = data.clobbers {
                let known = self.machine.clobber_masks.is_valid(mask);
                self.require(known, || format!("there is no clobber mask {mask}"))?;
            }
            data.live_in
                .iter()
                .try_for_each(|&one| self.register(one))?;
            end = range.end;
        }
        self.place = Subject::Function;
        let count = function.instructions.len();
        self.require(end as usize == count, || {
            format!("its blocks have {end} of its {count} instructions")
        })
    }

    /// Successor and predecessor lists must be the same set of edges.
    fn edges(&mut self) -> Result<(), Fault> {
        let blocks = &self.function.blocks;
        let mut out = Vec::with_capacity(blocks.len() * 2);
        let mut into = Vec::with_capacity(blocks.len() * 2);
        for (block, data) in blocks {
            self.place = Subject::Block(block);
            for &other in data.successors.iter().chain(&data.predecessors) {
                self.require(blocks.is_valid(other), || {
                    format!("there is no block {other}")
                })?;
            }
            out.extend(data.successors.iter().map(|&to| (block, to)));
            into.extend(data.predecessors.iter().map(|&from| (from, block)));
        }
        out.sort_unstable();
        into.sort_unstable();
        for (edges, list) in [(&out, "successors"), (&into, "predecessors")] {
            for pair in edges.windows(2) {
                let (from, to) = pair[0];
                self.place = Subject::Block(from);
                self.require(pair[0] != pair[1], || {
                    format!("the edge from {from} to {to} is twice among the {list}")
                })?;
            }
        }
        // In two sorted lists the smaller of the first different edges is the
        // one that the other list lacks.
        let common = out.iter().zip(&into).take_while(|(a, b)| a == b).count();
        let (lacking, list) = match (out.get(common), into.get(common)) {
            (Some(edge), other) if other.is_none_or(|other| edge < other) => {
                (edge, "predecessors of the second")
            }
            (_, Some(edge)) => (edge, "successors of the first"),
            _ => return Ok(()),
        };
        let (from, to) = *lacking;
        self.place = Subject::Block(from);
        self.require(false, || {
            format!("the edge from {from} to {to} is not among the {list}")
        })
    }

    fn instructions(&mut self) -> Result<(), Fault> {
        let function = self.function;
        let mut end = 0;
        for (instruction, data) in &function.instructions {
            self.place = Subject::Instruction(instruction);
            let range = &data.operands;
            let total = function.operands.len();
            let follows = range.start == end && range.start <= range.end;
            self.require(follows && range.end as usize <= total, || {
                format!("its operands {range:?} do not follow operand {end} of {total}")
            })?;
            end = range.end;
            if let Some(mask) = data.clobbers {
                let known = self.machine.clobber_masks.is_valid(mask);
                self.require(known, || format!("there is no clobber mask {mask}"))?;
            }
            let operands = function.instruction_operands(instruction);
            self.shape(data.kind, operands)?;
            for (index, operand) in operands.iter().enumerate() {
                let number = OperandIndex::from_u32(range.start + index as u32);
                self.place = Subject::Operand(instruction, number);
                self.operand(operand)?;
                self.tie(operand, operands)?;
            }
        }
        self.place = Subject::Function;
        let count = function.operands.len();
        self.require(end as usize == count, || {
            format!("its instructions have {end} of its {count} operands")
        })
    }

    fn tuples(&mut self) -> Result<(), Fault> {
        let mut last = Instruction::from_u32(0);
        for tuple in &self.function.tuples {
            self.place = Subject::Function;
            let known = self.function.instructions.is_valid(tuple.instruction);
            self.require(known, || {
                format!("there is no instruction {}", tuple.instruction)
            })?;
            self.place = Subject::Instruction(tuple.instruction);
            self.require(last <= tuple.instruction, || {
                "its tuple comes after those of later instructions".into()
            })?;
            last = tuple.instruction;
            self.tuple(tuple)?;
        }
        Ok(())
    }

    fn tuple(&self, tuple: &Tuple) -> Result<(), Fault> {
        let operands = self.function.instruction_operands(tuple.instruction);
        let alignment = tuple.alignment;
        self.require(alignment.is_power_of_two() && alignment <= 256, || {
            format!("a tuple's alignment is a power of two up to 256, not {alignment}")
        })?;
        let mut width = None;
        for number in tuple.places.iter().flatten().map(|&one| usize::from(one)) {
            let operand = operands.get(number);
            let is_value = |one: &Operand| one.sub_register.is_whole();
            let value = operand.filter(|one| is_value(one));
            let Some(value) = value.and_then(Operand::virtual_register) else {
                return self.require(false, || {
                    format!("operand {number} of its tuple is not a whole value")
                });
            };
            let class = self.function.virtual_registers[value].class;
            let first = self.machine.classes[class].order.first();
            let found = first.map_or(0, |&register| self.machine.width(register));
            self.require(*width.get_or_insert(found) == found, || {
                "the operands of its tuple have different widths".into()
            })?;
        }
        self.require(tuple.places.len() > 1 && width.is_some(), || {
            "a tuple has two places or more and names a value".into()
        })
    }

    /// The operands that the kind of instruction needs; implicit ones may follow.
    fn shape(&self, kind: InstructionKind, operands: &[Operand]) -> Result<(), Fault> {
        use Access::{Definition, Use};
        let (name, accesses, wanted): (_, &[Access], _) = match kind {
            InstructionKind::Plain => return Ok(()),
            InstructionKind::Copy => ("copy", &[Definition, Use], "a definition and a use"),
            InstructionKind::Store(_) => ("store", &[Use], "a use"),
            InstructionKind::Reload(_) => ("reload", &[Definition], "a definition"),
            InstructionKind::Rematerialise(_) => {
                let count = operands.len().clamp(1, MOST_SOURCES + 1);
                const ACCESSES: [Access; MOST_SOURCES + 1] = [Definition, Use, Use, Use];
                (
                    "again",
                    &ACCESSES[..count],
                    "a definition and up to three uses",
                )
            }
            InstructionKind::Widen => ("widen", &[Definition, Use], "a definition and a use"),
            InstructionKind::Narrow => ("narrow", &[Definition, Use], "a definition and a use"),
            InstructionKind::Move => ("move", &[Definition, Use], "a definition and a use"),
        };
        let count = operands
            .iter()
            .rposition(|operand| !operand.flags.contains(OperandFlags::IMPLICIT))
            .map_or(0, |last| last + 1)
            .max(accesses.len().min(operands.len()));
        let found = operands[..count].iter().map(|operand| operand.access);
        self.require(found.eq(accesses.iter().copied()), || {
            let definitions = operands[..count].iter().filter(|o| o.is_definition());
            let definitions = definitions.count();
            format!(
                "a {name} has {wanted}; found {definitions} definitions and {} uses",
                count - definitions
            )
        })
    }

    fn operand(&mut self, operand: &Operand) -> Result<(), Fault> {
        let index = operand.sub_register;
        match operand.register {
            OperandRegister::Physical(register) => {
                self.register(register)?;
                self.require(index.is_whole(), || {
                    format!(
                        "part {} of ${} must be named as a register of its own",
                        index.0,
                        self.machine.register_name(register)
                    )
                })?;
            }
            OperandRegister::Slot(slot) => {
                self.require(false, || format!("only the allocator names {slot}"))?;
            }
            OperandRegister::Loaded(from) => {
                self.require(false, || format!("only the allocator loads as {from} does"))?;
            }
            OperandRegister::Virtual(value) => {
                let known = self.function.virtual_registers.is_valid(value);
                self.require(known, || format!("there is no virtual register {value}"))?;
                let class = self.function.virtual_registers[value].class;
                let data = &self.machine.classes[class];
                self.require(!data.order.is_empty(), || {
                    format!("class {} of {value} has no registers", data.name)
                })?;
                if !index.is_whole() && !self.checked_parts.contains(&(class, index)) {
                    for &register in &data.order {
                        let part = self.machine.part(register, index);
                        self.require(part.is_some(), || {
                            let name = self.machine.register_name(register);
                            format!("${name} of class {} has no part {}", data.name, index.0)
                        })?;
                    }
                    self.checked_parts.push((class, index));
                }
            }
        }
        let only_definitions = OperandFlags::EARLY_CLOBBER | OperandFlags::DEAD;
        let allowed = operand.is_definition() || !operand.flags.intersects(only_definitions);
        self.require(allowed, || "only a definition can be early or dead".into())?;
        let allowed = !operand.is_definition() || !operand.is_live_through();
        self.require(allowed, || "only a use can be live_through".into())
    }

    fn tie(&self, operand: &Operand, operands: &[Operand]) -> Result<(), Fault> {
        let Some(target) = operand.tied_to else {
            return Ok(());
        };
        self.require(!operand.is_definition(), || "only a use can be tied".into())?;
        let Some(definition) = operands.get(usize::from(target)) else {
            return self.require(false, || {
                format!("tied to operand {target} of {}", operands.len())
            });
        };
        self.require(definition.is_definition(), || {
            format!("tied to operand {target}, which is not a definition")
        })?;
        self.require(definition.register == operand.register, || {
            format!("tied to operand {target}, which names another register")
        })
    }
}

#[cfg(test)]
mod tests;
