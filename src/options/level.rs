//! What one of the levels says: options that are given, out of their texts.

use super::name::Name;
use passes::knobs::{KnobError, Knobs};
use passes::machine::gpu::R_SIZE;
use passes::settings::{CoalescingRules, Order, Pass, Profile, Select, SpillSpace, Spills};
use std::collections::BTreeSet;
use std::str::FromStr;
use thiserror::Error;

/// An occupancy target without a value, in percent.
const DEFAULT_TARGET: u32 = 75;

/// Options that somebody has given, and no others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// At most so many registers.
    pub pressure_limit: Option<u32>,
    /// Registers for so many percent of an SM's warps.
    pub occupancy_target: Option<u32>,
    /// Weight on degrees in the conservative coalescing test.
    pub coalescing_factor: Option<f64>,
    /// At most so many spilled values.
    pub spill_limit: Option<u32>,
    /// Whether ptxas is told of a budget.
    pub hand_off: Option<bool>,
    /// Who spills.
    pub spills: Option<Spills>,
    /// Settings that belong together.
    pub profile: Option<Profile>,
    /// How registers are given.
    pub select: Option<Select>,
    /// In which order.
    pub order: Option<Order>,
    /// Optional passes and rules, and whether they are wanted; what comes later counts.
    pub passes: Vec<(Optional, bool)>,
    /// Settings of knobs, each of which makes sense; what comes later counts.
    pub knobs: Vec<String>,
    /// Where spill slots lie.
    pub spill_space: Option<SpillSpace>,
    /// Whether the function leaves as it came.
    pub stock: Option<bool>,
    /// Whether the passes over LLVM IR run on it.
    pub prepare: Option<bool>,
}

/// A value that an option cannot have. Whoever reports it says which option it is.
#[derive(Debug, PartialEq, Error)]
pub enum ValueError {
    /// It is nothing of this kind.
    #[error("={value} is not {expected}")]
    Not {
        /// The value.
        value: String,
        /// What it could be.
        expected: String,
    },
    /// It is none of several.
    #[error(": {0}")]
    Unknown(String),
    /// No such knob, or no such value for it.
    #[error(": {0}; -warpalloc-knob=help lists all")]
    Knob(#[from] KnobError),
}

impl ValueError {
    /// The message, about an option.
    pub fn about(&self, option: &str) -> String {
        format!("{option}{self}")
    }
}

/// What can be enabled and disabled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optional {
    /// A pass.
    Pass(Pass),
    /// A rule about merging.
    Rule(CoalescingRules),
}

impl FromStr for Optional {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if let Ok(rule) = name.parse() {
            return Ok(Self::Rule(rule));
        }
        name.parse().map(Self::Pass).map_err(|error| {
            let rules: Vec<_> = CoalescingRules::names().collect();
            format!("{error}, or a rule about merging: {}", rules.join(", "))
        })
    }
}

impl Level {
    /// Who spills. What says how registers are to be given asks that they are.
    pub fn spills(&self) -> Spills {
        let says_how = self.spill_limit.is_some()
            || self.coalescing_factor.is_some()
            || self.select.is_some()
            || self.order.is_some()
            || !self.knobs.is_empty()
            || self.spill_space.is_some();
        let profile = self.profile.unwrap_or(Profile::Auto);
        match self.spills {
            None if says_how => Spills::Here,
            None => profile.settings(None).spills,
            Some(spills) => spills,
        }
    }

    /// Whether a function is prepared that does not ask for it: one with a budget of which it is
    /// open who spills.
    pub fn prepares(&self) -> bool {
        let has_budget = self.pressure_limit.is_some() || self.occupancy_target.is_some();
        has_budget && self.stock != Some(true) && self.spills() == Spills::Auto
    }

    /// Takes in an option's value.
    ///
    /// # Errors
    /// If it cannot have this one.
    pub fn set(&mut self, name: Name, value: &str) -> Result<(), ValueError> {
        match name {
            Name::PressureLimit => {
                let limit = value.parse().ok();
                let limit = limit.filter(|limit| (1..=R_SIZE).contains(limit));
                let expected = || format!("between 1 and {R_SIZE}");
                self.pressure_limit = Some(limit.ok_or_else(|| not(value, expected()))?);
            }
            Name::OccupancyTarget => {
                let percent = match value {
                    "" => Some(DEFAULT_TARGET),
                    number => number.parse().ok(),
                };
                let percent = percent.filter(|percent| (1..=100).contains(percent));
                let expected = "a percentage between 1 and 100";
                self.occupancy_target = Some(percent.ok_or_else(|| not(value, expected))?);
            }
            Name::CoalescingFactor => {
                let factor = value.parse::<f64>().ok();
                let factor = factor.filter(|factor| factor.is_finite() && *factor > 0.0);
                let expected = "a number above 0";
                self.coalescing_factor = Some(factor.ok_or_else(|| not(value, expected))?);
            }
            Name::SpillLimit => {
                let limit = value.parse().ok();
                self.spill_limit = Some(limit.ok_or_else(|| not(value, "a number"))?);
            }
            Name::HandOff => self.hand_off = Some(flag(value)?),
            Name::Stock => self.stock = Some(flag(value)?),
            Name::Prepare => self.prepare = Some(flag(value)?),
            Name::Spills => self.spills = Some(known(value)?),
            Name::Profile => self.profile = Some(known(value)?),
            Name::Select => self.select = Some(known(value)?),
            Name::Order => self.order = Some(known(value)?),
            Name::SpillSpace => self.spill_space = Some(known(value)?),
            Name::Enable | Name::Disable => {
                for element in elements(value) {
                    self.passes.push((known(element)?, name == Name::Enable));
                }
            }
            Name::Knob => {
                for setting in elements(value) {
                    Knobs::default().set(setting)?;
                    self.knobs.push(setting.to_owned());
                }
            }
        }
        Ok(())
    }

