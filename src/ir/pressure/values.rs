//! What of a function's values takes registers.
//!
//! A value has pieces, each of one class, which are live on their own: the back end splits
//! vectors and structures into scalars. What only names parts of other values has their
//! pieces: casts that change nothing, elements taken out and put together, an address and a
//! constant, which an access adds. Constants, addresses of variables and of the stack have
//! none.

use super::class::{Class, Part, narrow_bits, parts};
use super::uniform::Uniform;
use crate::ir::Unit;
use crate::ir::unit::{instructions, parameters};
use crate::ir::value::Value;
use inkwell::llvm_sys::LLVMOpcode::{self, *};
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::target::{LLVMGetModuleDataLayout, LLVMTargetDataRef};
use inkwell::values::FunctionValue;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// One piece: its number, its class and how many registers it takes.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The value that it is a part of.
    pub owner: Value,
    /// The class.
    pub class: Class,
    /// Registers, or predicates.
    pub count: u32,
}

/// The numbers of a value's pieces, or [`NONE`].
type Numbers = SmallVec<[usize; 2]>;

/// What may only name parts of other values: the opcodes that [`Values::named`] knows. Most values
/// are computed, and need no entry before their own.
const NAMING: [LLVMOpcode; 11] = [
    LLVMBitCast,
    LLVMPtrToInt,
    LLVMIntToPtr,
    LLVMAddrSpaceCast,
    LLVMFreeze,
    LLVMGetElementPtr,
    LLVMExtractValue,
    LLVMInsertValue,
    LLVMExtractElement,
    LLVMInsertElement,
    LLVMShuffleVector,
];

/// The pieces of all values of a function.
pub struct Values<'a> {
    uniform: &'a Uniform,
    layout: LLVMTargetDataRef,
    /// All pieces.
    pub pieces: Vec<Piece>,
    of: FxHashMap<Value, Numbers>,
    /// The values that own pieces: parameters and instructions in order.
    pub owners: Vec<Value>,
}

impl<'a> Values<'a> {
    /// Finds them.
    pub fn new(unit: &Unit, function: FunctionValue, uniform: &'a Uniform) -> Self {
        // SAFETY: a living module.
        let layout = unsafe { LLVMGetModuleDataLayout(unit.module().as_mut_ptr()) };
        let mut values = Self {
            uniform,
            layout,
            pieces: Vec::new(),
            of: FxHashMap::default(),
            owners: Vec::new(),
        };
        for parameter in parameters(function) {
            values.own(parameter);
        }
        for instruction in instructions(function) {
            values.find(instruction);
        }
        values
    }

    /// The pieces of a value.
    pub fn of(&self, value: Value) -> impl Iterator<Item = usize> {
        let parts = self.of.get(&value).map_or(&[][..], SmallVec::as_slice);
        parts.iter().copied().filter(|&piece| piece != NONE)
    }

    /// Whether something is computed where the value stands.
    pub fn is_computed(&self, value: Value) -> bool {
        let Some(parts) = self.of.get(&value) else {
            return true;
        };
        let is_own = |&part: &usize| part != NONE && self.pieces[part].owner == value;
        parts.is_empty() || parts.iter().any(is_own)
    }

    /// Gives a value pieces of its own.
    fn own(&mut self, value: Value) -> Numbers {
        let is_warps = self.uniform.is_on_path(value);
        let mut numbers = Numbers::new();
        for Part { class, count } in self.shape(value) {
            numbers.push(self.pieces.len());
            self.pieces.push(Piece {
                owner: value,
                class: if is_warps { class.uniform() } else { class },
                count,
            });
        }
        if !numbers.is_empty() {
            self.owners.push(value);
        }
        self.of.insert(value, Numbers::from_slice(&numbers));
        numbers
    }

    fn shape(&self, value: Value) -> SmallVec<[Part; 2]> {
        // SAFETY: a living value, and its type.
        parts(unsafe { LLVMTypeOf(value.as_ref()) }, self.layout)
    }

    /// A piece for each part of a value, found if they have not been.
    fn find(&mut self, value: Value) -> Numbers {
        if let Some(known) = self.of.get(&value) {
            return Numbers::from_slice(known);
        }
        let may_name = match value.opcode() {
            None | Some(LLVMAlloca) => return smallvec![NONE; self.shape(value).len()],
            Some(opcode) => NAMING.contains(&opcode),
        };
        if !may_name {
            return self.own(value);
        }
        // Code that nothing leads to may use itself.
        let none = smallvec![NONE; self.shape(value).len()];
        self.of.insert(value, none);
        match self.named(value) {
            Some(pieces) => {
                self.of.insert(value, pieces.clone());
                pieces
            }
            None => self.own(value),
        }
    }

