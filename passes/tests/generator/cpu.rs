//! A small CPU: registers of two halves, a constrained class, another file,
//! flags, a reserved register and a calling convention.

use cranelift_entity::PrimaryMap;
use fixedbitset::FixedBitSet;
use passes::machine::{
    Class, ClassData, ClobberMask, FileData, Machine, Register, RegisterData, RegisterTable,
    SubRegisterIndex, Unit,
};
use std::sync::Arc;

/// Classes by number: all whole registers, the first four, halves, floats.
pub const FULL: u32 = 0;
pub const LOW: u32 = 1;
pub const HALF: u32 = 2;
pub const FLOAT: u32 = 3;

/// The halves' indices.
pub const LOWER: SubRegisterIndex = SubRegisterIndex(1);
pub const UPPER: SubRegisterIndex = SubRegisterIndex(2);

/// Float registers.
const FLOATS: u32 = 4;

/// The machine with `count` whole registers `x0`, `x1`, ... that may be
/// allocated, of which a call keeps the last two, as does `f3`.
pub fn cpu_machine(count: u32) -> Machine {
    let mut table = Table::default();
    // One more than may be allocated: the stack pointer.
    let full: Vec<Register> = (0..=count).map(|index| table.whole(index)).collect();
    let floats: Vec<Register> = (0..FLOATS)
        .map(|index| table.register(format!("f{index}"), 1))
        .collect();
    table.register("flags".into(), 1);

    let may_be_allocated = &full[..count as usize];
    let part = |register: Register, half: usize| table.registers[register].parts[half].1;
    let halves = may_be_allocated
        .iter()
        .flat_map(|&one| [part(one, 0), part(one, 1)]);
    let data = |name: &str, order, size| ClassData {
        name: name.into(),
        order,
        spill_size: size,
        spill_alignment: size,
        spill_through: None,
        uniform: None,
    };
    let mut classes: PrimaryMap<Class, ClassData> = PrimaryMap::new();
    classes.push(data("Full", may_be_allocated.to_vec(), 8));
    classes.push(data("Low", may_be_allocated[..4].to_vec(), 8));
    classes.push(data("Half", halves.collect(), 4));
    classes.push(data("Float", floats.clone(), 8));

    let mut preserved = FixedBitSet::with_capacity(table.registers.len());
    let kept = [
        full[count as usize - 2],
        full[count as usize - 1],
        full[count as usize],
    ];
    for register in kept {
        preserved.set(register.as_u32() as usize, true);
        for &(_, part) in &table.registers[register].parts {
            preserved.set(part.as_u32() as usize, true);
        }
    }
    preserved.set(floats[3].as_u32() as usize, true);
    let mut clobber_masks: PrimaryMap<ClobberMask, FixedBitSet> = PrimaryMap::new();
    clobber_masks.push(preserved);

    let mut files = PrimaryMap::new();
    files.push(table.file("Full", may_be_allocated));
    files.push(table.file("Float", &floats));
    Machine {
        table: Arc::new(RegisterTable::new(table.unit_count, table.registers)),
        classes,
        clobber_masks,
        files,
    }
}

/// The register of a name.
pub fn register(machine: &Machine, name: &str) -> Register {
    let mut registers = machine.table.registers.iter();
    let found = registers.find(|(_, data)| data.name == name);
    found.expect("a register of that name").0
}

#[derive(Default)]
struct Table {
    unit_count: u32,
    registers: PrimaryMap<Register, RegisterData>,
}

impl Table {
    fn register(&mut self, name: String, units: u32) -> Register {
        let first = self.unit_count;
        self.unit_count += units;
        self.registers.push(RegisterData {
            name,
            units: (first..first + units).map(Unit::from_u32).collect(),
            parts: Default::default(),
        })
    }

    /// A whole register after its two halves.
    fn whole(&mut self, index: u32) -> Register {
        let lower = self.register(format!("x{index}l"), 1);
        let upper = self.register(format!("x{index}h"), 1);
        let first = self.unit_count - 2;
        self.registers.push(RegisterData {
            name: format!("x{index}"),
            units: [first, first + 1].map(Unit::from_u32).into_iter().collect(),
            parts: [(LOWER, lower), (UPPER, upper)].into_iter().collect(),
        })
    }

    fn file(&self, name: &str, registers: &[Register]) -> FileData {
        let mut column_of_unit = vec![None; self.unit_count as usize];
        for (column, &register) in registers.iter().enumerate() {
            for unit in &self.registers[register].units {
                column_of_unit[unit.as_u32() as usize] = Some(column as u16);
            }
        }
        FileData {
            name: name.into(),
            column_of_unit,
            size: registers.len() as u32,
            bank_count: 1,
        }
    }
}
