//! Small kernels, run; and programs that must be refused or stopped.

mod common;

use common::{both, fault, run, source};
use ptx_interpreter::operation::{Instruction, Operation};
use ptx_interpreter::{GlobalMemory, Launch, Module, Options, Trouble, launch};

fn refusal(body: &str) -> String {
    Module::parse(&source(body)).unwrap_err().to_string()
}

#[test]
fn threads_diverge_and_loop_differently() {
    let body = "mov.b32 %r2, 0; mov.b32 %r3, 0;\n\
        $L1: setp.ge.u32 %p1, %r2, %r1; @%p1 bra $L2;\n\
        add.s32 %r2, %r2, 1; add.s32 %r3, %r3, %r2; bra.uni $L1;\n\
        $L2: @!%p1 trap; st.global.b32 [%rd2], %r3;";
    let expected: Vec<_> = (0..40).map(|t| t * (t + 1) / 2).collect();
    assert_eq!(both(&source(body), 40), expected);
}

#[test]
fn lanes_are_reduced_by_those_that_take_part() {
    let body = |how: &str| {
        let body = format!(
            "and.b32 %r2, %r1, 1; setp.ne.b32 %p1, %r2, 0; sub.s32 %r3, 5, %r1;\n\
             @%p1 bra $ODD; redux.sync.{how} %r4, %r3, 0x55555555; bra $END;\n\
             $ODD: redux.sync.{how} %r4, %r3, 0xaaaaaaaa;\n$END: st.global.b32 [%rd2], %r4;"
        );
        let words = both(&source(&body), 32);
        assert_eq!([words[0], words[1]], [words[30], words[31]]);
        [words[0] as i32, words[1] as i32]
    };
    assert_eq!(body("add.s32"), [5 * 16 - 240, 5 * 16 - 256]);
    assert_eq!(body("max.s32"), [5, 4]);
    assert_eq!(body("min.s32"), [-25, -26]);
    assert_eq!(body("min.u32"), [1, 0]);
    assert!(refusal("redux.sync.exch.b32 %r2, %r1, -1;").contains("exch"));
    assert!(refusal("redux.sync.and.s32 %r2, %r1, -1;").contains("unknown type"));
}

#[test]
fn what_is_not_known_may_wait_until_it_is_executed() {
    let body = "setp.gt.u32 %p1, %r1, 40; @!%p1 bra $L;\nvsub4.u32.u32.u32 %r2, %r1, %none;\n\
        call.uni elsewhere, ();\n$L: st.global.b32 [%rd2], %r1;";
    let text = source(body);
    assert!(Module::parse(&text).is_err());
    let module = Module::parse_lenient(&text).unwrap();
    let unknown = |i: &&Instruction| matches!(i.operation, Operation::Unknown(_));
    let instructions = &module.functions[0].instructions;
    assert_eq!(instructions.iter().filter(unknown).count(), 2);
    // Each thread executes as many as it needs, and nobody those.
    for (threads, fails) in [(32, false), (64, true)] {
        let mut memory = GlobalMemory::new(&module);
        let out = memory.allocate("out", vec![0; 256]);
        let what = Launch {
            kernel: "k".into(),
            blocks: [1; 3],
            threads: [threads, 1, 1],
            executed: None,
            arguments: vec![out.to_le_bytes().into()],
        };
        let result = launch(&module, &mut memory, &what, &Options::default());
        match result {
            Ok(_) => assert!(!fails),
            Err(fault) => {
                assert!(
                    fails && matches!(fault.trouble, Trouble::Unknown(_)),
                    "{fault}"
                )
            }
        }
    }
}

#[test]
fn shared_memory_is_exchanged_across_a_barrier() {
    let body = ".shared .align 4 .b8 buffer[256];\n\
        mov.b64 %rd3, buffer; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd3, %rd4;\n\
        st.shared.b32 [%rd5], %r1; bar.sync 0;\n\
        sub.s32 %r2, 63, %r1; mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd3, %rd4;\n\
        cvta.shared.u64 %rd6, %rd5; ld.b32 %r3, [%rd6]; st.global.b32 [%rd2], %r3;";
    assert_eq!(both(&source(body), 64), (0..64).rev().collect::<Vec<_>>());
}

