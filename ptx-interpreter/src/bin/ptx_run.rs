//! `ptx-run FILE.ptx OUT`: launches every kernel with the first [`SHAPES`] of the
//! arguments that `ptx-compare` would use, and writes the launches with all buffers before and after to OUT, for
//! `tests/host` to repeat them. Exits with 1 if a launch cannot be run to its end.
//!
//! OUT is a sequence of launches; all numbers are 32-bit, little-endian:
//! the kernel's name (length, bytes), shape, seed, blocks and threads (three each), the
//! number of arguments and each (length, bytes), the number of buffers and each
//! (argument, place in the argument, which byte of the buffer is pointed to, length, bytes
//! before, bytes after).

use std::process::ExitCode;

use ptx_interpreter::compare::{Run, SEEDS, run_as_meant};
use ptx_interpreter::kernels::{Argument, SHAPES, Scenario, scenario, shapes};
use ptx_interpreter::{Module, Options};

fn number(out: &mut Vec<u8>, value: usize) {
    out.extend_from_slice(&(value as u32).to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    number(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// Argument and place of each pointer to a buffer, and where in the buffer it points, in
/// the order of the buffers.
fn pointers(scenario: &Scenario) -> Vec<[usize; 3]> {
    let of = |(i, argument): (usize, &Argument)| match argument {
        Argument::Buffer(_) => vec![[i, 0, 0]],
        Argument::Inside(start, _) => vec![[i, 0, *start]],
        // Nobody can repeat what is not there as a whole: no shape here has such.
        Argument::Bytes(_) | Argument::Parts(_) => Vec::new(),
        Argument::Structure { pointers, .. } => pointers.iter().map(|p| [i, p.0, 0]).collect(),
    };
    scenario.arguments.iter().enumerate().flat_map(of).collect()
}

fn write(out: &mut Vec<u8>, kernel: &str, at: [usize; 2], scenario: &Scenario, run: &Run) {
    bytes(out, kernel.as_bytes());
    at.into_iter().for_each(|n| number(out, n));
    let shape = scenario.blocks.iter().chain(&scenario.threads);
    shape.for_each(|&n| number(out, n as usize));
    number(out, run.arguments.len());
    run.arguments.iter().for_each(|a| bytes(out, a));
    let pointers = pointers(scenario);
    number(out, pointers.len());
    // The buffers were allocated last, in order.
    let first = run.before.global.all().len() - pointers.len();
    let regions = run.before.global.all().iter().zip(run.after.global.all());
    for (pointer, (before, after)) in pointers.into_iter().zip(regions.skip(first)) {
        pointer.into_iter().for_each(|n| number(out, n));
        bytes(out, &before.bytes);
        out.extend_from_slice(&after.bytes);
    }
}

fn record(file: &str) -> Result<Vec<u8>, String> {
    let source = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let module = Module::parse(&source).map_err(|e| e.to_string())?;
    let mut out = Vec::new();
    for kernel in module.kernels().filter(|f| !f.is_empty()) {
        for (shape, seed) in
            (0..shapes(kernel).min(SHAPES)).flat_map(|shape| SEEDS.map(|seed| (shape, seed)))
        {
            let scenario = scenario(kernel, shape, seed);
            let (run, _) = run_as_meant(&module, &kernel.name, &scenario, &Options::default())
                .map_err(|e| e.to_string())?;
            let at = [shape, seed as usize];
            write(&mut out, &kernel.name, at, &scenario, &run);
        }
    }
    Ok(out)
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [file, out] = arguments.as_slice() else {
        eprintln!("usage: ptx-run FILE.ptx OUT");
        return ExitCode::from(2);
    };
    let written = record(file).and_then(|r| std::fs::write(out, r).map_err(|e| e.to_string()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{file}: {e}");
            ExitCode::FAILURE
        }
    }
}
