use super::list::{Preference, Prepared, Scheduler, top_down};
use super::*;
use crate::allocation::Allocation;
use crate::budget::asked;
use crate::error::Error;
use crate::function::examples::definitions_first;
use crate::function::{FunctionBuilder, Instruction, Operand, VirtualRegister};
use crate::machine::gpu;
use crate::search::{Found, Search, Worth, roomier_orders};
use crate::settings::Settings;

fn pairs(function: &Function, pairs: &[(u32, u32)]) -> Dependences {
    let number = Instruction::from_u32;
    let pairs = pairs.iter().map(|&(a, b)| (number(a), number(b)));
    Dependences::new(function, pairs.collect()).expect("pairs in order")
}

fn limit(registers: u32) -> Settings {
    Settings {
        pressure_limit: Some(registers),
        verify: true,
        ..Settings::default()
    }
}

/// The cheapest allocation in either order.
fn found(
    function: &Function,
    settings: &Settings,
    dependences: &Dependences,
) -> Result<Found, Error> {
    let machine = gpu::machine(255);
    let budget = asked(&machine, settings);
    let budget = budget.as_ref();
    let orders = roomier_orders(function, &machine, settings, budget, Some(dependences));
    let search = Search {
        function,
        machine: &machine,
        settings,
        budget,
        shared_space: None,
        orders: orders.as_ref(),
        worth: Worth::default(),
    };
    search.run()
}

fn cheaper(
    function: &Function,
    registers: u32,
    dependences: &Dependences,
) -> Option<(Allocation, Order, Function)> {
    let found = found(function, &limit(registers), dependences).expect("all is right");
    let (order, function) = found.reordered?;
    Some((found.allocation, order, function))
}

#[test]
fn uses_move_up_to_their_loads() {
    let function = definitions_first(6);
    let found = cheaper(&function, 3, &Dependences::default());
    let (allocation, order, _) = found.expect("another order");
    assert_eq!(allocation.statistics.spill_cost, 0.0);
    let numbers: Vec<_> = order
        .instructions()
        .iter()
        .map(|one| one.as_u32())
        .collect();
    // As far up as need be.
    assert_eq!(numbers, [0, 1, 6, 2, 7, 3, 8, 4, 9, 5, 10, 11]);
}

#[test]
fn what_fits_stays_in_order() {
    assert!(cheaper(&definitions_first(6), 6, &Dependences::default()).is_none());
}

#[test]
fn pairs_stay_in_order() {
    let function = definitions_first(6);
    // The first use comes behind all loads, and all uses behind the first.
    let mut kept: Vec<_> = (0..6).map(|load| (load, 6)).collect();
    kept.extend((7..12).map(|read| (6, read)));
    assert!(cheaper(&function, 2, &pairs(&function, &kept)).is_none());
    // The others can move.
    let found = cheaper(&function, 2, &pairs(&function, &[(5, 6)]));
    let (_, order, _) = found.expect("another order");
    let place = |number| {
        let mut order = order.instructions().iter();
        order.position(|one| one.as_u32() == number)
    };
    assert!(place(5) < place(6));
}

/// Every order that comes out keeps every pair of instructions that name one register,
/// at least one of them as a definition.
#[test]
fn registers_are_written_and_read_in_order() {
    let mut builder = FunctionBuilder::new("f");
    let [a, b, c] = [(); 3].map(|()| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(a)]);
    builder.plain(&[Operand::write(b), Operand::read(a)]);
    builder.plain(&[Operand::write(a)]);
    builder.plain(&[Operand::write(c), Operand::read(a), Operand::read(b)]);
    builder.plain(&[Operand::write(a), Operand::read(c)]);
    builder.plain(&[Operand::read(a), Operand::read(b)]);
    let function = builder.finish();
    let machine = gpu::machine(255);
    let liveness = Liveness::new(&function, &machine);
    let none = Dependences::default();
    let mut scheduler = Scheduler::new(&function, &machine, &liveness, &none);
    for preference in Preference::ALL {
        let block = scheduler.prepare(crate::function::Block::from_u32(0));
        let order = scheduler.order(&block, preference);
        assert_eq!(order, Some(vec![0, 1, 2, 3, 4, 5]));
        assert_eq!(top_down::order(&block), [0, 1, 2, 3, 4, 5]);
    }
}

