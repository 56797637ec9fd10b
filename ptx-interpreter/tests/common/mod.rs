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
