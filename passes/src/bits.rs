//! Sets of small numbers as words of bits. They have no bound of their own: whoever keeps the
//! words knows how many numbers there are. Constant time a number, but for the empty words
//! that a list of numbers passes over.

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

/// Adds a number.
pub fn insert(set: &mut [u64], number: usize) {
    set[number / WORD] |= 1 << (number % WORD);
}

/// Takes a number out.
pub fn remove(set: &mut [u64], number: usize) {
    set[number / WORD] &= !(1 << (number % WORD));
}

/// Whether a number is in the set.
pub fn contains(set: &[u64], number: usize) -> bool {
    set[number / WORD] >> (number % WORD) & 1 != 0
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
