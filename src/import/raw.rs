//! The one place where the boundary's pointers become slices.

use super::malformed;
use crate::abi::{
    WarpallocBlock, WarpallocCall, WarpallocClass, WarpallocDependence, WarpallocFunction,
    WarpallocInstruction, WarpallocLaunch, WarpallocNode, WarpallocOperand, WarpallocSourceLine,
    WarpallocTarget, WarpallocVariable, WarpallocVirtualRegister,
};
use passes::error::Error;
use std::borrow::Cow;
use std::ffi::{CStr, c_char};

/// A target's tables.
pub struct TargetTables<'a> {
    pub unit_count: u32,
    pub register_names: Vec<&'a str>,
    pub unit_begin: &'a [u32],
    pub units: &'a [u32],
    pub sub_register_index_count: usize,
    pub sub_registers: &'a [u16],
}

/// A function's tables.
pub struct FunctionTables<'a> {
    pub name: Cow<'a, str>,
    pub is_kernel: bool,
    pub launch: WarpallocLaunch,
    /// None for a kernel.
    pub call_graph: Option<CallTables<'a>>,
    pub blocks: &'a [WarpallocBlock],
    pub edges: &'a [u32],
    pub live_ins: &'a [u32],
    pub instructions: &'a [WarpallocInstruction],
    pub operands: &'a [WarpallocOperand],
    pub virtual_registers: &'a [WarpallocVirtualRegister],
    pub hints: &'a [u32],
    pub classes: Vec<(&'a str, &'a WarpallocClass)>,
    pub class_order: &'a [u32],
    pub clobber_masks: Vec<&'a [u32]>,
    pub texts: Vec<Cow<'a, str>>,
    /// None if instructions may not change places.
    pub dependences: Option<&'a [WarpallocDependence]>,
    /// None if nobody wants remarks.
    pub source: Option<SourceTables<'a>>,
}

/// Who calls whom in a module.
pub struct CallTables<'a> {
    /// With their names.
    pub nodes: Vec<(Cow<'a, str>, &'a WarpallocNode)>,
    pub calls: &'a [WarpallocCall],
    pub function: u32,
}

/// What debug information says of a function.
pub struct SourceTables<'a> {
    /// With their files.
    pub locations: Vec<(Cow<'a, str>, &'a WarpallocSourceLine)>,
    pub instruction_locations: &'a [u32],
    /// With their names.
    pub variables: Vec<(Cow<'a, str>, &'a WarpallocVariable)>,
    pub is_again: bool,
}

/// A slice of `count` elements; the pointer of an empty one may be null.
///
/// # Safety
/// A pointer that is not null must point to `count` elements that live for 'a.
pub unsafe fn slice<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], Error> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() || !pointer.is_aligned() || count > isize::MAX as usize / size_of::<T>() {
        return Err(malformed("a table is missing"));
    }
    // SAFETY: not null and aligned; that it is long enough is the caller's word.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A string; null is the empty one.
///
/// # Safety
/// A pointer that is not null must point to a NUL-terminated string that lives
/// for 'a.
pub unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str, Error> {
    if pointer.is_null() {
        return Ok("");
    }
    // SAFETY: not null; the rest is the caller's word.
    let string = unsafe { CStr::from_ptr(pointer) };
    string
        .to_str()
        .map_err(|_| malformed("a name is not UTF-8"))
}

/// A function's name or an instruction's text, which may be any bytes; null is the empty
/// one.
///
/// # Safety
/// As for [`text`].
pub unsafe fn any_text<'a>(pointer: *const c_char) -> Cow<'a, str> {
    if pointer.is_null() {
        return Cow::default();
    }
    // SAFETY: not null; the rest is the caller's word.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy()
}

