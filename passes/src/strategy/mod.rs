//! Who spills: how a GPU's function that needs more registers than it may have comes by
//! fewer.
//!
//! ptxas allocates in the end, whatever PTX says, and it spills where it has to: after it
//! has folded constants, addresses and parameters into operands and has ordered the
//! instructions anew. A peak it flattens in ways that are not seen from here, and every
//! value that we spill for its sake is one too many. So what counts is how much is live on
//! average: as long as that is not far beyond the registers that ptxas does not need for
//! itself, and not many more than there are, the program stays as it is, or gets another order
//! if far less has to be spilled in that ([`better_order`]). Where it is more, no order helps,
//! and the allocator spills better, as it looks at the whole function.
//!
//! How well it does is looked at as well: what takes far more accesses than the fewest that
//! ptxas needs ([`least`]) is left to ptxas after all, which mostly does better there. So is
//! what ptxas would undo in large part ([`forwarded`]), unless that is far less. Both are asked as
//! soon as it is known what would be spilled; where the fewest accesses show it, before that.
//!
//! Requires a validated function. Time: that of liveness. Source: ours, by measurement
//! (docs/spills.md).

mod forwarded;
mod least;
mod parameters;

use crate::analysis::demand::most_live;
use crate::distribute::Distribution;
use crate::function::{Function, OperandFlags};
use crate::machine::{Machine, gpu};
use crate::prediction::expansion::Expansion;
use crate::prediction::meaning::Texts;
use crate::prediction::{Live, live, rest};
use crate::schedule::Order;
use crate::settings::Spills;
use least::{Least, least};
use parameters::PARAMETERS;
use std::cell::OnceCell;
use tracing::debug;

/// What is handed to ptxas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The caller's program.
    AsItIs,
    /// Its instructions in an order that needs fewer registers.
    Reordered,
    /// The caller's program, or that order if it is much better ([`better_order`]).
    Uncrowded,
    /// What the allocator makes of it within the budget.
    Here,
}

/// A strategy, and what it is worth.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Who spills.
    pub strategy: Strategy,
    /// Executed accesses to memory beyond which what the allocator makes is left to ptxas.
    pub most: f64,
    /// The fewest accesses that ptxas needs, if they were counted.
    pub least: Option<f64>,
    /// The function as ptxas allocates it, if that was looked at.
    pub rest: Option<Function>,
    /// The fewest accesses that ptxas needs in another order, once counted.
    in_other_order: OnceCell<(Order, f64)>,
}

impl Chosen {
    /// The fewest accesses that ptxas needs in another order: mostly one is asked about twice.
    fn least_in(&self, order: &Order, count: impl Fn(&Function) -> f64) -> Option<f64> {
        let rest = self.rest.as_ref()?;
        let least = || count(&order.apply(rest));
        let (known, known_least) = self.in_other_order.get_or_init(|| (order.clone(), least()));
        Some(match known == order {
            true => *known_least,
            false => least(),
        })
    }
}

impl From<Strategy> for Chosen {
    fn from(strategy: Strategy) -> Self {
        Self {
            strategy,
            most: f64::INFINITY,
            least: None,
            rest: None,
            in_other_order: OnceCell::new(),
        }
    }
}

