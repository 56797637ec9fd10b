//! What is tried: options for all kernels of a module at once.
//!
//! Stock comes first: what equals it is stock. Then who spills, with each of some budgets;
//! around a cap that the user sets also budgets a bit above it, as ptxas still folds and
//! sinks, and the other ways to give registers. Each of them on the code as it came and, for
//! the main ones, on the code that the passes over LLVM IR make of it.

use passes::choices::{Value, Values};
use std::collections::BTreeSet;

/// Registers above the cap that an allocation here may have, of which none are left to ptxas.
/// The last ones are for code whose values cannot all be kept anyway: ptxas, which sees the
/// machine's schedule, then spills some of them better.
const ABOVE: [u32; 5] = [4, 8, 16, 24, 48];
/// The same where some are left to ptxas; with more of them it is as if there were none above
/// the cap and none were left.
const ABOVE_WITH_RESERVE: u32 = 4;
/// The most registers of a thread.
const MOST: u32 = 255;

/// One way to compile.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Options as a choices file has them.
    pub options: Values,
}

impl Variant {
    fn new(options: &[(&str, Value)]) -> Self {
        let options = options.iter().cloned();
        Self {
            options: options
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        }
    }

    fn with(&self, name: &str, value: impl Into<Value>) -> Self {
        let mut options = self.options.clone();
        options.insert(name.to_owned(), value.into());
        Self { options }
    }

    fn prepared(&self) -> Self {
        self.with("prepare", Value::Flag(true))
    }

    /// For people.
    pub fn text(&self) -> String {
        text(&self.options)
    }
}

/// Options for people.
pub fn text(options: &Values) -> String {
    let one = |(name, value): (&String, &Value)| match value {
        Value::Flag(true) => name.clone(),
        value => format!("{name}={}", value.text()),
    };
    let all: Vec<_> = options.iter().map(one).collect();
    all.join(" ")
}

/// What is never worse than itself.
pub fn stock() -> Variant {
    Variant::new(&[("stock", Value::Flag(true))])
}

/// All variants but stock, under the user's cap or with budgets of which each brings more
/// resident warps to some kernel.
pub fn variants(cap: Option<u32>, budgets: &[u32]) -> Vec<Variant> {
    let spills = |who: &str, budget: u32| {
        Variant::new(&[("spills", who.into()), ("pressure-limit", budget.into())])
    };
    // Left to itself, a function of which it is open who spills would be prepared.
    let open = |budget| spills("auto", budget).with("prepare", Value::Flag(false));
    let ways = |budget| {
        [
            open(budget),
            spills("here", budget),
            spills("ptxas", budget),
        ]
    };
    let mut all = vec![stock().prepared()];
    let Some(cap) = cap else {
        all.push(Variant::new(&[("spills", "ptxas".into())]));
        for &budget in budgets {
            all.extend(ways(budget));
            all.push(spills("here", budget).prepared());
        }
        return all;
    };
    let here = spills("here", cap);
    all.extend(ways(cap));
    // ptxas is to keep the cap, not this.
    let roomy = |budget| spills("here", budget).with("hand-off", Value::Flag(false));
    let above = ABOVE.map(|above| (cap + above).min(MOST));
    let above: BTreeSet<_> = above.into_iter().filter(|&budget| budget > cap).collect();
    let roomy_at = |&budget: &u32| roomy(budget).with("disable", "spill-reserve");
    all.extend(above.iter().map(roomy_at));
    if cap + ABOVE_WITH_RESERVE <= MOST {
        all.push(roomy(cap + ABOVE_WITH_RESERVE));
    }
    all.push(here.with("disable", "spill-reserve"));
    all.push(here.with("disable", "reorder"));
    all.push(here.with("order", "lists"));
    all.push(here.with("select", "fatpoint"));
    all.push(here.with("enable", "early-reloads"));
    let shared = here.with("spill-space", "shared");
    all.push(shared.with("enable", "early-reloads"));
    all.push(shared.with("disable", "spill-reserve"));
    all.push(shared);
    all.extend(ways(cap).map(|one| one.prepared()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_tried_twice() {
        for all in [
            variants(None, &[64, 128]),
            variants(Some(64), &[]),
            variants(Some(248), &[]),
        ] {
            let texts: BTreeSet<_> = all.iter().map(Variant::text).collect();
            assert_eq!(texts.len(), all.len());
            assert!(!all.contains(&stock()));
        }
    }

    #[test]
    fn what_is_above_the_cap_is_not_handed_to_ptxas() {
        for one in variants(Some(64), &[]) {
            let limit = one.options.get("pressure-limit");
            let limit = limit.map_or(0, |limit| limit.text().parse().unwrap());
            let is_kept = one.options.get("hand-off") == Some(&Value::Flag(false));
            assert_eq!(limit > 64, is_kept, "{}", one.text());
        }
    }

    #[test]
    fn texts_are_short() {
        assert_eq!(stock().prepared().text(), "prepare stock");
        let one = Variant::new(&[("pressure-limit", 64.into()), ("spills", "here".into())]);
        assert_eq!(one.text(), "pressure-limit=64 spills=here");
    }
}
