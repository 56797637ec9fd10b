//! Tables as the shim fills them, with the arrays that they point to: of a small
//! function, or of any problem. Tests and fuzz targets spoil them.

use crate::abi::*;
use passes::function::{
    Block, Function, InstructionFlags, InstructionKind, Operand, OperandFlags, OperandRegister,
};
use passes::machine::{ClobberMask, Machine, Register, RegisterTable, SubRegisterIndex};
use std::ffi::{CString, c_char};
use std::ops::Range;
use std::ptr;

/// The registers of a target.
pub struct TargetTables {
    pub names: Vec<CString>,
    pub unit_count: u32,
    pub unit_begin: Vec<u32>,
    pub units: Vec<u32>,
    pub sub_register_index_count: u32,
    pub sub_registers: Vec<u16>,
    pub is_nvptx: bool,
    name_pointers: Vec<*const c_char>,
}

impl TargetTables {
    /// Four registers of one unit each.
    pub fn small() -> Self {
        Self {
            names: ["none", "a", "b", "c", "d"].map(string).into(),
            unit_count: 4,
            unit_begin: vec![0, 0, 1, 2, 3, 4],
            units: vec![0, 1, 2, 3],
            sub_register_index_count: 1,
            sub_registers: vec![0; 5],
            is_nvptx: false,
            name_pointers: Vec::new(),
        }
    }

    /// An NVIDIA GPU, whose registers LLVM does not know.
    pub fn gpu() -> Self {
        Self {
            is_nvptx: true,
            ..Self::small()
        }
    }

    /// The registers of a CPU; their numbers begin with 1, as LLVM's do.
    pub fn of(table: &RegisterTable) -> Self {
        let mut tables = Self::small();
        tables.names.truncate(1);
        tables.unit_count = table.unit_count;
        tables.unit_begin.truncate(2);
        tables.units.clear();
        let indices = table
            .registers
            .values()
            .flat_map(|data| data.parts.iter().map(|&(index, _)| index.0));
        let indices = 1 + usize::from(indices.max().unwrap_or(0));
        tables.sub_register_index_count = indices as u32;
        tables.sub_registers = vec![0; indices * (table.registers.len() + 1)];
        for (register, data) in &table.registers {
            tables.names.push(string(&data.name));
            tables
                .units
                .extend(data.units.iter().map(|unit| unit.as_u32()));
            tables.unit_begin.push(tables.units.len() as u32);
            for &(index, part) in &data.parts {
                let at = number(register) as usize * indices + usize::from(index.0);
                tables.sub_registers[at] = number(part) as u16;
            }
        }
        tables
    }

    /// The table; it points into this object.
    pub fn table(&mut self) -> WarpallocTarget {
        self.name_pointers = self.names.iter().map(|name| name.as_ptr()).collect();
        WarpallocTarget {
            unit_count: self.unit_count,
            register_count: self.names.len() as u32,
            register_names: self.name_pointers.as_ptr(),
            unit_begin: self.unit_begin.as_ptr(),
            units: self.units.as_ptr(),
            sub_register_index_count: self.sub_register_index_count,
            sub_registers: self.sub_registers.as_ptr(),
            is_nvptx: self.is_nvptx,
            sm_version: 90,
        }
    }
}

/// A function.
#[derive(Default)]
pub struct FunctionTables {
    pub is_kernel: bool,
    pub blocks: Vec<WarpallocBlock>,
    pub edges: Vec<u32>,
    pub live_ins: Vec<u32>,
    pub instructions: Vec<WarpallocInstruction>,
    pub operands: Vec<WarpallocOperand>,
    pub virtual_registers: Vec<WarpallocVirtualRegister>,
    pub hints: Vec<u32>,
    /// The names' pointers are filled in by [`FunctionTables::table`].
    pub classes: Vec<WarpallocClass>,
    pub class_names: Vec<CString>,
    pub class_order: Vec<u32>,
    pub clobber_masks: Vec<Vec<u32>>,
    pub texts: Vec<CString>,
    pub may_reorder: bool,
    pub dependences: Vec<WarpallocDependence>,
    /// Whether there is debug information, of the next four.
    pub has_source: bool,
    /// The files' pointers are filled in by [`FunctionTables::table`].
    pub locations: Vec<WarpallocSourceLine>,
    pub files: Vec<CString>,
    pub instruction_locations: Vec<u32>,
    pub variables: Vec<CString>,
    source: Option<Box<WarpallocSource>>,
    variable_pointers: Vec<WarpallocVariable>,
    mask_pointers: Vec<*const u32>,
    text_pointers: Vec<*const c_char>,
}

