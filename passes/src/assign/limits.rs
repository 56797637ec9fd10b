//! How much coalescing may merge: knobs 529, 530 and 531.
//!
//! The document only names them: `RegAllocCoalesceMaxDepth`, `MaxWidth` and `MaxFanout`.
//! Here depth is how deep merges are nested in a group, which is one more than in the
//! deeper of the groups that became it, so that a chain of copies is as deep as it is
//! long; width is the number of 32-bit registers that a group occupies, or units
//! elsewhere; fan-out is the number of copies from one value that are merged. Without a
//! knob there is no limit. Constant time a merge.

use super::merge::Merge;
use super::problem::{End, Problem};
use crate::function::VirtualRegister;
use crate::knobs::Knobs;
use cranelift_entity::SecondaryMap;

/// The limits; none where there is no number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How deep merges may be nested in a group.
    pub depth: Option<u32>,
    /// How many 32-bit registers a group may occupy.
    pub width: Option<u32>,
    /// How many copies from one value may be merged.
    pub fan_out: Option<u32>,
}

impl Limits {
    /// Those that the knobs set.
    pub fn new(knobs: &Knobs) -> Self {
        Self {
            depth: knobs.coalesce_depth,
            width: knobs.coalesce_width,
            fan_out: knobs.coalesce_fan_out,
        }
    }
}

/// What has been merged so far, as far as the limits ask for it.
#[derive(Default)]
pub struct Extent {
    limits: Limits,
    /// For each root.
    depth: SecondaryMap<VirtualRegister, u32>,
    /// For each value the copies from it that were merged.
    fan_out: SecondaryMap<VirtualRegister, u32>,
}

impl Extent {
    /// Nothing is merged yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Whether the ends of a copy from this end may be merged like that. What may not
    /// never may later.
    pub fn admits(&self, problem: &Problem, from: End, merge: &Merge) -> bool {
        let within = |limit: Option<u32>, found: u32| limit.is_none_or(|most| found <= most);
        let fan_out = from
            .register
            .virtual_register()
            .map_or(0, |value| self.fan_out[value] + 1);
        within(self.limits.depth, self.depth_after(merge))
            && within(self.limits.fan_out, fan_out)
            && within(self.limits.width, width(problem, merge.root))
    }

    /// Notes that they were merged.
    pub fn note(&mut self, from: End, merge: &Merge) {
        self.depth[merge.root] = self.depth_after(merge);
        if let Some(value) = from.register.virtual_register() {
            self.fan_out[value] += 1;
        }
    }

    fn depth_after(&self, merge: &Merge) -> u32 {
        self.depth[merge.root].max(self.depth[merge.joining]) + 1
    }
}

/// How many registers of its file a root occupies.
fn width(problem: &Problem, root: VirtualRegister) -> u32 {
    let order = &problem.machine.classes[problem.class[root]].order;
    let first = order.first();
    first.map_or(0, |&register| problem.machine.width(register))
}