#[test]
fn pairs_of_different_blocks_are_refused() {
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[]);
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[]);
    let function = builder.finish();
    let number = Instruction::from_u32;
    for wrong in [
        (number(0), number(1)),
        (number(1), number(0)),
        (number(0), number(2)),
    ] {
        assert_eq!(Dependences::new(&function, vec![wrong]), Err(wrong));
    }
}

/// Steps that are done with all of six values, one step after the other, are done with one value
/// after the other: of three registers, each value then takes one once, not for each step.
#[test]
fn values_are_worked_on_one_after_the_other() {
    const VALUES: u32 = 6;
    const STEPS: u32 = 3;
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    let mut values: Vec<_> = (0..VALUES)
        .map(|_| builder.virtual_register(gpu::SINGLE32))
        .collect();
    for &value in &values {
        builder.plain(&[Operand::write(value)]);
    }
    let begin = builder.plain(&[]).as_u32();
    for _ in 0..STEPS {
        for value in &mut values {
            let next = builder.virtual_register(gpu::SINGLE32);
            builder.plain(&[Operand::write(next), Operand::read(*value)]);
            *value = next;
        }
    }
    let end = builder.plain(&[]).as_u32();
    for &value in &values {
        builder.plain(&[Operand::read(value)]);
    }
    let function = builder.finish();
    let around = |barrier: u32| {
        let others = function.instructions.keys().map(|one| one.as_u32());
        let others = others.filter(move |&other| other != barrier);
        others.map(move |other| (other.min(barrier), other.max(barrier)))
    };
    let all: Vec<_> = around(begin).chain(around(end)).collect();
    let dependences = pairs(&function, &all);
    let found = RoomierOrders::new(&function, Cow::Owned(gpu::machine(3)), &dependences)
        .of(Recipient::Ptxas);
    let (order, _) = found.expect("another order");
    let steps = &order.instructions()[begin as usize + 1..end as usize];
    for of_one in steps.chunks(STEPS as usize) {
        let same = |one: &Instruction| (one.as_u32() - of_one[0].as_u32()).is_multiple_of(VALUES);
        assert!(of_one.iter().all(same), "{steps:?}");
    }
}

/// A product of two matrices, one value of each sum after the other: all values of both are
/// loaded first. They are loaded when they are needed, each once, with all sums in registers.
#[test]
fn all_sums_of_a_product_go_on_together() {
    const SIDE: usize = 4;
    const STEPS: usize = 8;
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    let mut values = |count: usize| -> Vec<_> {
        let one = |_| builder.virtual_register(gpu::SINGLE32);
        (0..count).map(one).collect()
    };
    let (rows, columns) = (values(SIDE * STEPS), values(SIDE * STEPS));
    let mut sums = values(SIDE * SIDE);
    let next = values(SIDE * SIDE * STEPS);
    for &sum in &sums {
        builder.plain(&[Operand::write(sum)]);
    }
    for step in 0..STEPS {
        for matrix in [&rows, &columns] {
            let loaded = &matrix[step * SIDE..][..SIDE];
            let loaded: Vec<_> = loaded.iter().map(|&one| Operand::write(one)).collect();
            builder.plain(&loaded);
        }
    }
    let mut next = next.into_iter();
    for (number, sum) in sums.iter_mut().enumerate() {
        let (row, column) = (number / SIDE, number % SIDE);
        for step in 0..STEPS {
            let (row, column) = (rows[step * SIDE + row], columns[step * SIDE + column]);
            let new = next.next().expect("one for each");
            let read = [row, column, *sum].map(Operand::read);
            builder.plain(&[Operand::write(new), read[0], read[1], read[2]]);
            *sum = new;
        }
    }
    for pair in sums.chunks(2) {
        let read: Vec<_> = pair.iter().map(|&one| Operand::read(one)).collect();
        builder.plain(&read);
    }
    let function = builder.finish();
    let registers = (SIDE * SIDE + 2 * SIDE + 1) as u32;
    let found = cheaper(&function, registers, &Dependences::default());
    let (allocation, ..) = found.expect("another order");
    assert_eq!(allocation.statistics.spill_cost, 0.0);
}

