//! The flat tables that cross the boundary between the C++ shim and Rust.
//!
//! Everything is a struct of arrays: `repr(C)`, counts beside pointers, no
//! pointer into LLVM kept after the call. `build.rs` generates the C header
//! `warpalloc_abi.h` from this file. The C++ side fills the input tables and
//! applies the output tables in order; it decides nothing.

#[path = "abi/calls.rs"]
mod calls;
#[path = "abi/choices.rs"]
mod choices;
#[path = "abi/ir.rs"]
mod ir;
#[path = "abi/source.rs"]
mod source;

pub use calls::*;
pub use choices::*;
pub use ir::*;
pub use source::*;

use std::ffi::c_char;

/// No register, no operand, no index.
pub const WARPALLOC_NONE: u32 = u32::MAX;

/// The registers of a target: LLVM's numbering, 0 being no register.
#[repr(C)]
pub struct WarpallocTarget {
    /// Number of register units.
    pub unit_count: u32,
    /// Number of registers, the one numbered 0 included.
    pub register_count: u32,
    /// `register_count` names, NUL-terminated.
    pub register_names: *const *const c_char,
    /// Units of register `r`: `units[unit_begin[r]..unit_begin[r + 1]]`;
    /// `register_count + 1` entries.
    pub unit_begin: *const u32,
    /// Units, ascending for each register.
    pub units: *const u32,
    /// Number of sub-register indices, the one numbered 0 included.
    pub sub_register_index_count: u32,
    /// `register_count * sub_register_index_count` entries:
    /// the part of register `r` named by index `s` at `r * count + s`, or 0.
    pub sub_registers: *const u16,
    /// True for NVPTX: the register file is ours, classes go by name.
    pub is_nvptx: bool,
    /// NVPTX: the SM version, 90 for sm_90.
    pub sm_version: u32,
}

/// A register class as the function may use it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocClass {
    /// The name, NUL-terminated.
    pub name: *const c_char,
    /// Its registers in allocation order, reserved ones left out:
    /// `class_order[order_begin..order_end]`.
    pub order_begin: u32,
    /// See `order_begin`.
    pub order_end: u32,
    /// Bytes of a spill slot.
    pub spill_size: u32,
    /// Alignment of a spill slot in bytes.
    pub spill_alignment: u32,
}

/// A basic block, in layout order.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocBlock {
    /// Its instructions.
    pub instruction_begin: u32,
    /// See `instruction_begin`.
    pub instruction_end: u32,
    /// Its successors in `edges`.
    pub successor_begin: u32,
    /// See `successor_begin`.
    pub successor_end: u32,
    /// For the entry block and landing pads, the live-in physical registers in
    /// `live_ins`; empty for others.
    pub live_in_begin: u32,
    /// See `live_in_begin`.
    pub live_in_end: u32,
    /// Frequency relative to the entry block's.
    pub frequency: f64,
    /// Loop depth.
    pub loop_depth: u32,
    /// Control comes here from the middle of the predecessors: a landing pad or
    /// an indirect target of INLINEASM_BR.
    pub landing: bool,
    /// What entering the block destroys: index into `clobber_masks`, or
    /// `WARPALLOC_NONE`.
    pub clobber_mask: u32,
    /// The successor, by its place among them, to which control goes where two numbers that are
    /// not constant are equal; `WARPALLOC_NONE` if that decides nothing, or if something says how
    /// often they are.
    pub equal_successor: u32,
}

