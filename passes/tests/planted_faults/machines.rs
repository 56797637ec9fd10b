//! Two small machines.

use cranelift_entity::PrimaryMap;
use fixedbitset::FixedBitSet;
use passes::machine::{
    Class, ClassData, ClobberMask, File, FileData, Machine, Register, RegisterData, RegisterTable,
    SubRegisterIndex, Unit,
};
use std::sync::Arc;

/// The lower half of a register.
pub const LOW: SubRegisterIndex = SubRegisterIndex(1);
/// The upper half of a register.
pub const HIGH: SubRegisterIndex = SubRegisterIndex(2);

fn add(
    registers: &mut PrimaryMap<Register, RegisterData>,
    name: String,
    units: impl IntoIterator<Item = u32>,
    parts: &[(SubRegisterIndex, Register)],
) -> Register {
    registers.push(RegisterData {
        name,
        units: units.into_iter().map(Unit::from_u32).collect(),
        parts: parts.iter().copied().collect(),
    })
}

fn class(name: &str, order: &[Register], size: u32, through: Option<Class>) -> ClassData {
    ClassData {
        name: name.to_owned(),
        order: order.to_vec(),
        spill_size: size,
        spill_alignment: size,
        spill_through: through,
        uniform: None,
    }
}

fn files(table: &RegisterTable) -> PrimaryMap<File, FileData> {
    let mut files = PrimaryMap::new();
    files.push(FileData {
        name: "all".to_owned(),
        column_of_unit: (0..table.unit_count as u16).map(Some).collect(),
        size: table.unit_count,
        bank_count: 1,
    });
    files
}

/// Four registers with two halves each, and a stack pointer that is not ours.
pub struct Cpu {
    pub machine: Machine,
    /// `x0` to `x3`.
    pub whole: Vec<Register>,
    /// `x0l` to `x3l`.
    pub low: Vec<Register>,
    pub stack_pointer: Register,
    /// 8 bytes, `x0` to `x3`.
    pub wide: Class,
    /// 8 bytes, `x0` and `x1` only.
    pub first_two: Class,
    /// 4 bytes, the lower halves, then the upper ones.
    pub half: Class,
    /// The registers of `wide`, but in a form that memory cannot hold.
    pub flags: Class,
    /// Preserves `x2` with its halves, and `x3l`, but neither `x3` nor `x3h`.
    pub call: ClobberMask,
}

/// Makes the [`Cpu`].
pub fn cpu() -> Cpu {
    let mut registers = PrimaryMap::new();
    let (mut whole, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..4 {
        let unit = number * 2;
        let l = add(&mut registers, format!("x{number}l"), [unit], &[]);
        let h = add(&mut registers, format!("x{number}h"), [unit + 1], &[]);
        let parts = [(LOW, l), (HIGH, h)];
        let name = format!("x{number}");
        whole.push(add(&mut registers, name, [unit, unit + 1], &parts));
        low.push(l);
        high.push(h);
    }
    let stack_pointer = add(&mut registers, "sp".to_owned(), [8], &[]);
    let mut classes = PrimaryMap::new();
    let wide = classes.push(class("wide", &whole, 8, None));
    let first_two = classes.push(class("first_two", &whole[..2], 8, None));
    let halves = [low.clone(), high.clone()].concat();
    let half = classes.push(class("half", &halves, 4, None));
    let flags = classes.push(class("flags", &whole, 8, Some(wide)));
    let mut clobber_masks = PrimaryMap::new();
    let mut mask = FixedBitSet::with_capacity(registers.len());
    for register in [whole[2], low[2], high[2], low[3], stack_pointer] {
        mask.set(register.as_u32() as usize, true);
    }
    let call = clobber_masks.push(mask);
    let table = RegisterTable::new(9, registers);
    let files = files(&table);
    Cpu {
        machine: Machine {
            table: Arc::new(table),
            classes,
            clobber_masks,
            files,
        },
        whole,
        low,
        stack_pointer,
        wide,
        first_two,
        half,
        flags,
        call,
    }
}

/// Eight 32-bit registers, the pairs of neighbours, and two predicates.
pub struct Gpu {
    pub machine: Machine,
    /// `R0` to `R7`.
    pub r: Vec<Register>,
    /// `R0R1`, `R1R2`, ...
    pub pair: Vec<Register>,
    /// `P0` and `P1`.
    pub p: Vec<Register>,
    pub b32: Class,
    pub b64: Class,
    /// 2 bytes in an `R`.
    pub b16: Class,
    /// Spilled through `b32`.
    pub predicate: Class,
}

/// Makes the [`Gpu`].
pub fn gpu() -> Gpu {
    let mut registers = PrimaryMap::new();
    let r: Vec<_> = (0..8)
        .map(|number| add(&mut registers, format!("R{number}"), [number], &[]))
        .collect();
    let pair: Vec<_> = (0..7)
        .map(|number| {
            let parts = [(LOW, r[number]), (HIGH, r[number + 1])];
            let units = [number as u32, number as u32 + 1];
            add(
                &mut registers,
                format!("R{number}R{}", number + 1),
                units,
                &parts,
            )
        })
        .collect();
    let p: Vec<_> = (0..2)
        .map(|number| add(&mut registers, format!("P{number}"), [8 + number], &[]))
        .collect();
    let mut classes = PrimaryMap::new();
    let b32 = classes.push(class("b32", &r, 4, None));
    let b64 = classes.push(class("b64", &pair, 8, None));
    let b16 = classes.push(class("b16", &r, 2, None));
    let predicate = classes.push(class("predicate", &p, 1, Some(b32)));
    let table = RegisterTable::new(10, registers);
    let files = files(&table);
    Gpu {
        machine: Machine {
            table: Arc::new(table),
            classes,
            clobber_masks: PrimaryMap::new(),
            files,
        },
        r,
        pair,
        p,
        b32,
        b64,
        b16,
        predicate,
    }
}
