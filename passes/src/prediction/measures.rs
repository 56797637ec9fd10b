//! What of a function the prediction depends on.

use super::combining::combined;
use super::expansion::{Expansion, Expansions};
use super::folding::Folding;
use super::loads::most_loaded;
use super::meaning::Texts;
use super::pressure::{Pressure, Pressures, pressures};
use super::{order, sinking, unrolling};
use crate::analysis::demand::most_live;
use crate::function::Function;
use crate::machine::{File, Machine};
use std::fmt;

/// The measures of a function.
pub struct Measures {
    /// At each instruction, of what ptxas has a register for.
    pub pressures: Pressures,
    /// The most of it that must be live at once: in the order of each block that needs
    /// least, and each instruction in the block that needs it.
    pub least: u32,
    /// What of it is live in PTX's order, on average over the instructions.
    pub mean: f64,
    /// The most that is live at once of what PTX names.
    pub named: u32,
    /// Instructions.
    pub instructions: u32,
    /// The most registers that the loads from global memory of one block write.
    pub loads: u32,
    /// What is expanded.
    pub expanded: Expanded,
    /// What is wanted where loops are unrolled, if any are.
    pub unrolled: Option<u32>,
}

/// Which expansions there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// [`Expansion::Shuffle`]
    pub shuffle: bool,
    /// [`Expansion::DivisionInteger`]
    pub division_integer: bool,
    /// [`Expansion::RoundedSingle`]
    pub rounded_single: bool,
    /// [`Expansion::DivisionDouble`]
    pub division_double: bool,
    /// [`Expansion::Local`]
    pub local: bool,
}

impl Measures {
    /// Takes them.
    pub fn new(function: &Function, machine: &Machine, file: File, texts: &Texts) -> Self {
        let rest = rest(function, machine, texts);
        let dependences = order::dependences(function, &texts.meanings);
        let pressures = pressures(&rest, machine, file, Some(&dependences));
        let most = |pressure: &Pressure| pressure.values().copied().max().unwrap_or(0);
        let sunk = sinking::moved(function, &rest, machine, file, &texts.meanings).map(|moved| {
            let meanings = moved.meanings(&texts.meanings);
            let dependences = order::dependences(&moved.apply(function), &meanings);
            let rest = moved.apply(&rest);
            most(&self::pressures(&rest, machine, file, Some(&dependences)).least)
        });
        Self {
            least: most(&pressures.least).min(sunk.unwrap_or(u32::MAX)),
            mean: mean(function, &pressures.in_order),
            named: most_live(function, machine, file),
            instructions: function.instructions.len() as u32,
            loads: most_loaded(&rest, machine, file, texts),
            expanded: Expanded::new(function, &texts.expansions),
            unrolled: unrolling::wanted(&rest, machine, file, &pressures.in_order, texts),
            pressures,
        }
    }
}

/// The function without what ptxas has no register for. Its instructions have the same
/// numbers.
pub fn rest(function: &Function, machine: &Machine, texts: &Texts) -> Function {
    let combined = combined(function, machine, texts);
    Folding::new(&combined).rest()
}

fn mean(function: &Function, pressure: &Pressure) -> f64 {
    let instructions = function.instructions.keys();
    let live: u32 = instructions.map(|one| pressure[one]).sum();
    f64::from(live) / f64::from((function.instructions.len() as u32).max(1))
}

/// What is live at once in PTX's order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Live {
    /// On average over the instructions.
    pub mean: f64,
    /// At most.
    pub most: u32,
}

/// What is live of what [`rest`] leaves. Time: that of liveness.
pub fn live(rest: &Function, machine: &Machine, file: File) -> Live {
    let Pressures { in_order, .. } = pressures(rest, machine, file, None);
    Live {
        mean: mean(rest, &in_order),
        most: in_order.values().copied().max().unwrap_or(0),
    }
}

impl Expanded {
    fn new(function: &Function, expansions: &Expansions) -> Self {
        let mut found = Self::default();
        for instruction in function.instructions.keys() {
            match expansions[instruction] {
                Some(Expansion::Shuffle) => found.shuffle = true,
                Some(Expansion::DivisionInteger) => found.division_integer = true,
                Some(Expansion::RoundedSingle) => found.rounded_single = true,
                Some(Expansion::DivisionDouble) => found.division_double = true,
                Some(Expansion::Local) => found.local = true,
                _ => {}
            }
        }
        found
    }
}

/// For `python3 tools prediction`, which fits the parameters to them.
impl fmt::Display for Measures {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Expanded {
            shuffle,
            division_integer,
            rounded_single,
            division_double,
            local,
        } = self.expanded;
        write!(
            formatter,
            "least={} mean={:.3} named={} instructions={} loads={} unrolled={} shuffle={} \
             division_integer={} rounded_single={} division_double={} local={}",
            self.least,
            self.mean,
            self.named,
            self.instructions,
            self.loads,
            self.unrolled.unwrap_or(0),
            u32::from(shuffle),
            u32::from(division_integer),
            u32::from(rounded_single),
            u32::from(division_double),
            u32::from(local),
        )
    }
}
