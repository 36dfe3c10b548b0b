//! The bytes of a log: numbers and values.

use thiserror::Error;

/// What is wrong with the bytes of a log.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ReadError {
    /// The bytes end where an item begins: the run was cut off, or is over.
    #[error("the log ends here")]
    End,
    /// The bytes end inside an item.
    #[error("the log ends inside an event")]
    CutShort,
    /// A number that no program has.
    #[error("a number in the log is impossibly large")]
    Overflow,
}

/// The bytes of a number: seven bits in each, the most significant first, with the high bit set
/// in all but the last.
pub fn encode_number(number: u32) -> Vec<u8> {
    let mut groups = vec![low_bits(number)];
    let mut rest = number >> 7;
    while rest > 0 {
        groups.push(low_bits(rest) | 0x80);
        rest >>= 7;
    }
    groups.reverse();
    groups
}

fn low_bits(number: u32) -> u8 {
    u8::try_from(number & 0x7f).expect("seven bits fit in a byte")
}

/// Reads a log from its beginning.
#[derive(Clone, Debug)]
pub struct LogReader<'log> {
    bytes: &'log [u8],
    at: usize,
}

impl<'log> LogReader<'log> {
    /// A reader at the beginning.
    pub fn new(bytes: &'log [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes were read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether all bytes were read.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The next number, without going on.
    ///
    /// # Errors
    /// As [`Self::number`].
    pub fn peek(&self) -> Result<u32, ReadError> {
        self.clone().number()
    }

    /// The next number.
    ///
    /// # Errors
    /// When there is none.
    pub fn number(&mut self) -> Result<u32, ReadError> {
        let mut number = 0_u32;
        let mut missing = ReadError::End;
        loop {
            let byte = *self.bytes.get(self.at).ok_or(missing)?;
            self.at += 1;
            missing = ReadError::CutShort;
            if number > u32::MAX >> 7 {
                return Err(ReadError::Overflow);
            }
            number = (number << 7) | u32::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
    }

    /// The next byte, inside an item.
    ///
    /// # Errors
    /// When the bytes end here.
    pub fn byte(&mut self) -> Result<u8, ReadError> {
        let byte = *self.bytes.get(self.at).ok_or(ReadError::CutShort)?;
        self.at += 1;
        Ok(byte)
    }

    /// A value in external term format, with its length before it.
    ///
    /// # Errors
    /// When the bytes end before the value does.
    pub fn payload(&mut self) -> Result<&'log [u8], ReadError> {
        if self.is_at_end() {
            return Err(ReadError::CutShort);
        }
        let length = self.number()?;
        let end = self.at.saturating_add(length as usize);
        let payload = self.bytes.get(self.at..end).ok_or(ReadError::CutShort)?;
        self.at = end;
        Ok(payload)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_have_these_bytes() {
        assert_eq!(encode_number(0), [0]);
        assert_eq!(encode_number(127), [127]);
        assert_eq!(encode_number(128), [0x81, 0]);
        assert_eq!(encode_number(16_383), [0xff, 0x7f]);
        assert_eq!(encode_number(16_384), [0x81, 0x80, 0]);
    }

    #[test]
    fn an_end_inside_an_item_differs_from_an_end_between_items() {
        assert_eq!(LogReader::new(&[]).number(), Err(ReadError::End));
        assert_eq!(LogReader::new(&[0x81]).number(), Err(ReadError::CutShort));
        assert_eq!(
            LogReader::new(&[3, 1, 2]).payload(),
            Err(ReadError::CutShort)
        );
        assert_eq!(
            LogReader::new(&[0xff; 9]).number(),
            Err(ReadError::Overflow)
        );
    }

    proptest! {
        #[test]
        fn every_number_survives(number: u32) {
            let bytes = encode_number(number);
            let mut reader = LogReader::new(&bytes);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert!(reader.is_at_end());
        }
    }
}
