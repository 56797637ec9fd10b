//! Addresses as sums, and sizes of what lies there.

use super::value::Value;
use crate::abi::WarpallocIrAddress;
use inkwell::llvm_sys::LLVMOpcode::{LLVMAddrSpaceCast, LLVMAlloca, LLVMGetElementPtr};
use std::ffi::c_void;
use std::mem::MaybeUninit;

unsafe extern "C" {
    /// False, and nothing written, if the value is no such sum.
    fn warpalloc_ir_address(value: *mut c_void, out: *mut WarpallocIrAddress) -> bool;
    fn warpalloc_ir_variable_size(value: *mut c_void) -> u64;
    fn warpalloc_ir_access_size(value: *mut c_void) -> u64;
}

/// `base + constant + index * stride`, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// Where it starts.
    pub base: Value,
    /// What is always added.
    pub constant: i64,
    /// An integer that is known only when the program runs, and what it is multiplied by.
    pub index: Option<(Value, i64)>,
    /// Whether only one index gives one address: the sum does not wrap around.
    pub is_exact: bool,
}

impl Address {
    /// Takes an address apart down to `base`, through at most one index.
    pub fn from_base(address: Value, base: Value) -> Option<Self> {
        let mut sum = Self {
            base: address,
            constant: 0,
            index: None,
            is_exact: true,
        };
        while sum.base != base {
            let step = step(sum.base)?;
            sum.base = step.base;
            sum.is_exact &= step.is_exact;
            sum.constant = sum.constant.checked_add(step.constant)?;
            if step.index.is_some() {
                if sum.index.is_some() {
                    return None;
                }
                sum.index = step.index;
            }
        }
        Some(sum)
    }
}

/// The stack variable that an address is computed of alone, at whatever place.
pub fn variable_at(mut address: Value) -> Option<Value> {
    while address.is(LLVMGetElementPtr) || address.is(LLVMAddrSpaceCast) {
        address = address.operand(0);
    }
    address.is(LLVMAlloca).then_some(address)
}

/// The stack variable that so many bytes at an address are a part of, whatever the program
/// does; `None` where that is not known.
pub fn variable_with(address: Value, bytes: u64) -> Option<Value> {
    let base = variable_at(address)?;
    let sum = Address::from_base(address, base)?;
    let end = u64::try_from(sum.constant).ok()?.checked_add(bytes)?;
    (sum.index.is_none() && end <= variable_size(base)?).then_some(base)
}

/// One computation of an address.
fn step(address: Value) -> Option<Address> {
    let mut out = MaybeUninit::<WarpallocIrAddress>::uninit();
    // SAFETY: a living value; what is written is asked about first.
    let out = unsafe {
        if !warpalloc_ir_address(address.as_ref().cast(), out.as_mut_ptr()) {
            return None;
        }
        out.assume_init()
    };
    // SAFETY: operands of the computation; null is checked.
    let index =
        (!out.variable.is_null()).then(|| (unsafe { Value::new(out.variable.cast()) }, out.stride));
    Some(Address {
        // SAFETY: as before.
        base: unsafe { Value::new(out.base.cast()) },
        constant: out.constant,
        index,
        is_exact: index.is_none_or(|(index, _)| is_exact(address, index)),
    })
}

/// An index narrower than an address cannot make the product wrap around, and `inbounds`
/// says that none does. The narrowest could not hold the number of every element.
fn is_exact(address: Value, index: Value) -> bool {
    match index.integer_width() {
        Some(16..=32) => true,
        Some(64) => address.is_in_bounds(),
        _ => false,
    }
}

/// The bytes of a stack variable, if its size is constant.
pub fn variable_size(alloca: Value) -> Option<u64> {
    // SAFETY: a living value.
    let size = unsafe { warpalloc_ir_variable_size(alloca.as_ref().cast()) };
    (size > 0).then_some(size)
}

/// The bytes that a load or store accesses.
pub fn access_size(access: Value) -> u64 {
    // SAFETY: a living value.
    unsafe { warpalloc_ir_access_size(access.as_ref().cast()) }
}
