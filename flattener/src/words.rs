//! Searching in short texts, eight bytes at a time.
//!
//! Blanks, atoms and strings are mostly some ten bytes long: too short for a search with wider
//! registers to pay, long enough to be slow byte by byte.

/// Eight bytes, the first of them the lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word(u64);

/// The same byte eight times.
const fn repeated(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The highest bit of each byte.
const HIGH_BITS: u64 = repeated(0x80);

/// The word that begins at an index, unless the text ends before.
#[inline]
pub(crate) fn word_at(bytes: &[u8], index: usize) -> Option<Word> {
    let word = bytes.get(index..)?.first_chunk()?;
    Some(Word(u64::from_le_bytes(*word)))
}

/// Whether a byte is among others.
#[inline]
pub(crate) fn contains_byte(bytes: &[u8], byte: u8) -> bool {
    let has_byte = |word: &[u8; 8]| Word(u64::from_le_bytes(*word)).equal(byte) != 0;
    match bytes.last_chunk() {
        // The last word may overlap with the one before it.
        Some(last) => has_byte(last) || bytes.as_chunks().0.iter().any(has_byte),
        None => bytes.contains(&byte),
    }
}

impl Word {
    /// How many blanks and control characters there are at the start.
    #[inline]
    pub(crate) fn blanks(self) -> usize {
        // Seven bits and `0x5f` reach the high bit from `0x21` on, and never the next byte.
        let low_bits = self.0 & !HIGH_BITS;
        let others = ((low_bits + repeated(0x80 - 0x21)) | self.0) & HIGH_BITS;
        first_byte(others)
    }

    /// How many bytes there are before the first that is one of two.
    #[inline]
    pub(crate) fn bytes_before(self, one: u8, other: u8) -> usize {
        first_byte(self.equal(one) | self.equal(other))
    }

    /// The high bits of the bytes that are equal to one. Those after the first may be wrong, because
    /// the subtraction may borrow from the next byte.
    #[inline]
    fn equal(self, byte: u8) -> u64 {
        let zeros = self.0 ^ repeated(byte);
        zeros.wrapping_sub(repeated(1)) & !zeros & HIGH_BITS
    }
}

/// The index of the first byte with a bit that is set; eight if there is none.
#[inline]
fn first_byte(bits: u64) -> usize {
    bits.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bytes among which blanks, quotes, backslashes and their neighbours are frequent.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![
            any::<u8>(),
            prop::sample::select(b" !\t\n'(&\\[]\x00\x01\x7f\x80\xa0\xff".to_vec()),
        ];
        prop::collection::vec(byte, 0..20)
    }

    proptest! {
        #[test]
        fn words_find_what_bytes_find(bytes in bytes()) {
            let word = word_at(&bytes, 0);
            prop_assert_eq!(word.is_some(), bytes.len() >= 8);
            if let Some(word) = word {
                let count = |is_before: fn(&u8) -> bool| {
                    bytes[..8].iter().take_while(|byte| is_before(byte)).count()
                };
                prop_assert_eq!(word.blanks(), count(|byte| *byte <= b' '));
                let before = count(|byte| *byte != b'\'' && *byte != b'\\');
                prop_assert_eq!(word.bytes_before(b'\'', b'\\'), before);
            }
            prop_assert_eq!(contains_byte(&bytes, b'\\'), bytes.contains(&b'\\'));
        }
    }
}
