//! Values of LLVM IR of any kind and type.
//!
//! inkwell has a type for each of LLVM's, which analyses that follow uses and operands
//! through any code would have to tell apart at every step. This is LLVM's own view of a
//! value, with what they ask of it.

use inkwell::attributes::Attribute;
use inkwell::context::ContextRef;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMAttributeRef, LLVMBasicBlockRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAttributeFunctionIndex, LLVMOpcode, LLVMTypeKind};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{AsValueRef, BasicValueEnum, FunctionValue, InstructionValue};
use std::iter;

/// A value of the module that a pass runs over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(LLVMValueRef);

// Each function below asks LLVM about a value of a living module: that is what makes a
// `Value`. Where LLVM wants a certain kind of value, the kind is asked for first.
impl Value {
    /// # Safety
    /// `value` must be one of a module, and stay so while this or what comes from it is
    /// used.
    pub unsafe fn new(value: LLVMValueRef) -> Self {
        Self(value)
    }

    /// LLVM's pointer.
    pub fn as_ref(self) -> LLVMValueRef {
        self.0
    }

    /// What the instruction does; `None` for all other values.
    pub fn opcode(self) -> Option<LLVMOpcode> {
        // SAFETY: a living value.
        let instruction = unsafe { LLVMIsAInstruction(self.0) };
        // SAFETY: it is an instruction.
        (!instruction.is_null()).then(|| unsafe { LLVMGetInstructionOpcode(instruction) })
    }

    /// Whether it is an instruction that does `opcode`.
    pub fn is(self, opcode: LLVMOpcode) -> bool {
        self.opcode() == Some(opcode)
    }

    /// Whether it is a constant, also the address of a global.
    pub fn is_constant(self) -> bool {
        // SAFETY: a living value.
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// Whether it is `undef` or `poison`.
    pub fn is_undefined(self) -> bool {
        // SAFETY: a living value.
        unsafe { LLVMIsUndef(self.0) != 0 }
    }

    /// The instruction, as inkwell has it.
    pub fn instruction(self) -> Option<InstructionValue<'static>> {
        // SAFETY: an instruction, as it has an opcode.
        self.opcode()
            .map(|_| unsafe { InstructionValue::new(self.0) })
    }

