//! What threads do together: schedules, barriers with reductions, matrices.

mod common;

use common::{both, fault, run, run_blocks, source};
use half::f16;
use ptx_interpreter::compare::{Verdict, compare_all};
use ptx_interpreter::{GlobalMemory, Launch, Module, Options, Trouble, launch};

fn words(body: &str, threads: u32, schedule_seed: Option<u64>) -> Vec<u32> {
    let options = Options {
        schedule_seed,
        ..Options::default()
    };
    let (words, _) = run(&source(body), threads, &options).unwrap_or_else(|e| panic!("{e}"));
    words
}

/// Adds floats of very different sizes in whatever order.
const RACE: &str = "cvt.rn.f32.u32 %r2, %r1; mul.f32 %r3, %r2, %r2; mul.f32 %r3, %r3, 0f43801000;\n\
    atom.global.add.f32 %r4, [%rd1], %r3;";

#[test]
fn a_jittered_schedule_changes_the_order_and_its_seed_decides_how() {
    let plain = words(RACE, 64, None)[0];
    let jittered: Vec<_> = (1..9).map(|seed| words(RACE, 64, Some(seed))[0]).collect();
    assert!(jittered.iter().any(|&sum| sum != plain));
    assert!(jittered.iter().any(|&sum| sum != jittered[0]));
    assert_eq!(words(RACE, 64, Some(1))[0], jittered[0]);
}

#[test]
fn threads_are_interleaved_within_a_warp() {
    // Each thread notes how many additions there were from its first to its second.
    let body = "atom.global.add.u32 %r2, [%rd1], 1; atom.global.add.u32 %r3, [%rd1], 1;\n\
        sub.s32 %r4, %r3, %r2; setp.eq.s32 %p1, %r1, 0; @%p1 bra $E; st.global.b32 [%rd2], %r4;\n$E:";
    let together = |words: &[u32]| words[1..].iter().filter(|&&w| w == 1).count();
    assert_eq!(together(&words(body, 32, None)), 31);
    let jittered = together(&words(body, 32, Some(5)));
    assert!((1..31).contains(&jittered), "{jittered}");
}

/// Every block waits for the one before it, as CUB's scan does.
#[test]
fn blocks_are_interleaved_but_start_in_order() {
    let body = "setp.ne.u32 %p1, %r1, 0; @%p1 ret; mov.u32 %r2, %ctaid.x; atom.global.add.u32 %r3, [%rd1], 1;\n\
        $L: ld.volatile.global.b32 %r4, [%rd1+4]; setp.ne.u32 %p1, %r4, %r2; @%p1 bra $L;\n\
        atom.global.add.u32 %r5, [%rd1], 1; add.s32 %r6, %r2, 1; st.volatile.global.b32 [%rd1+4], %r6;\n\
        sub.s32 %r5, %r5, %r3; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd3, %rd1, %rd3; st.global.b32 [%rd3+8], %r5;";
    let steps = |schedule_seed| {
        let options = Options {
            schedule_seed,
            step_limit: 20_000,
            ..Options::default()
        };
        let words = run_blocks(&source(body), 14, 2, &options).unwrap().0;
        assert_eq!(words[..2], [28, 14]);
        words[2..16].to_vec()
    };
    assert_eq!(steps(None), [1; 14]);
    for seed in 0..20 {
        assert!(steps(Some(seed)).iter().any(|&steps| steps > 1));
    }
}

/// Copies and spills are what allocation may add.
#[test]
fn copies_and_spills_do_not_change_the_order_of_a_race() {
    let with = |extra: &str| {
        let body = format!(
            ".local .align 4 .b8 depot[8];\n{}",
            RACE.replace("atom.", &format!("{extra}\natom."))
        );
        Module::parse(&source(&body)).unwrap_or_else(|e| panic!("{e}"))
    };
    let spill =
        "st.local.b32 [depot], %r3; mov.b32 %r3, 0; ld.local.b32 %r5, [depot]; mov.b32 %r3, %r5;";
    let outcomes: Vec<_> = compare_all([&with(""), &with(spill)], 100_000).collect();
    assert_eq!(outcomes.iter().filter(|o| o.jittered).count(), 10);
    for outcome in &outcomes {
        assert!(
            matches!(outcome.verdict, Verdict::Equal { .. }),
            "{outcome:?}"
        );
    }
    // A second addition is no matter of order.
    let twice = with("atom.global.add.f32 %r5, [%rd1], %r3;");
    for outcome in compare_all([&with(""), &twice], 100_000) {
        let Verdict::Different(what) = &outcome.verdict else {
            panic!("{outcome:?}")
        };
        assert!(what.contains("visible accesses"), "{what}");
    }
}

