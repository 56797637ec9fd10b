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

use std::collections::{BTreeMap, BTreeSet};

/// The names of the functions that a function may call. Through a pointer those may be called
/// whose address is taken in the module.
pub type Calls = BTreeSet<String>;

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
    /// The registers of a thread for the function that takes most, of those that are known.
    pub registers: u32,
    /// One of them is not known: not yet, or it belongs to another module.
    pub has_missing: bool,
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
            registers: 0,
            has_missing: false,
        };
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut left: Vec<&str> = calls.iter().map(String::as_str).collect();
        while let Some(name) = left.pop() {
            if !seen.insert(name) {
                continue;
            }
            match self.known.get(name) {
                Some(known) => {
                    reached.registers = reached.registers.max(known.registers);
                    left.extend(known.calls.iter().map(String::as_str));
                }
                None => reached.has_missing = true,
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(named: &[&str]) -> Calls {
        named.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn who_takes_most_of_all_that_is_reached_decides() {
        let mut functions = Functions::default();
        functions.add("leaf", 90, Calls::default());
        functions.add("middle", 20, calls(&["leaf"]));
        functions.add("other", 200, Calls::default());
        let reached = functions.reached(&calls(&["middle"]));
        assert_eq!((reached.registers, reached.has_missing), (90, false));
        assert_eq!(functions.reached(&Calls::default()).registers, 0);
    }

    #[test]
    fn what_comes_later_is_missing_until_it_comes() {
        let mut functions = Functions::default();
        functions.add("middle", 20, calls(&["leaf"]));
        let missing = functions.reached(&calls(&["middle"]));
        assert_eq!((missing.registers, missing.has_missing), (20, true));
        functions.add("leaf", 30, Calls::default());
        let reached = functions.reached(&calls(&["middle"]));
        assert_eq!((reached.registers, reached.has_missing), (30, false));
    }

    #[test]
    fn recursion_ends() {
        let mut functions = Functions::default();
        functions.add("even", 40, calls(&["odd"]));
        functions.add("odd", 50, calls(&["even"]));
        assert_eq!(functions.reached(&calls(&["odd"])).registers, 50);
    }
}
