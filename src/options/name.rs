//! The options that a function may have of its own, and what they are called.

/// An option that changes code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// At most so many registers.
    PressureLimit,
    /// Registers for so many percent of an SM's warps.
    OccupancyTarget,
    /// Weight on degrees in the conservative coalescing test.
    CoalescingFactor,
    /// At most so many spilled values.
    SpillLimit,
    /// Whether ptxas is told of a budget.
    HandOff,
    /// Who spills.
    Spills,
    /// Settings that belong together.
    Profile,
    /// How registers are given.
    Select,
    /// In which order.
    Order,
    /// Optional passes to run.
    Enable,
    /// Optional passes to leave out.
    Disable,
    /// Knobs.
    Knob,
    /// Where spill slots lie.
    SpillSpace,
    /// Whether it leaves as it came.
    Stock,
    /// Whether the passes over LLVM IR run on it.
    Prepare,
}

/// All of them by the name of their attribute, which is that of the option on the command
/// line, too, where there is one.
const NAMES: [(Name, &str); 15] = [
    (Name::PressureLimit, "nvptx-regalloc-pressure-limit"),
    (Name::OccupancyTarget, "nvptx-regalloc-occupancy-target"),
    (Name::CoalescingFactor, "nvptx-regalloc-coalescing-factor"),
    (Name::SpillLimit, "spill-limit"),
    (Name::HandOff, "warpalloc-hand-off"),
    (Name::Spills, "warpalloc-spills"),
    (Name::Profile, "warpalloc-profile"),
    (Name::Select, "warpalloc-select"),
    (Name::Order, "warpalloc-order"),
    (Name::Enable, "warpalloc-enable"),
    (Name::Disable, "warpalloc-disable"),
    (Name::Knob, "warpalloc-knob"),
    (Name::SpillSpace, "warpalloc-spill-space"),
    (Name::Stock, "warpalloc-stock"),
    (Name::Prepare, "warpalloc-prepare"),
];

/// What the names of our attributes begin with.
const PREFIXES: [&str; 2] = ["nvptx-regalloc-", "warpalloc-"];

impl Name {
    /// The name of its attribute.
    pub fn attribute(self) -> &'static str {
        let known = NAMES.iter().find(|(name, _)| *name == self);
        known.map_or("", |(_, attribute)| attribute)
    }

    /// The option that an attribute of this name is.
    pub fn of_attribute(attribute: &str) -> Option<Self> {
        let known = NAMES.iter().find(|(_, known)| *known == attribute);
        known.map(|(name, _)| *name)
    }

    /// The option of this name in a choices file.
    pub fn of_file(key: &str) -> Option<Self> {
        let known = NAMES.iter().find(|(_, known)| short(known) == key);
        known.map(|(name, _)| *name)
    }

    /// All names of attributes.
    pub fn attributes() -> Vec<&'static str> {
        NAMES.iter().map(|(_, attribute)| *attribute).collect()
    }

    /// All names in a choices file.
    pub fn in_file() -> Vec<&'static str> {
        NAMES.iter().map(|(_, known)| short(known)).collect()
    }
}

/// Whether an attribute of this name is meant for us.
pub fn is_ours(attribute: &str) -> bool {
    Name::of_attribute(attribute).is_some()
        || PREFIXES.iter().any(|prefix| attribute.starts_with(prefix))
}

fn short(attribute: &'static str) -> &'static str {
    let stripped = PREFIXES
        .iter()
        .find_map(|prefix| attribute.strip_prefix(prefix));
    stripped.unwrap_or(attribute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_has_one_name_of_each_kind() {
        for (name, attribute) in NAMES {
            assert_eq!(Name::of_attribute(attribute), Some(name));
            assert_eq!(Name::of_file(short(attribute)), Some(name));
            assert_eq!(name.attribute(), attribute);
            assert!(is_ours(attribute));
        }
        assert_eq!(Name::of_file("pressure-limit"), Some(Name::PressureLimit));
        assert_eq!(Name::of_file("warpalloc-spills"), None);
        assert!(is_ours("warpalloc-spill") && !is_ours("nvvm.maxnreg"));
    }
}
