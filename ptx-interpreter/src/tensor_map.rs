//! Tensor maps: descriptions of arrays in global memory of which boxes are copied.
//!
//! On a GPU the 128 bytes of a map are opaque. Here they are the interpreter's own: the
//! address first, so that arguments can have it filled in, then the other fields in
//! order. What `tensormap.replace` writes to zeros is a map as well.
//!
//! Source: the PTX ISA manual, "Tensors", "Swizzling modes" and `tensormap.replace`.

use crate::error::Trouble;
use crate::matrix_descriptor::Swizzle;
use crate::operation::TensorMapField;

/// Size of a map.
pub const BYTES: usize = 128;
/// The most dimensions.
const MOST: usize = 5;

/// A tensor map, read. Dimensions count from the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TensorMap {
    /// Address of the first element.
    pub address: u64,
    /// How many dimensions, less one.
    pub last: u8,
    /// Type of the elements, as `tensormap.replace` numbers them.
    pub element: u8,
    /// How pieces of a row change places in shared memory, numbered likewise.
    pub swizzle: u8,
    /// Other fields that must be zero.
    unsupported: u8,
    /// Elements in each dimension.
    pub dimensions: [u32; MOST],
    /// Elements of a box in each dimension.
    pub sides: [u32; MOST],
    /// Every how manyth element is taken.
    pub steps: [u32; MOST],
    /// Bytes from one element to the next in all dimensions but the first.
    pub strides: [u64; MOST - 1],
}

/// A row of a box: elements that lie next to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// The first byte that exists in the array; `None` if the row is outside.
    pub address: Option<u64>,
    /// How many bytes of the box lie before the array.
    pub before: usize,
    /// How many bytes exist.
    pub present: usize,
}

impl TensorMap {
    /// A map of a matrix whose rows lie one after the other.
    pub fn of_rows(element: u8, dimensions: [u32; 2], sides: [u32; 2], swizzle: u8) -> Self {
        let mut map = Self {
            element,
            last: 1,
            swizzle,
            steps: [1; MOST],
            ..Self::default()
        };
        map.dimensions[..2].copy_from_slice(&dimensions);
        map.sides[..2].copy_from_slice(&sides);
        map.strides[0] = u64::from(dimensions[0]) * map.element_bytes().unwrap_or(0) as u64;
        map
    }

    /// Reads a map.
    pub fn read(bytes: &[u8; BYTES]) -> Self {
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        let wide = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let words = |at: usize| [0, 1, 2, 3, 4].map(|i| word(at + 4 * i));
        Self {
            address: wide(0),
            last: bytes[8],
            element: bytes[9],
            swizzle: bytes[10],
            unsupported: bytes[11],
            dimensions: words(12),
            sides: words(32),
            steps: words(52),
            strides: [0, 1, 2, 3].map(|i| wide(72 + 8 * i)),
        }
    }

