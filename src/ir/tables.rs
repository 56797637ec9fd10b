//! Local arrays that hold nothing but constants become tables in memory that nobody writes.
//!
//! An array that is filled with constants, and then read at an index that stays unknown,
//! holds the same for all threads. Its stores go away, and it lies once in a constant
//! global: in the space of constants if the threads of a warp read one place together, in
//! global memory otherwise. The space of constants serves one address at a time; reads of
//! global memory that nobody writes (`ld.global.nc`) go to as many at once as lie in a line.
//!
//! Requires that all that is done with the address is seen; that all writes are constants at
//! constant places, in one block; that the last of them dominates every read. Whenever a
//! read comes, all of them were the last to run then, in their order. What was never
//! written is undefined, and zero in the table. Arrays above [`MOST_BYTES`] stay, and those
//! whose address is one of another space on its way.
//!
//! Source: NVIDIA's "CUDA C++ Programming Guide" on constant memory and the read-only data
//! cache, for the spaces; the rule is ours. Quadratic in the users of an array.

use super::address::{Address, variable_size};
use super::locals::{Kind, Local, Use, locals};
use super::pressure::uniform::Uniform;
use super::select_elements::MOST_BYTES;
use super::unit::instructions_of;
use super::value::Value;
use super::{Unit, changed, constant, remarks};
use inkwell::AddressSpace;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::core::{
    LLVMConstAddrSpaceCast, LLVMGlobalGetValueType, LLVMReplaceAllUsesWith, LLVMTypeOf,
};
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout};
use inkwell::module::Linkage;
use inkwell::values::{AsValueRef, FunctionValue, UnnamedAddress};
use std::ffi::c_void;

unsafe extern "C" {
    fn warpalloc_ir_dominates(
        analyses: *mut c_void,
        first: *mut c_void,
        second: *mut c_void,
    ) -> bool;
}

/// Address spaces of NVPTX.
const GENERIC: u32 = 0;
const GLOBAL: u16 = 1;
const CONSTANT: u16 = 4;
/// A module has 64 KB in the space of constants. Half of that stays for what it is linked
/// with.
const MOST_CONSTANT_BYTES: u64 = 32 * 1024;

/// Whether any array became a table.
pub fn run(unit: &Unit) -> bool {
    changed::promote_and_mark(unit, |function| {
        let tables: Vec<_> = locals(function)
            .into_iter()
            .filter_map(|local| Table::new(unit, local))
            .collect();
        if tables.is_empty() {
            return false;
        }
        let uniform = Uniform::new(unit, function, None);
        // All are asked about before the first is changed.
        let together: Vec<_> = tables.iter().map(|one| one.is_uniform(&uniform)).collect();
        for (table, together) in tables.iter().zip(together) {
            table.replace(unit, function, together);
        }
        true
    })
}

/// A local array that can be a table.
struct Table {
    alloca: Value,
    bytes: Vec<u8>,
    /// In the order of their block.
    writes: Vec<Value>,
    reads: Vec<Use>,
}

impl Table {
    /// The table that an array can be.
    fn new(unit: &Unit, local: Local) -> Option<Self> {
        let size = variable_size(local.alloca).filter(|&size| size <= MOST_BYTES)?;
        if !local.is_private() || !is_generic(local.alloca) {
            return None;
        }
        let (writes, reads): (Vec<_>, Vec<_>) = local.uses.into_iter().partition(is_write);
        let block = writes.first()?.instruction.instruction()?.get_parent()?;
        let same_block = |one: &Use| one.instruction.block() == block.as_mut_ptr();
        if reads.is_empty() || !writes.iter().all(same_block) {
            return None;
        }
        let mut table = Self {
            alloca: local.alloca,
            bytes: vec![0; size as usize],
            writes: Vec::new(),
            reads,
        };
        for instruction in instructions_of(block) {
            if let Some(write) = writes.iter().find(|one| one.instruction == instruction) {
                table.write(unit, write)?;
            }
        }
        let last = *table.writes.last()?;
        let is_behind = |one: &Use| dominates(unit, last, one.instruction);
        table.reads.iter().all(is_behind).then_some(table)
    }

    /// Takes over what a write does, if that is known.
    fn write(&mut self, unit: &Unit, write: &Use) -> Option<()> {
        let sum = Address::from_base(write.address, self.alloca)?;
        let start = usize::try_from(sum.constant).ok()?;
        let instruction = write.instruction;
        let bytes = if instruction.is(LLVMStore) {
            constant::bytes(unit, instruction.operand(0))?
        } else {
            if !write.is_fill() {
                return None;
            }
            let byte = constant::bytes(unit, instruction.operand(1))?;
            let count = usize::try_from(instruction.operand(2).constant_integer()?).ok()?;
            if count > self.bytes.len() {
                return None;
            }
            byte.repeat(count)
        };
        let end = start.checked_add(bytes.len())?;
        if sum.index.is_some() {
            return None;
        }
        self.bytes.get_mut(start..end)?.copy_from_slice(&bytes);
        self.writes.push(instruction);
        Some(())
    }