/// In the plain order a thread's left neighbour has always been before it.
#[test]
fn a_missing_barrier_shows_in_the_jittered_order() {
    let module = |barrier: &str| {
        let body = format!(
            ".shared .align 4 .b8 buffer[388]; mov.b64 %rd3, buffer; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd3, %rd3, %rd4;\n\
            setp.eq.s32 %p1, %r1, 0; @%p1 st.shared.b32 [%rd3], 5; st.shared.b32 [%rd3+4], %r1; {barrier}\n\
            ld.shared.b32 %r2, [%rd3]; st.global.b32 [%rd2], %r2;"
        );
        Module::parse(&source(&body)).unwrap_or_else(|e| panic!("{e}"))
    };
    let outcomes: Vec<_> = compare_all([&module("bar.sync 0;"), &module("")], 100_000).collect();
    assert_eq!(outcomes.len(), 20);
    for outcome in outcomes {
        let different = matches!(outcome.verdict, Verdict::Different(_));
        assert_eq!(different, outcome.jittered, "{outcome:?}");
    }
}

/// Nobody reads the word in shared memory; of garbage it is no fault.
#[test]
fn what_is_stored_on_the_way_counts() {
    let module = |word: &str| {
        let body = format!(
            ".shared .align 4 .b8 word[4]; mov.b64 %rd3, word; st.shared.b32 [%rd3], {word};\n\
             st.global.b32 [%rd2], %r1;"
        );
        Module::parse(&source(&body)).unwrap_or_else(|e| panic!("{e}"))
    };
    for (words, is_different) in [
        (["1", "1"], false),
        (["1", "2"], true),
        (["%r8", "%r8"], false),
    ] {
        let [one, other] = words.map(module);
        for outcome in compare_all([&one, &other], 100_000) {
            let fits = match &outcome.verdict {
                Verdict::Equal { .. } => !is_different,
                Verdict::Different(what) => is_different && what.contains("on the way"),
                _ => false,
            };
            assert!(fits, "{words:?}: {outcome:?}");
        }
    }
}

