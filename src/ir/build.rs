//! Instructions that take the place of another.

use super::Unit;
use super::value::Value;
use inkwell::IntPredicate;
use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::llvm_sys::core::{
    LLVMBuildFreeze, LLVMInsertIntoBuilder, LLVMInstructionClone, LLVMReplaceAllUsesWith,
};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{
    AsValueRef, BasicValue, BasicValueEnum, InstructionValue, IntValue, PointerValue,
};

/// Builds in front of an instruction, with its place in the source.
pub struct Before {
    instruction: InstructionValue<'static>,
    context: ContextRef<'static>,
    builder: Builder<'static>,
}

/// What cannot happen: a builder without a place, or an operand of another type.
pub const BUILDS: &str = "operands have the types that the instruction wants";

impl Before {
    /// # Panics
    /// If `value` is not an instruction.
    pub fn new(unit: &Unit, value: Value) -> Self {
        let instruction = value.instruction().expect("an instruction to build at");
        let context = unit.module().get_context();
        let builder = context.create_builder();
        builder.position_before(&instruction);
        Self {
            instruction,
            context,
            builder,
        }
    }

    /// The builder, in its place.
    pub fn builder(&self) -> &Builder<'static> {
        &self.builder
    }

    /// `address + bytes`.
    pub fn offset(&self, address: Value, bytes: u64) -> PointerValue<'static> {
        // SAFETY: only pointers are offset.
        let address = unsafe { PointerValue::new(address.as_ref()) };
        if bytes == 0 {
            return address;
        }
        let bytes = self.context.i64_type().const_int(bytes, false);
        // SAFETY: a byte of what the instruction accesses.
        let sum = unsafe {
            self.builder
                .build_in_bounds_gep(self.context.i8_type(), address, &[bytes], "")
        };
        sum.expect(BUILDS)
    }

    /// A stack variable.
    pub fn variable(&self, kind: BasicTypeEnum<'static>, alignment: u32) -> PointerValue<'static> {
        let variable = self.builder.build_alloca(kind, "").expect(BUILDS);
        if let Some(alloca) = variable.as_instruction() {
            // An alignment is a power of two here, which LLVM takes.
            let _ = alloca.set_alignment(alignment);
        }
        variable
    }

    /// A phi of values, each with an instruction of the block that it comes from.
    pub fn phi(&self, incoming: &[(BasicValueEnum<'static>, Value)]) -> BasicValueEnum<'static> {
        let (first, _) = incoming.first().expect("a phi has values");
        let phi = self.builder.build_phi(first.get_type(), "").expect(BUILDS);
        for (value, from) in incoming {
            let block = from.instruction().and_then(|one| one.get_parent());
            phi.add_incoming(&[(value, block.expect("an instruction in a block"))]);
        }
        phi.as_basic_value()
    }

    /// One of two addresses.
    pub fn select_address(
        &self,
        condition: Value,
        yes: PointerValue<'static>,
        no: PointerValue<'static>,
    ) -> PointerValue<'static> {
        // SAFETY: the condition of a select.
        let condition = unsafe { IntValue::new(condition.as_ref()) };
        self.select(condition, yes.into(), no.into())
            .into_pointer_value()
    }

    /// Loads an integer of 4, 2 or 1 bytes, which are its alignment too.
    pub fn load_bytes(
        &self,
        address: PointerValue<'static>,
        bytes: u64,
    ) -> BasicValueEnum<'static> {
        let integer = match bytes {
            4 => self.context.i32_type(),
            2 => self.context.i16_type(),
            _ => self.context.i8_type(),
        };
        self.load(integer.into(), address, bytes as u32)
    }

    /// Loads a value.
    pub fn load(
        &self,
        kind: BasicTypeEnum<'static>,
        address: PointerValue<'static>,
        alignment: u32,
    ) -> BasicValueEnum<'static> {
        let value = self.builder.build_load(kind, address, "").expect(BUILDS);
        let load = value.as_instruction_value();
        load.and_then(|load| load.set_alignment(alignment).ok());
        value
    }

    /// Stores a value.
    pub fn store(
        &self,
        value: BasicValueEnum<'static>,
        address: PointerValue<'static>,
        alignment: u32,
    ) {
        let store = self.builder.build_store(address, value).expect(BUILDS);
        // An alignment is a power of two here, which LLVM takes.
        let _ = store.set_alignment(alignment);
    }

    /// The value as one that may not be taken apart where it came from.
    pub fn freeze(&self, value: BasicValueEnum<'static>) -> BasicValueEnum<'static> {
        // SAFETY: the builder has a place, and the value is one of its function's.
        unsafe {
            let frozen = LLVMBuildFreeze(
                self.builder.as_mut_ptr(),
                value.as_value_ref(),
                c"".as_ptr(),
            );
            BasicValueEnum::new(frozen)
        }
    }

    /// Whether an integer is a constant.
    pub fn is_equal(&self, integer: Value, constant: i64) -> IntValue<'static> {
        // SAFETY: an index is an integer.
        let integer = unsafe { IntValue::new(integer.as_ref()) };
        let constant = integer.get_type().const_int(constant as u64, true);
        self.builder
            .build_int_compare(IntPredicate::EQ, integer, constant, "")
            .expect(BUILDS)
    }

    /// The lower 32 bits of an integer, which is as it is if it has no more.
    pub fn lower_half(&self, index: Value) -> Value {
        // SAFETY: an index is an integer.
        let integer = unsafe { IntValue::new(index.as_ref()) };
        let word = self.context.i32_type();
        if integer.get_type().get_bit_width() <= word.get_bit_width() {
            return index;
        }
        let half = self.builder.build_int_truncate(integer, word, "");
        // SAFETY: a living value.
        unsafe { Value::new(half.expect(BUILDS).as_value_ref()) }
    }

    /// One of two values.
    pub fn select(
        &self,
        condition: IntValue<'static>,
        yes: BasicValueEnum<'static>,
        no: BasicValueEnum<'static>,
    ) -> BasicValueEnum<'static> {
        self.builder
            .build_select(condition, yes, no, "")
            .expect(BUILDS)
    }

    /// An instruction like `other`, which must not depend on its place.
    pub fn copy_of(&self, other: Value) -> Value {
        // SAFETY: an instruction of the function, which the builder puts into it once.
        unsafe {
            let copy = LLVMInstructionClone(other.as_ref());
            LLVMInsertIntoBuilder(self.builder.as_mut_ptr(), copy);
            Value::new(copy)
        }
    }

    /// Removes the instruction that was built before.
    pub fn erase(self) {
        self.instruction.erase_from_basic_block();
    }

    /// Puts a value where the instruction's was, and removes it.
    pub fn replace_by(self, value: BasicValueEnum<'static>) {
        // SAFETY: both are values of one type; the instruction has no use afterwards.
        unsafe {
            LLVMReplaceAllUsesWith(self.instruction.as_value_ref(), value.as_value_ref());
        }
        self.instruction.erase_from_basic_block();
    }
}
