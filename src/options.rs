//! The command line's options become the allocator's settings.

use passes::knobs::{KnobError, Knobs};
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::settings::{CoalescingRules, Pass, Profile, Settings, SpillSpace, Spills};
use std::str::FromStr;
use thiserror::Error;

/// The most registers a thread can address.
const LARGEST_LIMIT: u32 = passes::machine::gpu::R_SIZE;

/// `-nvptx-regalloc-occupancy-target` without a value, in percent.
const DEFAULT_TARGET: u32 = 75;

/// The options, out of their C types.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// `-nvptx-regalloc-pressure-limit`.
    pub pressure_limit: Option<u32>,
    /// `-nvptx-regalloc-occupancy-target`, empty if given without a value.
    pub occupancy_target: Option<&'a str>,
    /// `-nvptx-regalloc-coalescing-factor`.
    pub coalescing_factor: Option<f64>,
    /// `-spill-limit`.
    pub spill_limit: Option<u32>,
    /// Only so many registers of each class.
    pub class_limit: Option<u32>,
    /// `-verify-regalloc`.
    pub verify: bool,
    /// `-print-regalloc-stats`.
    pub print_statistics: bool,
    /// `-warpalloc-hand-off`.
    pub hand_off: bool,
    /// `-warpalloc-dump`, empty if not given.
    pub dump_directory: &'a str,
    /// `-warpalloc-profile`, empty if not given.
    pub profile: &'a str,
    /// `-warpalloc-select`, empty if not given.
    pub select: &'a str,
    /// `-warpalloc-order`, empty if not given.
    pub order: &'a str,
    /// `-warpalloc-enable`.
    pub enable: &'a str,
    /// `-warpalloc-disable`.
    pub disable: &'a str,
    /// `-warpalloc-knob`, comma separated.
    pub knobs: &'a str,
    /// `-warpalloc-spill-space`, empty if not given.
    pub spill_space: &'a str,
    /// `-warpalloc-spills`, empty if not given.
    pub spills: &'a str,
    /// Panic when the function of this name is allocated.
    pub panic_at: &'a str,
    /// Plant a fault, chosen by this number.
    pub plant_fault: Option<u32>,
    /// In the function of this name; in every one if it is empty.
    pub plant_function: &'a str,
}

