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
    let most = |most| {
        let chosen = Chosen {
            most,
            rest: Some(function.clone()),
            ..Strategy::Here.into()
        };
        most_accesses(&chosen, &machine, 20, || Some(&order))
    };
    // 20 of 40 values are stored and loaded in that order.
    assert!((50.0..60.0).contains(&most(1000.0)));
    // Where it is very crowded ptxas does no better.
    assert_eq!(most(f64::INFINITY), f64::INFINITY);
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
