//! Where a function calls, and how many registers are live across its calls.
//!
//! Arguments and results are in memory around a call in PTX, so what is live at one survives
//! it; nothing is behind one that reports an error and ends the kernel. What the call takes beside that depends on what is called ([`super::callees`]). Knob
//! 649 leaves all of it out. One pass over the instructions.

use super::pressure::Pressure;
use crate::function::{Block, Function, Instruction, InstructionFlags};
use cranelift_entity::SecondaryMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a call reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callee {
    /// A function of CUDA's system, such as `vprintf`.
    System,
    /// A function of this name.
    Named(String),
    /// Through a pointer, any function whose address is taken in the module.
    Pointee,
}

/// The calls of a function.
#[derive(Clone, Debug, Default)]
pub struct CallSites {
    /// What each of these instructions calls.
    pub callees: SecondaryMap<Instruction, Option<Callee>>,
    /// The functions whose address is taken in the module. Empty for a kernel that calls
    /// nothing through pointers.
    pub pointees: BTreeSet<String>,
}

/// What a function calls, and the most registers that are live across such a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// By name.
    pub named: BTreeMap<String, u32>,
    /// Of CUDA's system.
    pub system: Option<u32>,
    /// Through pointers.
    pub pointee: Option<u32>,
    /// What a pointer may point to.
    pub pointees: BTreeSet<String>,
}

impl Calls {
    /// The calls of a function with this pressure.
    pub fn new(function: &Function, sites: &CallSites, pressure: &Pressure) -> Self {
        let mut calls = Self {
            pointees: sites.pointees.clone(),
            ..Self::default()
        };
        for block in function.blocks.keys() {
            let goes_on = goes_on(function, block);
            for instruction in function.block_instructions(block) {
                let most = match &sites.callees[instruction] {
                    None => continue,
                    Some(Callee::Named(name)) => calls.named.entry(name.clone()).or_default(),
                    Some(Callee::System) => calls.system.get_or_insert_default(),
                    Some(Callee::Pointee) => calls.pointee.get_or_insert_default(),
                };
                let live = if goes_on { pressure[instruction] } else { 0 };
                *most = live.max(*most);
            }
        }
        calls
    }

    /// Whether nothing is called.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && self.system.is_none() && self.pointee.is_none()
    }

    /// The names of all functions that may be called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let pointees = self.pointee.map(|_| &self.pointees);
        let names = self.named.keys().chain(pointees.into_iter().flatten());
        names.map(String::as_str)
    }
}

/// Whether a block comes to its end.
fn goes_on(function: &Function, block: Block) -> bool {
    let last = function.block_instructions(block).next_back();
    let flags = last.map(|last| function.instructions[last].flags);
    let returns = flags.is_some_and(|flags| flags.contains(InstructionFlags::TERMINATOR));
    returns || !function.blocks[block].successors.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::definitions_first;

    #[test]
    fn the_call_with_most_across_it_counts() {
        let mut function = definitions_first(4);
        let mut pressure = Pressure::new();
        let mut sites = CallSites::default();
        let named = |name: &str| Callee::Named(name.to_owned());
        let called = [named("f"), named("g"), named("f"), Callee::System];
        for (place, (callee, live)) in called.into_iter().zip([10, 20, 30, 40]).enumerate() {
            let instruction = Instruction::from_u32(place as u32);
            sites.callees[instruction] = Some(callee);
            pressure[instruction] = live;
        }
        sites.pointees.insert("h".to_owned());
        let calls = Calls::new(&function, &sites, &pressure);
        // It does not come back from any of them.
        assert_eq!(calls.system, Some(0));
        assert!(calls.named.values().all(|&live| live == 0));
        let last = function
            .instructions
            .keys()
            .next_back()
            .expect("an instruction");
        function.instructions[last].flags |= InstructionFlags::TERMINATOR;
        let calls = Calls::new(&function, &sites, &pressure);
        let live = [("f", 30), ("g", 20)].map(|(name, live)| (name.to_owned(), live));
        assert_eq!(calls.named, BTreeMap::from(live));
        assert_eq!((calls.system, calls.pointee), (Some(40), None));
        // Nothing is called through a pointer.
        assert!(calls.names().eq(["f", "g"]));
        sites.callees[Instruction::from_u32(3)] = Some(Callee::Pointee);
        let calls = Calls::new(&function, &sites, &pressure);
        assert_eq!((calls.system, calls.pointee), (None, Some(40)));
        assert!(calls.names().eq(["f", "g", "h"]));
        assert!(!calls.is_empty() && Calls::default().is_empty());
    }
}