    /// Whether the threads of a warp read one place at a time.
    fn is_uniform(&self, uniform: &Uniform) -> bool {
        self.reads.iter().all(|one| {
            let mut depends_on = one.depends_on.iter();
            one.kind == Kind::Access
                && depends_on.all(|&value| {
                    !matches!(value.opcode(), Some(LLVMPHI | LLVMSelect))
                        && !uniform.is_divergent(value)
                })
        })
    }

    /// Puts the table in the array's place.
    fn replace(&self, unit: &Unit, function: FunctionValue, together: bool) {
        let module = unit.module();
        let fits = constant_bytes(unit) + self.bytes.len() as u64 <= MOST_CONSTANT_BYTES;
        let (space, place) = match unit.is_nvptx() {
            false => (AddressSpace::default(), "memory"),
            true if together && fits => (AddressSpace::from(CONSTANT), "the space of constants"),
            true => (AddressSpace::from(GLOBAL), "global memory"),
        };
        let text = format!(
            "a local array becomes a table of {} bytes in {place}: nothing but constants is \
             written to it",
            self.bytes.len()
        );
        remarks::passed(unit, "warpalloc-promote", self.alloca, "Table", &text);

        let contents = module.get_context().const_string(&self.bytes, false);
        let name = format!("{}_table", function.get_name().to_string_lossy());
        let table = module.add_global(contents.get_type(), Some(space), &name);
        table.set_initializer(&contents);
        table.set_constant(true);
        table.set_linkage(Linkage::Private);
        table.set_unnamed_address(UnnamedAddress::Global);
        table.set_alignment(self.alloca.alignment());
        for write in self.writes.iter().copied().chain(lifetimes(self.alloca)) {
            write.erase();
        }
        // SAFETY: the address of the table takes the place of another of the same type;
        // the array has no use afterwards.
        unsafe {
            let kind = LLVMTypeOf(self.alloca.as_ref());
            let address = LLVMConstAddrSpaceCast(table.as_value_ref(), kind);
            LLVMReplaceAllUsesWith(self.alloca.as_ref(), address);
        }
        self.alloca.erase();
    }
}

/// Whether a use of a private array writes there.
fn is_write(one: &Use) -> bool {
    match one.kind {
        Kind::Access => one.instruction.is(LLVMStore),
        _ => one.instruction.operand(0) == one.address,
    }
}

/// Whether an address, and all that is computed from it, is generic.
fn is_generic(base: Value) -> bool {
    // An array below the limit has few users; an address is met once for each operand of
    // a phi, so what has been met is remembered.
    let mut met = vec![base];
    let mut next = 0;
    while let Some(&address) = met.get(next) {
        next += 1;
        if address
            .pointer_space()
            .is_some_and(|space| space != GENERIC)
        {
            return false;
        }
        for user in address.users() {
            let computes = matches!(
                user.opcode(),
                Some(LLVMGetElementPtr | LLVMPHI | LLVMSelect | LLVMAddrSpaceCast | LLVMBitCast)
            );
            if computes && !met.contains(&user) {
                met.push(user);
            }
        }
    }
    true
}

fn dominates(unit: &Unit, first: Value, second: Value) -> bool {
    // SAFETY: instructions of one function of the unit's module.
    unsafe {
        warpalloc_ir_dominates(
            unit.analyses(),
            first.as_ref().cast(),
            second.as_ref().cast(),
        )
    }
}

/// What a module has in the space of constants already.
fn constant_bytes(unit: &Unit) -> u64 {
    let globals = unit.module().get_globals();
    let constants = globals
        .filter(|one| one.as_pointer_value().get_type().get_address_space() == CONSTANT.into());
    // SAFETY: the type of a global has a size.
    let sizes = constants.map(|one| unsafe {
        let layout = LLVMGetModuleDataLayout(unit.module().as_mut_ptr());
        LLVMABISizeOfType(layout, LLVMGlobalGetValueType(one.as_value_ref()))
    });
    sizes.sum()
}

/// The calls that say when a stack variable begins and ends.
fn lifetimes(alloca: Value) -> Vec<Value> {
    let users = alloca.users();
    users.filter(|user| user.calls("llvm.lifetime.")).collect()
}
