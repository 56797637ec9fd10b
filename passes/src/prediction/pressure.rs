//! The fewest registers with which each instruction may find itself live.
//!
//! ptxas orders the instructions of a block anew, and where registers are dear it orders
//! them for few of them. So each block counts as it is, or as a list scheduler orders it
//! for pressure, in one way or another, whichever needs least.

use crate::analysis::demand::Demand;
use crate::analysis::liveness::Liveness;
use crate::analysis::program_point::ProgramPoint;
use crate::function::{Function, Instruction};
use crate::machine::{File, Machine};
use crate::schedule::{Dependences, Order, Preference, Scheduler};
use cranelift_entity::SecondaryMap;

/// For each instruction how many registers of a file are live at it, its operands
/// included.
pub type Pressure = SecondaryMap<Instruction, u32>;

/// The pressure in two orders of the same instructions.
pub struct Pressures {
    /// In the order that the function is in.
    pub in_order: Pressure,
    /// In the order of each block that needs least.
    pub least: Pressure,
}

/// Finds an order of every block, and the pressure in it. Without the dependences the
/// order stays.
pub fn pressures(
    function: &Function,
    machine: &Machine,
    file: File,
    dependences: Option<&Dependences>,
) -> Pressures {
    let liveness = Liveness::new(function, machine);
    let unchanged = Order::unchanged(function);
    let in_order = measure(function, machine, file, &liveness, &unchanged);
    let mut least = in_order.clone();
    let Some(dependences) = dependences else {
        return Pressures { in_order, least };
    };
    let mut scheduler = Scheduler::new(function, machine, &liveness, dependences);
    let blocks = function.blocks.keys();
    let prepared: Vec<_> = blocks.map(|one| scheduler.prepare(one)).collect();
    for preference in [Preference::Pressure, Preference::Need] {
        let mut order = unchanged.clone();
        for (block, prepared) in function.blocks.keys().zip(&prepared) {
            match scheduler.order(prepared, preference) {
                Some(numbers) => order.set(function, block, &numbers),
                // Too much to look at.
                None => break,
            }
        }
        let reordered = order.apply(function);
        let other = measure(&reordered, machine, file, &liveness, &order);
        for block in function.blocks.keys() {
            let instructions = || function.block_instructions(block);
            let most = |of: &Pressure| instructions().map(|one| of[one]).max();
            if most(&other) < most(&least) {
                for instruction in instructions() {
                    least[instruction] = other[instruction];
                }
            }
        }
    }
    Pressures { in_order, least }
}

/// The pressure in an order.
fn measure(
    function: &Function,
    machine: &Machine,
    file: File,
    liveness: &Liveness,
    order: &Order,
) -> Pressure {
    let demand = Demand::of_function(function, machine, liveness);
    let there = machine.files[file].size as i32;
    let mut pressure = Pressure::new();
    for (place, &instruction) in order.instructions().iter().enumerate() {
        // The demand is that of the order, where instructions are numbered by their place.
        let here = Instruction::from_u32(place as u32);
        let points = ProgramPoint::early(here).index()..ProgramPoint::behind(here).index();
        let points = &demand.excess(file)[points];
        let most = points.iter().copied().max().unwrap_or(-there);
        pressure[instruction] = u32::try_from(most + there).unwrap_or(0);
    }
    pressure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::definitions_first;
    use crate::machine::gpu;

    fn most(function: &Function, dependences: Option<&Dependences>) -> Option<u32> {
        let machine = gpu::machine(gpu::R_SIZE);
        let file = machine.limited_file().expect("R");
        let pressure = pressures(function, &machine, file, dependences).least;
        function.instructions.keys().map(|one| pressure[one]).max()
    }

    #[test]
    fn a_block_is_ordered_for_few_registers() {
        let function = definitions_first(4);
        assert_eq!(most(&function, None), Some(4));
        assert_eq!(most(&function, Some(&Dependences::default())), Some(1));
    }

    #[test]
    fn dependences_are_kept() {
        let function = definitions_first(4);
        let [last, first] = [3, 4].map(Instruction::from_u32);
        let dependences = Dependences::new(&function, vec![(last, first)]);
        let dependences = dependences.expect("a later one depends on an earlier one");
        // v0 and v3 at once: v1 and v2 can wait.
        assert_eq!(most(&function, Some(&dependences)), Some(2));
    }
}
