//! The bits that are set in a word.

/// Their numbers, ascending; constant time each.
pub fn ones(word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        let is_there = rest != 0;
        rest &= rest.wrapping_sub(1);
        is_there.then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::ones;

    #[test]
    fn each_bit_once() {
        assert_eq!(ones(0).count(), 0);
        assert_eq!(ones(1 << 63 | 0b101).collect::<Vec<_>>(), [0, 2, 63]);
        assert_eq!(ones(u64::MAX).count(), 64);
    }
}
