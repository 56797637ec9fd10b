use super::*;
use std::collections::BTreeSet;

fn set(setting: &str) -> Result<Knobs, KnobError> {
    let mut knobs = Knobs::default();
    knobs.set(setting).map(|()| knobs)
}

fn message(setting: &str) -> String {
    set(setting).expect_err(setting).to_string()
}

/// A value of the knob that is not its default.
fn other_value(knob: &Knob) -> &'static str {
    let default = knob.kind.value(Knobs::default());
    let candidates = ["0", "1", "2", "none"];
    let accepted = |value: &&str| knob.kind.set(&mut Knobs::default(), value);
    let found = candidates
        .into_iter()
        .filter(accepted)
        .find(|value| value.parse::<f64>() != default.parse());
    found.unwrap_or_else(|| panic!("{} takes no other value", knob.label()))
}

#[test]
fn no_two_knobs_share_a_name_a_number_or_a_field() {
    let labels: BTreeSet<_> = KNOBS.iter().map(Knob::label).collect();
    assert_eq!(labels.len(), KNOBS.len());
    assert!(!labels.contains(""));
    let mut names = KNOBS.iter().filter_map(|knob| knob.name);
    assert!(names.all(|name| name.parse::<u16>().is_err()));
    let numbers: Vec<_> = KNOBS.iter().filter_map(|knob| knob.number).collect();
    assert!(numbers.is_sorted_by(|first, second| first < second));
    for knob in KNOBS {
        let set = set(&format!("{}={}", knob.label(), other_value(knob))).unwrap();
        for other in KNOBS {
            let changed = other.kind.value(set) != other.kind.value(Knobs::default());
            assert_eq!(changed, knob.label() == other.label(), "{}", other.label());
        }
    }
}

#[test]
fn name_and_number_set_the_same() {
    for knob in KNOBS {
        let value = other_value(knob);
        let by_name = set(&format!("{}={value}", knob.label())).unwrap();
        assert_ne!(by_name, Knobs::default(), "{}", knob.label());
        if let Some(number) = knob.number {
            assert_eq!(set(&format!("{number}={value}")).unwrap(), by_name);
        }
    }
}

#[test]
fn a_value_that_is_shown_can_be_set() {
    for knob in KNOBS {
        let default = knob.kind.value(Knobs::default());
        let set = set(&format!("{}={default}", knob.label()));
        assert_eq!(set, Ok(Knobs::default()), "{}", knob.label());
    }
}

#[test]
fn the_documented_defaults() {
    for (name, default) in [
        ("619", "0"),
        ("RegAllocMacForce", "0"),
        ("RegAllocMacVregAllocOrder", "0"),
        ("632", "0"),
        ("633", "0"),
        ("635", "44"),
        ("636", "1"),
        ("649", "1"),
        ("680", "4.0"),
        ("682", "0"),
        ("683", "0"),
        ("RegAllocThresholdForDiscardConflicts", "50"),
        ("MaxThreadsPerBlock", "119"),
        ("PressureThreshold", "160"),
        ("InterpolationCoefficientA", "0.2"),
        ("InterpolationCoefficientB", "1.0"),
        ("InterpolationCoefficientC", "0.3"),
    ] {
        let knob = KNOBS.iter().find(|knob| knob.label() == name).expect(name);
        assert_eq!(knob.kind.value(Knobs::default()), default, "{name}");
        assert_eq!(knob.origin, Documented, "{name}");
    }
}

