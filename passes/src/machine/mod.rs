//! The machine: register files made of units, registers as sets of units,
//! classes as ordered lists of registers, and what calls destroy.
//!
//! Two registers interfere when they share a unit. On x86 the units are LLVM's
//! register units (`al`, `ah`, ...); on a GPU every 32-bit register and every
//! predicate is one unit, a 64-bit value covers two.

pub mod calling_convention;
mod class_table;
pub mod gpu;
pub mod occupancy;
mod restriction;
pub mod streaming_multiprocessor;
mod unit_set;

pub use class_table::ClassTable;
pub use unit_set::{UnitSet, UnitWords};

use cranelift_entity::{PrimaryMap, entity_impl};
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;
use std::sync::Arc;

/// The smallest thing that can be occupied: two registers alias if and only if
/// they have a unit in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit(u32);
entity_impl!(Unit, "u");

/// A physical register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(u32);
entity_impl!(Register, "r");

/// A register class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class(u32);
entity_impl!(Class, "class");

/// A set of registers that an instruction preserves; it destroys all others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClobberMask(u32);
entity_impl!(ClobberMask, "mask");

/// A register file: registers that can be exchanged for one another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct File(u32);
entity_impl!(File, "file");

/// Names a part of a register, such as the low 32 bits of a 64-bit one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SubRegisterIndex(pub u16);

impl SubRegisterIndex {
    /// All of the register.
    pub const WHOLE: Self = Self(0);

    /// Whether this is all of the register.
    pub fn is_whole(self) -> bool {
        self == Self::WHOLE
    }
}

/// A physical register.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterData {
    /// The target's name.
    pub name: String,
    /// The units it covers, ascending.
    pub units: SmallVec<[Unit; 4]>,
    /// Its parts: `(index, register)`, ascending by index.
    pub parts: SmallVec<[(SubRegisterIndex, Register); 4]>,
}

/// The registers of a target, the same for all its functions.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterTable {
    /// Number of units; they are numbered from 0.
    pub unit_count: u32,
    /// All registers.
    pub registers: PrimaryMap<Register, RegisterData>,
    /// The units of each as words of a set.
    unit_words: PrimaryMap<Register, UnitWords>,
}

impl RegisterTable {
    /// The table of registers that have so many units together.
    pub fn new(unit_count: u32, registers: PrimaryMap<Register, RegisterData>) -> Self {
        let unit_words = registers
            .values()
            .map(|data| data.units.iter().copied().collect());
        Self {
            unit_count,
            unit_words: unit_words.collect(),
            registers,
        }
    }
}

/// A register class, as one function may use it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassData {
    /// The target's name.
    pub name: String,
    /// The registers that may be allocated, in the order of preference.
    /// Reserved ones are left out.
    pub order: Vec<Register>,
    /// Bytes of a spill slot; 0 if values of this class are never in memory.
    pub spill_size: u32,
    /// Alignment of a spill slot, in bytes.
    pub spill_alignment: u32,
    /// Set when a value cannot be stored from this class: it goes through a
    /// register of that class, as a GPU's predicates do.
    pub spill_through: Option<Class>,
    /// The class of a GPU's uniform registers that a value of this class may live in
    /// if all threads of a warp have the same one (see [`crate::distribute`]).
    pub uniform: Option<Class>,
}

/// A register file, for counting.
#[derive(Clone, Debug, PartialEq)]
pub struct FileData {
    /// `R`, `P`, ... on a GPU; elsewhere the name of its widest class.
    pub name: String,
    /// For each unit of this file, the number of the register that the unit is
    /// part of; other units have none. Pressure is counted in these registers.
    pub column_of_unit: Vec<Option<u16>>,
    /// Number of registers in the file that may be allocated.
    pub size: u32,
    /// Banks that the registers lie in, by turns; reading several of one bank at once
    /// takes longer. 1 if that makes no difference.
    pub bank_count: u32,
}

/// What a function is allocated on.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The registers.
    pub table: Arc<RegisterTable>,
    /// The classes that the function uses.
    pub classes: PrimaryMap<Class, ClassData>,
    /// For each mask, a bit for each register that is preserved.
    pub clobber_masks: PrimaryMap<ClobberMask, FixedBitSet>,
    /// The register files.
    pub files: PrimaryMap<File, FileData>,
}

impl Machine {
    /// The units of a register.
    pub fn units(&self, register: Register) -> &[Unit] {
        &self.table.registers[register].units
    }

    /// The same as words of a set.
    pub fn unit_words(&self, register: Register) -> &UnitWords {
        &self.table.unit_words[register]
    }

    /// The name of a register.
    pub fn register_name(&self, register: Register) -> &str {
        &self.table.registers[register].name
    }

    /// The part of a register that an index names, if it has such a part.
    pub fn part(&self, register: Register, index: SubRegisterIndex) -> Option<Register> {
        if index.is_whole() {
            return Some(register);
        }
        let parts = &self.table.registers[register].parts;
        let at = parts.binary_search_by_key(&index, |part| part.0).ok()?;
        Some(parts[at].1)
    }

    /// Whether an instruction with this mask keeps the register's value.
    pub fn preserves(&self, mask: ClobberMask, register: Register) -> bool {
        self.clobber_masks[mask][register.as_u32() as usize]
    }

    /// The columns of a file that a register lies in, each once, with a unit of it;
    /// ascending.
    pub fn columns(&self, file: File, register: Register) -> SmallVec<[(u16, Unit); 4]> {
        let column_of_unit = &self.files[file].column_of_unit;
        let column = |&unit: &Unit| Some((column_of_unit[unit.as_u32() as usize]?, unit));
        let mut columns: SmallVec<[_; 4]> =
            self.units(register).iter().filter_map(column).collect();
        // The units of a column need not be consecutive: AArch64's tuples of vectors.
        columns.sort_unstable();
        columns.dedup_by_key(|(column, _)| *column);
        columns
    }

    /// How many columns of a file a value of a class takes.
    pub fn class_columns(&self, file: File, class: Class) -> u32 {
        let first = self.classes[class].order.first();
        first.map_or(0, |&register| self.columns(file, register).len() as u32)
    }

    /// How many registers of its file a register takes: 2 for a GPU's pair.
    pub fn width(&self, register: Register) -> u32 {
        let files = self.files.keys();
        let widths = files.map(|file| self.columns(file, register).len() as u32);
        widths.max().unwrap_or(0)
    }

    /// The bank of a register, if it lies in one of several.
    pub fn bank(&self, register: Register) -> Option<u32> {
        let [unit] = self.units(register) else {
            return None;
        };
        let column = |file: &FileData| file.column_of_unit[unit.as_u32() as usize];
        let mut banked = self.files.values().filter(|file| file.bank_count > 1);
        banked.find_map(|file| Some(u32::from(column(file)?) % file.bank_count))
    }

    /// Whether values of a class can be in memory and in registers by turns: not those
    /// in uniform registers.
    pub fn can_split(&self, class: Class) -> bool {
        let mut classes = self.classes.values();
        classes.all(|data| data.uniform != Some(class))
    }

    /// Whether what is spilled from a file goes to registers of another.
    pub fn is_carried(&self, file: File) -> bool {
        let mut classes = self.classes.iter();
        classes.any(|(class, data)| {
            data.spill_through.is_some() && self.class_columns(file, class) > 0
        })
    }

    /// Whether two registers share a unit.
    pub fn alias(&self, a: Register, b: Register) -> bool {
        let units = self.units(b);
        self.units(a).iter().any(|unit| units.contains(unit))
    }
}
