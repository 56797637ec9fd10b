//! The tuples of a function for a GPU, and what else the texts of its instructions say.
//!
//! Each text is read once. Its brace groups name operands by number. A group counts if
//! two or more of its places hold registers of 32 bits or more, all of one width: where
//! PTX has 16-bit values in braces, the hardware has two of them in one register. Time:
//! the texts, and for each group the operands of its instruction.

use super::asynchronous::InFlight;
use super::fusion::Products;
use super::ptx::{self, Group, Reading, Style};
use super::raw::{CallTables, FunctionTables};
use crate::abi::{
    WARPALLOC_DEFINITION, WARPALLOC_INLINE_ASSEMBLY, WARPALLOC_LOCAL_MEMORY, WarpallocOperand,
};
use cranelift_entity::SecondaryMap;
use passes::function::{
    Function, Instruction, InstructionFlags, OperandFlags, OperandIndex, Tuple, VirtualRegister,
};
use passes::machine::gpu;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::pipeline::narrow::Halves;
use passes::prediction::calls::{CallSites, Callee};
use passes::prediction::expansion::Expansion;
use passes::prediction::meaning::Texts;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// What the texts say that does not belong to the function.
#[derive(Default)]
pub struct Said {
    /// What ptxas makes use of.
    pub texts: Texts,
    /// The warp is given registers, or gives some away.
    pub moves_registers: bool,
    /// Which operands need not be whole.
    pub halves: Halves,
    /// What no code may cross, in order.
    pub barriers: Vec<Instruction>,
    /// What multiplies, with the number of the product that it is a half of.
    pub products: Vec<(Instruction, u32)>,
}

/// Gives the function its tuples, and its instructions what their texts say of them.
pub fn read_texts(
    tables: &FunctionTables,
    function: &mut Function,
    sm: &StreamingMultiprocessor,
) -> Said {
    let mut known: Vec<[Option<Reading>; 2]> = vec![[None, None]; tables.texts.len()];
    let mut found: Vec<Tuple> = Vec::new();
    let mut texts = Texts::default();
    let mut moves_registers = false;
    let mut halves = Halves::new();
    let mut barriers = Vec::new();
    let mut called = SecondaryMap::new();
    let mut products = Products::default();
    let instructions = function.instructions.keys();
    for (instruction, data) in instructions.zip(tables.instructions) {
        if data.flags & WARPALLOC_LOCAL_MEMORY != 0 {
            texts.expansions[instruction] = Some(Expansion::Local);
        }
        let is_assembly = data.flags & WARPALLOC_INLINE_ASSEMBLY != 0;
        let number = data.text as usize;
        let Some(text) = tables.texts.get(number) else {
            if is_assembly {
                keep_results_apart(function, instruction);
            }
            continue;
        };
        let (style, slot) = match is_assembly {
            false => (Style::Printed, 0),
            true => (Style::Assembly, 1),
        };
        let reading = known[number][slot].get_or_insert_with(|| ptx::read(text, style));
        if reading.meant.called.is_some() {
            called[instruction] = reading.meant.called.clone();
        }
        let flags = function.instructions[instruction].flags;
        if flags.contains(InstructionFlags::CALL) {
            continue;
        }
        let operands = data.operand_begin as usize..data.operand_end as usize;
        let operands = &tables.operands[operands];
        let is_result = |name| {
            let is_definition = |flags| flags & WARPALLOC_DEFINITION != 0;
            let mut operands = operands.iter();
            operands.any(|one| one.text_number == name && is_definition(one.flags))
        };
        if is_assembly && !reading.reads_first(is_result) {
            keep_results_apart(function, instruction);
        }
        let flags = &mut function.instructions[instruction].flags;
        flags.set(InstructionFlags::PRIORITY, reading.priority);
        flags.set(InstructionFlags::WIDE_PRIORITY, reading.wide_priority);
        let expansion = &mut texts.expansions[instruction];
        *expansion = expansion.or(reading.expansion);
        *flags |= reading.in_flight.does.flags();
        if reading.in_flight.is_barrier {
            barriers.push(instruction);
        }
        mark_in_flight(function, instruction, operands, &reading.in_flight);
        texts.meanings[instruction] = reading.meant.meaning;
        let thread_registers = reading.meant.thread_registers;
        moves_registers |= thread_registers.is_some();
        function.instructions[instruction].thread_registers = thread_registers;
        let names: Vec<u16> = operands.iter().map(|operand| operand.text_number).collect();
        for (number, name) in (data.operand_begin..).zip(&names) {
            let operand = OperandIndex::from_u32(number);
            halves[operand] = reading.halves.of(*name);
            texts.addresses[operand] = reading.meant.addresses.contains(name);
        }
        if let Some(product) = reading.meant.product {
            products.note(function, instruction, product, &names);
        }
        let first = found.len();
        for group in &reading.groups {
            let Some(tuple) = tuple(function, instruction, &names, group, sm) else {
                continue;
            };
            // Accumulators that are tied stand in the text twice.
            let mut of_instruction = found[first..].iter_mut();
            match of_instruction.find(|known| known.places == tuple.places) {
                Some(known) => known.accumulator |= tuple.accumulator,
                None => found.push(tuple),
            }
        }
    }
    function.tuples = found;
    texts.calls = calls(function, &called, tables.call_graph.as_ref());
    Said {
        products: products.numbered(function),
        texts,
        moves_registers,
        halves,
        barriers,
    }
}

