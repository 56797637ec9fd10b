//! Accesses to small arrays at an index that is known only when the program runs become
//! choices between all elements.
//!
//! A load becomes loads of every element and a chain of selects; a store becomes, for
//! every element, a store of the old or the new value. All places are constant then, and
//! SROA makes the array registers. An index that is no element's is undefined behaviour, so
//! the last element needs no comparison.
//!
//! Refused, with a remark, where the chains cost more than the memory did: a select for each
//! register of each element, and a comparison for each element that the same index does not
//! have in its block already, against [`ACCESS_COST`] for an access, both weighed by the depth
//! of loops. What [`select_words`] does instead is done where it is cheaper. Arrays whose
//! address escapes, or with an access that does not fall on elements or a store of less than
//! whole bytes, are left alone.

use super::address::{Address, access_size, variable_size};
use super::build::Before;
use super::locals::{Kind, Local, Use, locals};
use super::loops::Loops;
use super::value::Value;
use super::{Unit, changed, remarks, select_words};
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::types::BasicTypeEnum;
use inkwell::values::FunctionValue;
use std::collections::BTreeSet;

/// The most bytes of a variable that can live in registers.
pub const MOST_BYTES: u64 = 1024;
/// The most elements to choose from.
const MOST_ELEMENTS: i64 = 32;
/// Bytes of a register of NVPTX.
const REGISTER: u64 = 4;
/// What an access to local memory costs, in instructions.
const ACCESS_COST: f64 = 6.0;

/// An access that is replaced, and the indices that are elements.
pub struct Chain {
    /// The load or store.
    pub access: Value,
    /// The type of what is loaded or stored.
    pub kind: BasicTypeEnum<'static>,
    /// Where it is.
    pub address: Address,
    first: i64,
    last: i64,
}

impl Chain {
    /// The address as the access has it now.
    pub fn pointer(&self) -> Value {
        self.access.operand(usize::from(!self.access.is(LLVMLoad)))
    }
}

/// How accesses at an unknown index are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By a choice between elements.
    Elements,
    /// By a choice between words, and a shift.
    Words,
}

/// What it costs to replace the chains of an array, and what the accesses to it cost that
/// go away, in instructions.
pub struct Weight {
    /// The cheaper way.
    pub form: Form,
    /// What that costs.
    pub cost: f64,
    /// What goes away.
    pub gain: f64,
}

/// Whether any access was replaced.
pub fn run(unit: &Unit) -> bool {
    changed::promote_and_mark(unit, |function| {
        let chosen = choose(unit, function);
        for (form, chain) in &chosen {
            match form {
                Form::Elements => replace(unit, chain),
                Form::Words => select_words::replace(unit, chain),
            }
        }
        !chosen.is_empty()
    })
}

/// The accesses of a function that are replaced.
fn choose(unit: &Unit, function: FunctionValue) -> Vec<(Form, Chain)> {
    let variables: Vec<_> = locals(function)
        .into_iter()
        .filter(|local| local.uses.iter().any(|one| !one.depends_on.is_empty()))
        .collect();
    if variables.is_empty() {
        return Vec::new();
    }
    let loops = Loops::new(unit, function);
    let mut chosen = Vec::new();
    for local in &variables {
        let Some(chains) = chains(local) else {
            continue;
        };
        let Weight { form, cost, gain } = weigh(unit, local, &chains, &loops);
        if cost <= gain {
            let parts = match form {
                Form::Elements => "elements",
                Form::Words => "words",
            };
            let text = format!(
                "a local array becomes registers: {} accesses choose between its {parts}, \
                 for about {cost:.0} instructions instead of {gain:.0}",
                chains.len()
            );
            remarks::passed(unit, "warpalloc-promote", local.alloca, "Selected", &text);
            if form == Form::Words {
                select_words::prepare(unit, local);
            }
            chosen.extend(chains.into_iter().map(|chain| (form, chain)));
        } else {
            let text = format!(
                "a local array stays in memory: choosing between its elements would cost \
                 about {cost:.0} instructions, and its accesses cost about {gain:.0}"
            );
            remarks::missed(
                unit,
                "warpalloc-promote",
                local.alloca,
                "NotSelected",
                &text,
            );
        }
    }
    chosen
}

/// The accesses of a variable that stand in the way of its becoming registers, if all of
/// them can be replaced.
fn chains(local: &Local) -> Option<Vec<Chain>> {
    if variable_size(local.alloca)? > MOST_BYTES || !local.is_private() {
        return None;
    }
    let mut chains = Vec::new();
    for one in &local.uses {
        if Address::from_base(one.address, local.alloca)?
            .index
            .is_some()
        {
            chains.push(chain(local, one)?);
        }
    }
    (!chains.is_empty()).then_some(chains)
}

