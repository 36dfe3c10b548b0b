//! Numbers in Z3's terms.

use num_bigint::BigInt;
use num_traits::float::FloatCore;
use z3::ast::{Int, Real};

use crate::graph::Rounding;

/// Written in digits, since old versions of Z3 have no other way.
pub(crate) fn number(value: &BigInt) -> Int {
    let number = value.to_string().parse();
    number.expect("an integer is written in digits")
}

/// A float as a fraction of two integers.
pub(crate) fn exact_fraction(value: f64) -> (BigInt, BigInt) {
    let (mantissa, exponent, sign) = value.integer_decode();
    let mantissa = BigInt::from(mantissa) * sign;
    let power = BigInt::from(1) << exponent.unsigned_abs();
    if exponent < 0 {
        (mantissa, power)
    } else {
        (mantissa * power, BigInt::from(1))
    }
}

/// The number that stands for `-0.0` where it is another value than `0.0`. No float has it.
pub(super) const NEGATIVE_ZERO: (i64, i64) = (-1, 3);

/// The same as a fraction.
pub(super) fn negative_zero() -> (BigInt, BigInt) {
    (NEGATIVE_ZERO.0.into(), NEGATIVE_ZERO.1.into())
}

/// Written in digits, since old versions of Z3 have no other way.
pub(crate) fn real((over, under): &(BigInt, BigInt)) -> Real {
    let number = Real::from_rational_str(&over.to_string(), &under.to_string());
    number.expect("a fraction is written in digits")
}

/// The integer near a real number.
pub(crate) fn rounded(rounding: Rounding, number: &Real) -> Int {
    let negated = number.unary_minus();
    let up = || negated.to_int().unary_minus();
    let is_positive = number.ge(fraction(0, 1));
    match rounding {
        Rounding::Floor => number.to_int(),
        Rounding::Ceiling => up(),
        Rounding::Truncate => is_positive.ite(&number.to_int(), &up()),
        Rounding::Round => {
            let half = fraction(1, 2);
            let nearest = |of: &Real| Real::add(&[of, &half]).to_int();
            is_positive.ite(&nearest(number), &nearest(&negated).unary_minus())
        }
    }
}

fn fraction(over: i64, under: i64) -> Real {
    real(&(BigInt::from(over), BigInt::from(under)))
}

/// An integer as Z3 writes it: `7` or `(- 7)`.
pub(crate) fn parse_integer(digits: &str) -> Option<BigInt> {
    let (digits, is_negative) = match digits.strip_prefix("(- ") {
        Some(digits) => (digits.trim_end_matches(')'), true),
        None => (digits, false),
    };
    let value = BigInt::parse_bytes(digits.as_bytes(), 10)?;
    Some(if is_negative { -value } else { value })
}
