//! A small kernel around a few lines of PTX, run on one block.
#![allow(dead_code)] // not every test file uses all of it

use ptx_interpreter::{Fault, GlobalMemory, Launch, Module, Options, Report, Trouble, launch};

pub fn source(body: &str) -> String {
    format!(
        ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 .ptr .align 1 out)\n{{\n\
         .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
         ld.param.b64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;\n\
         {body}\nret;\n}}\n"
    )
}

/// Runs on one block; gives the words of the buffer, one for each thread.
pub fn run(text: &str, threads: u32, options: &Options) -> Result<(Vec<u32>, Report), Fault> {
    run_blocks(text, 1, threads, options)
}

/// Runs on some blocks.
pub fn run_blocks(
    text: &str,
    blocks: u32,
    threads: u32,
    options: &Options,
) -> Result<(Vec<u32>, Report), Fault> {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = GlobalMemory::new(&module);
    let out = memory.allocate("out", vec![0; (blocks * threads) as usize * 4]);
    let arguments = vec![out.to_le_bytes().to_vec()];
    let what = Launch {
        kernel: "k".into(),
        blocks: [blocks, 1, 1],
        threads: [threads, 1, 1],
        executed: None,
        arguments,
    };
    let report = launch(&module, &mut memory, &what, options)?;
    let bytes = &memory.global.all().last().unwrap().bytes;
    let words = bytes
        .chunks(4)
        .map(|w| u32::from_le_bytes(w.try_into().unwrap()));
    Ok((words.collect(), report))
}

/// With and without a shuffled schedule.
pub fn both(text: &str, threads: u32) -> Vec<u32> {
    let plain = run(text, threads, &Options::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .0;
    let options = Options {
        garbage_seed: 7,
        schedule_seed: Some(3),
        ..Options::default()
    };
    assert_eq!(plain, run(text, threads, &options).unwrap().0);
    plain
}

pub fn fault(body: &str) -> Trouble {
    let options = Options {
        step_limit: 10_000,
        ..Options::default()
    };
    run(&source(body), 32, &options).unwrap_err().trouble
}

/// A kernel of which the body gets the input in %rd1 and the output in %rd2, the thread's
/// number in %r1 and the input's bytes in shared memory from `memory` on.
pub fn with_shared(body: &str, bytes: usize) -> String {
    format!(
        ".version 8.8\n.target sm_100a\n.address_size 64\n.extern .shared .align 16 .b8 memory[];\n\
         .visible .entry k(.param .u64 .ptr .align 1 in, .param .u64 .ptr .align 1 out)\n{{\n\
         .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<400>; .reg .b64 %rd<9>;\n\
         ld.param.b64 %rd1, [in]; ld.param.b64 %rd2, [out]; mov.u32 %r1, %tid.x;\n\
         mov.b32 %r2, memory; shl.b32 %r3, %r1, 4; mov.u32 %r4, %ntid.x; shl.b32 %r4, %r4, 4;\n\
         $FILL: setp.ge.u32 %p1, %r3, {bytes}; @%p1 bra $FILLED;\n\
         cvt.u64.u32 %rd3, %r3; add.s64 %rd3, %rd1, %rd3; add.s32 %r5, %r2, %r3;\n\
         ld.global.v4.b32 {{%r6, %r7, %r8, %r9}}, [%rd3]; st.shared.v4.b32 [%r5], {{%r6, %r7, %r8, %r9}};\n\
         add.s32 %r3, %r3, %r4; bra $FILL;\n$FILLED: bar.sync 0;\n\
         {body}\nret;\n}}\n"
    )
}

/// What a kernel of that form writes to its output, which is zeros before.
pub fn output(
    text: &str,
    threads: u32,
    input: &[u8],
    bytes: usize,
    options: &Options,
) -> Result<(Vec<u8>, Report), Fault> {
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = GlobalMemory::new(&module);
    let from = memory.allocate("in", input.to_vec());
    let to = memory.allocate("out", vec![0; bytes]);
    let what = Launch {
        kernel: "k".into(),
        blocks: [1; 3],
        threads: [threads, 1, 1],
        executed: None,
        arguments: vec![from.to_le_bytes().into(), to.to_le_bytes().into()],
    };
    let report = launch(&module, &mut memory, &what, options)?;
    Ok((memory.global.all().last().unwrap().bytes.clone(), report))
}

/// The same where nothing may be wrong: with two seeds of garbage, in plain order and in a
/// jittered one.
pub fn sound(text: &str, threads: u32, input: &[u8], bytes: usize) -> Vec<u8> {
    let outputs = [(1, None), (2, None), (3, Some(4))].map(|(garbage_seed, schedule_seed)| {
        let options = Options {
            garbage_seed,
            schedule_seed,
            ..Options::default()
        };
        let done = output(text, threads, input, bytes, &options);
        let (bytes, report) = done.unwrap_or_else(|e| panic!("{e}"));
        assert!(report.in_flight.is_empty(), "{:?}", report.in_flight);
        bytes
    });
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
    outputs[0].clone()
}

/// Whether a fault shows: what the kernel writes depends on garbage, and registers in
/// flight are touched if `touches`.
pub fn shows(text: &str, threads: u32, input: &[u8], bytes: usize, touches: bool) {
    let outputs = [1, 2].map(|garbage_seed| {
        let options = Options {
            garbage_seed,
            ..Options::default()
        };
        let done = output(text, threads, input, bytes, &options);
        let (bytes, report) = done.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(!report.in_flight.is_empty(), touches);
        bytes
    });
    assert!(outputs[0] != outputs[1], "the fault does not show");
}

/// `first` to `last` of a row of registers, separated by commas.
pub fn registers(first: u32, count: u32) -> String {
    let names: Vec<_> = (first..first + count).map(|i| format!("%r{i}")).collect();
    names.join(", ")
}

/// 32-bit words of bytes.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |w: &[u8]| u32::from_le_bytes(w.try_into().unwrap());
    bytes.chunks(4).map(word).collect()
}