/// Sums of products with shared factors, one sum after the other behind all loads, the last loads
/// first: computed side by side, each factor ends before the next one is loaded.
#[test]
fn sums_that_share_factors_go_on_side_by_side() {
    const SUMS: usize = 6;
    const STEPS: usize = 24;
    let mut builder = FunctionBuilder::new("f");
    let mut values = |count: usize| -> Vec<_> {
        let values = (0..count).map(|_| builder.virtual_register(gpu::SINGLE32));
        values.collect()
    };
    let base = values(1)[0];
    let (weights, inputs) = (values(STEPS), values(STEPS + SUMS));
    let sums: Vec<_> = (0..SUMS).map(|_| values(STEPS)).collect();
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(base)]);
    for &loaded in weights.iter().chain(&inputs).rev() {
        builder.plain(&[Operand::write(loaded), Operand::read(base)]);
    }
    for (first, sums) in sums.iter().enumerate() {
        for step in 0..STEPS {
            let factors = [weights[step], inputs[first + step]].map(Operand::read);
            let mut operands = vec![Operand::write(sums[step]), factors[0], factors[1]];
            operands.extend(step.checked_sub(1).map(|last| Operand::read(sums[last])));
            builder.plain(&operands);
        }
    }
    for sums in &sums {
        builder.plain(&[Operand::read(sums[STEPS - 1])]);
    }
    let function = builder.finish();
    // The sums, a weight, the inputs of a step, and the address.
    let machine = gpu::machine((SUMS + 1 + SUMS + 1) as u32);
    // Within few registers the caller's order is kept for a few instructions only.
    let side_by_side = [Preference::Order, Preference::Level, Preference::Breadth];
    with_block(&function, &machine, |scheduler, prepared, costs| {
        check_is_free(scheduler, prepared, costs, &side_by_side);
        assert_ne!(costs.of(&top_down::order(prepared)), Cost::default());
    });
}

/// Runs `check` on the only block of a function in which any order will do.
fn with_block(
    function: &Function,
    machine: &Machine,
    check: impl FnOnce(&mut Scheduler, &Prepared, &Costs),
) {
    let liveness = Liveness::new(function, machine);
    let none = Dependences::default();
    let mut scheduler = Scheduler::new(function, machine, &liveness, &none);
    let block = function.blocks.keys().next().expect("it has one");
    let prepared = scheduler.prepare(block);
    check(&mut scheduler, &prepared, &Costs::new(&prepared, machine));
}

/// Checks that these ways to order a block cost nothing, and no others.
fn check_is_free(
    scheduler: &mut Scheduler,
    prepared: &Prepared,
    costs: &Costs,
    free: &[Preference],
) {
    for preference in Preference::ALL {
        let order = scheduler.order(prepared, preference).expect("little");
        let is_free = costs.of(&order) == Cost::default();
        assert_eq!(is_free, free.contains(&preference), "{preference:?}");
    }
}

/// Sums of products, with factors that are computed of one word for each step: a dot product with
/// numbers of 8 bits and a scale. All factors come first. Nothing has to be spilled where all sums
/// take one step before the next. That order ptxas finds by itself.
#[test]
fn sums_with_factors_of_one_word_go_on_step_by_step() {
    const SUMS: usize = 4;
    const STEPS: usize = 8;
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    let [address, total] = [(); 2].map(|()| builder.virtual_register(gpu::SINGLE32));
    builder.plain(&[Operand::write(address)]);
    let mut op = |reads: &[VirtualRegister]| {
        let value = builder.virtual_register(gpu::SINGLE32);
        let reads = reads.iter().map(|&one| Operand::read(one));
        let operands: Vec<_> = [Operand::write(value)].into_iter().chain(reads).collect();
        builder.plain(&operands);
        value
    };
    let factors = [(); STEPS].map(|()| {
        let [word, scale] = [(); 2].map(|()| op(&[address]));
        [(); SUMS].map(|()| {
            let part = op(&[word]);
            op(&[part, scale])
        })
    });
    let mut sums = [(); SUMS].map(|()| op(&[]));
    for factors in factors {
        for (sum, factor) in sums.iter_mut().zip(factors) {
            let other = op(&[address]);
            *sum = op(&[*sum, factor, other]);
        }
    }
    let sums = sums.map(Operand::read);
    let operands: Vec<_> = [Operand::write(total)].into_iter().chain(sums).collect();
    builder.plain(&operands);
    builder.plain(&[Operand::read(total)]);
    let function = builder.finish();
    // The sums, a word and its scale, two factors, and the address.
    let machine = gpu::machine((SUMS + 2 + 2 + 1) as u32);
    let none = Dependences::default();
    let orders = RoomierOrders::new(&function, Cow::Borrowed(&machine), &none);
    with_block(&function, &machine, |scheduler, prepared, costs| {
        check_is_free(scheduler, prepared, costs, &[Preference::Breadth]);
        let cost = |order: &Order| {
            let numbers = order.instructions().iter().map(|one| one.as_u32());
            let numbers: Vec<u32> = numbers.take(prepared.unchanged().len()).collect();
            costs.of(&numbers)
        };
        assert_eq!(orders.for_allocator().map(cost), Some(Cost::default()));
        assert_eq!(orders.by_ptxas().map(cost), Some(Cost::default()));
        assert!(orders.for_ptxas().is_none_or(|one| !cost(one).is_free()));
    });
}

