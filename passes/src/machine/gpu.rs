//! The register files of an NVIDIA GPU, sm_70 and later.
//!
//! R: 255 registers of 32 bits (R255 reads as zero). A 64-bit value takes an
//! even pair, a 128-bit one an aligned quad; 16-bit values take a whole
//! register. P: seven predicates, P7 reads as true. UR and UP: 63 and seven of
//! the uniform data path. Source: NVIDIA's "CUDA Binary Utilities" and the ptxas
//! document's table of register classes.

use super::streaming_multiprocessor::StreamingMultiprocessor;
use super::{
    Class, ClassData, File, FileData, Machine, Register, RegisterData, RegisterTable,
    SubRegisterIndex, Unit,
};
use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;
use std::sync::{Arc, LazyLock};

/// The file of the threads' registers.
pub const R_NAME: &str = "R";
/// Registers in the R file.
pub const R_SIZE: u32 = 255;
/// Registers in the UR file.
pub const UR_SIZE: u32 = 63;
/// Predicates, and uniform predicates.
pub const P_SIZE: u32 = 7;

/// Bits of a register.
const WORD_BITS: u32 = 32;
/// Predicates that one register of the R file holds as bits: [`bit_of_packed`] says which.
const WORD_PREDICATES: u32 = WORD_BITS / BYTE_BITS * BYTE_PREDICATES;
const BYTE_BITS: u32 = 8;
/// Seven of the bits of a byte, so that one of its lowest seven is free.
const BYTE_PREDICATES: u32 = 7;
/// The bit that is free.
const FREE_BIT: u32 = 6;
/// The most registers that hold predicates so.
pub const MOST_WORDS: u32 = 2;

/// Banks of the R file: the even registers and the odd ones (sm_70 and later).
pub const REGISTER_BANKS: u32 = 2;

/// PTX `.pred`, LLVM's B1.
pub const PREDICATE: Class = class(0);
/// PTX `.b16`, LLVM's B16: one 32-bit register.
pub const SINGLE16: Class = class(1);
/// PTX `.b32`, LLVM's B32.
pub const SINGLE32: Class = class(2);
/// PTX `.b64`, LLVM's B64: an even pair.
pub const PAIR: Class = class(3);
/// PTX `.b128`, LLVM's B128: an aligned quad.
pub const QUAD: Class = class(4);
/// A uniform 32-bit register.
pub const UNIFORM: Class = class(5);
/// An even pair of uniform registers.
pub const UNIFORM_PAIR: Class = class(6);
/// A uniform predicate.
pub const UNIFORM_PREDICATE: Class = class(7);
/// PTX `.b64` of which only the low half is read: one 32-bit register (see
/// [`crate::pipeline::narrow`]).
pub const LOW_HALF: Class = class(8);
/// A predicate that is one bit of a register of the R file; only machines that
/// [`Machine::with_packed_predicates`] made have this class.
pub const PACKED_PREDICATE: Class = class(9);

const fn class(index: u32) -> Class {
    Class(index)
}

/// The file of predicates.
pub const PREDICATE_FILE: File = File(1);
/// The file of uniform registers.
pub const UNIFORM_FILE: File = File(2);

/// A run of registers of one width in one file.
struct Row {
    prefix: &'static str,
    first_unit: u32,
    size: u32,
    width: u32,
}

const R_UNIT: u32 = 0;
const P_UNIT: u32 = R_UNIT + R_SIZE;
const UR_UNIT: u32 = P_UNIT + P_SIZE;
const UP_UNIT: u32 = UR_UNIT + UR_SIZE;
const PB_UNIT: u32 = UP_UNIT + P_SIZE;
const PB_SIZE: u32 = MOST_WORDS * WORD_PREDICATES;
const UNIT_COUNT: u32 = PB_UNIT + PB_SIZE;

/// The row of the predicates that are bits.
const PB_ROW: usize = 7;