    /// Its operands; those of a call end with the callee.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Value> {
        // SAFETY: a living value.
        let user = unsafe { LLVMIsAUser(self.0) };
        let count = if user.is_null() {
            0
        } else {
            // SAFETY: a user.
            unsafe { LLVMGetNumOperands(user) as u32 }
        };
        // SAFETY: the number is below the count.
        (0..count).map(move |number| Value(unsafe { LLVMGetOperand(user, number) }))
    }

    /// Its first operand.
    ///
    /// # Panics
    /// If it has none.
    pub fn operand(self, number: usize) -> Value {
        match self.operands().nth(number) {
            Some(operand) => operand,
            None => panic!("an instruction has no operand {number}"),
        }
    }

    /// Puts `operand` in place of one that an instruction has.
    pub fn set_operand(self, number: usize, operand: Value) {
        if self.opcode().is_some() && number < self.operands().count() {
            // SAFETY: an instruction with so many operands; both are values of a function.
            unsafe { LLVMSetOperand(self.0, number as u32, operand.0) }
        }
    }

    /// Removes an instruction that nothing uses; nobody may ask about it any more.
    pub fn erase(self) {
        if let Some(instruction) = self.instruction() {
            instruction.erase_from_basic_block();
        }
    }

    /// Moves an instruction in front of another.
    pub fn move_before(self, place: Value) {
        if let (Some(one), Some(other)) = (self.instruction(), place.instruction()) {
            one.remove_from_basic_block();
            // SAFETY: it is in no block now; the place is an instruction in one.
            unsafe {
                let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(
                    LLVMGetGlobalParent(LLVMGetBasicBlockParent(place.block())),
                ));
                LLVMPositionBuilderBefore(builder, other.as_value_ref());
                LLVMInsertIntoBuilder(builder, one.as_value_ref());
                LLVMDisposeBuilder(builder);
            }
        }
    }

    /// What uses it, as often as it does.
    pub fn users(self) -> impl Iterator<Item = Value> {
        // SAFETY: a living value, and then a use of one.
        let first = unsafe { LLVMGetFirstUse(self.0) };
        let uses = iter::successors((!first.is_null()).then_some(first), |&one| {
            // SAFETY: a use of a living value.
            let next = unsafe { LLVMGetNextUse(one) };
            (!next.is_null()).then_some(next)
        });
        // SAFETY: as before.
        uses.map(|one| Value(unsafe { LLVMGetUser(one) }))
    }

    /// The block of an instruction.
    pub fn block(self) -> LLVMBasicBlockRef {
        match self.opcode() {
            // SAFETY: an instruction.
            Some(_) => unsafe { LLVMGetInstructionParent(self.0) },
            None => std::ptr::null_mut(),
        }
    }

    /// The instruction after this one in its block.
    pub fn next(self) -> Option<Value> {
        self.opcode()?;
        // SAFETY: an instruction.
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Value(next))
    }

    /// Whether an instruction may write memory, or do anything that others see; true where
    /// that is not clear.
    pub fn may_write(self) -> bool {
        use LLVMOpcode::*;
        !matches!(
            self.opcode(),
            Some(
                LLVMPHI
                    | LLVMSelect
                    | LLVMGetElementPtr
                    | LLVMAdd
                    | LLVMSub
                    | LLVMMul
                    | LLVMShl
                    | LLVMLShr
                    | LLVMAShr
                    | LLVMAnd
                    | LLVMOr
                    | LLVMXor
                    | LLVMTrunc
                    | LLVMZExt
                    | LLVMSExt
                    | LLVMICmp
                    | LLVMFCmp
                    | LLVMFreeze
                    | LLVMBitCast
                    | LLVMAddrSpaceCast
                    | LLVMPtrToInt
                    | LLVMIntToPtr
                    | LLVMExtractValue
                    | LLVMInsertValue
                    | LLVMExtractElement
                    | LLVMInsertElement
                    | LLVMShuffleVector
                    | LLVMFAdd
                    | LLVMFSub
                    | LLVMFMul
                    | LLVMFNeg
            )
        ) && (!self.is(LLVMLoad) || self.is_volatile_or_atomic())
    }

    /// Whether an instruction is pure and computes integers or addresses, of little.
    pub fn is_integer_or_address_arithmetic(self) -> bool {
        use LLVMOpcode::*;
        matches!(
            self.opcode(),
            Some(
                LLVMAdd
                    | LLVMSub
                    | LLVMMul
                    | LLVMAnd
                    | LLVMOr
                    | LLVMXor
                    | LLVMShl
                    | LLVMLShr
                    | LLVMAShr
                    | LLVMTrunc
                    | LLVMZExt
                    | LLVMSExt
                    | LLVMGetElementPtr
                    | LLVMAddrSpaceCast
            )
        )
    }

    /// Whether an instruction may be executed where it was not, and computes the same there.
    pub fn is_pure(self) -> bool {
        use LLVMOpcode::*;
        self.is_integer_or_address_arithmetic()
            || matches!(
                self.opcode(),
                Some(
                    LLVMFPExt
                        | LLVMFPTrunc
                        | LLVMSIToFP
                        | LLVMUIToFP
                        | LLVMFAdd
                        | LLVMFSub
                        | LLVMFMul
                        | LLVMFNeg
                        | LLVMSelect
                )
            )
    }

    /// How many blocks a terminator may lead to.
    pub fn successor_count(self) -> u32 {
        if self.opcode().is_none() {
            return 0;
        }
        // SAFETY: an instruction.
        let terminator = unsafe { LLVMIsATerminatorInst(self.0) };
        if terminator.is_null() {
            0
        } else {
            // SAFETY: a terminator.
            unsafe { LLVMGetNumSuccessors(terminator) }
        }
    }

    /// The values of a phi, each with the last instruction of the block it comes from.
    pub fn incoming(self) -> impl Iterator<Item = (Value, Value)> {
        let count = match self.opcode() {
            // SAFETY: a phi.
            Some(LLVMOpcode::LLVMPHI) => unsafe { LLVMCountIncoming(self.0) },
            _ => 0,
        };
        // SAFETY: the number is below the count; a block of finished code has a terminator.
        (0..count).map(move |number| unsafe {
            let block = LLVMGetIncomingBlock(self.0, number);
            (
                Value(LLVMGetIncomingValue(self.0, number)),
                Value(LLVMGetBasicBlockTerminator(block)),
            )
        })
    }

    /// The function that a call calls, if it says so itself.
    pub fn callee(self) -> Option<FunctionValue<'static>> {
        if !self.is(LLVMOpcode::LLVMCall) {
            return None;
        }
        // SAFETY: a call.
        let callee = unsafe { LLVMIsAFunction(LLVMGetCalledValue(self.0)) };
        // SAFETY: null, or a function.
        unsafe { FunctionValue::new(callee) }
    }

    /// Whether it calls an intrinsic by the start of its name, such as `llvm.memcpy.`.
    pub fn calls(self, intrinsic: &str) -> bool {
        self.callee().is_some_and(|callee| {
            let name = callee.get_name().to_bytes();
            name.starts_with(intrinsic.as_bytes())
        })
    }

    /// The text of a call of inline assembly.
    pub fn assembly(self) -> Option<String> {
        if !self.is(LLVMOpcode::LLVMCall) {
            return None;
        }
        // SAFETY: a call.
        let callee = unsafe { LLVMGetCalledValue(self.0) };
        // SAFETY: a living value.
        if unsafe { LLVMIsAInlineAsm(callee).is_null() } {
            return None;
        }
        let mut length = 0;
        // SAFETY: inline assembly, whose text has so many bytes.
        let text = unsafe {
            let text = LLVMGetInlineAsmAsmString(callee, &mut length);
            std::slice::from_raw_parts(text.cast::<u8>(), length)
        };
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// The arguments of a call.
    pub fn arguments(self) -> impl Iterator<Item = Value> {
        let count = match self.opcode() {
            // SAFETY: a call.
            Some(LLVMOpcode::LLVMCall) => unsafe { LLVMGetNumArgOperands(self.0) as usize },
            _ => 0,
        };
        self.operands().take(count)
    }

    /// Whether a call has an attribute of its own, not of its callee.
    pub fn call_has(self, attribute: &str) -> bool {
        let kind = Attribute::get_named_enum_kind_id(attribute);
        // SAFETY: a call is what it is asked of.
        self.is(LLVMOpcode::LLVMCall)
            && unsafe {
                !LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, kind).is_null()
            }
    }

    /// Gives a call an attribute.
    pub fn add_call_attribute(self, context: &ContextRef, attribute: &str) {
        let kind = Attribute::get_named_enum_kind_id(attribute);
        let attribute = context.create_enum_attribute(kind, 0);
        if self.is(LLVMOpcode::LLVMCall) {
            // SAFETY: a call.
            unsafe {
                LLVMAddCallSiteAttribute(self.0, LLVMAttributeFunctionIndex, attribute.as_mut_ptr())
            }
        }
    }

    /// The alignment that a call says an argument has.
    pub fn parameter_alignment(self, number: u32) -> u64 {
        let kind = Attribute::get_named_enum_kind_id("align");
        if !self.is(LLVMOpcode::LLVMCall) {
            return 1;
        }
        // SAFETY: a call; parameters count from one.
        let attribute = unsafe { LLVMGetCallSiteEnumAttribute(self.0, number + 1, kind) };
        if attribute.is_null() {
            1
        } else {
            // SAFETY: an attribute with a number.
            unsafe { LLVMGetEnumAttributeValue(attribute) }
        }
    }

    /// Whether a call, or the function it calls, says this of a parameter.
    pub fn parameter_has(self, number: u32, attribute: &str) -> bool {
        !self.parameter_attribute(number, attribute).is_null()
    }

    /// Whether a call, or the function it calls, keeps no copy of an argument.
    pub fn parameter_captures_nothing(self, number: u32) -> bool {
        let attribute = self.parameter_attribute(number, "captures");
        // SAFETY: an attribute with a number, where there is one.
        !attribute.is_null() && unsafe { LLVMGetEnumAttributeValue(attribute) == 0 }
    }

    fn parameter_attribute(self, number: u32, attribute: &str) -> LLVMAttributeRef {
        let kind = Attribute::get_named_enum_kind_id(attribute);
        let Some(callee) = self.callee() else {
            return std::ptr::null_mut();
        };
        // SAFETY: a call; parameters count from one.
        let own = unsafe { LLVMGetCallSiteEnumAttribute(self.0, number + 1, kind) };
        if !own.is_null() {
            return own;
        }
        // SAFETY: a function.
        unsafe { LLVMGetEnumAttributeAtIndex(callee.as_value_ref(), number + 1, kind) }
    }

    /// The alignment of a load or store, or of a stack variable.
    pub fn alignment(self) -> u32 {
        match self.opcode() {
            // SAFETY: an instruction that has an alignment.
            Some(LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore | LLVMOpcode::LLVMAlloca) => unsafe {
                LLVMGetAlignment(self.0)
            },
            _ => 1,
        }
    }

    /// A value of a type that registers can have, as inkwell has it.
    pub fn basic(self) -> BasicValueEnum<'static> {
        // SAFETY: a living value.
        unsafe { BasicValueEnum::new(self.0) }
    }

    /// The type of what a load loads or a store stores; `None` for one that only some target
    /// knows.
    pub fn accessed_type(self) -> Option<BasicTypeEnum<'static>> {
        let accessed = match self.is(LLVMOpcode::LLVMStore) {
            true => self.operand(0),
            false => self,
        };
        // SAFETY: a living value, and its type.
        let kind = unsafe { LLVMGetTypeKind(LLVMTypeOf(accessed.0)) };
        (kind != LLVMTypeKind::LLVMTargetExtTypeKind).then(|| accessed.basic().get_type())
    }

    /// Whether a load or store, or a call that copies memory, may not be touched.
    pub fn is_volatile_or_atomic(self) -> bool {
        match self.opcode() {
            // SAFETY: a load or store.
            Some(LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore) => unsafe {
                LLVMGetVolatile(self.0) != 0
                    || LLVMGetOrdering(self.0) != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
            },
            Some(LLVMOpcode::LLVMCall) => self
                .arguments()
                .last()
                .and_then(Value::constant_integer)
                .is_none_or(|volatile| volatile != 0),
            _ => true,
        }
    }

    /// The bits of an integer.
    pub fn integer_width(self) -> Option<u32> {
        // SAFETY: a living value, and the width only of an integer type.
        unsafe {
            let kind = LLVMTypeOf(self.0);
            (LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMIntegerTypeKind)
                .then(|| LLVMGetIntTypeWidth(kind))
        }
    }

    /// The registers of 32 bits that a value needs on NVPTX: none for what is a predicate,
    /// or has no value or a type that is not one of a register.
    pub fn registers(self) -> u32 {
        use LLVMTypeKind::*;
        // SAFETY: a living value, and the widths of types that have one.
        unsafe {
            let kind = LLVMTypeOf(self.0);
            match LLVMGetTypeKind(kind) {
                LLVMIntegerTypeKind => match LLVMGetIntTypeWidth(kind) {
                    1 => 0,
                    width => width.div_ceil(32),
                },
                LLVMHalfTypeKind | LLVMBFloatTypeKind | LLVMFloatTypeKind => 1,
                LLVMDoubleTypeKind => 2,
                // Shared memory has addresses of 32 bits in the end, all others 64.
                LLVMPointerTypeKind => match LLVMGetPointerAddressSpace(kind) {
                    3 => 1,
                    _ => 2,
                },
                _ => 0,
            }
        }
    }

    /// The address space of a pointer; `None` for other values.
    pub fn pointer_space(self) -> Option<u32> {
        // SAFETY: a living value, and the space only of a pointer.
        unsafe {
            let kind = LLVMTypeOf(self.0);
            (LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMPointerTypeKind)
                .then(|| LLVMGetPointerAddressSpace(kind))
        }
    }

    /// Whether an address computation stays in what it starts from.
    pub fn is_in_bounds(self) -> bool {
        // SAFETY: an address computation.
        self.is(LLVMOpcode::LLVMGetElementPtr) && unsafe { LLVMIsInBounds(self.0) != 0 }
    }

    /// The value of an integer constant of at most 64 bits.
    pub fn constant_integer(self) -> Option<u64> {
        // SAFETY: a living value.
        let constant = unsafe { LLVMIsAConstantInt(self.0) };
        if constant.is_null() {
            return None;
        }
        // SAFETY: an integer constant, of an integer type.
        unsafe {
            (LLVMGetIntTypeWidth(LLVMTypeOf(constant)) <= 64)
                .then(|| LLVMConstIntGetZExtValue(constant))
        }
    }
}
