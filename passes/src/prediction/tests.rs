use super::callees::Functions;
use super::calls::Callee;
use super::expansion::Expansion;
use super::*;
use crate::function::examples::live_across;
use crate::function::{FunctionBuilder, Instruction, InstructionFlags, Operand, VirtualRegister};
use crate::machine::gpu;

fn setting(texts: &Texts) -> Setting<'_> {
    Setting {
        texts,
        asked: None,
        most: None,
        sm: 90,
        moves_registers: false,
        counts_calls: true,
    }
}

/// A function that defines values and then reads all of them at once, and the instruction
/// that reads them.
fn all_at_once(values: usize) -> (Function, Instruction) {
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    let values: Vec<VirtualRegister> = (0..values)
        .map(|_| builder.virtual_register(gpu::SINGLE32))
        .collect();
    for &value in &values {
        builder.plain(&[Operand::write(value)]);
    }
    let reads: Vec<Operand> = values.iter().map(|&value| Operand::read(value)).collect();
    let reader = builder.plain(&reads);
    (builder.finish(), reader)
}

fn registers(function: &Function, setting: &Setting) -> u32 {
    let machine = gpu::machine(gpu::R_SIZE);
    let found = expected(function, &machine, setting);
    found.expect("a GPU").own
}

fn predicted(values: usize) -> u32 {
    let (function, _) = all_at_once(values);
    registers(&function, &setting(&Texts::default()))
}

/// What is taken by a function that reads so many values at once, if its measures are changed.
fn taken_if(values: usize, asked: Option<u32>, change: impl FnOnce(&mut Measures)) -> u32 {
    let (function, _) = all_at_once(values);
    let texts = Texts::default();
    let machine = gpu::machine(gpu::R_SIZE);
    let file = machine.limited_file().expect("R");
    let mut measures = Measures::new(&function, &machine, file, &texts);
    change(&mut measures);
    let setting = Setting {
        asked,
        ..setting(&texts)
    };
    taken(&measures, &setting)
}

#[test]
fn nothing_lives_in_an_empty_kernel() {
    assert_eq!(predicted(0), EMPTY);
}

#[test]
fn what_fits_costs_no_warp_and_is_even_where_it_is_little() {
    let few = predicted(6);
    assert!(few > 6 && few.is_multiple_of(2), "{few}");
    assert!(predicted(12) > few);
    let busy = taken_if(10, None, |measures| {
        measures.named = 100;
        measures.instructions = 1 << 20;
    });
    assert_eq!(busy, ALL_WARPS);
}

#[test]
fn more_than_that_is_what_lives_and_a_reserve() {
    let (much, more) = (predicted(80), predicted(120));
    assert!(much > 80 && more > much + 30, "{much} {more}");
    assert_eq!(predicted(300), gpu::R_SIZE);
}

#[test]
fn an_expansion_adds_to_what_fits() {
    let (function, reader) = all_at_once(6);
    let mut texts = Texts::default();
    let without = registers(&function, &setting(&texts));
    texts.expansions[reader] = Some(Expansion::DivisionDouble);
    assert!(registers(&function, &setting(&texts)) > without);
}

#[test]
fn a_subroutine_has_registers_of_its_own() {
    let divided = |values| {
        let (function, reader) = all_at_once(values);
        let mut texts = Texts::default();
        let without = registers(&function, &setting(&texts));
        texts.expansions[reader] = Some(Expansion::DivisionDouble);
        registers(&function, &setting(&texts)) - without
    };
    assert!(divided(2) > divided(SMALL.subroutine as usize));
}

#[test]
fn loads_are_together_where_registers_cost_little() {
    let with = |values, loads, asked| taken_if(values, asked, |measures| measures.loads = loads);
    let fits = |loads| with(6, loads, None);
    assert!(fits(SMALL.most_loads) > fits(0));
    assert_eq!(fits(SMALL.most_loads), fits(100));
    let many = |loads, asked| with(60, loads, asked);
    assert_eq!(many(40, None), many(0, None));
    assert_eq!(many(40, Some(PLENTY)), many(0, None));
    assert!(many(40, Some(gpu::R_SIZE)) >= many(0, None) + 20);
}