/// Chooses for a function that has to keep to so many registers of the R file; `texts` is
/// what its instructions mean to ptxas.
pub fn choose(
    function: &Function,
    machine: &Machine,
    texts: &Texts,
    spills: Spills,
    registers: u32,
) -> Chosen {
    match spills {
        Spills::Here => Strategy::Here.into(),
        Spills::Ptxas => Strategy::Reordered.into(),
        // Values in flight can neither be stored nor make room, and of regions with other
        // numbers of registers the average says nothing; ptxas knows best what it does there.
        Spills::Auto if is_asynchronous(function) => Strategy::AsItIs.into(),
        // ptxas cannot tell slots from variables at places that it does not know, and moves
        // neither past the other.
        Spills::Auto if accesses_much(function, texts) => Strategy::AsItIs.into(),
        Spills::Auto => {
            let mut rest = rest(function, machine, texts);
            let file = machine.limited_file();
            let count =
                |rest: &_| file.map_or_else(Live::default, |file| live(rest, machine, file));
            let mut live = count(&rest);
            if live.most > registers && share_loaded(&mut rest, function, machine) {
                live = count(&rest);
            }
            let live = live.mean;
            debug!(function = function.name, live, registers, "who spills");
            let is_crowded = live >= PARAMETERS.asked(registers);
            // ptxas does worse in most of the others.
            let is_compared = live < PARAMETERS.very_crowded(registers);
            let may_forward = registers >= PARAMETERS.forwarded_registers;
            let least = file
                .filter(|_| is_crowded && (is_compared || may_forward))
                .map(|file| least(&rest, machine, file, registers));
            debug!(function = function.name, ?least, "what is worth it");
            let is_undone = may_forward
                && least.is_some_and(|least| least.forwarded >= PARAMETERS.forwarded_at_best);
            let least = least.filter(|_| is_compared || is_undone);
            let least = least.map(|Least { accesses, .. }| accesses);
            let most = |least| PARAMETERS.most_accesses(least, live, registers);
            Chosen {
                strategy: match is_crowded && !is_undone {
                    true => Strategy::Here,
                    false => Strategy::Uncrowded,
                },
                most: least.map_or(f64::INFINITY, most),
                least,
                rest: Some(rest),
                in_other_order: OnceCell::new(),
            }
        }
    }
}

/// Another order of a function that is not crowded, if ptxas has far less to spill in it. It is
/// asked for only where anything has to be spilled, and only with few registers. Less in small
/// part is not enough: ptxas orders anew itself, the better the more registers there are, and
/// what it makes of two programs that need the same differs. `other` is the order that ptxas may
/// be given, and the one that it finds by itself. `chosen` has the function as ptxas allocates it,
/// with the same instructions.
pub fn better_order<'a>(
    chosen: &Chosen,
    machine: &Machine,
    registers: u32,
    other: impl FnOnce() -> Option<(&'a Order, &'a Order)>,
) -> Option<&'a Order> {
    let part = PARAMETERS.reordered(registers);
    if part == 0.0 {
        return None;
    }
    let rest = chosen.rest.as_ref()?;
    let file = machine.limited_file()?;
    let count = |function: &Function| least(function, machine, file, registers).accesses;
    let before = chosen.least.unwrap_or_else(|| count(rest));
    if before == 0.0 {
        return None;
    }
    let (order, found) = other()?;
    let before = match found == order {
        true => before,
        false => before.min(chosen.least_in(found, count)?),
    };
    if before == 0.0 {
        return None;
    }
    let after = chosen.least_in(order, count)?;
    debug!(function = rest.name, before, after, "another order");
    (after <= before * part).then_some(order)
}

/// Executed accesses to memory beyond which what the allocator makes is left to ptxas. What that
/// needs in an order that it finds by itself, such as `other`, is as good as what it needs in the
/// program's own.
pub fn most_accesses<'a>(
    chosen: &Chosen,
    machine: &Machine,
    registers: u32,
    other: impl FnOnce() -> Option<&'a Order>,
) -> f64 {
    let least = || {
        let file = machine.limited_file().filter(|_| chosen.least.is_some())?;
        let count = |function: &Function| least(function, machine, file, registers).accesses;
        chosen.least_in(other()?, count)
    };
    let least = least();
    debug!(least, "in another order");
    let most = |least: f64| least * f64::from(PARAMETERS.most_percent) / 100.0;
    least.map_or(chosen.most, |least| chosen.most.min(most(least)))
}

/// Whether ptxas undoes what is spilled in a function, at a cost of so many executed accesses. It
/// forwards much of what is reloaded there, and spills again; what it forwards in large part has
/// to be far better than the fewest accesses that it needs by itself, and where it forwards
/// nearly everything nothing is left of spilling.
pub fn is_undone(
    chosen: &Chosen,
    machine: &Machine,
    registers: u32,
    spilled: &Function,
    cost: f64,
) -> bool {
    let (Some(rest), Some(file)) = (&chosen.rest, machine.limited_file()) else {
        return false;
    };
    if registers < PARAMETERS.forwarded_registers {
        return false;
    }
    let part = forwarded::part(spilled);
    if part < PARAMETERS.forwarded {
        return false;
    }
    let count = || least(rest, machine, file, registers).accesses;
    let least = chosen.least.unwrap_or_else(count);
    debug!(function = rest.name, part, least, cost, "forwarded");
    let most = least * f64::from(PARAMETERS.most_percent_forwarded) / 100.0;
    part >= PARAMETERS.mostly_forwarded || cost > most
}