#[test]
fn addresses_in_shared_memory_have_32_bits() {
    let body = ".shared .align 4 .b8 word[4];\n\
        mov.b64 %rd3, word; add.s64 %rd3, %rd3, 0x500000000; st.shared.b32 [%rd3], 7;\n\
        ld.shared.b32 %r2, [word]; st.global.b32 [%rd2], %r2;";
    assert_eq!(both(&source(body), 1), [7]);
}

#[test]
fn lanes_shuffle_and_vote() {
    let body = "shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;\n\
        shfl.sync.up.b32 %r3|%p1, %r1, 1, 0, -1; shfl.sync.down.b32 %r4|%p2, %r1, 2, 31, -1;\n\
        selp.b32 %r5, 1000, 0, %p1; add.s32 %r2, %r2, %r5; selp.b32 %r5, 2000, 0, %p2;\n\
        add.s32 %r2, %r2, %r5; setp.lt.u32 %p3, %r1, 3;\n\
        vote.sync.ballot.b32 %r6, %p3, -1; mul.lo.s32 %r6, %r6, 10000;\n\
        add.s32 %r2, %r2, %r6; st.global.b32 [%rd2], %r2;";
    let expected = |t: u32| (t ^ 5) + 1000 * u32::from(t > 0) + 2000 * u32::from(t < 30) + 70000;
    assert_eq!(
        both(&source(body), 32),
        (0..32).map(expected).collect::<Vec<_>>()
    );
}

#[test]
fn calls_pass_scalars_and_structures() {
    let callee = ".func (.param .align 8 .b8 result[16]) swap(.param .align 8 .b8 pair[16], .param .b32 add)\n{\n\
        .reg .b32 %r<3>; .reg .b64 %rd<3>;\n\
        ld.param.b64 %rd1, [pair]; ld.param.b64 %rd2, [pair+8]; ld.param.b32 %r1, [add]; cvt.u64.u32 %rd0, %r1;\n\
        add.s64 %rd2, %rd2, %rd0; st.param.b64 [result], %rd2; st.param.b64 [result+8], %rd1; ret;\n}\n";
    let body = "cvt.u64.u32 %rd3, %r1;\n{\n.param .align 8 .b8 param0[16]; .param .b32 param1; .param .align 8 .b8 retval0[16];\n\
        st.param.b64 [param0], 7; st.param.b64 [param0+8], %rd3; st.param.b32 [param1], 100;\n\
        call.uni (retval0), swap, (param0, param1);\n\
        ld.param.b64 %rd4, [retval0]; ld.param.b64 %rd5, [retval0+8];\n}\n\
        mad.lo.s64 %rd4, %rd4, 10, %rd5; st.global.b32 [%rd2], %rd4;";
    let text = source(body).replacen(".visible .entry", &format!("{callee}.visible .entry"), 1);
    assert_eq!(
        both(&text, 33),
        (0..33).map(|t| (t + 100) * 10 + 7).collect::<Vec<_>>()
    );
}

#[test]
fn local_arrays_are_a_thread_s_own() {
    let body = ".local .align 4 .b8 depot[64];\n\
        mov.b64 %rd3, depot; cvta.local.u64 %rd4, %rd3; and.b32 %r2, %r1, 15;\n\
        mul.wide.u32 %rd5, %r2, 4; add.s64 %rd6, %rd4, %rd5; st.b32 [%rd6], %r1;\n\
        add.s64 %rd7, %rd3, %rd5; ld.local.b32 %r3, [%rd7]; st.global.b32 [%rd2], %r3;";
    assert_eq!(both(&source(body), 40), (0..40).collect::<Vec<_>>());
}

#[test]
fn atomics_add_up() {
    for order in ["global", "relaxed.gpu.global", "global.gpu.acq_rel"] {
        let body = format!("atom.{order}.add.u32 %r2, [%rd1], 2;");
        assert_eq!(both(&source(&body), 50)[0], 100);
    }
}

