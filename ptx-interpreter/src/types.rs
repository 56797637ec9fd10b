//! The types of PTX and the state spaces.

/// A type as written after an opcode: a scalar, or a pair of scalars in one register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Type {
    Pred,
    B8,
    B16,
    B32,
    B64,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    Bf16,
    F32,
    F64,
    F16x2,
    Bf16x2,
    F32x2,
    U16x2,
    S16x2,
}

const ALL: [Type; 22] = {
    use Type::*;
    [
        Pred, B8, B16, B32, B64, U8, U16, U32, U64, S8, S16, S32, S64, F16, Bf16, F32, F64, F16x2,
        Bf16x2, F32x2, U16x2, S16x2,
    ]
};

impl Type {
    /// The type of that name, without the dot.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name, without the dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pred => "pred",
            Self::B8 => "b8",
            Self::B16 => "b16",
            Self::B32 => "b32",
            Self::B64 => "b64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::S8 => "s8",
            Self::S16 => "s16",
            Self::S32 => "s32",
            Self::S64 => "s64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F16x2 => "f16x2",
            Self::Bf16x2 => "bf16x2",
            Self::F32x2 => "f32x2",
            Self::U16x2 => "u16x2",
            Self::S16x2 => "s16x2",
        }
    }

    /// Width in bits; a predicate has one.
    pub fn bits(self) -> u32 {
        match self {
            Self::Pred => 1,
            Self::B8 | Self::U8 | Self::S8 => 8,
            Self::B16 | Self::U16 | Self::S16 | Self::F16 | Self::Bf16 => 16,
            Self::B32 | Self::U32 | Self::S32 | Self::F32 => 32,
            Self::F16x2 | Self::Bf16x2 | Self::U16x2 | Self::S16x2 => 32,
            Self::B64 | Self::U64 | Self::S64 | Self::F64 | Self::F32x2 => 64,
        }
    }

    /// Size in memory.
    pub fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// Whether values are two's complement.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::S8 | Self::S16 | Self::S32 | Self::S64)
    }

    /// Whether values are floating-point numbers with arithmetic.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Whether values are floating-point numbers of half the usual width. They can be
    /// converted and multiplied as matrices.
    pub fn is_half(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16)
    }

    /// Whether it is `.b8` to `.b64`, bits without a meaning.
    pub fn is_untyped(self) -> bool {
        matches!(self, Self::B8 | Self::B16 | Self::B32 | Self::B64)
    }

    /// Whether it is a signed or unsigned integer.
    pub fn is_integer(self) -> bool {
        self.is_signed() || matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    /// The type of each of the two values, if values are pairs.
    pub fn element(self) -> Option<Self> {
        Some(match self {
            Self::F16x2 => Self::F16,
            Self::Bf16x2 => Self::Bf16,
            Self::F32x2 => Self::F32,
            Self::U16x2 => Self::U16,
            Self::S16x2 => Self::S16,
            _ => return None,
        })
    }
}

/// Where an address points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Const,
    Param,
}

impl Space {
    /// The space of that name, without the dot.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "global" => Self::Global,
            // Clusters have one block here.
            "shared" | "shared::cta" | "shared::cluster" => Self::Shared,
            "local" => Self::Local,
            "const" => Self::Const,
            "param" => Self::Param,
            _ => return None,
        })
    }

    /// The name, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Local => "local",
            Self::Const => "constant",
            Self::Param => "parameter",
        }
    }
}

/// The lowest `bits` of `value`.
pub fn truncate(value: u64, bits: u32) -> u64 {
    if bits >= 64 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

/// The lowest `bits` of `value` as a signed number.
pub fn sign_extend(value: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    ((value << shift) as i64) >> shift
}
