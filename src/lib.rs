//! The plugin: carries functions from LLVM to the allocator and its decisions
//! back.
//!
//! The C++ shim fills the tables of [`abi`] and calls the functions of [`entry`];
//! [`mod@allocate`] is what happens to a function then: [`import`] checks the tables and
//! builds what `passes` reads; [`apply`] turns an allocation into the tables that the shim
//! follows; `waits` and `multiplied` are about asynchronous instructions; [`remarks`] says what people
//! want to know of it; `spill_space` is PTX of our own. [`choices`] and `options` say what is
//! asked for. [`ir`] is about LLVM IR, before code is generated.
#![warn(missing_docs)]
#![warn(unsafe_op_in_unsafe_fn)]
#![deny(clippy::undocumented_unsafe_blocks)]

pub mod abi;
mod allocate;
mod apply;
pub mod choices;
mod dump;
pub mod entry;
mod import;
pub mod ir;
mod marks;
mod module;
mod multiplied;
mod numbers;
mod options;
mod panics;
mod plant;
mod remarks;
mod spill_space;
mod waits;
