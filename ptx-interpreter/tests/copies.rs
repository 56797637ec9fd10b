//! Copies that come later: `cp.async`, bulk copies and boxes of tensors, and the barriers
//! that count them.

mod common;

use common::{fault, output, shows, sound, source, with_shared};
use ptx_interpreter::compare::{Verdict, compare_all};
use ptx_interpreter::random::Random;
use ptx_interpreter::tensor_map::TensorMap;
use ptx_interpreter::{GlobalMemory, Launch, Module, Options, Trouble, launch};

fn random_bytes(count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    Random::new(3).fill(&mut bytes);
    bytes
}

/// Thread t copies to byte 1024 + 16 t with the rest of the operands as given, `between`
/// runs, and the 16 bytes are written out.
fn copied(instruction: &str, rest: &str, between: &str) -> String {
    let body = format!(
        "shl.b32 %r10, %r1, 4; add.s32 %r11, %r10, %r2; cvt.u64.u32 %rd3, %r10; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n\
         st.shared.v4.b32 [%r11+1024], {{0, 0, 0, 0}}; {instruction} [%r11 + 1024], [%rd4], {rest}; {between}\n\
         ld.shared.v4.b32 {{%r20, %r21, %r22, %r23}}, [%r11+1024]; st.global.v4.b32 [%rd5], {{%r20, %r21, %r22, %r23}};"
    );
    with_shared(&body, 16)
}

const WAIT: &str = "cp.async.commit_group; cp.async.wait_group 0;";

#[test]
fn copies_have_sizes_and_fill_with_zeros() {
    let input = random_bytes(64 * 16);
    for (instruction, rest, bytes) in [
        ("cp.async.cg.shared.global", "16", 16),
        ("cp.async.cg.shared::cta.global.L2::128B", "16, 16", 16),
        ("cp.async.ca.shared.global", "8", 8),
        ("cp.async.ca.shared.global", "4", 4),
        ("cp.async.ca.shared.global", "16, 5", 5),
        ("cp.async.ca.shared.global", "16, 0", 0),
    ] {
        let result = sound(&copied(instruction, rest, WAIT), 64, &input, input.len());
        for (t, got) in result.chunks(16).enumerate() {
            let mut expected = [0; 16];
            expected[..bytes].copy_from_slice(&input[16 * t..][..bytes]);
            assert_eq!(got, expected, "{instruction} {rest}");
        }
    }
    let guarded = copied(
        "setp.lt.u32 %p2, %r1, 32; cp.async.cg.shared.global",
        "16, %p2",
        WAIT,
    );
    let result = sound(&guarded, 64, &input, input.len());
    assert_eq!(result[..512], [0; 512]);
    assert_eq!(result[512..], input[512..]);
}

#[test]
fn copies_are_garbage_before_their_wait() {
    let input = random_bytes(64 * 16);
    let copy = |between| copied("cp.async.cg.shared.global", "16", between);
    for between in [
        "",
        "cp.async.commit_group;",
        "cp.async.commit_group; cp.async.wait_group 1;",
        "cp.async.wait_group 0;",
    ] {
        shows(&copy(between), 64, &input, input.len(), false);
    }
    for between in [
        "cp.async.wait_all;",
        "cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1;",
    ] {
        assert_eq!(sound(&copy(between), 64, &input, input.len()), input);
    }
}

#[test]
fn copies_arrive_at_a_barrier() {
    let input = random_bytes(64 * 16);
    for (noinc, expected) in [(".noinc", 64), ("", 1)] {
        // Without .noinc only thread 0 is waited for, and it comes last.
        let own = match noinc {
            "" => "bar.sync 0; @%p2 mbarrier.arrive.shared.b64 %rd6, [%r2];",
            _ => "",
        };
        let between = format!(
            "setp.eq.s32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r2], {expected}; bar.sync 0;\n\
             cp.async.mbarrier.arrive{noinc}.shared.b64 [%r2]; {own}\n\
             $WAIT: mbarrier.test_wait.parity.shared.b64 %p3, [%r2], 0; @!%p3 bra $WAIT;"
        );
        let text = copied("cp.async.cg.shared.global", "16", &between);
        assert_eq!(sound(&text, 64, &input, input.len()), input);
    }
}