    /// The pieces of what only names others; `None` if it is computed.
    fn named(&mut self, value: Value) -> Option<Numbers> {
        match value.opcode()? {
            LLVMBitCast | LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast | LLVMFreeze => {
                let from = value.operand(0);
                (self.shape(from) == self.shape(value)).then(|| self.find(from))
            }
            LLVMGetElementPtr => {
                let is_scalar = self.shape(value).len() == 1;
                let is_named = is_scalar && value.operands().skip(1).all(Value::is_constant);
                is_named.then(|| self.find(value.operand(0)))
            }
            LLVMExtractValue => {
                let range = field(value.operand(0), value, self.layout);
                Some(self.find(value.operand(0))[range].into())
            }
            LLVMInsertValue => {
                let range = field(value, value, self.layout);
                let part = self.find(value.operand(1));
                let mut whole = self.find(value.operand(0));
                whole[range].copy_from_slice(&part);
                Some(whole)
            }
            LLVMExtractElement => {
                let range = self.element(value.operand(0), value.operand(1))?;
                Some(self.find(value.operand(0))[range].into())
            }
            LLVMInsertElement => {
                let range = self.element(value, value.operand(2))?;
                let part = self.find(value.operand(1));
                let mut whole = self.find(value.operand(0));
                whole[range].copy_from_slice(&part);
                Some(whole)
            }
            LLVMShuffleVector => self.shuffled(value),
            _ => None,
        }
    }

    /// The parts of the element `index` of a vector, if that is a constant and elements do
    /// not share registers.
    fn element(&self, vector: Value, index: Value) -> Option<Range<usize>> {
        let index = usize::try_from(index.constant_integer()?).ok()?;
        let count = self.element_parts(vector)?;
        let range = index * count..(index + 1) * count;
        (range.end <= self.shape(vector).len()).then_some(range)
    }

    /// How many parts each element of a vector has.
    fn element_parts(&self, vector: Value) -> Option<usize> {
        // SAFETY: a living value, its type, and what that has if it is a vector.
        let element = unsafe {
            let kind = LLVMTypeOf(vector.as_ref());
            let is_vector = LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMVectorTypeKind;
            is_vector.then(|| LLVMGetElementType(kind))?
        };
        narrow_bits(element)
            .is_none()
            .then(|| parts(element, self.layout).len())
    }

    fn shuffled(&mut self, value: Value) -> Option<Numbers> {
        let count = self.element_parts(value)?;
        let mut both = self.find(value.operand(0));
        both.extend(self.find(value.operand(1)));
        // SAFETY: a shuffle, and numbers below its length.
        let mask: Vec<_> = unsafe {
            let length = LLVMGetNumMaskElements(value.as_ref());
            let element = |i| LLVMGetMaskValue(value.as_ref(), i);
            (0..length).map(element).collect()
        };
        let chosen = mask.into_iter().flat_map(|index| {
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            let range = index.saturating_mul(count)..index.saturating_add(1).saturating_mul(count);
            both.get(range)
                .map_or_else(|| smallvec![NONE; count], Numbers::from_slice)
        });
        Some(chosen.collect())
    }
}

/// The parts of `aggregate` that the indices of `access` name.
fn field(aggregate: Value, access: Value, layout: LLVMTargetDataRef) -> Range<usize> {
    let mut start = 0;
    // SAFETY: an access to a field, and indices that are right for the types.
    unsafe {
        let mut kind = LLVMTypeOf(aggregate.as_ref());
        let indices = LLVMGetIndices(access.as_ref());
        for i in 0..LLVMGetNumIndices(access.as_ref()) {
            let index = *indices.add(i as usize);
            if LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMStructTypeKind {
                for before in 0..index {
                    start += parts(LLVMStructGetTypeAtIndex(kind, before), layout).len();
                }
                kind = LLVMStructGetTypeAtIndex(kind, index);
            } else {
                kind = LLVMGetElementType(kind);
                start += index as usize * parts(kind, layout).len();
            }
        }
        start..start + parts(kind, layout).len()
    }
}

/// A part that needs no register.
const NONE: usize = usize::MAX;