const ROWS: [Row; 8] = [
    row("R", R_UNIT, R_SIZE, 1),
    row("RD", R_UNIT, R_SIZE, 2),
    row("RQ", R_UNIT, R_SIZE, 4),
    row("P", P_UNIT, P_SIZE, 1),
    row("UR", UR_UNIT, UR_SIZE, 1),
    row("URD", UR_UNIT, UR_SIZE, 2),
    row("UP", UP_UNIT, P_SIZE, 1),
    row("PB", PB_UNIT, PB_SIZE, 1),
];

const fn row(prefix: &'static str, first_unit: u32, size: u32, width: u32) -> Row {
    Row {
        prefix,
        first_unit,
        size,
        width,
    }
}

static TABLE: LazyLock<Arc<RegisterTable>> = LazyLock::new(|| Arc::new(register_table()));

/// Registers are named by their first: RD4 is the pair R4:R5.
fn register_table() -> RegisterTable {
    let mut registers = PrimaryMap::new();
    for row in &ROWS {
        for index in (0..row.size / row.width).map(|n| n * row.width) {
            let first = row.first_unit + index;
            registers.push(RegisterData {
                name: format!("{}{index}", row.prefix),
                units: (first..first + row.width).map(Unit::from_u32).collect(),
                parts: SmallVec::<[(SubRegisterIndex, Register); 4]>::new(),
            });
        }
    }
    RegisterTable::new(UNIT_COUNT, registers)
}

/// The registers of one row of the table that fit below `limit`, ascending.
fn order(row: usize, limit: u32) -> Vec<Register> {
    let count = |row: &Row| row.size / row.width;
    let begin: u32 = ROWS[..row].iter().map(count).sum();
    let fitting = limit.min(ROWS[row].size) / ROWS[row].width;
    (begin..begin + fitting).map(Register::from_u32).collect()
}

/// The machine with the first `limit` registers of the R file, at most 255.
pub fn machine(limit: u32) -> Machine {
    let data = |name: &str, row, limit, bytes, spill_through| ClassData {
        name: name.into(),
        order: order(row, limit),
        spill_size: bytes,
        spill_alignment: bytes,
        spill_through,
        uniform: None,
    };
    let mut classes = PrimaryMap::new();
    classes.push(data("B1", 3, P_SIZE, 4, Some(SINGLE32)));
    classes.push(data("B16", 0, limit, 2, None));
    classes.push(data("B32", 0, limit, 4, None));
    classes.push(data("B64", 1, limit, 8, None));
    classes.push(data("B128", 2, limit, 16, None));
    classes.push(data("U32", 4, UR_SIZE, 4, Some(SINGLE32)));
    classes.push(data("U64", 5, UR_SIZE, 8, Some(PAIR)));
    classes.push(data("U1", 6, P_SIZE, 4, Some(UNIFORM)));
    classes.push(data("B64L", 0, limit, 4, None));
    for (class, uniform) in [
        (PREDICATE, UNIFORM_PREDICATE),
        (SINGLE32, UNIFORM),
        (PAIR, UNIFORM_PAIR),
        (LOW_HALF, UNIFORM),
    ] {
        classes[class].uniform = Some(uniform);
    }

    let mut files = PrimaryMap::new();
    for (name, first, size, usable, bank_count) in [
        (R_NAME, R_UNIT, R_SIZE, limit.min(R_SIZE), REGISTER_BANKS),
        ("P", P_UNIT, P_SIZE, P_SIZE, 1),
        ("UR", UR_UNIT, UR_SIZE, UR_SIZE, 1),
        ("UP", UP_UNIT, P_SIZE, P_SIZE, 1),
    ] {
        files.push(FileData {
            name: name.into(),
            column_of_unit: columns_from(first, size),
            size: usable,
            bank_count,
        });
    }
    Machine {
        table: TABLE.clone(),
        classes,
        clobber_masks: PrimaryMap::new(),
        files,
    }
}

/// A column for each of so many units.
fn columns_from(first_unit: u32, size: u32) -> Vec<Option<u16>> {
    let mut column_of_unit = vec![None; UNIT_COUNT as usize];
    for index in 0..size {
        column_of_unit[(first_unit + index) as usize] = Some(index as u16);
    }
    column_of_unit
}

