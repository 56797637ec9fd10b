//! Which values may be split, how many of them, and what that has to save.
//!
//! Splitting keeps a value in a register for parts of its live range (see
//! [`super::guidance`] and [`super::around`]). The limits are those of ptxas' engine for
//! it: iterations, splits, a threshold, and a switch for values of several registers.
//! Source: ptxas document, "live range splitting engine", which shows no values for them;
//! by default none of them binds but the iterations, which bound the time.

use crate::machine::{Class, Machine};
use crate::settings::{Pass, Settings};

/// The limits of splitting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitLimits {
    /// In so many rounds of a series what finds no register is split.
    pub iterations: u32,
    /// So many splits at most in a series.
    pub splits: Option<u32>,
    /// Executions of accesses to memory that a split has to save.
    threshold: f64,
    /// Values of several registers may be split.
    pairs: bool,
}

impl SplitLimits {
    /// Those that knobs set.
    pub fn new(settings: &Settings) -> Self {
        let knobs = &settings.knobs;
        if !settings.runs(Pass::Split) {
            return Self::none();
        }
        Self {
            iterations: knobs.split_iterations,
            splits: knobs.split_rounds,
            threshold: knobs.split_threshold,
            pairs: knobs.split_pairs,
        }
    }

    /// Nothing is split.
    pub fn none() -> Self {
        Self {
            iterations: 0,
            splits: Some(0),
            threshold: 0.0,
            pairs: true,
        }
    }

    /// Whether values of a class may be split.
    pub fn allow(&self, machine: &Machine, class: Class) -> bool {
        let is_wide = || {
            let order = &machine.classes[class].order;
            order.first().is_some_and(|&one| machine.width(one) > 1)
        };
        self.splits != Some(0) && machine.can_split(class) && (self.pairs || !is_wide())
    }

    /// Whether it is worth while to split something that costs so much to have in memory
    /// everywhere, and so much to have there in part. Without a threshold whoever asks
    /// knows better.
    pub fn worth_while(&self, everywhere: f64, in_part: f64) -> bool {
        self.threshold == 0.0 || everywhere - in_part >= self.threshold
    }
}