#[test]
fn unwritten_registers_and_local_bytes_are_counted() {
    let body = ".local .align 4 .b8 depot[8];\nadd.s32 %r5, %r6, 1;\nld.local.b32 %r7, [depot];";
    let (_, report) = run(&source(body), 32, &Options::default()).unwrap();
    assert_eq!(report.unwritten_registers.values().sum::<u64>(), 32);
    assert_eq!(report.unwritten_local.values().sum::<u64>(), 32);
}

#[test]
fn the_unknown_is_refused() {
    for (body, reason) in [
        ("frobnicate.b32 %r1, %r2;", "unknown opcode frobnicate"),
        (
            "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1], %r2;",
            "unknown opcode wmma",
        ),
        (
            "add.sat.s32 %r1, %r1, %r1;",
            "unknown modifier or type .sat",
        ),
        (
            "fma.rn.relu.f32 %r1, %r1, %r1, %r1;",
            "unknown modifier or type .relu",
        ),
        (
            "ld.global.L1::no_allocate.b32 %r1, [%rd1];",
            "unknown modifier or type .L1::no_allocate",
        ),
        (
            "shfl.sync.bfly.b32.odd %r1, %r1, 1, 31, -1;",
            "unknown modifier .odd",
        ),
        ("div.rn.f16 %rs1, %rs1, %rs1;", "unknown type"),
        ("mul.hi.s16x2 %r1, %r1, %r1;", "unknown type"),
        ("shl.u16x2 %r1, %r1, %r2;", "unknown type"),
        ("atom.global.add.f16x2 %r1, [%rd1], %r1;", "unknown type"),
        (
            "add.f16x4 %rd1, %rd1, %rd1;",
            "unknown modifier or type .f16x4",
        ),
        ("mov.f16 %rs1, %rs2;", "unknown type"),
        ("ld.global.f16 %rs1, [%rd1];", "unknown type"),
        ("setp.lt.f16x2 %p1, %r1, %r2;", "unknown type"),
        ("cvt.rz.f16.f32 %rs1, %r1;", "unknown type"),
        (
            "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r1,%r2,%r3,%r4};",
            "unknown or missing modifier .row",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r1,%r2,%r3,%r4};",
            "unknown or missing modifier .bf16",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r1,%r2}, {%r1,%r2,%r3,%r4};",
            "a vector of another size",
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r1}, [%rd1];",
            "unknown state space",
        ),
        (
            "bar.red.xor.pred %p1, 0, %p2;",
            "unknown or missing modifier .xor",
        ),
        (
            "cvta.to.param.u64 %rd1, %rd2;",
            "unknown or missing state space",
        ),
        ("nanosleep.u64 %rd1;", "unknown or missing modifier .u64"),
        ("add.b32 %r1, %r1, %r1;", "unknown type"),
        ("div.f32 %r1, %r1, %r1;", "unknown rounding"),
        ("add.s32 %r1, %rd1, %r1;", "another width"),
        ("add.s32 %r1, %r99, %r1;", "undeclared register"),
        ("mov.u32 %r1, %clock;", "undeclared register"),
        ("call.uni elsewhere, ();", "no function elsewhere"),
        ("bra $nowhere;", "no label $nowhere"),
        (".weak $L;", "unknown opcode"),
    ] {
        let message = refusal(body);
        assert!(message.contains(reason), "{body}: {message}");
    }
    assert!(refusal("\nfrobnicate.b32 %r1, %r2;").starts_with("line 9: "));
}

#[test]
fn bad_accesses_stop_the_kernel() {
    let outside = |body| matches!(fault(body), Trouble::OutOfBounds { .. });
    assert!(outside("ld.global.b32 %r2, [%rd1+128];"));
    assert!(outside("ld.global.b32 %r2, [%rd1+-4];"));
    assert!(outside("mov.b64 %rd3, 0; st.b32 [%rd3], 1;"));
    assert!(outside(
        ".shared .align 4 .b8 s[4];\nld.shared.b32 %r2, [s+4];"
    ));
    assert!(outside(
        ".local .align 4 .b8 l[4];\nld.local.b32 %r2, [l+4];"
    ));
    assert!(matches!(
        fault("ld.global.b32 %r2, [%rd1+2];"),
        Trouble::Misaligned { .. }
    ));
    assert!(matches!(
        fault("ld.global.v4.b32 {%r2, _, _, %r3}, [%rd1+8];"),
        Trouble::Misaligned { .. }
    ));
    assert_eq!(fault("st.param.b64 [out], %rd1;"), Trouble::ReadOnly);
    assert!(matches!(
        fault("cvta.to.shared.u64 %rd3, %rd1;"),
        Trouble::WrongSpace { .. }
    ));
}