/// No launch bounds.
const NO_LAUNCH: WarpallocLaunch = WarpallocLaunch {
    registers: -1,
    most_threads: -1,
    threads: -1,
    dimensions: [0; 3],
    blocks: -1,
    shared_memory: 0,
    has_dynamic_shared_memory: false,
    moves_registers: false,
    has_linked_calls: false,
};

/// The options when the user has given none, and the checker on.
pub fn options() -> WarpallocOptions {
    WarpallocOptions {
        prepare: -1,
        is_selected: true,
        pressure_limit: -1,
        occupancy_target: ptr::null(),
        coalescing_factor: 1.0,
        coalescing_factor_given: true,
        spill_limit: -1,
        class_limit: -1,
        verify: true,
        print_statistics: false,
        hand_off: true,
        dump_directory: ptr::null(),
        enable: ptr::null(),
        disable: ptr::null(),
        profile: ptr::null(),
        order: ptr::null(),
        select: ptr::null(),
        knobs: ptr::null(),
        spill_space: ptr::null(),
        spills: ptr::null(),
        panic_at: ptr::null(),
        plant_fault: -1,
        plant_function: ptr::null(),
    }
}

fn string(text: &str) -> CString {
    CString::new(text).expect("names have no NUL")
}

/// LLVM's number for a register: 0 is none.
fn number(register: Register) -> u32 {
    register.as_u32() + 1
}

fn mask_number(mask: Option<ClobberMask>) -> u32 {
    mask.map_or(WARPALLOC_NONE, |mask| mask.as_u32())
}

/// Adds items to an array; where they lie.
fn append(array: &mut Vec<u32>, items: impl Iterator<Item = u32>) -> Range<u32> {
    let begin = array.len() as u32;
    array.extend(items);
    begin..array.len() as u32
}

impl FunctionTables {
    /// `v0 = op a; v1 = copy v0; op v1`, for the small target.
    pub fn small() -> Self {
        let operand = |register, flags| WarpallocOperand {
            register,
            flags,
            sub_register: 0,
            tied_to: u16::MAX,
            text_number: u16::MAX,
        };
        let instruction = |operands: Range<u32>, flags| WarpallocInstruction {
            operand_begin: operands.start,
            operand_end: operands.end,
            flags,
            clobber_mask: WARPALLOC_NONE,
            text: WARPALLOC_NONE,
        };
        Self {
            blocks: vec![WarpallocBlock {
                instruction_begin: 0,
                instruction_end: 3,
                successor_begin: 0,
                successor_end: 1,
                live_in_begin: 0,
                live_in_end: 1,
                frequency: 1.0,
                loop_depth: 0,
                landing: false,
                equal_successor: WARPALLOC_NONE,
                clobber_mask: WARPALLOC_NONE,
            }],
            edges: vec![0],
            live_ins: vec![1],
            instructions: vec![
                instruction(0..2, 0),
                instruction(2..4, WARPALLOC_COPY),
                instruction(4..5, 0),
            ],
            operands: vec![
                operand(0, WARPALLOC_DEFINITION),
                operand(1, WARPALLOC_PHYSICAL),
                operand(1, WARPALLOC_DEFINITION),
                operand(0, 0),
                operand(1, 0),
            ],
            virtual_registers: vec![
                WarpallocVirtualRegister {
                    class_index: 0,
                    super_class_index: WARPALLOC_NONE,
                    flags: 0,
                    hint_begin: 0,
                    hint_end: 1,
                };
                2
            ],
            hints: vec![2],
            classes: vec![WarpallocClass {
                name: ptr::null(),
                order_begin: 0,
                order_end: 4,
                spill_size: 4,
                spill_alignment: 4,
            }],
            class_names: vec![string("General")],
            class_order: vec![1, 2, 3, 4],
            ..Self::default()
        }
    }

    /// Gives each instruction a line of its own, from 1 on, and each register a variable,
    /// `v0` and so on.
    pub fn add_source(&mut self) {
        self.has_source = true;
        for number in 0..self.instructions.len() as u32 {
            self.locations.push(WarpallocSourceLine {
                file: ptr::null(),
                line: number + 1,
                inlined_at: WARPALLOC_NONE,
            });
            self.files.push(string("f.cu"));
            self.instruction_locations.push(number);
        }
        let names = 0..self.virtual_registers.len();
        self.variables = names.map(|number| string(&format!("v{number}"))).collect();
    }

    fn source(&mut self) -> *const WarpallocSource {
        if !self.has_source {
            return ptr::null();
        }
        for (location, file) in self.locations.iter_mut().zip(&self.files) {
            location.file = file.as_ptr();
        }
        let variables = self.variables.iter();
        let variables = variables.map(|name| WarpallocVariable {
            name: name.as_ptr(),
            first_bit: 0,
            bit_count: 0,
        });
        self.variable_pointers = variables.collect();
        let source = WarpallocSource {
            locations: self.locations.as_ptr(),
            location_count: self.locations.len() as u32,
            instruction_locations: self.instruction_locations.as_ptr(),
            variables: self.variable_pointers.as_ptr(),
            is_again: false,
        };
        &raw const **self.source.insert(Box::new(source))
    }