/// Instruction flags.
pub const WARPALLOC_COPY: u32 = 1 << 0;
/// A call.
pub const WARPALLOC_CALL: u32 = 1 << 1;
/// A terminator.
pub const WARPALLOC_TERMINATOR: u32 = 1 << 2;
/// Convergent.
pub const WARPALLOC_CONVERGENT: u32 = 1 << 3;
/// Rematerialisable.
pub const WARPALLOC_REMATERIALISABLE: u32 = 1 << 4;
/// Inline assembly.
pub const WARPALLOC_INLINE_ASSEMBLY: u32 = 1 << 5;
/// IMPLICIT_DEF.
pub const WARPALLOC_IMPLICIT_DEFINITION: u32 = 1 << 6;
/// Control may go from here to the landing successors of the block: an
/// INLINEASM_BR, or the last call of a block with a landing pad behind it.
pub const WARPALLOC_LEAVES: u32 = 1 << 7;
/// A label or the like.
pub const WARPALLOC_LABEL: u32 = 1 << 8;
/// NVPTX: what it defines, or where it branches, may differ between the threads of a
/// warp although what it reads does not.
pub const WARPALLOC_DIVERGENT: u32 = 1 << 9;
/// NVPTX: the GPU's uniform data path can execute it.
pub const WARPALLOC_UNIFORM_PATH: u32 = 1 << 10;
/// NVPTX: executed for each thread, it can read one of its sources from a uniform
/// register.
pub const WARPALLOC_UNIFORM_SOURCE: u32 = 1 << 11;
/// NVPTX: accesses memory that is the thread's own.
pub const WARPALLOC_LOCAL_MEMORY: u32 = 1 << 12;
/// NVPTX: loads an argument of a function that is no kernel.
pub const WARPALLOC_ARGUMENT: u32 = 1 << 13;
/// NVPTX: loads from global memory; what it loads from one address can be moved to uniform
/// registers.
pub const WARPALLOC_UNIFORM_LOAD: u32 = 1 << 14;
/// It says in a table where its operands are: any number of them may be in memory.
pub const WARPALLOC_RECORDS: u32 = 1 << 15;

/// An instruction, or a whole bundle.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocInstruction {
    /// Its operands.
    pub operand_begin: u32,
    /// See `operand_begin`.
    pub operand_end: u32,
    /// `WARPALLOC_COPY` and so on. A COPY has its destination first and its
    /// source second. SUBREG_TO_REG is exported as a copy whose destination
    /// has the sub-register index and is undefined.
    pub flags: u32,
    /// Index into `clobber_masks`, or `WARPALLOC_NONE`.
    pub clobber_mask: u32,
    /// NVPTX: its PTX, an index into `texts`, or `WARPALLOC_NONE`. Inline assembly calls
    /// its operands `$1` and so on; what LLVM prints has them as `%r1`.
    pub text: u32,
}

/// The operand writes its register.
pub const WARPALLOC_DEFINITION: u32 = 1 << 0;
/// The operand's register is a physical one.
pub const WARPALLOC_PHYSICAL: u32 = 1 << 1;
/// Early-clobber definition.
pub const WARPALLOC_EARLY_CLOBBER: u32 = 1 << 2;
/// `undef`.
pub const WARPALLOC_UNDEFINED: u32 = 1 << 3;
/// `dead`.
pub const WARPALLOC_DEAD: u32 = 1 << 4;
/// Implicit.
pub const WARPALLOC_IMPLICIT: u32 = 1 << 5;
/// The instruction can access the value in memory instead: one value, if all operands
/// that name it have this flag.
pub const WARPALLOC_FOLDABLE: u32 = 1 << 6;
/// The operand is a use of a value whose only definition can be repeated and loads it, and
/// the instruction can load it itself, under the same condition.
pub const WARPALLOC_LOADABLE: u32 = 1 << 7;
/// The instruction takes registers of the value's class alone, not all of its super-class.
pub const WARPALLOC_CONSTRAINED: u32 = 1 << 8;
/// The operand is a use whose value has to outlive what the instruction clobbers.
pub const WARPALLOC_LIVE_THROUGH: u32 = 1 << 9;

/// An operand that names a register. Debug and internal-read operands are left
/// out, and so are physical registers of which no unit can be allocated.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocOperand {
    /// Virtual register index or physical register.
    pub register: u32,
    /// `WARPALLOC_DEFINITION` and so on.
    pub flags: u32,
    /// Sub-register index or 0.
    pub sub_register: u16,
    /// Position among the instruction's exported operands of the definition
    /// that this use is tied to, or 0xffff.
    pub tied_to: u16,
    /// The number by which the instruction's text names it, or 0xffff.
    pub text_number: u16,
}

/// The virtual register cannot be stored to memory.
pub const WARPALLOC_UNSPILLABLE: u32 = 1 << 0;

/// A virtual register; one that nothing but debug information names has class
/// `WARPALLOC_NONE`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocVirtualRegister {
    /// Index into `classes`.
    pub class_index: u32,
    /// The class of all operands but those that are `WARPALLOC_CONSTRAINED`, if that is a larger
    /// one: an index into `classes`, or `WARPALLOC_NONE`.
    pub super_class_index: u32,
    /// `WARPALLOC_UNSPILLABLE`.
    pub flags: u32,
    /// Hinted physical registers, best first: `hints[hint_begin..hint_end]`.
    pub hint_begin: u32,
    /// See `hint_begin`.
    pub hint_end: u32,
}

