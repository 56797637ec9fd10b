//! Sets of small numbers as words of bits. They have no bound of their own: whoever keeps the
//! words knows how many numbers there are. Constant time a number, but for the empty words
//! that a list of numbers passes over.

use std::ops::Range;

/// Bits of a word.
const WORD: usize = u64::BITS as usize;

/// The words that a set of the numbers below this takes.
pub fn words(numbers: usize) -> usize {
    numbers.div_ceil(WORD)
}

/// The word that a number is in, and its bit there.
pub fn place(number: usize) -> (usize, u64) {
    (number / WORD, 1 << (number % WORD))
}

/// The first number that is in no word up to this one.
pub fn end_of_word(word: usize) -> usize {
    (word + 1) * WORD
}

/// A word of flags, the first one in its lowest bit; there are at most as many as it has bits.
pub fn from_flags(flags: impl Iterator<Item = bool>) -> u64 {
    // A byte for each at first, which processors compute side by side.
    let mut bytes = [0; WORD];
    bytes
        .iter_mut()
        .zip(flags)
        .for_each(|(byte, flag)| *byte = u8::from(flag));
    // The product has the lowest bits of eight bytes beside one another in its highest byte.
    let eight =
        |bytes: &[u8; 8]| u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (eights, _) = bytes.as_chunks();
    eights
        .iter()
        .rev()
        .fold(0, |set, bytes| set << 8 | eight(bytes))
}

/// Adds a number.
pub fn insert(set: &mut [u64], number: usize) {
    let (index, bit) = place(number);
    set[index] |= bit;
}

/// Takes a number out.
pub fn remove(set: &mut [u64], number: usize) {
    let (index, bit) = place(number);
    set[index] &= !bit;
}

/// Whether a number is in the set.
pub fn contains(set: &[u64], number: usize) -> bool {
    let (index, bit) = place(number);
    set[index] & bit != 0
}

/// How many numbers of a range are in the set.
pub fn count(set: &[u64], range: Range<usize>) -> u32 {
    let (first, last) = (range.start / WORD, range.end.div_ceil(WORD));
    let from_start = u64::MAX << (range.start % WORD);
    let to_end = u64::MAX >> (WORD - 1 - range.end.wrapping_sub(1) % WORD);
    match set.get(first..last) {
        None | Some([]) => 0,
        Some([one]) => (one & from_start & to_end).count_ones(),
        Some([start, inner @ .., end]) => {
            let inner: u32 = inner.iter().map(|word| word.count_ones()).sum();
            (start & from_start).count_ones() + inner + (end & to_end).count_ones()
        }
    }
}

/// The numbers in a set, ascending.
pub fn numbers(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    let words = words.enumerate();
    words.flat_map(|(index, word)| ones(word).map(move |bit| index * WORD + bit))
}

/// The bits that are set in a word, ascending.
fn ones(word: u64) -> impl Iterator<Item = usize> {
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
    use super::*;

    #[test]
    fn each_bit_once() {
        assert_eq!(ones(0).count(), 0);
        assert_eq!(ones(1 << 63 | 0b101).collect::<Vec<_>>(), [0, 2, 63]);
        assert_eq!(ones(u64::MAX).count(), 64);
    }

    #[test]
    fn each_flag_has_its_bit() {
        let word = |set: u64| from_flags((0..64).map(|bit| set >> bit & 1 != 0));
        for set in [0, 1, 0b1010_0110 << 3, 0x8000_0001_7f80_ff01, u64::MAX] {
            assert_eq!(word(set), set);
        }
        assert_eq!(from_flags([false, true, true].into_iter()), 0b110);
    }

    #[test]
    fn ranges_are_counted() {
        let set = [u64::MAX, 0b1010, 1 << 63];
        let count = |range| count(&set, range);
        assert_eq!([0..0, 0..1, 5..64, 3..128].map(count), [0, 1, 59, 63]);
        assert_eq!(
            [64..66, 66..191, 66..192, 0..192, 191..192].map(count),
            [1, 1, 2, 67, 1]
        );
    }

    #[test]
    fn numbers_of_all_words() {
        let mut set = vec![0; words(129)];
        for number in [0, 63, 64, 128] {
            insert(&mut set, number);
        }
        remove(&mut set, 63);
        let found = numbers(set.iter().copied());
        assert_eq!(found.collect::<Vec<_>>(), [0, 64, 128]);
        assert_eq!([63, 64].map(|number| contains(&set, number)), [false, true]);
    }
}
