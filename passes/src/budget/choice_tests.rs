use super::*;
use crate::function::examples::definitions_first;
use crate::machine::gpu;

fn chosen(sm: u32, live: u32, settings: &Settings, launch: LaunchBounds) -> Result<Budget, Error> {
    let sm = StreamingMultiprocessor::nearest(sm);
    let machine = gpu::machine(gpu::R_SIZE);
    choose(
        &definitions_first(live),
        &machine,
        settings,
        sm,
        &launch,
        &[],
    )
}

fn with_target(percent: u32) -> Settings {
    Settings {
        occupancy_target: Some(percent),
        ..Settings::default()
    }
}

fn at_most(threads: u32) -> LaunchBounds {
    LaunchBounds {
        most_threads: Some(threads),
        ..LaunchBounds::default()
    }
}

/// The registers and who decides them.
fn found(budget: Result<Budget, Error>) -> (u32, BudgetSource) {
    let budget = budget.expect("a budget");
    (budget.registers, budget.source)
}

#[test]
fn without_bounds_there_are_all_registers() {
    let found = found(chosen(
        90,
        40,
        &Settings::default(),
        LaunchBounds::default(),
    ));
    assert_eq!(found, (255, BudgetSource::RegisterFile));
}

#[test]
fn the_lowest_bound_holds() {
    let launch = LaunchBounds {
        registers: Some(100),
        blocks: Some(2),
        ..at_most(256)
    };
    let settings = |limit, target| Settings {
        pressure_limit: limit,
        ..with_target(target)
    };
    for (limit, target, expected) in [
        (Some(90), 25, (90, BudgetSource::PressureLimit)),
        (Some(110), 25, (100, BudgetSource::MaxRegisters)),
        (None, 25, (100, BudgetSource::MaxRegisters)),
        (Some(110), 50, (64, BudgetSource::OccupancyTarget)),
        (Some(64), 50, (64, BudgetSource::PressureLimit)),
    ] {
        let found = found(chosen(90, 40, &settings(limit, target), launch));
        assert_eq!(found, expected, "{limit:?} {target}");
    }
    let launch = LaunchBounds {
        blocks: Some(4),
        ..launch
    };
    let found = found(chosen(90, 40, &settings(Some(80), 25), launch));
    assert_eq!(found, (64, BudgetSource::MinBlocks));
}

#[test]
fn knobs_bound_too() {
    let mut settings = Settings::default();
    settings.knobs.secondary_budget = 50;
    let none = LaunchBounds::default();
    assert_eq!(
        found(chosen(90, 9, &settings, none)),
        (50, BudgetSource::Knob)
    );
    settings.knobs.tertiary_budget = 40;
    let budget = chosen(90, 9, &settings, none).expect("a budget");
    assert_eq!(budget.reason, "-warpalloc-knob=632=40");
    assert_eq!(budget.registers, 40);
}

#[test]
fn the_required_block_size_goes_before_the_largest() {
    let launch = LaunchBounds {
        threads: Some(128),
        blocks: Some(8),
        ..at_most(1024)
    };
    let budget = chosen(90, 9, &Settings::default(), launch).expect("a budget");
    assert_eq!(budget.registers, 64);
    assert_eq!(budget.reason, "nvvm.minctasm=8 with nvvm.reqntid=128");
}

#[test]
fn resident_blocks_without_a_block_size_say_nothing() {
    let launch = LaunchBounds {
        blocks: Some(8),
        ..LaunchBounds::default()
    };
    let found = found(chosen(90, 9, &Settings::default(), launch));
    assert_eq!(found, (255, BudgetSource::RegisterFile));
}

/// 64 registers leave two blocks of 512 threads, 65 to 128 one.
#[test]
fn no_resident_block_is_lost() {
    for (live, budget) in [
        (20, 32),
        (32, 32),
        (33, 40),
        (40, 40),
        (41, 64),
        (64, 64),
        (65, 128),
        (200, 128),
    ] {
        let found = found(chosen(90, live, &Settings::default(), at_most(512)));
        assert_eq!(found.0, budget, "{live}");
    }
    let found = found(chosen(90, 300, &Settings::default(), at_most(1024)));
    assert_eq!(found, (64, BudgetSource::BlockSize));
}

#[test]
fn shared_memory_leaves_more_registers() {
    // 100 KiB leave two blocks of an SM's eight.
    let launch = LaunchBounds {
        shared_memory: 100 * 1024,
        ..at_most(256)
    };
    let none = chosen(90, 20, &Settings::default(), launch);
    assert_eq!(found(none), (128, BudgetSource::ResidentBlocks));
    let target = chosen(90, 20, &with_target(100), launch);
    assert_eq!(found(target), (128, BudgetSource::OccupancyTarget));
}

#[test]
fn targets_are_reached_exactly() {
    for sm in [70, 75, 80, 86, 90, 120] {
        let row = StreamingMultiprocessor::nearest(sm);
        for threads in [None, Some(64), Some(96), Some(512)] {
            let launch = LaunchBounds {
                most_threads: threads,
                ..LaunchBounds::default()
            };
            for percent in 1..=100 {
                let Ok(budget) = chosen(sm, 9, &with_target(percent), launch) else {
                    continue;
                };
                let warps = |registers| {
                    let block = launch.block();
                    row.occupancy(&BlockResources { registers, ..block }).warps
                };
                assert!(warps(budget.registers) * 100 >= percent * row.warps);
                let more = budget.registers + 1;
                assert!(more > 255 || warps(more) * 100 < percent * row.warps);
            }
        }
    }
}

