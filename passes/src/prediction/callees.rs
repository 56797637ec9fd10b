//! What calls cost: ptxas reports for a kernel the registers that the deepest of its calls
//! needs, and a function saves registers that its caller relies on.
//!
//! ptxas makes what a kernel calls a part of it, with a copy for each kernel, where it knows
//! the function and who calls it: then both share the registers, and the call takes what is
//! live across it and what the function needs. Nothing is saved. The calling convention, by
//! which half of the registers survive, is left for what others may call as well or ptxas has
//! no copy of: functions whose address is taken, recursion, other modules. CUDA's system needs
//! a fixed number of registers.
//!
//! Functions are compiled one by one, in the order of the module, where kernels often come
//! before what they call. So what a function calls is kept until all of that is known, or
//! the module ends.
//!
//! Time: linear in the calls of what is reached. The source is ptxas's own report, and the
//! symbols in its machine code.

use super::Expected;
use super::calls::Calls;
use super::parameters::{BEYOND_LAST, SYSTEM};
use crate::machine::calling_convention::OBSERVED;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;

/// The functions of a module that have been compiled.
#[derive(Debug, Default)]
pub struct Functions {
    known: BTreeMap<String, Expected>,
}

/// What is expected of a function together with all that calls reach from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The registers of a thread that ptxas will report.
    pub registers: u32,
    /// Those that the function saves for its callers, each by a store and a load.
    pub saved: u32,
    /// Something that is called is not known: not yet, or it belongs to another module.
    pub has_missing: bool,
}

/// What a function needs for whoever calls it.
#[derive(Clone, Copy)]
struct Need {
    registers: u32,
    keeps_convention: bool,
}

/// What the calls of a function ask for.
struct Asked {
    registers: u32,
    saved: u32,
}

impl Functions {
    /// Adds a function of which so much is expected itself.
    pub fn add(&mut self, name: &str, expected: Expected) {
        self.known.insert(name.to_owned(), expected);
    }

    /// What is expected of a function with all that it calls.
    pub fn reached(&self, expected: &Expected) -> Reached {
        let (graph, has_missing) = self.graph(&expected.calls);
        let mut needs: BTreeMap<&str, Need> = BTreeMap::new();
        // Callees come before their callers.
        for component in tarjan_scc(&graph) {
            let is_cycle = component.len() > 1 || graph.contains_edge(component[0], component[0]);
            let members = component.iter().map(|&node| {
                let expected = &self.known[graph[node]];
                let need = Need {
                    registers: expected.own.max(asked(expected, &needs).registers),
                    keeps_convention: is_cycle || expected.calls.pointees.contains(graph[node]),
                };
                (graph[node], need)
            });
            let mut members: Vec<(&str, Need)> = members.collect();
            // Whoever enters a cycle may reach all of it.
            let most = members.iter().map(|(_, need)| need.registers).max();
            for (_, need) in &mut members {
                need.registers = most.unwrap_or(0);
            }
            needs.extend(members);
        }
        let Asked { registers, saved } = asked(expected, &needs);
        Reached {
            registers: expected.own.max(registers).min(expected.most),
            saved,
            has_missing,
        }
    }

    /// The functions that are known of those that these calls reach, and whether there are
    /// others.
    fn graph(&self, calls: &Calls) -> (DiGraph<&str, ()>, bool) {
        let mut graph = DiGraph::new();
        let mut nodes: BTreeMap<&str, NodeIndex> = BTreeMap::new();
        let mut has_missing = false;
        let mut left: Vec<(Option<NodeIndex>, &Calls)> = vec![(None, calls)];
        while let Some((caller, calls)) = left.pop() {
            for name in calls.names() {
                let Some((name, expected)) = self.known.get_key_value(name) else {
                    has_missing = true;
                    continue;
                };
                let node = *nodes.entry(name).or_insert_with(|| {
                    let node = graph.add_node(name.as_str());
                    left.push((Some(node), &expected.calls));
                    node
                });
                if let Some(caller) = caller {
                    graph.update_edge(caller, node, ());
                }
            }
        }
        (graph, has_missing)
    }
}

