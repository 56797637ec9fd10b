//! Knobs that change what the whole allocator does, shown on small functions.

#[allow(dead_code, reason = "CPUs have no pairs")]
mod generator;

use fixedbitset::FixedBitSet;
use generator::gpu_problem;
use passes::allocate;
use passes::allocation::{Allocation, Location};
use passes::function::{
    Block, Function, FunctionBuilder, InstructionFlags, InstructionKind, Operand, Tuple,
    VirtualRegister,
};
use passes::machine::{Class, Machine, gpu};
use passes::settings::{Pass, Profile, Select, Settings, SpillSpace};

const SELECTS: [Select; 2] = [Select::Graph, Select::FatPoint];

/// Settings without splitting, so that a value is in memory everywhere or nowhere.
fn settings(knobs: &[&str]) -> Settings {
    let mut settings = Settings {
        verify: true,
        disabled: [Pass::Split].into(),
        ..Settings::default()
    };
    for knob in knobs {
        settings.knobs.set(knob).expect("a knob");
    }
    settings
}

fn allocated(function: &Function, registers: u32, settings: &Settings) -> Allocation {
    allocate(function, &gpu::machine(registers), settings).expect("an allocation")
}

fn is_in_register(allocation: &Allocation, value: VirtualRegister) -> bool {
    matches!(allocation.locations[value], Location::Register(_))
}

/// A value that is read where LLVM says that it is often, one that is read in a loop that
/// LLVM says runs seldom, and a third between, with two registers.
#[test]
fn iterations_decide_what_is_spilled() {
    let mut builder = FunctionBuilder::new("f");
    let [often, in_loop, third] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
    let blocks: [Block; 3] = [(1.0, 0), (50.0, 0), (2.0, 1)].map(|(frequency, depth)| {
        let block = builder.start_block(frequency, depth, &[]);
        match block.as_u32() {
            0 => {
                builder.plain(&[Operand::write(often)]);
                builder.plain(&[Operand::write(in_loop)]);
                builder.plain(&[Operand::write(third)]);
                builder.plain(&[Operand::read(third)]);
            }
            1 => _ = builder.plain(&[Operand::read(often)]),
            _ => _ = builder.plain(&[Operand::read(in_loop)]),
        }
        block
    });
    for (from, to) in [(0, 1), (1, 2), (2, 2)] {
        builder.edge(blocks[from], blocks[to]);
    }
    let function = builder.finish();
    for select in SELECTS {
        for (knobs, kept) in [(&[][..], often), (&["623=1000"], in_loop)] {
            let settings = Settings {
                select,
                ..settings(knobs)
            };
            let allocation = allocated(&function, 2, &settings);
            assert!(is_in_register(&allocation, kept), "{select:?} {knobs:?}");
            let other = if kept == often { in_loop } else { often };
            assert!(!is_in_register(&allocation, other), "{select:?} {knobs:?}");
        }
    }
}

/// A constant that is read three times and a value that is read once: one of them has no
/// register while a third is live.
#[test]
fn the_multiplier_decides_whether_to_rematerialise() {
    let mut builder = FunctionBuilder::new("f");
    let [constant, value, third] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    let (kind, flags) = (InstructionKind::Plain, InstructionFlags::REMATERIALISABLE);
    builder.push(kind, flags, &[Operand::write(constant)], None);
    builder.plain(&[Operand::write(value)]);
    builder.plain(&[Operand::write(third)]);
    builder.plain(&[Operand::read(third)]);
    for _ in 0..3 {
        builder.plain(&[Operand::read(constant)]);
    }
    builder.plain(&[Operand::read(value)]);
    let function = builder.finish();
    for (knobs, again) in [(&[][..], true), (&["680=4"], true), (&["680=0.5"], false)] {
        let allocation = allocated(&function, 2, &settings(knobs));
        let statistics = &allocation.statistics;
        assert_eq!(is_in_register(&allocation, value), again, "{knobs:?}");
        assert_eq!(is_in_register(&allocation, constant), !again, "{knobs:?}");
        assert_eq!(statistics.remats > 0, again, "{knobs:?}");
        assert_eq!(statistics.spilled, u32::from(!again), "{knobs:?}");
    }
}