    /// A function for the machine.
    pub fn of(function: &Function, machine: &Machine) -> Self {
        let mut tables = Self::default();
        for class in machine.classes.values() {
            let order = class.order.iter().map(|&register| number(register));
            let order = append(&mut tables.class_order, order);
            tables.class_names.push(string(&class.name));
            tables.classes.push(WarpallocClass {
                name: ptr::null(),
                order_begin: order.start,
                order_end: order.end,
                spill_size: class.spill_size,
                spill_alignment: class.spill_alignment,
            });
        }
        for mask in machine.clobber_masks.values() {
            let mut words = vec![0; (machine.table.registers.len() + 1).div_ceil(32)];
            for register in mask.ones() {
                words[(register + 1) / 32] |= 1 << ((register + 1) % 32);
            }
            tables.clobber_masks.push(words);
        }
        tables.is_kernel = function.kernel;
        for data in function.virtual_registers.values() {
            let hints = data.hints.iter().map(|&register| number(register));
            let hints = append(&mut tables.hints, hints);
            tables.virtual_registers.push(WarpallocVirtualRegister {
                class_index: data.class.as_u32(),
                super_class_index: match data.super_class {
                    Some(class) => class.as_u32(),
                    None => WARPALLOC_NONE,
                },
                flags: if data.spillable {
                    0
                } else {
                    WARPALLOC_UNSPILLABLE
                },
                hint_begin: hints.start,
                hint_end: hints.end,
            });
        }
        tables.operands = function.operands.values().map(operand).collect();
        for data in function.instructions.values() {
            tables.instructions.push(WarpallocInstruction {
                operand_begin: data.operands.start,
                operand_end: data.operands.end,
                flags: flags(data.kind, data.flags),
                clobber_mask: mask_number(data.clobbers),
                text: WARPALLOC_NONE,
            });
        }
        tables.add_texts(function);
        for block in function.blocks.keys() {
            tables.add_block(function, block);
        }
        tables
    }

    /// Texts with a brace group for each tuple.
    fn add_texts(&mut self, function: &Function) {
        for tuple in &function.tuples {
            let number = tuple.instruction.as_u32() as usize;
            let data = &mut self.instructions[number];
            let operands = data.operand_begin as usize..data.operand_end as usize;
            for (name, operand) in (0..).zip(&mut self.operands[operands]) {
                operand.text_number = name;
            }
            if data.text == WARPALLOC_NONE {
                data.text = self.texts.len() as u32;
                self.texts.push(string("vector"));
            }
            let sign = match data.flags & WARPALLOC_INLINE_ASSEMBLY {
                0 => "%r",
                _ => "$",
            };
            let places = tuple.places.iter();
            let places = places.map(|place| match place {
                Some(number) => format!("{sign}{number}"),
                None => "0".into(),
            });
            let group = places.collect::<Vec<_>>().join(", ");
            let text = self.texts.last_mut().expect("pushed above");
            *text = string(&format!("{} {{{group}}},", text.to_string_lossy()));
        }
    }

    fn add_block(&mut self, function: &Function, block: Block) {
        let data = &function.blocks[block];
        let successors = data.successors.iter().map(|block| block.as_u32());
        let successors = append(&mut self.edges, successors);
        let live_ins = data.live_in.iter().map(|&register| number(register));
        let live_ins = append(&mut self.live_ins, live_ins);
        self.blocks.push(WarpallocBlock {
            instruction_begin: data.instructions.start,
            instruction_end: data.instructions.end,
            successor_begin: successors.start,
            successor_end: successors.end,
            live_in_begin: live_ins.start,
            live_in_end: live_ins.end,
            frequency: data.frequency,
            loop_depth: data.loop_depth,
            landing: data.landing,
            equal_successor: WARPALLOC_NONE,
            clobber_mask: mask_number(data.clobbers),
        });
    }

