//! Parses and executes PTX as LLVM's NVPTX back end prints it, so that a kernel can be
//! run before and after register allocation and the results compared bit by bit.
//!
//! The interpreter is strict where a GPU is lenient. It refuses every opcode, modifier
//! and type it does not know; registers, local and shared memory hold garbage until
//! they are written; every access is checked for bounds and alignment. Approximate
//! instructions (`ex2.approx` and the like) are computed in double precision and
//! rounded: the same on every run, though not bit for bit what hardware gives.
//! Asynchronous instructions have their effects as late as they may, at the wait; until
//! then registers and memory that they write hold garbage, and whoever touches a register
//! in flight is found out.
//!
//! [`Module::parse`] reads a file, [`GlobalMemory`] holds its variables and the
//! caller's buffers, [`launch`](launch::launch) runs a kernel,
//! [`compare_all`](compare::compare_all) all kernels of two files.
//!
//! The interpreter's own oracle is the host: `tests/interpreter` compiles the
//! examples' kernels as C++ (`tests/host`) and compares the buffers;
//! `tests/triton/reference.py` compares Triton's kernels with numpy.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod arithmetic;
pub mod atomic;
mod barrier;
mod body;
pub mod compare;
pub mod convert;
mod decode;
pub mod error;
pub mod executed;
mod groups;
pub mod kernels;
pub mod launch;
mod lexer;
mod matrix_descriptor;
pub mod matrix_element;
mod mbarrier;
pub mod memory;
pub mod module;
pub mod operation;
mod outstanding;
mod parse;
pub mod random;
pub mod random_kernel;
pub mod random_source;
pub mod tensor_map;
mod tensor_memory;
mod thread;
pub mod types;
mod warp;

pub use error::{Fault, ParseError, Trouble};
pub use launch::{Launch, Options, Report, launch};
pub use memory::GlobalMemory;
pub use module::Module;