/// The options, as the user gave them.
#[repr(C)]
pub struct WarpallocOptions {
    /// `-warpalloc-prepare`; -1 if not given.
    pub prepare: i8,
    /// `-regalloc=warpalloc`.
    pub is_selected: bool,
    /// `-nvptx-regalloc-pressure-limit`, -1 if not given.
    pub pressure_limit: i64,
    /// `-nvptx-regalloc-occupancy-target`: null if not given, empty if without a value.
    pub occupancy_target: *const c_char,
    /// `-nvptx-regalloc-coalescing-factor`.
    pub coalescing_factor: f64,
    /// Whether it was given: profiles have factors of their own.
    pub coalescing_factor_given: bool,
    /// `-spill-limit`, -1 if not given.
    pub spill_limit: i64,
    /// Hidden test hook: use only so many registers of each class, -1 if not given.
    pub class_limit: i64,
    /// `-verify-regalloc`.
    pub verify: bool,
    /// `-print-regalloc-stats`.
    pub print_statistics: bool,
    /// `-warpalloc-hand-off`.
    pub hand_off: bool,
    /// `-warpalloc-dump`, empty if not given.
    pub dump_directory: *const c_char,
    /// `-warpalloc-profile`, empty if not given.
    pub profile: *const c_char,
    /// `-warpalloc-select`, empty if not given.
    pub select: *const c_char,
    /// `-warpalloc-order`, empty if not given.
    pub order: *const c_char,
    /// `-warpalloc-enable`, comma separated.
    pub enable: *const c_char,
    /// `-warpalloc-disable`, comma separated.
    pub disable: *const c_char,
    /// `-warpalloc-knob`, comma separated.
    pub knobs: *const c_char,
    /// `-warpalloc-spill-space`, empty if not given.
    pub spill_space: *const c_char,
    /// `-warpalloc-spills`, empty if not given.
    pub spills: *const c_char,
    /// Hidden test hook: panic when this function is allocated.
    pub panic_at: *const c_char,
    /// Hidden test hook: plant a fault that depends on this number, -1 if not given.
    pub plant_fault: i64,
    /// Where to plant it; empty for every function.
    pub plant_function: *const c_char,
}

/// An operand of inline assembly, in the order of the numbers in its text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WarpallocAssemblyOperand {
    /// For a register that goes in, with a value that matters, the number of the result
    /// that is the same register; else `WARPALLOC_NONE`.
    pub tied_to: u32,
    /// Set if the operand has to stay.
    pub stays: bool,
}

/// Two instructions of one block that have to stay in order for other reasons than the
/// registers they name.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocDependence {
    /// The earlier one.
    pub first: u32,
    /// The later one.
    pub second: u32,
}

/// NVPTX: what the attributes of a function say about its blocks, -1 where they say
/// nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WarpallocLaunch {
    /// `nvvm.maxnreg`: registers a thread.
    pub registers: i64,
    /// `nvvm.maxntid`: the most threads of a block, all dimensions together.
    pub most_threads: i64,
    /// `nvvm.reqntid`: the threads of a block.
    pub threads: i64,
    /// The same for each dimension, those that are not named being 1; 0 without it.
    pub dimensions: [u32; 3],
    /// `nvvm.minctasm`: the fewest resident blocks.
    pub blocks: i64,
    /// Bytes of the variables in shared memory that the function names.
    pub shared_memory: u64,
    /// One of them has no size of its own, or a parameter points there: the launch decides.
    pub has_dynamic_shared_memory: bool,
    /// Intrinsics hand registers from one part of a block to another.
    pub moves_registers: bool,
    /// The function calls others, and other modules define functions of the program.
    pub has_linked_calls: bool,
}