    /// The table; it points into this object.
    pub fn table(&mut self) -> WarpallocFunction {
        for (class, name) in self.classes.iter_mut().zip(&self.class_names) {
            class.name = name.as_ptr();
        }
        self.mask_pointers = self
            .clobber_masks
            .iter()
            .map(|mask| mask.as_ptr())
            .collect();
        self.text_pointers = self.texts.iter().map(|text| text.as_ptr()).collect();
        let source = self.source();
        WarpallocFunction {
            name: c"f".as_ptr(),
            is_kernel: self.is_kernel,
            attributes: ptr::null(),
            attribute_count: 0,
            is_profiled: false,
            launch: NO_LAUNCH,
            call_graph: ptr::null(),
            blocks: self.blocks.as_ptr(),
            block_count: self.blocks.len() as u32,
            edges: self.edges.as_ptr(),
            edge_count: self.edges.len() as u32,
            live_ins: self.live_ins.as_ptr(),
            live_in_count: self.live_ins.len() as u32,
            instructions: self.instructions.as_ptr(),
            instruction_count: self.instructions.len() as u32,
            operands: self.operands.as_ptr(),
            operand_count: self.operands.len() as u32,
            virtual_registers: self.virtual_registers.as_ptr(),
            virtual_register_count: self.virtual_registers.len() as u32,
            hints: self.hints.as_ptr(),
            hint_count: self.hints.len() as u32,
            classes: self.classes.as_ptr(),
            class_count: self.classes.len() as u32,
            class_order: self.class_order.as_ptr(),
            class_order_count: self.class_order.len() as u32,
            clobber_masks: self.mask_pointers.as_ptr(),
            clobber_mask_count: self.mask_pointers.len() as u32,
            texts: self.text_pointers.as_ptr(),
            text_count: self.text_pointers.len() as u32,
            may_reorder: self.may_reorder,
            dependences: self.dependences.as_ptr(),
            dependence_count: self.dependences.len() as u32,
            source,
        }
    }
}

fn operand(operand: &Operand) -> WarpallocOperand {
    let (register, physical) = match operand.register {
        OperandRegister::Virtual(register) => (register.as_u32(), 0),
        OperandRegister::Physical(register) => (number(register), WARPALLOC_PHYSICAL),
        OperandRegister::Slot(_) | OperandRegister::Loaded(_) => {
            unreachable!("only the allocator names slots")
        }
    };
    let mut flags = physical;
    if operand.is_definition() {
        flags |= WARPALLOC_DEFINITION;
    }
    for (flag, bit) in [
        (OperandFlags::EARLY_CLOBBER, WARPALLOC_EARLY_CLOBBER),
        (OperandFlags::UNDEFINED, WARPALLOC_UNDEFINED),
        (OperandFlags::DEAD, WARPALLOC_DEAD),
        (OperandFlags::IMPLICIT, WARPALLOC_IMPLICIT),
        (OperandFlags::FOLDABLE, WARPALLOC_FOLDABLE),
        (OperandFlags::LOADABLE, WARPALLOC_LOADABLE),
        (OperandFlags::CONSTRAINED, WARPALLOC_CONSTRAINED),
        (OperandFlags::LIVE_THROUGH, WARPALLOC_LIVE_THROUGH),
    ] {
        if operand.flags.contains(flag) {
            flags |= bit;
        }
    }
    let SubRegisterIndex(sub_register) = operand.sub_register;
    WarpallocOperand {
        register,
        flags,
        sub_register,
        tied_to: operand.tied_to.map_or(u16::MAX, u16::from),
        text_number: u16::MAX,
    }
}

fn flags(kind: InstructionKind, flags: InstructionFlags) -> u32 {
    let copy = match kind {
        InstructionKind::Copy => WARPALLOC_COPY,
        _ => 0,
    };
    [
        (InstructionFlags::CALL, WARPALLOC_CALL),
        (InstructionFlags::TERMINATOR, WARPALLOC_TERMINATOR),
        (InstructionFlags::CONVERGENT, WARPALLOC_CONVERGENT),
        (
            InstructionFlags::REMATERIALISABLE,
            WARPALLOC_REMATERIALISABLE,
        ),
        (InstructionFlags::INLINE_ASSEMBLY, WARPALLOC_INLINE_ASSEMBLY),
        (
            InstructionFlags::IMPLICIT_DEFINITION,
            WARPALLOC_IMPLICIT_DEFINITION,
        ),
        (InstructionFlags::LEAVES, WARPALLOC_LEAVES),
        (InstructionFlags::LABEL, WARPALLOC_LABEL),
        (InstructionFlags::DIVERGENT, WARPALLOC_DIVERGENT),
        (InstructionFlags::UNIFORM_PATH, WARPALLOC_UNIFORM_PATH),
        (InstructionFlags::UNIFORM_SOURCE, WARPALLOC_UNIFORM_SOURCE),
        (InstructionFlags::ARGUMENT, WARPALLOC_ARGUMENT),
        (InstructionFlags::UNIFORM_LOAD, WARPALLOC_UNIFORM_LOAD),
    ]
    .into_iter()
    .filter(|&(flag, _)| flags.contains(flag))
    .fold(copy, |bits, (_, bit)| bits | bit)
}
