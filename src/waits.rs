//! Accesses to registers in flight that LLVM has placed before the wait.
//!
//! They are moved or copied behind it before anything else is done, so that all that follows sees a
//! program that keeps the rules; where that cannot be, people are told which access it is.
//! Time: that of the import, where there are asynchronous instructions.

use crate::abi::{WarpallocFunction, WarpallocLateCopy};
use crate::apply::Tables;
use crate::import::Target;
use crate::remarks::remark::{self, Kind, Remark};
use passes::schedule::behind_waits;

/// The order, and what people are told.
///
/// # Errors
/// If the tables are malformed.
///
/// # Safety
/// The tables' pointers must point to as many elements as their counts say.
pub unsafe fn order(target: &Target, function: &WarpallocFunction) -> Result<Tables, String> {
    // SAFETY: passed on to the caller.
    let concerns = unsafe { target.may_be_asynchronous(function) };
    if !concerns.map_err(|error| error.to_string())? {
        return Ok(Tables::default());
    }
    // SAFETY: passed on to the caller.
    let imported = unsafe { target.import(function) };
    let imported = imported.map_err(|error| error.to_string())?;
    let input = &imported.input;
    let Some(dependences) = &input.dependences else {
        return Ok(Tables::default());
    };
    let found = behind_waits(&input.function, dependences);
    let order = found.order.iter().flat_map(|order| order.instructions());
    let late_copies = found.copies.iter().map(|copy| WarpallocLateCopy {
        definition: copy.definition.as_u32(),
        wait: copy.wait.as_u32(),
    });
    let mut said = Vec::new();
    if let Some(&first) = found.left.first() {
        let mut remark = Remark::new(Kind::Missed, "BeforeWait", Some(first));
        remark
            .text("'")
            .value("Function", &input.function.name)
            .text("' accesses registers of asynchronous instructions in ")
            .count("Accesses", found.left.len() as u32, "place")
            .text(" before waiting for them, and cannot do so later: the result is not defined");
        said.push(remark);
    }
    Ok(Tables {
        order: order.map(|one| one.as_u32()).collect(),
        late_copies: late_copies.collect(),
        remarks: remark::Tables::new(&said),
        ..Tables::default()
    })
}