/// A constant, what is computed of it, and what is computed of that, read behind others.
#[test]
fn what_takes_too_long_is_not_rematerialised() {
    let mut builder = FunctionBuilder::new("f");
    let [constant, middle, last] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
    let others: [_; 2] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    let flags = InstructionFlags::REMATERIALISABLE | InstructionFlags::UNIFORM_PATH;
    for operands in [
        &[Operand::write(constant)][..],
        &[Operand::write(middle), Operand::read(constant)],
        &[Operand::write(last), Operand::read(middle)],
    ] {
        builder.push(InstructionKind::Plain, flags, operands, None);
    }
    for value in others {
        builder.plain(&[Operand::write(value)]);
    }
    builder.plain(&others.map(Operand::read));
    builder.plain(&[Operand::read(last)]);
    let function = builder.finish();
    for (knobs, remats, spilled) in [
        (&[][..], 3, 0),
        (&["RematExclusionThreshold=3"], 3, 0),
        (&["RematExclusionThreshold=2"], 0, 1),
        (&["RematExclusionThreshold=0"], 0, 1),
    ] {
        let statistics = allocated(&function, 2, &settings(knobs)).statistics;
        assert_eq!(statistics.remats, remats, "{knobs:?}");
        assert_eq!(statistics.spilled, spilled, "{knobs:?}");
    }
}

/// A tuple of four that are dead when four others become live.
#[test]
fn without_reuse_a_tuple_keeps_its_registers() {
    let mut builder = FunctionBuilder::new("f");
    let values: [_; 8] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    for half in values.chunks(4) {
        for &value in half {
            builder.plain(&[Operand::write(value)]);
        }
        let reads: Vec<_> = half.iter().copied().map(Operand::read).collect();
        let instruction = builder.plain(&reads);
        if half[0] == values[0] {
            builder.tuple(Tuple {
                instruction,
                places: (0..4).map(Some).collect(),
                alignment: 4,
                accumulator: false,
            });
        }
    }
    let function = builder.finish();
    for select in SELECTS {
        // With five registers there are not enough to keep any back.
        for (knobs, registers, shared) in [
            (&[][..], 16, true),
            (&["636=1"], 16, true),
            (&["636=0"], 16, false),
            (&["636=0"], 8, false),
            (&["636=0"], 5, true),
        ] {
            let settings = Settings {
                select,
                ..settings(knobs)
            };
            let allocation = allocated(&function, registers, &settings);
            assert_eq!(allocation.statistics.spilled, 0);
            assert_eq!(allocation.statistics.tuple_moves, Some(0));
            let location = |value: &VirtualRegister| allocation.locations[*value];
            let (tuple, others) = values.split_at(4);
            let tuple: Vec<Location> = tuple.iter().map(location).collect();
            let found = others
                .iter()
                .map(location)
                .any(|location| tuple.contains(&location));
            assert_eq!(found, shared, "{select:?} {knobs:?} {registers}");
        }
    }
}

/// Registers used and cost of spilling over random functions, pairs and quads among them,
/// in the documented order.
fn in_documented_order(knobs: &[&str]) -> (u32, f64) {
    let mut sum = (0, 0.0);
    let mut settings = Profile::Ptxas.settings(None);
    settings.forced_modes = false;
    for knob in [&["639=1"], knobs].concat() {
        settings.knobs.set(knob).expect("a knob");
    }
    for seed in 0..100 {
        let mut random = fastrand::Rng::with_seed(seed);
        let numbers: Vec<u32> = (0..400).map(|_| random.u32(..)).collect();
        let problem = gpu_problem(gpu::R_SIZE, &numbers);
        if let Ok(found) = allocate(&problem.function, &problem.machine, &settings) {
            let files = found.statistics.files.iter();
            let used = files.filter(|file| file.name == "R").map(|file| file.used);
            sum.0 += used.sum::<u32>();
            sum.1 += found.statistics.spill_cost;
        }
    }
    sum
}

#[test]
fn paired_allocation_takes_fewer_registers() {
    let (documented, paired) = (in_documented_order(&[]), in_documented_order(&["683=1"]));
    assert!(paired.0 < documented.0, "{documented:?} {paired:?}");
}

#[test]
fn in_the_ptxas_profile_blocks_decide_about_modes() {
    for (blocks, on) in [(1, false), (2, true)] {
        let mut builder = FunctionBuilder::new("f");
        for _ in 0..blocks {
            builder.start_block(1.0, 0, &[]);
        }
        let function = builder.finish();
        let mut ptxas = Profile::Ptxas.settings(None);
        assert_eq!(ptxas.keeps_pairs(&function), on);
        assert_eq!(ptxas.is_epoch_aware(&function), on);
        // The ABI keeps spills out of shared memory.
        assert_eq!(ptxas.spill_space(&function), SpillSpace::Local);
        ptxas.knobs.set("649=0").expect("a knob");
        let space = match on {
            true => SpillSpace::Shared,
            false => SpillSpace::Local,
        };
        assert_eq!(ptxas.spill_space(&function), space);
        assert!(Profile::Auto.settings(None).keeps_pairs(&function));
        assert!(!Profile::Auto.settings(None).is_epoch_aware(&function));
        assert!(settings(&["682=1"]).is_epoch_aware(&function));
    }
}

