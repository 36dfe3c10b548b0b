//! Integers of any size, cheap when they are small.

use std::fmt;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// An Erlang integer. Always in the smallest form: `Big` holds no value that fits in an `i64`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Integer {
    /// Fits in 64 bits.
    Small(i64),
    /// Everything else.
    Big(Box<BigInt>),
}

impl Integer {
    /// Parses digits of `radix` (2 to 36) with an optional sign.
    pub fn parse(digits: &str, radix: u32) -> Option<Self> {
        match i64::from_str_radix(digits, radix) {
            Ok(small) => Some(Self::Small(small)),
            // The library would take underscores between digits.
            Err(_) if digits.contains('_') => None,
            Err(_) => BigInt::parse_bytes(digits.as_bytes(), radix).map(Self::from),
        }
    }

    /// The value as `i64`, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Self::Small(small) => Some(*small),
            Self::Big(_) => None,
        }
    }

    /// The value as a big integer.
    pub fn to_big(&self) -> BigInt {
        match self {
            Self::Small(small) => BigInt::from(*small),
            Self::Big(big) => (**big).clone(),
        }
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self::Small(value)
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Self::Small(small),
            None => Self::Big(Box::new(value)),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (self, other) {
            (Self::Small(left), Self::Small(right)) => left.cmp(right),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(small) => small.fmt(f),
            Self::Big(big) => big.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_small_when_it_can() {
        assert_eq!(
            Integer::parse("-9223372036854775808", 10),
            Some(Integer::Small(i64::MIN))
        );
        assert_eq!(
            Integer::from(BigInt::from(7_i64)),
            Integer::Small(7),
            "a big integer that fits is made small"
        );
    }

    #[test]
    fn keeps_every_digit_of_a_big_one() {
        let digits = "123456789012345678901234567890";
        let parsed = Integer::parse(digits, 10).expect("digits are valid");
        assert_eq!(parsed.to_string(), digits);
        assert!(Integer::Small(i64::MAX) < parsed);
    }

    #[test]
    fn rejects_what_is_not_a_number() {
        assert_eq!(Integer::parse("12x", 10), None);
        assert_eq!(Integer::parse("", 10), None);
        assert_eq!(Integer::parse("1_000", 10), None);
    }
}
