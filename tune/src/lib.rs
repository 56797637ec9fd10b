//! Finds for each kernel of a module the options of Warpalloc that serve it best, and writes
//! them as a choices file.
//!
//! 1. [`variants`]: what is tried, all kernels of the module at once.
//! 2. [`measure`]: llc, ptxas and nvdisasm ([`tools`]) say what each of it costs; what they
//!    said before is in the [`cache`].
//! 3. [`rule`]: for each kernel the best of it, never worse than stock.
//! 4. [`mixture`]: the module with all that was chosen is compiled as people will compile
//!    it, and must measure as it did.
//!
//! Nothing here knows LLVM but by its commands. The same input and tools give the same file,
//! unless time decides.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod cache;
pub mod error;
pub mod figures;
pub mod measure;
pub mod mixture;
pub mod ptx;
pub mod reported;
pub mod rule;
pub mod time;
pub mod tools;
pub mod tune;
pub mod variants;

pub use error::TuneError;
pub use tune::{Outcome, Request, tune};