#[test]
fn each_kind_has_its_limits() {
    for (name, good, bad) in [
        ("618", "0 1 true false", "2 -1 yes 1.0 none"),
        ("646", "0 1 2 3", "4 -1 0.5 both none 4294967296"),
        ("684", "0 50 63", "-1 64 4294967296 1e3 0x10"),
        ("632", "0 255", "256"),
        ("381", "0 1 3", "2 4 -1"),
        ("530", "0 4 none", "-1 None 2.5"),
        ("623", "1 1000 none", "0 many"),
        ("680", "0 4 4.0 1e3", "-0.1 nan inf 1e400 four"),
        ("InterpolationCoefficientA", "0 0.5 1", "1.1 -1 NaN"),
        ("PromotionMode", "0 1 255", "256 -1 none"),
        ("PromotionBudget", "0 3 4294967295", "-1 none"),
    ] {
        for value in good.split(' ') {
            assert!(set(&format!("{name}={value}")).is_ok(), "{name}={value}");
        }
        for value in bad.split(' ').chain([""]) {
            let result = set(&format!("{name}={value}"));
            let refused = matches!(result, Err(KnobError::Value { .. }));
            assert!(refused, "{name}={value}");
        }
    }
}

#[test]
fn fields_hold_what_was_set() {
    let mut knobs = Knobs::default();
    for setting in [
        "RegAllocCoalescing=0",
        "684 = 7",
        "381=3",
        "NumOptPhasesBudget=12",
        "NumOptPhasesBudget=none",
        "RegAllocCoalesceMaxDepth=9",
        "680=2.5",
    ] {
        knobs.set(setting).unwrap();
    }
    let expected = Knobs {
        coalescing: false,
        discard_threshold: 7,
        hoist_invariants: 3,
        promotion_budget: None,
        coalesce_depth: Some(9),
        spill_cost_multiplier: 2.5,
        ..Knobs::default()
    };
    assert_eq!(knobs, expected);
}

#[test]
fn a_refused_setting_changes_nothing() {
    let mut knobs = Knobs::default();
    for setting in ["684=many", "684", "nonsense=1"] {
        knobs.set(setting).unwrap_err();
    }
    assert_eq!(knobs, Knobs::default());
}

#[test]
fn errors_name_the_cause() {
    for (setting, expected) in [
        ("684", "'684' is not NAME=VALUE"),
        ("", "'' is not NAME=VALUE"),
        (
            "regalloccoalesing=1",
            "unknown knob 'regalloccoalesing'; did you mean 'RegAllocCoalescing'?",
        ),
        (
            "RegAllocMacForc=1",
            "unknown knob 'RegAllocMacForc'; did you mean 'RegAllocMacForce'?",
        ),
        ("RegAllocX=1", "unknown knob 'RegAllocX'"),
        ("nonsense=1", "unknown knob 'nonsense'"),
        ("=1", "unknown knob ''"),
        ("1=1", "unknown knob '1'"),
        ("700=1", "unknown knob '700'"),
        (
            "650=1",
            "knob 650 belongs to ptxas' register allocation, \
             but the documents do not say what it does",
        ),
        (
            "684=-1",
            "knob RegAllocThresholdForDiscardConflicts takes an integer from 0 to 63, not '-1'",
        ),
        (
            "646=4",
            "knob RegAllocPrefMacOperands takes an integer from 0 to 3, not '4'",
        ),
        ("381=2", "knob 381 takes one of 0, 1, 3, not '2'"),
        (
            "623=0",
            "knob RegAllocEstimatedLoopIterations takes an integer from 1, or none, not '0'",
        ),
        (
            "InterpolationCoefficientC=2",
            "knob InterpolationCoefficientC takes a number from 0 to 1, not '2'",
        ),
    ] {
        assert_eq!(message(setting), expected);
    }
}

#[test]
fn help_lists_every_knob_once() {
    let help = help();
    for knob in KNOBS {
        let number = knob.number.map_or("-".into(), |number| number.to_string());
        let heading = format!("\n{number:>5}  {}\n", knob.name.unwrap_or("-"));
        assert_eq!(help.matches(&heading).count(), 1, "{heading}");
    }
    assert!(help.lines().all(|line| line.len() <= 90), "{help}");
    assert!(help.contains("takes an integer from 0 to 63; default 50\n"));
}