#[test]
fn phases_of_a_barrier_follow_each_other() {
    let body = ".shared .align 8 .b8 barrier[8]; setp.eq.s32 %p1, %r1, 0; @%p1 mbarrier.init.shared::cta.b64 [barrier], 48; bar.sync 0;\n\
        mov.b32 %r2, 0; $LOOP: and.b32 %r3, %r2, 1; mbarrier.arrive.release.cta.shared::cta.b64 %rd3, [barrier];\n\
        $WAIT: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [barrier], %r3, 1000; @!%p2 bra $WAIT;\n\
        mbarrier.test_wait.shared::cta.b64 %p3, [barrier], %rd3; @!%p3 trap;\n\
        add.s32 %r2, %r2, 1; setp.lt.s32 %p2, %r2, 5; @%p2 bra $LOOP;\n\
        bar.sync 0; @%p1 mbarrier.inval.shared::cta.b64 [barrier]; st.global.b32 [%rd2], %r2;";
    assert_eq!(common::both(&source(body), 48), vec![5; 48]);
}

/// How often a thread asks in vain is no difference: here the second file has one more
/// instruction that all lanes must reach.
#[test]
fn asking_in_vain_is_no_access() {
    let module = |more: &str| {
        let body = format!(
            ".shared .align 8 .b8 barrier[8]; setp.eq.s32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [barrier], 32; bar.sync 0;\n\
             setp.lt.u32 %p2, %r1, 32; @!%p2 bra $WAIT; {more} mbarrier.arrive.shared.b64 _, [barrier];\n\
             $WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [barrier], 0; @!%p3 bra $WAIT; st.global.b32 [%rd2], %r1;"
        );
        Module::parse(&source(&body)).unwrap_or_else(|e| panic!("{e}"))
    };
    let files = [module(""), module("bar.warp.sync -1; bar.warp.sync -1;")];
    for outcome in compare_all([&files[0], &files[1]], 100_000) {
        let shape = outcome.shape;
        match outcome.verdict {
            Verdict::Equal { .. } => {}
            other => panic!("{shape}: {other:?}"),
        }
    }
}

#[test]
fn barriers_that_are_not_there_are_faults() {
    let with = |what: &str| format!(".shared .align 8 .b8 barrier[8]; {what}");
    let undefined = |what: &str| matches!(fault(&with(what)), Trouble::Undefined(_));
    assert!(undefined("mbarrier.arrive.shared.b64 _, [barrier];"));
    assert!(undefined("mbarrier.init.shared.b64 [barrier], 0;"));
    assert!(undefined(
        "setp.eq.s32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [barrier], 31; bar.sync 0; mbarrier.arrive.expect_tx.shared.b64 _, [barrier], 4;"
    ));
    assert!(matches!(
        fault(&with("mbarrier.init.shared.b64 [barrier+4], 1;")),
        Trouble::Misaligned { .. }
    ));
    // Nobody arrives.
    let stuck = "setp.eq.s32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [barrier], 1; bar.sync 0;\n\
        $W: mbarrier.try_wait.parity.shared.b64 %p2, [barrier], 0; @!%p2 bra $W;";
    assert_eq!(fault(&with(stuck)), Trouble::StepLimit);
}

/// Thread 0 loads 256 bytes, all wait, and thread 0 stores them.
fn bulk(wait: &str, end: &str) -> String {
    let body = format!(
        "setp.eq.s32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @!%p2 bra $OTHERS;\n\
         mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 256;\n\
         cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2 + 256], [%rd1], 256, [%r2];\n\
         $OTHERS: {wait}\n\
         shl.b32 %r10, %r1, 2; add.s32 %r10, %r10, %r2; ld.shared.b32 %r11, [%r10+256]; not.b32 %r11, %r11; st.shared.b32 [%r10+256], %r11; bar.sync 0;\n\
         fence.proxy.async.shared::cta; @!%p2 bra $END; cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2 + 256], 256; {end}\n$END:"
    );
    with_shared(&body, 16)
}

