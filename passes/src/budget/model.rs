//! ptxas' budget model, as its document shows it: what fraction of the registers may be
//! in use before its allocator expects to spill.
//!
//! The fraction is a function of the number of registers at hand, in one of two forms:
//! piecewise linear through four breakpoints, or linear between two. The document sets
//! the first breakpoint from the threads of the chip, which it compares with registers;
//! here it is the number of registers that full occupancy leaves a thread. Pure; constant
//! time. Used by the ptxas profile to decide whether a trial without spilling is made.

use crate::knobs::Knobs;
use crate::settings::BudgetModel;

/// Registers of a thread at full occupancy: 65,536 of them for 2,048 threads.
const FULL_OCCUPANCY: f64 = 32.0;

impl BudgetModel {
    /// The fraction of so many registers that may be in use; `most` is how many there are
    /// without a budget.
    pub fn fraction(self, knobs: &Knobs, registers: u32, most: u32) -> f64 {
        let [a, b, c] = [
            knobs.budget_coefficient_a,
            knobs.budget_coefficient_b,
            knobs.budget_coefficient_c,
        ];
        let first = f64::from(knobs.budget_max_threads);
        let second = f64::from(knobs.budget_pressure_threshold);
        let (registers, most) = (f64::from(registers), f64::from(most));
        match self {
            Self::Piecewise => {
                let points = [(FULL_OCCUPANCY, a), (first, a), (second, a), (most, b)];
                interpolate(&points, registers)
            }
            Self::Linear => interpolate(&[(FULL_OCCUPANCY, c), (most, b)], registers),
        }
    }

    /// The test for a round of spilling: whether the registers that are wanted beside
    /// those that are live already, and what pairs may waste, are more than that
    /// fraction.
    pub fn needs_spill(self, knobs: &Knobs, wanted: Wanted, registers: u32, most: u32) -> bool {
        let Wanted {
            pair_penalty,
            demanded,
            live,
        } = wanted;
        let there = f64::from(registers) * self.fraction(knobs, registers, most);
        f64::from(pair_penalty + demanded + live) > there
    }
}

/// ptxas' feasibility gate, asked where an attempt to spill brought no progress.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// What the model says of the registers.
    pub fraction: f64,
    /// Registers of the budget.
    pub registers: u32,
    /// Spill cost that counts in any case.
    pub start_cost: f64,
}

impl Gate {
    /// Whether more has to be marked for spilling than so many values, where so many
    /// registers are left free: if these and the budget come to more than the model expects
    /// of the registers that are left. The threshold of the target, which is added there, is
    /// not shown, and none here.
    pub fn forces_marks(&self, spilled: u32, spare: u32) -> bool {
        let left = f64::from(self.registers.saturating_sub(spare));
        f64::from(spilled + self.registers) > left * self.fraction + self.start_cost
    }
}

/// The left side of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Registers that alignment may waste.
    pub pair_penalty: u32,
    /// Registers that are asked for.
    pub demanded: u32,
    /// Registers that are taken for good.
    pub live: u32,
}

/// The budget rounded up to a multiple of four.
pub fn aligned(budget: u32) -> u32 {
    budget.next_multiple_of(4)
}

/// The document's formula for the warps that so many registers allow, with its names for
/// what it reads: a mask of the granularity, half the register file over 256, an offset.
/// Nothing uses it, as it does not give the occupancy of any SM.
pub fn documented_warps(granularity_mask: i32, half: i32, offset: i32, registers: i32) -> i32 {
    (-granularity_mask & (2 * half / registers.max(1))) - offset
}