    /// What this and a nearer level say together.
    pub fn under(self, nearer: Self) -> Self {
        Self {
            pressure_limit: nearer.pressure_limit.or(self.pressure_limit),
            occupancy_target: nearer.occupancy_target.or(self.occupancy_target),
            coalescing_factor: nearer.coalescing_factor.or(self.coalescing_factor),
            spill_limit: nearer.spill_limit.or(self.spill_limit),
            hand_off: nearer.hand_off.or(self.hand_off),
            spills: nearer.spills.or(self.spills),
            profile: nearer.profile.or(self.profile),
            select: nearer.select.or(self.select),
            order: nearer.order.or(self.order),
            passes: [self.passes, nearer.passes].concat(),
            knobs: [self.knobs, nearer.knobs].concat(),
            spill_space: nearer.spill_space.or(self.spill_space),
            stock: nearer.stock.or(self.stock),
            // What is to leave as it came is not prepared because all others are.
            prepare: nearer
                .prepare
                .or(nearer.stock.and_then(|stock| stock.then_some(false)))
                .or(self.prepare),
        }
    }

    /// Takes out of and puts into the passes to leave out, and the rules.
    pub fn choose_passes(&self, disabled: &mut BTreeSet<Pass>, rules: &mut CoalescingRules) {
        for (one, wanted) in &self.passes {
            match (one, wanted) {
                (Optional::Pass(pass), true) => drop(disabled.remove(pass)),
                (Optional::Pass(pass), false) => drop(disabled.insert(*pass)),
                (Optional::Rule(rule), true) => rules.insert(*rule),
                (Optional::Rule(rule), false) => rules.remove(*rule),
            }
        }
    }

    /// The knobs that are set, and all others as they are.
    pub fn knobs(&self) -> Knobs {
        let mut knobs = Knobs::default();
        for setting in &self.knobs {
            // It has been tried when it was taken in.
            let _ = knobs.set(setting);
        }
        knobs
    }
}

fn not(value: &str, expected: impl Into<String>) -> ValueError {
    ValueError::Not {
        value: value.to_owned(),
        expected: expected.into(),
    }
}

fn known<T: FromStr<Err = String>>(name: &str) -> Result<T, ValueError> {
    name.parse().map_err(ValueError::Unknown)
}

/// On or off, as LLVM's options have it; without a value it is on.
fn flag(value: &str) -> Result<bool, ValueError> {
    match value {
        "" | "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(not(value, "true or false")),
    }
}

/// What stands between the commas.
fn elements(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|element| !element.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(options: &[(Name, &str)]) -> Level {
        let mut level = Level::default();
        for (name, value) in options {
            level.set(*name, value).unwrap();
        }
        level
    }

    #[test]
    fn the_nearer_level_counts() {
        let far = level(&[(Name::PressureLimit, "64"), (Name::Spills, "here")]);
        let near = level(&[(Name::PressureLimit, "72"), (Name::Order, "lists")]);
        let both = far.under(near);
        assert_eq!(both.pressure_limit, Some(72));
        assert_eq!(both.spills, Some(Spills::Here));
        assert_eq!(both.order, Some(Order::Lists));
    }

    #[test]
    fn in_lists_it_counts_name_by_name() {
        let far = level(&[(Name::Disable, "split,remat"), (Name::Knob, "684=20,633=9")]);
        let near = level(&[(Name::Enable, "split"), (Name::Knob, "684=30")]);
        let both = far.under(near);
        let mut disabled = BTreeSet::new();
        both.choose_passes(&mut disabled, &mut CoalescingRules::empty());
        assert_eq!(disabled, [Pass::Rematerialise].into());
        let knobs = both.knobs();
        assert_eq!((knobs.discard_threshold, knobs.secondary_budget), (30, 9));
    }

    #[test]
    fn stock_is_not_prepared_unless_asked_to() {
        let all = || level(&[(Name::Prepare, "")]);
        let prepare = |near: &[(Name, &str)]| all().under(level(near)).prepare;
        assert_eq!(prepare(&[]), Some(true));
        assert_eq!(prepare(&[(Name::Stock, "true")]), Some(false));
        assert_eq!(prepare(&[(Name::Stock, "false")]), Some(true));
        let both = [(Name::Stock, "1"), (Name::Prepare, "1")];
        assert_eq!(prepare(&both), Some(true));
    }

    #[test]
    fn wrong_values_are_named() {
        let error = |name: Name, value| {
            let error = Level::default().set(name, value).unwrap_err();
            error.about(name.attribute())
        };
        assert_eq!(
            error(Name::Stock, "yes"),
            "warpalloc-stock=yes is not true or false"
        );
        assert_eq!(
            error(Name::SpillLimit, "-1"),
            "spill-limit=-1 is not a number"
        );
        assert!(error(Name::Knob, "684=x").ends_with("-warpalloc-knob=help lists all"));
    }
}