#[test]
fn older_gpus_leave_less_to_the_uniform_path() {
    let (function, _) = all_at_once(100);
    let texts = Texts::default();
    let older = Setting {
        sm: 80,
        ..setting(&texts)
    };
    assert!(registers(&function, &older) > registers(&function, &setting(&texts)));
}

#[test]
fn there_are_only_so_many() {
    let (function, _) = all_at_once(10);
    let texts = Texts::default();
    let found = expected(&function, &gpu::machine(3), &setting(&texts));
    assert_eq!(found.map(|one| one.own), Some(3));
    let (function, _) = all_at_once(200);
    let large_block = Setting {
        most: Some(64),
        ..setting(&texts)
    };
    assert_eq!(registers(&function, &large_block), 64);
}

#[test]
fn no_more_than_leaves_room_for_the_blocks_that_are_asked_for() {
    let (function, _) = all_at_once(200);
    let texts = Texts::default();
    let with = |asked| {
        let setting = Setting {
            asked,
            ..setting(&texts)
        };
        registers(&function, &setting)
    };
    assert!(with(None) > 200);
    assert_eq!(with(Some(168)), 168);
    assert_eq!(with(Some(255)), with(None));
}

#[test]
fn who_moves_registers_begins_with_all_of_them() {
    let (function, _) = all_at_once(10);
    let texts = Texts::default();
    let moving = Setting {
        moves_registers: true,
        most: Some(168),
        ..setting(&texts)
    };
    assert_eq!(registers(&function, &moving), 168);
}

#[test]
fn who_asks_for_blocks_has_loads_of_all_copies_together() {
    let with = |asked| taken_if(10, asked, |measures| measures.unrolled = Some(70));
    assert!(with(Some(24)) < ALL_WARPS);
    assert_eq!(with(Some(24)), taken_if(10, Some(24), |_| ()));
    assert_eq!(with(Some(255)), 70 + BESIDE_COPIES);
    assert_eq!(with(Some(64)), 64);
}

#[test]
fn copies_of_a_loop_take_some_registers_that_cost_nothing() {
    let with = |unrolled| taken_if(10, None, |measures| measures.unrolled = unrolled);
    assert_eq!(with(Some(10)), with(None));
    assert!(with(Some(70)) > with(None) && with(Some(70)) < ALL_WARPS);
    assert_eq!(with(Some(700)), with(Some(70)));
}

#[test]
fn what_is_called_counts_as_far_as_the_launch_bounds_go() {
    let (mut function, last) = all_at_once(10);
    function.instructions[last].flags |= InstructionFlags::TERMINATOR;
    let mut texts = Texts::default();
    texts.calls.callees[Instruction::from_u32(0)] = Some(Callee::Named("f".to_owned()));
    let machine = gpu::machine(gpu::R_SIZE);
    let with = |needed, most, moves_registers| {
        let setting = Setting {
            most,
            moves_registers,
            ..setting(&texts)
        };
        let found = expected(&function, &machine, &setting).expect("a GPU");
        let callee = Expected {
            own: needed,
            calls: Calls::default(),
            ..found.clone()
        };
        let mut functions = Functions::default();
        functions.add("f", callee);
        (functions.reached(&found).registers, found.own)
    };
    let (registers, own) = with(0, Some(128), false);
    assert_eq!(registers, own);
    assert!((64..80).contains(&with(64, Some(128), false).0));
    assert_eq!(with(200, Some(128), false).0, 128);
    assert_eq!(with(200, Some(168), true).0, 168);
}

#[test]
fn what_lives_across_a_call_is_known_of_every_call() {
    let live = 60;
    let mut function = live_across(live, 1);
    let last = function.instructions.keys().next_back();
    let flags = &mut function.instructions[last.expect("an instruction")].flags;
    *flags |= InstructionFlags::TERMINATOR;
    let mut texts = Texts::default();
    texts.calls.callees[Instruction::from_u32(live)] = Some(Callee::System);
    let found = |counts_calls| {
        let setting = Setting {
            counts_calls,
            ..setting(&texts)
        };
        let found = expected(&function, &gpu::machine(gpu::R_SIZE), &setting);
        found.expect("a GPU").calls.system
    };
    assert_eq!((found(true), found(false)), (Some(live), None));
}
