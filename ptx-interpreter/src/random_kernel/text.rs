//! The text of LLVM IR while it is made.

use std::fmt;

/// The types of variables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    I1,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl Kind {
    pub const ALL: [Self; 6] = [
        Self::I32,
        Self::I64,
        Self::F32,
        Self::F64,
        Self::I16,
        Self::I1,
    ];

    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        match self {
            Self::I1 => 1,
            Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }

    pub fn bits(self) -> u64 {
        match self {
            Self::I1 => 1,
            _ => u64::from(self.bytes()) * 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// As part of an intrinsic's name.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::I1 => "i1",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::F32 => "float",
            Self::F64 => "double",
            other => other.suffix(),
        })
    }
}

/// A variable and what it holds now.
#[derive(Clone)]
pub(super) struct Variable {
    pub kind: Kind,
    /// An SSA value.
    pub value: String,
    /// Whether it may be changed here.
    pub open: bool,
}

impl Variable {
    pub fn new(kind: Kind, value: String) -> Self {
        Self {
            kind,
            value,
            open: true,
        }
    }
}

/// The body of a function.
pub(super) struct Body {
    pub text: String,
    pub variables: Vec<Variable>,
    /// The label of the block that the text ends in.
    pub block: String,
    /// Whether there is an array `%array`.
    pub array: bool,
    names: u32,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            text: String::new(),
            variables: Vec::new(),
            block: "entry".to_owned(),
            array: false,
            names: 0,
        }
    }
}

impl Body {
    /// A number that no name has yet.
    pub fn number(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    /// Adds an instruction with a result, and gives the result's name.
    pub fn value(&mut self, instruction: fmt::Arguments<'_>) -> String {
        let name = format!("%v{}", self.number());
        self.line(format_args!("{name} = {instruction}"));
        name
    }

    /// Adds an instruction.
    pub fn line(&mut self, instruction: fmt::Arguments<'_>) {
        self.text += &format!("  {instruction}\n");
    }

    /// Starts a block.
    pub fn start(&mut self, label: &str) {
        self.text += &format!("{label}:\n");
        self.block = label.to_owned();
    }
}

/// The beginning of every kernel: who the thread is, and its part of the output.
pub(super) const PROLOGUE: &str = "  \
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul i32 %block, %threads
  %global = add i32 %before, %tid
  %wide = zext i32 %global to i64
  %offset = shl i64 %wide, 9
  %own = getelementptr i8, ptr %out, i64 %offset
";

/// The intrinsics that may be called.
pub(super) const DECLARATIONS: &str = "
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i64 @llvm.bitreverse.i64(i64)
declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.smax.i64(i64, i64)
declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare float @llvm.fabs.f32(float)
declare double @llvm.fabs.f64(double)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)
declare float @llvm.minnum.f32(float, float)
declare double @llvm.minnum.f64(double, double)
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)
";
