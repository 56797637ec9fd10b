//! Where the elements of a matrix lie that a descriptor of 64 bits names in shared memory.
//!
//! A matrix is cut into core matrices of eight rows of 16 bytes. Swizzled, two, four or
//! eight of these stand side by side and the 16-byte pieces of a row change places
//! within it, depending on the row. Offsets between are in the descriptor: for a matrix
//! whose elements follow each other along k the stride goes from eight rows to the next
//! and the leading offset, without a swizzle only, from 16 bytes to the next; along the
//! other dimension the stride goes from eight k to the next and the leading offset from
//! one swizzled row to what continues it, and without a swizzle the other way round.
//!
//! Source: the PTX ISA manual, "Matrix descriptor", "Canonical layouts" and "Strides" of
//! `wgmma` and of `tcgen05`.

use crate::error::Trouble;

/// How the pieces of a row change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Swizzle {
    None,
    /// Rows of 32 bytes.
    Bytes32,
    /// Rows of 64 bytes.
    Bytes64,
    /// Rows of 128 bytes.
    Bytes128,
    /// Rows of 128 bytes, of which pieces of 32 bytes change places.
    Bytes128By32,
}

impl Swizzle {
    /// Bytes of a row; of a core matrix' without a swizzle.
    pub fn width(self) -> u64 {
        match self {
            Self::None => 16,
            Self::Bytes32 => 32,
            Self::Bytes64 => 64,
            Self::Bytes128 | Self::Bytes128By32 => 128,
        }
    }

    /// Where the byte is that would be at `address` without a swizzle.
    pub fn applied(self, address: u64) -> u64 {
        let row = address >> 7;
        address
            ^ match self {
                Self::None => 0,
                Self::Bytes32 => (row & 1) << 4,
                Self::Bytes64 => (row & 3) << 4,
                Self::Bytes128 => (row & 7) << 4,
                Self::Bytes128By32 => (row & 3) << 5,
            }
    }
}

/// A descriptor, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MatrixDescriptor {
    start: u64,
    leading: u64,
    stride: u64,
    swizzle: Swizzle,
}

impl MatrixDescriptor {
    /// Reads a descriptor of `wgmma`.
    pub fn of_warpgroup(bits: u64) -> Result<Self, Trouble> {
        const SWIZZLES: [Swizzle; 4] = [
            Swizzle::None,
            Swizzle::Bytes128,
            Swizzle::Bytes64,
            Swizzle::Bytes32,
        ];
        Self::new(bits, SWIZZLES[(bits >> 62) as usize])
    }

    /// Reads a descriptor of `tcgen05`.
    pub fn of_tensor_core(bits: u64) -> Result<Self, Trouble> {
        let swizzle = match bits >> 61 {
            0 => Swizzle::None,
            1 => Swizzle::Bytes128By32,
            2 => Swizzle::Bytes128,
            4 => Swizzle::Bytes64,
            6 => Swizzle::Bytes32,
            _ => {
                return Err(Trouble::Undefined(
                    "a matrix descriptor without a swizzle mode",
                ));
            }
        };
        // Three bits are 001 by the manual, but compilers leave them zero.
        if bits >> 46 & 7 > 1 || bits >> 52 & 0x1ff != 0 {
            return Err(Trouble::Undefined("a matrix descriptor of unknown form"));
        }
        Self::new(bits, swizzle)
    }

    fn new(bits: u64, swizzle: Swizzle) -> Result<Self, Trouble> {
        if bits >> 49 & 7 != 0 {
            return Err(Trouble::Undefined("a matrix descriptor with a base offset"));
        }
        let field = |at: u32| (bits >> at & 0x3fff) << 4;
        Ok(Self {
            start: field(0),
            leading: field(16),
            stride: field(32),
            swizzle,
        })
    }

    /// Address of the element in row `row` and column `k` of A, or in column `row` and row
    /// `k` of B. `transposed`: elements follow each other along the rows, not along k.
    pub fn address(&self, row: usize, k: usize, bytes: usize, transposed: bool) -> u64 {
        let (row, k, bytes) = (row as u64, k as u64, bytes as u64);
        let width = self.swizzle.width();
        // Along the elements that follow each other, in bytes, and across them.
        let (along, across) = if transposed { (row, k) } else { (k, row) };
        let along = along * bytes;
        let place = match (self.swizzle, transposed) {
            (Swizzle::None, false) => {
                across / 8 * self.stride + across % 8 * 16 + along / 16 * self.leading + along % 16
            }
            (Swizzle::None, true) => {
                across / 8 * self.leading + across % 8 * 16 + along / 16 * self.stride + along % 16
            }
            // One instruction needs no more of a row than its width.
            (_, false) => across / 8 * self.stride + across % 8 * width + along,
            (_, true) => {
                across / 8 * self.stride
                    + across % 8 * width
                    + along / width * self.leading
                    + along % width
            }
        };
        self.swizzle.applied(self.start + place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(start: u64, leading: u64, stride: u64, swizzle: u64) -> u64 {
        start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | swizzle << 62
    }

    /// Each of the elements has a place of its own, in a row of eight times the width.
    #[test]
    fn swizzled_matrices_are_permutations() {
        for (mode, width) in [(1, 128), (2, 64), (3, 32)] {
            let bits = descriptor(0x400, 0, 8 * width as u64, mode);
            let d = MatrixDescriptor::of_warpgroup(bits).unwrap();
            let places = (0..64).flat_map(|row| (0..width / 2).map(move |k| (row, k)));
            let mut places: Vec<_> = places.map(|(r, k)| d.address(r, k, 2, false)).collect();
            places.sort_unstable();
            let expected = (0..64 * width / 2).map(|i| 0x400 + 2 * i as u64);
            assert_eq!(places, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_places_of_each_layout() {
        let at = |mode, row, k, transposed| {
            let bits = descriptor(0, 0x2000, 0x400, mode);
            let d = MatrixDescriptor::of_warpgroup(bits).unwrap();
            d.address(row, k, 2, transposed)
        };
        // Row 1 of 128 bytes begins with its second piece.
        assert_eq!(at(1, 1, 0, false), 128 + 16);
        assert_eq!(at(1, 9, 8, false), 0x400 + 128);
        assert_eq!(at(1, 64, 1, true), 0x2000 + 128 + 16);
        assert_eq!(at(1, 0, 8, true), 0x400);
        assert_eq!(at(0, 1, 8, false), 16 + 0x2000);
        assert_eq!(at(0, 8, 0, false), 0x400);
        assert_eq!(at(0, 8, 9, true), 0x400 + 0x2000 + 16);
        assert_eq!(at(2, 2, 0, false), 128 + 16);
        assert_eq!(at(3, 4, 0, false), 128 + 16);
    }

    #[test]
    fn unknown_descriptors_are_refused() {
        assert!(MatrixDescriptor::of_warpgroup(1 << 49).is_err());
        assert!(MatrixDescriptor::of_tensor_core(1 << 52).is_err());
        assert!(MatrixDescriptor::of_tensor_core(1 << 47).is_err());
        assert!(MatrixDescriptor::of_tensor_core(1 << 46 | 3 << 61).is_err());
        assert!(MatrixDescriptor::of_tensor_core(1 << 46 | 2 << 61).is_ok());
    }
}
