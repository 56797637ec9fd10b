//! The registers that a value of a type takes.

use inkwell::llvm_sys::LLVMTypeKind::*;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMTypeRef;
use inkwell::llvm_sys::target::{LLVMPointerSizeForAS, LLVMTargetDataRef};
use smallvec::{SmallVec, smallvec};

/// The register files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A thread's registers of 32 bits.
    R,
    /// A thread's predicates.
    P,
    /// A warp's registers of 32 bits.
    UR,
    /// A warp's predicates.
    UP,
}

/// All of them.
pub const CLASSES: [Class; 4] = [Class::R, Class::P, Class::UR, Class::UP];

impl Class {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::R => "R",
            Self::P => "P",
            Self::UR => "UR",
            Self::UP => "UP",
        }
    }

    /// The file of a thread that has the same kind of registers.
    pub fn of_threads(self) -> Self {
        match self {
            Self::R | Self::UR => Self::R,
            Self::P | Self::UP => Self::P,
        }
    }

    /// The file of a warp that has the same kind of registers.
    pub fn uniform(self) -> Self {
        match self {
            Self::R | Self::UR => Self::UR,
            Self::P | Self::UP => Self::UP,
        }
    }
}

/// What the back end splits a value into: registers of a class, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// R or P.
    pub class: Class,
    /// How many.
    pub count: u32,
}

/// Arrays of more elements are no values.
const MOST_ELEMENTS: u32 = 1024;

/// The parts of a value of that type: one for each scalar in it, but one register for the
/// narrow elements of a vector that fit into it.
pub fn parts(kind: LLVMTypeRef, layout: LLVMTargetDataRef) -> SmallVec<[Part; 2]> {
    let registers = |bits: u32| Part {
        class: Class::R,
        count: bits.div_ceil(32),
    };
    let repeated = |element: LLVMTypeRef, count: u32| {
        let one = parts(element, layout);
        let all = (0..count.min(MOST_ELEMENTS)).flat_map(|_| one.iter().copied());
        all.collect()
    };
    // SAFETY: a living type, asked for what its kind has.
    unsafe {
        match LLVMGetTypeKind(kind) {
            LLVMIntegerTypeKind => match LLVMGetIntTypeWidth(kind) {
                1 => smallvec![Part {
                    class: Class::P,
                    count: 1,
                }],
                bits => smallvec![registers(bits)],
            },
            LLVMHalfTypeKind | LLVMBFloatTypeKind | LLVMFloatTypeKind => smallvec![registers(32)],
            LLVMDoubleTypeKind => smallvec![registers(64)],
            LLVMPointerTypeKind => {
                let bytes = LLVMPointerSizeForAS(layout, LLVMGetPointerAddressSpace(kind));
                smallvec![registers(8 * bytes)]
            }
            LLVMVectorTypeKind => {
                let (element, count) = (LLVMGetElementType(kind), LLVMGetVectorSize(kind));
                match narrow_bits(element) {
                    Some(bits) => smallvec![registers(32); (bits * count).div_ceil(32) as usize],
                    None => repeated(element, count),
                }
            }
            LLVMArrayTypeKind => {
                let count = u32::try_from(LLVMGetArrayLength2(kind)).unwrap_or(u32::MAX);
                repeated(LLVMGetElementType(kind), count)
            }
            LLVMStructTypeKind => {
                let fields = 0..LLVMCountStructElementTypes(kind);
                let field = |i| parts(LLVMStructGetTypeAtIndex(kind, i), layout);
                fields.flat_map(field).collect()
            }
            _ => SmallVec::new(),
        }
    }
}

/// The bits of what shares registers with its neighbours in a vector.
pub fn narrow_bits(element: LLVMTypeRef) -> Option<u32> {
    // SAFETY: as above.
    unsafe {
        match LLVMGetTypeKind(element) {
            LLVMHalfTypeKind | LLVMBFloatTypeKind => Some(16),
            LLVMIntegerTypeKind => {
                Some(LLVMGetIntTypeWidth(element)).filter(|&bits| bits > 1 && bits < 32)
            }
            _ => None,
        }
    }
}