/// An option that makes no sense.
#[derive(Debug, Error, PartialEq)]
pub enum OptionError {
    /// The pressure limit is not in its range.
    #[error("-nvptx-regalloc-pressure-limit={0} is not between 1 and {LARGEST_LIMIT}")]
    PressureLimit(u32),
    /// The occupancy target is not a percentage.
    #[error("-nvptx-regalloc-occupancy-target={0} is not a percentage between 1 and 100")]
    OccupancyTarget(String),
    /// The coalescing factor is not a positive number.
    #[error("-nvptx-regalloc-coalescing-factor={0} is not a number above 0")]
    CoalescingFactor(f64),
    /// No such profile.
    #[error("-warpalloc-profile: {0}")]
    Profile(String),
    /// No such select.
    #[error("-warpalloc-select: {0}")]
    Select(String),
    /// No such order.
    #[error("-warpalloc-order: {0}")]
    Order(String),
    /// No such pass.
    #[error("-warpalloc-disable: {0}")]
    Disable(String),
    /// No such pass.
    #[error("-warpalloc-enable: {0}")]
    Enable(String),
    /// No such spill space.
    #[error("-warpalloc-spill-space: {0}")]
    SpillSpace(String),
    /// Nobody that can spill.
    #[error("-warpalloc-spills: {0}")]
    Spills(String),
    /// No such knob, or no such value for it.
    #[error("-warpalloc-knob: {0}; -warpalloc-knob=help lists all")]
    Knob(#[from] KnobError),
}

/// What can be enabled and disabled.
enum Optional {
    Pass(Pass),
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

/// The settings for functions of the target, a GPU or not.
pub fn settings(
    options: &Options,
    gpu: Option<&StreamingMultiprocessor>,
) -> Result<Settings, OptionError> {
    if let Some(limit) = options.pressure_limit
        && !(1..=LARGEST_LIMIT).contains(&limit)
    {
        return Err(OptionError::PressureLimit(limit));
    }
    let occupancy_target = options.occupancy_target.map(percentage).transpose()?;
    let profile = match options.profile {
        "" => Profile::Auto,
        name => name.parse().map_err(OptionError::Profile)?,
    };
    let own = profile.settings(gpu);
    // What says how registers are to be given asks that they are.
    let says_how = options.spill_limit.is_some()
        || options.class_limit.is_some()
        || options.plant_fault.is_some()
        || options.coalescing_factor.is_some()
        || ![
            options.select,
            options.order,
            options.knobs,
            options.spill_space,
        ]
        .iter()
        .all(|given| given.is_empty());
    let spills = match options.spills {
        "" if says_how => Spills::Here,
        "" => own.spills,
        name => name.parse().map_err(OptionError::Spills)?,
    };
    let select = match options.select {
        "" => own.select,
        name => name.parse().map_err(OptionError::Select)?,
    };
    let order = match options.order {
        "" => own.order,
        name => Some(name.parse().map_err(OptionError::Order)?),
    };
    let coalescing_factor = options.coalescing_factor.unwrap_or(own.coalescing_factor);
    if !coalescing_factor.is_finite() || coalescing_factor <= 0.0 {
        return Err(OptionError::CoalescingFactor(coalescing_factor));
    }
    let mut disabled = own.disabled;
    let mut coalescing_rules = own.coalescing_rules;
    for name in elements(options.enable) {
        match name.parse().map_err(OptionError::Enable)? {
            Optional::Pass(pass) => drop(disabled.remove(&pass)),
            Optional::Rule(rule) => coalescing_rules.insert(rule),
        }
    }
    for name in elements(options.disable) {
        match name.parse().map_err(OptionError::Disable)? {
            Optional::Pass(pass) => drop(disabled.insert(pass)),
            Optional::Rule(rule) => coalescing_rules.remove(rule),
        }
    }
    let knobs = knobs(options.knobs)?;
    let spill_space = match options.spill_space {
        "" if knobs.shared_memory_spilling => SpillSpace::Shared,
        "" => own.spill_space,
        name => name.parse().map_err(OptionError::SpillSpace)?,
    };
    Ok(Settings {
        pressure_limit: options.pressure_limit,
        occupancy_target,
        select,
        order,
        coalescing_factor,
        coalescing_rules,
        spill_limit: options.spill_limit,
        class_limit: options.class_limit,
        verify: options.verify,
        measure: options.print_statistics,
        spills,
        spill_space,
        hand_off: options.hand_off,
        disabled,
        knobs,
        ..own
    })
}

/// The knobs that `-warpalloc-knob` sets, and all others as they are.
pub fn knobs(settings: &str) -> Result<Knobs, OptionError> {
    let mut knobs = Knobs::default();
    elements(settings).try_for_each(|setting| knobs.set(setting))?;
    Ok(knobs)
}

/// An occupancy target; the option alone has one, too.
fn percentage(given: &str) -> Result<u32, OptionError> {
    let value = match given {
        "" => Some(DEFAULT_TARGET),
        number => number.parse().ok(),
    };
    value
        .filter(|value| (1..=100).contains(value))
        .ok_or_else(|| OptionError::OccupancyTarget(given.into()))
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

    const PLAIN: Options = Options {
        pressure_limit: None,
        occupancy_target: None,
        coalescing_factor: None,
        spill_limit: None,
        class_limit: None,
        verify: false,
        print_statistics: false,
        hand_off: true,
        dump_directory: "",
        profile: "",
        select: "",
        order: "",
        enable: "",
        disable: "",
        knobs: "",
        spill_space: "",
        spills: "",
        panic_at: "",
        plant_fault: None,
        plant_function: "",
    };

    #[test]
    fn limits_have_a_range() {
        for (limit, good) in [(0, false), (1, true), (255, true), (256, false)] {
            let options = Options {
                pressure_limit: Some(limit),
                ..PLAIN
            };
            assert_eq!(
                settings(&options, Some(StreamingMultiprocessor::nearest(90))).is_ok(),
                good,
                "{limit}"
            );
        }
    }

    #[test]
    fn targets_are_percentages() {
        let target = |occupancy_target| {
            let options = Options {
                occupancy_target,
                ..PLAIN
            };
            settings(&options, Some(StreamingMultiprocessor::nearest(90)))
                .map(|settings| settings.occupancy_target)
        };
        assert_eq!(target(None), Ok(None));
        for (given, percent) in [("", 75), ("1", 1), ("50", 50), ("100", 100)] {
            assert_eq!(target(Some(given)), Ok(Some(percent)));
        }
        for given in ["0", "101", "-1", "50%", "0.5", "high", "4294967297"] {
            let message = target(Some(given)).unwrap_err().to_string();
            let start = format!("-nvptx-regalloc-occupancy-target={given} is not");
            assert!(message.starts_with(&start), "{message}");
        }
    }

    #[test]
    fn factors_are_positive_and_finite() {
        for (factor, good) in [(0.8, true), (0.0, false), (-1.0, false), (f64::NAN, false)] {
            let options = Options {
                coalescing_factor: Some(factor),
                ..PLAIN
            };
            assert_eq!(settings(&options, None).is_ok(), good, "{factor}");
        }
    }

    #[test]
    fn passes_go_by_name() {
        let options = Options {
            disable: "coalesce, hints",
            ..PLAIN
        };
        let settings = settings(&options, None).unwrap();
        assert!(!settings.runs(Pass::Coalesce) && !settings.runs(Pass::Hints));
        let unknown = Options {
            disable: "coalesce,nonsense",
            ..PLAIN
        };
        let message = super::settings(&unknown, None).unwrap_err().to_string();
        assert!(message.contains("-warpalloc-disable: unknown pass 'nonsense'"));
    }

    #[test]
    fn what_a_profile_leaves_out_can_be_asked_for() {
        let tuples = |profile, enable, disable| {
            let options = Options {
                profile,
                enable,
                disable,
                ..PLAIN
            };
            settings(&options, None).map(|settings| settings.runs(Pass::Tuples))
        };
        assert_eq!(tuples("", "", ""), Ok(false));
        assert_eq!(tuples("", "tuples", ""), Ok(true));
        assert_eq!(tuples("ptxas", "", ""), Ok(true));
        assert_eq!(tuples("", "tuples", "tuples"), Ok(false));
        let message = tuples("", "nonsense", "").unwrap_err().to_string();
        assert!(message.contains("-warpalloc-enable: unknown pass 'nonsense'"));
    }

    #[test]
    fn rules_about_merging_go_by_name() {
        let rules = |profile, enable, disable| {
            let options = Options {
                profile,
                enable,
                disable,
                ..PLAIN
            };
            settings(&options, None).map(|settings| settings.coalescing_rules)
        };
        let (all, bridges) = (CoalescingRules::all(), CoalescingRules::BRIDGES);
        assert_eq!(rules("", "", ""), Ok(CoalescingRules::empty()));
        assert_eq!(rules("", "tuples,copy-bridges", "hints"), Ok(bridges));
        assert_eq!(rules("ptxas", "", ""), Ok(all));
        assert_eq!(rules("ptxas", "", "copy-bridges"), Ok(all - bridges));
        let message = rules("", "nonsense", "").unwrap_err().to_string();
        assert!(message.ends_with(
            "early-reloads, or a rule about merging: \
             copy-weights, copy-modes, spill-weights, copy-bridges, split-last"
        ));
    }

    #[test]
    fn spill_spaces_go_by_name() {
        let space = |spill_space, knobs| {
            let options = Options {
                spill_space,
                knobs,
                ..PLAIN
            };
            settings(&options, None).map(|settings| settings.spill_space)
        };
        assert_eq!(space("", ""), Ok(SpillSpace::Local));
        assert_eq!(space("", "619=1"), Ok(SpillSpace::Shared));
        assert_eq!(space("shared", ""), Ok(SpillSpace::Shared));
        assert_eq!(
            space("global", "").unwrap_err().to_string(),
            "-warpalloc-spill-space: unknown spill space 'global'; it can be one of: local, shared"
        );
    }

    #[test]
    fn knobs_are_set_in_order() {
        let knobs =
            |knobs| settings(&Options { knobs, ..PLAIN }, None).map(|settings| settings.knobs);
        let given = knobs("684=20, RegAllocCoalescing=0,684=30,").unwrap();
        let expected = Knobs {
            discard_threshold: 30,
            coalescing: false,
            ..Knobs::default()
        };
        assert_eq!(given, expected);
        assert_eq!(knobs("").unwrap(), Knobs::default());
        let message = knobs("684=20,618=2").unwrap_err().to_string();
        assert_eq!(
            message,
            "-warpalloc-knob: knob RegAllocCoalescing takes a bool, 0 or 1, not '2'; \
             -warpalloc-knob=help lists all"
        );
    }
}
