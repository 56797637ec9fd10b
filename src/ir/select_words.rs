//! Arrays of bytes or halves of words as packed words: an element is chosen by a choice
//! between words and a shift.
//!
//! A load becomes loads of all words, a chain of selects, and a shift; on NVPTX `prmt` takes
//! the element out of two words at once. A store puts its value into every word, and stores
//! the old or the new one. That is cheaper than a choice between elements where a word holds
//! several. SROA makes registers of the words, and shifts and masks of accesses to elements
//! at constant places.
//!
//! Requires that all accesses are to integers of whole bytes and that nothing is copied: one element that
//! is poison would make all of its word so. Values that are stored are frozen for the same
//! reason.

use super::Unit;
use super::address::{Address, variable_size};
use super::build::{BUILDS, Before};
use super::locals::{Kind, Local};
use super::select_elements::Chain;
use super::value::Value;
use inkwell::IntPredicate::EQ;
use inkwell::intrinsics::Intrinsic;
use inkwell::llvm_sys::LLVMOpcode::LLVMStore;
use inkwell::types::{BasicTypeEnum, IntType};
use inkwell::values::{AsValueRef, IntValue};

/// The bytes of a word, and its bits.
const WORD: u64 = 4;
const WORD_BITS: u64 = 8 * WORD;

/// Whether the accesses that chains replace can be to words.
pub fn can_pack(local: &Local, chains: &[Chain]) -> bool {
    let integers = local.uses.iter().all(|one| match one.kind {
        Kind::Access => match one.instruction.accessed_type() {
            Some(BasicTypeEnum::IntType(integer)) => integer.get_bit_width() % 8 == 0,
            _ => false,
        },
        _ => one.is_fill(),
    });
    let packed = chains.iter().all(|chain| {
        let Some((_, stride)) = chain.address.index else {
            return false;
        };
        let bits = chain.kind;
        matches!(stride, 1 | 2)
            && bits.is_int_type()
            && i64::from(bits.into_int_type().get_bit_width()) == 8 * stride
            && chain.address.constant % stride == 0
    });
    let words = variable_size(local.alloca).is_some_and(|size| size % WORD == 0);
    integers && packed && words
}

/// What a chain costs, in instructions: for each word or pair of words a comparison, a
/// select, and what takes the element out or puts it in; the shifts, or the selector.
pub fn cost(unit: &Unit, local: &Local, chain: &Chain) -> f64 {
    let words = variable_size(local.alloca).unwrap_or(0) / WORD;
    let cost = match (chain.access.is(LLVMStore), unit.is_nvptx()) {
        (true, _) => 3 + 3 * words,
        (false, true) => 1 + 3 * words.div_ceil(2),
        (false, false) => 3 + 2 * words,
    };
    cost as f64
}

/// Aligns an array to words, and freezes what is stored at constant places.
pub fn prepare(unit: &Unit, local: &Local) {
    if let Some(alloca) = local.alloca.instruction() {
        // A power of two, which LLVM takes.
        let _ = alloca.set_alignment(local.alloca.alignment().max(WORD as u32));
    }
    for one in &local.uses {
        let stored = one.instruction;
        if stored.is(LLVMStore) && stored.operand(0).constant_integer().is_none() {
            let frozen = Before::new(unit, stored).freeze(stored.operand(0).basic());
            // SAFETY: a value of the store's function.
            stored.set_operand(0, unsafe { Value::new(frozen.as_value_ref()) });
        }
    }
}

/// Replaces an access by accesses to all words.
pub fn replace(unit: &Unit, chain: &Chain) {
    let Some(words) = Words::new(unit, chain) else {
        return;
    };
    match (chain.access.is(LLVMStore), unit.is_nvptx()) {
        (true, _) => words.store(),
        (false, true) => words.load_permuted(unit),
        (false, false) => words.load_shifted(),
    }
}

/// An access to a packed array.
struct Words {
    build: Before,
    /// What is loaded or stored.
    element: IntType<'static>,
    access: Value,
    array: Value,
    count: u64,
    /// The first byte of the element, as an integer of a word.
    place: IntValue<'static>,
    /// The bytes of an element.
    stride: i64,
}

impl Words {
    fn new(unit: &Unit, chain: &Chain) -> Option<Self> {
        // The index may be what another access of ours was.
        let address = Address::from_base(chain.pointer(), chain.address.base)?;
        let (index, stride) = address.index?;
        let build = Before::new(unit, chain.access);
        let builder = build.builder();
        let word = unit.module().get_context().i32_type();
        let constant = |value: i64| word.const_int(value as u64, true);
        // SAFETY: an index is an integer.
        let index = unsafe { IntValue::new(index.as_ref()) };
        let index = builder.build_int_cast_sign_flag(index, word, true, "");
        let scaled = builder.build_int_mul(index.expect(BUILDS), constant(stride), "");
        let place = builder.build_int_add(scaled.expect(BUILDS), constant(address.constant), "");
        Some(Self {
            place: place.expect(BUILDS),
            stride,
            build,
            element: chain.kind.into_int_type(),
            access: chain.access,
            array: address.base,
            count: variable_size(address.base)? / WORD,
        })
    }