/// The second of a billion blocks reads what lies 8 GiB behind a pointer.
#[test]
fn a_few_blocks_of_a_large_grid_read_parts_of_a_large_buffer() {
    let body = "mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd3, %r2, 1073741824; shl.b64 %rd3, %rd3, 3;\n\
                add.s64 %rd3, %rd1, %rd3; ld.global.b32 %r3, [%rd3]; mov.u32 %r4, %nctaid.x;\n\
                add.s32 %r3, %r3, %r4; st.global.b32 [%rd3], %r3;";
    let module = Module::parse(&source(body)).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = GlobalMemory::new(&module);
    let parts = [(0, vec![1, 0, 0, 0]), (8 << 30, vec![2, 0, 0, 0])];
    let buffer = memory.allocate_parts("buffer", &parts);
    let mut what = Launch {
        kernel: "k".into(),
        blocks: [1 << 30, 1, 1],
        threads: [1, 1, 1],
        executed: Some(2),
        arguments: vec![buffer.to_le_bytes().into()],
    };
    launch(&module, &mut memory, &what, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let bytes: Vec<_> = memory.global.all().iter().map(|r| &r.bytes[..]).collect();
    assert_eq!(bytes, [[1, 0, 0, 0x40], [2, 0, 0, 0x40]]);
    // There is no third part.
    what.executed = Some(3);
    let fault = launch(&module, &mut memory, &what, &Options::default()).unwrap_err();
    assert!(matches!(fault.trouble, Trouble::OutOfBounds { .. }));
}

#[test]
fn what_cannot_be_compared_is_no_pass() {
    let unusable = |body: &str, reason: &str| {
        let module = Module::parse(&source(body)).unwrap();
        for outcome in compare_all([&module, &module], 5_000) {
            match &outcome.verdict {
                Verdict::Unusable(why) => assert!(why.contains(reason), "{why}"),
                other => panic!("{other:?}"),
            }
        }
    };
    unusable("add.s32 %r1, %r1, 1;", "no memory is changed");
    unusable("st.global.b32 [%rd2], %r8;", "undefined values");
    unusable("$L: bra $L;", "step limit");
}

#[test]
fn faults_of_the_second_file_are_found() {
    let module = |body| Module::parse(&source(body)).unwrap();
    let good = module("st.global.b32 [%rd2], %r1;");
    for bad in [
        "st.global.b32 [%rd2+-4], %r1;",
        "st.global.b32 [%rd2], %r8;",
        "@%p8 st.global.b32 [%rd2], %r1;",
        "$L: bra $L;",
    ] {
        for outcome in compare_all([&good, &module(bad)], 5_000) {
            assert!(
                matches!(outcome.verdict, Verdict::Different(_) | Verdict::Fault(_)),
                "{bad}: {outcome:?}"
            );
        }
    }
}

#[test]
fn barriers_reduce_predicates() {
    let body = "setp.eq.u32 %p1, %r1, 7; bar.red.or.pred %p2, 0, %p1; bar.red.and.pred %p3, 0, %p1;\n\
        bar.red.and.pred %p4, 0, !%p3; bar.red.popc.u32 %r2, 0, !%p1;\n\
        selp.b32 %r3, 1000, 0, %p2; selp.b32 %r4, 2000, 0, %p3; selp.b32 %r5, 4000, 0, %p4;\n\
        add.s32 %r2, %r2, %r3; add.s32 %r2, %r2, %r4; add.s32 %r2, %r2, %r5; st.global.b32 [%rd2], %r2;";
    assert_eq!(both(&source(body), 48), vec![5047; 48]);
    let mixed =
        "setp.eq.u32 %p1, %r1, 7; @%p1 bra $L; bar.red.or.pred %p2, 0, %p1; ret; $L: bar.sync 0;";
    assert!(matches!(fault(mixed), Trouble::Undefined(_)));
    // Whichever comes first.
    let mixed = mixed.replace("eq.u32 %p1, %r1, 7", "ne.u32 %p1, %r1, 7");
    assert!(matches!(fault(&mixed), Trouble::Undefined(_)));
}

/// The identity times B, plus C.
#[test]
fn matrices_are_multiplied() {
    // A: row and column of a lane's pairs are group (+ 8) and first (+ 8); ones on the
    // diagonal lie in a0 and a3. B[k][n] = 8 k + n, C = 0.5.
    let one = u32::from(f16::ONE.to_bits());
    let body = format!(
        "shr.u32 %r2, %r1, 2; and.b32 %r3, %r1, 3; shl.b32 %r3, %r3, 1;\n\
        setp.eq.s32 %p1, %r2, %r3; selp.b32 %r4, {one}, 0, %p1;\n\
        add.s32 %r5, %r3, 1; setp.eq.s32 %p1, %r2, %r5; selp.b32 %r5, {}, 0, %p1; or.b32 %r4, %r4, %r5;\n\
        {b}\
        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%r5, %r6, %r7, %r8}}, {{%r4, 0, 0, %r4}}, {{%r2, %r3}}, {{0f3F000000, 0f3F000000, 0f3F000000, 0f3F000000}};\n\
        cvt.rzi.u32.f32 %r5, %r5; cvt.rzi.u32.f32 %r6, %r6; cvt.rzi.u32.f32 %r7, %r7; cvt.rzi.u32.f32 %r8, %r8;\n\
        shl.b32 %r6, %r6, 8; shl.b32 %r7, %r7, 16; shl.b32 %r8, %r8, 24; or.b32 %r5, %r5, %r6; or.b32 %r7, %r7, %r8; or.b32 %r5, %r5, %r7; st.global.b32 [%rd2], %r5;",
        one << 16,
        b = half_pairs(),
    );
    let expected = |lane: u32| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        let [a, b] = [8 * row + column, 8 * (row + 8) + column];
        a | (a + 1) << 8 | b << 16 | (b + 1) << 24
    };
    assert_eq!(
        both(&source(&body), 32),
        (0..32).map(expected).collect::<Vec<_>>()
    );
    assert!(matches!(
        run(&source(&body), 48, &Options::default())
            .unwrap_err()
            .trouble,
        Trouble::Undefined("the warp is not complete")
    ));
}

/// From %r2, the group, and %r3, the first k, to the pairs of B in %r2 and %r3.
fn half_pairs() -> String {
    let pair = |to: &str, k: u32| {
        format!(
            "mad.lo.s32 %r6, %r3, 8, %r2; add.s32 %r6, %r6, {}; cvt.rn.f32.u32 %r7, %r6; cvt.rn.f16.f32 %rs1, %r7;\n\
            add.s32 %r6, %r6, 8; cvt.rn.f32.u32 %r7, %r6; cvt.rn.f16.f32 %rs2, %r7; mov.b32 {to}, {{%rs1, %rs2}};\n",
            8 * k
        )
    };
    format!(
        "{}{}mov.b32 %r2, %r8; mov.b32 %r3, %r5;\n",
        pair("%r8", 0),
        pair("%r5", 8)
    )
}

