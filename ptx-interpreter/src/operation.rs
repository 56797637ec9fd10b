//! Instructions, decoded and typed.

mod asynchronous;

pub use asynchronous::*;

use crate::error::ParseError;
use crate::types::{Space, Type};

/// A register of a function, counted through all its declarations.
pub type Register = u32;

/// Something an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operand {
    Register(Register),
    Immediate(u64),
    Special(Special),
    /// The address of a variable in the function's local frame.
    Local(u64),
    /// The address of a variable in the function's parameter frame.
    Param(u64),
}

/// A predefined register; dimensions count from x.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Special {
    Thread(u8),
    Threads(u8),
    Block(u8),
    Blocks(u8),
    Lane,
    Warp,
    LanesBelow,
    LanesUpTo,
    LaneBit,
    LanesFrom,
    LanesAbove,
}

/// A base and a displacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// The base.
    pub base: Operand,
    /// Added to the base.
    pub offset: i64,
}

/// How a floating-point result is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// Operations with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    Negate,
    Absolute,
    CountOnes,
    LeadingZeros,
    ReverseBits,
    /// `bfind`; true for `.shiftamt`.
    FindBit(bool),
    Reciprocal,
    SquareRoot,
    ReciprocalRoot,
    Exp2,
    Log2,
    Sine,
    Cosine,
    Tanh,
}

/// Operations with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    MultiplyHigh,
    MultiplyWide,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Minimum,
    Maximum,
    /// The second operand with the sign of the first.
    CopySign,
}

/// Operations with three operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Ternary {
    MultiplyAdd,
    MultiplyAddHigh,
    MultiplyAddWide,
    FusedMultiplyAdd(Rounding),
    ExtractBits,
    PermuteBytes,
    Minimum,
    Maximum,
    FunnelLeft {
        clamp: bool,
    },
    FunnelRight {
        clamp: bool,
    },
    /// `dp4a`: the sum of four products of bytes, signed or not on each side, and the third.
    DotBytes {
        signed: [bool; 2],
    },
}

/// Comparisons; the second half is also true if a side is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualOrNan,
    NotEqualOrNan,
    LessOrNan,
    LessEqualOrNan,
    GreaterOrNan,
    GreaterEqualOrNan,
    Numbers,
    AnyNan,
}

/// What `setp` does with a second predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combine {
    /// And, or, xor.
    pub with: Binary,
    /// The other predicate.
    pub predicate: Operand,
    /// Whether that one is negated.
    pub negated: bool,
}

/// Rounding in a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConvertRounding {
    /// Exact conversions.
    None,
    /// To a representable number.
    Float(Rounding),
    /// To an integral number.
    Integer(Rounding),
}

/// A conversion between types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Conversion {
    pub to: Type,
    pub from: Type,
    pub rounding: ConvertRounding,
    pub saturate: bool,
    pub flush: bool,
}

/// What an atomic operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AtomicKind {
    Add,
    And,
    Or,
    Xor,
    Minimum,
    Maximum,
    Exchange,
    CompareExchange,
    Increment,
    Decrement,
}

/// How `shfl` finds its source lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What `vote` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum VoteMode {
    All,
    Any,
    Uniform,
    Ballot,
}

/// What `bar.red` computes of all threads' predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reduction {
    And,
    Or,
    Count,
}

/// The reduction that a barrier carries out when it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct BarrierReduction {
    pub how: Reduction,
    pub to: Register,
    pub value: Operand,
    pub negated: bool,
}

