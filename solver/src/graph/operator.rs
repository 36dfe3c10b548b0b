//! Operations on two numbers.

use erlang_term::Integer;
use num_bigint::BigInt;
use num_traits::{Euclid, Signed, ToPrimitive, Zero};

use crate::release_rules::FloatsOfIntegers;

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `div`, towards zero.
    Divide,
    /// `rem`, with the sign of the left side.
    Remainder,
    /// The remainder of a division by a positive number, never negative: the last bits of an
    /// integer.
    Modulo,
    /// `/`, always a float.
    Quotient,
    /// `band`.
    And,
    /// `bor`.
    Or,
    /// `bxor`.
    Xor,
    /// `bsl`.
    ShiftLeft,
    /// `bsr`.
    ShiftRight,
}

/// Shifts that would give more bits are not computed, although the BEAM computes them.
const MOST_SHIFTED_BITS: u64 = 100_000;
/// The BEAM refuses shifts that would give more bits.
const MOST_BITS: u64 = (1 << 25) - 64;

impl Operator {
    /// Whether both sides and the result are integers.
    pub fn is_integral(self) -> bool {
        self.is_division() || self.is_bitwise()
    }

    /// Whether it is a division of integers, which has no result if the right side is 0.
    pub fn is_division(self) -> bool {
        matches!(self, Self::Divide | Self::Remainder | Self::Modulo)
    }

    /// Whether it works on the bits of integers.
    pub(crate) fn is_bitwise(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Xor) || self.is_shift()
    }

    /// Whether it shifts the bits of an integer.
    pub(crate) fn is_shift(self) -> bool {
        matches!(self, Self::ShiftLeft | Self::ShiftRight)
    }

    /// The result for two small integers, if it is a small integer and easy to compute.
    pub(super) fn of_small(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Divide => left.checked_div(right),
            Self::Remainder => left.checked_rem(right),
            Self::Modulo => left.checked_rem_euclid(right),
            Self::And => Some(left & right),
            Self::Or => Some(left | right),
            Self::Xor => Some(left ^ right),
            Self::Quotient | Self::ShiftLeft | Self::ShiftRight => None,
        }
    }

    /// The result for two integers, if it is an integer; `None` if there is none, or if it would
    /// be very large.
    pub(super) fn of_integers(self, left: &Integer, right: &Integer) -> Option<Integer> {
        if let (Integer::Small(left), Integer::Small(right)) = (left, right)
            && let Some(small) = self.of_small(*left, *right)
        {
            return Some(Integer::Small(small));
        }
        let (left, right) = (left.to_big(), right.to_big());
        if self.is_division() && right.is_zero() {
            return None;
        }
        let value: BigInt = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Remainder => left % right,
            Self::Modulo => left.rem_euclid(&right),
            Self::And => left & right,
            Self::Or => left | right,
            Self::Xor => left ^ right,
            Self::ShiftLeft => shifted(left, &right)?,
            Self::ShiftRight => shifted(left, &-right)?,
            Self::Quotient => return None,
        };
        Some(value.into())
    }

    /// The result for two floats; `None` if there is none.
    pub(super) fn of_floats(self, left: f64, right: f64) -> Option<f64> {
        let value = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Quotient => left / right,
            Self::Divide
            | Self::Remainder
            | Self::Modulo
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::ShiftLeft
            | Self::ShiftRight => return None,
        };
        value.is_finite().then_some(value)
    }

    /// Whether the BEAM refuses to shift an integer this far.
    pub(super) fn shifts_too_far(self, number: &Integer, by: &Integer) -> bool {
        let (number, by) = (number.to_big(), by.to_big());
        let by = if self == Self::ShiftRight { -by } else { by };
        !number.is_zero() && by.is_positive() && by + number.bits() > BigInt::from(MOST_BITS)
    }
}

/// A number shifted to the left, or to the right if the number of bits is negative.
fn shifted(number: BigInt, by: &BigInt) -> Option<BigInt> {
    if number.is_zero() {
        return Some(number);
    }
    match (by.to_u64(), by.magnitude().to_u64()) {
        (Some(by), _) if by.saturating_add(number.bits()) <= MOST_SHIFTED_BITS => {
            Some(number << by)
        }
        (None, Some(by)) if by <= number.bits() => Some(number >> by),
        // Only the sign is left.
        _ if by.is_negative() => Some(BigInt::from(if number.is_negative() { -1 } else { 0 })),
        _ => None,
    }
}

/// The float that the BEAM makes of an integer; `None` if it is too large.
pub(super) fn to_float(integer: &Integer, floats: FloatsOfIntegers) -> Option<f64> {
    let big = match integer {
        Integer::Small(value) => return Some(*value as f64),
        Integer::Big(value) => value,
    };
    if floats == FloatsOfIntegers::Nearest {
        return big.to_f64().filter(|it| it.is_finite());
    }
    let digits = big.magnitude().to_u64_digits();
    let base = 2.0_f64.powi(64);
    let size = digits
        .iter()
        .rev()
        .fold(0.0, |sum, digit| sum * base + *digit as f64);
    size.is_finite()
        .then_some(if big.is_negative() { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(power: u32) -> Integer {
        (BigInt::from(1) << power).into()
    }

    #[test]
    fn shifts_in_both_directions() {
        let shift = |operator: Operator, left: i64, right: i64| {
            let value = operator.of_integers(&left.into(), &right.into());
            value.and_then(|it| it.to_i64())
        };
        assert_eq!(shift(Operator::ShiftLeft, 5, 3), Some(40));
        assert_eq!(shift(Operator::ShiftLeft, -5, -1), Some(-3));
        assert_eq!(shift(Operator::ShiftRight, -5, 100), Some(-1));
        assert_eq!(shift(Operator::ShiftRight, 5, -3), Some(40));
        assert_eq!(shift(Operator::ShiftLeft, 1, 1_000_000_000), None);
        assert_eq!(shift(Operator::ShiftLeft, 0, 1_000_000_000), Some(0));
    }

    #[test]
    fn knows_how_far_the_beam_shifts() {
        let most = i64::try_from(MOST_BITS).expect("small");
        let is_too_far =
            |number: &Integer, by: i64| Operator::ShiftLeft.shifts_too_far(number, &by.into());
        assert!(!is_too_far(&1.into(), most - 1));
        assert!(is_too_far(&1.into(), most));
        assert!(!is_too_far(&big(100), most - 101));
        assert!(is_too_far(&big(100), most - 100));
        assert!(!is_too_far(&0.into(), i64::MAX));
        assert!(!is_too_far(&big(100), -most));
    }

    #[test]
    fn rounds_large_integers_as_the_beam_does() {
        for floats in [FloatsOfIntegers::DigitByDigit, FloatsOfIntegers::Nearest] {
            assert_eq!(to_float(&big(70), floats), Some(2.0_f64.powi(70)));
            assert_eq!(to_float(&big(1024), floats), None);
        }
        let odd = Integer::from(BigInt::from(-30_744_573_456_182_585_626_i128));
        let float = |floats| to_float(&odd, floats);
        assert_eq!(
            float(FloatsOfIntegers::DigitByDigit),
            Some(-3.0744573456182583e19)
        );
        assert_eq!(
            float(FloatsOfIntegers::Nearest),
            Some(-3.0744573456182587e19)
        );
    }
}