    fn constant(&self, value: u64) -> IntValue<'static> {
        self.place.get_type().const_int(value, false)
    }

    /// The bits below the element in its word.
    fn shift(&self) -> IntValue<'static> {
        let builder = self.build.builder();
        let byte = builder.build_and(self.place, self.constant(WORD - 1), "");
        let bits = builder.build_left_shift(byte.expect(BUILDS), self.constant(3), "");
        bits.expect(BUILDS)
    }

    /// The word `number` of the array.
    fn word(&self, number: u64) -> IntValue<'static> {
        let place = self.build.offset(self.array, number * WORD);
        self.build.load_bytes(place, WORD).into_int_value()
    }

    /// `yes` if the element is in part `number` of 2 to the power of `bits` bytes, else `no`.
    fn choose(
        &self,
        bits: u64,
        number: u64,
        yes: IntValue<'static>,
        no: IntValue<'static>,
    ) -> IntValue<'static> {
        let builder = self.build.builder();
        let part = builder.build_right_shift(self.place, self.constant(bits), false, "");
        let number = self.constant(number);
        let is_there = builder.build_int_compare(EQ, part.expect(BUILDS), number, "");
        self.build
            .select(is_there.expect(BUILDS), yes.into(), no.into())
            .into_int_value()
    }

    fn load_shifted(self) {
        let last = self.count - 1;
        let chosen = (0..last).rev().fold(self.word(last), |other, number| {
            self.choose(2, number, self.word(number), other)
        });
        let builder = self.build.builder();
        let shifted = builder.build_right_shift(chosen, self.shift(), false, "");
        self.replace_by(shifted.expect(BUILDS));
    }

    /// `prmt` takes bytes of two words, numbered from 0 to 7 in the fourths of a selector.
    fn load_permuted(self, unit: &Unit) {
        let builder = self.build.builder();
        let byte = builder.build_and(self.place, self.constant(2 * WORD - 1), "");
        let mut selector = byte.expect(BUILDS);
        if self.stride == 2 {
            let twice = builder.build_int_mul(selector, self.constant(0x11), "");
            let next = builder.build_int_add(twice.expect(BUILDS), self.constant(0x10), "");
            selector = next.expect(BUILDS);
        }
        let permute = Intrinsic::find("llvm.nvvm.prmt");
        let permute = permute.and_then(|one| one.get_declaration(unit.module(), &[]));
        let permute = permute.expect("an intrinsic of NVPTX");
        let pair = |number: u64| {
            let second = 2 * number + 1;
            let second = if second < self.count {
                self.word(second)
            } else {
                self.constant(0)
            };
            let operands = [self.word(2 * number), second, selector].map(Into::into);
            let call = builder.build_call(permute, &operands, "").expect(BUILDS);
            // SAFETY: the intrinsic has an integer as its result.
            unsafe { IntValue::new(call.as_value_ref()) }
        };
        let last = self.count.div_ceil(2) - 1;
        let chosen = (0..last).rev().fold(pair(last), |other, number| {
            self.choose(3, number, pair(number), other)
        });
        self.replace_by(chosen);
    }

    /// Puts the low bits of a word in the place of what was loaded.
    fn replace_by(self, word: IntValue<'static>) {
        let builder = self.build.builder();
        let element = builder.build_int_truncate(word, self.element, "");
        self.build.replace_by(element.expect(BUILDS).into());
    }

    fn store(self) {
        let builder = self.build.builder();
        let kind = self.place.get_type();
        let shift = self.shift();
        let stored = self.build.freeze(self.access.operand(0).basic());
        let stored = stored.into_int_value();
        let bits = u64::from(stored.get_type().get_bit_width());
        let ones = kind.const_int(u64::MAX >> (2 * WORD_BITS - bits), false);
        let mask = builder.build_left_shift(ones, shift, "").expect(BUILDS);
        let others = builder.build_not(mask, "").expect(BUILDS);
        let wide = builder.build_int_z_extend(stored, kind, "").expect(BUILDS);
        let value = builder.build_left_shift(wide, shift, "").expect(BUILDS);
        for number in 0..self.count {
            let old = self.word(number);
            let kept = builder.build_and(old, others, "").expect(BUILDS);
            let new = builder.build_or(kept, value, "").expect(BUILDS);
            let new = match self.count {
                1 => new,
                _ => self.choose(2, number, new, old),
            };
            let place = self.build.offset(self.array, number * WORD);
            self.build.store(new.into(), place, WORD as u32);
        }
        self.build.erase();
    }
}
