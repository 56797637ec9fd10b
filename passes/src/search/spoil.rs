//! For tests: completed allocations are counted, and one of them is made wrong.
//!
//! The driver completes several for one function and keeps the cheapest. Whichever of them
//! is wrong, `-verify-regalloc` has to end with an error: the others may hide it today.

use crate::allocation::{Allocation, Location};
use std::cell::Cell;

thread_local! {
    static COMPLETED: Cell<u32> = const { Cell::new(0) };
    static SPOILT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Starts to count anew; the allocation of this number is to be made wrong.
pub fn spoil(number: Option<u32>) {
    COMPLETED.set(0);
    SPOILT.set(number);
}

/// Allocations completed since.
pub fn completed() -> u32 {
    COMPLETED.get()
}

/// Counts a completed allocation. Made wrong, it has one register for all values of a class.
pub(super) fn add(allocation: &mut Allocation) {
    let number = COMPLETED.replace(COMPLETED.get() + 1);
    if SPOILT.get() != Some(number) {
        return;
    }
    let first = allocation
        .locations
        .values()
        .find_map(|location| match location {
            Location::Register(register) => Some(*register),
            _ => None,
        });
    for location in allocation.locations.values_mut() {
        if let (Location::Register(register), Some(first)) = (location, first) {
            *register = first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::asked;
    use crate::error::Error;
    use crate::frame::shared_space::SharedSpace;
    use crate::function::examples::definitions_first;
    use crate::function::{Function, FunctionBuilder, Operand};
    use crate::machine::gpu;
    use crate::schedule::Dependences;
    use crate::search::{Search, Worth, roomier_orders};
    use crate::settings::Settings;

    /// Nine predicates live at once, and so many values beside them.
    fn predicates_and_values(values: u32) -> Function {
        let mut builder = FunctionBuilder::new("f");
        let mut live = Vec::new();
        for (class, count) in [(gpu::SINGLE32, values), (gpu::PREDICATE, 9)] {
            live.extend((0..count).map(|_| builder.virtual_register(class)));
        }
        builder.start_block(1.0, 0, &[]);
        for &value in &live {
            builder.plain(&[Operand::write(value)]);
        }
        for &value in &live {
            builder.plain(&[Operand::read(value)]);
        }
        builder.finish()
    }

    /// Whole budget, what a reserve leaves, packed predicates, shared memory, another order.
    #[test]
    fn every_completed_allocation_is_checked() {
        let machine = gpu::machine(gpu::R_SIZE);
        let shared = SharedSpace {
            bytes: 1 << 10,
            threads: 32,
            is_scaled: false,
        };
        let none = Dependences::default();
        // The other order is tried alone.
        for (function, registers, spill_reserve, shared_space, dependences, ways) in [
            (predicates_and_values(41), 40, 4, None, None, 2),
            (predicates_and_values(6), 5, 0, None, None, 2),
            (predicates_and_values(12), 8, 0, Some(shared), None, 2),
            (definitions_first(6), 3, 0, None, Some(&none), 1),
        ] {
            let settings = Settings {
                pressure_limit: Some(registers),
                spill_reserve,
                verify: true,
                ..Settings::default()
            };
            let run = |settings: &Settings| {
                let budget = asked(&machine, settings);
                let budget = budget.as_ref();
                let orders = roomier_orders(&function, &machine, settings, budget, dependences);
                let search = Search {
                    function: &function,
                    machine: &machine,
                    settings,
                    budget,
                    shared_space,
                    orders: orders.as_ref(),
                    worth: Worth::default(),
                };
                search.run().map(|_| ())
            };
            spoil(None);
            run(&settings).expect("an allocation");
            let count = completed();
            assert!(count >= ways, "{count} tried with {registers} registers");
            for number in 0..count {
                spoil(Some(number));
                let is_told = matches!(run(&settings), Err(Error::Wrong(_)));
                assert!(is_told, "number {number} of {count}, {registers} registers");
                spoil(Some(number));
                let unchecked = Settings {
                    verify: false,
                    ..settings.clone()
                };
                assert!(run(&unchecked).is_ok());
            }
            spoil(None);
        }
    }
}