/// The value at `x` of the lines through some points, constant before the first and from
/// the last on. A point that does not lie behind the one before it counts for nothing.
fn interpolate(points: &[(f64, f64)], x: f64) -> f64 {
    let Some((&(mut x0, mut y0), rest)) = points.split_first() else {
        return 0.0;
    };
    if x < x0 {
        return y0;
    }
    for &(x1, y1) in rest {
        if x < x1 {
            return y0 + (y1 - y0) / (x1 - x0) * (x - x0);
        }
        (x0, y0) = (x1, y1);
    }
    y0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(model: BudgetModel, registers: u32) -> f64 {
        let fraction = model.fraction(&Knobs::default(), registers, 255);
        (fraction * 1e6).round() / 1e6
    }

    #[test]
    fn the_piecewise_fraction_rises_behind_the_threshold() {
        for (registers, expected) in [
            (0, 0.2),
            (32, 0.2),
            (119, 0.2),
            (160, 0.2),
            (179, 0.36),
            (255, 1.0),
            (300, 1.0),
        ] {
            assert_eq!(fraction(BudgetModel::Piecewise, registers), expected);
        }
    }

    #[test]
    fn the_linear_fraction_rises_from_the_start() {
        for (registers, expected) in [(0, 0.3), (32, 0.3), (255, 1.0), (300, 1.0)] {
            assert_eq!(fraction(BudgetModel::Linear, registers), expected);
        }
        let middle = fraction(BudgetModel::Linear, 143);
        assert!((0.64..0.66).contains(&middle), "{middle}");
    }

    #[test]
    fn coefficients_and_breakpoints_are_knobs() {
        let mut knobs = Knobs::default();
        for setting in [
            "InterpolationCoefficientA=0.5",
            "InterpolationCoefficientB=0.9",
            "MaxThreadsPerBlock=40",
            "PressureThreshold=55",
        ] {
            knobs.set(setting).expect(setting);
        }
        let piecewise = |registers| BudgetModel::Piecewise.fraction(&knobs, registers, 255);
        assert_eq!(piecewise(40), 0.5);
        assert_eq!(piecewise(55), 0.5);
        assert!((piecewise(155) - 0.7).abs() < 1e-9);
        assert_eq!(piecewise(255), 0.9);
        knobs.set("InterpolationCoefficientC=0.1").unwrap();
        assert_eq!(BudgetModel::Linear.fraction(&knobs, 32, 255), 0.1);
    }

    /// Breakpoints that the knobs put in the wrong order give no infinity.
    #[test]
    fn breakpoints_in_any_order_give_a_fraction() {
        let mut knobs = Knobs::default();
        knobs.set("MaxThreadsPerBlock=0").unwrap();
        knobs.set("PressureThreshold=0").unwrap();
        for registers in 0..=255 {
            for most in [0, 32, 255] {
                let fraction = BudgetModel::Piecewise.fraction(&knobs, registers, most);
                assert!((0.2..=1.0).contains(&fraction), "{registers} of {most}");
            }
        }
    }

    #[test]
    fn spilling_is_needed_beyond_the_fraction() {
        let wanted = |demanded| Wanted {
            pair_penalty: 1,
            demanded,
            live: 2,
        };
        let needs = |demanded, registers| {
            let knobs = Knobs::default();
            BudgetModel::Piecewise.needs_spill(&knobs, wanted(demanded), registers, 255)
        };
        // A fifth of 100 registers.
        assert!(!needs(17, 100));
        assert!(needs(18, 100));
        assert!(!needs(252, 255));
        assert!(needs(253, 255));
    }

    #[test]
    fn the_gate_compares_with_what_the_model_expects() {
        let gate = |fraction| Gate {
            fraction,
            registers: 64,
            start_cost: 15.0,
        };
        assert!(!gate(1.0).forces_marks(15, 0));
        assert!(gate(1.0).forces_marks(16, 0));
        assert!(gate(1.0).forces_marks(15, 1));
        assert!(gate(0.2).forces_marks(0, 0));
    }

    #[test]
    fn the_documented_formula_is_not_occupancy() {
        assert_eq!(documented_warps(63, 128, 0, 64), 0);
        assert_eq!(documented_warps(63, 128, 0, 2), 128);
    }

    #[test]
    fn budgets_are_rounded_up_to_fours() {
        let rounded = [0, 1, 4, 5, 253, 255].map(aligned);
        assert_eq!(rounded, [0, 4, 4, 8, 256, 256]);
    }
}
