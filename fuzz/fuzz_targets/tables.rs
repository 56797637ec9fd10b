//! Spoilt tables cross the boundary, as in the plugin's own tests; here under a
//! sanitizer.
#![no_main]
#![allow(dead_code)] // The plugin uses the rest of its modules.

#[path = "../../src/abi.rs"]
pub mod abi;
#[path = "../../src/allocate.rs"]
mod allocate;
#[path = "../../src/apply.rs"]
mod apply;
#[path = "../../src/dump.rs"]
mod dump;
#[path = "../../src/entry.rs"]
mod entry;
#[path = "../../passes/tests/generator/mod.rs"]
mod generator;
#[path = "../../src/import/mod.rs"]
mod import;
#[path = "../../src/marks.rs"]
mod marks;
#[path = "../../src/module.rs"]
mod module;
#[path = "../../src/multiplied.rs"]
mod multiplied;
#[path = "../../src/numbers.rs"]
mod numbers;
#[path = "../../src/options/mod.rs"]
mod options;
#[path = "../../src/panics.rs"]
mod panics;
#[path = "../../src/plant.rs"]
mod plant;
#[path = "../../src/remarks/mod.rs"]
mod remarks;
#[path = "../../src/spill_space.rs"]
mod spill_space;
#[path = "../../src/import/tests/spoilt.rs"]
mod spoilt;
#[path = "../../src/import/tests/tables.rs"]
mod tables;
#[path = "../../src/waits.rs"]
mod waits;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| spoilt::cross_boundary(bytes));
