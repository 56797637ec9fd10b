//! What can go wrong.

use std::path::PathBuf;
use thiserror::Error;

/// Why there are no choices.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A program cannot be started.
    #[error("cannot run {}: {error}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A program refuses.
    #[error("{} failed: {message}", program.display())]
    Failed {
        /// The program.
        program: PathBuf,
        /// What it said.
        message: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// What a program printed is not understood.
    #[error("what {program} printed is not understood: {message}")]
    Output {
        /// The program.
        program: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// Nothing to do.
    #[error("{} has no kernels", .0.display())]
    NoKernels(PathBuf),
    /// There are no SMs of this name.
    #[error("'{0}' is no processor: give one such as sm_90a")]
    Processor(String),
    /// The timing says nothing.
    #[error("the timing command printed no number for '{kernel}', but: {output}")]
    Time {
        /// The kernel.
        kernel: String,
        /// What it printed.
        output: String,
    },
}