/// A function has the lowest of what bounds the kernels that call it, whatever their code
/// needs, and what the command line says.
#[test]
fn callees_have_the_budget_of_their_callers() {
    let caller = |name: &str, launch| Caller {
        name: name.into(),
        launch,
    };
    let callers = [
        caller("large", at_most(1024)),
        caller(
            "bounded",
            LaunchBounds {
                registers: Some(48),
                ..LaunchBounds::default()
            },
        ),
        caller("impossible", at_most(2048)),
        caller("free", LaunchBounds::default()),
    ];
    let chosen = |settings: &Settings, callers: &[Caller]| {
        let sm = StreamingMultiprocessor::nearest(90);
        let machine = gpu::machine(gpu::R_SIZE);
        let function = definitions_first(40);
        let launch = LaunchBounds::default();
        let budget = choose(&function, &machine, settings, sm, &launch, callers);
        let budget = budget.expect("a budget");
        (budget.registers, budget.reason)
    };
    let plain = Settings::default();
    let (registers, reason) = chosen(&plain, &callers);
    assert_eq!(registers, 48);
    assert_eq!(reason, "nvvm.maxnreg=48 of 'bounded', which reaches it");
    let (registers, reason) = chosen(&plain, &callers[..1]);
    assert_eq!(registers, 64);
    assert_eq!(reason, "nvvm.maxntid=1024 of 'large', which reaches it");
    assert_eq!(chosen(&plain, &callers[2..]).0, 255);
    // 48 warps are two blocks of 1024 threads, or six of 256.
    assert_eq!(chosen(&with_target(75), &callers).0, 32);
    assert_eq!(chosen(&with_target(75), &callers[1..]).0, 40);
    let limited = Settings {
        pressure_limit: Some(24),
        ..Settings::default()
    };
    let (registers, reason) = chosen(&limited, &callers);
    assert_eq!(registers, 24);
    assert_eq!(reason, "-nvptx-regalloc-pressure-limit=24");
}

#[test]
fn contradictions_name_both_sides() {
    let message = |sm, settings: &Settings, launch| {
        let error = chosen(sm, 9, settings, launch).expect_err("a contradiction");
        error.to_string()
    };
    let launch = LaunchBounds {
        blocks: Some(9),
        ..at_most(256)
    };
    assert_eq!(
        message(90, &Settings::default(), launch),
        "nvvm.minctasm=9 cannot be met with nvvm.maxntid=256: sm_90 holds at most 8 such blocks"
    );
    assert_eq!(
        message(86, &with_target(75), at_most(1024)),
        "-nvptx-regalloc-occupancy-target=75 cannot be met with nvvm.maxntid=1024: \
         sm_86 reaches at most 66 percent"
    );
    assert_eq!(
        message(90, &with_target(1), at_most(2048)),
        "-nvptx-regalloc-occupancy-target=1 cannot be met with nvvm.maxntid=2048: \
         sm_90 reaches at most 0 percent"
    );
}

#[test]
fn what_the_command_line_asks_for_is_handed_off() {
    let sm = StreamingMultiprocessor::nearest(90);
    let handed_off_in = |limit, target, registers, fewest_registers, linked_calls| {
        let settings = Settings {
            pressure_limit: limit,
            occupancy_target: target,
            ..Settings::default()
        };
        let launch = LaunchBounds {
            registers,
            fewest_registers,
            linked_calls,
            ..at_most(256)
        };
        let budget = chosen(90, 9, &settings, launch).expect("a budget");
        budget.handed_off(sm, &launch)
    };
    let handed_off = |limit, target, registers, fewest_registers| {
        handed_off_in(limit, target, registers, fewest_registers, false)
    };
    for (limit, target, own, expected) in [
        (None, None, None, None),
        (Some(50), None, None, Some(50)),
        (Some(16), None, None, Some(24)),
        (Some(255), None, None, None),
        (None, Some(50), None, Some(64)),
        (Some(50), None, Some(50), None),
        (Some(50), None, Some(40), None),
        (Some(50), None, Some(60), Some(50)),
        (Some(16), None, Some(20), None),
    ] {
        let found = handed_off(limit, target, own, 0);
        assert_eq!(found, expected, "{limit:?} {target:?} {own:?}");
    }
    // Below what it needs for one instruction ptxas would refuse the kernel.
    assert_eq!(handed_off(Some(50), None, None, 50), Some(50));
    assert_eq!(handed_off(Some(50), None, None, 51), Some(51));
    assert_eq!(handed_off(Some(50), None, Some(50), 51), None);
    // What is called is not held to it, and the linker would refuse that.
    assert_eq!(handed_off_in(Some(50), None, None, 0, true), None);
}

#[test]
fn errors_say_where_a_budget_comes_from() {
    let launch = LaunchBounds {
        registers: Some(3),
        ..LaunchBounds::default()
    };
    let error = Error::BudgetTooSmall {
        file: "R".into(),
        budget: 3,
        needed: 4,
        instruction: 7,
    };
    let plain = "the R budget of 3 registers is too small: instruction 7 alone needs 4";
    let budget = chosen(90, 9, &Settings::default(), launch).expect("a budget");
    let expected = format!("{plain}; the budget comes from nvvm.maxnreg=3");
    assert_eq!(budget.explain(error.clone()).to_string(), expected);
    let other = Error::SpillLimit { limit: 3 };
    assert_eq!(budget.explain(other.clone()), other);
    let settings = Settings {
        pressure_limit: Some(3),
        ..Settings::default()
    };
    let budget = chosen(90, 9, &settings, launch).expect("a budget");
    assert_eq!(budget.explain(error).to_string(), plain);
}
