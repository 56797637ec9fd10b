//! The machine: a target's register table, and what one function may use of it.

use super::raw::{FunctionTables, TargetTables};
use super::{ClassNumbers, files, malformed};
use cranelift_entity::PrimaryMap;
use fixedbitset::FixedBitSet;
use passes::error::Error;
use passes::machine::{
    Class, ClassData, Machine, Register, RegisterData, RegisterTable, SubRegisterIndex, Unit, gpu,
};
use std::ops::Range;
use std::sync::Arc;

/// Checks and builds the register table.
pub fn register_table(tables: &TargetTables) -> Result<RegisterTable, Error> {
    let count = tables.register_names.len();
    if tables.unit_count as usize > tables.units.len() {
        return Err(malformed("there are register units of no register"));
    }
    let indices = tables.sub_register_index_count;
    let mut registers = PrimaryMap::with_capacity(count);
    for (number, name) in tables.register_names.iter().enumerate() {
        let units = range(
            tables.unit_begin[number],
            tables.unit_begin[number + 1],
            tables.units.len(),
            "the units of a register",
        )?;
        let units = &tables.units[units];
        let ascending = units.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || units.iter().any(|&unit| unit >= tables.unit_count) {
            return Err(malformed(format!("the units of register {name} are wrong")));
        }
        let parts = &tables.sub_registers[number * indices..(number + 1) * indices];
        if parts.iter().any(|&part| part as usize >= count) {
            return Err(malformed(format!("a part of register {name} is unknown")));
        }
        registers.push(RegisterData {
            name: (*name).into(),
            units: units.iter().map(|&unit| Unit::from_u32(unit)).collect(),
            parts: parts
                .iter()
                .enumerate()
                .filter(|&(index, &part)| index != 0 && part != 0)
                .map(|(index, &part)| {
                    let index = SubRegisterIndex(index as u16);
                    (index, Register::from_u32(part.into()))
                })
                .collect(),
        });
    }
    Ok(RegisterTable::new(tables.unit_count, registers))
}

/// The machine for a function on a target whose registers LLVM knows.
pub fn of_function(table: &Arc<RegisterTable>, tables: &FunctionTables) -> Result<Machine, Error> {
    let mut classes = PrimaryMap::with_capacity(tables.classes.len());
    for &(name, class) in &tables.classes {
        let order = range(
            class.order_begin,
            class.order_end,
            tables.class_order.len(),
            "the order of a class",
        )?;
        classes.push(ClassData {
            name: name.into(),
            order: tables.class_order[order]
                .iter()
                .map(|&number| register(number, table))
                .collect::<Result<_, _>>()?,
            spill_size: class.spill_size,
            spill_alignment: class.spill_alignment,
            spill_through: None,
            uniform: None,
        });
    }
    if classes.is_empty() {
        // Virtual registers without operands need some class.
        classes.push(ClassData {
            name: "none".into(),
            order: Vec::new(),
            spill_size: 0,
            spill_alignment: 1,
            spill_through: None,
            uniform: None,
        });
    }
    Ok(Machine {
        files: files::of_classes(table, &classes),
        table: table.clone(),
        classes,
        clobber_masks: tables
            .clobber_masks
            .iter()
            .map(|words| preserved(words, table.registers.len()))
            .collect(),
    })
}

/// The machine for a function on a GPU, and what its classes are there.
pub fn gpu_of_function(tables: &FunctionTables) -> Result<(Machine, ClassNumbers), Error> {
    let classes = tables
        .classes
        .iter()
        .map(|&(name, _)| {
            gpu::class_by_ptx_name(name)
                .ok_or_else(|| malformed(format!("registers of class {name} cannot be allocated")))
        })
        .collect::<Result<Vec<Class>, Error>>()?;
    Ok((gpu::machine(gpu::R_SIZE), ClassNumbers::Gpu(classes)))
}

/// A register of the table by number.
pub fn register(number: u32, table: &RegisterTable) -> Result<Register, Error> {
    if number == 0 || number as usize >= table.registers.len() {
        return Err(malformed(format!("register {number} does not exist")));
    }
    Ok(Register::from_u32(number))
}

/// A range of an array of `length` elements.
pub fn range(begin: u32, end: u32, length: usize, what: &str) -> Result<Range<usize>, Error> {
    if begin > end || end as usize > length {
        return Err(malformed(format!("{what} lie outside the table")));
    }
    Ok(begin as usize..end as usize)
}

/// LLVM's mask, cut to the number of registers.
fn preserved(words: &[u32], registers: usize) -> FixedBitSet {
    let is_preserved = |&register: &usize| words[register / 32] >> (register % 32) & 1 != 0;
    let mut preserved = FixedBitSet::with_capacity(registers);
    preserved.extend((0..registers).filter(is_preserved));
    preserved
}
