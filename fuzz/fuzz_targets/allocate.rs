//! Random valid functions, as in the property tests, are allocated, and the
//! checker agrees. Each byte decides one thing about the function.
#![no_main]

#[path = "../../passes/tests/generator/mod.rs"]
mod generator;
#[path = "../../passes/tests/oracle/mod.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| oracle::random_problem(bytes));