#[test]
fn runaway_and_stuck_kernels_end() {
    assert_eq!(fault("$L: bra $L;"), Trouble::StepLimit);
    assert_eq!(fault("trap;"), Trouble::Undefined("trap"));
    let split = "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $L;\nbar.sync 1;\n$L: bar.sync 0;";
    assert_eq!(fault(split), Trouble::Deadlock);
    let exited = "setp.eq.s32 %p1, %r1, 0; @%p1 ret; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;";
    assert!(matches!(fault(exited), Trouble::Undefined(_)));
}

#[test]
fn narrow_loads_and_conversions_extend_by_their_type() {
    let body = "st.global.b32 [%rd2], -32641;\n\
        ld.global.s8 %r2, [%rd2]; ld.global.u8 %r3, [%rd2+1]; ld.global.s16 %r4, [%rd2]; ld.global.s8 %rs1, [%rd2+1];\n\
        cvt.s32.s16 %r5, %rs1; cvt.u32.u16 %r6, %rs1; cvt.s32.s8 %r7, %r3;\n\
        add.s32 %r2, %r2, %r3; add.s32 %r2, %r2, %r4; add.s32 %r2, %r2, %r5; add.s32 %r2, %r2, %r6; add.s32 %r2, %r2, %r7;\n\
        st.global.b32 [%rd2], %r2;";
    // The word is 0xffff807f: bytes 0x7f and 0x80.
    let expected = 127 + 128 - 32641 - 128 + 0xff80 - 128;
    assert_eq!(both(&source(body), 32), vec![expected as u32; 32]);
}

#[test]
fn votes_may_negate_their_predicate() {
    let body = "setp.lt.u32 %p1, %r1, 3; vote.sync.ballot.b32 %r2, !%p1, -1; vote.sync.all.pred %p2, !%p1, -1;\n\
        vote.sync.any.pred %p3, !%p1, -1; vote.sync.uni.pred %p4, !%p1, -1;\n\
        selp.b32 %r3, 1, 0, %p2; selp.b32 %r4, 2, 0, %p3; selp.b32 %r5, 4, 0, %p4;\n\
        sub.s32 %r2, %r2, %r3; sub.s32 %r2, %r2, %r4; sub.s32 %r2, %r2, %r5; st.global.b32 [%rd2], %r2;";
    assert_eq!(both(&source(body), 32), vec![0xffff_fff8 - 2; 32]);
}

#[test]
fn comparisons_combine_with_a_predicate() {
    let body = "setp.lt.u32 %p1, %r1, 4;\n\
        setp.ge.and.u32 %p2|%p3, %r1, 2, %p1; setp.eq.or.u32 %p4, %r1, 9, !%p1; setp.ge.xor.u32 %p5, %r1, 2, %p1;\n\
        selp.b32 %r2, 1, 0, %p2; selp.b32 %r3, 2, 0, %p3; selp.b32 %r4, 4, 0, %p4; selp.b32 %r5, 8, 0, %p5;\n\
        add.s32 %r2, %r2, %r3; add.s32 %r2, %r2, %r4; add.s32 %r2, %r2, %r5; st.global.b32 [%rd2], %r2;";
    let expected = |t: u32| {
        let (first, second) = (t < 4, t >= 2);
        let bit = |condition: bool, bit: u32| u32::from(condition) * bit;
        // The second result combines the opposite comparison with the same predicate.
        bit(second && first, 1)
            + bit(!second && first, 2)
            + bit(t == 9 || !first, 4)
            + bit(second != first, 8)
    };
    assert_eq!(
        both(&source(body), 32),
        (0..32).map(expected).collect::<Vec<_>>()
    );
}