/// Element (row, column) is 16 row + column.
#[test]
fn matrices_are_loaded_straight_and_transposed() {
    let load = |trans: &str| {
        let body = format!(
            ".shared .align 16 .b8 m[128]; mov.b64 %rd3, m;\n\
            shr.u32 %r2, %r1, 2; and.b32 %r3, %r1, 3; shl.b32 %r3, %r3, 1; mad.lo.s32 %r4, %r2, 16, %r3;\n\
            add.s32 %r5, %r4, 1; shl.b32 %r5, %r5, 16; or.b32 %r4, %r4, %r5;\n\
            mul.wide.u32 %rd4, %r1, 4; add.s64 %rd4, %rd3, %rd4; st.shared.b32 [%rd4], %r4; bar.warp.sync -1;\n\
            and.b32 %r2, %r1, 7; mul.wide.u32 %rd4, %r2, 16; add.s64 %rd4, %rd3, %rd4;\n\
            ldmatrix.sync.aligned.m8n8.x1{trans}.shared.b16 {{%r6}}, [%rd4]; st.global.b32 [%rd2], %r6;"
        );
        both(&source(&body), 32)
    };
    let at = |row: u32, column: u32| 16 * row + column;
    let straight = |l: u32| at(l / 4, l % 4 * 2) | at(l / 4, l % 4 * 2 + 1) << 16;
    let transposed = |l: u32| at(l % 4 * 2, l / 4) | at(l % 4 * 2 + 1, l / 4) << 16;
    assert_eq!(load(""), (0..32).map(straight).collect::<Vec<_>>());
    assert_eq!(load(".trans"), (0..32).map(transposed).collect::<Vec<_>>());
}

#[test]
fn parameters_have_generic_addresses_that_are_read_only() {
    let body = "mov.b64 %rd3, out; cvta.param.u64 %rd4, %rd3; ld.b64 %rd5, [%rd4]; sub.s64 %rd5, %rd5, %rd1;\n\
        cvt.u32.u64 %r2, %rd5; st.global.b32 [%rd2], %r2;";
    assert_eq!(both(&source(body), 32), vec![0; 32]);
    let store = "mov.b64 %rd3, out; cvta.param.u64 %rd4, %rd3; st.b64 [%rd4], %rd3;";
    assert_eq!(fault(store), Trouble::ReadOnly);
    let beyond = "mov.b64 %rd3, out; cvta.param.u64 %rd4, %rd3; ld.b64 %rd5, [%rd4+8];";
    assert!(matches!(fault(beyond), Trouble::OutOfBounds { .. }));
}

/// A body in which each thread keeps its number in a slot of Warpalloc's, across a barrier.
fn spilled(number: &str, stride: u32, bytes: u32) -> String {
    format!(
        "{{ .shared .align 16 .b8 warpalloc_spill_space[{bytes}]; .reg .b32 space, thread;\n\
         mov.b32 space, warpalloc_spill_space; {number}\n\
         mad.lo.u32 %r2, thread, {stride}, space; }}\n\
         st.shared.b32 [%r2], %r1; mov.b32 %r3, 0; bar.sync 0;\n\
         ld.shared.b32 %r3, [%r2]; st.global.b32 [%rd2], %r3;"
    )
}

#[test]
fn a_spill_slot_in_shared_memory_has_one_thread() {
    let own = "mov.u32 thread, %tid.x;";
    let good = spilled(own, 4, 256);
    assert_eq!(both(&source(&good), 64), (0..64).collect::<Vec<_>>());
    let stolen = "mov.u32 thread, %tid.x; shr.b32 thread, thread, 1;";
    let trouble = |body: &str| fault(body);
    assert!(matches!(
        trouble(&spilled(stolen, 4, 256)),
        Trouble::NotItsOwn { .. }
    ));
    assert!(matches!(
        trouble(&spilled(own, 4, 127)),
        Trouble::OutOfBounds { .. }
    ));
    assert!(matches!(
        trouble(&spilled(own, 2, 256)),
        Trouble::Misaligned { .. }
    ));
}

#[test]
fn spill_slots_in_shared_memory_are_no_accesses_of_the_kernel_s() {
    let body = "st.global.b32 [%rd2], %r1;";
    let plain = Module::parse(&source(body)).unwrap();
    let own = spilled("mov.u32 thread, %tid.x;", 4, 512);
    // The barrier is one; without it the same happens.
    let own = own.replace("bar.sync 0;", "");
    let spilling = Module::parse(&source(&own)).unwrap();
    for outcome in compare_all([&plain, &spilling], 100_000) {
        assert!(
            matches!(outcome.verdict, Verdict::Equal { .. }),
            "{outcome:?}"
        );
    }
}
