//! What is asked for becomes the allocator's settings.
//!
//! Three levels say something of a function: its attributes, the choices file, the command
//! line. What is nearer to the function counts, option by option, and in lists (passes,
//! knobs) name by name. All three are read by [`Level`]; only the command line has what does
//! not change code.

pub mod level;
pub mod name;
pub mod own;

pub use level::Level;

use level::ValueError;
use name::Name;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::settings::{Profile, Settings, SpillSpace, Spills};
use thiserror::Error;

/// The command line's options, out of their C types.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// `-warpalloc-prepare`.
    pub prepare: Option<bool>,
    /// `-regalloc=warpalloc`.
    pub is_selected: bool,
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

/// An option of the command line that makes no sense.
#[derive(Debug, Error, PartialEq)]
#[error("{}", error.about(&format!("-{}", name.attribute())))]
pub struct OptionError {
    name: Name,
    error: ValueError,
}

impl Options<'_> {
    /// What the command line says of every function.
    ///
    /// # Errors
    /// If a value makes no sense.
    pub fn level(&self) -> Result<Level, OptionError> {
        let mut level = Level {
            hand_off: Some(self.hand_off),
            prepare: self.prepare,
            ..Level::default()
        };
        let mut set = |name: Name, value: &str| {
            let set = level.set(name, value);
            set.map_err(|error| OptionError { name, error })
        };
        let numbers = [
            (Name::PressureLimit, self.pressure_limit),
            (Name::SpillLimit, self.spill_limit),
        ];
        for (name, number) in numbers {
            number.map_or(Ok(()), |number| set(name, &number.to_string()))?;
        }
        if let Some(target) = self.occupancy_target {
            set(Name::OccupancyTarget, target)?;
        }
        if let Some(factor) = self.coalescing_factor {
            set(Name::CoalescingFactor, &factor.to_string())?;
        }
        let texts = [
            (Name::Profile, self.profile),
            (Name::Spills, self.spills),
            (Name::Select, self.select),
            (Name::Order, self.order),
            // A pass that one command line enables and disables is left out.
            (Name::Enable, self.enable),
            (Name::Disable, self.disable),
            (Name::Knob, self.knobs),
            (Name::SpillSpace, self.spill_space),
        ];
        for (name, text) in texts {
            if !text.is_empty() {
                set(name, text)?;
            }
        }
        Ok(level)
    }

    /// Whether functions are prepared that do not ask for it: where the allocator is chosen, and
    /// no test says how it is to work.
    pub fn prepares(&self) -> bool {
        self.is_selected && !self.is_test()
    }

    /// Whether a test says how the allocator is to work.
    fn is_test(&self) -> bool {
        self.class_limit.is_some() || self.plant_fault.is_some()
    }
}

/// The settings for a function of the target, a GPU or not, of which all levels together
/// say this.
pub fn settings(
    options: &Options,
    level: &Level,
    gpu: Option<&StreamingMultiprocessor>,
) -> Settings {
    let own = level.profile.unwrap_or(Profile::Auto).settings(gpu);
    let spills = match level.spills() {
        Spills::Auto if options.is_test() => Spills::Here,
        spills => spills,
    };
    let (mut disabled, mut coalescing_rules) = (own.disabled.clone(), own.coalescing_rules);
    level.choose_passes(&mut disabled, &mut coalescing_rules);
    let knobs = level.knobs();
    let spill_space = match level.spill_space {
        None if knobs.shared_memory_spilling => SpillSpace::Shared,
        None => own.spill_space,
        Some(space) => space,
    };
    Settings {
        pressure_limit: level.pressure_limit,
        occupancy_target: level.occupancy_target,
        select: level.select.unwrap_or(own.select),
        order: level.order.or(own.order),
        coalescing_factor: level.coalescing_factor.unwrap_or(own.coalescing_factor),
        coalescing_rules,
        spill_limit: level.spill_limit,
        class_limit: options.class_limit,
        verify: options.verify,
        measure: options.print_statistics,
        spills,
        spill_space,
        hand_off: level.hand_off.unwrap_or(true),
        disabled,
        knobs,
        ..own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passes::knobs::Knobs;
    use passes::settings::{CoalescingRules, Pass};

    const PLAIN: Options = Options {
        prepare: None,
        is_selected: true,
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

    /// The settings where nothing but the command line says anything.
    fn settings(
        options: &Options,
        gpu: Option<&StreamingMultiprocessor>,
    ) -> Result<Settings, OptionError> {
        Ok(super::settings(options, &options.level()?, gpu))
    }

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
        let settings = self::settings(&options, None).unwrap();
        assert!(!settings.runs(Pass::Coalesce) && !settings.runs(Pass::Hints));
        let unknown = Options {
            disable: "coalesce,nonsense",
            ..PLAIN
        };
        let message = self::settings(&unknown, None).unwrap_err().to_string();
        assert!(message.contains("-warpalloc-disable: unknown pass 'nonsense'"));
    }

    fn with_passes(profile: &str, enable: &str, disable: &str) -> Result<Settings, OptionError> {
        let options = Options {
            profile,
            enable,
            disable,
            ..PLAIN
        };
        settings(&options, None)
    }

    #[test]
    fn what_a_profile_leaves_out_can_be_asked_for() {
        let tuples = |profile, enable, disable| {
            with_passes(profile, enable, disable).map(|settings| settings.runs(Pass::Tuples))
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
            with_passes(profile, enable, disable).map(|settings| settings.coalescing_rules)
        };
        let (all, bridges) = (CoalescingRules::all(), CoalescingRules::BRIDGES);
        assert_eq!(rules("", "", ""), Ok(CoalescingRules::empty()));
        assert_eq!(rules("", "tuples,copy-bridges", "hints"), Ok(bridges));
        assert_eq!(rules("ptxas", "", ""), Ok(all));
        assert_eq!(rules("ptxas", "", "copy-bridges"), Ok(all - bridges));
        let message = rules("", "nonsense", "").unwrap_err().to_string();
        assert!(message.ends_with(
            "move-before-calls, super-classes, or a rule about merging: \
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
