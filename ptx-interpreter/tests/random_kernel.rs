//! Random kernels as text; tests/random-kernels compiles and runs them.

use ptx_interpreter::random_kernel::{PREFIX, random_kernel};

#[test]
fn a_seed_gives_one_kernel() {
    for seed in 0..300 {
        let text = random_kernel(seed);
        assert_eq!(text, random_kernel(seed), "seed {seed}");
        assert_ne!(text, random_kernel(seed + 1), "seed {seed}");
        let name = format!("define ptx_kernel void @{PREFIX}{seed}(");
        assert_eq!(text.matches(&name).count(), 1, "seed {seed}");
    }
}