/// Whether a machine has these registers and classes.
pub fn is_gpu(machine: &Machine) -> bool {
    Arc::ptr_eq(&machine.table, &TABLE)
}

/// Gives a machine of [`machine`] a file of predicates that are bits of so many registers,
/// for those of the P file to be spilled to. The caller takes the registers that hold them off
/// the R file: [`Machine::with_packed_predicates`].
pub(crate) fn add_packed_predicates(machine: &mut Machine, words: u32) {
    let bits = words * WORD_PREDICATES;
    let packed = machine.classes.push(ClassData {
        name: "B1P".into(),
        order: order(PB_ROW, bits),
        spill_size: 0,
        spill_alignment: 1,
        spill_through: None,
        uniform: None,
    });
    debug_assert_eq!(packed, PACKED_PREDICATE);
    machine.classes[PREDICATE].spill_through = Some(packed);
    machine.files.push(FileData {
        name: "PB".into(),
        column_of_unit: columns_from(PB_UNIT, PB_SIZE),
        size: bits,
        bank_count: 1,
    });
}

/// The class of a PTX register class by LLVM's name for it.
pub fn class_by_ptx_name(name: &str) -> Option<Class> {
    Some(match name {
        "B1" => PREDICATE,
        "B16" => SINGLE16,
        "B32" => SINGLE32,
        "B64" => PAIR,
        "B128" => QUAD,
        _ => return None,
    })
}

/// The class that PTX has for the values of this one.
pub fn ptx_class(class: Class) -> Class {
    match class {
        LOW_HALF => PAIR,
        PACKED_PREDICATE => SINGLE32,
        _ => class,
    }
}

/// How many registers of the R file a value of this class takes, if it takes any for
/// itself: 16-bit values share one where PTX has several of them in a vector.
pub fn columns(class: Class) -> Option<u32> {
    match class {
        SINGLE32 => Some(1),
        PAIR => Some(2),
        QUAD => Some(4),
        _ => None,
    }
}

/// What the first register of a tuple of so many registers must be a multiple of: its
/// own size rounded up to a power of two, within limits. For accumulators of the tensor
/// cores the limit depends on the SM; everything else is read and written by fours at
/// most. Source: cicc documents, "Tensor Core Alignment": 8 for the WMMA of sm_70 and
/// sm_75, 4 for the mma.sync of sm_80 to sm_89, 8 for the warpgroups of sm_90 and for
/// what follows.
pub fn tuple_alignment(sm: &StreamingMultiprocessor, size: u32, accumulator: bool) -> u32 {
    let limit = match accumulator {
        true => sm.accumulator_alignment,
        false => 4,
    };
    size.next_power_of_two().min(limit)
}

/// The number, within its file, of the first register that this one covers:
/// 4 for R4 and for the pair R4:R5, 2 for P2.
pub fn index_in_file(register: Register) -> u32 {
    let unit = TABLE.registers[register].units[0].as_u32();
    let first = [PB_UNIT, UP_UNIT, UR_UNIT, P_UNIT, R_UNIT]
        .into_iter()
        .find(|&first| unit >= first);
    unit - first.unwrap_or(0)
}

/// Whether a register is one of the uniform data path's.
pub fn is_uniform(register: Register) -> bool {
    (UR_UNIT..PB_UNIT).contains(&TABLE.registers[register].units[0].as_u32())
}

/// Whether a register is a bit of another.
pub fn is_packed(register: Register) -> bool {
    TABLE.registers[register].units[0].as_u32() >= PB_UNIT
}