/// A function. All pointers belong to the caller and live until the call ends.
#[repr(C)]
pub struct WarpallocFunction {
    /// The name, NUL-terminated.
    pub name: *const c_char,
    /// NVPTX: whether it is a kernel, which whole warps enter.
    pub is_kernel: bool,
    /// Its string attributes.
    pub attributes: *const WarpallocAttribute,
    /// Number of attributes.
    pub attribute_count: u32,
    /// The blocks' frequencies were measured, not guessed.
    pub is_profiled: bool,
    /// NVPTX: its launch bounds.
    pub launch: WarpallocLaunch,
    /// NVPTX: who calls it, and what is called through pointers; null for a kernel that
    /// calls nothing so.
    pub call_graph: *const WarpallocCallGraph,
    /// Blocks.
    pub blocks: *const WarpallocBlock,
    /// Number of blocks.
    pub block_count: u32,
    /// Successor block numbers.
    pub edges: *const u32,
    /// Number of edges.
    pub edge_count: u32,
    /// Live-in physical registers.
    pub live_ins: *const u32,
    /// Number of live-ins.
    pub live_in_count: u32,
    /// Instructions.
    pub instructions: *const WarpallocInstruction,
    /// Number of instructions.
    pub instruction_count: u32,
    /// Operands.
    pub operands: *const WarpallocOperand,
    /// Number of operands.
    pub operand_count: u32,
    /// Virtual registers, by LLVM's index.
    pub virtual_registers: *const WarpallocVirtualRegister,
    /// Number of virtual registers.
    pub virtual_register_count: u32,
    /// Hints.
    pub hints: *const u32,
    /// Number of hints.
    pub hint_count: u32,
    /// Classes in use.
    pub classes: *const WarpallocClass,
    /// Number of classes.
    pub class_count: u32,
    /// Orders of all classes.
    pub class_order: *const u32,
    /// Number of entries in `class_order`.
    pub class_order_count: u32,
    /// LLVM register masks: a set bit is a preserved register. Each has
    /// `(register_count + 31) / 32` words.
    pub clobber_masks: *const *const u32,
    /// Number of masks.
    pub clobber_mask_count: u32,
    /// Texts of instructions, NUL-terminated.
    pub texts: *const *const c_char,
    /// Number of texts.
    pub text_count: u32,
    /// Whether instructions may change places within their blocks.
    pub may_reorder: bool,
    /// What must stay in order then.
    pub dependences: *const WarpallocDependence,
    /// Number of dependences.
    pub dependence_count: u32,
    /// What debug information says, if somebody wants remarks; else null.
    pub source: *const WarpallocSource,
}

/// What an edit does.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpallocEditKind {
    /// Operand `a` of the function now names virtual register `b`.
    Rename = 0,
    /// Store virtual register `a` to slot `b`.
    Store = 1,
    /// Load virtual register `a` from slot `b`.
    Reload = 2,
    /// `a`, of the class predicates are spilled through, receives predicate `b`.
    Widen = 3,
    /// Predicate `a` is taken back out of `b`.
    Narrow = 4,
    /// Remove the copy at this position.
    DeleteCopy = 5,
    /// Virtual register `a` receives what instruction `b` of the function computes, of
    /// the `sources`.
    Rematerialise = 6,
    /// Remove the instruction at this position: nothing reads what it defines.
    DeleteDefinition = 7,
    /// Operand `a` of the function accesses slot `b` itself, with all others of its
    /// instruction that name the same register.
    Fold = 8,
    /// `a` receives `b`, of the same class.
    Move = 9,
    /// Operand `a` of the function is what instruction `b` of the function loads, which its
    /// instruction does itself, for all others that name the same register as well.
    FoldLoad = 10,
}

/// One edit. Edits come in program order; code of one position stands in the
/// order of its edits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpallocEdit {
    /// The instruction.
    pub instruction: u32,
    /// Insert after the instruction instead of before it.
    pub after: bool,
    /// What to do.
    pub kind: WarpallocEditKind,
    /// See `kind`.
    pub a: u32,
    /// See `kind`.
    pub b: u32,
    /// One instruction does so many edits, this one the first: stores or reloads of slots
    /// side by side. 1 in all other edits.
    pub lanes: u32,
    /// The virtual registers that a repeated instruction reads, in the order of its
    /// operands; the rest is `WARPALLOC_NONE`.
    pub sources: [u32; WARPALLOC_MOST_SOURCES],
}

/// What a repeated instruction reads, at most.
pub const WARPALLOC_MOST_SOURCES: usize = 3;

/// An operand that is to write another register, which is copied to its own later.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpallocLateCopy {
    /// The operand, a definition.
    pub definition: u32,
    /// The instruction behind which the copy stands.
    pub wait: u32,
}

