//! What can go wrong: text that is not understood, and programs that misbehave.

use thiserror::Error;

/// A file was refused: it holds something the interpreter does not know.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}: {text}")]
pub struct ParseError {
    /// Line in the file, from one.
    pub line: u32,
    /// The line itself.
    pub text: String,
    /// Why it was refused.
    pub reason: String,
}

/// A running program did something it must not.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{function}, line {line}, block {block:?}, thread {thread}: {trouble}")]
pub struct Fault {
    /// The function that was executing.
    pub function: String,
    /// Line of the instruction in the file; zero if none is to blame.
    pub line: u32,
    /// The block in the grid.
    pub block: [u32; 3],
    /// The thread in its block, counted through all dimensions.
    pub thread: u32,
    /// What happened.
    pub trouble: Trouble,
}

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Trouble {
    /// An access outside of every variable and buffer.
    #[error("{bytes} bytes at {address:#x} in {space} memory are out of bounds")]
    OutOfBounds {
        /// The state space.
        space: &'static str,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: usize,
    },
    /// An address that is no multiple of the access's size.
    #[error("{bytes} bytes at {address:#x} are misaligned")]
    Misaligned {
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: usize,
    },
    /// A spill slot in shared memory that another thread has written.
    #[error("the spill slot at {address:#x} is another thread's")]
    NotItsOwn {
        /// First byte.
        address: u64,
    },
    /// A store to constant memory or to a kernel's parameters.
    #[error("a store to read-only memory")]
    ReadOnly,
    /// A generic address that belongs to another space than the one it is cast to.
    #[error("{address:#x} is not an address in {space} memory")]
    WrongSpace {
        /// The space of the cast.
        space: &'static str,
        /// The address.
        address: u64,
    },
    /// More instructions than the launch allows.
    #[error("the step limit is reached")]
    StepLimit,
    /// `trap`, or a branch out of its table, or the like.
    #[error("{0}")]
    Undefined(&'static str),
    /// No thread can go on.
    #[error("deadlock: every thread waits")]
    Deadlock,
    /// An instruction that the interpreter does not know.
    #[error("{0}")]
    Unknown(ParseError),
    /// The launch does not fit the kernel.
    #[error("launch: {0}")]
    Launch(String),
}
