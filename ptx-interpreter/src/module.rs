//! A parsed file: its variables and functions.

use rustc_hash::FxHashMap;

use crate::error::ParseError;
use crate::operation::{Instruction, Operation};
use crate::types::{Space, Type};

/// A variable in global, constant or shared memory.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it lives.
    pub space: Space,
    /// Its address in that space.
    pub address: u64,
    /// Its size in bytes.
    pub size: usize,
    /// Initial contents, zeros where the file gives none.
    pub contents: Vec<u8>,
}

/// A parameter or result, with its place in the function's parameter frame.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// First byte in the frame.
    pub offset: u64,
    /// Its size in bytes.
    pub size: usize,
    /// The type of a scalar.
    pub scalar: Option<Type>,
    /// Whether the text calls it a pointer.
    pub pointer: bool,
}

/// A kernel or device function.
#[derive(Debug, Clone, Default)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether it is a kernel.
    pub kernel: bool,
    /// Parameters in order.
    pub parameters: Vec<Parameter>,
    /// Results in order.
    pub results: Vec<Parameter>,
    /// The most threads a block may have, if the file says so.
    pub most_threads: Option<u64>,
    /// The types of all registers.
    pub registers: Vec<Type>,
    /// Size of the frame for parameters: its own and those of the calls it makes.
    pub param_frame: u64,
    /// Size of the local variables.
    pub local_frame: u64,
    /// The code.
    pub instructions: Vec<Instruction>,
    /// The instruction that each label stands before.
    pub labels: Vec<u32>,
    /// Tables of labels.
    pub tables: Vec<Vec<u32>>,
}

impl Function {
    /// Whether it only returns.
    pub fn is_empty(&self) -> bool {
        matches!(&self.instructions[..], [only] if only.operation == Operation::Return)
    }
}

/// A parsed file.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Variables outside of frames, `.shared` ones of functions included.
    pub variables: Vec<Variable>,
    /// Functions with a body, in order.
    pub functions: Vec<Function>,
    /// From names to functions.
    pub by_name: FxHashMap<String, usize>,
    /// Size of the shared memory of a block.
    pub shared_size: u64,
}

impl Module {
    /// Reads a file; refuses what it does not know.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        crate::parse::module(source, false)
    }

    /// Reads a file of which not every kernel need be known: an instruction that is not is
    /// [`Operation::Unknown`] and ends whatever executes it.
    pub fn parse_lenient(source: &str) -> Result<Self, ParseError> {
        crate::parse::module(source, true)
    }

    /// The kernels, in order.
    pub fn kernels(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|f| f.kernel)
    }
}
