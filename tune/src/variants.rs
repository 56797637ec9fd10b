//! What is tried: options for all kernels of a module at once.
//!
//! Stock comes first: what equals it is stock. Then who spills, with each of some budgets, and
//! with the main ones the other ways to give registers; around a cap that the user sets
//! also budgets a bit above it, as ptxas still folds and sinks, and those below it that bring
//! more resident warps. Each of them on the code as it came and, for the main ones, on the
//! code that the passes over LLVM IR make of it.

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

/// All variants but stock, under the user's cap or without one. Each of the budgets brings
/// more resident warps to some kernel, or is all registers that there are; without a cap the
/// first and the last of them are tried in all ways.
pub fn variants(cap: Option<u32>, budgets: &[u32]) -> Vec<Variant> {
    let mut all = vec![stock().prepared()];
    match cap {
        Some(cap) => all.extend(around(cap, budgets)),
        None => {
            all.push(Variant::new(&[("spills", "ptxas".into())]));
            for (number, &budget) in budgets.iter().enumerate() {
                all.extend(who_spills(budget));
                all.push(here(budget).prepared());
                if number == 0 || number + 1 == budgets.len() {
                    all.extend(other_ways(budget));
                }
            }
        }
    }
    all
}

fn spills(who: &str, budget: u32) -> Variant {
    Variant::new(&[("spills", who.into()), ("pressure-limit", budget.into())])
}

fn here(budget: u32) -> Variant {
    spills("here", budget)
}

fn who_spills(budget: u32) -> [Variant; 3] {
    // Left to itself, a function of which it is open who spills would be prepared.
    let open = spills("auto", budget).with("prepare", Value::Flag(false));
    [open, here(budget), spills("ptxas", budget)]
}

/// The same budget kept here, in each of the other ways to give registers and to spill.
fn other_ways(budget: u32) -> [Variant; 8] {
    let here = here(budget);
    let shared = here.with("spill-space", "shared");
    [
        here.with("disable", "spill-reserve"),
        here.with("disable", "reorder"),
        here.with("order", "lists"),
        here.with("select", "fatpoint"),
        here.with("enable", "early-reloads"),
        shared.with("enable", "early-reloads"),
        shared.with("disable", "spill-reserve"),
        shared,
    ]
}

/// What is tried where ptxas keeps a cap. Of a budget below it ptxas is not told.
fn around(cap: u32, below: &[u32]) -> Vec<Variant> {
    let mut all = who_spills(cap).to_vec();
    // ptxas is to keep the cap, not this.
    let roomy = |budget| here(budget).with("hand-off", Value::Flag(false));
    let above = ABOVE.map(|above| (cap + above).min(MOST));
    let above: BTreeSet<_> = above.into_iter().filter(|&budget| budget > cap).collect();
    let roomy_at = |&budget: &u32| roomy(budget).with("disable", "spill-reserve");
    all.extend(above.iter().map(roomy_at));
    if cap + ABOVE_WITH_RESERVE <= MOST {
        all.push(roomy(cap + ABOVE_WITH_RESERVE));
    }
    all.extend(other_ways(cap));
    all.extend(below.iter().map(|&budget| here(budget)));
    all.extend(who_spills(cap).map(|one| one.prepared()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_tried_twice() {
        for all in [
            variants(None, &[64, 128]),
            variants(None, &[255]),
            variants(Some(64), &[48, 40]),
            variants(Some(248), &[]),
        ] {
            let texts: BTreeSet<_> = all.iter().map(Variant::text).collect();
            assert_eq!(texts.len(), all.len());
            assert!(!all.contains(&stock()));
        }
    }

    #[test]
    fn what_is_above_the_cap_is_not_handed_to_ptxas() {
        for one in variants(Some(64), &[48]) {
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
