//! Which functions' stack variables may become registers: the gates in front of promotion.
//!
//! Requires: nothing of promotion has run. Ensures: functions that a gate refuses are
//! marked, and promotion leaves them as they are; a remark says which gate it was. With the
//! knobs' defaults none refuses. Functions without stack variables are not asked about.
//! Linear in the operands of functions.
//!
//! Source: the ptxas document's ConvertMemoryToRegisterOrUniform and its eligibility check.
//! Its modes are the knob `PromotionMode` with `PromotionBudget`; the sign of a field, of
//! which it says no more, is read as a function that is to be small; allocation modes 4 and
//! 5 as shared memory that takes spills. Its flags ask whether there are stack variables.

use super::locals::locals;
use super::unit::{OwnSettings, has, instructions, stays};
use super::value::Value;
use super::{Unit, changed, remarks};
use inkwell::values::FunctionValue;
use passes::knobs::Knobs;
use passes::settings::SpillSpace;
use thiserror::Error;

/// The most bytes that the operands of a function may have, where shared memory takes
/// spills.
const MOST_OPERAND_BYTES: u64 = 0x10000;

/// Why the stack variables of a function stay.
#[derive(Debug, Error, PartialEq)]
enum Refusal {
    #[error("knob PromotionMode is {0}, which lets no function through")]
    Mode(u32),
    #[error("knob PromotionBudget is {0}")]
    Budget(u32),
    #[error("knob PromotionBudget is {0}, and the function is to be small")]
    Size(u32),
    #[error("its operands have more than {MOST_OPERAND_BYTES} bytes")]
    Operands,
    #[error("knob 487, NumOptPhasesBudget, has been used up by {0} functions")]
    Phases(u32),
}

/// What the gates look at.
struct Candidate {
    /// It is optimised for size.
    is_to_be_small: bool,
    /// What it spills may go to shared memory.
    shares_memory: bool,
    operand_bytes: u64,
}

impl Candidate {
    fn new(function: FunctionValue, shares_memory: bool) -> Self {
        let operands = instructions(function).flat_map(Value::operands);
        Self {
            is_to_be_small: has(function, "optsize") || has(function, "minsize"),
            shares_memory,
            operand_bytes: operands.map(|one| 4 * u64::from(one.registers())).sum(),
        }
    }

    /// The gate that refuses it, if one does.
    fn check(&self, knobs: &Knobs) -> Result<(), Refusal> {
        let budget = knobs.promotion_mode_budget;
        match (knobs.promotion_mode, budget) {
            (0, _) => {}
            (1, 0) => return Err(Refusal::Budget(budget)),
            (1, 1..=2) if self.is_to_be_small => return Err(Refusal::Size(budget)),
            (1, 1) if self.shares_memory => return Err(Refusal::Budget(budget)),
            (1, _) if self.shares_memory => return Ok(()),
            (1, _) => {}
            (mode, _) => return Err(Refusal::Mode(mode)),
        }
        match self.shares_memory && self.operand_bytes > MOST_OPERAND_BYTES {
            true => Err(Refusal::Operands),
            false => Ok(()),
        }
    }
}

/// Whether any function was refused.
pub fn run(unit: &Unit) -> bool {
    // A budget of phases is the module's.
    let budget = OwnSettings::from(&unit.settings().level)
        .knobs
        .promotion_budget;
    let mut left = budget;
    let mut any = false;
    for function in unit.definitions() {
        let Some(variable) = locals(function).into_iter().next() else {
            continue;
        };
        if stays(function) {
            continue;
        }
        let mut phases = || match &mut left {
            Some(0) => Err(Refusal::Phases(budget.unwrap_or(0))),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        };
        let own = unit.own_settings(function);
        let candidate = Candidate::new(function, own.spill_space == SpillSpace::Shared);
        if let Err(refusal) = candidate.check(&own.knobs).and_then(|()| phases()) {
            changed::refuse(&unit.module().get_context(), function);
            let text = format!("local variables stay in memory: {refusal}");
            let (pass, name) = ("warpalloc-promote", "NotEligible");
            remarks::missed(unit, pass, variable.alloca, name, &text);
            any = true;
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Candidate = Candidate {
        is_to_be_small: false,
        shares_memory: false,
        operand_bytes: MOST_OPERAND_BYTES + 1,
    };

    fn check(candidate: &Candidate, mode: u32, budget: u32) -> Result<(), Refusal> {
        candidate.check(&Knobs {
            promotion_mode: mode,
            promotion_mode_budget: budget,
            ..Knobs::default()
        })
    }

    #[test]
    fn the_defaults_refuse_nothing() {
        assert_eq!(PLAIN.check(&Knobs::default()), Ok(()));
    }

    #[test]
    fn modes_decide() {
        assert_eq!(check(&PLAIN, 0, 0), Ok(()));
        assert_eq!(check(&PLAIN, 1, 0), Err(Refusal::Budget(0)));
        assert_eq!(check(&PLAIN, 1, 1), Ok(()));
        for mode in [2, 3, 255] {
            assert_eq!(check(&PLAIN, mode, 9), Err(Refusal::Mode(mode)));
        }
    }

    #[test]
    fn a_small_budget_refuses_what_is_to_be_small() {
        let small = Candidate {
            is_to_be_small: true,
            ..PLAIN
        };
        for budget in [1, 2] {
            assert_eq!(check(&small, 1, budget), Err(Refusal::Size(budget)));
        }
        assert_eq!(check(&small, 1, 3), Ok(()));
        assert_eq!(check(&small, 0, 1), Ok(()));
    }

    #[test]
    fn operands_are_capped_where_shared_memory_takes_spills() {
        let shares = Candidate {
            shares_memory: true,
            ..PLAIN
        };
        assert_eq!(check(&shares, 0, 0), Err(Refusal::Operands));
        let at_the_cap = Candidate {
            operand_bytes: MOST_OPERAND_BYTES,
            ..shares
        };
        assert_eq!(check(&at_the_cap, 0, 0), Ok(()));
    }

    #[test]
    fn mode_1_asks_for_its_budget_instead_of_the_cap() {
        let shares = Candidate {
            shares_memory: true,
            ..PLAIN
        };
        assert_eq!(check(&shares, 1, 1), Err(Refusal::Budget(1)));
        assert_eq!(check(&shares, 1, 2), Ok(()));
    }
}