/// A block in which single registers and pairs come and go, and more predicates are live
/// than there are.
fn crowded_with_predicates(seed: u64) -> Function {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut builder = FunctionBuilder::new("f");
    let predicates: Vec<_> = (0..9)
        .map(|_| builder.virtual_register(gpu::PREDICATE))
        .collect();
    builder.start_block(1.0, 0, &[]);
    for &one in &predicates {
        builder.plain(&[Operand::write(one)]);
    }
    let mut live = Vec::new();
    for _ in 0..80 {
        if live.len() < 12 && random.u32(..3) > 0 {
            let class = if random.bool() {
                gpu::PAIR
            } else {
                gpu::SINGLE32
            };
            live.push(builder.virtual_register(class));
            builder.plain(&[Operand::write(live[live.len() - 1])]);
        } else if !live.is_empty() {
            let one = live.swap_remove(random.usize(..live.len()));
            builder.plain(&[Operand::read(one)]);
        }
    }
    for &one in live.iter().chain(&predicates) {
        builder.plain(&[Operand::read(one)]);
    }
    builder.finish()
}

/// What is spilled of one file is no reason to take more registers of another.
#[test]
fn trials_follow_the_spilling_of_predicates() {
    for select in SELECTS {
        let [one, four] = ["639=1", "639=4"].map(|knob| {
            let settings = Settings {
                select,
                ..settings(&[knob])
            };
            let used = |seed| {
                let allocation = allocated(&crowded_with_predicates(seed), 64, &settings);
                assert!(allocation.statistics.spill_cost > 0.0);
                let mut files = allocation.statistics.files.iter();
                files
                    .find(|file| file.name == "R")
                    .map_or(0, |file| file.used)
            };
            (0..30).map(used).sum::<u32>()
        });
        assert!(four < one, "{select:?}: {four} of {one}");
    }
}

/// Two values of a class, each read twice before a call that destroys all registers and
/// twice behind it.
fn across_a_call(class: Class) -> (Function, Machine) {
    let mut machine = gpu::machine(255);
    let nothing = FixedBitSet::with_capacity(machine.table.registers.len());
    let mask = machine.clobber_masks.push(nothing);
    let mut builder = FunctionBuilder::new("f");
    let values: [_; 2] = std::array::from_fn(|_| builder.virtual_register(class));
    builder.start_block(1.0, 0, &[]);
    for value in values {
        builder.plain(&[Operand::write(value)]);
    }
    let reads = values.map(Operand::read);
    for _ in 0..2 {
        builder.plain(&reads);
    }
    let (kind, flags) = (InstructionKind::Plain, InstructionFlags::CALL);
    builder.push(kind, flags, &[], Some(mask));
    for _ in 0..2 {
        builder.plain(&reads);
    }
    (builder.finish(), machine)
}

/// Values are reloaded once if they are split, else at each of four reads.
#[test]
fn knobs_limit_what_is_split() {
    let (by_failure, by_guidance) = (0, 3);
    for (class, retries, knob, reloads) in [
        (gpu::SINGLE32, by_failure, "SplitMaxIterations=6", 2),
        (gpu::SINGLE32, by_failure, "SplitMaxIterations=0", 8),
        (gpu::SINGLE32, by_failure, "SplitMaxRounds=1", 5),
        (gpu::SINGLE32, by_failure, "SplitThreshold=4", 8),
        (gpu::SINGLE32, by_guidance, "SplitMaxRounds=none", 2),
        (gpu::SINGLE32, by_guidance, "SplitMaxRounds=1", 5),
        (gpu::SINGLE32, by_guidance, "SplitMaxRounds=0", 8),
        (gpu::SINGLE32, by_guidance, "SplitThreshold=3", 2),
        (gpu::SINGLE32, by_guidance, "SplitThreshold=4", 8),
        (gpu::SINGLE32, by_guidance, "SplitPairs=0", 2),
        (gpu::PAIR, by_guidance, "SplitPairs=1", 2),
        (gpu::PAIR, by_guidance, "SplitPairs=0", 8),
        (gpu::PAIR, by_failure, "SplitPairs=0", 8),
    ] {
        let (function, machine) = across_a_call(class);
        let mut settings = Settings {
            verify: true,
            spill_retries: retries,
            // Without splitting, it finds that reloads follow each other.
            disabled: [Pass::RedundantReloads, Pass::TakeBack].into(),
            ..Settings::default()
        };
        settings.knobs.set(knob).expect("a knob");
        let allocation = allocate(&function, &machine, &settings).expect("an allocation");
        let found = allocation.statistics.reloads;
        assert_eq!(found, reloads, "{knob}, {retries} retries");
    }
}
