//! `random-kernel [--source] --seed N`: prints a random kernel in LLVM IR, for
//! `llc-22 -mcpu=sm_90` with or without `opt-22 -O2` before it; with `--source` another one
//! in CUDA C++, for `clang-22 -x cuda --cuda-device-only -nocudainc -nocudalib`.

use std::process::ExitCode;

use ptx_interpreter::random_kernel::random_kernel;
use ptx_interpreter::random_source::random_source;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let (generate, seed): (fn(u64) -> String, _) = match arguments[..] {
        ["--seed", seed] => (random_kernel, seed),
        ["--source", "--seed", seed] => (random_source, seed),
        _ => {
            eprintln!("usage: random-kernel [--source] --seed N");
            return ExitCode::from(2);
        }
    };
    match seed.parse() {
        Ok(seed) => {
            print!("{}", generate(seed));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("random-kernel: the seed: {error}");
            ExitCode::from(2)
        }
    }
}