/// What takes the place of an access at an unknown index, if that is possible.
pub fn chain(local: &Local, one: &Use) -> Option<Chain> {
    let address = Address::from_base(one.address, local.alloca)?;
    let (_, stride) = address.index?;
    if one.kind != Kind::Access || stride <= 0 || !address.is_exact {
        return None;
    }
    let kind = one.instruction.accessed_type()?;
    if one.instruction.is(LLVMStore) && !has_whole_bytes(kind) {
        return None;
    }
    let bytes = i64::try_from(access_size(one.instruction)).ok()?;
    let size = i64::try_from(variable_size(local.alloca)?).ok()?;
    // The first place that is not below the variable, and the last that is in it.
    let first = -address.constant.div_euclid(stride);
    let last = (size - bytes - address.constant).div_euclid(stride);
    let possible = bytes <= stride && first <= last && last - first < MOST_ELEMENTS;
    possible.then_some(Chain {
        access: one.instruction,
        kind,
        address,
        first,
        last,
    })
}

/// Whether a value that is loaded and stored again leaves memory as it is. An `i1` has a byte
/// there but only one of its bits, and what has been stored as another type may have more.
fn has_whole_bytes(kind: BasicTypeEnum) -> bool {
    let (element, count) = match kind {
        BasicTypeEnum::VectorType(vector) => (vector.get_element_type(), vector.get_size()),
        _ => (kind, 1),
    };
    match element {
        BasicTypeEnum::IntType(integer) => (integer.get_bit_width() * count).is_multiple_of(8),
        _ => true,
    }
}

/// What the chains cost, and the accesses that go with them, in instructions.
pub fn weigh(unit: &Unit, local: &Local, chains: &[Chain], loops: &Loops) -> Weight {
    let frequency = |value: Value| loops.frequency(value);
    let mut compared = BTreeSet::new();
    let cost = chains.iter().map(|chain| {
        let elements = (chain.last - chain.first + 1) as f64;
        let index = chain.address.index.map(|(index, _)| index.as_ref());
        let compares = compared.insert((index, chain.access.block()));
        let of_each = selects(unit, chain.access) + if compares { 1.0 } else { 0.0 };
        elements * frequency(chain.access) * of_each
    });
    let elements: f64 = cost.sum();
    let words = select_words::can_pack(local, chains).then(|| {
        let cost = |chain| select_words::cost(unit, local, chain) * frequency(chain.access);
        chains.iter().map(cost).sum::<f64>()
    });
    let gain = local
        .uses
        .iter()
        .map(|one| ACCESS_COST * frequency(one.instruction));
    let (form, cost) = match words {
        Some(words) if words < elements => (Form::Words, words),
        _ => (Form::Elements, elements),
    };
    Weight {
        form,
        cost,
        gain: gain.sum(),
    }
}

/// The instructions that choose between two of what an access loads or stores: on NVPTX one for
/// each register.
fn selects(unit: &Unit, access: Value) -> f64 {
    match unit.is_nvptx() {
        true => access_size(access).div_ceil(REGISTER).max(1) as f64,
        false => 1.0,
    }
}

/// Replaces an access by accesses to all elements.
fn replace(unit: &Unit, chain: &Chain) {
    // The index may be what another access of ours was.
    let address = Address::from_base(chain.pointer(), chain.address.base);
    let Some((index, stride)) = address.and_then(|address| address.index) else {
        return;
    };
    let build = Before::new(unit, chain.access);
    // Whatever the upper half is, no other index is that of an element.
    let index = build.lower_half(index);
    let alignment = alignment(chain, stride);
    let place = |element: i64| {
        let bytes = chain.address.constant + element * stride;
        build.offset(chain.address.base, bytes as u64)
    };
    let kind = chain.kind;
    if chain.access.is(LLVMLoad) {
        let mut value = build.load(kind, place(chain.last), alignment);
        for element in (chain.first..chain.last).rev() {
            let other = build.load(kind, place(element), alignment);
            value = build.select(build.is_equal(index, element), other, value);
        }
        build.replace_by(value);
    } else {
        let stored = chain.access.operand(0).basic();
        for element in chain.first..=chain.last {
            let old = build.load(kind, place(element), alignment);
            let value = build.select(build.is_equal(index, element), stored, old);
            build.store(value, place(element), alignment);
        }
        build.erase();
    }
}

/// What is known of the alignment of every element.
fn alignment(chain: &Chain, stride: i64) -> u32 {
    let known = chain.access.alignment();
    let places = stride | chain.address.constant;
    let common = 1u64 << places.trailing_zeros().min(31);
    u64::from(known).min(common) as u32
}