/// The calls.
fn calls(
    function: &Function,
    called: &SecondaryMap<Instruction, Option<Callee>>,
    module: Option<&CallTables>,
) -> CallSites {
    let nodes = module.iter().flat_map(|module| &module.nodes);
    let pointees = nodes.filter(|(_, node)| node.has_address_taken);
    let mut calls = CallSites {
        pointees: pointees.map(|(name, _)| name.to_string()).collect(),
        ..CallSites::default()
    };
    for (instruction, data) in &function.instructions {
        if data.flags.contains(InstructionFlags::CALL) {
            let callee = called[instruction].clone();
            calls.callees[instruction] = Some(callee.unwrap_or(Callee::Pointee));
        }
    }
    calls
}

/// PTX assembly is written for registers without end: several instructions in one text,
/// results that do not say that they are written before the last operand is read. Each
/// result of such a text gets a register of its own, as it has in stock LLVM's output,
/// unless LLVM has given it the name of an operand already.
fn keep_results_apart(function: &mut Function, instruction: Instruction) {
    let operands = function.instructions[instruction].operands.clone();
    let range = operands.map(OperandIndex::from_u32);
    for (number, index) in range.clone().enumerate() {
        let operand = function.operands[index];
        let is_read = |other: OperandIndex| {
            let other = &function.operands[other];
            let tied = other.tied_to.map(usize::from) == Some(number);
            !other.is_definition() && !tied && other.register == operand.register
        };
        if operand.is_definition() && !range.clone().any(is_read) {
            function.operands[index].flags |= OperandFlags::EARLY_CLOBBER;
        }
    }
}

/// Marks the operands that stay in flight; an operand tied to one is the same register.
fn mark_in_flight(
    function: &mut Function,
    instruction: Instruction,
    operands: &[WarpallocOperand],
    in_flight: &InFlight,
) {
    let first = function.instructions[instruction].operands.start;
    let is_definition = |one: &WarpallocOperand| one.flags & WARPALLOC_DEFINITION != 0;
    for (number, operand) in (first..).zip(operands) {
        let tied = operands.get(usize::from(operand.tied_to));
        let names = |one: &WarpallocOperand| in_flight.names(one.text_number, is_definition(one));
        if names(operand) || in_flight.does.multiplies && tied.is_some_and(names) {
            let operand = &mut function.operands[OperandIndex::from_u32(number)];
            operand.flags |= OperandFlags::IN_FLIGHT;
        }
    }
}

/// The most of what the texts of instructions come to; 0 if there are none.
pub fn most_of_texts(tables: &FunctionTables, count: impl Fn(&str, Style) -> u32) -> u32 {
    let texts = tables.instructions.iter().map(|data| {
        let style = match data.flags & WARPALLOC_INLINE_ASSEMBLY {
            0 => Style::Printed,
            _ => Style::Assembly,
        };
        (data.text, style)
    });
    let texts: BTreeSet<_> = texts.collect();
    let texts = texts.into_iter().filter_map(|(number, style)| {
        let text = tables.texts.get(number as usize)?;
        Some(count(text, style))
    });
    texts.max().unwrap_or(0)
}

/// Whether one of these directives or instructions stands in inline assembly. Nothing else
/// knows of these.
pub fn any_in_assembly(tables: &FunctionTables, words: &[&str]) -> bool {
    let mut assembly = tables
        .instructions
        .iter()
        .filter(|data| data.flags & WARPALLOC_INLINE_ASSEMBLY != 0);
    assembly.any(|data| {
        let text = tables.texts.get(data.text as usize);
        text.is_some_and(|text| words.iter().any(|word| has_word(text, word)))
    })
}

/// Whether instructions may have registers in flight.
pub fn may_be_asynchronous(tables: &FunctionTables) -> bool {
    let mut texts = tables.texts.iter();
    texts.any(|text| ["wgmma", "tcgen05"].iter().any(|word| text.contains(word)))
}

/// Whether a directive or an instruction begins with this.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |one: char| one.is_alphanumeric() || "_$%.".contains(one);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let goes_on = |one: char| is_part(one) && one != '.';
        !before.ends_with(is_part) && !after.starts_with(goes_on)
    })
}

/// The tuple of a group, if it is one.
fn tuple(
    function: &Function,
    instruction: Instruction,
    names: &[u16],
    group: &Group,
    sm: &StreamingMultiprocessor,
) -> Option<Tuple> {
    let operands = function.instruction_operands(instruction);
    let position = |&place: &Option<u16>| {
        let name = place?;
        let position = names.iter().position(|&known| known == name)?;
        operands[position].virtual_register()?;
        u16::try_from(position).ok()
    };
    let places: SmallVec<[Option<u16>; 8]> = group.places.iter().map(position).collect();
    let value = |&position: &u16| operands[usize::from(position)].virtual_register();
    let mut values = places.iter().flatten().filter_map(value);
    let columns = |value: VirtualRegister| gpu::columns(function.virtual_registers[value].class);
    let width = columns(values.next()?)?;
    let rest = values.clone().count();
    if rest == 0 || !values.all(|value| columns(value) == Some(width)) {
        return None;
    }
    let size = places.len() as u32 * width;
    Some(Tuple {
        instruction,
        alignment: gpu::tuple_alignment(sm, size, group.accumulator),
        accumulator: group.accumulator,
        places,
    })
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn only_declarations_and_calls_count() {
        for (text, word, is_one) in [
            ("{ .shared .align 8 .b8 x[8]; }", ".shared", true),
            (".extern .shared .b8 x[];", ".shared", true),
            ("ld.shared.b32 $0, [$1];", ".shared", false),
            ("cp.async.ca.shared.global [$0], [$1], 4;", ".shared", false),
            ("{ call.uni (r), f, (x); }", "call", true),
            ("call f;", "call", true),
            ("mov.b32 $0, %call;", "call", false),
            ("mov.b32 $0, calls;", "call", false),
        ] {
            assert_eq!(has_word(text, word), is_one, "{text}");
        }
    }
}
