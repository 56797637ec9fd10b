//! Which kernels reach a function that is not one itself.
//!
//! A function that kernels call runs with their threads' registers, so its budget follows
//! from theirs. A kernel reaches what it calls, what that calls, and so on; whoever calls
//! through a pointer may call each function whose address is taken. Callers in other
//! modules are not known, nor what calls back from there. Recursion is a cycle that the
//! search enters once. Time: linear in calls. The issue of budgets over a call graph is in
//! none of the documents.

use super::LaunchBounds;
use serde::{Deserialize, Serialize};

/// A function of the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name, for messages.
    pub name: String,
    /// Its launch bounds, if it is a kernel.
    pub kernel: Option<LaunchBounds>,
    /// It may be called through a pointer.
    pub has_address_taken: bool,
    /// It calls through pointers.
    pub calls_indirectly: bool,
}

/// Who calls whom in a module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallGraph {
    /// The functions.
    pub nodes: Vec<Node>,
    /// Calls by name: the numbers of caller and callee.
    pub calls: Vec<(u32, u32)>,
}

/// A kernel that reaches a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Caller {
    /// Its name.
    pub name: String,
    /// Its launch bounds.
    pub launch: LaunchBounds,
}

impl CallGraph {
    /// The kernels that reach a function, in the order of the module.
    pub fn kernels_reaching(&self, function: u32) -> Vec<Caller> {
        let mut callers = vec![Vec::new(); self.nodes.len()];
        for &(caller, callee) in &self.calls {
            if let Some(of) = callers.get_mut(callee as usize) {
                of.push(caller);
            }
        }
        let mut reaches = vec![false; self.nodes.len()];
        let mut left = vec![function];
        let mut looked_for_pointers = false;
        while let Some(one) = left.pop() {
            let Some(node) = self.nodes.get(one as usize) else {
                continue;
            };
            if std::mem::replace(&mut reaches[one as usize], true) {
                continue;
            }
            left.extend(&callers[one as usize]);
            if node.has_address_taken && !std::mem::replace(&mut looked_for_pointers, true) {
                let nodes = (0..).zip(&self.nodes);
                let indirect = nodes.filter(|(_, node)| node.calls_indirectly);
                left.extend(indirect.map(|(number, _)| number));
            }
        }
        let reaching = self
            .nodes
            .iter()
            .zip(reaches)
            .filter(|(_, reaches)| *reaches);
        reaching
            .filter_map(|(node, _)| {
                Some(Caller {
                    name: node.name.clone(),
                    launch: node.kernel?,
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph of functions with such names: capital letters are kernels, a `*` behind a
    /// name says that its address is taken, a `>` that it calls through pointers.
    fn graph(names: &str, calls: &[(&str, &str)]) -> CallGraph {
        let bare = |name: &str| name.trim_end_matches(['*', '>']).to_string();
        let nodes: Vec<Node> = names
            .split(' ')
            .map(|name| Node {
                name: bare(name),
                kernel: name
                    .starts_with(char::is_uppercase)
                    .then(LaunchBounds::default),
                has_address_taken: name.contains('*'),
                calls_indirectly: name.contains('>'),
            })
            .collect();
        let number = |name: &str| {
            let found = nodes.iter().position(|node| node.name == name);
            found.expect("a node") as u32
        };
        let calls = calls.iter().map(|(a, b)| (number(a), number(b)));
        let calls = calls.collect();
        CallGraph { nodes, calls }
    }

    fn reaching(graph: &CallGraph, name: &str) -> String {
        let number = graph.nodes.iter().position(|node| node.name == name);
        let found = graph.kernels_reaching(number.expect("a node") as u32);
        let names: Vec<_> = found.into_iter().map(|one| one.name).collect();
        names.join(" ")
    }

    #[test]
    fn callers_of_callers_reach() {
        let calls = [("A", "f"), ("f", "g"), ("B", "g"), ("C", "h")];
        let graph = graph("A B C f g h lone", &calls);
        assert_eq!(reaching(&graph, "f"), "A");
        assert_eq!(reaching(&graph, "g"), "A B");
        assert_eq!(reaching(&graph, "h"), "C");
        assert_eq!(reaching(&graph, "lone"), "");
    }

    #[test]
    fn recursion_ends() {
        let calls = [("A", "f"), ("f", "g"), ("g", "f"), ("g", "g"), ("B", "g")];
        let graph = graph("A B f g", &calls);
        assert_eq!(reaching(&graph, "f"), "A B");
        assert_eq!(reaching(&graph, "g"), "A B");
    }

    #[test]
    fn pointers_reach_what_has_its_address_taken() {
        let calls = [("A", "f"), ("C", "h"), ("target", "inner")];
        let graph = graph("A B> C f> target* inner other h", &calls);
        assert_eq!(reaching(&graph, "target"), "A B");
        assert_eq!(reaching(&graph, "inner"), "A B");
        assert_eq!(reaching(&graph, "other"), "");
        assert_eq!(reaching(&graph, "h"), "C");
    }

    #[test]
    fn numbers_that_are_none_reach_nothing() {
        let mut graph = graph("A f", &[("A", "f")]);
        graph.calls.push((7, 1));
        graph.calls.push((0, 9));
        assert_eq!(reaching(&graph, "f"), "A");
        assert_eq!(graph.kernels_reaching(9), []);
    }
}