/// The bit that a register of the file of packed predicates is, 32 to a word.
///
/// ptxas makes one instruction, R2P, of comparisons that test the lowest seven bits of a
/// byte, and moves them together for that. One of all seven needs the whole P file for its
/// results, with which ptxas 13.0.88 fails: "Register allocation failed with register count
/// of '7'". So no byte has more than six of them in use.
pub fn bit_of_packed(register: Register) -> u32 {
    let index = index_in_file(register);
    let (word, number) = (index / WORD_PREDICATES, index % WORD_PREDICATES);
    let (byte, place) = (number / BYTE_PREDICATES, number % BYTE_PREDICATES);
    let bit = if place < FREE_BIT { place } else { place + 1 };
    word * WORD_BITS + byte * BYTE_BITS + bit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_predicates_leave_one_of_seven_bits_free() {
        let machine = machine(255).with_packed_predicates(MOST_WORDS).into_owned();
        let order = &machine.classes[PACKED_PREDICATE].order;
        let bits: Vec<_> = order.iter().map(|&one| bit_of_packed(one)).collect();
        assert_eq!(bits[..9], [0, 1, 2, 3, 4, 5, 7, 8, 9]);
        assert!(bits.is_sorted_by(|one, next| one < next), "a bit for each");
        assert!(
            bits.iter()
                .all(|bit| bit % 8 != 6 && *bit < MOST_WORDS * WORD_BITS)
        );
        assert_eq!(bits.last(), Some(&63));
    }

    #[test]
    fn uniform_classes_have_the_width_of_their_counterparts() {
        let machine = machine(255);
        let counterparts = machine.classes.values().filter_map(|data| {
            let uniform = &machine.classes[data.uniform?];
            Some((data, uniform))
        });
        for (data, uniform) in counterparts {
            assert_eq!(data.spill_size, uniform.spill_size, "{}", data.name);
            assert!(uniform.order.iter().all(|&register| is_uniform(register)));
            assert!(!data.order.iter().any(|&register| is_uniform(register)));
        }
        assert_eq!(machine.classes[SINGLE16].uniform, None);
        assert_eq!(machine.classes[UNIFORM].order.len(), 63);
        assert_eq!(machine.classes[UNIFORM_PREDICATE].order.len(), 7);
    }

    #[test]
    fn pairs_are_even_and_quads_aligned() {
        let machine = machine(255);
        for (class, width) in [(PAIR, 2), (QUAD, 4), (UNIFORM_PAIR, 2)] {
            for &register in &machine.classes[class].order {
                assert_eq!(index_in_file(register) % width, 0);
                assert_eq!(machine.units(register).len() as u32, width);
            }
        }
        assert_eq!(machine.classes[SINGLE32].order.len(), 255);
        assert_eq!(machine.classes[PAIR].order.len(), 127);
        assert_eq!(machine.classes[QUAD].order.len(), 63);
        assert_eq!(machine.classes[PREDICATE].order.len(), 7);
    }

    #[test]
    fn a_limit_keeps_wide_registers_below_it() {
        let machine = machine(33);
        let last = |class: Class| *machine.classes[class].order.last().unwrap();
        assert_eq!(machine.register_name(last(SINGLE32)), "R32");
        assert_eq!(machine.register_name(last(PAIR)), "RD30");
        assert_eq!(machine.register_name(last(QUAD)), "RQ28");
    }

    #[test]
    fn accumulators_are_aligned_as_the_sm_says() {
        for (sm, size, alignment) in [
            (70, 8, 8),
            (75, 4, 4),
            (80, 8, 4),
            (89, 4, 4),
            (89, 2, 2),
            (90, 64, 8),
            (90, 4, 4),
            (100, 32, 8),
            (120, 8, 8),
        ] {
            let row = StreamingMultiprocessor::nearest(sm);
            assert_eq!(tuple_alignment(row, size, true), alignment, "sm_{sm}");
        }
        let hopper = StreamingMultiprocessor::nearest(90);
        for (size, alignment) in [(2, 2), (3, 4), (4, 4), (8, 4)] {
            assert_eq!(tuple_alignment(hopper, size, false), alignment);
        }
    }

    #[test]
    fn a_pair_aliases_its_halves_only() {
        let machine = machine(8);
        let pair = machine.classes[PAIR].order[1];
        let aliases: Vec<_> = machine.classes[SINGLE32]
            .order
            .iter()
            .filter(|&&register| machine.alias(pair, register))
            .map(|&register| machine.register_name(register))
            .collect();
        assert_eq!(aliases, ["R2", "R3"]);
    }
}
