//! What functions ask that are called: ptxas reports for a kernel as many registers as the
//! one takes that needs most, of itself and all that it reaches.
//!
//! Functions are compiled one by one, in the order of the module, where kernels often come
//! before what they call. So what a function calls is kept until all of that is known, or
//! the module ends. Recursion is a cycle that the search enters once. A function that is
//! part of a caller then, because ptxas has made it so, hardly needs less.
//!
//! Time: a search is linear in the calls of what is reached. The source is ptxas's own
//! report.

use super::parameters::CALLEE;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a function calls, beside what takes no more than the calling convention asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calls {
    /// By name.
    pub named: BTreeSet<String>,
    /// Through pointers.
    pub has_unknown: bool,
}

impl Calls {
    /// Whether it calls nothing.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && !self.has_unknown
    }
}

/// The functions of a module that have been compiled.
#[derive(Debug, Default)]
pub struct Functions {
    known: BTreeMap<String, Known>,
}

#[derive(Debug)]
struct Known {
    registers: u32,
    calls: Calls,
}

/// What is known of all that calls reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The registers of the function that takes most, of those that are known.
    most: u32,
    /// One of them is not known.
    has_unknown: bool,
    /// One of them is only not known yet, unless it belongs to another module.
    pub has_missing: bool,
}

impl Reached {
    /// The registers of a thread for the function that takes most.
    pub fn registers(self) -> u32 {
        match self.has_unknown || self.has_missing {
            true => self.most.max(CALLEE),
            false => self.most,
        }
    }
}

impl Functions {
    /// Adds a function that takes so many registers itself.
    pub fn add(&mut self, name: &str, registers: u32, calls: Calls) {
        let known = Known { registers, calls };
        self.known.insert(name.to_owned(), known);
    }

    /// Looks at all that these calls reach.
    pub fn reached(&self, calls: &Calls) -> Reached {
        let mut reached = Reached {
            most: 0,
            has_unknown: calls.has_unknown,
            has_missing: false,
        };
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut left: Vec<&str> = calls.named.iter().map(String::as_str).collect();
        while let Some(name) = left.pop() {
            if !seen.insert(name) {
                continue;
            }
            let Some(known) = self.known.get(name) else {
                reached.has_missing = true;
                continue;
            };
            reached.most = reached.most.max(known.registers);
            reached.has_unknown |= known.calls.has_unknown;
            left.extend(known.calls.named.iter().map(String::as_str));
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(named: &[&str]) -> Calls {
        Calls {
            named: named.iter().map(|&name| name.to_owned()).collect(),
            has_unknown: false,
        }
    }

    #[test]
    fn who_takes_most_of_all_that_is_reached_decides() {
        let mut functions = Functions::default();
        functions.add("leaf", 90, Calls::default());
        functions.add("middle", 20, calls(&["leaf"]));
        functions.add("other", 200, Calls::default());
        let reached = functions.reached(&calls(&["middle"]));
        assert_eq!((reached.registers(), reached.has_missing), (90, false));
        assert_eq!(functions.reached(&Calls::default()).registers(), 0);
    }

    #[test]
    fn what_comes_later_is_missing_until_it_comes() {
        let mut functions = Functions::default();
        functions.add("middle", 20, calls(&["leaf"]));
        let missing = functions.reached(&calls(&["middle"]));
        assert_eq!((missing.registers(), missing.has_missing), (CALLEE, true));
        functions.add("leaf", 30, Calls::default());
        let reached = functions.reached(&calls(&["middle"]));
        assert_eq!((reached.registers(), reached.has_missing), (30, false));
    }

    #[test]
    fn who_is_called_through_a_pointer_stays_unknown() {
        let mut functions = Functions::default();
        let through = Calls {
            has_unknown: true,
            ..Calls::default()
        };
        functions.add("large", CALLEE + 1, Calls::default());
        functions.add("through", 20, through.clone());
        let reached = functions.reached(&through);
        assert_eq!((reached.registers(), reached.has_missing), (CALLEE, false));
        let both = functions.reached(&calls(&["through", "large"]));
        assert_eq!((both.registers(), both.has_missing), (CALLEE + 1, false));
    }

    #[test]
    fn recursion_ends() {
        let mut functions = Functions::default();
        functions.add("even", 40, calls(&["odd"]));
        functions.add("odd", 50, calls(&["even"]));
        assert_eq!(functions.reached(&calls(&["odd"])).registers(), 50);
    }
}