const ARRIVED: &str = "$WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0; @!%p3 bra $WAIT;";

#[test]
fn bulk_copies_go_there_and_back() {
    let input = random_bytes(256);
    let expected: Vec<u8> = input.iter().map(|b| !b).collect();
    let ended = "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;";
    assert_eq!(sound(&bulk(ARRIVED, ended), 64, &input, 256), expected);
    // The end of the thread waits as well.
    assert_eq!(sound(&bulk(ARRIVED, ""), 64, &input, 256), expected);
    shows(&bulk("", ended), 64, &input, 256, false);
    // To ask once is not to wait.
    let once = ARRIVED.replace("@!%p3 bra $WAIT;", "");
    shows(&bulk(&once, ended), 64, &input, 256, false);
    // What overwrites the source before the wait is copied.
    let overwritten = format!("st.shared.b32 [%r2+256], 7; {ended}");
    let result = sound(&bulk(ARRIVED, &overwritten), 64, &input, 256);
    assert_eq!(result[..4], [7, 0, 0, 0]);
    let waited = format!("{ended} st.shared.b32 [%r2+256], 7;");
    assert_eq!(sound(&bulk(ARRIVED, &waited), 64, &input, 256), expected);
}

/// A box of an array is loaded and written out as it lies, and stored to another array.
/// The maps are parameters, or made in the kernel.
fn boxed(made: bool) -> String {
    let make = |register: &str, buffer: &str| {
        let fields = [
            ("global_address", "b64", buffer),
            ("rank", "b32", "1"),
            ("elemtype", "b32", "6"),
            ("interleave_layout", "b32", "0"),
            ("swizzle_mode", "b32", "3"),
            ("fill_mode", "b32", "0"),
            ("box_dim", "b32", "0, 64"),
            ("box_dim", "b32", "1, 8"),
            ("global_dim", "b32", "0, 72"),
            ("global_dim", "b32", "1, 10"),
            ("global_stride", "b64", "0, 144"),
            ("element_stride", "b32", "0, 1"),
            ("element_stride", "b32", "1, 1"),
        ];
        let mut text = String::new();
        for i in 0..8 {
            let at = 2048 + 16 * i;
            text += &format!("@%p2 st.shared.v4.b32 [%r2+{at}], {{0, 0, 0, 0}};\n");
        }
        text += "cvt.u64.u32 %rd3, %r2; add.s64 %rd3, %rd3, 2048;\n";
        for (field, bits, value) in fields {
            text += &format!(
                "@%p2 tensormap.replace.tile.{field}.shared::cta.b1024.{bits} [%rd3], {value};\n"
            );
        }
        text + &format!(
            "bar.sync 0; tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [{register}], [%rd3], 128;\n\
             fence.proxy.tensormap::generic.acquire.gpu [{register}], 128;\n"
        )
    };
    let maps = match made {
        true => format!(
            "add.s64 %rd4, %rd2, 8192; add.s64 %rd5, %rd2, 8320; add.s64 %rd6, %rd2, 1024;\n{}{}",
            make("%rd4", "%rd1"),
            make("%rd5", "%rd6")
        ),
        false => "mov.b64 %rd4, from; cvta.param.u64 %rd4, %rd4; mov.b64 %rd5, to; cvta.param.u64 %rd5, %rd5;".to_owned(),
    };
    let body = format!(
        "setp.eq.s32 %p2, %r1, 0; {maps} @%p2 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; @!%p2 bra $OTHERS;\n\
         mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 1024;\n\
         cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2 + 1024], [%rd4, {{16, -1}}], [%r2];\n\
         $OTHERS: {ARRIVED}\n\
         @!%p2 bra $END; cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd5, {{16, 3}}], [%r2 + 1024]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n$END:\n\
         shl.b32 %r10, %r1, 5; add.s32 %r11, %r10, %r2; cvt.u64.u32 %rd7, %r10; add.s64 %rd7, %rd2, %rd7;\n\
         ld.shared.v4.b32 {{%r20, %r21, %r22, %r23}}, [%r11+1024]; st.global.v4.b32 [%rd7], {{%r20, %r21, %r22, %r23}};\n\
         ld.shared.v4.b32 {{%r20, %r21, %r22, %r23}}, [%r11+1040]; st.global.v4.b32 [%rd7+16], {{%r20, %r21, %r22, %r23}};"
    );
    with_shared(&body, 16).replace(
        ".param .u64 .ptr .align 1 out)",
        ".param .u64 .ptr .align 1 out, .param .align 64 .b8 from[128], .param .align 64 .b8 to[128])",
    )
}