/// Operations that the threads of a warp do together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum WarpOperation {
    Shuffle {
        mode: ShuffleMode,
        to: Register,
        in_range: Option<Register>,
        value: Operand,
        lane: Operand,
        clamp: Operand,
    },
    Vote {
        mode: VoteMode,
        to: Register,
        value: Operand,
        negated: bool,
    },
    /// `redux`: what a reduction of the lanes' values gives.
    Reduce {
        how: AtomicKind,
        kind: Type,
        to: Register,
        value: Operand,
    },
    Sync,
    /// `mma.m16n8k16` with `f32` sums: each thread holds a part of each matrix.
    MultiplyMatrices {
        half: Type,
        d: [Register; 4],
        a: [Operand; 4],
        b: [Operand; 2],
        c: [Operand; 4],
    },
    /// `ldmatrix.m8n8`: one, two or four matrices of 16-bit elements.
    LoadMatrices {
        space: Space,
        transposed: bool,
        to: Box<[Register]>,
        address: Address,
    },
    /// `stmatrix.m8n8`
    StoreMatrices {
        space: Space,
        transposed: bool,
        address: Address,
        from: Box<[Operand]>,
    },
    /// `movmatrix`: one matrix, transposed.
    TransposeMatrix(Register, Operand),
    /// `elect.sync`: the lowest lane's number, and whether it is this one.
    Elect(Option<Register>, Register),
    /// `tensormap.cp_fenceproxy`: from shared to global memory.
    CopyTensorMap(Address, Address),
    Tensor(TensorOperation),
}

/// What an instruction does. Fields go in the order of the text: results first.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operation {
    /// What the file says was not understood.
    Unknown(Box<ParseError>),
    Move(Type, Register, Operand),
    /// Halves (or quarters) to one register, lowest first.
    Pack(u32, Register, Box<[Operand]>),
    /// One register to its parts.
    Unpack(u32, Box<[Option<Register>]>, Operand),
    /// The flag: subnormal numbers count as zero.
    Unary(Unary, Type, bool, Register, Operand),
    Binary(Binary, Type, bool, Register, Operand, Operand),
    Ternary(Ternary, Type, bool, Register, [Operand; 3]),
    InsertBits(Type, Register, [Operand; 4]),
    /// 32-bit multiply-add or add with the carry flag.
    Carry {
        /// `None` for a plain addition, else whether the high half is wanted.
        high: Option<bool>,
        takes: bool,
        gives: bool,
        to: Register,
        operands: [Operand; 3],
    },
    Select(Type, Register, Operand, Operand, Operand),
    Compare {
        how: Comparison,
        kind: Type,
        to: Register,
        complement: Option<Register>,
        left: Operand,
        right: Operand,
        combine: Option<Combine>,
    },
    Convert(Conversion, Register, Operand),
    /// Two conversions to half of the register each, the high one first.
    ConvertPair(Conversion, Register, Operand, Operand),
    Load(Space, Type, Box<[Option<Register>]>, Address),
    Store(Space, Type, Address, Box<[Operand]>),
    Atomic(
        AtomicKind,
        Space,
        Type,
        Option<Register>,
        Address,
        [Operand; 2],
    ),
    ToGeneric(Space, Register, Operand),
    FromGeneric(Space, Register, Operand),
    /// To a label of the function.
    Branch(u32),
    /// Through a table of the function.
    BranchTable(Operand, u32),
    Call {
        name: String,
        /// Places in the caller's parameter frame.
        arguments: Box<[u64]>,
        results: Box<[u64]>,
    },
    Return,
    Exit,
    Trap,
    /// Fences order nothing here: threads take turns. Hints and requests that change no
    /// value are such as well.
    Fence,
    /// `nanosleep`: lets the others go on.
    Sleep(Operand),
    Barrier {
        id: Operand,
        count: Option<Operand>,
        reduction: Option<BarrierReduction>,
    },
    Asynchronous(AsynchronousOperation),
    /// The membermask comes second.
    Warp(WarpOperation, Operand),
}

/// An operation, its guard and its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// A predicate, and whether it is negated.
    pub guard: Option<(Register, bool)>,
    /// What it does.
    pub operation: Operation,
    /// Line in the file.
    pub line: u32,
    /// First byte in the file, the guard's if there is one.
    pub start: usize,
}
