//! `random-kernel --seed N`: prints a random kernel in LLVM IR, for
//! `llc-22 -mcpu=sm_90` with or without `opt-22 -O2` before it.

use std::process::ExitCode;

use ptx_interpreter::random_kernel::random_kernel;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let seed = match arguments.as_slice() {
        [option, seed] if option == "--seed" => seed.parse(),
        _ => {
            eprintln!("usage: random-kernel --seed N");
            return ExitCode::from(2);
        }
    };
    match seed {
        Ok(seed) => {
            print!("{}", random_kernel(seed));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("random-kernel: the seed: {error}");
            ExitCode::from(2)
        }
    }
}
