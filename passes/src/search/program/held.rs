//! Values in flight are kept in their registers: as operands of the fences and waits that
//! they reach.
//!
//! A fragment that a multiplication reads is dead behind it, as far as the program says; its
//! register is not free before the wait. So the function is allocated with an operand more at
//! each fence and wait for each value that [`crate::analysis::in_flight`] finds to be held
//! there: then liveness, interference and what is computed of them need no rule for it. An
//! accumulator that is only written has its register from the fence on, as nothing else may
//! write that behind it: the fence defines it, and the multiplication reads it. A gap between
//! accesses never begins or ends in the middle of what goes on, which is what
//! [`crate::spill::gaps`] needs to tell in which no spill code may stand. Linear in the
//! operands.

use super::extended::Added;
use crate::analysis::in_flight::{InFlight, first_written};
use crate::function::{Access, Function, Operand, OperandFlags};

/// The operands that instructions get; none where nothing is in flight.
pub fn held_operands(function: &Function) -> Option<Added> {
    let flags = OperandFlags::IMPLICIT | OperandFlags::AWAITED;
    let mut added = Added::new();
    for (instruction, values) in InFlight::new(function)?.held(function) {
        let reads = values.into_iter().map(|value| Operand {
            flags,
            ..Operand::read(value)
        });
        added.entry(instruction).or_default().extend(reads);
    }
    for (fence, multiplication, number) in first_written(function) {
        let written = &function.instruction_operands(multiplication)[usize::from(number)];
        let reads = Operand {
            access: Access::Use,
            flags: flags | OperandFlags::IN_FLIGHT,
            tied_to: Some(number),
            ..*written
        };
        let begins = Operand { flags, ..*written };
        added.entry(fence).or_default().push(begins);
        added.entry(multiplication).or_default().push(reads);
    }
    Some(added)
}