impl<'a> TargetTables<'a> {
    /// # Safety
    /// As for [`slice`] and [`text`], for every pointer of the table.
    pub unsafe fn new(target: &'a WarpallocTarget) -> Result<Self, Error> {
        let registers = target.register_count as usize;
        let indices = target.sub_register_index_count as usize;
        // SAFETY: passed on to the caller.
        unsafe {
            let names = slice(target.register_names, registers)?;
            let unit_begin = slice(target.unit_begin, registers + 1)?;
            let unit_end = unit_begin.last().copied().unwrap_or(0);
            Ok(Self {
                unit_count: target.unit_count,
                register_names: names
                    .iter()
                    .map(|&name| text(name))
                    .collect::<Result<_, _>>()?,
                unit_begin,
                units: slice(target.units, unit_end as usize)?,
                sub_register_index_count: indices,
                sub_registers: slice(target.sub_registers, registers * indices)?,
            })
        }
    }
}

impl<'a> FunctionTables<'a> {
    /// # Safety
    /// As for [`slice`] and [`text`], for every pointer of the table; a clobber
    /// mask has `mask_words` words.
    pub unsafe fn new(function: &'a WarpallocFunction, mask_words: usize) -> Result<Self, Error> {
        // SAFETY: passed on to the caller.
        unsafe {
            let classes: &[WarpallocClass] =
                slice(function.classes, function.class_count as usize)?;
            let masks = slice(function.clobber_masks, function.clobber_mask_count as usize)?;
            Ok(Self {
                name: any_text(function.name),
                is_kernel: function.is_kernel,
                launch: function.launch,
                call_graph: CallTables::new(function)?,
                blocks: slice(function.blocks, function.block_count as usize)?,
                edges: slice(function.edges, function.edge_count as usize)?,
                live_ins: slice(function.live_ins, function.live_in_count as usize)?,
                instructions: slice(function.instructions, function.instruction_count as usize)?,
                operands: slice(function.operands, function.operand_count as usize)?,
                virtual_registers: slice(
                    function.virtual_registers,
                    function.virtual_register_count as usize,
                )?,
                hints: slice(function.hints, function.hint_count as usize)?,
                classes: classes
                    .iter()
                    .map(|class| Ok((text(class.name)?, class)))
                    .collect::<Result<_, Error>>()?,
                class_order: slice(function.class_order, function.class_order_count as usize)?,
                clobber_masks: masks
                    .iter()
                    .map(|&mask| slice(mask, mask_words))
                    .collect::<Result<_, _>>()?,
                texts: slice(function.texts, function.text_count as usize)?
                    .iter()
                    .map(|&text| any_text(text))
                    .collect(),
                dependences: match function.may_reorder {
                    true => Some(slice(
                        function.dependences,
                        function.dependence_count as usize,
                    )?),
                    false => None,
                },
                source: SourceTables::new(function)?,
            })
        }
    }
}

impl<'a> CallTables<'a> {
    /// # Safety
    /// As for [`FunctionTables::new`].
    unsafe fn new(function: &'a WarpallocFunction) -> Result<Option<Self>, Error> {
        // SAFETY: passed on to the caller.
        unsafe {
            let Some(graph) = function.call_graph.as_ref() else {
                return Ok(None);
            };
            let nodes = slice(graph.nodes, graph.node_count as usize)?;
            Ok(Some(Self {
                nodes: nodes.iter().map(|one| (any_text(one.name), one)).collect(),
                calls: slice(graph.calls, graph.call_count as usize)?,
                function: graph.function,
            }))
        }
    }
}

impl<'a> SourceTables<'a> {
    /// # Safety
    /// As for [`FunctionTables::new`].
    unsafe fn new(function: &'a WarpallocFunction) -> Result<Option<Self>, Error> {
        let instructions = function.instruction_count as usize;
        let registers = function.virtual_register_count as usize;
        // SAFETY: passed on to the caller.
        unsafe {
            let Some(source) = function.source.as_ref() else {
                return Ok(None);
            };
            let locations = slice(source.locations, source.location_count as usize)?;
            let variables = slice(source.variables, registers)?;
            Ok(Some(Self {
                locations: locations
                    .iter()
                    .map(|one| (any_text(one.file), one))
                    .collect(),
                instruction_locations: slice(source.instruction_locations, instructions)?,
                variables: variables
                    .iter()
                    .map(|one| (any_text(one.name), one))
                    .collect(),
                is_again: source.is_again,
            }))
        }
    }
}