/// A virtual register to create; their numbers follow the function's own.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpallocCreated {
    /// The virtual register whose value it carries.
    pub origin: u32,
    /// Index into the function's classes; on NVPTX a predicate's companion has
    /// the class index `WARPALLOC_NONE`, a 32-bit integer register.
    pub class_index: u32,
}

/// The virtual register needs no location.
pub const WARPALLOC_LOCATION_NONE: u32 = 0;
/// The virtual register lives in physical register `index`. On NVPTX: the first
/// register it covers, counted within its file (R4 and the pair R4:R5 are both
/// 4, P2 is 2).
pub const WARPALLOC_LOCATION_REGISTER: u32 = 1;
/// The virtual register lives in slot `index`.
pub const WARPALLOC_LOCATION_SLOT: u32 = 2;
/// NVPTX: as `WARPALLOC_LOCATION_REGISTER`, in the file of uniform registers or
/// predicates.
pub const WARPALLOC_LOCATION_UNIFORM: u32 = 3;
/// NVPTX: the virtual register is bit `index` of the registers for spilled
/// predicates, 32 to each. Only `Widen` and `Narrow` name it.
pub const WARPALLOC_LOCATION_BIT: u32 = 4;
/// NVPTX: as `WARPALLOC_LOCATION_REGISTER`, with a name that only such virtual registers
/// share.
pub const WARPALLOC_LOCATION_MULTIPLIED: u32 = 5;

/// Where a virtual register lives.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpallocLocation {
    /// `WARPALLOC_LOCATION_NONE` and so on.
    pub kind: u32,
    /// Register or slot.
    pub index: u32,
}

/// A spill slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpallocSlot {
    /// Bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub alignment: u32,
    /// So many slots, this one the first, lie side by side; 0 for those that follow it.
    pub lanes: u32,
    /// NVPTX: which of the addresses of `spill_space` it is at, or `WARPALLOC_NONE` for a
    /// slot on the stack.
    pub address: u32,
    /// Bytes behind that address.
    pub offset: u32,
}

/// The outcome. The arrays belong to it; `warpalloc_result_free` releases all.
#[repr(C)]
pub struct WarpallocResult {
    /// Null on success; else the message to diagnose, without the function's name.
    pub error: *const c_char,
    /// For each place in the function the instruction that is to come there, if they
    /// change places. All that follows counts instructions and operands in that order.
    pub order: *const u32,
    /// Number of instructions, or 0 if they stay.
    pub order_count: u32,
    /// NVPTX: definitions that come too early for the registers they write, each copied behind a
    /// wait. Their instructions and operands are counted in the order before.
    pub late_copies: *const WarpallocLateCopy,
    /// Their number.
    pub late_copy_count: u32,
    /// NVPTX: the function keeps its virtual registers, once it is in that order: ptxas
    /// gives them registers. There are no locations and no edits.
    pub is_left: bool,
    /// NVPTX: the registers that ptxas is to keep to in this kernel, or 0.
    pub max_registers: u32,
    /// One for each virtual register, then one for each created one.
    pub locations: *const WarpallocLocation,
    /// Number of locations.
    pub location_count: u32,
    /// Virtual registers to create.
    pub created: *const WarpallocCreated,
    /// Their number.
    pub created_count: u32,
    /// Slots to create.
    pub slots: *const WarpallocSlot,
    /// Their number.
    pub slot_count: u32,
    /// NVPTX: PTX assembly for the begin of the function, NUL-terminated, that puts the
    /// thread's addresses in shared memory into its operands; null if there are none.
    pub spill_space: *const c_char,
    /// How many operands it has, registers of 32 bits that it writes.
    pub address_count: u32,
    /// Edits to apply.
    pub edits: *const WarpallocEdit,
    /// Their number.
    pub edit_count: u32,
    /// Remarks; `order` holds for them, `edits` are not yet made.
    pub remarks: *const WarpallocRemark,
    /// Their number.
    pub remark_count: u32,
    /// The parts of all remarks.
    pub arguments: *const WarpallocArgument,
    /// Their number.
    pub argument_count: u32,
    /// What owns the arrays.
    pub owner: *mut std::ffi::c_void,
}

/// What is kept of a module's functions.
pub struct WarpallocModule(pub(crate) crate::module::Module);

/// A target's registers, imported once.
pub struct WarpallocMachine {
    pub(crate) table: crate::import::Target,
    /// What the user should know about the target.
    pub(crate) remark: Option<std::ffi::CString>,
}