/// Every order that comes out has all instructions once, and keeps every pair: of random
/// instructions, which read and write a few values again and again.
#[test]
fn orders_keep_all_instructions_and_pairs() {
    const COUNT: u32 = 60;
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..40 {
        let mut builder = FunctionBuilder::new("f");
        let values: Vec<_> = (0..30)
            .map(|_| builder.virtual_register(gpu::SINGLE32))
            .collect();
        let entry = builder.start_block(1.0, 0, &[]);
        for &value in &values {
            builder.plain(&[Operand::write(value)]);
        }
        let body = builder.start_block(10.0, 1, &[]);
        builder.edge(entry, body);
        for _ in 0..COUNT {
            let mut value = || values[random.usize(..30)];
            let operands = [value(), value()].map(Operand::read);
            builder.plain(&[Operand::write(value()), operands[0], operands[1]]);
        }
        let exit = builder.start_block(1.0, 0, &[]);
        builder.edge(body, exit);
        builder.edge(body, body);
        for &value in &values[..10] {
            builder.plain(&[Operand::read(value)]);
        }
        let function = builder.finish();
        let start = function.blocks[body].instructions.start;
        let kept: Vec<_> = (0..10)
            .map(|_| {
                let first = random.u32(..COUNT - 1);
                (start + first, start + random.u32(first + 1..COUNT))
            })
            .collect();
        let dependences = pairs(&function, &kept);
        let machine = gpu::machine(255);
        let liveness = Liveness::new(&function, &machine);
        let mut scheduler = Scheduler::new(&function, &machine, &liveness, &dependences);
        let prepared = scheduler.prepare(body);
        let upwards = Preference::ALL.map(|one| scheduler.order(&prepared, one));
        let mut orders: Vec<_> = upwards.map(|one| one.expect("not too much")).into();
        orders.push(top_down::order(&prepared));
        for order in orders {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, prepared.unchanged());
            let place = |number: u32| order.iter().position(|&one| one == number);
            for &(first, second) in &kept {
                assert!(place(first - start) < place(second - start), "{order:?}");
            }
            for second in 0..COUNT {
                for first in 0..second {
                    let names = |number: u32| {
                        function.instruction_operands(Instruction::from_u32(start + number))
                    };
                    let clash = names(first).iter().any(|one| {
                        names(second).iter().any(|other| {
                            one.virtual_register() == other.virtual_register()
                                && (one.is_definition() || other.is_definition())
                        })
                    });
                    assert!(!clash || place(first) < place(second), "{order:?}");
                }
            }
        }
    }
}

/// Going down, the reader of what became live last comes before other instructions where nothing
/// ends, as what is live behind the block does not.
#[test]
fn going_down_the_latest_value_is_read_first() {
    let mut builder = FunctionBuilder::new("f");
    let [base, a, b, c, d] = [(); 5].map(|()| builder.virtual_register(gpu::SINGLE32));
    let entry = builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(base)]);
    let body = builder.start_block(1.0, 0, &[]);
    builder.edge(entry, body);
    builder.plain(&[Operand::write(a), Operand::read(base)]);
    builder.plain(&[Operand::write(b), Operand::read(base)]);
    builder.plain(&[Operand::write(c), Operand::read(b)]);
    builder.plain(&[Operand::write(d), Operand::read(a)]);
    let exit = builder.start_block(1.0, 0, &[]);
    builder.edge(body, exit);
    builder.plain(&[base, a, b, c, d].map(Operand::read));
    let function = builder.finish();
    let machine = gpu::machine(255);
    let liveness = Liveness::new(&function, &machine);
    let none = Dependences::default();
    let scheduler = Scheduler::new(&function, &machine, &liveness, &none);
    assert_eq!(top_down::order(&scheduler.prepare(body)), [0, 3, 1, 2]);
}
