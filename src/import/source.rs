//! What debug information says of a function, for remarks.

use super::malformed;
use super::raw::{FunctionTables, SourceTables};
use crate::abi::{WARPALLOC_NONE, WarpallocVariable};
use crate::numbers::Numbers;
use crate::remarks::source::{DebugInformation, SourceLine, Variable};
use passes::error::Error;
use passes::function::{Function, VirtualRegister};

/// PTX that makes an address of an address space of a generic one, and back.
const CONVERSION: &str = "cvta";

/// Checks and builds it, if it was exported.
pub fn import(
    tables: &FunctionTables,
    function: &Function,
    numbers: &Numbers,
) -> Result<Option<DebugInformation>, Error> {
    let Some(source) = &tables.source else {
        return Ok(None);
    };
    let mut source = self::source(source)?;
    source.variables = numbers.keep(&source.variables).cloned().collect();
    source.numbers = numbers.clone();
    source.conversions = conversions(tables, function);
    Ok(Some(source))
}

fn conversions(
    tables: &FunctionTables,
    function: &Function,
) -> Vec<(VirtualRegister, VirtualRegister)> {
    let is_conversion = |number: u32| {
        let text = tables.texts.get(number as usize);
        text.is_some_and(|text| text.trim_start().starts_with(CONVERSION))
    };
    let instructions = function.instructions.keys().zip(tables.instructions);
    let found = instructions.filter(|(_, data)| is_conversion(data.text));
    let ends = found.filter_map(|(one, _)| match function.instruction_operands(one) {
        [to, from] if to.is_definition() => {
            Some((to.virtual_register()?, from.virtual_register()?))
        }
        _ => None,
    });
    ends.collect()
}

fn source(tables: &SourceTables) -> Result<DebugInformation, Error> {
    let count = tables.locations.len();
    let mut locations = Vec::with_capacity(count);
    for (number, (file, data)) in tables.locations.iter().enumerate() {
        let inlined_at = index(data.inlined_at);
        if inlined_at.is_some_and(|outer| outer >= number) {
            return Err(malformed(format!(
                "location {number} is not inlined at an earlier one"
            )));
        }
        locations.push(SourceLine {
            file: file.clone().into_owned(),
            line: data.line,
            inlined_at,
        });
    }
    let of_instruction = tables.instruction_locations.iter().map(|&number| {
        let location = index(number);
        match location {
            Some(number) if number >= count => {
                Err(malformed(format!("location {number} does not exist")))
            }
            known => Ok(known),
        }
    });
    let variables = tables.variables.iter();
    Ok(DebugInformation {
        locations,
        of_instruction: of_instruction.collect::<Result<_, _>>()?,
        variables: variables.map(|(name, data)| variable(name, data)).collect(),
        conversions: Vec::new(),
        numbers: Numbers::default(),
        is_again: tables.is_again,
    })
}

fn variable(name: &str, data: &WarpallocVariable) -> Option<Variable> {
    let fragment = (data.bit_count > 0).then_some((data.first_bit, data.bit_count));
    (!name.is_empty()).then(|| Variable {
        name: name.into(),
        fragment,
    })
}

fn index(number: u32) -> Option<usize> {
    (number != WARPALLOC_NONE).then_some(number as usize)
}