#[test]
fn boxes_of_tensors_are_copied() {
    let input = random_bytes(1440);
    // Columns 16 to 80 of rows -1 to 7; there are 72 columns. Eight pieces of 16 bytes.
    let element = |row: i32, column: i32| match (row, column) {
        (0..10, 0..72) => (row * 72 + column) as usize * 2,
        _ => usize::MAX,
    };
    let mut in_shared = vec![0; 1024];
    let mut stored = vec![0; 1440];
    for row in 0..8 {
        for column in 0..64 {
            let from = element(row - 1, column + 16);
            let bytes = match from {
                usize::MAX => [0, 0],
                at => [input[at], input[at + 1]],
            };
            let piece = (column / 8) ^ (row % 8);
            let at = (row * 128 + piece * 16 + column % 8 * 2) as usize;
            in_shared[at..at + 2].copy_from_slice(&bytes);
            let to = element(row + 3, column + 16);
            if to != usize::MAX {
                stored[to..to + 2].copy_from_slice(&bytes);
            }
        }
    }
    for made in [false, true] {
        let module = Module::parse(&boxed(made)).unwrap_or_else(|e| panic!("{e}"));
        let mut memory = GlobalMemory::new(&module);
        let from = memory.allocate("in", input.clone());
        let to = memory.allocate("out", vec![0; 8448]);
        let map = |address| {
            let mut map = TensorMap::of_rows(6, [72, 10], [64, 8], 3);
            map.address = address;
            map.bytes().to_vec()
        };
        let address = |address: u64| address.to_le_bytes().to_vec();
        let what = Launch {
            kernel: "k".into(),
            blocks: [1; 3],
            threads: [32, 1, 1],
            executed: None,
            arguments: vec![address(from), address(to), map(from), map(to + 1024)],
        };
        launch(&module, &mut memory, &what, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        let out = &memory.global.all().last().unwrap().bytes;
        assert!(out[..1024] == in_shared, "{made}");
        assert!(out[1024..2464] == stored, "{made}");
    }
}

#[test]
fn one_lane_is_elected() {
    let body = "setp.ge.u32 %p1, %r1, 3; @!%p1 bra $E; elect.sync %r2|%p2, -8; selp.b32 %r3, 100, 0, %p2;\n\
        add.s32 %r2, %r2, %r3; elect.sync _|%p3, -8; selp.b32 %r3, 1000, 0, %p3; add.s32 %r2, %r2, %r3; st.global.b32 [%rd2], %r2;\n$E:";
    let expected = |t| match t {
        0..3 => 0,
        3 => 1103,
        _ => 3,
    };
    let expected: Vec<_> = (0..32).map(expected).collect();
    assert_eq!(common::both(&source(body), 32), expected);
}

#[test]
fn matrices_are_stored_and_transposed() {
    let pair =
        "shl.b32 %r2, %r1, 1; add.s32 %r3, %r2, 1; shl.b32 %r3, %r3, 16; or.b32 %r2, %r2, %r3;\n";
    let store = |trans: &str| {
        let body = format!(
            ".shared .align 16 .b8 m[128]; {pair} mov.b32 %r4, m; and.b32 %r5, %r1, 7; shl.b32 %r5, %r5, 4; add.s32 %r5, %r5, %r4;\n\
             stmatrix.sync.aligned.m8n8.x1{trans}.shared.b16 [%r5], {{%r2}}; bar.warp.sync -1;\n\
             shl.b32 %r5, %r1, 2; add.s32 %r5, %r5, %r4; ld.shared.b32 %r6, [%r5]; st.global.b32 [%rd2], %r6;"
        );
        common::both(&source(&body), 32)
    };
    // Element (row, column) is 8 row + column.
    let straight: Vec<_> = (0..32u32).map(|l| (2 * l) | ((2 * l + 1) << 16)).collect();
    let transposed: Vec<_> = (0..32u32)
        .map(|l| {
            let at = |i: u32| i % 8 * 8 + i / 8;
            at(2 * l) | at(2 * l + 1) << 16
        })
        .collect();
    assert_eq!(store(""), straight);
    assert_eq!(store(".trans"), transposed);
    let body = format!(
        "{pair} movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2; st.global.b32 [%rd2], %r3;"
    );
    assert_eq!(common::both(&source(&body), 32), transposed);
}

#[test]
fn a_cluster_of_one_block_has_a_barrier() {
    let body = ".shared .align 4 .b8 word[4]; setp.eq.s32 %p1, %r1, 63; @%p1 st.shared.b32 [word], 5;\n\
        barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; mov.b32 %r5, word;\n\
        mapa.shared::cluster.u32 %r5, %r5, 0; ld.shared::cluster.b32 %r2, [%r5]; mov.u32 %r3, %cluster_ctarank; mov.u32 %r4, %cluster_nctaid.x;\n\
        add.s32 %r2, %r2, %r3; add.s32 %r2, %r2, %r4; st.global.b32 [%rd2], %r2;";
    assert_eq!(common::both(&source(body), 64), vec![6; 64]);
    let alone = "setp.eq.s32 %p1, %r1, 0; @%p1 bra $L; barrier.cluster.arrive; barrier.cluster.wait; $L: bar.sync 0;";
    assert_eq!(fault(alone), Trouble::Deadlock);
}

/// What changes no value is understood and does nothing.
#[test]
fn requests_leave_registers_alone() {
    let body = "mov.b32 %r2, 7; setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.inc.sync.aligned.u32 232;\n\
        griddepcontrol.wait; griddepcontrol.launch_dependents; fence.proxy.async; fence.proxy.async.global;\n\
        fence.mbarrier_init.release.cluster; fence.proxy.tensormap::generic.release.gpu; tcgen05.fence::before_thread_sync;\n\
        tcgen05.fence::after_thread_sync; st.global.b32 [%rd2], %r2;";
    assert_eq!(common::both(&source(body), 32), vec![7; 32]);
}

#[test]
fn labels_belong_to_their_scope() {
    let wait = |n: u32| {
        format!(
            "{{ .reg .pred done; again: add.s32 %r2, %r2, {n}; setp.ge.s32 done, %r2, {}; @!done bra again; }}\n",
            n * 10
        )
    };
    let body = format!(
        "mov.b32 %r2, 0; {}{}{{ setp.eq.s32 %p1, %r1, 0; @%p1 bra $OUT; add.s32 %r2, %r2, 1; }} $OUT: st.global.b32 [%rd2], %r2;",
        wait(1),
        wait(3)
    );
    let expected: Vec<_> = (0..32).map(|t| 31 + u32::from(t > 0)).collect();
    assert_eq!(common::both(&source(&body), 32), expected);
}

#[test]
fn pairs_of_numbers_are_added_and_multiplied() {
    let body = "mov.b32 %r2, {0, 0}; cvt.rn.f32.u32 %r3, %r1; cvt.rn.f16x2.f32 %r4, 0f40000000, %r3; add.f16x2 %r5, %r4, %r4; mul.rn.f16x2 %r5, %r5, %r4;\n\
        fma.rn.f16x2 %r5, %r4, %r4, %r5; mov.b64 %rd3, {%r3, 0f3F800000}; mul.rn.f32x2 %rd4, %rd3, %rd3; add.rn.f32x2 %rd4, %rd4, %rd3;\n\
        mov.b64 {%r6, %r7}, %rd4; cvt.rzi.u32.f32 %r6, %r6; cvt.rzi.u32.f32 %r7, %r7; mov.b32 {%rs1, %rs2}, %r5;\n\
        cvt.f32.f16 %r4, %rs1; cvt.rzi.u32.f32 %r4, %r4; cvt.f32.f16 %r5, %rs2; cvt.rzi.u32.f32 %r5, %r5;\n\
        mad.lo.u32 %r6, %r6, 16, %r7; mad.lo.u32 %r6, %r6, 1024, %r4; mad.lo.u32 %r6, %r6, 16, %r5; st.global.b32 [%rd2], %r6;";
    let body = body.replace("mov.b32 %r2, {0, 0}; ", "");
    let expected = |t: u32| (((t * t + t) * 16 + 2) * 1024 + 3 * t * t) * 16 + 12;
    let expected: Vec<_> = (0..16).map(expected).collect();
    assert_eq!(common::both(&source(&body), 16), expected);
}

#[test]
fn unknown_copies_are_refused() {
    for (body, reason) in [
        (
            "cp.async.cg.shared.global [%r1], [%rd1], 8;",
            "unknown size",
        ),
        (
            "cp.async.bulk.prefetch.L2.global [%rd1], 16;",
            "state space",
        ),
        (
            "cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r1, %r1}], [%r1];",
            ".im2col",
        ),
        (
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r1}], [%r1];",
            "coordinates",
        ),
        ("mbarrier.pending_count.b64 %r1, %rd1;", ".pending_count"),
        (
            "tcgen05.mma.cta_group::2.kind::f16 [%r1], %rd1, %rd1, %r1, %p1;",
            ".cta_group::2",
        ),
        (
            "tcgen05.mma.cta_group::1.kind::mxf4 [%r1], %rd1, %rd1, %r1, %p1;",
            ".kind::mxf4",
        ),
        ("tcgen05.cp.cta_group::1.128x256b [%r1], %rd1;", ".cp"),
        (
            "wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16 {%r1,%r2,%r3,%r4}, %rd1, %rd1, 1, 1, 1, 0, 0;",
            "combination",
        ),
        (
            "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%r1,%r2,%r3,%r4}, %rd1, %rd1, %r1, 0, 1, 1, 1, 0, 0;",
            ".sp",
        ),
        ("setmaxnreg.inc.sync.aligned.u32 20;", "number of registers"),
        (
            "tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [%rd1], 1;",
            "field",
        ),
    ] {
        let message = Module::parse(&source(body)).unwrap_err().to_string();
        assert!(message.contains(reason), "{body}: {message}");
    }
    // An unknown map is found when it is used.
    let input = vec![0; 1440];
    let text = boxed(false).replace(
        "mov.b64 %rd4, from; cvta.param.u64 %rd4, %rd4;",
        "mov.b64 %rd4, %rd1;",
    );
    let text = text.replace(
        ", .param .align 64 .b8 from[128], .param .align 64 .b8 to[128]",
        "",
    );
    let text = text.replace("mov.b64 %rd5, to; cvta.param.u64 %rd5, %rd5;", "");
    let done = output(&text, 32, &input, 8448, &Options::default());
    assert!(matches!(done.unwrap_err().trouble, Trouble::Undefined(_)));
}