    /// Writes a map.
    pub fn bytes(&self) -> [u8; BYTES] {
        let mut out = [0; BYTES];
        let words = |out: &mut [u8], at: usize, words: &[u32; MOST]| {
            for (i, word) in words.iter().enumerate() {
                out[at + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
            }
        };
        out[..8].copy_from_slice(&self.address.to_le_bytes());
        out[8..12].copy_from_slice(&[self.last, self.element, self.swizzle, self.unsupported]);
        words(&mut out, 12, &self.dimensions);
        words(&mut out, 32, &self.sides);
        words(&mut out, 52, &self.steps);
        for (i, stride) in self.strides.iter().enumerate() {
            out[72 + 8 * i..][..8].copy_from_slice(&stride.to_le_bytes());
        }
        out
    }

    /// Changes one field.
    pub(crate) fn replace(&mut self, field: TensorMapField, value: u64) {
        use TensorMapField as F;
        match field {
            F::GlobalAddress => self.address = value,
            F::Rank => self.last = value as u8,
            F::BoxDimension(i) => self.sides[i] = value as u32,
            F::GlobalDimension(i) => self.dimensions[i] = value as u32,
            F::GlobalStride(i) => self.strides[i] = value,
            F::ElementStride(i) => self.steps[i] = value as u32,
            F::ElementType => self.element = value as u8,
            F::Swizzle => self.swizzle = value as u8,
            F::Interleave | F::Fill => self.unsupported |= value as u8,
        }
    }

    fn element_bytes(&self) -> Option<usize> {
        Some(match self.element {
            0 => 1,
            1 | 6 | 10 => 2,
            2 | 3 | 7 | 8 | 11 | 12 => 4,
            4 | 5 | 9 => 8,
            _ => return None,
        })
    }

    /// Checks that the map is one that can be used with so many coordinates; gives the
    /// bytes of a row of the box and how they are swizzled.
    pub(crate) fn check(&self, coordinates: usize) -> Result<(usize, Swizzle), Trouble> {
        let wrong = Trouble::Undefined("not a tensor map that can be used so");
        if usize::from(self.last) + 1 != coordinates || self.unsupported != 0 {
            return Err(wrong);
        }
        let swizzle = match self.swizzle {
            0 => Swizzle::None,
            1 => Swizzle::Bytes32,
            2 => Swizzle::Bytes64,
            3 => Swizzle::Bytes128,
            _ => return Err(wrong),
        };
        let bytes = self.element_bytes().ok_or(wrong.clone())? * self.sides[0] as usize;
        let is_whole = |side: &u32| (1..=256).contains(side);
        let fits = bytes.is_multiple_of(16)
            && (swizzle == Swizzle::None || bytes as u64 <= swizzle.width())
            && self.sides[..coordinates].iter().all(is_whole)
            && self.steps[..coordinates].iter().all(|&step| step == 1)
            && self.strides[..coordinates - 1]
                .iter()
                .all(|s| s.is_multiple_of(16))
            && self.address.is_multiple_of(16);
        if fits {
            Ok((bytes, swizzle))
        } else {
            Err(wrong)
        }
    }

    /// The rows of the box at these coordinates, in the order in which shared memory has
    /// them. The map has been checked.
    pub(crate) fn rows(&self, coordinates: &[i32]) -> Vec<Row> {
        let bytes = self.element_bytes().unwrap_or(1) as i64;
        let outer = 1..coordinates.len();
        let count: u64 = outer.clone().map(|i| u64::from(self.sides[i])).product();
        let (x, width) = (i64::from(coordinates[0]), i64::from(self.sides[0]));
        let end = (x + width).min(i64::from(self.dimensions[0]));
        let start = x.max(0);
        let row = |mut index: u64| {
            let mut address = self.address.wrapping_add_signed(start * bytes);
            let mut inside = start < end;
            for i in outer.clone() {
                let side = u64::from(self.sides[i]);
                let at = i64::from(coordinates[i]) + (index % side) as i64;
                index /= side;
                inside &= (0..i64::from(self.dimensions[i])).contains(&at);
                address = address.wrapping_add((at as u64).wrapping_mul(self.strides[i - 1]));
            }
            Row {
                address: inside.then_some(address),
                before: if inside {
                    ((start - x) * bytes) as usize
                } else {
                    0
                },
                present: if inside {
                    ((end - start) * bytes) as usize
                } else {
                    0
                },
            }
        };
        (0..count).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_survive_their_bytes() {
        let mut map = TensorMap::of_rows(6, [100, 7], [64, 8], 3);
        map.address = 0x7f40_0000_1000;
        assert_eq!(TensorMap::read(&map.bytes()), map);
        map.replace(TensorMapField::GlobalStride(0), 208);
        assert_eq!(TensorMap::read(&map.bytes()).strides[0], 208);
    }

    #[test]
    fn boxes_reach_beyond_the_array() {
        let mut map = TensorMap::of_rows(6, [16, 3], [8, 2], 0);
        map.address = 0x1000;
        let row = |address, before, present| Row {
            address,
            before,
            present,
        };
        assert_eq!(
            map.rows(&[-2, 2]),
            [row(Some(0x1040), 4, 12), row(None, 0, 0)]
        );
        assert_eq!(map.rows(&[12, -1])[1], row(Some(0x1018), 0, 8));
        assert_eq!(map.rows(&[16, 0])[0], row(None, 0, 0));
    }

    #[test]
    fn other_maps_are_refused() {
        let good = TensorMap::of_rows(6, [64, 8], [64, 8], 3);
        assert!(good.check(2).is_ok());
        assert!(good.check(3).is_err());
        for (field, value) in [
            (TensorMapField::Interleave, 1),
            (TensorMapField::Fill, 1),
            (TensorMapField::ElementStride(0), 2),
            (TensorMapField::BoxDimension(0), 128),
            (TensorMapField::ElementType, 13),
            (TensorMapField::GlobalStride(0), 8),
        ] {
            let mut map = good;
            map.replace(field, value);
            assert!(map.check(2).is_err(), "{field:?}");
        }
    }
}