/// What the calls of a function ask for, where this is needed by those that are known. A call
/// within a cycle finds nothing: it keeps to the convention.
fn asked(expected: &Expected, needs: &BTreeMap<&str, Need>) -> Asked {
    let calls = &expected.calls;
    let needs = |name: &str| needs.get(name).copied();
    let reached = calls.names().filter_map(needs).map(|need| need.registers);
    let mut registers = reached.max().unwrap_or(0);
    if let Some(live) = calls.system {
        let least = OBSERVED.least + BEYOND_LAST;
        registers = registers.max((live + SYSTEM).max(least));
    }
    // Live across a call that keeps to the convention.
    let mut surviving: Option<u32> = calls.pointee;
    for (name, &live) in &calls.named {
        match needs(name).filter(|need| !need.keeps_convention) {
            Some(need) => registers = registers.max(live + need.registers),
            None => surviving = surviving.max(Some(live)),
        }
    }
    let mut saved = 0;
    if let Some(live) = surviving {
        registers = registers.max(OBSERVED.registers(live, expected.most) + BEYOND_LAST);
        if !expected.is_kernel {
            saved = live.min(OBSERVED.surviving(expected.most).count() as u32);
        }
    }
    Asked { registers, saved }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::gpu;

    /// A function that needs so many registers itself, and calls others across so many.
    fn needing(own: u32, called: &[(&str, u32)]) -> Expected {
        let named = called.iter().map(|&(name, live)| (name.to_owned(), live));
        Expected {
            own,
            most: gpu::R_SIZE,
            is_kernel: false,
            calls: Calls {
                named: named.collect(),
                ..Calls::default()
            },
        }
    }

    fn kernel(own: u32, called: &[(&str, u32)]) -> Expected {
        Expected {
            is_kernel: true,
            ..needing(own, called)
        }
    }

    fn registers(functions: &Functions, expected: &Expected) -> u32 {
        functions.reached(expected).registers
    }

    #[test]
    fn registers_of_what_is_called_come_on_top_of_what_lives() {
        let mut functions = Functions::default();
        functions.add("leaf", needing(30, &[]));
        functions.add("middle", needing(20, &[("leaf", 10)]));
        let reached = |called: &[_]| functions.reached(&kernel(8, called));
        assert_eq!(reached(&[("leaf", 60)]).registers, 90);
        assert_eq!(reached(&[("middle", 60)]).registers, 100);
        assert_eq!(reached(&[("middle", 60), ("leaf", 100)]).registers, 130);
        assert_eq!(reached(&[("leaf", 250)]).registers, gpu::R_SIZE);
        assert_eq!(registers(&functions, &kernel(200, &[("leaf", 60)])), 200);
        // Nothing is saved where ptxas knows all callers.
        let middle = functions.reached(&functions.known["middle"]);
        assert_eq!(
            (middle.registers, middle.saved, middle.has_missing),
            (40, 0, false)
        );
    }

    /// What `ptxas -c -v` reports of such kernels for sm_90.
    #[test]
    fn half_of_the_registers_survive_what_another_module_does() {
        let functions = Functions::default();
        for (live, reported) in [(0, 24), (12, 31), (24, 55), (40, 87), (60, 127)] {
            let found = functions.reached(&kernel(0, &[("f", live)]));
            let expected = Reached {
                registers: reported,
                saved: 0,
                has_missing: true,
            };
            assert_eq!(found, expected, "{live}");
        }
        assert_eq!(functions.reached(&needing(0, &[("f", 24)])).saved, 24);
        // R2, R16 to R19, R22 to R31 and R36 to R39.
        let narrow = Expected {
            most: 40,
            ..needing(0, &[("f", 60)])
        };
        let found = functions.reached(&narrow);
        assert_eq!((found.registers, found.saved), (40, 19));
    }

    /// What `ptxas -v` reports of such kernels for sm_90.
    #[test]
    fn the_system_has_some_registers_of_its_own() {
        for (live, reported) in [(0, 24), (24, 44), (40, 60)] {
            let mut calling = kernel(0, &[]);
            calling.calls.system = Some(live);
            let found = Functions::default().reached(&calling);
            assert_eq!((found.registers, found.has_missing), (reported, false));
        }
    }

    /// What `ptxas -v` reports of such kernels for sm_90.
    #[test]
    fn recursion_and_pointers_keep_to_the_convention() {
        let mut functions = Functions::default();
        functions.add("even", needing(30, &[("odd", 0)]));
        functions.add("odd", needing(36, &[("even", 0)]));
        functions.add("itself", needing(36, &[("itself", 10)]));
        let mut pointee = needing(32, &[]);
        pointee.calls.pointees.insert("pointee".to_owned());
        functions.add("pointee", pointee);
        for callee in ["even", "odd", "itself", "pointee"] {
            let found = registers(&functions, &kernel(0, &[(callee, 40)]));
            assert_eq!(found, 87, "{callee}");
        }
        assert_eq!(registers(&functions, &kernel(0, &[("even", 0)])), 36);
        assert_eq!(functions.reached(&functions.known["itself"]).saved, 10);
        let mut calling = kernel(0, &[]);
        calling.calls.pointee = Some(0);
        calling.calls.pointees.insert("pointee".to_owned());
        assert_eq!(registers(&functions, &calling), 32);
    }

    #[test]
    fn what_comes_later_is_missing_until_it_comes() {
        let mut functions = Functions::default();
        functions.add("middle", needing(20, &[("leaf", 0)]));
        let calling = kernel(8, &[("middle", 0)]);
        assert!(functions.reached(&calling).has_missing);
        functions.add("leaf", needing(30, &[]));
        let reached = functions.reached(&calling);
        assert_eq!((reached.registers, reached.has_missing), (30, false));
    }
}
