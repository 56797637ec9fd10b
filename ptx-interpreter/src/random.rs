//! A small generator of pseudo-random numbers: the same numbers on every machine.

/// A counter whose steps are mixed into numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator whose numbers depend on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x = (x ^ (x >> 29)).wrapping_mul(0xa076_1d64_78bd_642f);
        x ^ (x >> 32)
    }

    /// A number from zero to below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }

    /// Overwrites `bytes` with garbage.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let garbage = self.bits().to_le_bytes();
            chunk.copy_from_slice(&garbage[..chunk.len()]);
        }
    }
}