/// Moves what is loaded from one address to uniform registers in the function as ptxas allocates
/// it, if they suffice; says whether anything is. ptxas does so before it spills.
fn share_loaded(rest: &mut Function, function: &Function, machine: &Machine) -> bool {
    let Some(distribution) = Distribution::by_accesses(function, machine) else {
        return false;
    };
    let loaded: Vec<_> = distribution.loaded().collect();
    if loaded.is_empty() {
        return false;
    }
    let before = rest.virtual_registers.clone();
    for (value, class) in loaded {
        rest.virtual_registers[value].class = class;
    }
    let file = gpu::UNIFORM_FILE;
    let suffices = most_live(rest, machine, file) <= machine.files[file].size;
    if !suffices {
        rest.virtual_registers = before;
    }
    suffices
}

/// Whether many of the instructions access the thread's own memory.
fn accesses_much(function: &Function, texts: &Texts) -> bool {
    let expansions = texts.expansions.values();
    let local = expansions.filter(|&&one| one == Some(Expansion::Local));
    let most = function.instructions.len() * PARAMETERS.local_percent as usize / 100;
    local.count() > most
}

/// Whether registers are in flight somewhere, or come and go.
fn is_asynchronous(function: &Function) -> bool {
    let mut operands = function.operands.values();
    let mut instructions = function.instructions.values();
    operands.any(|operand| operand.flags.contains(OperandFlags::IN_FLIGHT))
        || instructions.any(|data| data.thread_registers.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::live_across;
    use crate::function::{FunctionBuilder, InstructionFlags, InstructionKind, Operand, Slot};
    use crate::machine::gpu;

    fn chosen(function: &Function, spills: Spills) -> Strategy {
        let machine = gpu::machine(gpu::R_SIZE);
        choose(function, &machine, &Texts::default(), spills, 20).strategy
    }

    #[test]
    fn what_is_crowded_on_average_is_allocated_here() {
        let crowded = live_across(40, 1000);
        assert_eq!(chosen(&crowded, Spills::Auto), Strategy::Here);
        assert_eq!(chosen(&crowded, Spills::Ptxas), Strategy::Reordered);
        let roomy = live_across(10, 1000);
        assert_eq!(chosen(&roomy, Spills::Auto), Strategy::Uncrowded);
        assert_eq!(chosen(&roomy, Spills::Here), Strategy::Here);
    }

    #[test]
    fn with_many_registers_few_more_than_there_are_suffice() {
        let registers = [8, 32, 48, 64, 128];
        let crowded = registers.map(|registers| PARAMETERS.crowded(registers));
        assert_eq!(crowded[0], 0.0);
        assert!(crowded[1] < 52.0);
        assert_eq!(crowded[3..], [84.0, 148.0]);
        let asked = registers.map(|registers| PARAMETERS.asked(registers));
        assert_eq!(asked[..2], crowded[..2]);
        assert!(asked[2] < crowded[2]);
        assert_eq!(asked[3], 62.08);
        assert_eq!(asked[4], crowded[4]);
    }

    #[test]
    fn what_is_less_crowded_is_spilled_here_if_it_costs_no_more_than_ptxas_needs() {
        let machine = gpu::machine(gpu::R_SIZE);
        let texts = Texts::default();
        let chosen = |values| {
            let function = live_across(values, 1000);
            choose(&function, &machine, &texts, Spills::Auto, 64)
        };
        // Stored and loaded once each.
        let asked = chosen(70);
        assert_eq!(asked.strategy, Strategy::Here);
        assert_eq!(asked.most, 12.0);
        assert!(chosen(100).most > 72.0);
        assert_eq!(chosen(50).strategy, Strategy::Uncrowded);
    }

    #[test]
    fn what_is_loaded_from_one_address_crowds_no_thread() {
        let load = |is_kernel, flags| {
            let mut builder = FunctionBuilder::new("f");
            builder.kernel(is_kernel);
            builder.start_block(1.0, 0, &[]);
            let address = builder.virtual_register(gpu::SINGLE32);
            let path = InstructionFlags::UNIFORM_PATH;
            let plain = InstructionKind::Plain;
            builder.push(plain, path, &[Operand::write(address)], None);
            let mut values: Vec<_> = (0..50)
                .map(|_| builder.virtual_register(gpu::SINGLE32))
                .collect();
            for &value in &values[..40] {
                let operands = [Operand::write(value), Operand::read(address)];
                builder.push(plain, flags, &operands, None);
            }
            for &value in &values[40..] {
                builder.plain(&[Operand::write(value)]);
            }
            for _ in 0..1000 {
                builder.plain(&[]);
            }
            values.push(address);
            for value in values {
                let reads = InstructionFlags::UNIFORM_SOURCE;
                builder.push(plain, reads, &[Operand::read(value)], None);
            }
            chosen(&builder.finish(), Spills::Auto)
        };
        let shared = InstructionFlags::UNIFORM_LOAD;
        assert_eq!(load(true, shared), Strategy::Uncrowded);
        assert_eq!(load(true, InstructionFlags::empty()), Strategy::Here);
        assert_eq!(load(false, shared), Strategy::Here);
    }

    #[test]
    fn what_costs_far_more_than_ptxas_needs_is_not_worth_it() {
        let machine = gpu::machine(gpu::R_SIZE);
        let texts = Texts::default();
        let most = |function: &Function| choose(function, &machine, &texts, Spills::Auto, 20).most;
        let worth = |values, cost| cost <= most(&live_across(values, 1000));
        // ptxas keeps 20 of 40 values in registers; the others are stored and loaded.
        assert!(worth(40, 50.0));
        assert!(!worth(40, 60.0));
        // Where it is very crowded ptxas does no better.
        assert!(worth(80, 1000.0));
    }

    /// Whether 40 accesses are undone where ptxas needs so many, if it forwards so many of ten
    /// reloads within so many registers: others are in the block of the store.
    fn is_undone_with(least: f64, forwarded: u32, registers: u32) -> bool {
        let machine = gpu::machine(gpu::R_SIZE);
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        let push = |builder: &mut FunctionBuilder, kind, operand| {
            builder.push(kind, InstructionFlags::empty(), &[operand], None);
        };
        for is_forwarded in [false, true] {
            builder.start_block(1.0, 0, &[]);
            builder.plain(&[Operand::write(value)]);
            for number in 0..10 {
                let slot = Slot::from_u32(number);
                if !is_forwarded {
                    push(
                        &mut builder,
                        InstructionKind::Store(slot),
                        Operand::read(value),
                    );
                }
                if is_forwarded == (number < forwarded) {
                    push(
                        &mut builder,
                        InstructionKind::Reload(slot),
                        Operand::write(value),
                    );
                }
            }
        }
        let function = builder.finish();
        let chosen = Chosen {
            least: Some(least),
            rest: Some(function.clone()),
            ..Strategy::Here.into()
        };
        is_undone(&chosen, &machine, registers, &function, 40.0)
    }

    #[test]
    fn what_ptxas_forwards_is_undone_unless_it_is_better_than_its_own() {
        assert!(!is_undone_with(30.0, 5, 64));
        assert!(is_undone_with(70.0, 7, 64));
        assert!(!is_undone_with(90.0, 7, 64));
        // Nothing is left of spilling.
        assert!(is_undone_with(90.0, 10, 64));
        // There are no registers to forward it in.
        assert!(!is_undone_with(30.0, 10, 32));
    }

    #[test]
    fn what_would_be_forwarded_at_best_is_left() {
        let chosen = |registers, is_parted| {
            let machine = gpu::machine(gpu::R_SIZE);
            let mut builder = FunctionBuilder::new("f");
            let values = [(); 120].map(|()| builder.virtual_register(gpu::SINGLE32));
            let first = builder.start_block(1.0, 0, &[]);
            for value in values {
                builder.plain(&[Operand::write(value)]);
            }
            for _ in 0..1000 {
                builder.plain(&[]);
            }
            if is_parted {
                let second = builder.start_block(1.0, 0, &[]);
                builder.edge(first, second);
            }
            for value in values {
                builder.plain(&[Operand::read(value)]);
            }
            let texts = Texts::default();
            choose(&builder.finish(), &machine, &texts, Spills::Auto, registers).strategy
        };
        assert_eq!(chosen(64, true), Strategy::Uncrowded);
        assert_eq!(chosen(64, false), Strategy::Here);
        assert_eq!(chosen(32, true), Strategy::Here);
    }

    #[test]
    fn what_another_order_needs_not_is_not_worth_it() {
        let machine = gpu::machine(gpu::R_SIZE);
        let function = live_across(40, 1000);
        let order = Order::unchanged(&function);
        let most = |least| {
            let chosen = Chosen {
                least,
                rest: Some(function.clone()),
                ..Strategy::Here.into()
            };
            most_accesses(&chosen, &machine, 20, || Some(&order))
        };
        // 20 of 40 values are stored and loaded in that order.
        assert!((50.0..60.0).contains(&most(Some(1000.0))));
        // Where it is very crowded ptxas does no better.
        assert_eq!(most(None), f64::INFINITY);
    }

    #[test]
    fn what_mostly_accesses_local_memory_is_left_to_ptxas() {
        let machine = gpu::machine(gpu::R_SIZE);
        let function = live_across(40, 1000);
        let mut texts = Texts::default();
        for instruction in function.instructions.keys().take(100) {
            texts.expansions[instruction] = Some(Expansion::Local);
        }
        let chosen = choose(&function, &machine, &texts, Spills::Auto, 20).strategy;
        assert_eq!(chosen, Strategy::AsItIs);
    }

    #[test]
    fn a_peak_is_left_to_ptxas() {
        assert_eq!(
            chosen(&live_across(30, 0), Spills::Auto),
            Strategy::Uncrowded
        );
    }

    /// Whether ptxas gets another order of a peak of so many values, in which the first of them
    /// are read at once, within so many registers.
    fn is_reordered(values: u32, first: u32, registers: u32) -> bool {
        let machine = gpu::machine(gpu::R_SIZE);
        let function = live_across(values, 0);
        let mut order = Order::unchanged(&function);
        let (early, late): (Vec<u32>, Vec<u32>) = (0..values).partition(|&number| number < first);
        let writes_and_reads = |number: u32| [number, values + number];
        let numbers: Vec<u32> = early
            .into_iter()
            .flat_map(writes_and_reads)
            .chain(late.iter().copied())
            .chain(late.iter().map(|number| values + number))
            .collect();
        let block = function.blocks.keys().next().expect("it has one");
        order.set(&function, block, &numbers);
        let chosen = Chosen {
            rest: Some(function.clone()),
            ..Strategy::Uncrowded.into()
        };
        better_order(&chosen, &machine, registers, || Some((&order, &order))).is_some()
    }

    #[test]
    fn another_order_is_given_to_ptxas_where_it_has_far_less_to_spill() {
        assert!(is_reordered(30, 20, 20));
        assert!(is_reordered(30, 5, 20));
        // Eight values instead of ten.
        assert!(!is_reordered(30, 2, 20));
    }

    #[test]
    fn the_more_registers_the_more_another_order_has_to_save() {
        // Half of what is spilled.
        assert!(is_reordered(42, 5, 32));
        assert!(!is_reordered(74, 5, 64));
        // All of it.
        assert!(is_reordered(74, 40, 64));
        assert!(is_reordered(97, 60, 87));
        assert!(!is_reordered(98, 60, 88));
        let parts = [16, 32, 48, 64, 88, 128].map(|registers| PARAMETERS.reordered(registers));
        assert_eq!(parts, [0.7, 0.7, 0.5, 0.3, 0.0, 0.0]);
    }

    #[test]
    fn what_fits_is_not_reordered() {
        assert!(!is_reordered(30, 30, 30));
    }

    #[test]
    fn so_is_what_has_registers_in_flight() {
        let mut function = live_across(40, 1000);
        let last = function.operands.keys().next_back().expect("it reads");
        function.operands[last].flags |= OperandFlags::IN_FLIGHT;
        assert_eq!(chosen(&function, Spills::Auto), Strategy::AsItIs);
    }

    #[test]
    fn and_what_changes_the_number_of_registers() {
        let mut function = live_across(40, 1000);
        let first = function.instructions.values_mut().next();
        first.expect("it writes").thread_registers = Some(232);
        assert_eq!(chosen(&function, Spills::Auto), Strategy::AsItIs);
    }
}
